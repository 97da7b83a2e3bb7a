"""The check ``dependent-siblings``: modules that are to stand beside each other, one of which reaches another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from layercheck import graph, names
from layercheck.checks import (
    Check,
    Coverage,
    Fault,
    LinkOptions,
    Relative,
    absences,
    absent_package,
    chain_problems,
    faults_of_names,
    link_problem,
)
from layercheck.finding import Problem
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of, successors
from layercheck.project.naming import fitting, known_names, owners, union


class DependentSiblingsOptions(LinkOptions, frozen=True, kw_only=True):
    """Who stands beside whom."""

    relative = Relative(("modules",))

    modules: tuple[str, ...]
    """Names or patterns relative to ``within``; each name that one is or fits is a sibling, with all below it."""
    through: tuple[str, ...] = ()
    """A common core, absolute: no sibling even where it fits ``modules``, and no chain through it counts."""
    reach: Literal["direct", "transitive"] = "transitive"

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if not self.modules:
            yield "`modules` is empty: name the siblings"
        if len(self.modules) == 1 and not names.is_pattern(self.modules[0]):
            yield "`modules` names a single module, which has no sibling: name two, or write a pattern"
        yield from faults_of_names(self, "modules", "through", "exempt")
        written = {text: f"modules[{index}]" for index, text in enumerate(self.modules) if not names.is_pattern(text)}
        for text, key in written.items():
            for above in names.ancestors(text):
                if above in written:
                    yield f"`{key}`: {text} lies inside {above} (`{written[above]}`), so it would be two siblings"


@dataclass(frozen=True, slots=True, eq=False)
class _Siblings:
    """The siblings as they fall on the names of the project."""

    tops: tuple[str, ...]
    place: dict[str, int]
    """Which of the siblings each name is in."""
    core: frozenset[str]
    exempt: frozenset[str]
    faults: tuple[Fault, ...]

    def forbids(self, link: Link) -> bool:
        """Whether a link by itself joins two siblings, whatever its kind."""
        importer, imported = self.place.get(link.importer), self.place.get(link.imported)
        return not (importer is None or imported is None or importer == imported or link.importer in self.exempt)


@lru_cache(maxsize=8)
def _siblings(project: Project, options: DependentSiblingsOptions) -> _Siblings:
    known = known_names(project)
    core = union(known, options.through)
    found = {name for text in options.modules for name in fitting(known, names.join(options.within, text))}
    tops = tuple(sorted(found - core))
    faults = absent_package(project, options.within) or (
        *absences("modules", options.modules, known, options.within),
        *absences("through", options.through, known),
        *absences("exempt", options.exempt, known),
        *(
            Fault("modules", f"{name} lies inside {above}, so it would be two siblings")
            for name in tops
            for above in names.ancestors(name)
            if above in found
        ),
    )
    if not faults and len(tops) < 2:
        faults = (Fault("modules", f"only {tops[0] if tops else 'the common core'} is left, which has no sibling"),)
    number = {name: index for index, name in enumerate(tops)}
    place = {name: number[top] for name, top in owners(known - core, tops).items()}
    return _Siblings(tops, place, core, union(known, options.exempt), faults)


def _ground(project: Project, options: DependentSiblingsOptions, siblings: _Siblings) -> graph.Ground:
    units = range(len(siblings.tops))
    return graph.Ground(
        successors=successors(project, options.chain_kinds),
        place=siblings.place,
        barred=[(one, other) for one in units for other in units if one != other],
        exempt=siblings.exempt,
        closed=siblings.core,
    )


def _links(project: Project, siblings: _Siblings) -> Iterator[Link]:
    """The links of the siblings' modules."""
    table = imports_of(project)
    for name in siblings.place:
        yield from table.get(name, ())


def _find(project: Project, options: DependentSiblingsOptions) -> Iterator[Problem]:
    siblings = _siblings(project, options)
    for link in _links(project, siblings):
        if link.kind in options.kinds and siblings.forbids(link) and not project.modules[link.importer].vendored:
            one, other = (siblings.tops[siblings.place[name]] for name in (link.importer, link.imported))
            yield link_problem(
                link, f"{link.importer} imports {link.imported}, its independent sibling", _help(options, one, other)
            )
    if options.reach == "transitive":
        for (importer, imported), route in graph.chains(_ground(project, options, siblings)):
            yield from chain_problems(
                project,
                route,
                options.chain_kinds,
                lambda head, tail: f"{head} reaches {tail}, its independent sibling",
                _help(options, siblings.tops[importer], siblings.tops[imported]),
            )


def _help(options: DependentSiblingsOptions, one: str, other: str) -> str:
    core = f"{options.through[0]}, which" if options.through else "a module that"
    return f"move what {one} and {other} share to {core} both may import, or let a caller above both pass it in"


def _coverage(project: Project, options: DependentSiblingsOptions) -> Coverage:
    siblings = _siblings(project, options)
    kinds = {*options.kinds, *(options.chain_kinds if options.reach == "transitive" else ())}
    modules = sum(name in project.modules for name in siblings.place)
    return Coverage(modules, sum(link.kind in kinds for link in _links(project, siblings)), siblings.faults)


def _counts(project: Project, options: DependentSiblingsOptions) -> Callable[[Link], bool]:
    siblings = _siblings(project, options)
    on_chains: set[graph.Edge] = set()
    if options.reach == "transitive":
        on_chains = graph.chain_edges(_ground(project, options, siblings))

    def counts(link: Link) -> bool:
        if link.external or link.consumer:
            return False
        if link.kind in options.chain_kinds and (link.importer, link.imported) in on_chains:
            return True
        return link.kind in options.kinds and siblings.forbids(link)

    return counts


CHECK = Check(
    summary="Modules that are to stand beside each other, one of which imports or reaches another",
    options=DependentSiblingsOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
)
