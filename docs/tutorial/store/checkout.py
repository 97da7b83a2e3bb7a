"""What a customer pays."""

from decimal import Decimal

from store.delivery import HEAVY, FreightCarrier, ParcelCarrier


def shipping(kilograms: int) -> Decimal:
    """The price of bringing something."""
    carrier = FreightCarrier() if kilograms > HEAVY else ParcelCarrier()
    return carrier.price(kilograms)
