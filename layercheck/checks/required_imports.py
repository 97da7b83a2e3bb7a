"""The check ``required-imports``: modules without an import that each of their kind must have."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck import names
from layercheck.checks import Check, Coverage, Fault, Options, absences, faults_of_names
from layercheck.facts import Kind
from layercheck.finding import Location, Problem
from layercheck.project import Link, Member, Project
from layercheck.project.imports import imports_of, outside_imports_of, taken_name
from layercheck.project.naming import absent, is_bound, known_names, may_be_outside


class RequiredImportsOptions(Options, frozen=True, kw_only=True):
    """Who must import what."""

    from_: tuple[str, ...]
    """Names or patterns, absolute: the modules; what lies below them is not meant."""
    to: tuple[str, ...]
    """What each of them must import: a module or package, or a name of one; names outside the project too."""
    kinds: tuple[Kind, ...] = ("import-time",)
    """Which imports count as such."""
    exempt: tuple[str, ...] = ()
    """Names or patterns of modules that need not."""

    def faults(self) -> Iterator[str]:
        if not self.from_:
            yield "`from` is empty: name the modules"
        if not self.to:
            yield "`to` is empty: name what they must import"
        if not self.kinds:
            yield '`kinds` is empty: name at least one, such as "import-time"'
        yield from faults_of_names(self, "from_", "to", "exempt")


def _judged(project: Project, options: RequiredImportsOptions) -> Iterator[Member]:
    """The modules that fit, less those in which nothing is written."""
    for name, member in project.modules.items():
        if (
            any(names.matches(name, text) for text in options.from_)
            and not any(names.matches(name, text) for text in options.exempt)
            and not member.vendored
            and not _is_blank(member)
        ):
            yield member


def _is_blank(member: Member) -> bool:
    """Whether a module defines, imports and reads nothing; one that could not be read is none."""
    facts = member.facts
    return not (facts.failure or facts.imports or facts.bindings or facts.uses or facts.exports or facts.strings)


def _links(project: Project, name: str) -> Iterator[Link]:
    yield from imports_of(project).get(name, ())
    yield from outside_imports_of(project).get(name, ())


def _find(project: Project, options: RequiredImportsOptions) -> Iterator[Problem]:
    for member in _judged(project, options):
        if member.facts.failure:
            continue  # unreadable-files says so
        links = [link for link in _links(project, member.id) if link.kind in options.kinds]
        for text in options.to:
            if names.matches_within(member.id, text) or any(_takes(project, link, text) for link in links):
                continue
            yield Problem(
                message=f"{member.id} does not import {text}{_how(options)}",
                help="import it there",
                location=Location(member.path),
                importer=member.id,
                imported=text,
            )


def _takes(project: Project, link: Link, text: str) -> bool:
    """Whether a link takes a module or name that fits, or something below it; through a star, whether it may."""
    if names.matches_within(taken_name(link), text):
        return True
    if link.name != "*":
        return False
    resolver = project.resolver
    source = project.modules.get(link.imported)
    if source is None or (resolver.exports(source) is None and resolver.opened(source)):
        return names.matches(link.imported, names.parent(text))
    passed = resolver.exports(source) or {*source.bindings, names.tail(text)}
    return any(names.matches(names.join(source.name, name), text) and resolver.passes(source, name) for name in passed)


def _how(options: RequiredImportsOptions) -> str:
    return " at import time" if options.kinds == ("import-time",) else ""


def _faults(project: Project, options: RequiredImportsOptions) -> Iterator[Fault]:
    yield from absences("from", options.from_, project.modules)
    known = known_names(project)
    for index, text in enumerate(options.to):
        if may_be_outside(project, text) or any(names.matches(name, text) for name in known):
            continue
        if names.is_pattern(text) or not is_bound(project, text):
            yield Fault(f"to[{index}]", absent(text, known, "module or name"))
    yield from absences("exempt", options.exempt, project.modules)


def _coverage(project: Project, options: RequiredImportsOptions) -> Coverage:
    judged = [*_judged(project, options)]
    imports = sum(link.kind in options.kinds for member in judged for link in _links(project, member.id))
    return Coverage(len(judged), imports, tuple(_faults(project, options)))


CHECK = Check(
    summary="Modules without an import that each of their kind must have",
    options=RequiredImportsOptions,
    find=_find,
    coverage=_coverage,
)
