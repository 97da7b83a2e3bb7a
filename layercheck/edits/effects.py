"""What importing something does beside binding names, and what of it is lost when an import goes. Reads no files."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache

from layercheck import names
from layercheck.graph import reach, successors_of
from layercheck.project import Link, Project
from layercheck.project.classes import Class, classes_of
from layercheck.project.imports import taken_name

_ACTIVE = frozenset({"antigravity", "readline", "rlcompleter", "site", "sitecustomize", "this", "usercustomize"})
"""Modules of the standard library that are imported for what they do."""
_LATER = frozenset({"annotationlib", "compression", "profiling", "tomllib"})
"""Modules of the standard library that the oldest Python that runs this does not have."""

FirstEffect = Callable[[str], int]
"""Tells of the file at a path the line of the first statement that may do more than bind names; 0 for none."""


def lost(project: Project, left: Project, link: Link, instead: str, first_effect: FirstEffect) -> str:
    """Why it matters that an import is not there any more, but in its place one of the module ``instead`` (empty for
    none); empty where it does not. ``left`` is the project without all the imports that go.

    All that the import ran may be lost, but for what its importer still surely runs when it is imported itself.
    """
    if link.kind == "typing":
        return ""
    kept = _surely_run(left, link.importer) | (_surely_run(left, instead) if instead else frozenset())
    for module in sorted(_perhaps_run(project, link, kept)):
        why = _effect(project, module, first_effect) or _unbound(project, link.importer, module)
        if why:
            return why
    return ""


def _unbound(project: Project, importer: str, module: str) -> str:
    """Why outside code may miss a module below a package that no longer imports it: importing it binds it there."""
    member = project.modules.get(importer)
    below = member is not None and member.package and names.is_within(module, importer)
    if not below or not project.is_api(importer):
        return ""
    return f"{module} might not be there any more for who only imports {importer}"


def _perhaps_run(project: Project, link: Link, kept: frozenset[str]) -> set[str]:
    """What importing what a link takes may run, packages above it included, without what is kept and what that
    imports, be it under a condition: it still does."""
    start = {run for name in _named(project, link) for run in names.lineage(name)} - kept
    successors = _successors(project, certain=False)
    seen, queue = set(start), [*start]
    while queue:
        further = {run for run in successors.get(queue.pop(), ()) if run not in kept and run not in seen}
        seen |= further
        queue += further
    return seen


def _surely_run(project: Project, importer: str) -> frozenset[str]:
    """What importing a module, or running a consumer, surely runs."""
    start = {*names.lineage(importer)} if importer in project.modules else {importer}
    return frozenset(reach(_successors(project, certain=True), start) | start)


@lru_cache(maxsize=4)
def _successors(project: Project, *, certain: bool) -> dict[str, list[str]]:
    """What each file imports while it runs, packages above included; outside modules too."""
    return successors_of(
        (link.importer, run)
        for link in project.links
        if link.kind == "import-time" and not (certain and set(link.flags) & {"conditional", "optional"})
        for name in _named(project, link)
        for run in names.lineage(name)
    )


def _named(project: Project, link: Link) -> Iterator[str]:
    """The modules that a link names. Whether what is taken from an outside one is a module shows only elsewhere."""
    yield link.imported
    if link.external and link.name and taken_name(link) in _outside_modules(project):
        yield taken_name(link)


@lru_cache(maxsize=4)
def _outside_modules(project: Project) -> frozenset[str]:
    """The outside names that some import of the project uses as a module."""
    return frozenset(run for link in project.all_links if link.external for run in names.lineage(link.imported))


def _effect(project: Project, name: str, first_effect: FirstEffect) -> str:
    if project.index.exists(name):
        member = project.modules.get(name)
        if member is None:
            return (
                ""
                if name in project.index.namespaces
                else f"{name}, which was not read, might not be imported any more"
            )
        line = first_effect(member.path)
        if line:
            return f"{member.path}:{line} might not run any more"
        told = next(_told(project, name, first_effect), "")
        return f"what {name}.{told} derives from might not be told of it any more" if told else ""
    if _is_quiet(name):
        return ""
    return f"{name}, which is not of this project, might not be imported any more"


def _is_quiet(name: str) -> bool:
    """Whether an outside name is of the standard library, and not of a module that is imported for what it does."""
    return names.head(name) in sys.stdlib_module_names | _LATER and names.head(name) not in _ACTIVE


@lru_cache(maxsize=2)
def _classes(project: Project) -> dict[str, list[Class]]:
    """By module, its classes."""
    table: dict[str, list[Class]] = {}
    for one in classes_of(project):
        table.setdefault(one.member.id, []).append(one)
    return table


def _told(project: Project, module: str, first_effect: FirstEffect) -> Iterator[str]:
    """The classes of a module whose bases may be told of them (data model 3.3.3, ``__init_subclass__``)."""
    for one in _classes(project).get(module, ()):
        if not _tells_nobody(project, one, first_effect, frozenset()):
            yield one.binding.name


def _tells_nobody(project: Project, one: Class, first_effect: FirstEffect, seen: frozenset[str]) -> bool:
    """Whether all that a class derives from is quiet: builtin, of the standard library, or a class of a module that
    only defines things."""
    if one.full in seen:
        return True
    known = 0
    for base in one.bases:
        holder = project.modules.get(names.parent(base))
        if holder is None:
            known += _is_quiet(base)
            continue
        others = [other for other in _classes(project).get(holder.id, ()) if other.full == base]
        known += bool(others) and all(
            not first_effect(holder.path) and _tells_nobody(project, other, first_effect, seen | {one.full})
            for other in others
        )
    builtin = [name for name in one.binding.bases if hasattr(builtins, name) and name not in one.member.bindings]
    return known == len(one.bases) and known + len(builtin) >= len(one.binding.bases)
