"""What all payments have in common."""


class Payment:
    def __init__(self, customer):
        self.customer = customer

    def accepts(self, amount):
        return amount > 0
