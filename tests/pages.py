"""What tests take from the pages in docs: their fenced blocks, and the rows of their tables."""

from __future__ import annotations

import re

from tests import command

DOCS = command.ROOT / "docs"


def read(name: str) -> str:
    """The text of a page of docs."""
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks in a language, in order, without their fences and the depth at which they stand."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def section(text: str, title: str) -> str:
    """What stands below a heading, up to the next of any level."""
    _, found, after = text.partition(f"\n## {title}\n")
    assert found, f"no section {title}"
    return re.split(r"^#+ ", after, flags=re.MULTILINE)[0]


def first_cells(text: str) -> list[str]:
    """The words in code in the first cells of the tables' rows, in order."""
    rows = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]
