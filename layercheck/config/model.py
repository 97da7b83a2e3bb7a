"""The nouns of a rules file: rules, their ignores, and the settings of the project. Frozen data, no reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, TypeAlias

from layercheck.checks import Options
from layercheck.finding import Location, Severity
from layercheck.layout import ProjectSettings

RuleSeverity: TypeAlias = Severity | Literal["off"]


@dataclass(frozen=True, slots=True)
class IgnoreEntry:
    """An import that one rule does not count, and why."""

    importer: str
    """A module's name, a consumer's path, or a pattern."""
    imported: str
    reason: str
    max: int | None
    """How many import sites it may match; None for any number."""
    until: date | None
    """The last day on which it holds; None for ever."""
    line: int
    optional: bool = False
    """Whether it need not match anything."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A check applied here."""

    name: str
    check: str
    options: Options
    severity: RuleSeverity
    reason: str = ""
    help: str = ""
    docs: str = ""
    ignore: tuple[IgnoreEntry, ...] = ()
    allow_empty: bool = False
    """Whether it may look at nothing."""
    declared: bool = True
    """Whether a rules file asks for it."""
    file: str = ""
    """The rules file that asks for it, POSIX, relative to the root of the run; empty where none does."""
    line: int = 1
    """Of its header."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each of its keys, by key path: ``order[2]``."""

    def line_of(self, key: str) -> int:
        """The line of a key, or of the nearest thing around it; of the rule's header where there is none."""
        while key and key not in self.lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        return self.lines.get(key, self.line)


@dataclass(frozen=True, slots=True)
class Fragment:
    """Where a rule of a fragment stands, and what it says: its names mean something once that package is known."""

    folder: str
    """POSIX, relative to the root of the run; empty for the root itself."""
    table: Mapping[str, Any]
    """The rule as written."""


@dataclass(frozen=True, slots=True)
class Config:
    """All that the rules files say, or the defaults where there are none."""

    path: str
    """The rules file, POSIX, relative to the root of the run; empty where there is none."""
    project: ProjectSettings
    rules: tuple[Rule, ...]
    """What ``[checks]`` names, declared rules in the order of the text, then the checks that run undeclared, by name.
    What a file extends comes before it, fragments come behind it."""
    places: Mapping[str, Location] = field(default_factory=dict)
    """Where each key of ``[project]`` stands, by key path: ``roots[0]``."""
    globs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The key path of each path of ``[project]``, by its key and how it reads from the root of the run."""
    outside: tuple[tuple[str, str], ...] = ()
    """The paths of ``[project]`` that lead out of the root of the run, by key path: ``exclude[0]``."""
    files: tuple[str, ...] = ()
    """Every file that was read, in the order in which they were met."""
    fragments: Mapping[str, Fragment] = field(default_factory=dict)
    """The rules whose names have yet to be seen from their fragment's package, by the rule's name."""
    homeless: Mapping[str, int] = field(default_factory=dict)
    """The fragments that lie in no package of the project, and the line of the first rule in each."""

    @property
    def is_partial(self) -> bool:
        """Whether the run looks only at a part of what the rules file is for."""
        return self.path.startswith("../")

    @property
    def is_above(self) -> bool:
        """Whether the rules file lies in a folder above the root of the run."""
        return self.is_partial and {*self.path.split("/")[:-1]} == {".."}
