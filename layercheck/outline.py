"""The outline of one Python file: its top level, statement by statement, as frozen data. No behaviour beyond look-ups.

Made for moves, which must know exactly which lines a definition is made of. Lines count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

StatementKind = Literal["class", "function", "constant", "import", "exports", "docstring", "pass", "other"]
DEFINING: tuple[StatementKind, ...] = ("class", "function", "constant")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the top level. Blocks (``if``, ``try``, ``with``) are taken apart: each of their statements is
    one, and says under which headers it stands."""

    kind: StatementKind
    names: tuple[str, ...]
    """What it defines or assigns; what an import binds."""
    first: int
    """The first line of the comment right above it, else ``start``."""
    start: int
    """The line of its first decorator, else its own."""
    last: int
    """Its last line; of a constant, that of the text right below it, which is its documentation."""
    guards: tuple[str, ...] = ()
    """The headers that it stands under, outermost first: ``if x``, ``else of if x``, ``try``, ``except E``."""
    block: int = 0
    """The first line of the outermost block that holds it; 0 where none does."""
    alone: bool = True
    """Whether no other statement shares a line with it."""
    literal: bool = False
    """Whether a constant is assigned something that is equal wherever it is evaluated and cannot change."""
    decorators: tuple[str, ...] = ()
    """The dotted names of its decorators, as written and without their arguments; empty where one is no name."""
    runs: tuple[str, ...] = ()
    """What else a definition calls while its module is imported, as dotted names: the decorators of what it holds, and
    functions; in the order of the text."""
    metaclass: str = ""
    """The dotted name of the metaclass that a class names."""


@dataclass(frozen=True, slots=True)
class Block:
    """An outermost ``if``, ``try`` or ``with`` of the top level."""

    first: int
    last: int
    imports: bool
    """Whether it holds only imports, ``pass``, and constants that stand in for what cannot be imported."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The top level of one file. One that cannot be parsed has a ``failure`` and nothing else."""

    failure: str = ""
    lines: tuple[str, ...] = ()
    """Decoded, without line ends."""
    statements: tuple[Statement, ...] = ()
    blocks: tuple[Block, ...] = ()
    simple: tuple[tuple[int, int], ...] = ()
    """First and last line of each simple statement and each header of a compound one, at any depth, in order."""
    futures: frozenset[str] = frozenset()
    """The features that it asks of ``__future__``."""
    annotated: tuple[tuple[str, int], ...] = ()
    """The names that are annotated without a value, in blocks too, with their lines: how a stub declares constants."""


@dataclass(frozen=True, slots=True)
class FreeName:
    """A name that a statement reads from its module, or from the builtins."""

    name: str
    chains: frozenset[str]
    """The attributes read from it, as dotted chains; the empty one where the object itself is used."""
    eager: bool
    """Whether it is read while the module is imported."""
    tested: bool = False
    """Whether it is only ever asked whether it is true."""


@dataclass(frozen=True, slots=True)
class TakenImport:
    """An import inside a statement."""

    module: str
    level: int
    name: str
    bound: str
    line: int


@dataclass(frozen=True, slots=True)
class Needs:
    """What a statement takes from around it."""

    names: tuple[FreeName, ...] = ()
    """Sorted by name. What the statement itself defines is among them where it reads it."""
    imports: tuple[TakenImport, ...] = ()
    unclear: tuple[str, ...] = ()
    """Why it cannot be said what it takes: ``global``, ``globals()``, ``eval`` ..."""
    annotated: bool = False
    """Whether it has annotations, whose time depends on ``from __future__ import annotations``."""
    reset: frozenset[str] = frozenset()
    """The dotted names of what it sets, or sets an item of, when it runs: ``os.environ`` of ``os.environ["x"] = 1``."""
    touched: frozenset[str] = frozenset()
    """The names whose objects it may change when it runs, whatever their scope: ``x.append(1)``, ``next(x)``,
    ``x[0] = 1``."""


class Token(NamedTuple):
    """A token of a file. Line ends that mean nothing are left out. There are millions: a tuple is made fastest."""

    kind: Literal["name", "string", "comment", "layout", "other"]
    """``layout``: the end of a logical line, or a step in or out."""
    text: str
    line: int
