"""A picture in the language of Graphviz: layers as ranks, violations in red, rings in orange."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck.picture.model import NONE, Arrow, Node, Picture
from layercheck.picture.ranks import columns

_RED, _ORANGE = "#c62828", "#e07b00"


def render(picture: Picture) -> str:
    """The picture as one directed graph (graphviz.org, "DOT Language")."""
    lines = [
        "digraph imports {",
        "  graph [rankdir=TB, newrank=true];",
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica"];',
        '  edge [color="#888888", fontname="Helvetica", fontsize=10];',
        *(f"  {_node(node)}" for node in picture.nodes),
        *(f"  {line}" for line in _ranks(picture)),
        *(f"  {_arrow(picture, arrow)}" for arrow in picture.arrows),
        "}",
    ]
    return "".join(f"{line}\n" for line in lines)


def quoted(text: str) -> str:
    """A text as an identifier; a backslash would begin an escape of labels."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _attributes(**attributes: str) -> str:
    shown = ", ".join(f"{key}={quoted(value)}" for key, value in attributes.items())
    return f" [{shown}]" if shown else ""


def _node(node: Node) -> str:
    attributes = {"label": f"{node.name}\n{node.modules:,} modules"} if node.modules > 1 else {}
    if node.modules > 1:
        attributes["shape"] = "folder"
    if node.ring != NONE:
        attributes["color"] = _ORANGE
    return f"{quoted(node.name)}{_attributes(**attributes)};"


def _ranks(picture: Picture) -> Iterator[str]:
    """Each layer on a rank of its own, labelled at the side and held below the one above it."""
    for number, ranks in enumerate(columns(picture)):
        labels = [f"layer {number}.{index}" for index in range(len(ranks))]
        for label, rank in zip(labels, ranks, strict=True):
            yield f"{quoted(label)}{_attributes(label=rank.label, shape='plaintext', style='', fontcolor='#666666')};"
            yield f"{{ rank=same; {' '.join(f'{quoted(name)};' for name in (label, *(n.name for n in rank.nodes)))} }}"
        if len(labels) > 1:
            yield f"{' -> '.join(map(quoted, labels))} [style=invis];"


def _arrow(picture: Picture, arrow: Arrow) -> str:
    attributes = {}
    if len(arrow.links) > 1:
        attributes["label"] = f"{len(arrow.links):,}"
    if all(link.kind != "import-time" for link in arrow.links):
        attributes["style"] = "dashed"
    if arrow.ring != NONE:
        attributes["color"] = _ORANGE
    if arrow.violations:
        rules = sorted({picture.violations[index].finding.rule for index in arrow.violations})
        # Else the arrow, which often goes up, would have a say in the ranks.
        attributes |= {"color": _RED, "penwidth": "2", "constraint": "false", "tooltip": ", ".join(rules)}
    return f"{quoted(arrow.importer)} -> {quoted(arrow.imported)}{_attributes(**attributes)};"
