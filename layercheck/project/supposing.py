"""A project with an import, or a module, that is not written yet. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec

from layercheck import names
from layercheck.facts import MODULE_SCOPE, Import, Kind, ModuleFacts, Span
from layercheck.layout.model import Placed
from layercheck.project.model import Member
from layercheck.project.project import Project


@dataclass(frozen=True, slots=True)
class Supposed:
    """An import that is not written yet: ``import module``, or ``from module import name``."""

    path: str
    """The file in which it is to be."""
    module: str
    """Absolute."""
    name: str
    """Empty where the module itself is imported."""
    kind: Kind


def with_modules(project: Project, wanted: Iterable[str]) -> Project:
    """The project with these modules added, empty. The packages that they lie in are there."""
    placed = [Placed(_path(project, name), "module", name) for name in wanted]
    files = sorted([*project.layout.placed, *placed], key=lambda one: one.path)
    facts = {member.path: member.facts for member in project.members}
    new = {one.path: ModuleFacts() for one in placed}
    return Project(replace(project.layout, placed=tuple(files)), {**facts, **new}, project.api)


def _path(project: Project, name: str) -> str:
    """Where the file of a new module lies: beside or below what its package already has."""
    package = names.parent(name)
    for member in project.modules.values():
        if package and names.is_within(member.name, package):
            levels = len(names.split(names.relative(member.base, package)))
            folder = "/".join(member.path.split("/")[: -1 - levels])
            return f"{folder}/{names.tail(name)}.py"
    root = project.layout.roots[0]
    return f"{root}/{name}.py" if root else f"{name}.py"


def with_import(project: Project, supposed: Supposed) -> Project:
    """The project with the import added: at the end of the imports that its file begins with, or in a function at the
    end of the file, with nothing else moved."""
    facts = {
        member.path: _facts(member, supposed) if member.path == supposed.path else member.facts
        for member in project.members
    }
    return Project(project.layout, facts, project.api)


def _facts(member: Member, supposed: Supposed) -> ModuleFacts:
    facts = member.facts
    late = supposed.kind == "deferred"
    scope = max((one.scope for one in facts.imports), default=MODULE_SCOPE) + 1
    span = Span(max(facts.lines, 1), 1, max(facts.lines, 1), 1) if late else _behind_imports(facts)
    taken = Import(
        span=span,
        statement=span,
        module=supposed.module,
        level=0,
        name=supposed.name,
        bound=supposed.name or names.head(supposed.module),
        aliased=False,
        place="function" if late else "module",
        scope=scope if late else MODULE_SCOPE,
        kind=supposed.kind,
        flags=(),
        guard=-1,
        used=True,
    )
    return msgspec.structs.replace(facts, imports=(*facts.imports, taken))


def _behind_imports(facts: ModuleFacts) -> Span:
    """Just behind the last of the imports with which a module begins."""
    first = min((one.span.line for one in facts.bindings if one.imported < 0 and one.name != "__all__"), default=None)
    last = Span(1, 1, 1, 1)
    for taken in facts.imports:
        statement = taken.statement
        if taken.place == "module" and (first is None or statement.line < first):
            last = max(last, statement, key=lambda span: (span.end_line, span.end_column))
    return Span(last.end_line, last.end_column, last.end_line, last.end_column)
