"""A file without what moved, as a row of elements, and how two such rows differ. Explains nothing.

Import statements are one element each, comments and lines of statements are one for each line. Blank lines between
statements are none, and the headers of blocks that hold only imports are part of the imports.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from layercheck.facts import Import
from layercheck.moves.side import Side
from layercheck.outline import Outline, Statement

_HEADER = re.compile(r"\s*(?:async\s+)?def\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Element:
    """A line, or the lines of one import."""

    kind: Literal["line", "blank", "comment", "import", "stand-in"]
    line: int
    last: int
    text: str
    imports: tuple[Import, ...] = ()
    statement: Statement | None = None
    """The statement of the top level that it is, or is part of."""


@dataclass(frozen=True, slots=True)
class Region:
    """Elements that differ between two rows."""

    removed: tuple[Element, ...]
    added: tuple[Element, ...]


def text_lines(side: Side, path: str) -> tuple[str, ...]:
    """The lines of a file, whether it can be parsed or not."""
    found = side.outline(path)
    if not found.failure:
        return found.lines
    lines = side.contents.get(path, b"").decode("utf-8", "replace").splitlines()
    return tuple(lines)


def elements(side: Side, path: str, cut: Collection[int]) -> list[Element]:
    """The elements of a file; none for the lines of ``cut``."""
    member = side.by_path.get(path)
    outline = side.outline(path)
    lines = text_lines(side, path)
    owner = _owners(outline)
    imports = _imports(member.facts.imports if member is not None else (), lines)
    hidden = {line for block in outline.blocks if block.imports for line in range(block.first, block.last + 1)}
    found: list[Element] = []
    number = 1
    while number <= len(lines):
        text, statement = lines[number - 1], owner.get(number)
        last = number
        if number in imports and number not in cut:
            last, taken = imports[number]
            whole = "\n".join(lines[number - 1 : last])
            found.append(Element("import", number, last, whole, taken, statement))
        elif number not in cut:
            stripped = text.strip()
            if number in hidden:
                if statement is not None and statement.kind == "constant":
                    found.append(Element("stand-in", number, number, text, (), statement))
                elif "#" in text:
                    found.append(Element("comment", number, number, text[text.index("#") :]))
            elif stripped.startswith("#") and statement is None:
                found.append(Element("comment", number, number, text))
            elif stripped:
                found.append(Element("line", number, number, text, (), statement))
            elif statement is not None:
                found.append(Element("blank", number, number, text, (), statement))
        number = last + 1
    return found


def _owners(outline: Outline) -> dict[int, Statement]:
    """The statement of the top level that each line is part of; the comment above one is not."""
    return {line: one for one in outline.statements for line in range(one.start, one.last + 1)}


def _imports(imports: Sequence[Import], lines: Sequence[str]) -> dict[int, tuple[int, tuple[Import, ...]]]:
    """The import statements that have their lines for themselves: last line and imports, by first line."""
    groups: dict[tuple[int, int, int, int], list[Import]] = {}
    for taken in imports:
        if "dynamic" not in taken.flags:
            span = taken.statement
            groups.setdefault((span.line, span.column, span.end_line, span.end_column), []).append(taken)
    found: dict[int, tuple[int, tuple[Import, ...]]] = {}
    for (line, column, end_line, end_column), group in groups.items():
        before, behind = lines[line - 1][: column - 1], lines[end_line - 1][end_column - 1 :]
        if not before.strip() and behind.strip()[:1] in ("", "#"):
            found[line] = end_line, tuple(group)
    return found


def _kept_apart(row: Sequence[Element]) -> Iterator[tuple[str, str, str]]:
    """What makes elements the same. Functions often import the same, and one import must not be taken for that of
    another function: so those count with the name of the function above them."""
    header = ""
    for one in row:
        match = _HEADER.match(one.text) if one.kind == "line" else None
        header = match[1] if match else header
        yield one.kind, one.text, header if one.kind == "import" and one.text[:1].isspace() else ""


def differences(old: Sequence[Element], new: Sequence[Element], *, exact: bool) -> Iterator[Region]:
    """Where two rows differ. ``exact``: the smallest differences, whatever it costs."""
    first, second = [*_kept_apart(old)], [*_kept_apart(new)]
    low = 0
    while low < min(len(first), len(second)) and first[low] == second[low]:
        low += 1
    high = 0
    while high < min(len(first), len(second)) - low and first[-1 - high] == second[-1 - high]:
        high += 1
    matcher = difflib.SequenceMatcher(
        None, first[low : len(first) - high], second[low : len(second) - high], autojunk=not exact
    )
    for how, start, end, other_start, other_end in matcher.get_opcodes():
        if how != "equal":
            yield Region(tuple(old[low + start : low + end]), tuple(new[low + other_start : low + other_end]))
