from shop import Order
from shop.payments.card import CardPayment
from shop.payments.cash import CashPayment
from shop.refunds import refund


def test_small_amounts_are_accepted():
    assert CardPayment("Ada").accepts(20)
    assert CashPayment("Ada").accepts(20)


def test_an_order_has_a_payment():
    assert Order("Ada", 20).payment().accepts(20)
    assert refund("Ada")
