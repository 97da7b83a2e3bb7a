"""Whether what changes an object while modules are imported still runs on the same side of a moved definition that
reads it. Where one module runs before another is only said where the moves themselves make it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from layercheck.graph import reach
from layercheck.moves.model import Reason
from layercheck.moves.side import Change, Definition, definitions
from layercheck.names import is_within, join
from layercheck.outline import DEFINING, FreeName, Statement
from layercheck.project import Member
from layercheck.project.imports import running_successors


class Order:
    """The order in which statements of an old home run, before and after."""

    def __init__(self, change: Change, moved: Mapping[tuple[str, str], tuple[str, str]]) -> None:
        """``moved``: home and name before -> home and name after."""
        self._change = change
        self._moved = moved

    def turned(self, before: Definition, after: Definition, free: FreeName) -> Iterator[Reason]:
        """Statements that ran before a definition and run after it now, or the other way round, where either may change
        the object of a name that both read at once, or sets what the other reads of a module."""
        home, name = before.member, free.name
        made, shared = self._maker(home, name), False
        if made is None:
            made, shared = self._maker_elsewhere(home, name), True
        imported = made is None and any(one.kind == "import" for one in home.bindings.get(name, ()))
        if made is before.statement or (made is None and not imported):
            return
        others = [
            one
            for one in self._change.old.outline(home.path).statements
            if one.kind not in ("import", "docstring", "pass") and one is not made and one is not before.statement
        ]
        touches = name in self._change.old.needs(home.path, [before.statement.start])[0].touched
        needs = self._change.old.needs(home.path, [one.start for one in others])
        for one, its in zip(others, needs, strict=True):
            if made is None:
                may_change = any(_is_part(free, path) for path in its.reset)
            else:
                reads = any(other.name == name and other.eager for other in its.names)
                may_change = reads and (touches or name in its.touched)
            if not may_change:
                continue
            if self._runs_first(home, one, after, name, shared=shared) is not (one.start < before.statement.start):
                phrase = (
                    "whether {0}, which it reads at once, is what it was cannot be told: line {1} of {2} may change it"
                )
                yield Reason(phrase, (name, str(one.start), home.id))

    def _maker(self, home: Member, name: str) -> Statement | None:
        """The statement that makes the object of a name of a module, where that is something that may change."""
        found = definitions(self._change.old, home).get(name, ())
        made = found[0].statement if found else None
        return made if made is not None and made.kind == "constant" and not made.literal else None

    def _maker_elsewhere(self, home: Member, name: str) -> Statement | None:
        """The same for a name that a module imports from another one of the project, which both homes then share."""
        origins = self._change.old.project.resolver.origins(home.name, name)
        origin = next(iter(origins)) if len(origins) == 1 else None
        if origin is None or origin.kind != "defined" or origin.module == home.name:
            return None
        source = self._change.old.member(origin.module)
        return None if source is None else self._maker(source, origin.name)

    def _runs_first(
        self, home: Member, statement: Statement, after: Definition, name: str, *, shared: bool
    ) -> bool | None:
        """Whether a statement of the old home runs before the definition where that is now; None where it cannot be
        told. ``shared``: whether the object of the name comes from a third module."""
        to = [self._moved[home.name, one] for one in statement.names if (home.name, one) in self._moved]
        if (statement.kind not in DEFINING or not to) and shared:
            runs = running_successors(self._change.new.project)
            if home.name in reach(runs, [after.member.name]):
                return True
            return False if after.member.name in reach(runs, [home.name]) else None
        if statement.kind not in DEFINING or not to:
            # It stayed: the new home waits for all of the old one where it takes the object from there.
            return (home.name, name) not in self._moved
        if to[0][0] != after.member.name:
            return None
        there = definitions(self._change.new, after.member).get(to[0][1], ())
        return there[0].statement.start < after.statement.start if there else None


def _is_part(free: FreeName, path: str) -> bool:
    """Whether a dotted name is what a definition reads, or a part of it or the other way round."""
    read = (join(free.name, chain) for chain in free.chains)
    return any(is_within(path, one) or is_within(one, path) for one in read)
