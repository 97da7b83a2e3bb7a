"""Who takes which name from which module: imports, attributes, star imports, patches and strings, in one table."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from layercheck.project.model import Member, Use
from layercheck.project.resolve import ANY, Resolver


class Uses:
    """The table of uses, made once over all members."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._taken: dict[tuple[str, str], list[Use]] = {}
        self._whole: dict[str, list[Use]] = {}
        self._named: dict[str, list[Use]] = {}
        self._stars: dict[str, list[tuple[Member, int]]] = {}
        for member in resolver.index.members:
            self._add_imports(member)
            self._add_accesses(member)
            self._add_strings(member)
            self._add_patches(member)
        self._add_entry_points()

    def takers(self, module: str, name: str) -> tuple[Use, ...]:
        """Everybody who takes a name from a module, by itself or through a star import, in the order of paths."""
        uses = self._takers(module, name, frozenset())
        return tuple(sorted(uses, key=lambda use: (use.path, use.line)))

    def _takers(self, module: str, name: str, seen: frozenset[str]) -> set[Use]:
        uses = set(self._taken.get((module, name), ()))
        uses.update(self._whole.get(module, ()))
        source = self._resolver.index.by_name.get(module)
        for member, line in self._stars.get(module, ()):
            if member.name in seen or source is None or not self._resolver.passes(source, name):
                continue
            if name in member.facts.uses or member.facts.reads_by_name:
                uses.add(Use(member.id, member.path, line, "star", member.test))
            uses |= self._takers(member.name, name, seen | {module})
        return uses

    def whole(self, module: str) -> tuple[Use, ...]:
        """Everybody who uses a module as an object, so that any of its names may be taken: ``getattr(m, x)``,
        ``f(m)``."""
        return tuple(self._whole.get(module, ()))

    def named(self, module: str) -> tuple[Use, ...]:
        """Everybody who names a module in a string, so that code which imports by such names may take what it has."""
        return tuple(self._named.get(module, ()))

    def _add_imports(self, member: Member) -> None:
        for taken in member.facts.imports:
            if not taken.name:
                continue
            module = self._resolver.module_of(member, taken)
            if not isinstance(module, str):
                continue
            if taken.name != "*":
                self._add(member, module, taken.name, taken.span.line, "import")
            elif taken.place == "module":
                self._stars.setdefault(module, []).append((member, taken.span.line))

    def _add_accesses(self, member: Member) -> None:
        for access in member.facts.accesses:
            for module in self._resolver.bound_modules(member, access.scope, access.name):
                self._add_walk(member, module, access.attributes, access.span.line, "attribute")

    def _add_strings(self, member: Member) -> None:
        for string in member.facts.strings:
            module, attributes = self._resolver.index.split(string.text)
            if module:
                self._add_walk(member, module, attributes, string.span.line, "string")
                if not attributes:
                    use = Use(member.id, member.path, string.span.line, "string", member.test)
                    self._named.setdefault(module, []).append(use)

    def _add_patches(self, member: Member) -> None:
        for patch in member.facts.patches:
            for module, attributes in self._resolver.patched(member, patch):
                self._add_walk(member, module, attributes, patch.span.line, "patch")

    def _add_entry_points(self) -> None:
        for entry in self._resolver.index.entry_points:
            module, attributes = self._resolver.index.split(entry.target)
            for taken in self._resolver.walk(module, attributes):
                use = Use(entry.path, entry.path, entry.line, "string", test=False)
                self._taken.setdefault(taken, []).append(use)

    def _add_walk(
        self, member: Member, module: str, attributes: str, line: int, how: Literal["attribute", "patch", "string"]
    ) -> None:
        for holder, attribute in self._resolver.walk(module, attributes):
            if attribute == ANY:
                self._add_whole(member, holder, line, how)
            else:
                self._add(member, holder, attribute, line, how)
        if how == "attribute" and (end := self._resolver.module_at(module, attributes)):
            self._add_whole(member, end, line, how)

    def _add(
        self, member: Member, module: str, name: str, line: int, how: Literal["import", "attribute", "patch", "string"]
    ) -> None:
        self._taken.setdefault((module, name), []).append(Use(member.id, member.path, line, how, member.test))

    def _add_whole(self, member: Member, module: str, line: int, how: Literal["attribute", "patch", "string"]) -> None:
        self._whole.setdefault(module, []).append(Use(member.id, member.path, line, how, member.test))


def counted(uses: Collection[Use]) -> str:
    """How many uses there are, split by who: ``src 0, tests 3, patches 1``."""
    patches = sum(use.how == "patch" for use in uses)
    tests = sum(use.test for use in uses if use.how != "patch")
    return f"src {len(uses) - patches - tests}, tests {tests}, patches {patches}"
