"""Changes to one file -> its new bytes. What it gives has been read again: it binds and exports what it should."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from layercheck.edits.exports import with_exports, without_exports
from layercheck.edits.ignores import without_codes
from layercheck.edits.model import (
    AddExport,
    AddImport,
    Change,
    DropBlock,
    DropExport,
    DropIgnore,
    DropImport,
    Redirect,
    Rewrite,
)
from layercheck.edits.removal import Blocks, removed, start_of
from layercheck.edits.source import Edit, EditError, Source, apply, read_source
from layercheck.edits.statements import rewrite_imports
from layercheck.edits.style import width_of
from layercheck.extract import extract
from layercheck.extract.nesting import Nested, nesting
from layercheck.facts import ModuleFacts, Span


def rewrite(
    content: bytes,
    facts: ModuleFacts,
    base: str,
    changes: Iterable[Change],
    *,
    keep_something: bool = False,
    width: int = 0,
) -> tuple[bytes, ModuleFacts]:
    """The file with these changes made, and its new facts.

    ``facts`` are those of ``content``; ``base`` is the package against which its relative imports resolve;
    ``keep_something``: whether the file must not be left without anything that it binds; ``width``: how many characters
    a line may have, 0 where its own lines tell. Raises EditError, which says why, where the changes cannot be made or
    would change anything else.
    """
    changes = tuple(dict.fromkeys(changes))
    source = read_source(content)
    after = apply(source, _edits(source, facts, base, changes, width))
    if after == content:
        raise EditError("nothing would change")
    now = extract(after)
    _demand_same(facts, now, changes)
    if keep_something and not any(binding.name != "__all__" for binding in now.bindings):
        raise EditError("nothing would be left of the file")
    return after, now


def replacements(
    content: bytes, facts: ModuleFacts, base: str, changes: Iterable[Change], *, keep_something: bool = False
) -> tuple[tuple[Span, str], ...]:
    """What ``rewrite`` does to a file: each stretch that goes, and what comes in its place, in the order of the text.

    Raises EditError as ``rewrite`` does.
    """
    changes = tuple(dict.fromkeys(changes))
    rewrite(content, facts, base, changes, keep_something=keep_something)
    source = read_source(content)
    edits = sorted(set(_edits(source, facts, base, changes)))
    return tuple((source.span(edit.start, edit.end), edit.text) for edit in edits)


def _edits(source: Source, facts: ModuleFacts, base: str, changes: Sequence[Change], width: int = 0) -> list[Edit]:
    """The edits that make the changes, in any order."""
    top = nesting(source.content)
    if top is None:
        raise EditError("it cannot be parsed")
    imports = [change for change in changes if isinstance(change, DropImport | Redirect | AddImport)]
    rewritten = rewrite_imports(source, facts, base, Blocks(top), imports, width or width_of(source.text.splitlines()))
    gone = rewritten.gone | {start_of(block) for block in _blocks(top, changes)}
    exports = {one.name for one in changes if isinstance(one, DropExport)}
    edits: list[Edit] = [*rewritten.edits, *removed(source, top, gone)]
    edits += without_exports(source, facts.exports, exports)
    declared = [one.name for one in changes if isinstance(one, AddExport)]
    if declared:
        edits += with_exports(source, facts.exports, declared)
    ignores: dict[int, set[str]] = {}
    for change in changes:
        if isinstance(change, DropIgnore):
            ignores.setdefault(change.index, set()).add(change.code)
        elif isinstance(change, Rewrite):
            edits.append(_rewritten(source, change))
    for index, codes in ignores.items():
        edits += without_codes(source, facts.comments[index], codes)
    return _outermost(edits)


def _blocks(top: tuple[Nested, ...], changes: Iterable[Change]) -> Iterator[Nested]:
    """The statements that are to go with all that is in them."""
    for change in changes:
        if isinstance(change, DropBlock):
            block = Blocks(top).around((change.span.line, change.span.column))
            found = [statement for statement in block if statement.span == change.span]
            if not found or not (found[0].looks or change.unsafe):
                raise EditError("its test may do something; --unsafe takes it out all the same")
            yield found[0]


def _rewritten(source: Source, change: Rewrite) -> Edit:
    """The edit that puts another text in a literal."""
    start, end = source.stretch(change.span)
    literal = source.text[start:end]
    if literal.count(change.old) != 1:
        raise EditError("the text is not written out in one literal")
    if change.only is not None:
        name, most = change.only
        if len(re.findall(rf"\b{re.escape(name)}\b", source.text)) > most:
            raise EditError(f"{name} is read elsewhere too")
    at = start + literal.index(change.old)
    return Edit(at, at + len(change.old), change.new)


def _outermost(edits: list[Edit]) -> list[Edit]:
    """The edits without those that lie inside a removal: a comment goes with its statement."""
    gone = [edit for edit in edits if not edit.text and edit.start < edit.end]
    return [edit for edit in edits if not any(_is_inside(edit, other) for other in gone)]


def _is_inside(edit: Edit, other: Edit) -> bool:
    if edit.start == edit.end:  # what is put in at an edge stays
        return other.start < edit.start < other.end
    return other.start <= edit.start and edit.end <= other.end and other[:2] != edit[:2]


def _demand_same(before: ModuleFacts, after: ModuleFacts, changes: Iterable[Change]) -> None:
    """See that a file still binds, exports and reads what it did, less what was to go."""
    if after.failure:
        raise EditError(f"the file would not parse ({after.failure.message})")
    dropped = {one.position for one in changes if isinstance(one, DropImport)}
    moved = {one.position for one in changes if isinstance(one, Redirect)}
    added = {one.bound for one in changes if isinstance(one, AddImport)}
    if _names(_bound(before, dropped), added) != _names(_bound(after, frozenset()), added):
        raise EditError("the file would bind other names than it should")
    kept = Counter(_taken(before, dropped | moved))
    if kept - Counter(_taken(after, frozenset())):
        raise EditError("the file would import other names than it should")
    exports = {one.name for one in changes if isinstance(one, DropExport)}
    declared = {one.name for one in changes if isinstance(one, AddExport)}
    if (_exported(before) - exports) | declared != _exported(after):
        raise EditError("its __all__ would name other names than it should")
    # What an import in a function bound is read from the module once that import is gone.
    freed = {before.imports[position].bound for position in dropped} & {binding.name for binding in before.bindings}
    if not set(after.uses) <= set(before.uses) | added | freed:
        raise EditError("the file would read names that it did not read")


def _bound(facts: ModuleFacts, without: Iterable[int]) -> set[tuple[int, str]]:
    gone = set(without)
    own = {(0, binding.name) for binding in facts.bindings if binding.imported not in gone or binding.imported < 0}
    return own | {(1, taken.bound) for position, taken in enumerate(facts.imports) if position not in gone}


def _names(bound: set[tuple[int, str]], besides: set[str]) -> set[tuple[int, str]]:
    return {one for one in bound if one[1] not in besides}


def _taken(facts: ModuleFacts, without: Iterable[int]) -> list[tuple[str, int, str, str]]:
    gone = set(without)
    return [
        (taken.module, taken.level, taken.name, taken.bound)
        for position, taken in enumerate(facts.imports)
        if position not in gone
    ]


def _exported(facts: ModuleFacts) -> set[str]:
    return {step.name for step in facts.exports.steps} if facts.exports else set()
