"""A picture as a Mermaid flowchart: layers as boxes, violations in red, rings in orange."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from layercheck.picture.model import NONE, Arrow, Node, Picture
from layercheck.picture.ranks import columns

MOST_ARROWS = 500
MOST_CHARACTERS = 50_000
"""What Mermaid draws at most unless it is configured otherwise (its ``maxEdges`` and ``maxTextSize``)."""

_RED, _ORANGE = "#c62828", "#e07b00"


def render(picture: Picture) -> str:
    """The picture as one flowchart (mermaid.js.org, "Flowcharts"). Names stand in labels only, so none can break it."""
    ids = {node.name: f"n{index}" for index, node in enumerate(picture.nodes)}
    lines = ["flowchart TB", *_nodes(picture, ids)]
    lines += [_arrow(arrow, ids) for arrow in picture.arrows]
    lines += _colours(picture, ids)
    return "".join(f"{line}\n" for line in lines)


def escaped(text: str) -> str:
    """A text as it may stand in a quoted label: what means something to Mermaid or HTML as an entity."""
    return "".join(one if one.isalnum() or one in " ._-,/" else f"#{ord(one)};" for one in text)


def _nodes(picture: Picture, ids: dict[str, str]) -> Iterator[str]:
    boxes = 0
    held = set()
    for ranks in columns(picture):
        for rank in ranks:
            yield f'  subgraph layer{boxes}["{escaped(rank.label)}"]'
            yield from (f"    {_node(node, ids)}" for node in rank.nodes)
            yield "  end"
            held |= {node.name for node in rank.nodes}
            boxes += 1
    yield from (f"  {_node(node, ids)}" for node in picture.nodes if node.name not in held)


def _node(node: Node, ids: dict[str, str]) -> str:
    name = escaped(node.name)
    if node.modules > 1:
        return f'{ids[node.name]}[["{name} - {node.modules:,} modules"]]'
    return f'{ids[node.name]}["{name}"]'


def _arrow(arrow: Arrow, ids: dict[str, str]) -> str:
    line = "-->" if any(link.kind == "import-time" for link in arrow.links) else "-.->"
    label = f"|{len(arrow.links):,}|" if len(arrow.links) > 1 else ""
    return f"  {ids[arrow.importer]} {line}{label} {ids[arrow.imported]}"


def _colours(picture: Picture, ids: dict[str, str]) -> Iterator[str]:
    red = [index for index, arrow in enumerate(picture.arrows) if arrow.violations]
    orange = [index for index, arrow in enumerate(picture.arrows) if arrow.ring != NONE and not arrow.violations]
    yield from _line(orange, _ORANGE)
    yield from _line(red, _RED)
    ring = [ids[node.name] for node in picture.nodes if node.ring != NONE]
    if ring:
        yield f"  classDef ring stroke:{_ORANGE},stroke-width:2px"
        yield f"  class {','.join(ring)} ring"


def _line(arrows: Sequence[int], colour: str) -> Iterator[str]:
    if arrows:
        yield f"  linkStyle {','.join(map(str, arrows))} stroke:{colour},stroke-width:2px"
