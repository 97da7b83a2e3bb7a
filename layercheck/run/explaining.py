"""The explain command: what there is to know about checks, as text for a terminal."""

from __future__ import annotations

import textwrap

import msgspec

from layercheck.checks import all_checks
from layercheck.errors import LayercheckError
from layercheck.explain.page import by_itself, read_page
from layercheck.explain.terminal import render
from layercheck.finding import Report
from layercheck.names import nearest

_WIDTH = 80


def enumerate_checks() -> str:
    """Every check with what it finds, by name."""
    checks = all_checks()
    width = max(map(len, checks)) + 2
    lines = [
        line
        for name, check in checks.items()
        for line in textwrap.wrap(
            check.summary, _WIDTH, initial_indent=f"{name:<{width}}", subsequent_indent=" " * width
        )
    ]
    return "".join(f"{line}\n" for line in lines)


def with_pages(report: Report) -> Report:
    """A report that carries the page about each of its checks.

    Raises LayercheckError where this installation has none.
    """
    checks = sorted({rule.check for rule in report.rules})
    return msgspec.structs.replace(report, pages={check: by_itself(read_page(check)) for check in checks})


def describe(check: str, *, colour: bool = False) -> str:
    """The page about a check.

    Raises LayercheckError where no check is called so, with the nearest.
    """
    if check not in all_checks():
        close = nearest(check, all_checks())
        hint = f"did you mean {close!r}?" if close else "layercheck explain lists them all"
        raise LayercheckError(f"no check is called {check!r}; {hint}")
    return render(read_page(check), colour=colour)
