"""What importing an old home ran and does not run any more, because its imports left with what moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from layercheck.graph import reach
from layercheck.moves.meaning import Meanings
from layercheck.moves.model import Reason, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, definitions
from layercheck.project import Member
from layercheck.project.imports import running_successors

_BINDING = frozenset({"import", "docstring", "pass", "exports", "class", "function", "constant"})
_LATER = ("if __name__", "if TYPE_CHECKING", "if typing.TYPE_CHECKING")


def lost(change: Change, meanings: Meanings, pairs: Iterable[Pair]) -> Iterator[Unsupported]:
    """Modules that do more than bind names, and that only what moved made its old home run."""
    homes = dict.fromkeys(pair.before.member.name for pair in pairs)
    before, after = running_successors(change.old.project), running_successors(change.new.project)
    for home in homes:
        stays = change.new.member(home)
        gone = reach(before, [home]) - reach(after, [home]) if stays is not None else ()
        for name in sorted(gone):
            old, new = change.old.member(name), change.new.member(name)
            line = _doing(change, meanings, old) if old is not None and new is not None else 0
            if stays is not None and line:
                phrase = "importing {0} no longer runs {1}, which does more than bind names (line {2})"
                yield Unsupported(stays.path, 1, Reason(phrase, (home, name, str(line))))


def _doing(change: Change, meanings: Meanings, member: Member) -> int:
    """The line of the first statement of a module of the old state that does something for others, or may: it stands
    by itself, or has a decorator that may leave a trace. What constants are made with is not looked at. Else 0."""
    for one in change.old.outline(member.path).statements:
        later = any(guard.startswith(_LATER) for guard in one.guards)
        if one.kind not in _BINDING and not later:
            return one.start
    for found in definitions(change.old, member).values():
        for definition in found:
            if meanings.tracing(definition):
                return definition.statement.start
    return 0
