"""Payments by card. Moved here from shop.everything."""

from shop.everything import LIMIT
from shop.payments.base import Payment


class CardPayment(Payment):
    def accepts(self, amount):
        return super().accepts(amount) and amount <= LIMIT
