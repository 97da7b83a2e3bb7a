"""Prices and days of delivery."""

from datetime import date
from decimal import Decimal
from unittest.mock import patch

from store import warehouse
from store.checkout import shipping
from store.delivery import Locker, ParcelCarrier, ParcelLabel, free_locker

TUESDAY = date(2026, 6, 2)


def test_prices() -> None:
    assert shipping(2) == Decimal("5.10")
    assert shipping(100) == Decimal(80)


def test_a_label_says_when() -> None:
    with patch("store.delivery.today", return_value=TUESDAY):
        assert ParcelLabel(ParcelCarrier(), "Rose Lane 3").text() == "Rose Lane 3\ndue 2026-06-04"


def test_a_load_is_counted_in_pallets() -> None:
    with patch("store.delivery.pallets", return_value=7) as counted:
        assert warehouse.load(100).startswith("7 pallets")
    counted.assert_called_once_with(100)


def test_lockers() -> None:
    first, second = Locker(), Locker()
    assert free_locker([first, second]) is first
