"""From the bytes of a file to its syntax tree, on a stack that is deep enough. Knows nothing of what is read in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from layercheck.extract.decode import decode
from layercheck.extract.parse import Parsed, on_deep_enough_stack, parse
from layercheck.facts import ParseFailure

_T = TypeVar("_T")


def read(
    content: bytes, work: Callable[[str, Parsed], _T], failed: Callable[[ParseFailure], _T], *, too_deep: _T
) -> _T:
    """What ``work`` makes of a file's text and tree; what ``failed`` makes of the reason where it has none.

    ``too_deep`` is for a tree that no stack here is deep enough for. Raises nothing of its own, whatever the bytes.
    """

    def whole() -> _T:
        source = decode(content)
        if isinstance(source, ParseFailure):
            return failed(source)
        parsed = parse(source)
        return failed(parsed) if isinstance(parsed, ParseFailure) else work(source, parsed)

    return on_deep_enough_stack(whole, too_deep, len(content))
