"""Whether what a definition does, while it is imported, to something that its home has from elsewhere still comes
before, or after, what the rest of that home does to it: a registry that keeps its order, a counter, a search path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from layercheck import names
from layercheck.graph import reach
from layercheck.moves.meaning import Meanings
from layercheck.moves.model import Reason
from layercheck.moves.side import Change, Definition, definitions
from layercheck.moves.traces import suspects
from layercheck.outline import DEFINING, FreeName, Needs, Statement
from layercheck.project import Member
from layercheck.project.imports import imports_of, run_by, running_successors


class Sequence:
    """The order in which what moved and what stays reach the same things."""

    def __init__(self, change: Change, meanings: Meanings, harmless: Collection[str]) -> None:
        """``harmless``: full names of what leaves no trace."""
        self._change = change
        self._meanings = meanings
        self._harmless = harmless

    def turned(self, before: Definition, after: Definition) -> Iterator[Reason]:
        """What of its old home did something before a definition and does it after it now, or the other way round."""
        home, own = before.member, before.statement
        outline = self._change.old.outline(home.path)
        others = [one for one in outline.statements if one.kind in (*DEFINING, "other") and one is not own]
        needs = self._change.old.needs(home.path, [own.start])[0]
        read, changes = self._read(home, needs), self._changed(home, needs)
        told = {*suspects(self._change.old, self._meanings, self._harmless, before), *self._decorators(before)}
        if not read and not told:
            return
        rest = self._change.old.needs(home.path, [one.start for one in others])
        for one, its in zip(others, rest, strict=True):
            their = self._read(home, its)
            met = _meeting(changes, their) | _meeting(self._changed(home, its), read)
            met |= (self._set(home, needs) & their) | (self._set(home, its) & read)
            met |= told.intersection(self._all(home, its)) if told else set()
            first = self._runs_first(home, one, after) if met else None
            if met and first is not (one.start < own.start):
                phrase = (
                    "whether {0} is still reached before or after line {1} of {2}, which reaches it too, cannot be told"
                )
                yield Reason(phrase, (min(met).replace(":", "."), str(one.start), home.id))

    def _decorators(self, before: Definition) -> Iterator[str]:
        """The decorators of a definition that may leave a trace, by their full names."""
        for name in self._meanings.tracing(before):
            for origin in self._meanings.origins(self._change.old, before.member, names.head(name)) if name else ():
                yield names.join(origin.module, origin.name, names.rest(name))

    def _all(self, home: Member, needs: Needs) -> set[str]:
        """The full names of all that a statement reads at once."""
        return {
            names.join(origin.module, origin.name, chain)
            for free in needs.names
            if free.eager
            for origin in self._meanings.origins(self._change.old, home, free.name)
            for chain in free.chains
        }

    def _read(self, home: Member, needs: Needs) -> set[str]:
        """The full names of the objects of others that a statement reads at once."""
        return {one for free in needs.names if free.eager for one in self._objects(home, free)}

    def _changed(self, home: Member, needs: Needs) -> set[str]:
        """Those of them that it may change."""
        found = (free for free in needs.names if free.eager and free.name in needs.touched)
        return {one for free in found for one in self._objects(home, free)}

    def _set(self, home: Member, needs: Needs) -> set[str]:
        """The full names of what it sets, or sets an item of, outside of the project: ``os.environ``."""
        return {
            names.join(origin.module, origin.name, names.rest(dotted))
            for dotted in needs.reset
            for origin in self._meanings.origins(self._change.old, home, names.head(dotted))
            if origin.kind == "external"
        }

    def _objects(self, home: Member, free: FreeName) -> Iterator[str]:
        """What a name leads to that another module made and that may change; attributes of what the project has from
        elsewhere."""
        resolver = self._change.old.project.resolver
        for origin in self._meanings.origins(self._change.old, home, free.name):
            if origin.kind == "external":
                yield from (names.join(origin.module, origin.name, chain) for chain in free.chains if chain)
            elif origin.kind == "defined" and origin.module != home.name:
                yield from self._made(origin.module, origin.name)
            elif origin.kind == "module":
                for chain in free.chains:
                    for module, attribute in [*resolver.walk(origin.module, chain)][-1:] if chain else ():
                        for one in resolver.origins(module, attribute):
                            yield from self._made(one.module, one.name) if one.kind == "defined" else ()

    def _made(self, module: str, name: str) -> Iterator[str]:
        member = self._change.old.member(module)
        found = definitions(self._change.old, member).get(name, ()) if member is not None else ()
        if any(one.statement.kind == "constant" and not one.statement.literal for one in found):
            yield f"{module}:{name}"

    def _runs_first(self, home: Member, statement: Statement, after: Definition) -> bool | None:
        """Whether a statement of the old home runs before a definition where that is now; None where it cannot be
        told."""
        moved = self._meanings.moved
        to = [moved[home.name, one] for one in statement.names if (home.name, one) in moved]
        if to and statement.kind in DEFINING:
            if to[0][0] != after.member.name:
                return None
            there = definitions(self._change.new, after.member).get(to[0][1], ())
            return there[0].statement.start < after.statement.start if there else None
        stays = self._change.new.member(home.name)
        if stays is None:
            return None
        runs = running_successors(self._change.new.project)
        forth, back = (reach(runs, [one]) for one in (home.name, after.member.name))
        if home.name in back:
            return None if after.member.name in forth else True
        if after.member.name not in forth:
            return None
        line = self._line_now(home, statement, stays)
        links = (link for link in imports_of(self._change.new.project).get(home.name, ()) if link.kind == "import-time")
        imported = (link.span.line for link in links if after.member.name in reach(runs, run_by(link)))
        return False if any(one < line for one in imported) else None

    def _line_now(self, home: Member, statement: Statement, stays: Member) -> int:
        """Where a statement of the old home stands in the new state; 0 where it is not found as it was."""
        before, after = self._change.old.outline(home.path), self._change.new.outline(stays.path)
        text = before.lines[statement.start - 1 : statement.last]
        same = (one.start for one in after.statements if after.lines[one.start - 1 : one.last] == text)
        return next(same, 0)


def _meeting(changes: Iterable[str], reads: Collection[str]) -> set[str]:
    """What is both changed and read. Attributes of what is not of the project meet where one is a part of the other:
    ``os.environ`` and ``os.environ.get``; the same one twice is a function called twice."""
    return {
        one
        for one in changes
        for other in reads
        if (one == other and ":" in one) or one.startswith(f"{other}.") or other.startswith(f"{one}.")
    }
