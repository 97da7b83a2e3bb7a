"""What the names and patterns of a rule mean in a project, and what is said of those that mean nothing."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from layercheck import names
from layercheck.project.imports import outside_names
from layercheck.project.model import Member
from layercheck.project.project import Project


@lru_cache(maxsize=4)
def known_names(project: Project) -> frozenset[str]:
    """Every name of a module or package of the project, those that are there but were not read included."""
    beside = project.outside if project.layout.prefix else ()
    return frozenset({*project.modules, *project.packages, *project.index.unread, *beside})


def fitting(known: Iterable[str], pattern: str) -> list[str]:
    """The names that are the one written or fit the pattern written, sorted; none that lies below another."""
    found = {name for name in known if names.matches(name, pattern)}
    return sorted(name for name in found if found.isdisjoint(names.ancestors(name)))


def all_within(known: Collection[str], pattern: str) -> set[str]:
    """The names that fit a name or pattern, with everything below them. The packages above a name are known too."""
    if not names.is_pattern(pattern):
        return {name for name in known if names.is_within(name, pattern)}
    found = {name for name in known if names.matches(name, pattern)}
    return {name for name in known if not found.isdisjoint(names.lineage(name))}


def union(known: Collection[str], patterns: Iterable[str]) -> frozenset[str]:
    """The names that fit any of the patterns, with everything below them."""
    return frozenset(name for pattern in patterns for name in all_within(known, pattern))


def meant(known: Collection[str], patterns: Iterable[str], exact: bool) -> frozenset[str]:
    """The names that fit any of the patterns, with everything below them unless ``exact``."""
    patterns = tuple(patterns)
    if not exact:
        return union(known, patterns)
    return frozenset(name for name in known if any(names.matches(name, pattern) for pattern in patterns))


def owners(known: Collection[str], patterns: Iterable[str]) -> dict[str, str]:
    """For each name that fits a pattern or lies below one that does, the topmost name that fits."""
    tops = {top for pattern in patterns for top in fitting(known, pattern)}
    table: dict[str, str] = {}
    for name in sorted(known):
        holders = [above for above in names.lineage(name) if above in tops]
        if holders:
            table[name] = holders[-1]
    return table


def absent(name: str, known: Collection[str], noun: str = "module") -> str:
    """The sentence that says of a name or pattern that nothing known fits it, with the nearest name that there is."""
    if names.is_pattern(name):
        return f"no {noun} fits the pattern {name}"
    near = names.nearest(name, known)
    return f"there is no {noun} {name}" + (f"; did you mean {near}?" if near else "")


def not_taken(project: Project, text: str) -> str:
    """The sentence that says of a name or pattern from outside the project that no file imports it, with what is near:
    what is imported of the same package, or the nearest name."""
    if names.is_pattern(text):
        return f"{absent(text, ())}, and no file imports what does from outside"
    near = near_taken(project, text)
    meant = f"; did you mean {near}?" if near else ""
    around = _around(project, text)
    if around:
        return f"no file imports {text}{meant or f'; what is imported is {around}'}"
    if names.head(text) in sys.stdlib_module_names:
        return f"no file imports {text}, of the standard library{meant}"
    return f"there is no module {text}, and no file imports it from outside{meant}"


def near_taken(project: Project, text: str) -> str | None:
    """The name of the project, or of what it imports, that a name from outside was most likely meant to be."""
    around = _around(project, text)
    if not around:
        return names.nearest(text, _taken(project).union(known_names(project)))
    # What stands in front is right, so it must not make names look alike.
    inside = {name for name in _taken(project) if name != around and names.is_within(name, around)}
    near = names.nearest(names.relative(text, around), {names.relative(name, around) for name in inside})
    return names.join(around, near) if near else None


def _around(project: Project, text: str) -> str:
    """The longest name around a name from outside that is imported, if one is."""
    return max((above for above in names.ancestors(text) if above in _taken(project)), key=len, default="")


@lru_cache(maxsize=4)
def _taken(project: Project) -> frozenset[str]:
    """All that is imported from outside, and the packages around it."""
    return frozenset(above for name in outside_names(project) for above in names.lineage(name))


def foreign(project: Project, text: str) -> bool:
    """Whether a name or pattern stands for something that is known to be outside: it is imported from there, or is of
    the standard library."""
    if is_inside(project, text):
        return False
    taken = any(names.matches_within(name, text) for name in outside_names(project))
    return taken or names.head(text) in sys.stdlib_module_names


def absent_absolute(key: str, name: str, known: Collection[str]) -> str:
    """As ``absent``, of a name in a key whose names are absolute; that is said where a relative one was written."""
    relative = not names.is_pattern(name) and any(one.endswith("." + name) for one in known)
    return absent(name, known) + (f" Names in `{key}` are absolute" if relative else "")


def is_inside(project: Project, text: str) -> bool:
    """Whether a name or pattern can only mean something in the project, by its first component."""
    return names.head(text) in project.index.tops


def is_bound(project: Project, name: str) -> bool:
    """Whether a name without patterns is one that its module binds, or may bind for all that is known."""
    if names.is_pattern(name):
        return False
    member = project.modules.get(names.parent(name))
    if member is None:
        return project.index.open_submodules(names.parent(name))
    return project.resolver.find(member, names.tail(name)) != "missing"


def may_be_outside(project: Project, text: str) -> bool:
    """Whether a name or pattern may stand for something outside: because some module takes what fits it, or because
    nothing speaks against it. What nobody takes and is nearly a name of the project is taken for that, misspelt."""
    if is_inside(project, text):
        return False
    if any(names.matches_within(name, text) for name in outside_names(project)):
        return True
    return not names.is_pattern(names.head(text)) and not _is_misspelt(project, text)


def _is_misspelt(project: Project, text: str) -> bool:
    """Whether a name or pattern is one of the project but for a first component that is near.

    Not where that component is of the standard library, or some module takes what is below it. A first component alone
    must also not merely be longer or shorter: ``flask`` is not ``flaskr``.
    """
    head, rest = names.head(text), names.rest(text)
    if head in sys.stdlib_module_names or any(names.head(name) == head for name in outside_names(project)):
        return False
    known = known_names(project)
    tops = sorted(project.index.tops)
    if rest:
        wanted = [names.join(top, rest) for top in tops]
        wanted = [one for one in wanted if any(names.matches(name, one) for name in known)]
    else:
        wanted = [top for top in tops if not (top.startswith(head) or top.endswith(head))]
        wanted = [top for top in wanted if not (head.startswith(top) or head.endswith(top))]
    return names.nearest(text, wanted) is not None


def unplaced(
    project: Project, package: str, placed: Collection[str], outside: Collection[str]
) -> Iterator[tuple[str, Member]]:
    """The modules below a package that are not among the ``placed`` names and fit none of the ``outside`` patterns.

    The topmost name of which nothing is placed stands for all below it, with the first of its modules. Vendored code
    is left out.
    """
    placed_above = {above for name in placed for above in names.ancestors(name)}
    told: set[str] = set()
    for name, member in project.modules.items():
        if name == package or not names.is_within(name, package) or name in placed or member.vendored:
            continue
        if any(names.matches_within(name, text) for text in outside):
            continue
        top = topmost(name, package, placed_above)
        if top not in told:
            told.add(top)
            yield top, member


def topmost(name: str, package: str, kept: Collection[str]) -> str:
    """The name that stands for a module and all around it: the highest one below ``package`` that is not ``kept``."""
    top = name
    for above in names.ancestors(name):
        if above == package or above in kept:
            break
        top = above
    return top
