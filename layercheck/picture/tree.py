"""A picture as a tree of packages, with the level on which each part of a package stands. Draws nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from layercheck import names
from layercheck.graph import Edge, levels
from layercheck.ordering import opening
from layercheck.picture.model import NONE, Node, Picture


@dataclass(frozen=True, slots=True)
class Branch:
    """A package with its parts, or a node of the picture, which is a part without parts."""

    name: str
    """For the ``__init__.py`` of a package beside its other parts: the package's name too."""
    node: Node | None
    """None for a package that is drawn in parts."""
    level: int = 0
    """On which level among the parts of its package, from 0 for the highest."""
    order: int = NONE
    """The order of which a layer holds it, where that tells it from other parts: index into the picture's orders."""
    layer: int = NONE
    """Which layer: the highest, where it has parts in several."""
    parts: tuple[Branch, ...] = ()
    """By level, then by name."""

    @property
    def modules(self) -> int:
        """How many modules it holds."""
        return self.node.modules if self.node else sum(part.modules for part in self.parts)


def grow(picture: Picture) -> tuple[Branch, ...]:
    """The top-level packages and modules of a picture, with all that is in them.

    The parts of a package stand on levels: first by the layers of rules, where they tell the parts apart; within a
    layer what is imported stands below what imports it, as far as rings allow.
    """
    nodes = {node.name: node for node in picture.nodes}
    parts: dict[str, set[str]] = defaultdict(set)
    spans: dict[str, dict[int, int]] = defaultdict(dict)
    for name, node in nodes.items():
        for below, above in pairwise((*names.lineage(name), "")):
            parts[above].add(below)
        for around in names.lineage(name):
            for order, layer in node.place:
                spans[around][order] = min(layer, spans[around].get(order, layer))
    for package in parts.keys() & nodes.keys():
        parts[package].add(package)
    return () if not nodes else _branches("", _Ground(picture, nodes, parts, spans, _weights(picture, parts)))


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a tree is grown from."""

    picture: Picture
    nodes: Mapping[str, Node]
    parts: Mapping[str, AbstractSet[str]]
    """What lies directly in each package; the package itself stands for its own node."""
    spans: Mapping[str, Mapping[int, int]]
    """For each name the highest layer of each order in which it, or anything below it, is."""
    weights: Mapping[str, Mapping[Edge, int]]
    """For each package how many imports join two of its parts."""

    def span(self, part: str, package: str) -> Mapping[int, int]:
        """As ``spans``, of a part of a package."""
        return dict(self.nodes[part].place) if part == package else self.spans[part]


def _weights(picture: Picture, parts: Mapping[str, AbstractSet[str]]) -> Mapping[str, Mapping[Edge, int]]:
    weights: dict[str, dict[Edge, int]] = defaultdict(dict)
    for arrow in picture.arrows:
        if arrow.importer == arrow.imported:
            continue
        ends = (arrow.importer, arrow.imported)
        package = next(
            (name for name in names.lineage(ends[0]) if name in parts and names.is_within(ends[1], name)), ""
        )
        edge = (_part(ends[0], package), _part(ends[1], package))
        weights[package][edge] = weights[package].get(edge, 0) + len(arrow.links)
    return weights


def _part(name: str, package: str) -> str:
    """The part of a package that a name is in."""
    return name if name == package else names.below(name, package)


def _branches(package: str, ground: _Ground) -> tuple[Branch, ...]:
    found = []
    for level, (place, row) in enumerate(_rows(package, ground)):
        for name in row:
            if name != package and name in ground.parts:
                found.append(Branch(name, None, level, *place, _branches(name, ground)))
            else:
                found.append(Branch(name, ground.nodes[name], level, *place))
    return tuple(found)


_Layer = tuple[int, int]
"""An order and one of its layers, by index; none of both for what is in no layer."""


def _rows(package: str, ground: _Ground) -> Iterator[tuple[_Layer, list[str]]]:
    """The parts of a package level by level, highest first, each level with its layer."""
    weights = ground.weights.get(package, {})
    groups: dict[_Layer, set[str]] = defaultdict(set)
    for part, layer in _layers(package, ground).items():
        groups[layer].add(part)
    order = sorted(groups)
    free = groups.get((NONE, NONE), set())
    if order[0] == (NONE, NONE) and not any(one in free and other not in free for one, other in weights):
        order = order[1:] + order[:1]  # what is in no layer stands above only if it imports what is in one
    for layer in order:
        inside = groups[layer]
        edges = {edge: weight for edge, weight in sorted(weights.items()) if inside.issuperset(edge)}
        for row in reversed(levels(inside, edges.keys() - set(opening(edges).edges))):
            yield layer, row


def _layers(package: str, ground: _Ground) -> Mapping[str, _Layer]:
    """The layer of each part, by the first order about this package, or one around it, that tells its parts apart."""
    spans = {part: ground.span(part, package) for part in ground.parts[package]}
    for index, order in enumerate(ground.picture.orders):
        if names.is_within(package, order.package) and len({span.get(index) for span in spans.values()}) > 1:
            return {part: (index, span[index]) if index in span else (NONE, NONE) for part, span in spans.items()}
    return dict.fromkeys(spans, (NONE, NONE))
