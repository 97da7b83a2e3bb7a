"""Which of several imports of one name comes last, in a file that takes what moved. Looks at no other name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from layercheck.moves.meaning import Meanings
from layercheck.moves.model import Reason, Residual
from layercheck.moves.side import Change, Side
from layercheck.moves.sites import Taken
from layercheck.project import Member, Origin

_Step = tuple[int, frozenset[Origin]]


def overtaken(
    change: Change, meanings: Meanings, takers: Iterable[Taken], stars: Iterable[tuple[str, str]] = ()
) -> Iterator[Residual]:
    """Where a name that a file takes of what moved is bound in another order than before: the last one wins.

    ``takers``: the imports of what moved, of both states. ``stars``: paths and names that come through star imports;
    for them a file need not have changed to get another one.
    """
    starred = frozenset(stars)
    names = {(one.member.path, one.taken.bound) for one in takers if one.taken.place == "module"} | starred
    for path, name in sorted(names):
        old, new = change.old.by_path.get(path), change.new.by_path.get(path)
        if old is None or new is None or (path not in change.changed and (path, name) not in starred):
            continue
        first, second = _steps(change.old, old, name), _steps(change.new, new, name)
        before = _without_repeats(meanings.follow(origins) for _, origins in first)
        after = _without_repeats(origins for _, origins in second)
        if max(len(before), len(after)) > 1 and before != after:
            line = second[-1][0] if second else 1
            yield Residual(path, line, "", Reason("{0} is bound several times here, and in another order", (name,)))


def _without_repeats(found: Iterable[frozenset[Origin]]) -> list[frozenset[Origin]]:
    """Which things a name is, one after the other: to be bound to the same once more changes nothing."""
    return [origins for origins, _ in groupby(found)]


def _steps(side: Side, member: Member, name: str) -> list[_Step]:
    """What binds a name at the top level, from top to bottom, each with where that comes from."""
    resolver = side.project.resolver
    found: list[_Step] = []
    for binding in member.bindings.get(name, ()):
        own = frozenset({Origin("defined", member.name, name)})
        origins = resolver.import_origins(member, binding.imported) if binding.imported >= 0 else own
        found.append((binding.span.line, origins))
    for position, taken in member.stars:
        target = resolver.target(member, position)
        source = side.member(target.module)
        if source is None:
            found.append((taken.span.line, frozenset({Origin("unknown", target.module, "*")})))
        elif resolver.passes(source, name):
            found.append((taken.span.line, resolver.origins(source.name, name)))
    return sorted(found, key=lambda step: step[0])
