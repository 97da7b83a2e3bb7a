"""Whether what steps made is only a move, and what else there is to say against it: a line for each thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from layercheck.moves.model import Move, Reason, Verification
from layercheck.moves.movesfile import MovesFile
from layercheck.moves.side import Change, Side
from layercheck.moves.step import Made
from layercheck.moves.verify import Wishes, verify


def verified(
    before: Side,
    made: Made,
    file: MovesFile,
    stubs: Mapping[str, bytes] | None = None,
    settings: Mapping[str, bytes] | None = None,
) -> Verification:
    """What ``moves verify`` says of the steps that were made, beside these stubs and settings."""
    change = Change(before, made.side, tuple(sorted(made.changed)), stubs=stubs or {}, settings=settings or {})
    staying = frozenset(step.old_home for step in file.steps if step.patches == "stay")
    return verify(change, Wishes(recomputed=file.recomputed, harmless=file.harmless, staying=staying))


def objections(found: Verification) -> list[str]:
    """Why this is no mere move; none where it passes."""
    if found.verdict == "PASS":
        return []
    return list(dict.fromkeys(_objections(found)))


def _objections(found: Verification) -> Iterator[str]:
    for ring in found.latent_rings:
        if ring.ring:
            yield f"{ring.path}:{ring.line}: a ring would close: {' -> '.join((*ring.ring, ring.ring[0]))}"
    for move in found.moves:
        yield from _of_move(move)
    for one in found.unsupported:
        yield f"{one.path}:{one.line}: {_said(one.why)}"
    for residual in found.residual:
        yield f"{residual.path}:{residual.line}: {_said(residual.why)}"
    for copy in found.copies:
        if not copy.accepted:
            yield f"{copy.name} would be in both {copy.old_home} and {copy.new_home}"
    for several in found.ambiguous:
        homes = f"{', '.join(several.old_homes)} to {', '.join(several.new_homes)}"
        yield f"{several.name}: it cannot be told which went where: {homes}"
    for target in (*found.patch_targets, *found.strings):
        if target.broken:
            new = f"; it is {target.new_text} then" if target.new_text else ""
            yield f"{target.path}:{target.new_line}: {target.text!r} would name nothing any more{new}"


def _of_move(move: Move) -> Iterator[str]:
    place = f"{move.old.path}:{move.old.first}"
    for why in move.rebound:
        yield f"{place}: {move.name} would not mean the same in {move.new_home}: {_said(why)}"
    if move.body == "changed":
        yield f"{place}: {move.name} would change on its way to {move.new_home}"
    for site in move.sites:
        if site.is_open:
            yield f"{site.path}:{site.new_line}: it would still take {move.name} from {move.old_home}"
    if move.left == "shim":
        yield f"{place}: {move.old_home} would go on offering {move.name}, which it does not use"


def _said(why: Reason) -> str:
    return why.phrase.format(*why.parts)
