"""Names taken out of ``__all__``, and put into it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from layercheck.edits.lists import Stretch, closing, comma_after, following, without
from layercheck.edits.source import Edit, EditError, Source
from layercheck.facts import Exports, ExportStep

_OPENING = re.compile(r"[^\w\s\])]\s*\(\s*\Z")
"""A bracket that opens right before an item, and is not that of a call."""


def without_exports(source: Source, exports: Exports | None, gone: Collection[str]) -> Iterator[Edit]:
    """The edits that take names out of ``__all__``.

    Raises EditError where one of them is not written as a text of its own in brackets.
    """
    steps = exports.steps if exports else ()
    for items in _lists(source, steps):
        leaving = [index for index, step in enumerate(items) if step.op == "add" and step.name in gone]
        if not leaving:
            continue
        stretches = [source.stretch(step.span) for step in items]
        plain = _is_display(source, stretches) and all(_is_text(source, items[index]) for index in leaving)
        if not plain:
            raise EditError("its __all__ is not a plain list of texts")
        yield from without(source, stretches, leaving)


def with_exports(source: Source, exports: Exports | None, added: Sequence[str]) -> Iterator[Edit]:
    """The edits that put names behind the last one of ``__all__``, on lines of their own where that one has its own.

    Raises EditError where that is not written as a text of its own in brackets.
    """
    items = [*_lists(source, exports.steps if exports else ())][-1:]
    if not items or items[0][-1].op != "add" or not _is_text(source, items[0][-1]):
        raise EditError("its __all__ is not a plain list of texts")
    if not _is_display(source, [source.stretch(step.span) for step in items[0]]):
        raise EditError("its __all__ is not a plain list of texts")
    start, end = source.stretch(items[0][-1].span)
    first = source.line_start(start)
    lead = source.text[first:start]
    own_line = not lead.strip() and first > 0
    gap = (source.text[len(source.text[:first].rstrip("\r\n")) : first] + lead) if own_line else " "
    quote = source.text[start]
    yield Edit(end, end, "".join(f",{gap}{quote}{name}{quote}" for name in added))


def _lists(source: Source, steps: tuple[ExportStep, ...]) -> Iterator[list[ExportStep]]:
    """The steps that stand in one list together, in the order of the text."""
    items: list[ExportStep] = []
    for step in sorted(steps, key=lambda step: (step.span.line, step.span.column)):
        if items:
            end = source.stretch(items[-1].span)[1]
            comma = comma_after(source.text, end)
            if comma is None or following(source.text, comma) != source.stretch(step.span)[0]:
                yield items
                items = []
        items.append(step)
    if items:
        yield items


def _is_display(source: Source, items: Sequence[Stretch]) -> bool:
    """Whether items stand in brackets of their own, not in those of a call."""
    bracket = closing(source.text, items)
    return bracket in ("]", "}") or (bracket == ")" and bool(_OPENING.search(source.text, 0, items[0][0])))


def _is_text(source: Source, step: ExportStep) -> bool:
    """Whether the step stands for one string literal, and that for the one name."""
    start, end = source.stretch(step.span)
    return source.text[start:end] in (f'"{step.name}"', f"'{step.name}'")
