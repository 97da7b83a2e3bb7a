"""Who asked a new home for what came to it before it was there, or takes whatever the new home has: they get something
else now. Says nothing of those who take it from the old home."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from layercheck.moves.model import Reason, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change
from layercheck.moves.sites import Takers
from layercheck.project import Origin


def awaited(change: Change, pairs: Iterable[Pair]) -> Iterator[Unsupported]:
    """Places of both states where a name is asked for that a module has only got by the change."""
    resolver, uses = change.old.project.resolver, change.old.project.uses
    come = [pair for pair in pairs if change.old.member(pair.after.member.name) is not None]
    come = [pair for pair in come if resolver.origins(*pair.after.key) != {Origin("defined", *pair.before.key)}]
    asked = Takers(change.old, (), [pair.after.key for pair in come])
    for pair in come:
        home, name = pair.after.member, pair.after.name
        places = [(one.member.path, one.line) for one in asked.of(pair.after.key)]
        whole = frozenset(uses.whole(home.name))
        places += [(use.path, use.line) for use in uses.takers(home.name, name) if use not in whole]
        for path, line in _still(change, places):
            yield Unsupported(path, line, Reason("{0} was asked for {1} before that came to it", (home.id, name)))
        for path, line in _still(change, ((use.path, use.line) for use in whole)):
            why = Reason("{0} is used as a whole, and has got {1}: what takes all of it gets more", (home.id, name))
            yield Unsupported(path, line, why)


def _still(change: Change, places: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Places of the old state that are still there, each once; the file alone where its lines may have shifted."""
    for path, line in sorted(set(places)):
        if path in change.new.by_path:
            yield path, 1 if path in change.changed else line
