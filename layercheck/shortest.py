"""All shortest chains from some names to others, over plain names. Knows nothing of files or links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest chains that there are: none, or several of the same length."""

    length: int
    """How many imports each of them has; 0 where there is no chain."""
    count: int
    starts: tuple[str, ...]
    """The names at which one begins, sorted."""
    onward: Mapping[str, tuple[str, ...]]
    """What comes behind each name on some of them, sorted; the last names have nothing behind them."""

    def chains(self) -> Iterator[tuple[str, ...]]:
        """Each of them once, in the order of their names."""
        for start in self.starts:
            way = [start]
            left = [iter(self.onward.get(start, ()))]
            while left:
                following = next(left[-1], None)
                if following is None:
                    left.pop()
                    way.pop()
                elif following in self.onward:
                    way.append(following)
                    left.append(iter(self.onward[following]))
                else:
                    yield (*way, following)


NONE = Shortest(0, 0, (), {})


def shortest(successors: Mapping[str, Sequence[str]], starts: AbstractSet[str], ends: AbstractSet[str]) -> Shortest:
    """The shortest chains of at least one import from any of the starts to any of the ends; these have no name in
    common. Only its first name is a start, and only its last one an end."""
    level = sorted(starts)
    seen = set(level)
    before: dict[str, list[str]] = {}
    length = 0
    reached: list[str] = []
    while level and not reached:
        length += 1
        following: dict[str, list[str]] = {}
        for name in level:
            for imported in successors.get(name, ()):
                if imported not in seen:
                    following.setdefault(imported, []).append(name)
        before.update(following)
        seen.update(following)
        level = sorted(following)
        reached = [name for name in level if name in ends]
    if not reached:
        return NONE
    ways: dict[str, int] = dict.fromkeys(reached, 1)
    onward: dict[str, tuple[str, ...]] = {}
    for _ in range(length):
        behind: dict[str, list[str]] = {}
        for name in ways:
            for importer in before[name]:
                behind.setdefault(importer, []).append(name)
        onward.update({name: tuple(sorted(imported)) for name, imported in behind.items()})
        ways = {name: sum(ways[imported] for imported in imported_ones) for name, imported_ones in behind.items()}
    return Shortest(length, sum(ways.values()), tuple(sorted(ways)), onward)
