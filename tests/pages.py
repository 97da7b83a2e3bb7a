"""What tests take from the pages in docs beside what they show of a terminal: blocks by language, rows of tables."""

from __future__ import annotations

import re

from tests import command, sessions


def read(name: str) -> str:
    """The text of a page of docs."""
    return (command.ROOT / "docs" / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The texts of the fenced blocks in a language, in order."""
    return [block.text for block in sessions.blocks(text) if block.language == language]


def first_cells(text: str) -> list[str]:
    """The words in code in the first cells of the tables' rows, in order."""
    rows = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]
