"""The check ``unreached-modules``: modules that nothing imports, directly or by chain, from where runs begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from layercheck import names
from layercheck.checks import Check, Coverage, Fault, Options, absences, absent_package, faults_of_names
from layercheck.facts import KINDS, Kind
from layercheck.finding import Location, Problem
from layercheck.graph import Successors, reach, successors_of
from layercheck.project import Member, Project
from layercheck.project.imports import run_by
from layercheck.project.naming import topmost

_ANYTHING = ""
"""What leads on to every module: no module has this name."""


class UnreachedModulesOptions(Options, frozen=True, kw_only=True):
    """Where runs begin, beside what the project itself says, and what counts as reached."""

    entry: tuple[str, ...] = ()
    """Names or patterns, absolute: modules from which something begins that no text shows."""
    within: str = ""
    """The package whose modules are judged."""
    kinds: tuple[Kind, ...] = KINDS
    """Which imports lead on."""
    reached_by_tests: bool = True
    """Whether modules that only tests reach are reported."""

    def faults(self) -> Iterator[str]:
        if not self.kinds:
            yield '`kinds` is empty: name at least one, such as "import-time"'
        yield from faults_of_names(self, "entry")


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """What is reached from where."""

    reached: frozenset[str]
    """What modules and consumers, tests apart, reach from which something begins."""
    tested: frozenset[str]
    """What tests reach."""


@lru_cache(maxsize=8)
def _reach(project: Project, options: UnreachedModulesOptions) -> _Reach:
    edges = _edges(project, options.kinds)
    entries = {name for name, member in project.modules.items() if _begins(project, options, member)}
    entries |= {member.id for member in project.members if member.consumer and not member.test}
    for entry in project.layout.entry_points:
        module, _ = project.index.split(entry.target)
        entries |= {module} & project.modules.keys()
    return _Reach(frozenset(reach(edges, _run(entries))), _tested(project, options.kinds))


@lru_cache(maxsize=2)
def _tested(project: Project, kinds: tuple[Kind, ...]) -> frozenset[str]:
    return frozenset(reach(_edges(project, kinds), _run({member.id for member in project.members if member.test})))


def _begins(project: Project, options: UnreachedModulesOptions, member: Member) -> bool:
    """Whether a run may begin at a module by its own name: ``__main__``, ``api``, or an entry of the rule."""
    if member.test:
        return False
    if names.tail(member.id) == "__main__" or (project.api is not None and project.is_api(member.id)):
        return True
    return any(names.matches(member.id, text) for text in options.entry)


def _run(starts: set[str]) -> list[str]:
    """Modules, and the packages above them, which run first."""
    return sorted({above for name in starts for above in (name, *names.ancestors(name))})


@lru_cache(maxsize=2)
def _edges(project: Project, kinds: tuple[Kind, ...]) -> Successors:
    """What leads on from each module or consumer: imports, strings that name a module, what patchers import to
    patch in it, and packages that may load whatever lies in them. A file that cannot be read may import anything, but a
    test that cannot be is most often the input of another one."""
    edges = {(link.importer, name) for link in project.links if link.kind in kinds for name in run_by(link)}
    children = _children(project)
    for member in project.members:
        for string in member.facts.strings:
            module, _ = project.index.split(string.text)
            edges.update((member.id, name) for name in names.lineage(module) if module)
        for patch in member.facts.patches:
            for module, attributes in project.resolver.patched(member, patch) if patch.kind != "module" else ():
                ways = (module, *(holder for holder, _ in project.resolver.walk(module, attributes)))
                edges.update((member.id, name) for way in ways for name in names.lineage(way))
        if member.facts.open_submodules:
            edges.update((member.id, child) for child in children.get(member.id, ()))
        if member.facts.failure and not member.test:
            edges.add((member.id, _ANYTHING))
    edges.update((_ANYTHING, name) for name in project.modules)
    return successors_of(edges)


def _children(project: Project) -> Mapping[str, Sequence[str]]:
    """By package, all modules below it."""
    children: dict[str, list[str]] = {}
    for name in project.modules:
        for package in names.ancestors(name):
            children.setdefault(package, []).append(name)
    return children


def _judged(project: Project, options: UnreachedModulesOptions) -> list[str]:
    """The modules within that are to be reached: none that is a test, vendored or generated."""
    return [
        name
        for name, member in project.modules.items()
        if names.is_within(name, options.within) and not (member.test or member.vendored or member.generated)
    ]


def _find(project: Project, options: UnreachedModulesOptions) -> Iterator[Problem]:
    found = _reach(project, options)
    if found.reached.isdisjoint(project.modules):
        return  # a fault of the rule
    judged = _judged(project, options)
    alive = {above for name in found.reached | found.tested for above in names.lineage(name)}
    lost: dict[str, list[str]] = {}
    for name in judged:
        if name in found.reached:
            continue
        if name in found.tested:
            if options.reached_by_tests:
                yield _problem(project, name, f"only tests reach {name}", "remove it with its tests, or use it")
        else:
            lost.setdefault(topmost(name, "", alive), []).append(name)
    for top, modules in lost.items():
        many = f", nor any of the {len(modules)} modules of it" if len(modules) > 1 else ""
        yield _problem(
            project, modules[0], f"nothing reaches {top}{many}", "remove it, or name what begins there in `entry`", top
        )


def _problem(project: Project, module: str, message: str, advice: str, top: str = "") -> Problem:
    return Problem(
        message=message, help=advice, location=Location(project.modules[module].path), importer=top or module
    )


def _coverage(project: Project, options: UnreachedModulesOptions) -> Coverage:
    found = _reach(project, options)
    faults = absent_package(project, options.within) or tuple(absences("entry", options.entry, project.modules))
    if not faults and found.reached.isdisjoint(project.modules):
        faults = (Fault("", "nothing says where a run begins: name it in `entry`, or set [project] api"),)
    judged = _judged(project, options)
    imports = sum(link.kind in options.kinds for link in project.links)
    return Coverage(len(judged), imports, faults)


CHECK = Check(
    summary="Modules that nothing reaches from where runs begin, or that only tests reach",
    options=UnreachedModulesOptions,
    find=_find,
    coverage=_coverage,
)
