"""Whether what changes an object while modules are imported still runs on the same side of a moved definition that
reads it. Where one module runs before another is only said where the moves themselves make it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from layercheck.moves.model import Reason
from layercheck.moves.side import Change, Definition, definitions
from layercheck.outline import DEFINING, Statement
from layercheck.project import Member


class Order:
    """The order in which statements of an old home run, before and after."""

    def __init__(self, change: Change, moved: Mapping[tuple[str, str], tuple[str, str]]) -> None:
        """``moved``: home and name before -> home and name after."""
        self._change = change
        self._moved = moved

    def turned(self, before: Definition, after: Definition, name: str) -> Iterator[Reason]:
        """Statements that ran before a definition and run after it now, or the other way round, where either may change
        the object of a name that both read at once."""
        home = before.member
        made = self._maker(home, name)
        if made is None or made is before.statement:
            return
        others = [
            one
            for one in self._change.old.outline(home.path).statements
            if one.kind not in ("import", "docstring", "pass") and one is not made and one is not before.statement
        ]
        touches = name in self._change.old.needs(home.path, [before.statement.start])[0].touched
        needs = self._change.old.needs(home.path, [one.start for one in others])
        for one, its in zip(others, needs, strict=True):
            reads = any(free.name == name and free.eager for free in its.names)
            if not reads or not (touches or name in its.touched):
                continue
            if self._runs_first(home, one, after, name) is not (one.start < before.statement.start):
                phrase = (
                    "whether {0}, which it reads at once, is what it was cannot be told: line {1} of {2} may change it"
                )
                yield Reason(phrase, (name, str(one.start), home.id))

    def _maker(self, home: Member, name: str) -> Statement | None:
        """The statement that makes the object of a name of a module, where that is something that may change."""
        found = definitions(self._change.old, home).get(name, ())
        made = found[0].statement if found else None
        return made if made is not None and made.kind == "constant" and not made.literal else None

    def _runs_first(self, home: Member, statement: Statement, after: Definition, name: str) -> bool | None:
        """Whether a statement of the old home runs before the definition where that is now; None where it cannot be
        told."""
        to = [self._moved[home.name, one] for one in statement.names if (home.name, one) in self._moved]
        if statement.kind not in DEFINING or not to:
            # It stayed: the new home waits for all of the old one where it takes the object from there.
            return (home.name, name) not in self._moved
        if to[0][0] != after.member.name:
            return None
        there = definitions(self._change.new, after.member).get(to[0][1], ())
        return there[0].statement.start < after.statement.start if there else None
