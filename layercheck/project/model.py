"""The nouns of a project: members, links, targets and uses. Frozen data, no resolution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from layercheck import names
from layercheck.facts import Binding, Flag, Import, Kind, ModuleFacts, Span


@dataclass(frozen=True, eq=False)
class Member:
    """A file of the project with its facts. Compared by identity."""

    id: str
    """What people call it: a module's name, a consumer's path."""
    name: str
    """The dotted name under which it is resolved: the module's; for a consumer the dotted path with a leading
    slash (``/tests.unit.test_a``), which no module's name can be."""
    path: str
    facts: ModuleFacts
    package: bool
    """Whether it is an ``__init__.py``."""
    consumer: bool
    """Whether it uses the project but cannot be imported from it."""
    test: bool
    vendored: bool
    """Resolved, never judged."""
    generated: bool
    """Its names are whatever a generator will write: open."""

    @cached_property
    def base(self) -> str:
        """The package against which its relative imports resolve (language reference, ``__package__``)."""
        return self.name if self.package else names.parent(self.name)

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """What its top level binds itself, by name, in the order of the text."""
        table: dict[str, list[Binding]] = {}
        for binding in self.facts.bindings:
            table.setdefault(binding.name, []).append(binding)
        return table

    @cached_property
    def definitions(self) -> list[Binding]:
        """The classes and functions that its top level defines, each once, in the order of the text."""
        found: dict[str, Binding] = {}
        for binding in self.facts.bindings:
            if binding.kind in ("class", "function"):
                found.setdefault(binding.name, binding)
        return [*found.values()]

    @cached_property
    def bound_imports(self) -> dict[tuple[int, str], list[int]]:
        """By scope and bound name, the positions of the imports that bind it there; module level is scope 0."""
        table: dict[tuple[int, str], list[int]] = {}
        for position, taken in enumerate(self.facts.imports):
            if taken.bound:
                table.setdefault((taken.scope, taken.bound), []).append(position)
        return table

    @cached_property
    def stars(self) -> list[tuple[int, Import]]:
        """Its module-level star imports, with their positions."""
        return [
            (position, taken)
            for position, taken in enumerate(self.facts.imports)
            if taken.name == "*" and taken.place == "module"
        ]


@dataclass(frozen=True, slots=True)
class Link:
    """One resolved import site."""

    importer: str
    """A module's name; a consumer's path."""
    imported: str
    """The module that the import goes to; for an external one its full dotted name; for a consumer its path."""
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


Outcome = Literal["module", "name", "external", "missing-module", "missing-name", "beyond-top", "unknown"]


@dataclass(frozen=True, slots=True)
class Target:
    """What an import comes to.

    - ``module``: the module or package ``module``.
    - ``name``: ``module`` is there and binds ``name`` (by an import perhaps).
    - ``external``: not of this project; ``module`` is its full dotted name, ``name`` what is taken from it.
    - ``missing-module``: ``module`` is not there; ``name`` is the nearest package above it that is.
    - ``missing-name``: ``module`` is there and binds no ``name``; with ``typing_only`` it binds it under a guard
      that is false at run time.
    - ``beyond-top``: a relative import that climbs past the top.
    - ``unknown``: ``module`` is there, but open: nothing can be said of ``name``.
    """

    outcome: Outcome
    module: str = ""
    name: str = ""
    typing_only: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a name comes from in the end: ``module`` defines it as ``name``, or it is the module ``module`` itself.

    ``loop``: its only binding is an import that leads back to itself. ``missing``: the way there ends at a name that is
    not bound. ``unknown``: it ends in an open or unread module.
    """

    kind: Literal["defined", "module", "external", "loop", "missing", "unknown"]
    module: str
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
