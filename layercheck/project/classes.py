"""Classes and what they derive from, resolved through imports over the whole project. Judges nothing.

Only classes at the top level of modules are known. A base that cannot be resolved is no base here: what only has the
name of one is never taken for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from layercheck import names
from layercheck.facts import Binding
from layercheck.graph import reach, successors_of
from layercheck.project.model import Member, Origin
from layercheck.project.project import Project


@dataclass(frozen=True, slots=True)
class Class:
    """A class where it is defined."""

    member: Member
    binding: Binding
    bases: frozenset[str]
    """The full names of its own bases, as far as they can be resolved: of the module or outside package that defines
    them, then of the class."""

    @property
    def full(self) -> str:
        """The full name: its module's, then its own."""
        return names.join(self.member.id, self.binding.name)


@lru_cache(maxsize=2)
def classes_of(project: Project) -> tuple[Class, ...]:
    """Every class of every module, in the order of modules and text."""
    return tuple(
        Class(member, binding, frozenset(name for base in binding.bases for name in _bases(project, member, base)))
        for member in project.modules.values()
        for binding in member.facts.bindings
        if binding.kind == "class"
    )


@lru_cache(maxsize=2)
def _derived(project: Project) -> Mapping[str, list[str]]:
    """By the full name of a class, those that derive from it directly."""
    return successors_of((base, one.full) for one in classes_of(project) for base in one.bases)


def derived_from(project: Project, bases: Iterable[str]) -> list[Class]:
    """The classes that derive from one of these, by full name, directly or not. The bases themselves are not among
    them, unless one derives from another."""
    bases = frozenset(bases)
    family = reach(_derived(project), bases)
    return [one for one in classes_of(project) if not one.bases.isdisjoint(family)]


def class_names(project: Project, module: str, name: str) -> frozenset[str]:
    """The full names of what a name of a module may be in the end: classes, functions or names from outside."""
    return frozenset(_full_names(project.resolver.origins(module, name)))


def _full_names(origins: Iterable[Origin]) -> Iterator[str]:
    for origin in origins:
        if origin.kind in ("defined", "external"):
            yield names.join(origin.module, origin.name)


def _bases(project: Project, member: Member, base: str) -> Iterator[str]:
    """The full names that a base, as written in a module, may stand for."""
    head, attributes = names.head(base), names.rest(base)
    if not attributes:
        yield from class_names(project, member.name, base) if base else ()
        return
    resolver = project.resolver
    for origin in resolver.origins(member.name, head):
        if origin.kind == "module":
            holder = resolver.module_at(origin.module, names.parent(attributes))
            if holder is not None:
                yield from class_names(project, holder, names.tail(attributes))
        elif origin.kind == "external":
            yield names.join(_external(member, head, origin.module), attributes)


def _external(member: Member, name: str, module: str) -> str:
    """What a name imported from outside stands for: ``import a.b`` binds ``a``."""
    for position in member.bound_imports.get((0, name), ()):
        taken = member.facts.imports[position]
        if taken.module == module and not taken.name and not taken.aliased:
            return names.head(module)
    return module
