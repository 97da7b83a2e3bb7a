"""What the tests of moves share: two trees in memory, and what is said of the change between them."""

from __future__ import annotations

from collections.abc import Mapping

from layercheck.moves.model import Verification
from layercheck.moves.side import Change, Side
from layercheck.moves.verify import Wishes, verify
from tests.tree import build_project, parse_tree

Files = Mapping[str, str]


def side(files: Files) -> Side:
    """One state of a project."""
    return Side(build_project(files), {path: text.encode() for path, text in files.items() if path.endswith(".py")})


def change(before: Files, after: Files) -> Change:
    """Two states of a project."""
    old, new = side(before), side(after)
    differ = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    python = {*old.by_path, *new.by_path}
    others = tuple((path, "changed") for path in sorted(differ - python))
    return Change(old, new, tuple(sorted(differ & python)), others)


def verified(before: Files, after: Files, wishes: Wishes | None = None) -> Verification:
    """What is to be said of the change."""
    return verify(change(before, after), wishes)


def tree(text: str) -> dict[str, str]:
    """The files of a tree written as one text."""
    return dict(parse_tree(text).files)


def told(found: Verification) -> set[str]:
    """Every reason given, whatever it is about."""
    reasons = [one.why for one in found.residual] + [one.why for one in found.unsupported]
    reasons += [reason for move in found.moves for reason in move.rebound]
    return {reason.phrase.format(*reason.parts) for reason in reasons}


def explanation(found: Verification) -> str:
    """What a failed assertion should show."""
    lines = [f"{one.path}:{one.line}: {one.text} -- {one.why}" for one in (*found.residual,)]
    lines += [f"{one.path}:{one.line}: {one.why}" for one in found.unsupported]
    lines += [f"{move.name}: {move.body}, {move.left}, {move.rebound}, {move.sites}" for move in found.moves]
    return "\n".join([found.verdict, *lines, str(found.ambiguous), str(found.copies), str(found.latent_rings)])
