"""The check ``heavy-imports``: what a program loads while it starts, though it was to do without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from layercheck import graph, names
from layercheck.checks import (
    Check,
    Coverage,
    Fault,
    Options,
    absences,
    chain_problems,
    faults_of_names,
    link_problem,
)
from layercheck.facts import Kind
from layercheck.finding import Problem
from layercheck.project import Link, Project
from layercheck.project.imports import (
    imports_of,
    outside_imports_of,
    outside_names,
    run_by,
    running_successors,
    taken_name,
)
from layercheck.project.naming import absent, known_names, may_be_outside, union


class HeavyImportsOptions(Options, frozen=True, kw_only=True):
    """Where a run begins, and what it must not load by then. All names are absolute and may be patterns."""

    entry: str | tuple[str, ...]
    """The modules that are imported first; what lies below them is not meant."""
    avoid: tuple[str, ...]
    """What they must not load, with everything below it; names outside the project too."""

    def faults(self) -> Iterator[str]:
        if not self.entry:
            yield "`entry` is empty: name the module that is imported first"
        if not self.avoid:
            yield "`avoid` is empty: name what is not to be loaded"
        for text in self.entries:
            if self.entry and not names.is_name_or_pattern(text):
                yield f"`entry`: {text!r} is neither a name nor a pattern"
        yield from faults_of_names(self, "avoid")

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries, also where there is but one."""
        return (self.entry,) if isinstance(self.entry, str) else self.entry


_KINDS: tuple[Kind, ...] = ("import-time",)

_ADVICE = (
    "import it in the function that needs it, take the chain apart, or let the name be looked up late (`__getattr__`)"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Start:
    """The rule as it falls on the names of the project."""

    entries: tuple[str, ...]
    begun: frozenset[str]
    """The entries, and the packages above them: to import ``a.b`` runs ``a`` first."""
    inside: frozenset[str]
    outside: frozenset[str]
    faults: tuple[Fault, ...]

    def avoided(self, link: Link) -> str:
        """What a link loads that is to be avoided; empty for nothing."""
        if link.external:
            taken = taken_name(link)
            return taken if taken in self.outside else ""
        return next((name for name in run_by(link) if name in self.inside), "")

    def told(self, head: str, tail: str) -> str:
        """The sentence for what an entry loads by way of a module, which is itself or a package above it."""
        entry = next(name for name in self.entries if names.is_within(name, head))
        package = "" if entry == head else f", with its package {head},"
        return f"{entry}{package} loads {tail} when it is imported"


@lru_cache(maxsize=8)
def _start(project: Project, options: HeavyImportsOptions) -> _Start:
    known = known_names(project)
    entries = tuple(name for name in project.modules if any(names.matches(name, text) for text in options.entries))
    begun = frozenset(above for name in entries for above in names.lineage(name))
    inside = union(known, options.avoid)
    outside = frozenset(
        name for name in outside_names(project) if any(names.matches_within(name, text) for text in options.avoid)
    )
    key = "entry" if isinstance(options.entry, str) else ""
    faults = (
        *(Fault(key or fault.key, fault.message) for fault in absences("entry", options.entries, project.modules)),
        *(
            Fault(f"avoid[{index}]", absent(text, known))
            for index, text in enumerate(options.avoid)
            if not may_be_outside(project, text) and not any(names.matches(name, text) for name in known)
        ),
        *(
            Fault(f"avoid[{index}]", f"{name} is an entry, or a package above one: it is loaded before anything else")
            for index, text in enumerate(options.avoid)
            for name in sorted(begun)
            if names.matches_within(name, text)
        ),
    )
    return _Start(entries, begun, inside, outside, faults)


def _ground(project: Project, start: _Start) -> graph.Ground:
    edges = dict(running_successors(project))
    for importer, links in outside_imports_of(project).items():
        avoided = {start.avoided(link) for link in links if link.kind in _KINDS} - {""}
        if avoided:
            edges[importer] = [*edges.get(importer, ()), *sorted(avoided)]
    place = {**dict.fromkeys(sorted(start.inside | start.outside), 1), **dict.fromkeys(sorted(start.begun), 0)}
    return graph.Ground(successors=edges, place=place, barred=[(0, 1)])


def _links(project: Project, start: _Start) -> Iterator[Link]:
    """The links by which the entries, and the packages above them, load something themselves."""
    for name in sorted(start.begun):
        for table in (imports_of(project), outside_imports_of(project)):
            yield from (link for link in table.get(name, ()) if link.kind in _KINDS)


def _find(project: Project, options: HeavyImportsOptions) -> Iterator[Problem]:
    start = _start(project, options)
    if start.faults:
        return
    for link in _links(project, start):
        loaded = start.avoided(link)
        if loaded:
            yield link_problem(link, start.told(link.importer, loaded), _ADVICE)
    for _, route in graph.chains(_ground(project, start)):
        yield from chain_problems(project, route, _KINDS, start.told, _ADVICE, implicit=True)


def _coverage(project: Project, options: HeavyImportsOptions) -> Coverage:
    start = _start(project, options)
    loaded = graph.reach(running_successors(project), sorted(start.begun)) if start.begun else set()
    modules = loaded & project.modules.keys()
    inside, outside = imports_of(project), outside_imports_of(project)
    links = (link for name in modules for table in (inside, outside) for link in table.get(name, ()))
    return Coverage(len(modules), sum(link.kind in _KINDS for link in links), start.faults)


def _counts(project: Project, options: HeavyImportsOptions) -> Callable[[Link], bool]:
    start = _start(project, options)
    on_chains = set() if start.faults else graph.chain_edges(_ground(project, start))

    def counts(link: Link) -> bool:
        if link.consumer or link.kind not in _KINDS:
            return False
        if link.importer in start.begun and start.avoided(link):
            return True
        loaded = (taken_name(link),) if link.external else run_by(link)
        return any((link.importer, name) in on_chains for name in loaded)

    return counts


CHECK = Check(
    summary="What an entry of the program loads when it is imported, though it is to do without",
    options=HeavyImportsOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
)
