"""What a definition runs of the project's own code while its module is imported, where that may leave a trace.

Decorators of the definition itself are dealt with where meanings are. What code outside of the project does is not
looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from layercheck import names
from layercheck.graph import reach
from layercheck.moves.meaning import OWN_NAMES, Meanings
from layercheck.moves.model import Reason
from layercheck.moves.side import Change, Definition, Side, definitions
from layercheck.project import Member, Origin
from layercheck.project.imports import running_successors

_WRITERS = frozenset({"setattr", "delattr", "exec", "eval", "globals", "vars", "open", "print", "input", "__import__"})
"""Builtins that leave a trace, or may."""
_WRITING_MODULES = frozenset({"atexit", "builtins", "codecs", "copyreg", "importlib", "signal", "sys"})
"""Modules of Python with which code leaves a trace elsewhere."""


def traces(
    change: Change, meanings: Meanings, harmless: Collection[str], pair: tuple[Definition, Definition]
) -> Iterator[Reason]:
    """What a definition runs that may leave a trace, where importing its old home no longer runs the new one.

    ``harmless``: full names of what leaves none.
    """
    before, after = pair
    found = suspects(change.old, meanings, harmless, before)
    if not found or after.member.name in reach(running_successors(change.new.project), [before.member.name]):
        return
    for name in found:
        yield Reason(
            "{0}: it runs {1}, which may leave a trace (register it), and importing {2} no longer does",
            (before.name, name, before.member.id),
        )


def suspects(side: Side, meanings: Meanings, harmless: Collection[str], definition: Definition) -> list[str]:
    """The full names of what a definition of the old state runs that may leave a trace, save for its decorators."""
    return [*dict.fromkeys(_Old(side, meanings, harmless).suspects(definition))]


class _Old:
    """The old state, in which is looked up what runs."""

    def __init__(self, side: Side, meanings: Meanings, harmless: Collection[str]) -> None:
        self._side = side
        self._meanings = meanings
        self._harmless = frozenset(harmless)

    def suspects(self, definition: Definition) -> Iterator[str]:
        """The full names of what may leave a trace."""
        for called in definition.statement.runs:
            for origin in self._found(definition.member, called):
                if not self._is_clean(origin, frozenset()):
                    yield names.join(origin.module, origin.name)
        yield from self._of_bases(definition, frozenset())

    def _of_bases(self, definition: Definition, seen: frozenset[Origin]) -> Iterator[str]:
        """The classes that are told of each class derived from them, and metaclasses (language reference 3.3.3)."""
        member, statement = definition.member, definition.statement
        for origin in self._found(member, statement.metaclass) if statement.metaclass else ():
            if not self._is_harmless(origin):
                yield names.join(origin.module, origin.name)
        for base in [base for one in member.facts.classes if one.name == definition.name for base in one.bases]:
            for origin in self._found(member, base):
                for found in self._definitions(origin) if origin not in seen and not self._is_harmless(origin) else ():
                    bodies = (one for one in found.member.facts.classes if one.name == found.name)
                    if any("__init_subclass__" in one.members for one in bodies):
                        yield names.join(origin.module, origin.name)
                    yield from self._of_bases(found, seen | {origin})

    def _found(self, member: Member, dotted: str) -> Iterator[Origin]:
        """The project's own definitions that a dotted name of a module leads to."""
        for origin in self._meanings.origins(self._side, member, names.head(dotted)):
            rest = names.rest(dotted)
            if origin.kind == "defined":
                yield origin
            elif origin.kind == "module" and rest:
                for module, attribute in [*self._side.project.resolver.walk(origin.module, rest)][-1:]:
                    yield from self._defined(self._side.project.resolver.origins(module, attribute))

    @staticmethod
    def _defined(origins: Iterable[Origin]) -> Iterator[Origin]:
        return (origin for origin in origins if origin.kind == "defined")

    def _definitions(self, origin: Origin) -> list[Definition]:
        member = self._side.member(origin.module)
        return definitions(self._side, member).get(origin.name, []) if member is not None else []

    def _is_harmless(self, origin: Origin) -> bool:
        return names.join(origin.module, origin.name) in self._harmless

    def _is_clean(self, origin: Origin, seen: frozenset[Origin]) -> bool:
        """Whether what the project defines reads nothing in which it could leave a trace."""
        if origin in seen or self._is_harmless(origin):
            return True
        found = self._definitions(origin)
        if len(found) != 1:
            return False
        member, statement = found[0].member, found[0].statement
        needs = self._side.needs(member.path, [statement.start])[0]
        if needs.unclear:
            return False
        if statement.kind == "constant":
            return statement.literal or self._is_logger(member, [free.name for free in needs.names])
        return all(self._is_readable(member, free.name, seen | {origin}) for free in needs.names)

    def _is_readable(self, member: Member, name: str, seen: frozenset[Origin]) -> bool:
        origins = self._meanings.origins(self._side, member, name)
        if not origins:
            return name not in _WRITERS
        return all(
            self._is_clean(origin, seen)
            if origin.kind == "defined"
            else origin.kind == "external" and names.head(origin.module or origin.name) not in _WRITING_MODULES
            for origin in origins
        )

    def _is_logger(self, member: Member, read: Iterable[str]) -> bool:
        """Whether a constant is made of ``logging`` and of the name of its module alone."""
        origins = [self._meanings.origins(self._side, member, name) for name in read if name not in OWN_NAMES]
        heads = {names.head(names.join(one.module, one.name)) for found in origins for one in found}
        return all(origins) and heads == {"logging"}
