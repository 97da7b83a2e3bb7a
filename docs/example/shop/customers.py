"""Customers."""

from shop.orders import Order


def greeting(name):
    return f"Dear {name}"


def total(orders: list[Order]):
    return sum(order.amount for order in orders)
