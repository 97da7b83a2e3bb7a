"""What modules take from others by attribute: ``import a`` and then ``a.b``. A table for checks; judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from layercheck.facts import Access, Import
from layercheck.project.model import Member
from layercheck.project.project import Project
from layercheck.project.resolve import ANY, Resolver


@dataclass(frozen=True, slots=True)
class Attribute:
    """A module takes a name of another as its attribute."""

    member: Member
    """Who takes it."""
    name: str
    access: Access


@lru_cache(maxsize=2)
def attributes_of(project: Project) -> Mapping[str, Sequence[Attribute]]:
    """By module, what others surely take from it by attribute, without submodules and what is looked up by
    computed names.

    Of each taker each name once, at its first place.
    """
    table: dict[str, list[Attribute]] = {}
    seen: set[tuple[str, str, str]] = set()
    for member in project.modules.values():
        for access in member.facts.accesses:
            for module in sorted(_modules(project.resolver, member, access)):
                for holder, name in project.resolver.walk(module, access.attributes):
                    key = (member.path, holder, name)
                    if name == ANY or key in seen or project.resolver.module_at(holder, name) is not None:
                        continue
                    seen.add(key)
                    table.setdefault(holder, []).append(Attribute(member, name, access))
    return table


def _modules(resolver: Resolver, member: Member, access: Access) -> set[str]:
    """The modules that a name stands for where it is accessed: none where it may be bound to something else by then.

    Of several imports each may be meant, unless one takes the name over from those before it.
    """
    origins = [
        (resolver.import_origins(member, position), _is_sure(member.facts.imports[position]))
        for position in member.bound_imports.get((access.scope, access.name), ())
    ]
    if access.rebound or any(sure and found != origins[0][0] for found, sure in origins[1:]):
        return set()
    return resolver.bound_modules(member, access.scope, access.name)


def _is_sure(taken: Import) -> bool:
    """Whether an import runs wherever its block does, and binds its name if it runs."""
    return not (taken.handler or taken.guard >= 0 or {"optional", "raises", "conditional"} & {*taken.flags})
