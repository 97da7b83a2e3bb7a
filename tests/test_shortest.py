"""All shortest chains: laws against networkx."""

from __future__ import annotations

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.graph import successors_of
from layercheck.shortest import shortest, through

NAMES = "abcdefgh"
law = settings(deadline=None, max_examples=300)
edges = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=24)
some = st.sets(st.sampled_from(NAMES), min_size=1, max_size=3)


@law
@given(edges, some, some)
def test_they_are_those_of_networkx(pairs: list[tuple[str, str]], starts: set[str], ends: set[str]) -> None:
    ends = ends - starts
    graph = networkx.DiGraph(pairs)
    graph.add_nodes_from(NAMES)
    graph.add_edges_from(("first", name) for name in starts)
    graph.add_edges_from((name, "last") for name in ends)
    graph.add_node("last")
    try:
        # One that runs through a second start or end is longer than one that begins or ends there.
        expected = sorted(tuple(chain[1:-1]) for chain in networkx.all_shortest_paths(graph, "first", "last"))
    except networkx.NetworkXNoPath:
        expected = []
    found = shortest(successors_of(pairs), starts, ends)
    assert [*found.chains()] == expected
    assert found.count == len(expected)
    assert found.length == (len(expected[0]) - 1 if expected else 0)


@law
@given(edges, some, some, some)
def test_those_through_some_names_are_some_of_them(
    pairs: list[tuple[str, str]], starts: set[str], ends: set[str], names: set[str]
) -> None:
    found = shortest(successors_of(pairs), starts, ends - starts)
    narrowed = through(found, names)
    expected = [chain for chain in found.chains() if names & set(chain)]
    assert [tuple(name for name, _ in chain) for chain in narrowed.chains()] == expected
    assert narrowed.count == len(expected)


def test_none() -> None:
    found = shortest({}, {"a"}, {"b"})
    assert (found.length, found.count, [*found.chains()]) == (0, 0, [])
    assert through(found, {"a"}).count == 0


def test_very_many_are_counted_and_not_made() -> None:
    successors = {f"a{level}": [f"b{level}", f"c{level}"] for level in range(60)}
    for level in range(60):
        successors[f"b{level}"] = successors[f"c{level}"] = [f"a{level + 1}"]
    found = shortest(successors, {"a0"}, {"a60"})
    assert (found.length, found.count) == (120, 2**60)
    assert next(found.chains())[:3] == ("a0", "b0", "a1")
    assert through(found, {"c3", "c7"}).count == 2**60 - 2**58


def test_a_very_long_one() -> None:
    successors = {f"{number:05}": [f"{number + 1:05}"] for number in range(20_000)}
    found = shortest(successors, {"00000"}, {"20000"})
    assert len(next(found.chains())) == 20_001
