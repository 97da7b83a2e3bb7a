"""What the tests of moves share: two trees in memory, and what is said of the change between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from layercheck.moves.model import LatentRing, Leftover, Residual, Unsupported, Verification
from layercheck.moves.settings import is_settings
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
    settings = {path: text.encode() for path, text in after.items() if is_settings(path)}
    return Change(old, new, tuple(sorted(differ & python)), others, settings=settings)


def verified(before: Files, after: Files, wishes: Wishes | None = None) -> Verification:
    """What is to be said of the change, which must make sense whatever it is."""
    found = verify(change(before, after), wishes)
    msgspec.convert(msgspec.to_builtins(found), Verification)  # raises where a field is not of its type
    faults = [*_faults(before, after, found)]
    assert not faults, faults
    return found


def _faults(before: Files, after: Files, found: Verification) -> Iterator[object]:
    """What points to no line, or to another than it shows."""
    old, new = ({path: text.split("\n") for path, text in files.items()} for files in (before, after))
    yield from (one for one in found.residual if one.line and not _shows(old, new, one))
    places: list[Unsupported | Leftover | LatentRing] = [*found.unsupported, *found.leftovers, *found.latent_rings]
    for one in places:
        if not _is_line(new, one.path, one.line):
            yield one
    for target in (*found.patch_targets, *found.strings):
        if target.path in {*old, *new} and not (
            _is_line(old, target.path, target.old_line) and _is_line(new, target.path, target.new_line)
        ):
            yield target
    for site in (site for move in found.moves for site in move.sites):
        if not (_is_line(old, site.old_path or site.path, site.old_line) and _is_line(new, site.path, site.new_line)):
            yield site


def _is_line(files: Mapping[str, list[str]], path: str, line: int | None) -> bool:
    return line is None or (path in files and 1 <= line <= len(files[path]))


def _shows(old: Mapping[str, list[str]], new: Mapping[str, list[str]], one: Residual) -> bool:
    if one.text:
        files = old if one.text[0] == "-" else new
        return _is_line(files, one.path, one.line) and one.text[1:].strip() in files[one.path][one.line - 1]
    if "in __all__" in one.why.phrase:
        return "__all__" in new[one.path][one.line - 1]
    return _is_line(new, one.path, one.line) or _is_line(old, one.path, one.line)


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
