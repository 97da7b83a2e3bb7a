"""Which way imports between old and new homes point now, and what would close a ring. Judges nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from layercheck.graph import rings, shortest_ring
from layercheck.moves.model import LatentRing
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side
from layercheck.project.imports import imports_of

_Edge = tuple[str, str]


def latent_rings(change: Change, pairs: Iterable[Pair]) -> tuple[LatentRing, ...]:
    """The imports that lead from a new home back to its old one, and rings at import time that the change closed."""
    homes = sorted({(pair.before.member.name, pair.after.member.name) for pair in pairs})
    closed = _closed(change, homes)
    found: list[LatentRing] = []
    told: set[tuple[str, ...]] = set()
    for old_home, new_home in homes:
        links = [link for link in imports_of(change.new.project).get(new_home, ()) if link.imported == old_home]
        ring = closed.get(new_home, ())
        if ring in told:
            ring = ()
        told.add(ring)
        if links:
            names = tuple(dict.fromkeys(link.name or "*" for link in links))
            first = links[0]
            found.append(LatentRing(old_home, new_home, first.path, first.span.line, first.kind, names, ring))
        elif ring:
            path = change.new.project.modules[new_home].path
            found.append(LatentRing(old_home, new_home, path, 1, "import-time", (), ring))
    return tuple(found)


def _closed(change: Change, homes: Sequence[_Edge]) -> Mapping[str, tuple[str, ...]]:
    """For each module in a ring that an import of the change closed, a short ring of those around it.

    A new home that was not there before takes a part of its old home: in the rings in which that was, it may be.
    """
    before, after = _edges(change.old), _edges(change.new)
    own = {name: index for index, knot in enumerate(rings(sorted(before))) for name in knot}
    knot_of = dict(own)
    for old_home, new_home in homes:
        if new_home not in change.old.project.modules and old_home in knot_of:
            knot_of[new_home] = knot_of[old_home]
    found: dict[str, tuple[str, ...]] = {}
    ends = {home for pair in homes for home in pair}
    for edges, known in ((after, knot_of), ({edge for edge in after if ends.issuperset(edge)}, own)):
        for knot in rings(sorted(edges)):
            inside = frozenset(knot)
            around = sorted(edge for edge in edges if inside.issuperset(edge))
            if any(edge not in before and not _was_in_ring(edge, known) for edge in around):
                found.update(dict.fromkeys(knot, shortest_ring(around)))
    return found


def _was_in_ring(edge: _Edge, knot_of: Mapping[str, int]) -> bool:
    """Whether the two ends of an import were in one ring before, so that it closes none that was not there."""
    return edge[0] in knot_of and knot_of[edge[0]] == knot_of.get(edge[1])


def _edges(side: Side) -> frozenset[_Edge]:
    """The imports at import time."""
    return frozenset(
        (importer, link.imported)
        for importer, links in imports_of(side.project).items()
        for link in links
        if link.kind == "import-time"
    )
