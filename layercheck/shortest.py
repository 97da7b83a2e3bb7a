"""All shortest chains from some names to others, over plain names. Knows nothing of files or links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic, TypeVar

Node = TypeVar("Node", str, tuple[str, bool])
"""A name; or one with whether the way there has come through something."""


@dataclass(frozen=True, slots=True)
class Shortest(Generic[Node]):
    """The shortest chains that there are: none, or several of the same length."""

    length: int
    """How many imports each of them has; 0 where there is no chain."""
    count: int
    starts: tuple[Node, ...]
    """The names at which one begins, sorted."""
    onward: Mapping[Node, tuple[Node, ...]]
    """What comes behind each name on some of them, sorted; the last names have nothing behind them."""

    def chains(self) -> Iterator[tuple[Node, ...]]:
        """Each of them once, in the order of their names."""
        for start in self.starts:
            way: list[Node] = [start]
            left = [iter(self.onward.get(start, ()))]
            while left:
                following = next(left[-1], None)
                if following is None:
                    left.pop()
                    way.pop()
                    continue
                way.append(following)
                if following in self.onward:
                    left.append(iter(self.onward[following]))
                else:
                    yield tuple(way)
                    way.pop()


def shortest(
    successors: Mapping[Node, Sequence[Node]], starts: AbstractSet[Node], ends: AbstractSet[Node]
) -> Shortest[Node]:
    """The shortest chains of at least one import from any of the starts to any of the ends; these have no name in
    common. Only its first name is a start, and only its last one an end."""
    level = sorted(starts)
    seen = set(level)
    before: dict[Node, list[Node]] = {}
    length = 0
    reached: list[Node] = []
    while level and not reached:
        length += 1
        following: dict[Node, list[Node]] = {}
        for name in level:
            for imported in successors.get(name, ()):
                if imported not in seen:
                    following.setdefault(imported, []).append(name)
        before.update(following)
        seen.update(following)
        level = sorted(following)
        reached = [name for name in level if name in ends]
    if not reached:
        return Shortest(0, 0, (), {})
    ways: dict[Node, int] = dict.fromkeys(reached, 1)
    onward: dict[Node, tuple[Node, ...]] = {}
    for _ in range(length):
        behind: dict[Node, list[Node]] = {}
        for name in ways:
            for importer in before[name]:
                behind.setdefault(importer, []).append(name)
        onward.update({name: tuple(sorted(imported)) for name, imported in behind.items()})
        ways = {name: sum(ways[imported] for imported in imported_ones) for name, imported_ones in behind.items()}
    return Shortest(length, sum(ways.values()), tuple(sorted(ways)), onward)


def through(found: Shortest[str], names: AbstractSet[str]) -> Shortest[tuple[str, bool]]:
    """Those of the chains on which one of the names is; with each name stands whether one was met on the way to it."""
    successors = {
        (name, met): [(imported, met or imported in names) for imported in imported_ones]
        for name, imported_ones in found.onward.items()
        for met in (False, True)
    }
    ends = {name for imported_ones in found.onward.values() for name in imported_ones} - found.onward.keys()
    return shortest(successors, {(name, name in names) for name in found.starts}, {(name, True) for name in ends})
