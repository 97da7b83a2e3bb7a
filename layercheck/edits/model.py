"""What can be changed in a file, and a finding's mending made of such changes. Frozen data, no text."""

from __future__ import annotations

from dataclasses import dataclass

from layercheck.facts import Span
from layercheck.finding import Finding


@dataclass(frozen=True, slots=True)
class DropImport:
    """Take what one alias imports out of its statement, and the statement out where it was the last."""

    position: int
    """Among the file's imports."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """Take a name from another module than now, under the same name as now."""

    position: int
    home: str
    """The full name of the module."""
    written: str
    """The module as it is to be written, with dots where it is relative."""
    name: str
    """What the name is called there."""


@dataclass(frozen=True, slots=True)
class AddImport:
    """Import something more, beside an import that is there: in its place, where nothing of that stays."""

    position: int
    """Of the import beside which it goes, among the file's imports."""
    home: str
    """The full name of the module from which a name is taken; empty where a module itself is imported."""
    written: str
    """That module as it is to be written."""
    alias: str
    """What is taken, as it is to be written: ``X``, ``X as y``, ``a.b``."""
    bound: str
    """The name that this binds."""


@dataclass(frozen=True, slots=True)
class DropExport:
    """Take a name out of ``__all__``."""

    name: str


@dataclass(frozen=True, slots=True)
class AddExport:
    """Put a name into ``__all__``, behind its last one."""

    name: str


@dataclass(frozen=True, slots=True)
class DropBlock:
    """Take out an ``if`` under which nothing is left."""

    span: Span
    unsafe: bool = False
    """Whether its test may do something."""


@dataclass(frozen=True, slots=True)
class DropIgnore:
    """Take one code out of an in-line ignore, and the ignore where it was the last; no code means all of it."""

    index: int
    """Among the file's comments."""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Write something else in place of a part of a text literal that is there once."""

    span: Span
    """Of the literal."""
    old: str
    new: str
    only: tuple[str, int] | None = None
    """A name that the literal is bound to, and how often it may occur in the file at most: whoever reads it gets
    the new text."""


Change = DropImport | Redirect | AddImport | AddExport | DropExport | DropBlock | DropIgnore | Rewrite


@dataclass(frozen=True, slots=True)
class Fix:
    """What mends one finding: changes to the file in which it stands."""

    finding: Finding
    said: str
    """What it does, as a sentence without a full stop."""
    changes: tuple[Change, ...]

    @property
    def path(self) -> str:
        """The file that it changes."""
        return self.finding.problem.location.path


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a finding that a fixer knows is not mended, in words that go on from "not mended: "."""

    finding: Finding
    why: str
