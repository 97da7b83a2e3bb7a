"""Payments by voucher. Somebody was called away in the middle of the move."""

from shop.payments.base import Payment


class VoucherPayment(Payment):
    def accepts(self, amount
