"""A file as it was read, as text with places, and back to bytes. All that no edit names stays byte for byte."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from layercheck.extract.decode import encoding_of
from layercheck.facts import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


class Edit(NamedTuple):
    """A stretch of a text, by the index of its first character and of the one behind its last, and what replaces it."""

    start: int
    end: int
    text: str = ""


class EditError(Exception):
    """Edits that cannot be made; says why, in words that go on from "not mended: "."""


@dataclass(frozen=True)
class Source:
    """The bytes of a file and the text that Python reads in them, with its own line ends."""

    content: bytes
    text: str
    encoding: str
    head: int
    """How many bytes stand before the text: those of a byte order mark."""

    @cached_property
    def lines(self) -> list[int]:
        """The index at which each line begins."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def index(self, line: int, column: int) -> int:
        """The index of the character at a line and column, from 1."""
        return self.lines[line - 1] + column - 1

    def stretch(self, span: Span) -> tuple[int, int]:
        """The indices of a span's first character and of the one behind its last."""
        return self.index(span.line, span.column), self.index(span.end_line, span.end_column)

    def span(self, start: int, end: int) -> Span:
        """The span from a character to the one behind the last; the other way round as ``stretch``."""
        first, last = (bisect_right(self.lines, index) for index in (start, end))
        return Span(first, start - self.lines[first - 1] + 1, last, end - self.lines[last - 1] + 1)

    def line_start(self, index: int) -> int:
        """The index at which the line begins that holds the character at ``index``."""
        return self.lines[bisect_right(self.lines, index) - 1]

    def line_end(self, index: int) -> int:
        """The index at which the line ends, before its line end, that holds the character at ``index``."""
        match = _LINE_END.search(self.text, index)
        return match.start() if match else len(self.text)

    def next_line(self, index: int) -> int:
        """The index behind the line end of the line that holds the character at ``index``."""
        match = _LINE_END.search(self.text, index)
        return match.end() if match else len(self.text)

    def newline(self, index: int) -> str:
        """How the line that holds the character at ``index`` ends; as the first line does, where it is the last."""
        match = _LINE_END.search(self.text, index) or _LINE_END.search(self.text)
        return match.group() if match else "\n"


def read_source(content: bytes) -> Source:
    """The text of a file that can be parsed.

    Raises EditError where its text, written back, would not give the same bytes.
    """
    head, encoding = encoding_of(content)
    text = content[head:].decode(encoding)
    try:
        same = text.encode(encoding) == content[head:]
    except ValueError:
        same = False
    if not same:
        raise EditError(f"what is written in {encoding} cannot be told back byte for byte")
    return Source(content, text, encoding, head)


def _order(edit: Edit) -> tuple[int, int, bool]:
    """By place; at one place what goes on with a line comes before what begins another."""
    return edit.start, edit.end, edit.text[:1] in ("\r", "\n")


def apply(source: Source, edits: Iterable[Edit]) -> bytes:
    """The bytes of the file with these edits made.

    Raises EditError where two of them overlap, or the encoding has no bytes for what they write.
    """
    pieces: list[tuple[str, str | None]] = []
    done = 0
    for edit in sorted(dict.fromkeys(edits), key=_order):
        if edit.start < done:
            raise EditError("two changes to the same place")
        pieces += [(source.text[done : edit.start], None), (source.text[edit.start : edit.end], edit.text)]
        done = edit.end
    pieces.append((source.text[done:], None))
    try:
        before = [old.encode(source.encoding) for old, _ in pieces]
        after = [
            old if new is None else new.encode(source.encoding) for old, (_, new) in zip(before, pieces, strict=True)
        ]
    except UnicodeEncodeError as error:
        raise EditError(f"{source.encoding} has no {error.object[error.start]!r}") from None
    if b"".join(before) != source.content[source.head :]:
        raise EditError(f"what is written in {source.encoding} cannot be cut in pieces")
    return source.content[: source.head] + b"".join(after)
