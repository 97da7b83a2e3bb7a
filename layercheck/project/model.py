"""The nouns of a project: modules, consumers, links, targets and uses. Frozen data, no resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from layercheck.facts import Flag, Kind, ModuleFacts, Span


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A file of the project with its facts. Compared by identity."""

    id: str
    """The module's name; for a consumer its path."""
    path: str
    facts: ModuleFacts
    module: str
    """Empty for a consumer."""
    package: bool
    """Whether it is an ``__init__.py``."""
    base: str
    """The package against which its relative imports resolve; for a consumer, of consumer names (see Layout)."""
    vendored: bool = False
    generated: bool = False

    @property
    def is_consumer(self) -> bool:
        return not self.module


@dataclass(frozen=True, slots=True)
class Link:
    """One resolved import site."""

    importer: str
    """A module's name; a consumer's path."""
    imported: str
    """The module that the import goes to; for an external one its full dotted name."""
    name: str
    """The name taken from it; empty where the module itself is taken; ``*`` for a star import."""
    path: str
    span: Span
    statement: Span
    kind: Kind
    flags: tuple[Flag, ...]
    external: bool
    consumer: bool
    """Whether the importer is a consumer."""
    index: int
    """The import among its file's ``imports``."""


Outcome = Literal["module", "name", "external", "missing-module", "missing-name", "loop", "beyond-top", "unknown"]


@dataclass(frozen=True, slots=True)
class Target:
    """What an import, or a name followed through imports, comes to.

    ``module``: the module ``module``. ``name``: the name ``name`` that ``module`` binds itself. ``external``: not of
    this project, ``module`` is its full dotted name. ``missing-module``: ``module`` is not there, ``name`` is the
    nearest package above it that is (empty for none). ``missing-name``: ``module`` is there and binds no ``name``.
    ``loop``: ``module``'s only binding of ``name`` is an import that leads back to itself. ``beyond-top``: a relative
    import that climbs past the top. ``unknown``: an open module or package, nothing can be said.
    """

    outcome: Outcome
    module: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """Somebody takes a name from a module."""

    user: str
    """A module's name; a consumer's path."""
    path: str
    line: int
    how: Literal["import", "attribute", "star", "patch", "string"]
    test: bool
    """Whether the user is a test."""
    kind: Kind = "import-time"
