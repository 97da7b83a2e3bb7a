"""Which definitions of one module belong together, what they share, and in which order they can leave. Knows only
names and who reads whom; no files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from layercheck.graph import reach, rings


@dataclass(frozen=True, slots=True)
class Item:
    """A definition, or several of one statement."""

    names: tuple[str, ...]
    kind: str
    reads: frozenset[str]
    """What it reads of the other definitions of its module."""
    bases: frozenset[str] = frozenset()
    """Which of those it derives from."""
    stays: str = ""
    """Why it cannot leave; empty where it can."""

    @property
    def name(self) -> str:
        """What it is called by here."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Families:
    """How a module comes apart."""

    shared: tuple[str, ...]
    """What several families read, in the order of the text: it goes first, below them."""
    families: tuple[tuple[str, ...], ...]
    """In an order in which none reads what leaves after it."""
    staying: tuple[tuple[str, str], ...]
    """What cannot leave, with the reason."""


@dataclass(slots=True)
class _Groups:
    """Things that belong together, joined two by two."""

    above: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """What the group of a name is called by."""
        while name in self.above:
            name = self.above[name]
        return name

    def join(self, names: Iterable[str]) -> None:
        """Put the groups of some names together."""
        roots = [*dict.fromkeys(map(self.of, names))]
        for root in roots[1:]:
            self.above[root] = roots[0]


def families_of(items: Sequence[Item]) -> Families:
    """How the definitions of one module come apart, in the order of its text.

    Together go what derives from one another, what reads one another mutually, and a function that chooses among
    classes that belong together. What several such groups read, and reads nothing of them, is shared. What reads one
    group only joins it, and so does a lone definition that one group only reads.
    """
    owner = {name: item.name for item in items for name in item.names}
    reads = {item.name: {owner[name] for name in item.reads if name in owner} - {item.name} for item in items}
    staying = _staying(items, reads)
    by_name = {item.name: item for item in items if item.name not in staying}
    reads = {name: reads[name] & by_name.keys() for name in by_name}
    bases = {name: {owner[base] for base in by_name[name].bases if base in owner} & reads[name] for name in by_name}
    shared = _shared(by_name, reads, bases)
    groups = _strong(by_name, reads, bases, shared)
    _join_weak(groups, reads, shared)
    _join_rings(groups, reads, shared)
    members: dict[str, list[str]] = defaultdict(list)
    for name in by_name:
        if name not in shared:
            members[groups.of(name)].append(name)
    kept = _given_back(shared, reads, groups, members)
    order = {name: index for index, name in enumerate(by_name)}
    all_names = {item.name: item.names for item in items}

    def told(found: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for one in sorted(found, key=order.__getitem__) for name in all_names[one])

    return Families(
        told(kept),
        tuple(told(members[group]) for group in _ordered(members, reads, groups, kept, order)),
        tuple((name, why) for one, why in staying.items() for name in all_names[one]),
    )


def _staying(items: Sequence[Item], reads: Mapping[str, set[str]]) -> dict[str, str]:
    """What cannot leave, or would have to import from the module that it left what cannot."""
    found = {item.name: item.stays for item in items if item.stays}
    grew = True
    while grew:
        grew = False
        for item in items:
            held = sorted(reads[item.name] & found.keys())
            if held and item.name not in found:
                found[item.name] = f"it reads {held[0]}, which stays"
                grew = True
    return {item.name: found[item.name] for item in items if item.name in found}


def _shared(items: Mapping[str, Item], reads: Mapping[str, set[str]], bases: Mapping[str, set[str]]) -> set[str]:
    """What several groups read, with all that it needs itself, where nothing of that belongs to a group."""
    shared: set[str] = set()
    for _ in items:
        groups = _strong(items, reads, bases, shared)
        sizes = Counter(groups.of(name) for name in items if name not in shared)
        found: set[str] = set()
        for name in items:
            below = reach(reads, [name]) - {name} - shared
            free = name not in shared and all(sizes[groups.of(other)] == 1 for other in below)
            if free and _is_common(name, items, reads, bases, shared, groups):
                found |= {name, *below}
        if not found:
            break
        shared |= found
    return shared


def _is_common(
    name: str,
    items: Mapping[str, Item],
    reads: Mapping[str, set[str]],
    bases: Mapping[str, set[str]],
    shared: set[str],
    groups: _Groups,
) -> bool:
    """Whether several groups, which nothing else holds together, read a definition or derive from it."""
    users = [other for other in items if name in reads[other] and other not in shared]
    heirs = [other for other in users if name in bases[other]]
    alone = _strong(items, reads, bases, shared | {name})
    if heirs:
        return len({alone.of(heir) for heir in heirs}) > 1
    if sum(groups.of(other) == groups.of(name) for other in items if other not in shared) > 1:
        return False
    return len({alone.of(user) for user in users}) > 1


def _strong(
    items: Mapping[str, Item], reads: Mapping[str, set[str]], bases: Mapping[str, set[str]], shared: Collection[str]
) -> _Groups:
    """The groups of what must go together, what is shared left out."""
    groups = _Groups()
    left = {name: items[name] for name in items if name not in shared}
    for knot in rings((name, other) for name in left for other in reads[name] if other in left):
        groups.join(knot)
    for name in left:
        groups.join([name, *(base for base in bases[name] if base in left)])
    for name, item in left.items():
        chosen = [other for other in reads[name] if other in left and left[other].kind == "class"]
        if item.kind == "function" and len(chosen) > 1:
            # They belong together already, or share a base of this module.
            common = set.intersection(*(bases[other] for other in chosen))
            if common or len({groups.of(other) for other in chosen}) == 1:
                groups.join([name, *chosen])
    return groups


def _join_weak(groups: _Groups, reads: Mapping[str, set[str]], shared: Collection[str]) -> None:
    """Join what reads one group only, or is read by one only, to that."""
    left = [name for name in reads if name not in shared]
    joined = True
    while joined:
        joined = False
        out: dict[str, set[str]] = defaultdict(set)
        into: dict[str, set[str]] = defaultdict(set)
        for name in left:
            for other in reads[name]:
                one, two = groups.of(name), groups.of(other)
                if other not in shared and one != two:
                    out[one].add(two)
                    into[two].add(one)
        sizes = Counter(groups.of(name) for name in left)
        for name in left:
            group = groups.of(name)
            only = out[group] if len(out[group]) == 1 else into[group] if sizes[group] == 1 else set()
            if len(only) == 1:
                groups.join([name, *only])
                joined = True
                break


def _join_rings(groups: _Groups, reads: Mapping[str, set[str]], shared: Collection[str]) -> None:
    """Join groups that read one another."""
    found = rings(
        (groups.of(name), groups.of(other))
        for name in reads
        for other in reads[name]
        if name not in shared and other not in shared and groups.of(name) != groups.of(other)
    )
    for knot in found:
        groups.join(knot)


def _given_back(
    shared: set[str], reads: Mapping[str, set[str]], groups: _Groups, members: dict[str, list[str]]
) -> set[str]:
    """What stays shared; what turned out to be read by one family alone goes to that."""
    kept = set(shared)
    for name in [*shared]:
        users = {other for other in reads if name in reads[other]}
        everybody = reach({one: [two for two in reads if one in reads[two]] for one in reads}, users)
        homes = {groups.of(other) for other in everybody if other not in shared}
        if len(homes) == 1:
            members[homes.pop()].append(name)
            kept.discard(name)
    return kept


def _ordered(
    members: Mapping[str, list[str]],
    reads: Mapping[str, set[str]],
    groups: _Groups,
    shared: Collection[str],
    order: Mapping[str, int],
) -> list[str]:
    """The groups, each behind those that it reads, else in the order of the text."""
    home = {name: group for group, found in members.items() for name in found}
    below = {
        group: {home[other] for name in found for other in reads[name] if other not in shared} - {group}
        for group, found in members.items()
    }
    left = sorted(members, key=lambda group: min(order[name] for name in members[group]))
    found: list[str] = []
    while left:
        free = next(group for group in left if below[group] <= {*found})
        left.remove(free)
        found.append(free)
    return found
