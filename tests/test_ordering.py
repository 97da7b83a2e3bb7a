"""The order with the least weight against it: against every order there is, and against orders known beforehand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck import graph, ordering
from layercheck.graph import Edge
from layercheck.ordering import Opening, opening

law = settings(deadline=None)


def weighed(names: str, fewest: int, most: int) -> st.SearchStrategy[dict[Edge, int]]:
    name = st.sampled_from(list(names))
    return st.dictionaries(st.tuples(name, name), st.integers(1, 4), min_size=fewest, max_size=most)


def opens(weights: Mapping[Edge, int], gone: Iterable[Edge]) -> bool:
    return bool(networkx.is_directed_acyclic_graph(networkx.DiGraph(list(weights.keys() - set(gone)))))


def cost(weights: Mapping[Edge, int], edges: Iterable[Edge]) -> int:
    return sum(weights[edge] for edge in edges)


def lightest(weights: Mapping[Edge, int]) -> tuple[int, int]:
    """The least weight against any order of the names, and the fewest edges that have it; all orders are tried."""
    found = []
    for order in itertools.permutations({name for edge in weights for name in edge}):
        against = [edge for edge in weights if order.index(edge[0]) >= order.index(edge[1])]
        found.append((cost(weights, against), len(against)))
    return min(found)


@pytest.mark.parametrize(
    ("weights", "edges"),
    [
        ({}, ()),
        ({("a", "b"): 1}, ()),
        ({("a", "a"): 3, ("a", "b"): 1}, (("a", "a"),)),
        ({("a", "b"): 3, ("b", "a"): 2}, (("b", "a"),)),
        ({("a", "b"): 3, ("b", "c"): 1, ("c", "a"): 2}, (("b", "c"),)),
        pytest.param({("a", "b"): 2, ("b", "a"): 2}, (("b", "a"),), id="as heavy either way"),
        pytest.param(
            {("a", "b"): 1, ("b", "c"): 2, ("c", "a"): 2, ("c", "d"): 1, ("d", "a"): 1}, (("a", "b"),), id="one of many"
        ),
    ],
)
def test_opening(weights: dict[Edge, int], edges: tuple[Edge, ...]) -> None:
    assert opening(weights) == Opening(edges, exact=True)


@settings(deadline=None, max_examples=150)
@given(weighed("abcdef", 0, 24))
def test_no_order_has_less_against_it_nor_as_little_with_fewer_edges(weights: dict[Edge, int]) -> None:
    found = opening(weights)
    assert found.exact
    assert (cost(weights, found.edges), len(found.edges)) == lightest(weights)


@law
@given(weighed("abcdefgh", 10, 40))
def test_the_search_finds_what_the_table_of_all_sets_finds(weights: dict[Edge, int]) -> None:
    one_way = {edge: weight for edge, weight in weights.items() if edge[::-1] not in weights or edge[0] < edge[1]}
    for ring in graph.rings(one_way):
        inside = {edge: weight for edge, weight in one_way.items() if {*edge} <= {*ring} and edge[0] != edge[1]}
        if inside:
            least = cost(inside, graph.cut(inside).edges)
            order, sure = ordering.Search(inside).below(least + 1)
            assert sure
            against = [edge for edge in inside if order.index(edge[0]) > order.index(edge[1])]
            assert cost(inside, against) == least
            assert ordering.Search(inside).below(least) == ([], True)


@law
@given(weighed("abcdef", 0, 24), st.data())
def test_order_of_the_edges_means_nothing(weights: dict[Edge, int], data: st.DataObject) -> None:
    assert opening(dict(data.draw(st.permutations([*weights.items()])))) == opening(weights)


@pytest.mark.parametrize("size", [13, 16, 25])
def test_an_order_that_is_hidden_is_found(size: int) -> None:
    """All pairs import each other, downwards always the more: no other order than the hidden one has as little."""
    order = [f"m{index:02}" for index in range(size)]
    random.Random(size).shuffle(order)
    weights = {}
    for high, low in itertools.combinations(order, 2):
        weights[high, low], weights[low, high] = 3, 2
    assert opening(weights) == Opening(tuple(sorted(edge for edge in weights if weights[edge] == 2)), exact=True)


@pytest.mark.parametrize("size", [14, 17])
def test_names_that_import_half_of_the_others_around_a_circle(size: int) -> None:
    """Cut the circle anywhere: one hop of each length 1, two of each length 2 and so on lead over the cut."""
    hops = (size - 1) // 2
    names = [f"m{index:02}" for index in range(size)]
    weights = {(names[at], names[(at + hop) % size]): 1 for at in range(size) for hop in range(1, hops + 1)}
    found = opening(weights)
    assert found.exact
    assert len(found.edges) == hops * (hops + 1) // 2


def tangle(size: int, seed: int) -> dict[Edge, int]:
    """Every two names join, at random."""
    die = random.Random(seed)
    names = [f"m{index:02}" for index in range(size)]
    pairs = (pair if die.random() < 0.5 else pair[::-1] for pair in itertools.combinations(names, 2))
    return {pair: die.randint(1, 9) for pair in pairs}


@pytest.mark.parametrize("seed", range(3))
def test_where_the_search_is_given_up_no_move_of_a_name_helps(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    weights = tangle(16, seed)
    best = opening(weights)
    assert best.exact
    monkeypatch.setattr(ordering, "EFFORT", 10)
    found = opening(weights)
    assert not found.exact
    assert opens(weights, found.edges)
    assert cost(weights, best.edges) <= cost(weights, found.edges) <= cost(weights, graph.cut(weights).edges)
    order = [*networkx.topological_sort(networkx.DiGraph([*weights.keys() - set(found.edges)]))]
    for name in order:
        others = [other for other in order if other != name]
        for place in range(len(order)):
            moved = [*others[:place], name, *others[place:]]
            against = [edge for edge in weights if moved.index(edge[0]) > moved.index(edge[1])]
            assert cost(weights, against) >= cost(weights, found.edges)


def test_of_a_large_tangle_no_edge_can_be_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "EFFORT", 1 << 16)
    weights = tangle(40, 0)
    found = opening(weights)
    assert not found.exact
    assert opens(weights, found.edges)
    for edge in found.edges:
        assert not opens(weights, {*found.edges} - {edge})
