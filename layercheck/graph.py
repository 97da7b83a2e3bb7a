"""Rings, cuts and chains over plain names: the only user of grimp and networkx. Knows nothing of files or links.

An edge is a pair (importer, imported). Every answer is sorted and depends on nothing but the arguments.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

Edge = tuple[str, str]
Successors = Mapping[str, Sequence[str]]

EXACT_LIMIT = 12
"""Up to how many names a smallest cut is searched for exhaustively: 2 ** 12 subsets take a tenth of a second."""


def successors_of(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """What each name imports, sorted; names that import nothing are left out."""
    successors: dict[str, list[str]] = defaultdict(list)
    for importer, imported in sorted(set(edges)):
        successors[importer].append(imported)
    return dict(successors)


def rings(edges: Iterable[Edge]) -> list[tuple[str, ...]]:
    """The strongly connected components that hold a ring, each sorted; a name that imports itself is a ring of one."""
    edges = set(edges)
    knots: list[tuple[str, ...]] = []
    core = _core(edge for edge in edges if edge[0] != edge[1])
    if core:
        import networkx  # 0.15 s: not paid where there is nothing to explain

        components = networkx.strongly_connected_components(networkx.DiGraph(core))
        knots = [tuple(sorted(component)) for component in components if len(component) > 1]
    inside = {name for knot in knots for name in knot}
    loops = {(importer,) for importer, imported in edges if importer == imported and importer not in inside}
    return sorted([*knots, *loops])


def _core(edges: Iterable[Edge]) -> list[Edge]:
    """The edges left when names that nothing imports, or that import nothing, are peeled off until none is left."""
    left = list(edges)
    for end in (0, 1):
        ahead: dict[str, list[str]] = defaultdict(list)
        blocked: dict[str, int] = defaultdict(int)
        for edge in left:
            ahead[edge[end]].append(edge[1 - end])
            blocked[edge[1 - end]] += 1
        free = [name for name in ahead if not blocked[name]]
        peeled = set(free)
        while free:
            for name in ahead.get(free.pop(), ()):
                blocked[name] -= 1
                if not blocked[name]:
                    free.append(name)
                    peeled.add(name)
        left = [edge for edge in left if edge[end] not in peeled]
    return left


def shortest_ring(edges: Iterable[Edge]) -> tuple[str, ...]:
    """One of the shortest rings among the edges, from its first name on, without the repeated last one.

    Raises ValueError where there is no ring.
    """
    successors = successors_of(edges)
    best = tuple(name for name in successors if name in successors[name])[:1]
    for start in successors:
        if best and len(best) <= 2:
            break
        best = _ring_through(start, successors, len(best) - 1 if best else len(successors)) or best
    if not best:
        raise ValueError("no ring among the edges")
    return best


def _ring_through(start: str, successors: Successors, limit: int) -> tuple[str, ...]:
    """A shortest ring through a name, of at most ``limit`` names; empty where there is none."""
    before = {start: ""}
    level = [start]
    for _ in range(limit):
        following = []
        for name in level:
            for imported in successors.get(name, ()):
                if imported == start:
                    return tuple(_trail(name, before))
                if imported not in before:
                    before[imported] = name
                    following.append(imported)
        level = following
    return ()


def _trail(name: str, before: Mapping[str, str]) -> list[str]:
    trail = [name]
    while before[trail[-1]]:
        trail.append(before[trail[-1]])
    return trail[::-1]


@dataclass(frozen=True, slots=True)
class Cut:
    """Edges whose removal opens every ring."""

    edges: tuple[Edge, ...]
    exact: bool
    """Whether no lighter cut exists; else it is a small one, from which no edge can be put back."""
    several: bool
    """Whether it is known that another cut weighs the same."""


def cut(weights: Mapping[Edge, int]) -> Cut:
    """A small set of edges whose removal opens every ring of one strongly connected component.

    ``weights`` holds what each edge costs, at least 1; where two cuts cost the same, edges named earlier are
    preferred. A feedback arc set: exact up to ``EXACT_LIMIT`` names, by dynamic programming over the sets of names
    that come first (Lawler 1964), else by the greedy order of Eades, Lin and Smyth (1993) and putting back what
    need not go.
    """
    loops = tuple(edge for edge in weights if edge[0] == edge[1])
    rest = {edge: weight for edge, weight in weights.items() if edge[0] != edge[1]}
    names = sorted({name for edge in rest for name in edge})
    if len(names) <= EXACT_LIMIT:
        found, several = _exact_cut(names, rest)
        return Cut((*loops, *found), exact=True, several=several)
    return Cut((*loops, *_greedy_cut(names, rest)), exact=False, several=False)


def levels(names: Iterable[str], edges: Iterable[Edge]) -> list[list[str]]:
    """The names that import nothing first; each other name just above the highest of what it imports.

    Raises ValueError where the edges hold a ring, or lead to another name.
    """
    imported: dict[str, set[str]] = {name: set() for name in names}
    for importer, other in edges:
        imported[importer].add(other)
    found: list[list[str]] = []
    placed: set[str] = set()
    while len(placed) < len(imported):
        level = sorted(name for name in imported if name not in placed and imported[name] <= placed)
        if not level:
            raise ValueError(sorted(imported.keys() - placed))
        found.append(level)
        placed.update(level)
    return found


def _exact_cut(names: Sequence[str], weights: Mapping[Edge, int]) -> tuple[list[Edge], bool]:
    """The lightest cut, and whether there are others as light.

    Of each set of names that come first in an order, the cost of the edges that lead back within it, and the two
    smallest sets of such edges as bit masks. An edge named earlier is a lower bit, so the smaller of two masks is the
    preferred one, and adding the same edges to both keeps their order: two for each set suffice to know whether the
    whole has two.
    """
    order = list(weights)
    bit = {name: 1 << index for index, name in enumerate(names)}
    full = (1 << len(names)) - 1
    back: list[dict[int, tuple[int, int]]] = [{} for _ in names]
    for index, edge in enumerate(order):
        back[names.index(edge[0])][bit[edge[1]]] = (weights[edge], 1 << index)
    tables = [_sums(table, full) for table in back]
    best: list[tuple[int, tuple[int, ...]]] = [(0, (0,))]
    for members in range(1, full + 1):
        cost = -1
        masks: set[int] = set()
        for index in range(len(names)):
            if not members >> index & 1:
                continue
            before = members ^ (1 << index)
            added, mask = tables[index][before]
            total = best[before][0] + added
            if cost < 0 or total < cost:
                cost, masks = total, set()
            if total == cost:
                masks.update(known | mask for known in best[before][1])
        best.append((cost, tuple(sorted(masks)[:2])))
    chosen = best[full][1]
    return [edge for index, edge in enumerate(order) if chosen[0] >> index & 1], len(chosen) > 1


def _sums(table: Mapping[int, tuple[int, int]], full: int) -> list[tuple[int, int]]:
    """For each set of names, the cost and the mask of one name's edges into it."""
    sums = [(0, 0)]
    for members in range(1, full + 1):
        lowest = members & -members
        cost, mask = sums[members ^ lowest]
        more, edge = table.get(lowest, (0, 0))
        sums.append((cost + more, mask | edge))
    return sums


def _greedy_cut(names: Sequence[str], weights: Mapping[Edge, int]) -> list[Edge]:
    """The edges that lead back in a good order of the names, less those that can be put back."""
    position = {name: index for index, name in enumerate(_greedy_order(names, weights))}
    return needed(weights, [edge for edge in weights if position[edge[0]] > position[edge[1]]])


def needed(weights: Mapping[Edge, int], gone: Collection[Edge]) -> list[Edge]:
    """Edges that open every ring, less those of them that can be put back; in the order in which they are weighed.

    What costs most to cut is put back first; of equals, what is named last in ``weights``.
    """
    kept: dict[str, set[str]] = defaultdict(set)
    for importer, imported in weights.keys() - set(gone):
        kept[importer].add(imported)
    rank = {edge: index for index, edge in enumerate(weights)}
    found = []
    for edge in sorted(gone, key=lambda edge: (-weights[edge], -rank[edge])):
        if edge[0] in reach(kept, [edge[1]]):
            found.append(edge)
        else:
            kept[edge[0]].add(edge[1])
    return sorted(found, key=rank.__getitem__)


def _greedy_order(names: Sequence[str], weights: Mapping[Edge, int]) -> list[str]:
    """Names that import much and are imported little come first; names of which nothing is left to import, last.

    A weight counts once for each edge and, far behind, by the place of the edge: of two edges that cost the same
    the one named earlier is the cheaper one to cut.
    """
    scale = len(weights) + 1
    out: dict[str, dict[str, int]] = {name: {} for name in names}
    into: dict[str, dict[str, int]] = {name: {} for name in names}
    for index, ((importer, imported), weight) in enumerate(weights.items()):
        out[importer][imported] = into[imported][importer] = weight * scale * scale + index
    surplus = {name: sum(out[name].values()) - sum(into[name].values()) for name in names}
    first: list[str] = []
    last: list[str] = []
    while surplus:
        name = next((name for name in surplus if not out[name]), "")
        if name:
            last.append(name)
        else:
            name = next((name for name in surplus if not into[name]), "") or max(surplus, key=surplus.__getitem__)
            first.append(name)
        del surplus[name]
        for imported in out.pop(name):
            surplus[imported] += into[imported].pop(name)
        for importer in into.pop(name):
            surplus[importer] -= out[importer].pop(name)
    return first + last[::-1]


def reach(successors: Mapping[str, Collection[str]], starts: Iterable[str]) -> set[str]:
    """The starts and all that they import, directly or by chain."""
    seen = set(starts)
    queue = deque(seen)
    while queue:
        for imported in successors.get(queue.popleft(), ()):
            if imported not in seen:
                seen.add(imported)
                queue.append(imported)
    return seen


@dataclass(frozen=True, slots=True, order=True)
class Route:
    """Chains that share their middle: each head imports the first of the middle, its last imports each tail."""

    heads: tuple[str, ...]
    middle: tuple[str, ...]
    tails: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Where chains are looked for.

    ``place`` says in which group a name is; names of no group are free, and chains run through them. ``barred`` are
    the pairs of groups (importer, imported) that no chain may join. ``exempt`` names may begin such a chain: none
    of their own group begins at or runs through them, while those of other groups run through them as if they were
    free. No chain runs through ``closed`` names, but one may begin or end there.
    """

    successors: Successors
    place: Mapping[str, int]
    barred: Collection[tuple[int, int]]
    exempt: AbstractSet[str] = frozenset()
    closed: AbstractSet[str] = frozenset()

    def walkable(self, name: str, source: int) -> bool:
        """Whether chains that begin in the group ``source`` run through a name."""
        if name in self.closed:
            return False
        group = self.place.get(name)
        return group is None or (name in self.exempt and group != source)


def chains(ground: Ground) -> list[tuple[tuple[int, int], Route]]:
    """The chains of two or more edges that join a barred pair of groups, for each pair: (pair, route).

    A chain leaves its group with the first edge and enters the other one with the last. An edge that joins a
    barred pair by itself is no part of one. Every name at which a chain of the pair begins is the head of a route.
    First come routes that share no edge, so that with all of them gone there is no chain left
    (``grimp.ImportGraph.find_illegal_dependencies_for_layers``); a head that none of them has gets its shortest chain.
    """
    found: list[tuple[tuple[int, int], Route]] = []
    for pair, edges in _stretches(ground):
        routes = _routes(edges, pair, ground)
        heads = {name for name, _ in edges if ground.place.get(name) == pair[0]}
        others = heads.difference(*(route.heads for route in routes))
        found += [(pair, route) for route in sorted([*routes, *_shortest(edges, sorted(others), pair[1], ground)])]
    return found


def chain_edges(ground: Ground) -> set[Edge]:
    """Every edge on the way of a chain of two or more edges that joins a barred pair of groups.

    A way may lead through one name twice, so that inside a ring of free names an edge can be counted that no chain
    needs.
    """
    return {edge for _, edges in _stretches(ground) for edge in edges}


def _stretches(ground: Ground) -> Iterator[tuple[tuple[int, int], list[Edge]]]:
    """For each barred pair that a chain joins, the edges that lie between its two groups, sorted."""
    targets: dict[int, set[int]] = defaultdict(set)
    for source, target in ground.barred:
        targets[source].add(target)
    members: dict[int, list[str]] = defaultdict(list)
    for name, group in ground.place.items():
        if group in targets and name not in ground.exempt:
            members[group].append(name)
    for source in sorted(members):
        outward = list(_outward(ground, source, sorted(members[source]), targets[source]))
        reached = {ground.place[imported] for _, imported in outward if imported in ground.place}
        for target in sorted(reached & targets[source]):
            edges = _between(outward, ground.place, source, target)
            if edges:
                yield (source, target), edges


def _outward(ground: Ground, source: int, members: Sequence[str], targets: AbstractSet[int]) -> Iterator[Edge]:
    """The edges on the ways out of a group: all that leave walkable names, and those that lead to such names."""
    seen: set[str] = set()
    queue: deque[str] = deque()

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            queue.append(name)

    for member in members:
        for imported in ground.successors.get(member, ()):
            if ground.walkable(imported, source) and ground.place.get(imported) not in targets:
                yield member, imported
                visit(imported)
    while queue:
        name = queue.popleft()
        for imported in ground.successors.get(name, ()):
            yield name, imported
            if ground.walkable(imported, source):
                visit(imported)


def _between(outward: Sequence[Edge], place: Mapping[str, int], source: int, target: int) -> list[Edge]:
    """Those of the outward edges that lead from the source group to the target group, not through either."""
    edges = [edge for edge in outward if place.get(edge[0]) != target]
    successors = successors_of(edges)
    onward = reach(successors, [name for name in successors if place.get(name) == source])
    edges = [edge for edge in edges if edge[0] in onward]
    predecessors = successors_of((imported, importer) for importer, imported in edges if place.get(imported) != source)
    backward = reach(predecessors, [name for name in predecessors if place.get(name) == target])
    return sorted(edge for edge in set(edges) if edge[1] in backward and place.get(edge[1]) != source)


def _shortest(edges: Sequence[Edge], heads: Sequence[str], target: int, ground: Ground) -> list[Route]:
    """A shortest chain from each of the heads into the target group; heads that share theirs share a route."""
    predecessors = successors_of((imported, importer) for importer, imported in edges)
    onward: dict[str, str] = {}
    """What comes behind each name on its way; the names of the target group have nothing behind them."""
    level = sorted(name for name in predecessors if ground.place.get(name) == target)
    seen = set(level)
    while level:
        following = []
        for name in level:
            for importer in predecessors.get(name, ()):
                if importer not in seen:
                    seen.add(importer)
                    onward[importer] = name
                    following.append(importer)
        level = sorted(following)
    sharing: dict[str, list[str]] = defaultdict(list)
    for head in heads:
        sharing[onward[head]].append(head)
    routes = []
    for first, together in sharing.items():
        way = [first]
        while way[-1] in onward:
            way.append(onward[way[-1]])
        routes.append(Route(tuple(together), tuple(way[:-1]), (way[-1],)))
    return routes


def _routes(edges: Sequence[Edge], pair: tuple[int, int], ground: Ground) -> list[Route]:
    """The routes between two groups, by grimp.

    grimp reads a name as a package with all below it and wants layers to be packages of their own, so it is given
    made-up names: neither nesting nor odd names can mean anything there.
    """
    from grimp import ImportGraph, Layer

    low, high = "low", "high"
    names = sorted({name for edge in edges for name in edge})
    shelf = {pair[0]: low, pair[1]: high}
    alias = {name: f"{shelf.get(ground.place.get(name, -1), 'free')}.n{index:07}" for index, name in enumerate(names)}
    original = {made_up: name for name, made_up in alias.items()}
    graph = ImportGraph()
    graph.add_module(low)
    graph.add_module(high)
    for importer, imported in edges:
        graph.add_import(importer=alias[importer], imported=alias[imported])
    found = graph.find_illegal_dependencies_for_layers([Layer(high), Layer(low)])
    return sorted(
        Route(
            heads=tuple(sorted(original[name] for name in route.heads)),
            middle=tuple(original[name] for name in route.middle),
            tails=tuple(sorted(original[name] for name in route.tails)),
        )
        for dependency in found
        for route in dependency.routes
    )
