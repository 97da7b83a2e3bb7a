"""What a check is, and the list of them: one file each, found by its name. No check imports another."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Literal

import msgspec

from layercheck.facts import KINDS, Kind, Span
from layercheck.finding import Location, Problem, Severity
from layercheck.project import Link, Member, Project


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=lambda n: n.rstrip("_")):
    """The keys of a check; each field is a TOML key. A field named after a Python keyword ends in ``_``."""


class LinkOptions(Options, frozen=True, kw_only=True):
    """The keys that checks of links and chains have in common (docs/rules.md)."""

    within: str = ""
    """The package to which ``order`` and other relative names are relative."""
    kinds: tuple[Kind, ...] = KINDS
    """Which direct links count."""
    reach: Literal["direct", "transitive"] = "direct"
    chain_kinds: tuple[Kind, ...] = ("import-time",)
    """Which links a chain of two or more may run through."""
    exempt: tuple[str, ...] = ()
    """Modules or patterns, absolute: they may, as the last module of their layer on the way out."""


class ConsumerOptions(Options, frozen=True, kw_only=True):
    """The keys of checks that judge consumers too, but perhaps less strictly."""

    consumers: Severity | Literal["off"] = "error"
    """How bad a problem is in a file that only uses the project."""

    def judges(self, member: Member) -> bool:
        """Whether a file is judged at all."""
        return not member.vendored and not (member.consumer and self.consumers == "off")

    def cap(self, member: Member) -> Severity | None:
        """The highest severity that a problem in this file may have."""
        return "warning" if member.consumer and self.consumers == "warning" else None


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a rule only against this code: a module that is not there, a pattern without a match."""

    key: str
    """The key path in the rule: ``order[2]``."""
    message: str


class Coverage(msgspec.Struct, frozen=True):
    """What a rule looks at, so that a green run can say so; a rule that looks at nothing fails."""

    modules: int
    imports: int
    faults: tuple[Fault, ...] = ()
    noun: str = ""
    """Where it looks at neither modules nor imports: what it looks at, with its number (``3 rules``)."""


class Undeclared(msgspec.Struct, frozen=True):
    """How a check runs where no rules file declares it."""

    severity: Severity | Literal["off"]
    options: Options | None = None
    """None means the defaults."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of test. Its name is the name of its file, with hyphens."""

    summary: str
    """One line, without a full stop."""
    options: type[Options]
    find: Callable[[Project, Any], Iterator[Problem]]
    """Problems, in any order. ``project`` has lost the links that ignores took out."""
    coverage: Callable[[Project, Any], Coverage]
    counts: Callable[[Project, Any], Callable[[Link], bool]] | None = None
    """For checks of the graph: which links this rule counts, so that ignores can be matched and judged; an ignore
    then takes the link out before ``find``. None for checks whose problems are silenced instead."""
    undeclared: Undeclared | None = None
    """None for checks that only run when a rule asks for them."""
    declared: Severity = "error"
    """The severity once a rules file names it without one."""


@cache
def all_checks() -> dict[str, Check]:
    """Every check by name, sorted: the modules beside this one."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))
    return {name.replace("_", "-"): import_module(f"{__name__}.{name}").CHECK for name in names}


def everything(project: Project, options: Options) -> Coverage:
    """The coverage of a check that looks at every module and every import."""
    return Coverage(len(project.modules), len(project.links))


def at(path: str, span: Span) -> Location:
    """The location of a span in a file."""
    return Location(path, span.line, span.column, span.end_line, span.end_column)
