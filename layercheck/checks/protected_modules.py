"""The check ``protected-modules``: modules that only some may import, and that others import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from layercheck import names
from layercheck.checks import (
    Check,
    Coverage,
    DirectOptions,
    Fault,
    Relative,
    absences,
    absent_package,
    faults_of_names,
    link_problem,
)
from layercheck.finding import Problem
from layercheck.project import Link, Project
from layercheck.project.imports import importers_of
from layercheck.project.naming import known_names, meant, union


class ProtectedModulesOptions(DirectOptions, frozen=True, kw_only=True):
    """Who is protected, and from whom it is not."""

    relative = Relative(("modules",))

    modules: tuple[str, ...]
    """Names or patterns relative to ``within``; each name that one is or fits is protected, with all below it."""
    importers: tuple[str, ...]
    """Names or patterns, absolute: these, with all below them, may import what is protected."""
    exact: bool = False
    """Whether ``modules`` and ``importers`` mean exactly those modules, not what is below them too."""

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if not self.modules:
            yield "`modules` is empty: name what is protected"
        yield from faults_of_names(self, "modules", "importers", "exempt")


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The rule as it falls on the names of the project."""

    owner: dict[str, str]
    """The innermost protected name that each protected name is within: what lies in it may import the rest of it."""
    exact: bool
    allowed: frozenset[str]
    faults: tuple[Fault, ...]

    def forbids(self, link: Link) -> bool:
        """Whether a link is none that the rule allows, whatever its kind."""
        owner = self.owner.get(link.imported)
        if owner is None or link.importer in self.allowed:
            return False
        return link.importer != owner if self.exact else not names.is_within(link.importer, owner)


@lru_cache(maxsize=8)
def _ground(project: Project, options: ProtectedModulesOptions) -> _Ground:
    known = known_names(project)
    modules = [names.join(options.within, text) for text in options.modules]
    tops = meant(known, modules, exact=True)
    below = tops if options.exact else union(known, modules)
    owner = {name: next(above for above in names.lineage(name) if above in tops) for name in sorted(below)}
    faults = absent_package(project, options.within) or (
        *absences("modules", options.modules, known, options.within),
        *absences("importers", options.importers, known),
        *absences("exempt", options.exempt, known),
    )
    allowed = meant(known, options.importers, options.exact) | union(known, options.exempt)
    return _Ground(owner, options.exact, allowed, faults)


def _links(project: Project, ground: _Ground) -> Iterator[Link]:
    """The links to what is protected."""
    table = importers_of(project)
    for name in ground.owner:
        yield from table.get(name, ())


def _find(project: Project, options: ProtectedModulesOptions) -> Iterator[Problem]:
    ground = _ground(project, options)
    for link in _links(project, ground):
        if link.kind in options.kinds and ground.forbids(link) and not project.modules[link.importer].vendored:
            yield link_problem(
                link, f"{link.importer} imports {link.imported}, which {_allowed(options)} may import", _help(options)
            )


def _allowed(options: ProtectedModulesOptions) -> str:
    if not options.importers:
        return "nobody outside it"
    shown = options.importers[:2] if len(options.importers) > 3 else options.importers[:3]
    more = len(options.importers) - len(shown)
    return f"only {', '.join(shown)}{f' and {more} more' if more else ''}"


def _help(options: ProtectedModulesOptions) -> str:
    if not options.importers:
        return "do without it, or name the importer in `importers`"
    return f"use it through {options.importers[0]}, or name the importer in `importers`"


def _coverage(project: Project, options: ProtectedModulesOptions) -> Coverage:
    ground = _ground(project, options)
    modules = sum(name in project.modules for name in ground.owner)
    return Coverage(modules, sum(link.kind in options.kinds for link in _links(project, ground)), ground.faults)


def _counts(project: Project, options: ProtectedModulesOptions) -> Callable[[Link], bool]:
    ground = _ground(project, options)
    return lambda link: not link.external and not link.consumer and link.kind in options.kinds and ground.forbids(link)


CHECK = Check(
    summary="Imports of protected modules by others than their named importers",
    options=ProtectedModulesOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
)
