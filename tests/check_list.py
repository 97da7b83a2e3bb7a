"""What the docs say of all checks at once, made from the checks: ``docs/checks.md`` and their part of ``mkdocs.yml``.

``python -m tests.check_list`` writes both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from layercheck.checks import all_checks
from tests.command import ROOT

LIST = ROOT / "docs" / "checks.md"
SITE = ROOT / "mkdocs.yml"

_PART = re.compile(
    r"(?<=^      # checks: written by python -m tests\.check_list\n).*?(?=^      # end of checks$)", re.M | re.S
)


def listing() -> str:
    """The page that lists all checks."""
    return "\n".join(_listing()) + "\n"


def _listing() -> Iterator[str]:
    yield "# All checks"
    yield ""
    yield "A page for each: what it finds and why, how to mend it, its options, examples that report and that do not."
    yield "[`layercheck explain CHECK`](why.md#what-does-a-check-mean) prints it in a terminal."
    for title, needs_rule in (("Without a rule", False), ("Where a rule asks", True)):
        yield ""
        yield f"## {title}"
        yield ""
        yield "| check | finds |"
        yield "|---|---|"
        for kind, check in all_checks().items():
            if (check.undeclared is None) == needs_rule:
                yield f"| [{kind}](checks/{kind}.md) | {check.summary} |"


def site() -> str:
    """``mkdocs.yml`` with a line for each check."""
    lines = "".join(f"      - checks/{kind}.md\n" for kind in all_checks())
    return _PART.sub(lines, SITE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    SITE.write_text(site(), encoding="utf-8")
    LIST.write_text(listing(), encoding="utf-8")
