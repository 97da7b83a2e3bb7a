"""Items of a comma-separated list taken out or added, comments and layout of the others kept. Knows only characters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from layercheck.edits.source import Edit, Source

Stretch = tuple[int, int]
"""The index of an item's first character, and of the one behind its last."""

_GAP = re.compile(r"(?:[ \t\f\r\n]|\\(?:\r\n|\r|\n)|#[^\r\n]*)*")
"""What may stand between an item and a comma or bracket: space, comments, and line ends that a backslash hides."""
_SPACE = re.compile(r"[ \t]*")
_REST = re.compile(r"[ \t]*(?:#[^\r\n]*|\\)?(?=[\r\n]|\Z)")
"""Space, and a comment or a backslash, up to the end of a line."""


def following(text: str, index: int) -> int:
    """The index of the next character that is neither space nor part of a comment."""
    match = _GAP.match(text, index)
    return match.end() if match else index


def comma_after(text: str, index: int) -> int | None:
    """The index behind the comma that follows an item; None where none does."""
    place = following(text, index)
    return place + 1 if text.startswith(",", place) else None


def closing(text: str, items: Sequence[Stretch]) -> str:
    """The bracket that closes a list; empty where none stands there."""
    end = items[-1][1]
    place = following(text, comma_after(text, end) or end)
    return text[place : place + 1] if text[place : place + 1] in (")", "]", "}") else ""


def without(source: Source, items: Sequence[Stretch], gone: Collection[int]) -> Iterator[Edit]:
    """The edits that take items out of a list in which others stay.

    ``items`` are those of one list, in the order of the text; ``gone`` are indices among them.
    """
    text = source.text
    bracket = closing(text, items)
    last_kept = max((index for index in range(len(items)) if index not in gone), default=-1)
    # A text in brackets is no tuple without a comma.
    lone = bracket == ")" and len(items) - len(gone) == 1 and text[items[last_kept][0]] in "\"'"
    if lone and comma_after(text, items[last_kept][1]) is None:
        yield Edit(items[last_kept][1], items[last_kept][1], ",")
    if 0 <= last_kept < len(items) - 1 and comma_after(text, items[-1][1]) is None:
        start, end = items[last_kept][1], items[-1][1]
        # Without brackets no comma may be left at the end; in them one may, and comments are worth keeping.
        if not bracket or "#" not in text[start : items[-1][0]]:
            comma = following(text, start)
            yield Edit(comma + 1 if lone else comma, end)
            gone = [index for index in gone if index < last_kept]
    yield from _united(source, sorted(_cut(source, items[index]) for index in gone))


def _united(source: Source, cuts: Iterable[Edit]) -> Iterator[Edit]:
    """Cuts in order, those that meet as one; with their whole line where they leave nothing of it."""
    united: list[Edit] = []
    for cut in cuts:
        if united and cut.start <= united[-1].end:
            cut = Edit(united[-1].start, max(united.pop().end, cut.end))
        united.append(cut)
    for cut in united:
        line, end = source.line_start(cut.start), source.line_end(cut.end)
        inside = source.line_start(cut.end) == line
        rest = source.text[line : cut.start] + source.text[cut.end : end]
        yield Edit(line, source.next_line(end)) if inside and not rest.strip(" \t") else cut


def _cut(source: Source, item: Stretch) -> Edit:
    """The edit that takes out one item with its comma; its whole line where it has one for itself."""
    text = source.text
    start, end = item
    stop = comma_after(text, end) or end
    rest = _REST.match(text, stop)
    line = source.line_start(start)
    alone = not text[line:start].strip(" \t")
    if alone and rest and source.line_start(stop) == source.line_start(end):
        return Edit(line, source.next_line(stop))
    if rest:
        return Edit(start if alone else len(text[:start].rstrip(" \t")), stop)
    space = _SPACE.match(text, stop)
    stop = space.end() if space else stop
    if text[stop : stop + 1] in (")", "]", "}") and not alone:
        start = len(text[:start].rstrip(" \t"))
    return Edit(start, stop)


def added(source: Source, items: Sequence[Stretch], new: Sequence[str]) -> Iterator[Edit]:
    """The edits that add items behind the last one of a list, laid out as that one is."""
    text = source.text
    start, end = items[-1]
    line = source.line_start(start)
    indent = text[line:start]
    comma = comma_after(text, end)
    if not closing(text, items) or indent.strip(" \t"):
        if comma is None:
            yield Edit(end, end, "".join(f", {item}" for item in new))
        else:
            yield Edit(comma, comma, "".join(f" {item}," for item in new))
        return
    between = f",{source.newline(line)}{indent}"
    rest = _REST.match(text, comma or end)
    place = rest.end() if rest else comma or end
    if comma is not None:
        yield Edit(place, place, f"{between[1:]}{between.join(new)},")
    elif place == end:
        yield Edit(end, end, between + between.join(new))
    else:
        yield Edit(end, end, ",")
        yield Edit(place, place, between[1:] + between.join(new))


def inserted(source: Source, items: Sequence[Stretch], new: Mapping[int, Sequence[str]]) -> Iterator[Edit]:
    """The edits that put items before others of a list, by the index of those, laid out as they are; behind the last
    one, where it is none or a comment stands above it."""
    text = source.text
    last: list[str] = []
    for place, found in sorted(new.items()):
        if place == len(items):
            last += found
            continue
        start = items[place][0]
        line = source.line_start(start)
        lead = text[line:start]
        own_line = bool(closing(text, items)) and not lead.strip(" \t")
        if own_line and line and text[source.line_start(line - 1) : line].lstrip().startswith("#"):
            last += found
            continue
        gap = f"{source.newline(line)}{lead}" if own_line else " "
        yield Edit(start, start, "".join(f"{item},{gap}" for item in found))
    if last:
        yield from added(source, items, last)
