"""What modules take from others by attribute: ``import a`` and then ``a.b``. A table for checks; judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from layercheck.facts import Access
from layercheck.project.model import Member
from layercheck.project.project import Project
from layercheck.project.resolve import ANY


@dataclass(frozen=True, slots=True)
class Attribute:
    """A module takes a name of another as its attribute."""

    member: Member
    """Who takes it."""
    name: str
    access: Access


@lru_cache(maxsize=2)
def attributes_of(project: Project) -> Mapping[str, Sequence[Attribute]]:
    """By module, what others take from it by attribute, submodules and what is looked up by computed names apart.

    Of each taker each name once, at its first place.
    """
    table: dict[str, list[Attribute]] = {}
    seen: set[tuple[str, str, str]] = set()
    for member in project.modules.values():
        for access in member.facts.accesses:
            for module in sorted(project.resolver.bound_modules(member, access.scope, access.name)):
                for holder, name in project.resolver.walk(module, access.attributes):
                    key = (member.path, holder, name)
                    if name == ANY or key in seen or project.resolver.module_at(holder, name) is not None:
                        continue
                    seen.add(key)
                    table.setdefault(holder, []).append(Attribute(member, name, access))
    return table
