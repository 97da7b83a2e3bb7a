"""Places in a text: from the byte offsets of syntax trees to lines and columns in characters."""

from __future__ import annotations

import ast
from bisect import bisect_right
from itertools import accumulate
from typing import Protocol

from layercheck.facts import Span

_LONG = 500
"""Characters: the parts in which a long line is looked at."""


class Placed(Protocol):
    """Anything with the place attributes of a syntax tree."""

    @property
    def lineno(self) -> int: ...
    @property
    def col_offset(self) -> int: ...
    @property
    def end_lineno(self) -> int | None: ...
    @property
    def end_col_offset(self) -> int | None: ...


class Text:
    """The text of one file, as far as places in it go."""

    __slots__ = ("_ascii", "_marks", "lines", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._ascii = source.isascii()
        self._marks: dict[int, list[int]] = {}
        self.lines = source.split("\n")

    @property
    def count(self) -> int:
        """The number of lines; a line feed at the end begins no further line."""
        return len(self.lines) - (not self.lines[-1])

    def column(self, line: int, offset: int) -> int:
        """The column, from 1, in characters, of a byte offset in a line's UTF-8."""
        if not self._ascii and line <= len(self.lines):
            text = self.lines[line - 1]
            if len(text) > _LONG:
                return self._far(line, offset)
            if not text.isascii():
                return _characters(text, offset) + 1
        return offset + 1

    def _far(self, line: int, offset: int) -> int:
        """As ``column``, in a long line of which many places may be asked for: only a part of it is looked at."""
        text = self.lines[line - 1]
        marks = self._marks.get(line)
        if marks is None:
            parts = (text[start : start + _LONG] for start in range(0, len(text), _LONG))
            sizes = (len(part.encode("utf-8", "surrogatepass")) for part in parts)
            marks = self._marks[line] = [0, *accumulate(sizes)]
        part = bisect_right(marks, offset) - 1
        start = part * _LONG
        return start + _characters(text[start : start + _LONG], offset - marks[part]) + 1

    def span(self, node: Placed) -> Span:
        """Where a node stands."""
        return self.between(node, node)

    def between(self, first: Placed, last: Placed) -> Span:
        """From the start of one node to the end of another."""
        line, end = first.lineno, last.end_lineno or last.lineno
        return Span(
            line, self.column(line, first.col_offset), end, self.column(end, last.end_col_offset or last.col_offset)
        )


def _characters(text: str, offset: int) -> int:
    """How many characters lie before a byte offset in a text's UTF-8."""
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))


def start(node: ast.stmt) -> Placed:
    """Where a statement begins: its first decorator, if it has any."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        return node.decorator_list[0]
    return node


def place(node: Placed) -> tuple[int, int]:
    """A key to sort by."""
    return node.lineno, node.col_offset
