"""The literals of which a patch target is made: which one changes for it to read otherwise. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck.facts import Patch, Piece
from layercheck.project import Member


def changed_piece(patch: Patch, new: str) -> tuple[Piece, str, str] | None:
    """The one literal that has to change for a target to read otherwise, with what it says and what it is to say."""
    return next(_changes(patch, new), None) if new else None


def _changes(patch: Patch, new: str) -> Iterator[tuple[Piece, str, str]]:
    before = ""
    for piece in patch.pieces:
        behind = patch.target[len(before) + len(piece.text) :]
        fits = patch.target.startswith(before + piece.text) and new.startswith(before) and new.endswith(behind)
        text = new[len(before) : len(new) - len(behind)]
        if fits and text and len(new) >= len(before) + len(behind):
            yield piece, piece.text, text
        before += piece.text


def name_of(member: Member, patch: Patch, piece: Piece) -> str:
    """The name that a literal outside of the call is bound to; empty where it stands in the call itself."""
    span, inside = piece.span, patch.span
    if (inside.line, inside.column) <= (span.line, span.column) <= (inside.end_line, inside.end_column):
        return ""
    for binding in member.facts.bindings:
        whole = binding.span
        if (whole.line, whole.column) <= (span.line, span.column) <= (whole.end_line, whole.end_column):
            return binding.name
    return ""
