"""What is said to mend a finding by itself does: made with an editor of ten lines, it takes that finding away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from layercheck.edits.fixers import FIXERS
from layercheck.finding import Report
from layercheck.run import CheckRequest, check
from layercheck.run.fixing import propose
from tests.test_docs_checks import EXAMPLES
from tests.tree import write_tree

ODD = """
# file: layercheck.toml
[checks]
orphaned-imports = "error"
indirect-imports = "error"
stale-patch-targets = "error"
# file: a/__init__.py
# file: a/b.py
class Grün: ...
class B: ...
# file: a/c.py
from a.b import B, Grün
x = B, Grün
# file: a/d.py
é = "蛇🐍"; import os; from a.c import (
    B,  # kept
    Grün
)
y = B, Grün
# file: tests/test_a.py
from unittest.mock import patch
import a.b
def test() -> None:
    "🐍"; patch("a.d.B"); patch("a.c.Gone"); patch("a.d.Gruen")
"""


def edited(text: str, report: Report, number: int) -> str:
    """A text with the replacements of a finding made, as their lines and columns say."""
    mending = report.findings[number].mending
    assert mending is not None
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    for one in reversed(mending.replacements):
        place = one.location
        start = starts[place.line - 1] + place.column - 1
        end = starts[place.end_line - 1] + place.end_column - 1
        text = text[:start] + one.text + text[end:]
    return text


def request(folder: Path) -> CheckRequest:
    return CheckRequest(folder, jobs=1, cache=False)


def mended(folder: Path) -> int:
    """Demand that each finding which says so is mended by itself. Returns how many say so."""
    report = propose(request(folder)).report
    numbers = [number for number, finding in enumerate(report.findings) if finding.mending is not None]
    assert all(report.findings[number].problem.fixable for number in numbers)
    for number in numbers:
        finding = report.findings[number]
        path = folder / finding.problem.location.path
        before = path.read_bytes()
        path.write_bytes(edited(before.decode("utf-8"), report, number).encode("utf-8"))
        left = check(request(folder)).findings
        assert finding.fingerprint not in {one.fingerprint for one in left}, finding.problem.message
        path.write_bytes(before)
    return len(numbers)


def test_examples(tmp_path: Path) -> None:
    trees = [(kind, tree) for kind, title, tree in EXAMPLES if title == "Reports" and kind in FIXERS]
    found = 0
    for number, (kind, tree) in enumerate(trees):
        rules = "" if "# file: layercheck.toml" in tree else f'# file: layercheck.toml\n[checks]\n{kind} = "error"\n'
        found += mended(write_tree(tmp_path / str(number), rules + tree))
    assert found >= len(trees) // 2


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_odd_texts(tmp_path: Path, newline: str) -> None:
    write_tree(tmp_path, ODD)
    for path in tmp_path.rglob("*.py"):
        path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8", newline=newline)
    assert mended(tmp_path) >= 3
