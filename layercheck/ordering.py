"""The order of names that the fewest edges go against: a lightest set of edges whose removal opens every ring.

Pure, over plain names; what a ring is, the graph says. Every answer depends on nothing but the arguments.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from layercheck.graph import Edge, cut, levels, needed, rings

EFFORT = 1 << 23
"""How many names a search for a lightest order may look at before it gives up. Of 16 names in one ring there are
``2 ** 16`` sets, each with 8 on average to come next, each of which may bring a look at all 16: so many always are
enough. It takes some seconds at most."""

_CHUNK = 8
"""How many names share a table of sums: 2 ** 8 sets each."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Edges without which there is no ring left."""

    edges: tuple[Edge, ...]
    """Sorted."""
    exact: bool
    """Whether no set of edges that opens every ring weighs less; else it is a small one."""


def opening(weights: Mapping[Edge, int]) -> Opening:
    """Edges that open every ring, of the least weight that can be found; of equal weight, few.

    ``weights`` holds what each edge costs, at least 1. Of two names that import each other one edge has to go, so only
    the difference of the two counts (both ways less the lighter one); what is no ring by these differences is put in
    order by itself, and each ring by ``_lightest``.
    """
    scale = len(weights) + 1
    costs = {edge: weight * scale + 1 for edge, weight in weights.items() if edge[0] != edge[1]}
    gains = {edge: cost - costs.get(edge[::-1], 0) for edge, cost in costs.items()}
    gains = {edge: gain for edge, gain in sorted(gains.items()) if gain > 0}
    against: set[Edge] = set()
    exact = True
    for ring in rings(gains):
        inside = set(ring)
        found = _lightest({edge: gain for edge, gain in gains.items() if inside.issuperset(edge)})
        against.update(found.edges)
        exact = exact and found.exact
    names = {name for edge in costs for name in edge}
    order = [name for level in reversed(levels(names, gains.keys() - against)) for name in level]
    loops = weights.keys() - costs.keys()
    return Opening(tuple(sorted([*loops, *_upward(order, costs)])), exact)


def _upward(order: Sequence[str], edges: Iterable[Edge]) -> list[Edge]:
    """The edges that go against an order, whose highest name comes first."""
    place = {name: index for index, name in enumerate(order)}
    return [edge for edge in edges if place[edge[0]] > place[edge[1]]]


def _lightest(weights: Mapping[Edge, int]) -> Opening:
    """The edges to take out of one ring, no two of which join the same names."""
    found = cut(weights)
    if found.exact:
        return Opening(found.edges, exact=True)
    against = _settled(weights, found.edges)
    limit = sum(weights[edge] for edge in against)
    order, exact = Search(weights).below(limit)
    return Opening(tuple(_upward(order, weights) if order else against), exact)


def _settled(weights: Mapping[Edge, int], against: Sequence[Edge]) -> Sequence[Edge]:
    """The edges against an order, from one that others go against: names are moved while any move makes it lighter,
    and edges put back that open no ring."""
    neighbours: dict[str, dict[str, int]] = {}
    for (importer, imported), weight in weights.items():
        neighbours.setdefault(importer, {})[imported] = weight
        neighbours.setdefault(imported, {})[importer] = -weight
    while True:
        order = [name for level in reversed(levels(neighbours, weights.keys() - set(against))) for name in level]
        while sum(_move(order, name, neighbours[name]) for name in neighbours):
            pass
        lighter = needed(weights, _upward(order, weights))
        if sum(weights[edge] for edge in lighter) >= sum(weights[edge] for edge in against):
            return against
        against = lighter


def _move(order: list[str], name: str, neighbours: Mapping[str, int]) -> bool:
    """Put a name where the least weight goes against it; whether that is better than where it was.

    ``neighbours``: by name, the weight of the edge to it, or less than nothing that of the edge from it.
    """
    cost = best = here = 0
    target = -1
    origin = order.index(name)
    for index, other in enumerate(order):
        if index == origin:
            here = cost
        elif other in neighbours:
            cost += neighbours[other]
            if cost < best:
                best, target = cost, index
    if best >= here:
        return False
    order.pop(origin)
    order.insert(target + (target < origin), name)
    return True


class Search:
    """The lightest order of the names of one ring, by looking at sets of names that are still to be placed.

    Dynamic programming over the sets (Lawler 1964), those that cost least so far first (Dijkstra 1959), so that few of
    them are looked at where the lightest order is far lighter than most. A name that none of the others import goes
    first, and one that imports none of them goes last, in a lightest order of theirs: only what is left then branches.
    """

    def __init__(self, weights: Mapping[Edge, int]) -> None:
        self.names = sorted({name for edge in weights for name in edge})
        number = {name: index for index, name in enumerate(self.names)}
        self.importers = [0] * len(self.names)
        self.imported = [0] * len(self.names)
        costs: list[dict[int, int]] = [{} for _ in self.names]
        for (importer, imported), weight in weights.items():
            self.importers[number[imported]] |= 1 << number[importer]
            self.imported[number[importer]] |= 1 << number[imported]
            costs[number[imported]][number[importer]] = weight
        self.sums = [self._tables(cost) for cost in costs]

    def _tables(self, cost: Mapping[int, int]) -> list[list[int]]:
        """For each chunk of names, the summed cost of each set of them."""
        tables = []
        for start in range(0, len(self.names), _CHUNK):
            sums = [0]
            for index in range(start, min(start + _CHUNK, len(self.names))):
                sums += [known + cost.get(index, 0) for known in sums]
            tables.append(sums)
        return tables

    def below(self, limit: int) -> tuple[list[str], bool]:
        """The lightest order, highest name first, if it costs less than ``limit``, else none; and whether that is sure:
        not where the search was given up."""
        whole = (1 << len(self.names)) - 1
        cheapest = {whole: 0}
        before: dict[int, tuple[int, int]] = {}
        queue = [(0, whole)]
        effort = 0
        while queue and effort < EFFORT:
            cost, left = heapq.heappop(queue)
            if not left:
                return self._order(before), True
            if cost > cheapest[left]:
                continue
            for first in _bits(left):
                total = cost + self._cost(first, left)
                if total >= limit:
                    continue
                rest, looks = self._stripped(left ^ (1 << first), self.importers[first] | self.imported[first])
                effort += looks
                if total < cheapest.get(rest, limit):
                    cheapest[rest] = total
                    before[rest] = (left, first)
                    heapq.heappush(queue, (total, rest))
        return [], not queue

    def _cost(self, first: int, left: int) -> int:
        """What it costs to place a name above all others that are left: their edges to it."""
        cost = 0
        for sums in self.sums[first]:
            cost += sums[left & (1 << _CHUNK) - 1]
            left >>= _CHUNK
        return cost

    def _stripped(self, left: int, touched: int) -> tuple[int, int]:
        """What is left when names at no cost are placed too, and how many names were looked at.

        ``touched``: the names that may have become such ones.
        """
        looks = 1
        touched &= left
        while touched:
            lowest = touched & -touched
            name = lowest.bit_length() - 1
            touched ^= lowest
            looks += 1
            if not (self.importers[name] & left and self.imported[name] & left):
                left ^= lowest
                touched |= (self.importers[name] | self.imported[name]) & left
        return left, looks

    def _order(self, before: Mapping[int, tuple[int, int]]) -> list[str]:
        """The order that led to nothing being left, highest name first."""
        steps = []
        left = 0
        while left in before:
            rest = left
            left, first = before[rest]
            steps.append((left, rest, first))
        top: list[int] = []
        bottom: list[int] = []
        for left, rest, first in reversed(steps):
            top.append(first)
            left ^= 1 << first
            while left != rest:
                free = next(name for name in _bits(left & ~rest) if self._is_free(name, left))
                (top if not self.importers[free] & left else bottom).append(free)
                left ^= 1 << free
        return [self.names[name] for name in top + bottom[::-1]]

    def _is_free(self, name: int, left: int) -> bool:
        return not (self.importers[name] & left and self.imported[name] & left)


def _bits(members: int) -> Iterator[int]:
    """The names of a set."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
