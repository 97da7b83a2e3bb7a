"""Whole lines of a file taken out, gathered and put in, with the blank lines between them. Knows lines only; bytes in,
bytes out."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence

Stretch = tuple[int, int]
"""The first and the last of some lines, which count from 1."""

_SPACES = b" \t\r\n"
_APART = 2
"""How many blank lines part definitions from what stands around them (PEP 8, "Blank Lines")."""


def lines_of(content: bytes) -> list[bytes]:
    """The lines of a file, with their line ends; all but the last surely have one."""
    return content.splitlines(keepends=True)


def newline_of(content: bytes) -> bytes:
    """How the first line of a file ends; a line feed where it has none."""
    first = content.splitlines(keepends=True)[:1]
    end = first[0][len(first[0].rstrip(b"\r\n")) :] if first else b""
    return end or b"\n"


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Stretches in order, those that share a line as one."""
    found: list[Stretch] = []
    for first, last in sorted(stretches):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def without(content: bytes, gone: Iterable[Stretch]) -> bytes:
    """The file without some lines. Of the blank lines before and behind them the more stay."""
    lines = lines_of(content)
    for first, last in reversed(_joined(lines, merged(gone))):
        before, behind = _blank_above(lines, first), _blank_below(lines, last)
        at_end = last + behind == len(lines)
        start = first - before if at_end or first - before == 1 else first
        stop = last + (behind if at_end or first - before == 1 else min(before, behind))
        del lines[start - 1 : stop]
    left = b"".join(lines)
    return codecs.BOM_UTF8 + left if _has_mark(content) and not _has_mark(left) else left


def _joined(lines: Sequence[bytes], stretches: list[Stretch]) -> list[Stretch]:
    """Stretches between which nothing but blank lines stands, as one."""
    found: list[Stretch] = []
    for first, last in stretches:
        if found and first - _blank_above(lines, first) <= found[-1][1] + 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def gathered(content: bytes, kept: Iterable[Stretch], apart: Iterable[Stretch], newline: bytes) -> bytes:
    """Some lines of a file and no others, with as many blank lines between two as there were at one place, two at most.

    ``apart`` are those of them that are definitions, which blank lines part from everything.
    """
    lines = lines_of(content[len(codecs.BOM_UTF8) :] if _has_mark(content) else content)
    definitions = frozenset(apart)
    found: list[bytes] = []
    previous: Stretch | None = None
    for stretch in merged(kept):
        if previous is not None:
            blank = min(_most_blank(lines, previous[1], stretch[0]), _APART)
            is_apart = stretch in definitions or previous in definitions
            found.append(newline * (_APART if is_apart else blank))
        found += lines[stretch[0] - 1 : stretch[1]]
        if not found[-1].endswith((b"\n", b"\r")):
            found.append(newline)
        previous = stretch
    return b"".join(found)


def put_in(content: bytes, line: int, text: bytes, above: int, below: int) -> bytes:
    """The file with lines put in behind a line (0: at its head), and so many blank lines around them at least."""
    lines, newline = lines_of(content), newline_of(content)
    head, tail = b"".join(lines[:line]), b"".join(lines[line:])
    if is_blank(head):
        head, above = b"", 0
    elif not head.endswith((b"\n", b"\r")):
        head += newline
    there = _blank_below(lines, line)
    if is_blank(tail):
        tail, below, there = b"", 0, 0
    head_blank = _blank_above(lines, line + 1) if line else 0
    return head + newline * max(above - head_blank, 0) + text + newline * max(below - there, 0) + tail


def _most_blank(lines: Sequence[bytes], last: int, first: int) -> int:
    """How many blank lines stand together at most between two lines."""
    longest = count = 0
    for line in lines[last : first - 1]:
        count = count + 1 if is_blank(line) else 0
        longest = max(longest, count)
    return longest


def _has_mark(content: bytes) -> bool:
    """Whether a file begins with a byte order mark, which is no part of its first line."""
    return content.startswith(codecs.BOM_UTF8)


def is_blank(lines: bytes) -> bool:
    """Whether lines hold nothing. A form feed is something: it is never one of the blank lines that go or are made."""
    return not lines.strip(_SPACES)


def _blank_above(lines: Sequence[bytes], line: int) -> int:
    count = 0
    while line - count > 1 and is_blank(lines[line - count - 2]):
        count += 1
    return count


def _blank_below(lines: Sequence[bytes], line: int) -> int:
    count = 0
    while line + count < len(lines) and is_blank(lines[line + count]):
        count += 1
    return count
