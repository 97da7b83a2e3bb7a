"""From patterns with stars to expressions that never take long: a star goes to the first place at which what follows it
fits, and is not tried anywhere else. Knows nothing of what the texts are.

That loses nothing where what stands between two stars has one length, for the later star takes up the rest; and a plain
``.*`` for each star would try all ways to divide a long text among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count, groupby


class Wildcards:
    """Writes expressions; all that are to be put together in one must come from the same writer."""

    def __init__(self) -> None:
        self._numbers = count()

    def stars(self, pieces: Sequence[str], other: str) -> str:
        """An expression for pieces with a star between each two, which stands for characters that ``other`` is an
        expression for. Each piece must be an expression for texts of one length. What follows must be a boundary."""
        first, *middle = pieces
        if not middle:
            return first
        *middle, last = middle
        found = [self._at_once(f"{other}*?{piece}") for piece in middle if piece]
        return "".join((first, *found, f"{other}*{last}"))

    def components(self, parts: Iterable[Sequence[str] | None], before: str) -> str:
        """An expression for a text in components, each behind the character ``before``. A part is the pieces of one, as
        ``stars`` takes them, or None for any number of components."""
        other = rf"[^{re.escape(before)}]"
        any_number = f"(?:{re.escape(before)}{other}+)*"
        blocks = [
            ""
            if is_any
            else "".join(f"{re.escape(before)}{self.stars(part, other)}(?!{other})" for part in run if part is not None)
            for is_any, run in groupby(parts, lambda part: part is None)
        ]
        expression = blocks[0] if blocks else ""
        for index, block in enumerate(blocks[1:], 1):
            if not block:
                continue
            found = f"{any_number}?{block}" if not blocks[index - 1] else block
            expression += self._at_once(found) if index < len(blocks) - 1 else found
        return expression + (any_number if blocks and not blocks[-1] else "")

    def _at_once(self, expression: str) -> str:
        """An expression that is tried once from each place (an atomic group, which Python has since 3.11)."""
        name = f"_{next(self._numbers)}"
        return f"(?=(?P<{name}>{expression}))(?P={name})"
