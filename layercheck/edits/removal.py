"""Whole statements taken out of their blocks, so that what is left is what it was. Knows lines and semicolons."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from layercheck.edits.source import Edit, Source
from layercheck.extract.nesting import Nested

Start = tuple[int, int]
"""The line and column at which a statement begins, which no other shares."""

_TAIL = re.compile(r"[ \t]*;?[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
"""What may stand behind the last statement of a line."""


def start_of(statement: Nested) -> Start:
    """Where a statement begins."""
    return statement.span.line, statement.span.column


@dataclass(frozen=True)
class Blocks:
    """Where each statement of a file stands among its neighbours."""

    top: tuple[Nested, ...]

    def around(self, start: Start) -> tuple[Nested, ...]:
        """The block that holds the statement that begins here; empty where none does."""
        stack = [self.top]
        while stack:
            block = stack.pop()
            for statement in block:
                if start_of(statement) == start:
                    return block
                span = statement.span
                if (span.line, span.column) < start < (span.end_line, span.end_column):
                    stack.extend(statement.blocks)
        return ()


def removed(source: Source, top: tuple[Nested, ...], gone: Collection[Start]) -> Iterator[Edit]:
    """The edits that take these statements out. A block that would be left empty gets ``pass``; an ``if`` whose test
    only looks, outside functions, goes with the last statement under it."""
    joined: list[Edit] = []
    for edit in sorted(_in_block(source, top, gone, inner=False)):
        if joined and joined[-1].end == edit.start and not (joined[-1].text or edit.text):
            joined[-1] = Edit(joined[-1].start, edit.end)
        else:
            joined.append(edit)
    return (_with_blank_line(source, edit) for edit in joined)


def _with_blank_line(source: Source, edit: Edit) -> Edit:
    """Whole lines that go, with the blank line behind them where one stands before them too, or a header of a block."""
    start, end = edit.start, edit.end
    whole = not edit.text and source.line_start(start) == start and source.line_start(end) == end
    if not whole or end >= len(source.text) or source.text[end : source.line_end(end)].strip(" \t"):
        return edit
    before = source.text[source.line_start(start - 1) : start] if start else ""
    stays = before.strip() and not before.rstrip().endswith(":")
    return edit if stays else Edit(start, source.next_line(end))


def _goes(statement: Nested, gone: Collection[Start]) -> bool:
    if start_of(statement) in gone:
        return True
    if not statement.looks:
        return False
    (body,) = statement.blocks
    return any(_goes(part, gone) for part in body) and all(part.kind == "pass" or _goes(part, gone) for part in body)


def _in_block(source: Source, block: Sequence[Nested], gone: Collection[Start], *, inner: bool) -> Iterator[Edit]:
    going = [_goes(statement, gone) for statement in block]
    emptied = inner and all(going)
    for line in _lines(block):
        whole = all(going[index] for index in line)
        if whole and emptied and line.start == 0:
            first, last = source.stretch(block[0].span)[0], source.stretch(block[line[-1]].span)[1]
            tail = _TAIL.match(source.text, last)
            yield Edit(first, tail.end() if tail else last, "pass")
        elif whole:
            yield _whole_line(source, block[line[0]], block[line[-1]])
        else:
            yield from _from_line(source, [block[index] for index in line], [going[index] for index in line])
    for statement, goes in zip(block, going, strict=True):
        if not goes:
            for body in statement.blocks:
                yield from _in_block(source, body, gone, inner=True)


def _lines(block: Sequence[Nested]) -> Iterator[range]:
    """The indices of statements that share a line, line by line."""
    first = 0
    for index in range(1, len(block) + 1):
        if index == len(block) or block[index].span.line != block[index - 1].span.end_line:
            yield range(first, index)
            first = index


def _whole_line(source: Source, first: Nested, last: Nested) -> Edit:
    start, end = source.stretch(first.span)[0], source.stretch(last.span)[1]
    tail = _TAIL.match(source.text, end)
    line = source.line_start(start)
    before = source.text[line:start]
    stop = tail.end() if tail else end
    if before.strip(" \t") or not tail:
        return Edit(start, stop)  # a form feed stays
    end = source.next_line(stop)
    return Edit(line, _behind_comments(source, len(before), end) if last.blocks else end)


def _behind_comments(source: Source, indent: int, end: int) -> int:
    """Where the comments end that stand in the last block of a statement, behind all that is in it."""
    place = end
    while place < len(source.text):
        text = source.text[place : source.line_end(place)]
        stripped = text.lstrip(" \t")
        place = source.next_line(place)
        if stripped.startswith("#") and len(text) - len(stripped) > indent:
            end = place
        elif stripped:
            break
    return end


def _from_line(source: Source, statements: Sequence[Nested], going: Sequence[bool]) -> Iterator[Edit]:
    """Out of statements that share a line, when some of them stay."""
    stretches = [source.stretch(statement.span) for statement in statements]
    last_kept = max(index for index, goes in enumerate(going) if not goes)
    for index, goes in enumerate(going[:last_kept]):
        if goes:
            yield Edit(stretches[index][0], stretches[index + 1][0])
    if last_kept < len(stretches) - 1:
        yield Edit(stretches[last_kept][1], stretches[-1][1])
