"""The nodes of a picture rank by rank, for formats that draw layers as ranks. Knows no format."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from layercheck.picture.model import Node, Picture, Place


@dataclass(frozen=True, slots=True)
class Rank:
    """Nodes that stand side by side."""

    place: Place
    label: str
    """The layer that they are in; of orders in one another, the layer of each."""
    nodes: tuple[Node, ...]


def columns(picture: Picture) -> list[list[Rank]]:
    """The ranks of nodes that are in a layer, highest first: a list for each order that lies in no layer of another.

    Within a layer an order of what lies in it makes ranks of its own. Nodes in no layer are in none of the ranks.
    """
    members: dict[Place, list[Node]] = defaultdict(list)
    for node in picture.nodes:
        if node.place:
            members[node.place].append(node)
    found: dict[int, list[Rank]] = defaultdict(list)
    for place, nodes in sorted(members.items()):
        found[place[0][0]].append(Rank(place, _label(picture, place), tuple(nodes)))
    return [ranks for _, ranks in sorted(found.items())]


def _label(picture: Picture, place: Place) -> str:
    return " / ".join(picture.orders[order].layers[layer] for order, layer in place)
