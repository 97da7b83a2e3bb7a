"""The nouns of a rules file: rules, their ignores, and the settings of the project. Frozen data, no reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeAlias

from layercheck.checks import Options
from layercheck.finding import Severity
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
class Config:
    """All that a rules file says, or the defaults where there is none."""

    path: str
    """The rules file, POSIX, relative to the root of the run; empty where there is none."""
    project: ProjectSettings
    rules: tuple[Rule, ...]
    """Declared rules in the order of the file, then the checks that run undeclared, by name."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key of ``[project]``, by key path: ``roots[0]``."""
