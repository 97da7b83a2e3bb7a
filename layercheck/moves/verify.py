"""A change -> its verification: what moved, what it means, who takes it, and what is left over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from layercheck.moves.arrival import awaited
from layercheck.moves.body import changed_lines, compare
from layercheck.moves.byname import asked, by_name
from layercheck.moves.declared import stubbed, undeclared
from layercheck.moves.lost import lost
from layercheck.moves.meaning import Meanings
from layercheck.moves.model import (
    DefinitionKind,
    Leftover,
    Move,
    Place,
    Reason,
    Residual,
    Target,
    Unsupported,
    Verification,
)
from layercheck.moves.pairing import Pair, Pairing, pair
from layercheck.moves.patched import unreached
from layercheck.moves.precedence import overtaken
from layercheck.moves.rawbytes import rewritten
from layercheck.moves.residual import Leftovers
from layercheck.moves.rings import latent_rings
from layercheck.moves.sequence import Sequence
from layercheck.moves.settings import settings
from layercheck.moves.side import Change, Definition
from layercheck.moves.sites import Sites
from layercheck.moves.spelt import spelt
from layercheck.moves.strings import Renaming, entry_points, targets, words
from layercheck.moves.traces import traces


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody who knows the code says of it, and wants to see."""

    recomputed: tuple[str, ...] = ()
    """Names of constants that every module may compute for itself (a logger): copies of them are no change."""
    harmless: tuple[str, ...] = ()
    """Full names of decorators that leave no trace outside of what they decorate."""
    strings: bool = False
    """Whether words in comments and other files that name an old home are to be listed."""
    prose: Mapping[str, str] = field(default_factory=dict)
    """The texts of other files of the new state, by path, to look for such words in."""
    staying: frozenset[str] = frozenset()
    """Old homes of which patches of what both sides read are meant for what stays."""


def verify(change: Change, wishes: Wishes | None = None) -> Verification:
    """What is to be said of a change that claims only to move code."""
    wishes = wishes or Wishes()
    pairing = pair(change, wishes.recomputed)
    _read_ahead(change, pairing)
    moved = {one.before.key: one.after.key for one in pairing.pairs}
    meanings = Meanings(change, moved, wishes.recomputed, wishes.harmless)
    sites = Sites(change, pairing.pairs, meanings)
    renaming = Renaming(change, pairing.pairs)
    unsupported: list[Unsupported] = []
    moves = tuple(_moves(change, pairing, meanings, sites, unsupported, wishes.harmless))
    unsupported += _unreadable(change, pairing)
    left = Leftovers(change, pairing, meanings, renaming)
    patched = [*unreached(change, pairing.pairs, wishes.staying)]
    unsupported += [one for one in patched if isinstance(one, Unsupported)]
    reasons = [*left.residual(), *(one for one in patched if isinstance(one, Residual))]
    reasons += undeclared(change, pairing.pairs)
    reasons += stubbed(change, pairing.pairs)
    reasons += rewritten(change, pairing.pairs)
    takers = [
        taken for one in pairing.pairs for taken in (*sites.before.of(one.before.key), *sites.after.of(one.after.key))
    ]
    stars = [(site.path, move.new_name) for move in moves for site in move.sites if site.kind == "star"]
    reasons += overtaken(change, meanings, takers, stars)
    unsupported += awaited(change, pairing.pairs)
    unsupported += by_name(change, pairing.pairs)
    unsupported += asked(change, (taken for one in pairing.pairs for taken in sites.after.of(one.after.key)))
    unsupported += lost(change, meanings, pairing.pairs)
    patches, strings = targets(change, renaming)
    strings += entry_points(change, pairing.pairs)
    strings += tuple(settings(change, pairing.pairs, strings))
    phrases = [*spelt(change, pairing.pairs)]
    unsupported += [one for one in phrases if isinstance(one, Unsupported)]
    strings += tuple(one for one in phrases if isinstance(one, Target))
    if wishes.strings:
        strings += words(change, pairing.pairs, wishes.prose, (*patches, *strings))
    told = {(site.path, site.new_line) for move in moves for site in move.sites if site.broken}
    return Verification(
        moves=moves,
        ambiguous=pairing.ambiguous,
        copies=tuple(copy for copy, _ in pairing.copies),
        patch_targets=patches,
        strings=strings,
        residual=_once(one for one in reasons if one.text or (one.path, one.line) not in told),
        unsupported=tuple(dict.fromkeys(unsupported)),
        latent_rings=latent_rings(change, pairing.pairs),
        leftovers=tuple(_leftovers(change, pairing.pairs)),
    )


def _read_ahead(change: Change, pairing: Pairing) -> None:
    """Take from each file at once what is wanted of it."""
    ends = [(change.old, one.before) for one in pairing.pairs]
    ends += [(change.new, one.after) for one in pairing.pairs] + [(change.new, found) for _, found in pairing.copies]
    for side in (change.old, change.new):
        starts: dict[str, set[int]] = {}
        for its_side, one in ends:
            if its_side is side:
                starts.setdefault(one.member.path, set()).add(one.statement.start)
        for path, lines in starts.items():
            side.needs(path, lines)


def _once(found: Iterator[Residual]) -> tuple[Residual, ...]:
    return tuple(dict.fromkeys(found))


def _moves(
    change: Change,
    pairing: Pairing,
    meanings: Meanings,
    sites: Sites,
    unsupported: list[Unsupported],
    harmless: Collection[str],
) -> Iterator[Move]:
    sequence = Sequence(change, meanings, harmless)
    several = {id(one) for found, other in pairing.twice for one in (found, other)}
    for one in pairing.pairs:
        before, after = one.before, one.after
        body = compare(change.old, before, change.new, after)
        meaning = meanings.of(before, after) if body != "changed" else None
        unsupported += [
            Unsupported(after.member.path, after.statement.start, why)
            for why in (
                *_shape(one, id(before) in several or id(after) in several),
                *(meaning.unclear if meaning else ()),
                *traces(change, meanings, harmless, (before, after)),
                *sequence.turned(before, after),
            )
        ]
        unsupported += [Unsupported(path, line, why) for path, line, why in sites.unclear(one)]
        yield Move(
            name=before.name,
            kind=_kind(before),
            old_home=before.member.id,
            new_home=after.member.id,
            new_name=after.name,
            body=body,
            rebound=meaning.rebound if meaning else (),
            diff=tuple(text for _, _, text in changed_lines(change.old, before, change.new, after))
            if body == "changed"
            else (),
            old=_place(before),
            new=_place(after),
            sites=sites.of(one),
            left=sites.left(one),
        )


def _kind(definition: Definition) -> DefinitionKind:
    match definition.statement.kind:
        case "class":
            return "class"
        case "function":
            return "function"
        case _:
            return "constant"


def _place(definition: Definition) -> Place:
    return Place(definition.member.path, definition.statement.first, definition.statement.last)


def _shape(one: Pair, several: bool) -> Iterator[Reason]:
    """Why a definition cannot be followed, whatever it says."""
    name = one.before.name
    if several:
        yield Reason("{0} is defined several times in one module", (name,))
    for end in (one.before, one.after):
        if end.statement.guards:
            yield Reason("{0} is defined under `{1}`", (name, " / ".join(end.statement.guards)))
        if not end.statement.alone:
            yield Reason("{0} shares a line with other code", (name,))


def _unreadable(change: Change, pairing: Pairing) -> Iterator[Unsupported]:
    """Files that cannot be parsed: those that changed, and those that spell what moved."""
    spelt = [one.before.name.encode() for one in pairing.pairs]
    for side in (change.old, change.new):
        for path, member in side.by_path.items():
            failure = member.facts.failure
            if failure is None:
                continue
            content = side.contents.get(path, b"")
            if path in change.changed or not content or any(name in content for name in spelt):
                yield Unsupported(path, failure.line, Reason("cannot be read: {0}", (failure.message,)))


def _leftovers(change: Change, pairs: Iterable[Pair]) -> Iterator[Leftover]:
    """Imports that only what left an old home needed, and that it still has."""
    read: dict[str, set[str]] = {}
    for one in pairs:
        needs = change.old.needs(one.before.member.path, [one.before.statement.start])[0]
        read.setdefault(one.before.member.path, set()).update(free.name for free in needs.names)
    for path, names in sorted(read.items()):
        member = change.new.by_path.get(path)
        for taken in member.facts.imports if member is not None else ():
            is_kept = taken.used or (taken.aliased and taken.bound == taken.name) or taken.bound not in names
            if member is not None and taken.place == "module" and not is_kept:
                takers = change.new.project.uses.takers(member.name, taken.bound)
                exported = change.new.project.resolver.exports(member) or frozenset()
                if not takers and taken.bound not in exported:
                    yield Leftover(path, taken.span.line, taken.bound)
