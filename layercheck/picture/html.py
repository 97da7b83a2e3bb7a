"""A picture as one page that needs nothing else: the files of ``page/`` with the picture inside. Lays nothing out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

from layercheck.facts import KINDS
from layercheck.picture.model import NONE, Arrow, Picture, Violation
from layercheck.picture.tree import Branch, grow
from layercheck.report.escape import encodable, printable

_SCRIPTS = ("model", "layout", "graph", "matrix", "panel", "search", "main")
"""The scripts of the page, in the order in which they run."""


def render(picture: Picture) -> str:
    """The page. It may be opened from a disk: it asks for nothing over a network, and forbids itself to."""
    parts = {
        "title": escape(printable(picture.title)),
        "style": _file("style.css"),
        "library": _file("cytoscape.min.js"),
        "data": _embedded(_data(picture)),
        "script": "\n".join(_file(f"{name}.js") for name in _SCRIPTS),
    }
    return "".join(_filled(_file("page.html"), parts))


def _file(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _filled(template: str, parts: dict[str, str]) -> Iterator[str]:
    """The template with each ``{{name}}`` filled in. What is filled in is not looked at again."""
    for index, text in enumerate(template.replace("}}", "{{").split("{{")):
        yield parts[text] if index % 2 else text


def _embedded(data: Any) -> str:
    """Data as JSON that no text in it can end, or turn into markup, inside a script element.

    HTML standard, "Restrictions for contents of script elements".
    """
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@dataclass(slots=True)
class _Table:
    """Texts by number, each once."""

    texts: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def _data(picture: Picture) -> dict[str, Any]:
    """What page/model.js reads. Rows are arrays and refer to each other by number: large pictures stay small."""
    rows: list[list[Any]] = []
    number: dict[str, int] = {}
    _plant(grow(picture), NONE, rows, number)
    names, paths = _Table(), _Table()
    arrows = [_arrow(arrow, number, names, paths) for arrow in picture.arrows]
    return {
        "title": printable(picture.title),
        "kinds": list(KINDS),
        "drawn": list(picture.wishes.kinds),
        "open": picture.wishes.collapse,
        "orders": [[order.rule, order.package, list(order.layers)] for order in picture.orders],
        "tree": rows,
        "arrows": arrows,
        "rings": [
            [
                [number[member] for member in ring.members if member in number],
                encodable(ring.message),
                encodable(ring.help),
            ]
            for ring in picture.rings
        ],
        "violations": [_violation(violation, number) for violation in picture.violations],
        "names": list(names.texts),
        "paths": [encodable(path) for path in paths.texts],
    }


def _plant(branches: Iterable[Branch], parent: int, rows: list[list[Any]], number: dict[str, int]) -> None:
    """Add a row for each branch: parent, name, level, order, layer; for nodes also path, modules, ring, package."""
    for branch in branches:
        row: list[Any] = [parent, branch.name, branch.level, branch.order, branch.layer]
        if branch.node:
            number[branch.name] = len(rows)
            row += [encodable(branch.node.path), branch.node.modules, branch.node.ring, int(branch.node.package)]
        rows.append(row)
        _plant(branch.parts, len(rows) - 1, rows, number)


def _arrow(arrow: Arrow, number: dict[str, int], names: _Table, paths: _Table) -> list[Any]:
    links: list[int] = []
    for link in arrow.links:
        links += [paths.number(link.path), link.span.line, KINDS.index(link.kind), names.number(link.name)]
    return [number[arrow.importer], number[arrow.imported], arrow.ring, list(arrow.violations), links]


def _violation(violation: Violation, number: dict[str, int]) -> list[Any]:
    finding = violation.finding
    problem = finding.problem
    return [
        finding.rule,
        finding.check,
        finding.severity,
        encodable(problem.message),
        encodable(problem.help),
        encodable(problem.location.path),
        problem.location.line,
        number.get(problem.importer or "", NONE),
        [[number[end] for end in edge] for edge in violation.arrows if number.keys() >= {*edge}],
    ]
