"""Who binds a name of a module again: the module itself, a function by ``global``, another file by an attribute.

Says nothing of what that means for a move.
"""

from __future__ import annotations

from functools import cached_property

from layercheck.facts import Binding
from layercheck.moves.side import Definition, Side
from layercheck.outline import DEFINING, Statement
from layercheck.project import Member
from layercheck.project.resolve import ANY

GETATTR = "defines __getattr__"
"""Why a module that defines it is open (PEP 562): it serves those who look from outside, and binds nothing."""


class Rebinding:
    """What is bound again in one state of a project."""

    def __init__(self, side: Side) -> None:
        self._side = side

    @cached_property
    def _stores(self) -> dict[tuple[str, str], str]:
        """The attributes that files set on modules, tests among them, each with the first place."""
        resolver = self._side.project.resolver
        found: dict[tuple[str, str], str] = {}
        for member in self._side.project.members:
            for access in member.facts.accesses:
                if access.store:
                    for module in resolver.bound_modules(member, access.scope, access.name):
                        for holder in [*resolver.walk(module, access.attributes)][-1:]:
                            found.setdefault(holder, f"{member.path}:{access.span.line}")
            for one in member.facts.rebound:
                module = member.name if one.module == "." else one.module
                found.setdefault((module, one.name), f"{member.path}:{one.span.line}")
        return found

    @cached_property
    def _anywhere(self) -> dict[str, str]:
        """Who binds names of modules that cannot be told, any of them: by the modules that they import, the places."""
        found: dict[str, str] = {}
        writers = {
            member.id: f"{member.path}:{one.span.line}"
            for member in self._side.project.members
            for one in reversed(member.facts.rebound)
            if not one.module and one.name == ANY
        }
        for link in self._side.project.all_links if writers else ():
            if link.importer in writers:
                found.setdefault(link.imported, writers[link.importer])
        return found

    def again(self, definition: Definition) -> str:
        """Where the name of a definition is bound beside it, by whomever; empty where it is nowhere. Other arms of the
        block that it stands in do not count: one of them runs."""
        member, name, own = definition.member, definition.name, definition.statement
        arms = [
            one
            for one in self._side.outline(member.path).statements
            if one is own or (own.block and one.block == own.block and one.guards != own.guards and name in one.names)
        ]
        others = [
            f"{member.path}:{one.span.line}"
            for one in member.bindings.get(name, ())
            if not any(arm.start <= one.span.line <= arm.last for arm in arms)
        ]
        resolver = self._side.project.resolver
        others += [
            f"{member.path}:{taken.span.line}"
            for taken, source in resolver.star_sources(member)
            if taken.span.line > own.last and resolver.passes(source, name)
        ]
        return next(iter(others), "") or self.from_outside(member.name, name)

    def late(self, module: str, name: str) -> str:
        """Where a module's name is bound once it has been imported: in a function, or from outside; empty where it is
        not."""
        member = self._side.member(module)
        for one in member.bindings.get(name, ()) if member is not None else ():
            if member is not None and self._is_in_function(member, one):
                return f"{member.path}:{one.span.line}"
        return self.from_outside(module, name)

    def from_outside(self, module: str, name: str) -> str:
        """Where another file binds a module's name; empty where none does."""
        known = (self._stores.get(key) for key in ((module, name), (module, ANY), ("", name)))
        return next(filter(None, known), "") or self._anywhere.get(module, "")

    @staticmethod
    def hidden(member: Member) -> str:
        """How a module may bind any of its names without spelling it; empty where it does not."""
        if member.facts.sets_elsewhere:
            return "sets names on modules that it looks up"
        return member.facts.open if member.facts.open != GETATTR else ""

    def at_import(self, member: Member, name: str) -> list[int]:
        """The lines on which the top level of a module binds a name, in order."""
        return [one.span.line for one in member.bindings.get(name, ()) if not self._is_in_function(member, one)]

    def beside(self, member: Member, name: str) -> list[int]:
        """The lines on which anything but a definition or an import of its own binds a name of a module."""
        own = [one for one in self._side.outline(member.path).statements if one.kind in (*DEFINING, "import")]
        return [
            one.span.line
            for one in member.bindings.get(name, ())
            if not any(name in two.names and two.start <= one.span.line <= two.last for two in own)
        ]

    def _is_in_function(self, member: Member, binding: Binding) -> bool:
        around = self._around(member, binding.span.line)
        defines = binding.kind in ("class", "function") and around is not None and binding.name in around.names
        return around is not None and not defines

    def _around(self, member: Member, line: int) -> Statement | None:
        """The function or class of the top level in which a line stands."""
        statements = self._side.outline(member.path).statements
        found = (one for one in statements if one.kind in ("class", "function") and one.start <= line <= one.last)
        return next(found, None)
