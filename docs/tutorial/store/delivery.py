"""Everything about bringing things to people."""

import logging
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from store.clock import today

logger = logging.getLogger(__name__)

# Kilograms that one person may not carry alone.
HEAVY = 30


class Carrier:
    """Somebody who brings things."""

    days = 1

    def due(self) -> date:
        """When something that leaves today is there."""
        return today() + timedelta(days=self.days)


class ParcelCarrier(Carrier):
    """Brings what one person can carry."""

    days = 2

    def price(self, kilograms: int) -> Decimal:
        if kilograms > HEAVY:
            raise ValueError("too heavy for a parcel")
        logger.info("a parcel of %d kg", kilograms)
        return Decimal("4.90") + Decimal("0.10") * kilograms


@dataclass(frozen=True)
class ParcelLabel:
    """What is stuck on a parcel."""

    carrier: ParcelCarrier
    address: str

    def text(self) -> str:
        return f"{self.address}\ndue {self.carrier.due()}"


class FreightCarrier(Carrier):
    """Brings pallets, by lorry."""

    days = 5

    def price(self, kilograms: int) -> Decimal:
        crew = 2 if kilograms > HEAVY else 1
        return Decimal(40) * crew


def pallets(kilograms: int) -> int:
    """How many pallets a load needs."""
    return -(-kilograms // (HEAVY * 20))


def book_lorry(carrier: FreightCarrier, kilograms: int) -> str:
    """Order a lorry. Returns what to tell the customer."""
    logger.info("a lorry for %d kg", kilograms)
    return f"{pallets(kilograms)} pallets, due {carrier.due()}"


class Locker(Carrier):
    """Keeps a parcel until it is fetched."""

    price = Decimal("3.50")


def free_locker(lockers: list[Locker]) -> Locker:
    """The first locker of some."""
    return lockers[0]
