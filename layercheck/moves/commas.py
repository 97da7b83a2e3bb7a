"""Commas that mean nothing: those that a formatter sets before a closing bracket once it parts what stands in it. Knows
tokens only.

Language reference 6.15, "Expression lists": a trailing comma only makes a tuple where it is the only comma.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from layercheck.outline import Token

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_WORDS = frozenset({*keyword.kwlist, *keyword.softkwlist})


@dataclass(slots=True)
class _Bracket:
    """A bracket that is open."""

    may_end: bool
    """Whether it may hold one thing and a comma and be no tuple: arguments, parameters, a list."""
    commas: int = 0
    unsure: bool = False
    """Whether a comma may be of something else in it."""


def without_trailing(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without the commas that mean nothing."""
    idle = frozenset(_idle(tokens))
    return [one for index, one in enumerate(tokens) if index not in idle]


def _idle(tokens: Sequence[Token]) -> Iterator[int]:
    """Where such commas are."""
    open_: list[_Bracket] = []
    for index, token in enumerate(tokens):
        if token.kind == "name" and token.text == "lambda" and open_:
            open_[-1].unsure = True
        if token.kind != "other":
            continue
        if token.text in _OPENING:
            open_.append(_Bracket(_may_end(token, tokens[index - 1] if index else None)))
        elif token.text == "," and open_:
            open_[-1].commas += 1
        elif token.text in _CLOSING and open_:
            closed, before = open_.pop(), tokens[index - 1]
            several = closed.commas > 1 and not closed.unsure
            if (before.kind, before.text) == ("other", ",") and (closed.may_end or several):
                yield index - 1


def _may_end(token: Token, before: Token | None) -> bool:
    called = before is not None and (
        before.text in _CLOSING if before.kind == "other" else before.kind == "name" and before.text not in _WORDS
    )
    return called if token.text == "(" else not called and token.text == "["
