"""Which definition of the new state is which of the old one: by name and text, then by text alone. Judges nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from layercheck.moves.body import body_lines, compare, similarity
from layercheck.moves.model import Ambiguous, Copy
from layercheck.moves.side import Change, Definition, Side, definitions
from layercheck.project import Member

_LIKE = 0.4
"""How much of a body must be the same for a lone pair of one name to be a move."""
_SMALL = 3
"""Lines up to which a constant is too small to be known by its text alone."""
_COMMON = 2
"""In how many modules a constant may be defined and still be known by its name."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A definition before and after."""

    before: Definition
    after: Definition


@dataclass(frozen=True, slots=True)
class Pairing:
    """What moved where."""

    pairs: tuple[Pair, ...]
    ambiguous: tuple[Ambiguous, ...]
    copies: tuple[tuple[Copy, Definition], ...]
    """Each with the copy."""
    twice: tuple[tuple[Definition, Definition | None], ...]
    """Definitions of a name that has several in its module, so that none of them can be followed; with what may be
    its other end."""


@dataclass(slots=True)
class _Table:
    gone: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    fresh: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    kept: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    """Definitions of the old state that are in the new one too, by name; only of files that changed."""
    several: dict[tuple[str, str], list[Definition]] = field(default_factory=dict)


def pair(change: Change, recomputed: Sequence[str] = ()) -> Pairing:
    """Pair what left its module with what came to another one.

    ``recomputed``: names of constants that every module may compute for itself.
    """
    table = _gather(change)
    found: list[Pair] = []
    open_names: list[str] = []
    for name in sorted(table.gone.keys() & table.fresh.keys()):
        gone, fresh = table.gone[name], table.fresh[name]
        if len(gone) == len(fresh) == 1 and _is_strong(change, gone[0], fresh[0]):
            found.append(Pair(gone[0], fresh[0]))
        else:
            open_names.append(name)
    affinity = Counter((one.before.member.name, one.after.member.name) for one in found)
    ambiguous: list[Ambiguous] = []
    for name in open_names:
        settled, left = _settle(change, table.gone[name], table.fresh[name], affinity)
        found += settled
        ambiguous += left
    found += _renamed(change, table, found)
    found.sort(key=lambda one: (one.before.member.path, one.before.statement.start, one.before.name))
    return Pairing(
        tuple(found),
        tuple(ambiguous),
        tuple(_copies(change, table, found, frozenset(recomputed))),
        tuple(_twice(table, found)),
    )


def _gather(change: Change) -> _Table:
    table = _Table()
    for path in change.changed:
        before, after = change.old.by_path.get(path), change.new.by_path.get(path)
        olds, news = _defined(change.old, before), _defined(change.new, after)
        for name, found in olds.items():
            (table.kept if name in news else table.gone)[name].append(found[0])
            if len(found) > 1:
                table.several[found[0].key] = found
        for name, found in news.items():
            if name not in olds:
                table.fresh[name].append(found[0])
                if len(found) > 1:
                    table.several[found[0].key] = found
    return table


def _defined(side: Side, member: Member | None) -> Mapping[str, list[Definition]]:
    """What a file defines, without the constants that stand in for what cannot be imported: those are imports' part."""
    if member is None:
        return {}
    blocks = {block.first for block in side.outline(member.path).blocks if block.imports}
    found = {
        name: [one for one in several if one.statement.block not in blocks]
        for name, several in definitions(side, member).items()
    }
    return {name: several for name, several in found.items() if several}


def _is_strong(change: Change, before: Definition, after: Definition) -> bool:
    """Whether a lone pair of one name is a move by itself."""
    if before.statement.kind != after.statement.kind:
        return False
    if _is_small(before) and max(map(len, _definers(change, before.name))) > _COMMON:
        return _is_taken_back(change, before, after)
    return similarity(change.old, before, change.new, after) >= _LIKE


def _is_taken_back(change: Change, before: Definition, after: Definition) -> bool:
    """Whether the module that had a definition takes it from where it may have gone, with the same text."""
    origins = change.new.project.resolver.origins(before.member.name, before.name)
    taken = any((one.module, one.name) == after.key for one in origins)
    return taken and compare(change.old, before, change.new, after) != "changed"


def _is_small(definition: Definition) -> bool:
    statement = definition.statement
    return statement.kind == "constant" and statement.last - statement.start < _SMALL


def _definers(change: Change, name: str) -> Iterator[tuple[str, ...]]:
    for side in (change.old, change.new):
        yield side.project.definers.get(name, ())


def _settle(
    change: Change, gone: Sequence[Definition], fresh: Sequence[Definition], affinity: Mapping[tuple[str, str], int]
) -> tuple[list[Pair], list[Ambiguous]]:
    """Of several candidates of one name, those between whose modules other definitions moved, else equal bodies."""
    gone, fresh = list(gone), list(fresh)
    found: list[Pair] = []
    related = [
        Pair(before, after)
        for before in gone
        for after in fresh
        if affinity.get((before.member.name, after.member.name)) and before.statement.kind == after.statement.kind
    ]
    found += _closest(related, affinity)
    rest_gone = [one for one in gone if all(one is not two.before for two in found)]
    rest_fresh = [one for one in fresh if all(one is not two.after for two in found)]
    equal = [
        Pair(before, after)
        for before in rest_gone
        for after in rest_fresh
        if not _is_small(before) and compare(change.old, before, change.new, after) != "changed"
    ]
    found += _only(equal)
    rest_gone = [one for one in rest_gone if all(one is not two.before for two in found)]
    rest_fresh = [one for one in rest_fresh if all(one is not two.after for two in found)]
    if not rest_gone or not rest_fresh or not _may_be_moves(change, rest_gone, rest_fresh):
        return found, []
    homes = [tuple(sorted(one.member.id for one in side)) for side in (rest_gone, rest_fresh)]
    return found, [Ambiguous(rest_gone[0].name, homes[0], homes[1])]


def _may_be_moves(change: Change, gone: Sequence[Definition], fresh: Sequence[Definition]) -> bool:
    return any(
        one.statement.kind == two.statement.kind and similarity(change.old, one, change.new, two) >= _LIKE
        for one in gone
        for two in fresh
    )


def _only(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of which neither end is in another pair."""
    befores = Counter(id(one.before) for one in pairs)
    afters = Counter(id(one.after) for one in pairs)
    return [one for one in pairs if befores[id(one.before)] == afters[id(one.after)] == 1]


def _closest(pairs: Sequence[Pair], affinity: Mapping[tuple[str, str], int]) -> list[Pair]:
    """The pairs between whose modules more moved than between those of any other pair with one of their ends."""
    weights = [affinity[one.before.member.name, one.after.member.name] for one in pairs]
    return [
        one
        for one, weight in zip(pairs, weights, strict=True)
        if all(
            other is one or more < weight or (other.before is not one.before and other.after is not one.after)
            for other, more in zip(pairs, weights, strict=True)
        )
    ]


def _renamed(change: Change, table: _Table, found: Sequence[Pair]) -> list[Pair]:
    """Pairs of different names with one text, where nothing else has that text."""
    taken = {id(end) for one in found for end in (one.before, one.after)}
    bodies: dict[tuple[str, ...], tuple[list[Definition], list[Definition]]] = {}
    for index, (side, ends) in enumerate(((change.old, table.gone), (change.new, table.fresh))):
        for ends_of_name in ends.values():
            for one in ends_of_name:
                if id(one) not in taken and not _is_small(one):
                    bodies.setdefault(body_lines(side, one), ([], []))[index].append(one)
    return [
        Pair(gone[0], fresh[0])
        for gone, fresh in bodies.values()
        if len(gone) == len(fresh) == 1
        and gone[0].member.path != fresh[0].member.path
        and gone[0].name != fresh[0].name
    ]


def _copies(
    change: Change, table: _Table, found: Sequence[Pair], recomputed: frozenset[str]
) -> Iterator[tuple[Copy, Definition]]:
    """Definitions that came to a new home with the text they still have in the old one."""
    homes: dict[str, dict[str, Member]] = defaultdict(dict)
    for one in found:
        homes[one.after.member.name][one.before.member.name] = one.before.member
    taken = {id(one.after) for one in found}
    for name in sorted(table.fresh):
        for copy in table.fresh[name]:
            if id(copy) in taken:
                continue
            for member in homes.get(copy.member.name, {}).values():
                if name not in _defined(change.new, change.new.by_path.get(member.path)):
                    continue
                for original in definitions(change.old, member).get(name, ()):
                    if compare(change.old, original, change.new, copy) == "changed":
                        continue
                    yield Copy(name, member.id, copy.member.id, name in recomputed), copy
                    break


def _twice(table: _Table, found: Sequence[Pair]) -> Iterator[tuple[Definition, Definition | None]]:
    """Moves of names that are defined several times, before or after."""
    for one in found:
        if one.before.key in table.several:
            yield one.before, one.after
        elif one.after.key in table.several:
            yield one.after, None
