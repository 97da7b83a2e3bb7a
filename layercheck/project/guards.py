"""Whether a guard holds at run time, in three values. Follows the names it tests through imports to their constants."""

from __future__ import annotations

from layercheck import names
from layercheck.facts import MODULE_SCOPE, Guard, Import, Kind
from layercheck.project.index import Index
from layercheck.project.model import Member

NEVER_AT_RUN_TIME = frozenset({"typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"})
"""False at run time by definition (typing documentation, ``TYPE_CHECKING``)."""


class Guards:
    """Decides guards over an index; remembers what it has decided."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._decided: dict[tuple[str, int], bool | None] = {}

    def holds(self, member: Member, guard: int) -> bool | None:
        """Whether a guard, by its position among the member's, is true or false at run time; None if it varies."""
        if guard < 0:
            return None
        key = (member.path, guard)
        if key not in self._decided:
            self._decided[key] = self._test(member, member.facts.guards[guard])
        return self._decided[key]

    def kind(self, member: Member, taken: Import) -> Kind:
        """When an import runs, its guard considered. In the stub of a compiled module none does (PEP 484)."""
        return "typing" if member.path.endswith(".pyi") or self.holds(member, taken.guard) is False else taken.kind

    def _test(self, member: Member, guard: Guard) -> bool | None:
        match guard.test:
            case "true":
                return True
            case "false":
                return False
            case "name":
                return self._truth(member, guard.name, frozenset())
            case "not":
                inner = self._test(member, guard.parts[0])
                return None if inner is None else not inner
            case "and" | "or":
                decisive = guard.test == "or"
                values = [self._test(member, part) for part in guard.parts]
                return decisive if decisive in values else None if None in values else not decisive
            case "unknown":
                return None

    def _truth(self, member: Member, dotted: str, seen: frozenset[tuple[str, str]]) -> bool | None:
        """The truth value of a name at module level, if all its bindings agree on a constant."""
        if (member.path, dotted) in seen:
            return None
        seen |= {(member.path, dotted)}
        first, attributes = names.head(dotted), names.rest(dotted)
        values: set[bool | None] = set()
        imported = set(member.bound_imports.get((MODULE_SCOPE, first), ()))  # also those that ``del`` took away since
        for binding in member.bindings.get(first, ()):
            if binding.imported >= 0:
                imported.add(binding.imported)
            elif binding.refers:
                values.add(self._truth(member, names.join(binding.refers, attributes), seen))
            else:
                values.add(None if attributes else binding.truth)
        for position in imported:  # no generator: Python 3.12 bounds how deep calls go through C, whatever the stack
            values.add(self._imported_truth(member, member.facts.imports[position], attributes, seen))
        return values.pop() if len(values) == 1 else None

    def _imported_truth(
        self, member: Member, taken: Import, attributes: str, seen: frozenset[tuple[str, str]]
    ) -> bool | None:
        module = names.resolve_relative(taken.module, taken.level, member.base)
        if module is None:
            return None
        if not taken.name and not taken.aliased:
            module = names.head(module)
        dotted = names.join(module, taken.name, attributes)
        if dotted in NEVER_AT_RUN_TIME and names.head(dotted) not in self._index.tops:
            return False
        source = self._index.by_name.get(names.parent(dotted))
        return self._truth(source, names.tail(dotted), seen) if source else None
