"""The example that newcomers see has one of every finding."""

from __future__ import annotations

import re
from pathlib import Path

from layercheck.checks import all_checks
from tests import command

EXAMPLE = command.ROOT / "docs" / "example"

EXPECTED = [
    ("broken-imports", "shop/refunds.py", 3),
    ("cycles", "shop/customers.py", 3),
    ("forbidden-imports", "shop/payments/cash.py", 3),
    ("indirect-imports", "shop/orders.py", 4),
    ("layers", "shop/payments/card.py", 3),
    ("orphaned-imports", "shop/everything.py", 3),
    ("rules-file", "layercheck.toml", 25),
    ("stale-reexports", "shop/everything.py", 6),
    ("unreadable-files", "shop/payments/voucher.py", 7),
]


def test_the_example_has_one_of_every_finding() -> None:
    assert command.check(EXAMPLE).places() == EXPECTED
    assert {check for check, _, _ in EXPECTED} < set(all_checks())


def test_every_link_between_the_pages_leads_somewhere() -> None:
    pages = [*command.ROOT.glob("*.md"), *(command.ROOT / "docs").rglob("*.md")]
    assert len(pages) > 10
    broken = [
        f"{page.relative_to(command.ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!\w+:)([^)#]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / Path(target)).exists()
    ]
    assert broken == []
