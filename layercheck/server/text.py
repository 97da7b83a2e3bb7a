"""Bytes of files and texts in editors, and places in either. Knows nothing of findings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from lsprotocol import types

from layercheck.extract.decode import encoding_of
from layercheck.facts import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line both for Python and in the protocol (LSP 3.17, "Text Documents"); nothing else does."""


def text_of(content: bytes) -> str:
    """The text that an editor shows of a file, whatever is in it."""
    start, encoding = encoding_of(content)
    try:
        return content[start:].decode(encoding)
    except (LookupError, ValueError):
        return content[start:].decode("utf-8", "replace")


def content_of(text: str) -> bytes:
    """What an editor would write of a text: in the encoding that it declares, else in UTF-8."""
    content = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(encoding_of(content)[1])
    except (LookupError, ValueError):
        return content


@dataclass(frozen=True)
class Lines:
    """A text by its lines, in which places are told in the units that an editor counts."""

    text: str
    encoding: str = types.PositionEncodingKind.Utf16.value

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends; the last one has none, and may be empty."""
        ends = [0, *(match.end() for match in _LINE_END.finditer(self.text)), len(self.text)]
        return tuple(self.text[start:end] for start, end in pairwise(ends))

    def range(self, span: Span) -> types.Range:
        """The place of a span; what lies beyond a line's end, or the last line, is drawn back to it."""
        return types.Range(self._place(span.line, span.column), self._place(span.end_line, span.end_column))

    def whole_line(self, line: int) -> types.Range:
        """A line, from 1, from its first character that is no blank to its end."""
        text = self.lines[min(line, len(self.lines)) - 1]
        blank = len(text) - len(text.lstrip(" \t\f"))
        return self.range(Span(line, blank + 1, line, len(text) + 1))

    def change_to(self, text: str) -> types.TextEdit:
        """One edit of whole lines that makes another text of this one."""
        old, new = self.lines, Lines(text).lines
        first = 0
        while first < min(len(old), len(new)) and old[first] == new[first]:
            first += 1
        same = 0
        while same < min(len(old), len(new)) - first and old[-1 - same] == new[-1 - same]:
            same += 1
        stop = len(old) - same
        end = self._place(stop + 1, 1) if same else self._place(len(old), len(old[-1]) + 1)
        start = self._place(first + 1, 1) if first < len(old) else end
        return types.TextEdit(types.Range(start, end), "".join(new[first : len(new) - same]))

    def _place(self, line: int, column: int) -> types.Position:
        line = max(min(line, len(self.lines)), 1)
        before = self.lines[line - 1].rstrip("\r\n")[: max(column - 1, 0)]
        return types.Position(line - 1, self._units(before))

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding == types.PositionEncodingKind.Utf32:
            return len(text)
        if self.encoding == types.PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(one > "\uffff" for one in text)
