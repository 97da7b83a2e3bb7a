"""Whether what declares the names of a module still says of what moved what it said: ``__all__``, and a stub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from layercheck.extract import extract, outline
from layercheck.moves.model import Reason, Residual
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side
from layercheck.names import resolve_relative
from layercheck.outline import Outline
from layercheck.project import Member

Key = tuple[str, str]
"""A module and a name in it."""


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
    """What stubs say of where it was that moved (PEP 484, "Stub Files": a checker reads them instead of the code).

    One beside an old home still declares it, one beside a new home that was there does not, or any takes it from the
    old home.
    """
    stubs = {path: outline(content) for path, content in change.stubs.items()}
    left: dict[Key, Pair] = {}
    for pair in pairs:
        home, name = pair.before.key
        after = change.new.member(home)
        if after is None or change.new.project.resolver.find(after, name) == "missing":
            left[home, name] = pair
    for (_, name), pair in left.items():
        for line in _declared(stubs.get(_beside(pair.before.member)), name):
            why = Reason("the stub still declares {0}, which moved", (name,))
            yield Residual(_beside(pair.before.member), line, "", why)
        path, new_name = _beside(pair.after.member), pair.after.name
        if path in stubs and not stubs[path].failure and not _declared(stubs[path], new_name):
            yield Residual(path, 1, "", Reason("the stub does not declare {0}, which moved here", (new_name,)))
    for path, content in change.stubs.items():
        yield from _taken(change, left, path, content)


def _taken(change: Change, left: Mapping[Key, Pair], path: str, content: bytes) -> Iterator[Residual]:
    """What one stub takes from where it is no more."""
    member = change.new.by_path.get(path.removesuffix("i"))
    for taken in extract(content).imports if member is not None and left else ():
        home = resolve_relative(taken.module, taken.level, member.base) if member is not None else None
        if home is not None and (home, taken.name) in left:
            why = Reason("the stub still takes {0} from {1}, which it left", (taken.name, home))
            yield Residual(path, taken.span.line, "", why)


def _beside(member: Member) -> str:
    """The path at which the stub of a file stands."""
    return str(PurePosixPath(member.path).with_suffix(".pyi"))


def _declared(stub: Outline | None, name: str) -> list[int]:
    """The lines on which a stub declares or imports a name."""
    if stub is None:
        return []
    bound = [one.start for one in stub.statements if name in one.names]
    return bound + [line for annotated, line in stub.annotated if annotated == name]


def line_of_exports(side: Side, path: str) -> int:
    """The line of the first statement that makes ``__all__``."""
    return next((one.start for one in side.outline(path).statements if one.kind == "exports"), 1)
