"""The check ``forbidden-imports``: these may not import those, or only those, or only these."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from layercheck import graph, names
from layercheck.checks import Check, Coverage, Fault, LinkOptions, chain_problems, faults_of_names, link_problem
from layercheck.finding import Problem
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of, outside_imports_of, outside_names, shown, successors, taken_name
from layercheck.project.naming import (
    absent_absolute,
    is_inside,
    known_names,
    may_be_outside,
    meant,
    owners,
    union,
)


class ForbiddenImportsOptions(LinkOptions, frozen=True, kw_only=True):
    """Who may not import what. All names are absolute, may be patterns, and mostly stand for all below them too."""

    from_: tuple[str, ...] = ()
    """The importers."""
    to: tuple[str, ...] = ()
    """What they may not import; names outside the project too."""
    but: tuple[str, ...] = ()
    """What of ``to`` they may import all the same."""
    only_to: tuple[str, ...] = ()
    """In place of ``to``: all that they may import, beside each other."""
    only_from: tuple[str, ...] = ()
    """In place of ``from``: all that may import ``to``, beside itself."""
    external: bool = False
    """Whether ``only_to`` judges imports from outside the project too, the standard library apart."""
    exact: bool = False
    """Whether names of the project mean exactly that module in ``from`` and ``to``, not what is below it too."""
    own: bool = False
    """Whether what lies in one name of ``from`` may import what else lies in it, though ``to`` names it."""

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        yield from _faults_of_text(self)


def _faults_of_text(options: ForbiddenImportsOptions) -> Iterator[str]:
    """What is wrong with the rule whatever the code."""
    if options.within:
        yield "`within` has no meaning here: `from` and `to` are absolute names"
    if options.from_ and options.only_from:
        yield "`from` and `only_from` exclude each other: one says who may not, the other who alone may"
    if options.to and options.only_to:
        yield "`to` and `only_to` exclude each other: one says what may not be imported, the other what alone may"
    if options.only_from and options.only_to:
        yield "`only_from` goes with `to`, and `only_to` with `from`: write two rules"
    if not (options.from_ or options.only_from):
        yield "say who may not import: `from`, or `only_from` for all others"
    if not (options.to or options.only_to):
        yield "say what may not be imported: `to`, or `only_to` for all else"
    if options.but and not options.to:
        yield "`but` takes names out of `to`: with `only_to`, name them there"
    if options.external and not options.only_to:
        yield "`external` widens `only_to`: `to` may name what is outside the project by itself"
    if options.exact and (options.only_to or options.only_from):
        yield "`exact` is said of `from` and `to`: `only_to` and `only_from` always mean all below a name too"
    if options.own and not (options.from_ and options.to):
        yield "`own` is said of `from` and `to`: with `only_to` and `only_from` it holds anyway"
    yield from faults_of_names(options, "from_", "to", "but", "only_to", "only_from", "exempt")


class _Group(NamedTuple):
    """Names that the rule treats alike."""

    owner: str
    """The topmost name that fits ``to`` and holds them: what lies in it may import the rest of it. Empty for none."""
    importer: bool
    imported: bool
    source: str = ""
    """With ``own``, the topmost name that fits ``from`` and holds them."""

    def may_not_import(self, other: _Group) -> bool:
        if not (self.importer and other.imported) or (self.source and self.source == other.source):
            return False
        return self.owner != other.owner or not self.owner


_OUTSIDE = _Group("", importer=False, imported=True)
"""What is outside the project and forbidden."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """The rule as it falls on the names of the project."""

    groups: Mapping[str, _Group]
    """The group of each name that is an importer, or imported, in the sense of the rule."""
    outside: frozenset[str]
    """What modules take from outside the project and is forbidden."""
    spared: frozenset[str]
    """Names that may be imported whatever they import in turn: no chain through them counts."""
    exempt: frozenset[str]
    faults: tuple[Fault, ...]

    def forbids(self, link: Link) -> bool:
        """Whether a link by itself is what the rule forbids, whatever its kind."""
        importer = self.groups.get(link.importer)
        if importer is None or not importer.importer or link.consumer or link.importer in self.exempt:
            return False
        if link.external:
            return taken_name(link) in self.outside
        imported = self.groups.get(link.imported)
        return imported is not None and importer.may_not_import(imported)


@lru_cache(maxsize=8)
def _scope(project: Project, options: ForbiddenImportsOptions) -> _Scope:
    known = known_names(project)
    to, but = meant(known, options.to, options.exact), union(known, options.but)
    only_to, only_from = union(known, options.only_to), union(known, options.only_from)
    importers = known - only_from - to if options.only_from else meant(known, options.from_, options.exact)
    imported = known - only_to - importers if options.only_to else to - but
    owner = {name: name for name in to} if options.exact else owners(known, options.to)
    source = owners(known, options.from_) if options.own else {}
    groups = {
        name: _Group(owner.get(name, ""), name in importers, name in imported, source.get(name, ""))
        for name in sorted(importers | imported)
    }
    faults = tuple(_faults(project, options, known))
    if not faults and not _judges_outside(project, options):
        kinds = set(groups.values())
        if not any(one.may_not_import(other) for one in kinds for other in kinds):
            faults = (Fault("to" if options.to else "only_to", _nothing(options, kinds)),)
    outside: frozenset[str] = frozenset()
    if _judges_outside(project, options):
        outside = frozenset(name for name in outside_names(project) if _is_forbidden_outside(options, name))
    return _Scope(groups, outside, but | only_to | only_from, union(known, options.exempt), faults)


def _nothing(options: ForbiddenImportsOptions, kinds: Collection[_Group]) -> str:
    """The sentence for a rule that forbids nothing of what there is."""
    importers, allowing = ("`from`", "`to`") if options.from_ else ("outside `only_from`", "`to`")
    holders = {one.owner for one in kinds if one.importer}
    both = f" (both lie in {max(holders)})" if len(holders) == 1 and "" not in holders else ""
    if options.only_to:
        allowing = "outside `only_to`"
    return f"every import from {importers} to {allowing} is allowed{both}, so this rule can find nothing"


def _judges_outside(project: Project, options: ForbiddenImportsOptions) -> bool:
    return options.external or any(not is_inside(project, text) for text in options.to)


def _faults(project: Project, options: ForbiddenImportsOptions, known: frozenset[str]) -> Iterator[Fault]:
    told: set[str] = set()
    for key in ("from_", "to", "but", "only_to", "only_from", "exempt"):
        for index, text in enumerate(getattr(options, key)):
            if any(names.matches(name, text) for name in known):
                continue
            outside = key in ("to", "but") or (key == "only_to" and options.external)
            if outside and may_be_outside(project, text):
                # Nobody importing what is forbidden is how it should be: only a name of this project can be wrong.
                continue
            told.add(f"{key.rstrip('_')}[{index}]")
            yield Fault(f"{key.rstrip('_')}[{index}]", _absent(key, text, known))
    for index, text in enumerate(options.but):
        fitted = [name for name in known if names.matches(name, text)] or [text]
        within = any(names.matches_within(name, pattern) for name in fitted for pattern in options.to)
        if not within and f"but[{index}]" not in told:
            yield Fault(f"but[{index}]", f"{text} is not in `to`, so it is not forbidden anyway")


def _absent(key: str, text: str, known: frozenset[str]) -> str:
    hint = ""
    if key == "only_to" and not names.is_pattern(text) and not names.nearest(text, known):
        hint = " in this project; with `external = true` names from outside it count too"
    return absent_absolute(key.rstrip("_"), text, known) + hint


def _is_forbidden_outside(options: ForbiddenImportsOptions, taken: str) -> bool:
    if options.only_to:
        return (
            options.external
            and names.head(taken) not in sys.stdlib_module_names
            and not any(names.matches_within(taken, text) for text in options.only_to)
        )
    return any(names.matches_within(taken, text) for text in options.to) and not any(
        names.matches_within(taken, text) for text in options.but
    )


def _find(project: Project, options: ForbiddenImportsOptions) -> Iterator[Problem]:
    scope = _scope(project, options)
    for link in _links(project, scope):
        if link.kind in options.kinds and scope.forbids(link) and not project.modules[link.importer].vendored:
            advice = _help(project, options, taken_name(link))
            yield link_problem(link, f"{link.importer} imports {shown(link)}, {_why(options)}", advice)
    if options.reach == "transitive":
        yield from _transitive(project, options, scope)


def _links(project: Project, scope: _Scope) -> Iterator[Link]:
    """The links of the importers, those to what is outside the project included."""
    inside, outside = imports_of(project), outside_imports_of(project)
    for name, group in scope.groups.items():
        if group.importer:
            yield from inside.get(name, ())
            yield from outside.get(name, ())


def _why(options: ForbiddenImportsOptions) -> str:
    if options.only_from:
        return f"which only {_listed(options.only_from)} may import"
    if options.only_to:
        return f"but may import only {_listed(options.only_to)}"
    return "which it may not import"


def _listed(texts: tuple[str, ...]) -> str:
    shown = texts if len(texts) <= 3 else (*texts[:2], f"{len(texts) - 2} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _help(project: Project, options: ForbiddenImportsOptions, taken: str) -> str:
    """What to do instead of taking a name; only what is there and is allowed in its place is offered."""
    known = known_names(project)
    holders = [text for text in options.to if names.matches_within(taken, text)]
    faces = tuple(text for text in options.only_from if any(names.matches(name, text) for name in known))
    allowed = tuple(
        text
        for text in options.but
        if any(names.matches_within(text, holder) for holder in holders)
        and any(names.matches(name, text) for name in (*known, *outside_names(project)))
    )
    if faces:
        return f"use it through {_listed(faces)}"
    if allowed:
        return f"use {_listed(allowed)} instead, or let the caller pass in what is needed"
    return "let the caller pass in what is needed, or move it to where both may import it"


def _grounds(project: Project, options: ForbiddenImportsOptions, scope: _Scope) -> Iterator[graph.Ground]:
    """Where chains from ``from`` to ``to`` are looked for: once for each name of ``to`` that holds importers and
    others, since chains of its own importers run through those others as if they were free."""
    edges = dict(successors(project, options.chain_kinds))
    groups = dict(scope.groups)
    outward = outside_imports_of(project) if scope.outside else {}
    for importer, links in outward.items():
        taken = {taken_name(link) for link in links if link.kind in options.chain_kinds}
        forbidden = sorted(taken & scope.outside)
        if forbidden:
            edges[importer] = [*edges.get(importer, ()), *forbidden]
            groups.update(dict.fromkeys(forbidden, _OUTSIDE))
    number = {group: index for index, group in enumerate(sorted(set(groups.values())))}
    mixed = {one.owner for one in number if one.importer} & {one.owner for one in number if not one.importer} - {""}
    for owner in ("", *sorted(mixed)):
        sources = [one for one in number if (one.owner == owner if owner else one.owner not in mixed)]
        yield graph.Ground(
            successors=edges,
            place={
                name: number[group]
                for name, group in groups.items()
                if not owner or group.importer or group.owner != owner
            },
            barred=[(number[one], number[other]) for one in sources for other in number if one.may_not_import(other)],
            exempt=scope.exempt,
            closed=scope.spared,
        )


def _transitive(project: Project, options: ForbiddenImportsOptions, scope: _Scope) -> Iterator[Problem]:
    for ground in _grounds(project, options, scope):
        for _, route in graph.chains(ground):
            yield from chain_problems(
                project,
                route,
                options.chain_kinds,
                lambda head, tail: f"{head} reaches {tail}, {_why(options)}",
                _help(project, options, route.tails[0]),
            )


def _coverage(project: Project, options: ForbiddenImportsOptions) -> Coverage:
    scope = _scope(project, options)
    kinds = {*options.kinds, *(options.chain_kinds if options.reach == "transitive" else ())}
    modules = sum(group.importer and name in project.modules for name, group in scope.groups.items())
    return Coverage(modules, sum(link.kind in kinds for link in _links(project, scope)), scope.faults)


def _counts(project: Project, options: ForbiddenImportsOptions) -> Callable[[Link], bool]:
    scope = _scope(project, options)
    on_chains: set[graph.Edge] = set()
    if options.reach == "transitive":
        on_chains = {edge for ground in _grounds(project, options, scope) for edge in graph.chain_edges(ground)}

    def counts(link: Link) -> bool:
        imported = taken_name(link) if link.external else link.imported
        if not link.consumer and link.kind in options.chain_kinds and (link.importer, imported) in on_chains:
            return True
        return link.kind in options.kinds and scope.forbids(link)

    return counts


CHECK = Check(
    summary="Imports of what certain modules may not import, or may not reach",
    options=ForbiddenImportsOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
)
