"""stale-reexports: a name that a module passes on, and that no source file takes from it any more."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck.checks import Check, Coverage, Options, Undeclared, at, is_same_name
from layercheck.facts import Import, Span
from layercheck.finding import Problem, Related
from layercheck.project import Member, Project, Use
from layercheck.project.uses import counted


class StaleReexports(Options, frozen=True, kw_only=True):
    """The keys of stale-reexports; ``[project] api`` says what outside code may take."""

    exported: bool = True
    """Whether names that are declared as passed on are judged: in ``__all__``, or imported ``as`` themselves."""
    taken_by_tests: bool = True
    """Whether names that only tests take are reported."""


class _Passed:
    """A name that a module passes on, with everybody who takes it from there."""

    def __init__(self, name: str, position: int, span: Span, takers: tuple[Use, ...]) -> None:
        self.name = name
        self.position = position
        self.span = span
        self.takers = takers

    @property
    def stale(self) -> bool:
        """Whether no source file takes it: tests and patches alone do not keep a name."""
        return all(use.test or use.how == "patch" for use in self.takers)


def find(project: Project, options: StaleReexports) -> Iterator[Problem]:
    """A problem for each stale name, or one for a module whose every name is."""
    for member in _judged(project):
        passed = [*_passed_on(project, member, options)]
        stale = [one for one in passed if one.stale and (options.taken_by_tests or not one.takers)]
        if member.facts.only_imports and not member.package and passed and len(stale) == len(passed):
            yield _shim(project, member, passed)
            continue
        for one in stale:
            yield _problem(project, member, one)


def _judged(project: Project) -> Iterator[Member]:
    """The modules whose names outside code may not import, where everything that they pass on can be seen."""
    for name, member in project.modules.items():
        if member.vendored or project.is_api(name) or project.resolver.opened(member) or member.facts.reads_by_name:
            continue
        if member.facts.exports is None or project.resolver.exports(member) is not None:
            yield member


def _passed_on(project: Project, member: Member, options: StaleReexports) -> Iterator[_Passed]:
    """The names of first-party origin that a module passes on explicitly."""
    exported = project.resolver.exports(member) or frozenset()
    for position, taken in enumerate(member.facts.imports):
        if taken.place != "module" or project.resolver.guards.kind(member, taken) == "typing":
            continue
        if not options.exported and (taken.bound in exported or is_same_name(taken)):
            continue
        if taken.name == "*":
            yield from _passed_by_star(project, member, position, taken)
        elif _explicit(member, taken, exported) and project.resolver.target(member, position).outcome == "name":
            origins = project.resolver.import_origins(member, position)
            if all(origin.kind == "defined" for origin in origins):
                yield _Passed(taken.bound, position, taken.span, _takers(project, member, taken.bound))


def _explicit(member: Member, taken: Import, exported: frozenset[str]) -> bool:
    if taken.bound in exported or is_same_name(taken):
        return True
    return (member.package or member.facts.only_imports) and not taken.used


def _passed_by_star(project: Project, member: Member, position: int, taken: Import) -> Iterator[_Passed]:
    """A star import counts as one name passed on: everybody who takes any of its names takes it."""
    target = project.resolver.target(member, position)
    source = project.resolver.index.by_name.get(target.module)
    if target.outcome != "module" or source is None:
        return
    bound = [name for name in sorted(_star_names(project, source)) if name not in member.bindings]
    if any(name in member.facts.uses for name in bound):
        return
    takers = {use for name in bound for use in _takers(project, member, name)}
    yield _Passed("*", position, taken.span, tuple(sorted(takers, key=lambda use: (use.path, use.line))))


def _star_names(project: Project, source: Member, seen: frozenset[str] = frozenset()) -> set[str]:
    """The names that ``from source import *`` binds."""
    exported = project.resolver.exports(source)
    if exported is not None:
        return set(exported)
    own = {name for name in source.bindings if project.resolver.passes(source, name)}
    for _, further in project.resolver.star_sources(source):
        if further.name not in seen:
            own |= _star_names(project, further, seen | {source.name})
    return own


def _takers(project: Project, member: Member, name: str) -> tuple[Use, ...]:
    uses = (*project.uses.takers(member.name, name), *project.uses.named(member.name))
    return tuple(use for use in uses if use.path != member.path)


def _problem(project: Project, member: Member, passed: _Passed) -> Problem:
    taken = member.facts.imports[passed.position]
    target = project.resolver.target(member, passed.position)
    what = "every name of" if passed.name == "*" else f"{passed.name} of"
    only = "; only tests take it from here" if passed.takers else ""
    return Problem(
        message=f"{member.id} passes on {what} {target.module}, and nobody takes it from here"
        f" ({counted(passed.takers)}){only}",
        help="remove it" + (f", and let the tests import it from {target.module}" if passed.takers else ""),
        location=at(member.path, passed.span),
        importer=member.id,
        imported=target.module,
        name=passed.name,
        kind=project.resolver.guards.kind(member, taken),
        flags=taken.flags,
        related=_related(passed.takers),
    )


def _shim(project: Project, member: Member, passed: list[_Passed]) -> Problem:
    takers = tuple(dict.fromkeys(use for one in passed for use in one.takers))
    return Problem(
        message=f"{member.id} is a shim: all it does is to pass on {len(passed)} names, and no source takes them"
        f" ({counted(takers)})",
        help="remove the module" + (", and let the tests import from the new home" if takers else ""),
        location=at(member.path, passed[0].span),
        importer=member.id,
        imported=None,
        related=_related(takers),
        key=(member.id, "shim"),
    )


def _related(takers: tuple[Use, ...]) -> tuple[Related, ...]:
    return tuple(Related(use.path, use.line, f"takes it ({use.how})") for use in takers)


def coverage(project: Project, options: StaleReexports) -> Coverage:
    """The modules whose names outside code may not import."""
    judged = [*_judged(project)]
    return Coverage(len(judged), sum(len(member.facts.imports) for member in judged))


CHECK = Check(
    summary="A name that a module passes on and that nobody takes from it",
    options=StaleReexports,
    find=find,
    coverage=coverage,
    undeclared=Undeclared("warning", StaleReexports(exported=False, taken_by_tests=False)),
)
