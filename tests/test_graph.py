"""Rings, cuts and chains: small cases by hand, laws against networkx and against brute force."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Sequence
from subprocess import run

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck import graph
from layercheck.graph import Edge, Ground, Route

law = settings(deadline=None)


def edges_of(text: str) -> list[Edge]:
    """``"a>b b>c"`` as edges."""
    return [(pair.partition(">")[0], pair.partition(">")[2]) for pair in text.split()]


def graphs(names: str, limit: int) -> st.SearchStrategy[list[Edge]]:
    name = st.sampled_from(list(names))
    return st.lists(st.tuples(name, name), max_size=limit, unique=True)


def acyclic(edges: Iterable[Edge]) -> bool:
    return bool(networkx.is_directed_acyclic_graph(networkx.DiGraph(list(edges))))


@pytest.mark.parametrize(
    ("edges", "rings"),
    [
        ("", []),
        ("a>b b>c", []),
        ("a>a", [("a",)]),
        ("a>b b>a", [("a", "b")]),
        ("a>b b>a a>a", [("a", "b")]),
        ("c>a a>b b>a b>d d>e e>d d>f", [("a", "b"), ("d", "e")]),
        ("z>z a>b b>c c>a", [("a", "b", "c"), ("z",)]),
    ],
)
def test_rings(edges: str, rings: list[tuple[str, ...]]) -> None:
    assert graph.rings(edges_of(edges)) == rings


@law
@given(graphs("abcdefgh", 24))
def test_every_ring_is_found_and_each_exists(edges: list[Edge]) -> None:
    whole = networkx.DiGraph(edges)
    on_rings = {name for ring in networkx.simple_cycles(whole) for name in ring}
    found = graph.rings(edges)
    assert {name for ring in found for name in ring} == on_rings
    for ring in found:
        assert all(networkx.has_path(whole, a, b) for a in ring for b in ring)
    for one, other in itertools.combinations(found, 2):
        assert not (networkx.has_path(whole, one[0], other[0]) and networkx.has_path(whole, other[0], one[0]))


@law
@given(graphs("abcdefg", 20), st.data())
def test_order_of_the_edges_means_nothing(edges: list[Edge], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(edges))
    assert graph.rings(edges) == graph.rings(shuffled)
    if graph.rings(edges):
        assert graph.shortest_ring(edges) == graph.shortest_ring(shuffled)


@law
@given(graphs("abcdefg", 20))
def test_the_shortest_ring_exists_and_none_is_shorter(edges: list[Edge]) -> None:
    cycles = list(networkx.simple_cycles(networkx.DiGraph(edges)))
    if not cycles:
        with pytest.raises(ValueError, match="no ring"):
            graph.shortest_ring(edges)
        return
    ring = graph.shortest_ring(edges)
    assert len(ring) == min(map(len, cycles))
    assert all(step in edges for step in zip(ring, [*ring[1:], ring[0]], strict=True))


@law
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), st.integers(1, 3), min_size=1, max_size=10
    )
)
def test_an_exact_cut_is_a_smallest_one(weights: dict[Edge, int]) -> None:
    found = graph.cut(weights)
    opening = [
        chosen
        for size in range(len(weights) + 1)
        for chosen in itertools.combinations(weights, size)
        if acyclic(weights.keys() - set(chosen))
    ]
    cost = min(sum(weights[edge] for edge in chosen) for chosen in opening)
    best = [set(chosen) for chosen in opening if sum(weights[edge] for edge in chosen) == cost]
    assert found.exact
    assert set(found.edges) in best
    assert found.several == (len(best) > 1)


@law
@given(graphs("abcdefghijklmnop", 60), st.integers(1, 3))
def test_a_greedy_cut_opens_every_ring_and_holds_nothing_needless(edges: list[Edge], weight: int) -> None:
    spine = [*"abcdefghijklmnop"]
    knot = dict.fromkeys([*zip(spine, [*spine[1:], "a"], strict=True), *edges], weight)
    found = graph.cut(knot)
    assert not found.exact
    assert acyclic(knot.keys() - set(found.edges))
    for edge in found.edges:
        assert not acyclic((knot.keys() - set(found.edges)) | {edge})


@pytest.mark.parametrize("spokes", [5, 30])
def test_a_cut_prefers_what_is_named_first(spokes: int) -> None:
    inward = [(f"spoke{index:02}", "hub") for index in range(spokes)]
    outward = [("hub", f"spoke{index:02}") for index in range(spokes)]
    assert set(graph.cut(dict.fromkeys([*inward, *outward], 1)).edges) == set(inward)
    assert set(graph.cut(dict.fromkeys([*outward, *inward], 1)).edges) == set(outward)


def test_a_cut_prefers_what_costs_less() -> None:
    assert graph.cut({("a", "b"): 3, ("b", "c"): 1, ("c", "a"): 2}) == graph.Cut((("b", "c"),), True, False)


def ground(
    edges: str, place: dict[str, int], barred: Sequence[tuple[int, int]], exempt: str = "", closed: str = ""
) -> Ground:
    return Ground(
        graph.successors_of(edges_of(edges)), place, barred, frozenset(exempt.split()), frozenset(closed.split())
    )


TWO = {"high": 0, "low": 1, "low.b": 1, "other": 2}


@pytest.mark.parametrize(
    ("edges", "exempt", "closed", "routes"),
    [
        pytest.param("low>high", "", "", [], id="a single edge is no chain"),
        pytest.param("low>f f>high", "", "", [Route(("low",), ("f",), ("high",))], id="through one"),
        pytest.param("high>f f>low", "", "", [], id="the way down"),
        pytest.param("low>other other>high", "", "", [], id="through another group"),
        pytest.param(
            "low>f low.b>f f>g g>high", "", "", [Route(("low", "low.b"), ("f", "g"), ("high",))], id="two heads"
        ),
        pytest.param("low.b>low low>f f>high", "", "", [Route(("low",), ("f",), ("high",))], id="last of its group"),
        pytest.param("low>f f>low.b low.b>high", "", "", [], id="back into the group"),
        pytest.param("low>f f>high", "low", "", [], id="exempt begins none"),
        pytest.param("low.b>f f>low low>g g>high", "low", "", [], id="exempt of the own group ends it"),
        pytest.param(
            "low>other other>high", "other", "", [Route(("low",), ("other",), ("high",))], id="exempt of another group"
        ),
        pytest.param("low>f f>high", "high", "", [Route(("low",), ("f",), ("high",))], id="exempt is still reached"),
        pytest.param("low>f f>high low>g g>high", "", "g", [Route(("low",), ("f",), ("high",))], id="closed"),
        pytest.param("low>f f>low.c low.c>high", "", "", [Route(("low",), ("f", "low.c"), ("high",))], id="nested"),
    ],
)
def test_chains(edges: str, exempt: str, closed: str, routes: list[Route]) -> None:
    assert graph.chains(ground(edges, TWO, [(1, 0)], exempt, closed)) == [((1, 0), route) for route in routes]


def test_an_edge_that_is_barred_by_itself_begins_no_chain() -> None:
    where = ground("low>high high>other low>f f>other", TWO, [(1, 0), (1, 2)], exempt="high")
    assert graph.chains(where) == [((1, 2), Route(("low",), ("f",), ("other",)))]


def test_no_chain_runs_through_the_group_that_it_leads_to() -> None:
    place = {"high": 0, "high.b": 0, "low": 1}
    where = ground("low>f f>high high>g g>high.b", place, [(1, 0)], exempt="high")
    assert graph.chains(where) == [((1, 0), Route(("low",), ("f",), ("high",)))]
    assert graph.chain_edges(where) == {("low", "f"), ("f", "high")}


NAMES = "abcdefgh"
places = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), max_size=6)
pairs = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: pair[0] != pair[1]), max_size=5)
subsets = st.frozensets(st.sampled_from(NAMES), max_size=2)


def every_chain(edges: Iterable[Edge], where: Ground) -> set[tuple[tuple[int, int], tuple[str, ...]]]:
    """All simple chains of two or more edges that join a barred pair, by walking every path there is."""
    whole = networkx.DiGraph(list(edges))
    found = set()
    for (source, target), start, end in itertools.product(where.barred, list(whole), list(whole)):
        if where.place.get(start) != source or where.place.get(end) != target:
            continue
        if start in where.exempt:
            continue
        for path in networkx.all_simple_paths(whole, start, end):
            middle = path[1:-1]
            free = all(
                name not in where.closed
                and (name not in where.place or (name in where.exempt and where.place[name] not in (source, target)))
                for name in middle
            )
            if middle and free and (source, where.place.get(middle[0], -1)) not in where.barred:
                found.add(((source, target), tuple(path)))
    return found


@law
@given(graphs(NAMES, 22), places, pairs, subsets, subsets)
def test_chains_agree_with_brute_force(
    edges: list[Edge],
    place: dict[str, int],
    barred: set[tuple[int, int]],
    exempt: frozenset[str],
    closed: frozenset[str],
) -> None:
    where = Ground(graph.successors_of(edges), place, sorted(barred), exempt, closed)
    expected = every_chain(edges, where)
    found = graph.chains(where)
    shown = {(pair, (head, *route.middle, end)) for pair, route in found for head in route.heads for end in route.tails}
    assert shown <= expected
    assert {pair for pair, _ in found} == {pair for pair, _ in expected}
    for pair in {pair for pair, _ in expected}:
        assert {path[0] for at, path in shown if at == pair} == {path[0] for at, path in expected if at == pair}
        lengths = [len(path) for at, path in expected if at == pair]
        assert min(len(path) for at, path in shown if at == pair) == min(lengths)
        used = {step for at, path in shown if at == pair for step in itertools.pairwise(path)}
        for at, path in expected:
            assert at != pair or used & set(itertools.pairwise(path)), "a chain that no shown chain touches"
    assert {step for _, path in expected for step in itertools.pairwise(path)} <= graph.chain_edges(where)
    if acyclic(edges):
        assert {step for _, path in expected for step in itertools.pairwise(path)} == graph.chain_edges(where)


@law
@given(graphs(NAMES, 22), places, pairs, st.data())
def test_taking_an_edge_away_never_breaks_a_kept_pair(
    edges: list[Edge], place: dict[str, int], barred: set[tuple[int, int]], data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(edges or [("a", "b")]))
    before = {pair for pair, _ in graph.chains(Ground(graph.successors_of(edges), place, sorted(barred)))}
    left = [edge for edge in edges if edge != gone]
    after = {pair for pair, _ in graph.chains(Ground(graph.successors_of(left), place, sorted(barred)))}
    assert after <= before


def test_the_heavy_libraries_are_loaded_only_when_there_is_something_to_explain() -> None:
    program = (
        "import sys\nfrom layercheck import graph\n"
        "edges = [('a', 'b'), ('b', 'c')]\n"
        "graph.rings(edges)\n"
        "graph.chains(graph.Ground(graph.successors_of(edges), {'a': 0, 'c': 1}, [(1, 0)]))\n"
        "print(sorted({'grimp', 'networkx'} & sys.modules.keys()))\n"
    )
    done = run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_grimp_gives_the_same_routes_whatever_the_hash_seed() -> None:
    program = (
        "from layercheck import graph\n"
        "edges = [(a, b) for a in 'lmnopq' for b in 'lmnopqxyz' if a != b]\n"
        "print(graph.chains(graph.Ground(graph.successors_of(edges), {'l': 1, 'm': 1, 'x': 0, 'y': 0}, [(1, 0)])))\n"
    )
    outputs = {
        run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("edges", [[("a", "b"), ("b", "a")], [("a", "a")], [("a", "elsewhere")]])
def test_where_there_are_no_levels(edges: list[Edge]) -> None:
    with pytest.raises(ValueError, match="a"):
        graph.levels(["a", "b", "c"], edges)
