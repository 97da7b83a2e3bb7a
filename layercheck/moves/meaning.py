"""Whether every name that a definition takes from its module means in the new home what it meant in the old one.

"The same" follows the moves themselves: what moved along is the same thing. What the text cannot tell is said to be
unclear, never to be the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from layercheck import names
from layercheck.facts import MODULE_SCOPE
from layercheck.graph import reach
from layercheck.moves.body import compare
from layercheck.moves.model import Reason
from layercheck.moves.order import Order
from layercheck.moves.rebinding import GETATTR, Rebinding
from layercheck.moves.side import Change, Definition, Side, definitions
from layercheck.outline import FreeName, Statement, TakenImport
from layercheck.project import Member, Origin
from layercheck.project.imports import running_successors
from layercheck.project.resolve import IMPLICIT_NAMES

OWN_NAMES = (IMPLICIT_NAMES - {"__class__", "__dict__", "__annotations__", "__builtins__"}) | {"__module__"}
"""What says of a module which one it is (language reference 3.2, "Modules"; a class body reads ``__module__``)."""
_READERS = frozenset(f"builtins.{name}" for name in ("eval", "exec", "globals", "locals", "vars", "dir", "__import__"))
"""What reads, or may, names of the module that calls it, however it is imported."""
_CELL = "__class__"
"""In a method it is the class itself (language reference 3.3.3.6)."""
_HARMLESS = frozenset(
    {"staticmethod", "classmethod", "property"}
    | {f"functools.{name}" for name in ("cache", "cached_property", "lru_cache", "total_ordering", "wraps")}
    | {f"functools.{name}" for name in ("singledispatch", "partialmethod", "update_wrapper")}
    | {f"contextlib.{name}" for name in ("contextmanager", "asynccontextmanager")}
    | {f"enum.{name}" for name in ("unique", "verify", "global_enum_repr")}
    | {
        f"{module}.{name}"
        for module in ("typing", "typing_extensions")
        for name in ("final", "overload", "no_type_check")
    }
    | {f"{module}.runtime_checkable" for module in ("typing", "typing_extensions")}
    | {f"{module}.dataclass_transform" for module in ("typing", "typing_extensions")}
    | {"dataclasses.dataclass", "abc.abstractmethod", "types.coroutine", "warnings.deprecated"}
)
"""Decorators of Python itself that leave no trace outside of what they decorate."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What became of the meaning of a definition."""

    rebound: tuple[Reason, ...] = ()
    unclear: tuple[Reason, ...] = ()


class Meanings:
    """Compares names between two states of a project, knowing what moved."""

    def __init__(
        self,
        change: Change,
        moved: Mapping[tuple[str, str], tuple[str, str]],
        recomputed: Collection[str] = (),
        harmless: Collection[str] = (),
    ) -> None:
        """``moved``: home and name before -> home and name after. ``recomputed``: constants that every module may
        compute for itself. ``harmless``: full names of decorators that leave no trace, beside Python's own."""
        self.change = change
        self.moved = moved
        self._recomputed = frozenset(recomputed)
        self._harmless = _HARMLESS.union(harmless)
        self._before, self._after = Rebinding(change.old), Rebinding(change.new)
        self._order = Order(change, moved)

    def of(self, before: Definition, after: Definition) -> Meaning:
        """What became of the meaning of a definition whose body stayed the same."""
        rebound: list[Reason] = []
        unclear: list[Reason] = []
        home, new_home = before.member, after.member
        needs = self.change.old.needs(home.path, [before.statement.start])[0]
        again = self.change.new.needs(new_home.path, [after.statement.start])[0]
        unclear += [Reason("{0}: {1}", (before.name, why)) for why in needs.unclear]
        for free in _with_guards(self.change.old, home, needs.names):
            reason = self.of_name(home, new_home, free)
            if reason is not None:
                (unclear if reason.phrase in UNCLEAR else rebound).append(reason)
            elif free.eager and _is_bound_below(self.change.new, after, self._new_name(home, free.name, after)):
                rebound.append(bound_below(free.name, new_home.id))
            elif free.eager:
                rebound += self._at_another_time(before, after, free.name)
                unclear += self._order.turned(before, after, free.name)
            unclear += self._by_attribute(home, before.name, free)
        for one, two in zip(needs.imports, again.imports, strict=False):
            reason = self._of_import(home, one, new_home, two)
            if reason is not None:
                rebound.append(reason)
        futures = (self.change.old.outline(home.path).futures, self.change.new.outline(new_home.path).futures)
        if needs.annotated and ("annotations" in futures[0]) != ("annotations" in futures[1]):
            rebound.append(Reason("`from __future__ import annotations` holds in only one of the two homes"))
        unclear += self._decorators(before, after)
        rebound += self._itself(before, after)
        unclear += self._hidden(before, after)
        return Meaning(tuple(dict.fromkeys(rebound)), tuple(dict.fromkeys(unclear)))

    def _new_name(self, home: Member, name: str, after: Definition) -> str:
        """What a name of the old home is called where it moved along."""
        to = self.moved.get((home.name, name))
        return to[1] if to is not None and to[0] == after.member.name else name

    def _itself(self, before: Definition, after: Definition) -> Iterator[Reason]:
        """Where the name of a definition is bound by something else too, in either home."""
        for rebinding, one in ((self._before, before), (self._after, after)):
            for line in rebinding.beside(one.member, one.name)[:1]:
                yield Reason("{0} is bound again in {1} (line {2})", (one.name, one.member.id, str(line)))
        for side, one in ((self.change.old, before), (self.change.new, after)):
            outline = side.outline(one.member.path)
            for line in (statement.start for statement in outline.statements if statement.kind == "other"):
                if re.match(rf"\s*del\b.*\b{re.escape(one.name)}\b(?!\s*[.\[])", outline.lines[line - 1]):
                    yield Reason("{0} is deleted in {1} (line {2})", (one.name, one.member.id, str(line)))

    def _hidden(self, before: Definition, after: Definition) -> Iterator[Reason]:
        """Why it cannot be told whether a home binds the name of a definition to something else."""
        for rebinding, one in ((self._before, before), (self._after, after)):
            why = rebinding.hidden(one.member)
            if why:
                yield Reason(UNCLEAR[0], (one.name, one.member.id, why))

    def _by_attribute(self, home: Member, reader: str, free: FreeName) -> Iterator[Reason]:
        """Ways to the names of a module that lead over an object: what ``builtins`` has, and ``__module__`` of what
        moved."""
        for origin in self.origins(self.change.old, home, free.name):
            full = {names.join(origin.module, origin.name, chain) for chain in free.chains}
            ways = full & _READERS if origin.kind == "external" else ()
            for way in sorted(ways):
                yield Reason("{0}: {1}", (reader, f"it may read any name of its module ({names.tail(way)})"))
            asks = any(names.tail(chain) == "__module__" for chain in free.chains)
            if asks and origin.kind == "defined" and (origin.module, origin.name) in self.moved:
                yield Reason("{0}: {1}", (reader, f"it reads which module {free.name} is in ({free.name}.__module__)"))

    # Names

    def of_name(self, home: Member, new_home: Member, free: FreeName) -> Reason | None:
        """Why a name does not mean the same in two homes; None where it does."""
        name = free.name
        if name == _CELL:
            return None
        if name in OWN_NAMES and name not in home.bindings and name not in new_home.bindings:
            if home.name == new_home.name:
                return None
            return Reason("{0} is that of {1} there and of {2} here", (name, home.id, new_home.id))
        before = self.origins(self.change.old, home, name)
        after = self.origins(self.change.new, new_home, name)
        for origin, side, member in ((before, self.change.old, home), (after, self.change.new, new_home)):
            why = _unclear(side, member, origin)
            if why:
                if before == after or self._same_stars(home, new_home):
                    return None
                return Reason(UNCLEAR[0], (name, member.id, why))
        if self.follow(before) != after:
            reason = self._different(home, new_home, free, before, after)
            if reason is not None:
                return reason
        return (
            not_imported(home, new_home, free)
            or self._guards(home, new_home, name)
            or self._kept(home, new_home, name, before, after)
        )

    @staticmethod
    def origins(side: Side, member: Member, name: str) -> frozenset[Origin]:
        """Where a name that a module reads comes from; none where the module does not bind it: then it is a builtin."""
        found = side.project.resolver.origins(member.name, name)
        own = side.project.resolver.opened(member)
        if own == GETATTR:
            # A module's __getattr__ serves those who look from outside, not its own code (PEP 562).
            found = frozenset(one for one in found if (one.kind, one.module) != ("unknown", member.name))
        if name not in member.bindings:
            # A submodule is only an attribute once something imports it; nothing reads it by its bare name before.
            found = frozenset(one for one in found if one.kind != "missing" or one.module != member.name)
        return found

    def follow(self, origins: Iterable[Origin]) -> frozenset[Origin]:
        """Origins of the old state where they are in the new one."""
        return frozenset(self._follow(origin) for origin in origins)

    def _follow(self, origin: Origin) -> Origin:
        to = self.moved.get((origin.module, origin.name)) if origin.kind == "defined" else None
        return origin if to is None else replace(origin, module=to[0], name=to[1])

    def _kept(
        self, home: Member, new_home: Member, name: str, before: frozenset[Origin], after: frozenset[Origin]
    ) -> Reason | None:
        """Why a name that only one of two homes defines, and the other one imports, is not always the same: an import
        keeps what it took, whatever the name is bound to later."""
        lives = [
            any(one.kind == "defined" and one.module == member.name for one in origins)
            for member, origins in ((home, before), (new_home, after))
        ]
        if lives[0] == lives[1]:
            return None
        for origin in after:
            place = self._after.late(origin.module, origin.name) if origin.kind == "defined" else ""
            if place:
                return Reason("{0} is bound again later ({1}), and one of the two homes only imports it", (name, place))
        return None

    def _at_another_time(self, before: Definition, after: Definition, name: str) -> Iterator[Reason]:
        """Why a name that is read while a module is imported is not yet, or no more, what it was."""
        ends = (
            (self.change.old, self._before, before, name),
            (self.change.new, self._after, after, self._new_name(before.member, name, after)),
        )
        for side, rebinding, one, called in ends:
            origins = self.origins(side, one.member, called)
            if called == one.name or (len(origins) == 1 and all(origin.kind != "defined" for origin in origins)):
                continue
            lines = rebinding.at_import(one.member, called)
            if any(line < one.statement.start for line in lines) and any(line > one.statement.last for line in lines):
                phrase = "{0} is read while {1} is imported, and bound there again further down"
                yield Reason(phrase, (called, one.member.id))

    def _different(
        self, home: Member, new_home: Member, free: FreeName, before: frozenset[Origin], after: frozenset[Origin]
    ) -> Reason | None:
        """Why origins that differ are not the same thing after all; None where they are."""
        left, right = self.follow(before) - after, after - self.follow(before)
        if not after:
            return Reason("{0} is {1} there and not bound here", (free.name, _shown(before)))
        if not before:
            return Reason("{0} is a builtin there and {1} here", (free.name, _shown(after)))
        if len(left) == len(right) == 1:
            one, two = next(iter(left)), next(iter(right))
            if one.kind == two.kind == "defined":
                return self._copied(free.name, one, two, (free.name, _shown(before), _shown(after)))
            modules = one.kind == two.kind == "module" and "" not in free.chains
            if modules and all(self._same_attribute(one.module, two.module, chain) for chain in free.chains):
                return None
        return Reason("{0} is {1} there and {2} here", (free.name, _shown(before), _shown(after)))

    def _same_attribute(self, before: str, after: str, chain: str) -> bool:
        """Whether an attribute read from two modules is the same thing."""
        attribute = names.head(chain)
        one = self.change.old.project.resolver.origins(before, attribute)
        two = self.change.new.project.resolver.origins(after, attribute)
        return self.follow(one) == two and not any(origin.kind in ("missing", "unknown") for origin in two)

    def _copied(self, name: str, before: Origin, after: Origin, told: tuple[str, ...]) -> Reason | None:
        """Why two definitions are not the same; None where they are constants of one text that cannot change."""
        one = _only_definition(self.change.old, before)
        two = _only_definition(self.change.new, after)
        same_name = before.name == after.name and before.module != after.module
        if not same_name or one is None or two is None:
            return Reason("{0} is {1} there and {2} here", told)
        if compare(self.change.old, one, self.change.new, two) == "changed":
            return Reason("{0} is {1} there and {2} here", told)
        for rebinding, end in ((self._before, one), (self._after, two)):
            place = rebinding.again(end)
            if place:
                return Reason("{0} is bound again ({1}), so a copy of it may be something else", (name, place))
            why = rebinding.hidden(end.member)
            if why:
                return Reason(UNCLEAR[0], (name, end.member.id, why))
        if name in self._recomputed:
            return self._recomputation(one, two)
        if one.statement.literal and two.statement.literal:
            return None
        return Reason("{0} is computed again: {2} is a copy of {1}", told)

    def _recomputation(self, one: Definition, two: Definition) -> Reason | None:
        """Why a constant that every module may compute for itself is not computed in the same way; None where it is.
        Only which module it is may differ."""
        for free in self.change.old.needs(one.member.path, [one.statement.start])[0].names:
            if free.name not in OWN_NAMES and free.name not in self._recomputed:
                reason = self.of_name(one.member, two.member, free)
                if reason is not None:
                    return reason
        return None

    # Under which conditions

    def _guards(self, home: Member, new_home: Member, name: str) -> Reason | None:
        before = _guards_of(self.change.old, home, name)
        after = _guards_of(self.change.new, new_home, self.moved.get((home.name, name), ("", name))[1])
        if before == after or not before or not after:
            return None
        typing = [
            self._typing_only(side, member, name)
            for side, member in ((self.change.old, home), (self.change.new, new_home))
        ]
        if typing == [True, True] or (typing[0] and after == frozenset({()})):
            return None
        return Reason("{0} is bound {1} there and {2} here", (name, _conditions(before), _conditions(after)))

    @staticmethod
    def _typing_only(side: Side, member: Member, name: str) -> bool:
        return side.project.resolver.find(member, name) == "typing-only"

    @staticmethod
    def _stars(side: Side, member: Member) -> frozenset[str]:
        """The modules outside the project, or open ones, that a file star-imports."""
        targets = (side.project.resolver.target(member, position) for position, _ in member.stars)
        return frozenset(target.module for target in targets)

    def _same_stars(self, home: Member, new_home: Member) -> bool:
        """Whether both homes are unclear for the same reason alone: the same star imports."""
        if home.facts.open or new_home.facts.open:
            return False
        before, after = self._stars(self.change.old, home), self._stars(self.change.new, new_home)
        return bool(before) and before == after

    # Imports and decorators

    def _of_import(self, home: Member, one: TakenImport, new_home: Member, two: TakenImport) -> Reason | None:
        """Why an import inside a body does not come to the same thing; None where it does."""
        before = _import_origins(self.change.old, home, one)
        after = _import_origins(self.change.new, new_home, two)
        shown = "." * one.level + names.join(one.module, one.name)
        if any(origin.kind in ("missing", "loop") for origin in after) and self.follow(before) != after:
            return Reason("the import of {0} in it leads to nothing here", (shown,))
        if self.follow(before) == after:
            return None
        return Reason("the import of {0} in it is {1} there and {2} here", (shown, _shown(before), _shown(after)))

    def _decorators(self, before: Definition, after: Definition) -> Iterator[Reason]:
        """Decorators that may leave a trace, where the old home no longer runs the new one."""
        suspects = self.tracing(before)
        if not suspects:
            return
        runs = running_successors(self.change.new.project)
        if after.member.name in reach(runs, [before.member.name]):
            return
        for name in suspects:
            yield Reason(
                "{0}: its decorator {1} may leave a trace (register it), and importing {2} no longer runs it",
                (before.name, name or "@...", before.member.id),
            )

    def tracing(self, definition: Definition) -> list[str]:
        """The decorators of a definition of the old state that may leave a trace outside of it."""
        return [name for name in definition.statement.decorators if not self._is_harmless(definition.member, name)]

    def _is_harmless(self, home: Member, decorator: str) -> bool:
        if not decorator:
            return False
        if decorator in self._harmless and not self.origins(self.change.old, home, names.head(decorator)):
            return True
        rest = names.rest(decorator)
        found = self.origins(self.change.old, home, names.head(decorator))
        return bool(found) and all(
            origin.kind in ("external", "defined") and names.join(origin.module, origin.name, rest) in self._harmless
            for origin in found
        )


UNCLEAR = ("where {0} comes from in {1} cannot be told: it {2}",)
"""The phrases of reasons that do not say that something is different, but that it cannot be told."""


def bound_below(name: str, module: str) -> Reason:
    """Why code that runs at once cannot read a name."""
    return Reason("{0} is read while {1} is imported, and bound there only further down", (name, module))


def _with_guards(side: Side, home: Member, free: Iterable[FreeName]) -> Iterator[FreeName]:
    """The names, and those that the conditions are made of under which their home binds them."""
    free = list(free)
    known = {one.name for one in free}
    yield from free
    blocks = {
        statement.block
        for statement in side.outline(home.path).statements
        if statement.block and not known.isdisjoint(statement.names)
    }
    bound = {name for one in side.outline(home.path).statements if one.block in blocks for name in one.names}
    for needs in side.needs(home.path, sorted(blocks)):
        for one in needs.names:
            if one.name not in known and one.name not in bound:
                known.add(one.name)
                yield one


def _unclear(side: Side, member: Member, origins: Iterable[Origin]) -> str:
    """Why it cannot be told where a name comes from; empty where it can."""
    for origin in origins:
        if origin.kind == "unknown":
            source = side.member(origin.module)
            return (side.project.resolver.opened(source) if source else "") or "was not read"
    return ""


def not_imported(home: Member, new_home: Member, free: FreeName) -> Reason | None:
    """The submodule that a body reaches by its dotted name and that only the old home imports: ``import a.b``."""
    before, after = _dotted_imports(home, free.name), _dotted_imports(new_home, free.name)
    for chain in sorted(free.chains):
        for prefix in names.lineage(names.join(free.name, chain)):
            if prefix in before:
                if prefix not in after:
                    return Reason(
                        "{0} is imported there and not here, and its body reads {1}",
                        (prefix, names.join(free.name, chain)),
                    )
                break
    return None


def _dotted_imports(member: Member, name: str) -> frozenset[str]:
    """The submodules that ``import a.b`` statements of a module's top level load, those above them included."""
    return frozenset(
        module
        for position in member.bound_imports.get((MODULE_SCOPE, name), ())
        for taken in (member.facts.imports[position],)
        if not taken.name and not taken.aliased
        for module in names.lineage(taken.module)
        if module != name
    )


def _shown(origins: Iterable[Origin]) -> str:
    found = sorted({names.join(origin.module, origin.name) or "a builtin" for origin in origins})
    return " or ".join(found) or "a builtin"


def _only_definition(side: Side, origin: Origin) -> Definition | None:
    member = side.member(origin.module)
    found = definitions(side, member).get(origin.name, []) if member is not None else []
    return found[0] if len(found) == 1 else None


def _bindings(side: Side, member: Member, name: str) -> list[Statement]:
    return [one for one in side.outline(member.path).statements if name in one.names]


def _guards_of(side: Side, member: Member, name: str) -> frozenset[tuple[str, ...]]:
    """The headers under which a module binds a name, for each place that does."""
    return frozenset(one.guards for one in _bindings(side, member, name))


def _conditions(guards: Iterable[tuple[str, ...]]) -> str:
    return ", ".join(sorted(f"under `{' / '.join(one)}`" if one else "always" for one in guards))


def _is_bound_below(side: Side, definition: Definition, name: str) -> bool:
    """Whether a module binds a name, and only below a definition that reads it at once."""
    bound = [one.start for one in _bindings(side, definition.member, name)]
    return bool(bound) and min(bound) > definition.statement.start


def _import_origins(side: Side, member: Member, taken: TakenImport) -> frozenset[Origin]:
    resolver = side.project.resolver
    found: set[Origin] = set()
    for position, one in enumerate(member.facts.imports):
        if (one.statement.line, one.module, one.level, one.name) == (taken.line, taken.module, taken.level, taken.name):
            found |= resolver.import_origins(member, position)
    return frozenset(found)
