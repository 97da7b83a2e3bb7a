"""Orders, and who placed them."""

from shop.customers import greeting
from shop.everything import InvoicePayment, Payment


class Order:
    def __init__(self, customer, amount):
        self.customer = customer
        self.amount = amount

    def payment(self) -> Payment:
        return InvoicePayment(self.customer)

    def confirmation(self):
        return f"{greeting(self.customer)}, thank you for your order"
