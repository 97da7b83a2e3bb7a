"""indirect-imports: a name taken from a module that merely imported it, where its home could be named."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck import names
from layercheck.checks import Check, Options, Undeclared, everything, import_problem
from layercheck.finding import Problem, Related
from layercheck.project import Member, Origin, Project


class IndirectImports(Options, frozen=True, kw_only=True):
    """indirect-imports has no keys of its own."""


def find(project: Project, options: IndirectImports) -> Iterator[Problem]:
    """A problem for each import of a name from a module that itself imports it."""
    for member in project.members:
        if member.vendored:
            continue
        for position, taken in enumerate(member.facts.imports):
            if not taken.name or taken.name == "*":
                continue
            target = project.resolver.target(member, position)
            if target.outcome != "name":
                continue
            through = project.resolver.index.by_name[target.module]
            home = _home(project, member, through, target.name)
            if home:
                yield import_problem(
                    project,
                    member,
                    taken,
                    f"{target.name} is taken from {through.id}, which only imports it",
                    f"import {home.name} from {home.module}, where it is defined",
                    through.id,
                    tuple(_definition(project, home)),
                )


def _home(project: Project, member: Member, through: Member, name: str) -> Origin | None:
    """Where a name that goes through a module is defined, if the importer should and could name that module."""
    own = through.bindings.get(name, ())
    if any(binding.imported < 0 or binding.conditional for binding in own):
        return None
    if any("optional" in through.facts.imports[binding.imported].flags for binding in own):
        return None
    origins = project.resolver.origins(through.name, name)
    home = next(iter(origins))
    if len(origins) > 1 or home.kind != "defined" or home.module in (through.name, member.name):
        return None
    if project.resolver.index.by_name[home.module].vendored:
        return None
    outside = not names.is_within(member.name, through.base)
    if outside and (_is_face(project, through, name) or _is_private(home, through)):
        return None
    return home


def _is_face(project: Project, through: Member, name: str) -> bool:
    """Whether a package declares a name as its own: in the ``__all__`` of its ``__init__.py``."""
    return through.package and name in (project.resolver.exports(through) or ())


def _is_private(home: Origin, through: Member) -> bool:
    """Whether the home is a private part of the package that passes the name on."""
    inside = names.relative(home.module, through.base) if names.is_within(home.module, through.base) else home.module
    return any(part.startswith("_") for part in names.split(inside))


def _definition(project: Project, home: Origin) -> Iterator[Related]:
    member = project.resolver.index.by_name[home.module]
    for binding in member.bindings.get(home.name, ())[:1]:
        yield Related(member.path, binding.span.line, f"{home.name} is defined here")


CHECK = Check(
    summary="A name taken from a module that only imports it, not from where it is defined",
    options=IndirectImports,
    find=find,
    coverage=everything,
    undeclared=Undeclared("off"),
    declared="warning",
)
