"""The check ``kinds-of-import``: what may be imported only in a certain way, imported in another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from layercheck import names
from layercheck.checks import Check, Coverage, Fault, Options, absences, faults_of_names, link_problem
from layercheck.facts import KINDS, Kind
from layercheck.finding import Problem
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of, outside_imports_of, shown, taken_name
from layercheck.project.naming import absent, known_names, may_be_outside, owners, union


class KindsOfImportOptions(Options, frozen=True, kw_only=True):
    """Who may import what only how. All names are absolute, may be patterns, and stand for all below them too."""

    from_: tuple[str, ...]
    """The importers."""
    to: tuple[str, ...]
    """What they import; names outside the project too."""
    only: tuple[Kind, ...]
    """The kinds that are allowed."""
    exempt: tuple[str, ...] = ()
    """Modules that may import it in any way."""

    def faults(self) -> Iterator[str]:
        for key in ("from_", "to", "only"):
            if not getattr(self, key):
                yield f"`{key.rstrip('_')}` is empty: {_WANTED[key]}"
        if set(self.only) == set(KINDS):
            yield "`only` names every kind, so nothing is forbidden"
        yield from faults_of_names(self, "from_", "to", "exempt")


_WANTED = {
    "from_": "name the importers",
    "to": "name what they may import only in a certain way",
    "only": 'name at least one kind, such as "deferred"; to forbid all, use forbidden-imports',
}

_HOW: dict[Kind, tuple[str, str]] = {
    "import-time": ("at import time", "move it to the top level of the module"),
    "deferred": ("in a function", "move it into the functions that need it"),
    "typing": ("for type checkers alone", "put it under `if TYPE_CHECKING:`"),
}
"""How each kind is called, and what to do to make an import one of it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """The rule as it falls on the names of the project."""

    importers: frozenset[str]
    exempt: frozenset[str]
    inside: Mapping[str, str]
    """For each name of the project that ``to`` means, the topmost that fits: what lies in that is free."""
    outside: tuple[str, ...]
    """The patterns that may stand for something outside the project."""
    faults: tuple[Fault, ...]

    def judges(self, link: Link) -> bool:
        """Whether a link goes from the importers to what is restricted, whatever its kind."""
        if link.consumer or link.importer not in self.importers or link.importer in self.exempt:
            return False
        if link.external:
            taken = taken_name(link)
            return any(names.matches_within(taken, text) for text in self.outside)
        owner = self.inside.get(link.imported)
        return owner is not None and owner != self.inside.get(link.importer)


@lru_cache(maxsize=8)
def _scope(project: Project, options: KindsOfImportOptions) -> _Scope:
    known = known_names(project)
    outside = tuple(text for text in options.to if may_be_outside(project, text))
    faults = (
        *absences("from", options.from_, known),
        *(
            Fault(f"to[{index}]", absent(text, known))
            for index, text in enumerate(options.to)
            if text not in outside and not any(names.matches(name, text) for name in known)
        ),
        *absences("exempt", options.exempt, known),
    )
    return _Scope(
        importers=union(known, options.from_),
        exempt=union(known, options.exempt),
        inside=owners(known, options.to),
        outside=outside,
        faults=faults,
    )


def _links(project: Project, scope: _Scope) -> Iterator[Link]:
    """The links of the importers, those to what is outside the project included."""
    inside, outside = imports_of(project), outside_imports_of(project)
    for name in sorted(scope.importers):
        yield from inside.get(name, ())
        yield from outside.get(name, ())


def _find(project: Project, options: KindsOfImportOptions) -> Iterator[Problem]:
    scope = _scope(project, options)
    allowed = " or ".join(_HOW[kind][0] for kind in options.only)
    advice = "; or ".join(_HOW[kind][1] for kind in options.only)
    for link in _links(project, scope):
        if link.kind not in options.only and scope.judges(link) and not project.modules[link.importer].vendored:
            how = _HOW[link.kind][0]
            yield link_problem(
                link, f"{link.importer} imports {shown(link)} {how}, but may import it only {allowed}", advice
            )


def _coverage(project: Project, options: KindsOfImportOptions) -> Coverage:
    scope = _scope(project, options)
    modules = sum(name in project.modules for name in scope.importers)
    return Coverage(modules, sum(scope.judges(link) for link in _links(project, scope)), scope.faults)


def _counts(project: Project, options: KindsOfImportOptions) -> Callable[[Link], bool]:
    scope = _scope(project, options)
    return lambda link: link.kind not in options.only and scope.judges(link)


CHECK = Check(
    summary="Imports of what may be imported only in a certain way: in functions, at import time, or for type checkers",
    options=KindsOfImportOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
)
