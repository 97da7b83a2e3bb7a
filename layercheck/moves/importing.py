"""More imports for a file: beside those at its head, in their order, else below its docstring. Chooses none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from layercheck.edits import rewrite
from layercheck.edits.model import AddImport
from layercheck.edits.style import statement
from layercheck.extract import extract, outline
from layercheck.facts import ModuleFacts
from layercheck.moves.linework import newline_of, put_in
from layercheck.outline import Outline, Statement

_HEADER = ("docstring", "import", "pass", "exports", "constant")
"""What a module begins with, before it defines classes and functions."""


def with_imports(content: bytes, base: str, added: Sequence[AddImport], width: int, above: int = 0) -> bytes:
    """The file with more imports, above a line where one is given; where they have a position, it means nothing.

    ``base`` is the package against which relative imports resolve, ``width`` how many characters a line may have.
    Raises EditError where they cannot be written.
    """
    if not added:
        return content
    facts, now = extract(content), outline(content)
    place = beside(facts, now, above)
    if place is not None:
        return rewrite(content, facts, base, [replace(one, position=place) for one in added], width=width)[0]
    newline = newline_of(content)
    groups: dict[tuple[str, str], list[str]] = {}
    for one in added:
        groups.setdefault((one.written, "" if one.written else one.alias), []).append(one.alias)
    texts = [statement(written, found, "", width, newline.decode()) for (written, _), found in groups.items()]
    text = b"".join(text.encode() + newline for text in texts)
    line = end_of_docstring(now)
    below = next((one.kind for one in now.statements if one.start > line), "")
    return put_in(content, line, text, 1, 2 if below in ("class", "function") else 1)


def beside(facts: ModuleFacts, now: Outline, above: int) -> int | None:
    """The position of the last import that stands plainly, and alone on its lines, at the head of a file, above a line
    where one is given; None where there is none."""
    starts: set[int] = set()
    for one in head_of(now):
        if above and one.start >= above:
            break
        if one.kind == "import" and not one.block and one.alone:
            starts.add(one.start)
    found = [
        position
        for position, taken in enumerate(facts.imports)
        if taken.statement.line in starts and taken.module != "__future__" and "dynamic" not in taken.flags
    ]
    return found[-1] if found else None


def head_of(now: Outline) -> Iterator[Statement]:
    """The statements at the head of a file: imports, constants, and what stands in blocks among them."""
    return takewhile(lambda one: one.kind in _HEADER or one.block, now.statements)


def end_of_docstring(now: Outline) -> int:
    """The line behind which imports may stand: that of the docstring and of what is asked of ``__future__``."""
    line = 0
    for one in now.statements:
        if one.kind == "docstring" or (one.kind == "import" and set(one.names) <= now.futures):
            line = one.last
        else:
            break
    return line
