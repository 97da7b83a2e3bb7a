"""A shop. Code outside of it imports from here."""

from shop.orders import Order

__all__ = ["Order"]
