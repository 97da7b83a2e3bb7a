"""Which way imports between old and new homes point now, and what would close a ring. Judges nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from layercheck.graph import rings, shortest_ring
from layercheck.moves.model import LatentRing
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side
from layercheck.project.imports import imports_of


def latent_rings(change: Change, pairs: Iterable[Pair]) -> tuple[LatentRing, ...]:
    """The imports that lead from a new home back to its old one, and rings at import time that the change closed."""
    homes = sorted({(pair.before.member.name, pair.after.member.name) for pair in pairs})
    before = {name for ring in _rings(change.old) for name in ring}
    found: list[LatentRing] = []
    told: set[tuple[str, ...]] = set()
    knots = _rings(change.new)
    for old_home, new_home in homes:
        links = [link for link in imports_of(change.new.project).get(new_home, ()) if link.imported == old_home]
        knot = next((ring for ring in knots if new_home in ring and not before.issuperset({new_home})), ())
        ring = _shortest(change.new, knot) if knot and (old_home in knot or not links) else ()
        if links:
            names = tuple(dict.fromkeys(link.name or "*" for link in links))
            first = links[0]
            found.append(LatentRing(old_home, new_home, first.path, first.span.line, first.kind, names, ring))
            told.add(ring)
        elif ring and ring not in told:
            told.add(ring)
            path = change.new.project.modules[new_home].path
            found.append(LatentRing(old_home, new_home, path, 1, "import-time", (), ring))
    return tuple(found)


def _edges(side: Side) -> Iterator[tuple[str, str]]:
    for importer, links in imports_of(side.project).items():
        for link in links:
            if link.kind == "import-time":
                yield importer, link.imported


def _rings(side: Side) -> Sequence[tuple[str, ...]]:
    return rings(sorted(set(_edges(side))))


def _shortest(side: Side, knot: Iterable[str]) -> tuple[str, ...]:
    inside = frozenset(knot)
    return shortest_ring(sorted({edge for edge in _edges(side) if inside.issuperset(edge)}))
