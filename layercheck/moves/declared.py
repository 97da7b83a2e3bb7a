"""Whether what declares the names of a module still says of what moved what it said: ``__all__``, and a stub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from layercheck.extract import outline
from layercheck.moves.model import Reason, Residual
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side


def undeclared(change: Change, pairs: Iterable[Pair]) -> Iterator[Residual]:
    """Entries that name what left, and what a star import gave and does not give any more (language reference 7.11)."""
    before, after = change.old.project.resolver, change.new.project.resolver
    for pair in pairs:
        (home, name), new_home = pair.before.key, pair.after.member
        left = change.new.member(home)
        if left is not None and name in (after.exports(left) or ()) and after.find(left, name) == "missing":
            why = Reason("{0} is in __all__ and not bound any more", (name,))
            yield Residual(left.path, line_of_exports(change.new, left.path), "", why)
        hides = after.exports(new_home) is not None and not after.passes(new_home, pair.after.name)
        if hides and before.passes(pair.before.member, name):
            why = Reason("a star import of {1} gave {0}, and the __all__ of {2} hides it", (name, home, new_home.id))
            yield Residual(new_home.path, line_of_exports(change.new, new_home.path), "", why)


def stubbed(change: Change, pairs: Iterable[Pair]) -> Iterator[Residual]:
    """What stubs beside old homes still declare of what left (PEP 484, "Stub Files": a checker reads them instead)."""
    for pair in pairs:
        path = str(PurePosixPath(pair.before.member.path).with_suffix(".pyi"))
        name, left = pair.before.name, change.new.member(pair.before.member.name)
        if left is not None and change.new.project.resolver.find(left, name) != "missing":
            continue
        for statement in outline(change.stubs[path]).statements if path in change.stubs else ():
            if name in statement.names:
                yield Residual(path, statement.start, "", Reason("the stub still declares {0}, which moved", (name,)))


def line_of_exports(side: Side, path: str) -> int:
    """The line of the first statement that makes ``__all__``."""
    return next((one.start for one in side.outline(path).statements if one.kind == "exports"), 1)
