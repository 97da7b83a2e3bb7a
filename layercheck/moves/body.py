"""Whether the body of a definition stayed the same on its way, by bytes, then by tokens."""

from __future__ import annotations

import difflib
import re

from layercheck.moves.model import Body
from layercheck.moves.side import Definition, Side, raw_lines
from layercheck.outline import Token


def compare(old: Side, before: Definition, new: Side, after: Definition) -> Body:
    """What became of a body. A new name counts as no change: who asks says so of the name itself."""
    first, second = body_lines(old, before), body_lines(new, after)
    if first == second and _raw(old, before) == _raw(new, after):
        return "identical"
    tokens_before, tokens_after = _tokens(old, before), _tokens(new, after)
    if tokens_before is None or tokens_before != tokens_after:
        return "changed"
    if [line.lstrip() for line in first] == [line.lstrip() for line in second]:
        return "reformatted" if first == second else "re-indented"
    return "reformatted"


def body_lines(side: Side, definition: Definition) -> tuple[str, ...]:
    """The lines of a definition, its own name replaced by what no program can hold."""
    statement = definition.statement
    text = side.outline(definition.member.path).lines[statement.first - 1 : statement.last]
    own = re.compile(rf"\b{re.escape(definition.name)}\b")
    return tuple(own.sub("\0", line) if definition.name in line else line for line in text)


def _raw(side: Side, definition: Definition) -> tuple[bytes, ...]:
    statement = definition.statement
    own = re.compile(rb"\b" + re.escape(definition.name.encode()) + rb"\b")
    return tuple(
        own.sub(b"\0", line) for line in raw_lines(side, definition.member.path, statement.first, statement.last)
    )


def _tokens(side: Side, definition: Definition) -> tuple[tuple[str, str], ...] | None:
    statement = definition.statement
    return plain_tokens(side.tokens(definition.member.path), statement.first, statement.last, definition.name)


def plain_tokens(
    tokens: tuple[Token, ...] | None, first: int, last: int, name: str = ""
) -> tuple[tuple[str, str], ...] | None:
    """The kinds and texts of the tokens on some lines, without the steps out that end what stands above them."""
    if tokens is None:
        return None
    found: list[tuple[str, str]] = []
    begun = False
    for token in tokens:
        if first <= token.line <= last:
            if token.kind == "layout" and token.text == "out" and not begun:
                continue
            begun = begun or token.kind != "comment"
            found.append((token.kind, "\0" if name and token.text == name else token.text))
    return tuple(found)


def similarity(old: Side, before: Definition, new: Side, after: Definition) -> float:
    """How much of a body is the same, from 0 to 1."""
    first, second = body_lines(old, before), body_lines(new, after)
    return 1.0 if first == second else difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def changed_lines(old: Side, before: Definition, new: Side, after: Definition) -> list[tuple[int, int, str]]:
    """What changed in a body: line in the old state or 0, line in the new state or 0, and its text with its sign."""
    first = old.outline(before.member.path).lines[before.statement.first - 1 : before.statement.last]
    second = new.outline(after.member.path).lines[after.statement.first - 1 : after.statement.last]
    found: list[tuple[int, int, str]] = []
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    for how, low, high, start, stop in matcher.get_opcodes():
        if how != "equal":
            found += [(before.statement.first + at, 0, f"-{first[at]}") for at in range(low, high)]
            found += [(0, after.statement.first + at, f"+{second[at]}") for at in range(start, stop)]
    return found
