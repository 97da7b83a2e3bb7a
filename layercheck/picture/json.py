"""A picture as JSON, version 1: docs/graph.md says what each key means. Keys are added, never renamed."""

from __future__ import annotations

import json
from typing import Any

from layercheck.picture.model import NONE, Arrow, Node, Picture, Ring, Violation
from layercheck.project import Link
from layercheck.report.escape import encodable

VERSION = 1


def render(picture: Picture) -> str:
    """The picture as one JSON object, in ASCII, ending in a line break."""
    data = {
        "version": VERSION,
        "title": encodable(picture.title),
        "kinds": list(picture.wishes.kinds),
        "orders": [
            {"rule": order.rule, "package": order.package, "layers": list(order.layers)} for order in picture.orders
        ],
        "nodes": [_node(node) for node in picture.nodes],
        "arrows": [_arrow(arrow) for arrow in picture.arrows],
        "rings": [_ring(ring) for ring in picture.rings],
        "violations": [_violation(violation) for violation in picture.violations],
    }
    return json.dumps(data, indent=1) + "\n"


def _index(value: int) -> int | None:
    return None if value == NONE else value


def _node(node: Node) -> dict[str, Any]:
    return {
        "name": node.name,
        "path": encodable(node.path) or None,
        "package": node.package,
        "modules": node.modules,
        "layers": [{"order": order, "layer": layer} for order, layer in node.place],
        "ring": _index(node.ring),
    }


def _arrow(arrow: Arrow) -> dict[str, Any]:
    return {
        "importer": arrow.importer,
        "imported": arrow.imported,
        "ring": _index(arrow.ring),
        "violations": list(arrow.violations),
        "links": [_link(link) for link in arrow.links],
    }


def _link(link: Link) -> dict[str, Any]:
    return {
        "importer": link.importer,
        "imported": link.imported,
        "name": link.name or None,
        "path": encodable(link.path),
        "line": link.span.line,
        "column": link.span.column,
        "kind": link.kind,
        "flags": list(link.flags),
    }


def _ring(ring: Ring) -> dict[str, Any]:
    return {"members": list(ring.members), "message": encodable(ring.message), "help": encodable(ring.help)}


def _violation(violation: Violation) -> dict[str, Any]:
    finding = violation.finding
    problem = finding.problem
    return {
        "rule": finding.rule,
        "check": finding.check,
        "severity": finding.severity,
        "message": encodable(problem.message),
        "help": encodable(problem.help),
        "path": encodable(problem.location.path),
        "line": problem.location.line,
        "column": problem.location.column,
        "importer": None if problem.importer is None else encodable(problem.importer),
        "imported": None if problem.imported is None else encodable(problem.imported),
        "fingerprint": finding.fingerprint,
    }
