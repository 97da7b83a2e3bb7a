"""The graph command: a folder -> a picture of its imports in one of several formats. Prints nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from layercheck.checks import Order, all_checks
from layercheck.config import Rule, settle
from layercheck.finding import Finding
from layercheck.picture.drawing import draw
from layercheck.picture.formats import FOLDING, FORMATS, warnings
from layercheck.picture.model import Picture, Wishes
from layercheck.run.judgement import judge
from layercheck.run.kinds import kinds_of
from layercheck.run.request import CheckRequest, Selection
from layercheck.run.side import Side, look
from layercheck.run.workers import Progress


@dataclass(frozen=True, slots=True)
class Pictured:
    """A picture as text, and what to say beside it."""

    text: str
    notes: tuple[str, ...]


def wishes_of(
    *,
    kinds: Sequence[str] = (),
    collapse: int | None = None,
    focus: Sequence[str] = (),
    depth: int | None = None,
    rings_only: bool = False,
) -> Wishes:
    """What somebody wants to see; what is left out is as in ``Wishes``. Rings are of the kinds, where any are named.

    Raises LayercheckError for a kind that there is none of.
    """
    chosen = kinds_of(kinds) if kinds else ()
    wishes = Wishes(collapse=collapse, focus=tuple(focus), rings_only=rings_only)
    if depth is not None:
        wishes = replace(wishes, depth=depth)
    return replace(wishes, kinds=chosen, ring_kinds=chosen) if chosen else wishes


def picture(
    request: CheckRequest,
    wishes: Wishes,
    format_: str,
    progress: Progress = lambda done, total: None,
) -> Pictured:
    """Draw the imports of a folder, with the layers that its rules give it and what breaks its rules about imports.

    Raises LayercheckError as ``check`` does, and where the focus is on nothing.
    """
    side = look(request, progress)
    side.cache.save(whole=True)
    config = settle(side.config, side.project.package_at)
    rules = [rule for rule in config.rules if rule.severity != "off" and all_checks()[rule.check].counts is not None]
    layerings = [(rule.name, order) for rule in rules for order in _orders(side, rule)]
    wishes = replace(wishes, foldable=format_ in FOLDING)
    drawn = draw(side.project, wishes, layerings, _findings(side, rules), side.root.name)
    text = FORMATS[format_](drawn)
    return Pictured(text, (*_notes(side, rules, drawn), *warnings(drawn, format_, text)))


def _findings(side: Side, rules: list[Rule]) -> tuple[Finding, ...]:
    """What the rules about imports say."""
    if not rules:
        return ()
    chosen = Selection(select=tuple(rule.name for rule in rules))
    found = judge(side.project, side.config, side.today, chosen, side.foreign).findings
    names = {rule.name for rule in rules}
    return tuple(finding for finding in found if finding.rule in names)


def _orders(side: Side, rule: Rule) -> tuple[Order, ...]:
    orders = all_checks()[rule.check].orders
    return orders(side.project, rule.options) if orders else ()


def _notes(side: Side, rules: list[Rule], drawn: Picture) -> Iterator[str]:
    unread = sum(member.facts.failure is not None for member in side.project.members)
    if unread:
        lost = "1 file could not be read: its" if unread == 1 else f"{unread:,} files could not be read: their"
        yield f"{lost} imports are not drawn; layercheck check names them"
    for rule in rules:
        if all_checks()[rule.check].coverage(side.project, rule.options).faults:
            yield f"rule {rule.name} does not fit this code: some of it may not be drawn; layercheck check says how"
    yield from side.project.notes
    if not drawn.nodes:
        yield "nothing is drawn: there is no import ring" if drawn.wishes.rings_only else "nothing is drawn"
