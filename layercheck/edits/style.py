"""How a file writes its imports: the length of its lines, the order of statements and of their names. Knows text only.

The orders are those of isort and of ruff: with them most files that keep any order agree.
"""

from __future__ import annotations

import itertools
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from layercheck import names

_LENGTHS = (79, 88, 100, 120)
"""The lengths of lines that formatters are told to keep, most often."""
_RARELY = 100
"""One line of so many may be longer."""

Order = Callable[[Any], tuple[Any, ...]]


class Spelling(NamedTuple):
    """What an import statement names."""

    level: int
    module: str
    """Without the dots of ``level``; the first one of several."""
    plain: bool
    """Whether it is ``import x`` and not ``from x import y``."""

    @property
    def kind(self) -> int:
        """In which section it stands, as they follow each other: what is asked of the compiler, the standard library,
        other modules, relative imports (PEP 8, "Imports")."""
        if self.level:
            return 3
        head = names.head(self.module)
        return 0 if head == "__future__" else 1 if head in sys.stdlib_module_names else 2

    def shared(self, other: Spelling) -> int:
        """How many parts of their names two modules share from the first on."""
        if bool(self.level) != bool(other.level):
            return 0
        pairs = zip(names.split(self.module), names.split(other.module), strict=False)
        found = 1 if self.level else 0
        for one, two in pairs:
            if one != two:
                break
            found += 1
        return found


def spelling_of(written: str, alias: str = "") -> Spelling:
    """What ``from written import ...`` names; what ``import alias`` does, where no module is written."""
    if not written:
        return Spelling(0, _name(alias), plain=True)
    module = written.lstrip(".")
    return Spelling(len(written) - len(module), module, plain=False)


def width_of(lines: Iterable[str]) -> int:
    """How many characters the lines of a file may have, by those that it has."""
    lengths = sorted(map(len, lines))
    longest = lengths[-1 - len(lengths) // _RARELY] if lengths else 0
    return next((length for length in _LENGTHS if longest <= length), longest)


# Statements


_STATEMENTS: tuple[Order, ...] = (
    lambda one: (one.kind != 0, one.level > 0, not one.plain, -one.level, one.module.lower()),
    lambda one: (one.kind != 0, one.level > 0, -one.level, one.module.lower()),
    lambda one: (one.kind != 0, one.level > 0, not one.plain, one.level, one.module.lower()),
    lambda one: (one.kind != 0, one.level > 0, one.level, one.module.lower()),
)
"""``import x`` before ``from x import y``, or both among each other; far packages first, or near ones."""


def orders_of(section: Sequence[Spelling]) -> list[Order]:
    """The orders that some statements which follow each other are in."""
    return [order for order in _STATEMENTS if _is_sorted([*map(order, section)])]


def order_of(one: Spelling) -> tuple[Any, ...]:
    """What tells how a statement is ordered among others where these do not tell."""
    return _STATEMENTS[0](one)


def place_in(section: Sequence[Spelling], new: Spelling) -> int | None:
    """Before which of some statements another one belongs; None where they are in no order."""
    for order in orders_of(section):
        return bisect_right([*map(order, section)], order(new))
    return None


# Names


def _name(alias: str) -> str:
    return alias.split(" as ", 1)[0]


def _by_kind(alias: str) -> tuple[Any, ...]:
    name = _name(alias)
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.lower(), name


_NAMES: tuple[Order, ...] = (
    _by_kind,
    lambda alias: (_name(alias).lower(), _name(alias)),
    lambda alias: (_name(alias),),
)
"""Constants, classes and the rest; or all among each other, capitals alike or apart."""


def places_of(aliases: Sequence[str], new: Sequence[str]) -> dict[int, list[str]]:
    """Before which of some names others belong; behind the last one where they are in no order."""
    for order in _NAMES:
        keys = [*map(order, aliases)]
        if _is_sorted(keys):
            found: dict[int, list[str]] = {}
            for alias in sorted(new, key=order):
                found.setdefault(bisect_right(keys, order(alias)), []).append(alias)
            return found
    return {len(aliases): [*new]}


def _is_sorted(keys: Sequence[tuple[Any, ...]]) -> bool:
    return all(one <= two for one, two in itertools.pairwise(keys))


# Text


def statement(written: str, aliases: Sequence[str], indent: str, width: int, newline: str) -> str:
    """A statement that takes names from a module, on several lines where it does not fit on one; one that imports
    modules where none is written from which they are taken."""
    if not written:
        return f"import {', '.join(aliases)}"
    ordered = sorted(aliases, key=_by_kind)
    line = f"from {written} import {', '.join(ordered)}"
    return line if len(indent) + len(line) <= width else f"from {written} import {in_lines(ordered, indent, newline)}"


def in_lines(aliases: Sequence[str], indent: str, newline: str) -> str:
    """Names in brackets, each on a line of its own."""
    step = "\t" if "\t" in indent else "    "
    return "".join([f"({newline}", *(f"{indent}{step}{alias},{newline}" for alias in aliases), f"{indent})"])
