"""Lines for people at a terminal: as wide as they are everywhere, broken only between words."""

from __future__ import annotations

import textwrap

from layercheck.report.escape import printable

WIDTH = 80
"""Characters."""


def wrapped(text: str, first: str = "", later: str = "") -> list[str]:
    """A text made printable, in lines that begin as said. A word that is too long for one has a line to itself, so that
    a path or a name can be copied."""
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
