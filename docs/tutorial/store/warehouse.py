"""What leaves the house, and when."""

from store import delivery


def load(kilograms: int) -> str:
    """Order what a load needs."""
    return delivery.book_lorry(delivery.FreightCarrier(), kilograms)
