"""One state of a project with the bytes of its files: outlines, tokens and needs, made on first use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from layercheck.extract import needs, outline, tokens
from layercheck.outline import DEFINING, Needs, Outline, Statement, Token
from layercheck.project import Member, Project


class Side:
    """A project at one time."""

    def __init__(self, project: Project, contents: Mapping[str, bytes]) -> None:
        """``contents``: of the files of the project, by path; one that cannot be read is left out."""
        self.project = project
        self.contents = contents
        self._outlines: dict[str, Outline] = {}
        self._tokens: dict[str, tuple[Token, ...] | None] = {}
        self._needs: dict[tuple[str, int], Needs] = {}

    @cached_property
    def by_path(self) -> Mapping[str, Member]:
        """The files of the project."""
        return {member.path: member for member in self.project.members}

    def member(self, name: str) -> Member | None:
        """The file of a module, or of a consumer by its dotted name."""
        return self.project.index.by_name.get(name)

    def outline(self, path: str) -> Outline:
        """The top level of a file; an empty one where there is no such file."""
        if path not in self._outlines:
            content = self.contents.get(path)
            self._outlines[path] = Outline() if content is None else outline(content)
        return self._outlines[path]

    def tokens(self, path: str) -> tuple[Token, ...] | None:
        """The tokens of a file; None where it cannot be taken apart."""
        if path not in self._tokens:
            self._tokens[path] = tokens(self.contents.get(path, b""))
        return self._tokens[path]

    def needs(self, path: str, starts: Collection[int]) -> list[Needs]:
        """What the statements that begin on these lines of a file take, in this order."""
        missing = {line for line in starts if (path, line) not in self._needs}
        if missing:
            # One parse serves all who ask of this file, most of whom ask for the conditions of its imports.
            missing |= {block.first for block in self.outline(path).blocks}
            found = needs(self.contents.get(path, b""), missing)
            for line in missing:
                self._needs[path, line] = found.get(line, Needs(unclear=("it cannot be taken apart",)))
        return [self._needs[path, line] for line in starts]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A definition of the top level, where it is."""

    member: Member
    name: str
    statement: Statement

    @property
    def key(self) -> tuple[str, str]:
        """Its home and its name."""
        return self.member.name, self.name


def definitions(side: Side, member: Member) -> dict[str, list[Definition]]:
    """What a file defines at its top level, by name, in the order of the text."""
    found: dict[str, list[Definition]] = {}
    for statement in side.outline(member.path).statements:
        if statement.kind in DEFINING:
            for name in statement.names:
                found.setdefault(name, []).append(Definition(member, name, statement))
    return found


def raw_lines(side: Side, path: str, first: int, last: int) -> tuple[bytes, ...]:
    """The lines of a file as they are, the last one without its line end."""
    lines = side.contents[path].splitlines(keepends=True)[first - 1 : last]
    return (*lines[:-1], lines[-1].rstrip(b"\r\n")) if lines else ()


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Two states of a project."""

    old: Side
    new: Side
    changed: tuple[str, ...]
    """Paths of the project's files that differ or are in one state only, sorted."""
    others: tuple[tuple[str, str], ...] = ()
    """Other files that differ: path, and ``added``, ``removed`` or ``changed``."""
    stubs: Mapping[str, bytes] = field(default_factory=dict)
    """The stubs of the new state that stand beside Python files of the same name, by path."""
    settings: Mapping[str, bytes] = field(default_factory=dict)
    """The settings of the new state in which tools look up Python names, by path."""
