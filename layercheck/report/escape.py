"""Text from file names and code, made safe to print. Knows nothing of reports."""

from __future__ import annotations

import re

_COMMAND = re.compile(r"(?<!\S):(?=:)|#(?=#\[)")

_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that stand for no byte of a file name: a string in code may hold them."""


def encodable(text: str) -> str:
    """The text with bytes of a file name that are not UTF-8 written as ``\\xff``."""
    if _LONE.search(text):
        text = _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    """The text on one line, without anything that a terminal would take for a command."""
    text = encodable(text)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def harmless(line: str) -> str:
    """A line of which no reader of logs takes a part for a command to itself: what GitHub's runner and its like obey is
    ``::`` at the beginning of a line and ``##[`` anywhere (actions/runner, src/Runner.Common/ActionCommand.cs)."""
    return _COMMAND.sub(lambda match: f"\\x{ord(match[0]):02x}", line)
