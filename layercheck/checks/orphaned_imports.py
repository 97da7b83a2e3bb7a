"""orphaned-imports: an import whose name nobody needs: not its scope, and nobody who takes it through this module."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from layercheck import names
from layercheck.checks import Check, ConsumerOptions, Coverage, Undeclared, at, import_problem, is_same_name
from layercheck.facts import MODULE_SCOPE, Import
from layercheck.finding import Problem, Related, Severity
from layercheck.project import Member, Project, Use

FACE = 3
"""How many names must be taken through a module at least, for it to be a face."""


class OrphanedImports(ConsumerOptions, frozen=True, kw_only=True):
    """The keys of orphaned-imports."""


def find(project: Project, options: OrphanedImports) -> Iterator[Problem]:
    """A problem for each import that can go, and for each block that imports have left empty."""
    fixtures = _fixtures(project)
    for member in _judged(project, options):
        cap = options.cap(member)
        taken_by_name = bool(member.facts.reads_by_name) or (
            member.facts.exports is not None and project.resolver.exports(member) is None
        )
        for position, taken in enumerate(member.facts.imports):
            if not _may_be_orphan(project, member, position, taken):
                continue
            uses: tuple[Use, ...] = ()
            if taken.scope == MODULE_SCOPE:
                if taken_by_name or taken.bound in (project.resolver.exports(member) or ()):
                    continue
                uses = tuple(use for use in project.uses.takers(member.name, taken.bound) if use.path != member.path)
                if any(use.how != "patch" for use in uses) or _is_pytests(member, taken, fixtures):
                    continue
            yield _problem(project, member, position, taken, uses, cap)
        for span in member.facts.hollow_blocks:
            yield Problem(
                message="nothing is left under this test",
                help="remove the block",
                location=at(member.path, span),
                importer=member.id,
                cap=cap,
                key=(member.id, "hollow"),
            )


@lru_cache(maxsize=4)
def _judged(project: Project, options: OrphanedImports) -> tuple[Member, ...]:
    return tuple(
        member
        for member in project.members
        if options.judges(member)
        and not (member.package or member.generated or member.facts.only_imports or _is_face(project, member))
    )


def _is_face(project: Project, member: Member) -> bool:
    """Whether a module is there to pass names on: most of what it imports and does not read, others take from it.

    What nobody in the project takes from such a module, outside code may.
    """
    bound = {
        taken.bound
        for taken in member.facts.imports
        if taken.scope == MODULE_SCOPE and taken.bound and not taken.used and "optional" not in taken.flags
    }
    passed = sum(any(use.how == "import" for use in project.uses.takers(member.name, name)) for name in bound)
    return passed >= FACE and passed * 2 > len(bound)


def _may_be_orphan(project: Project, member: Member, position: int, taken: Import) -> bool:
    """Whether an import binds a name that its file does not read, and is of a kind that can be judged."""
    if taken.used or not taken.bound or taken.place == "class" or taken.module == "__future__":
        return False
    if is_same_name(taken):
        return False
    if "optional" in taken.flags or taken.handler:
        return False  # a probe: that it fails, or not, is what counts
    # A first-party module may be imported for what it does when it runs; what does not resolve is broken-imports'.
    return project.resolver.target(member, position).outcome in ("name", "external")


def _fixtures(project: Project) -> frozenset[str]:
    """The names that tests anywhere ask pytest for."""
    return frozenset(name for member in project.members for name in member.facts.parameters)


def _is_pytests(member: Member, taken: Import, fixtures: frozenset[str]) -> bool:
    """Whether pytest collects the name, or hands it to a test as a fixture (pytest, "Fixture availability")."""
    if taken.bound in member.facts.parameters:
        return True
    if names.tail(member.name) == "conftest" and (taken.name or taken.bound in fixtures):
        return True  # a fixture may be used by nothing but being there
    return member.test and taken.bound.startswith(("test", "Test", "pytest_"))


def _problem(
    project: Project,
    member: Member,
    position: int,
    taken: Import,
    patches: tuple[Use, ...],
    cap: Severity | None,
) -> Problem:
    target = project.resolver.target(member, position)
    imported = project.index.called(target.module) if target.outcome == "name" else target.module
    what = f"{taken.name} from {imported}" if taken.name else imported
    bound = f" as {taken.bound}" if taken.aliased else ""
    where = f"in {member.id}" if taken.scope == MODULE_SCOPE else "in this function"
    message = f"{what}{bound} is imported and not used {where}"
    if patches:
        message += "; only patch targets name it here"
    advice = "remove the import" + (", and patch the name where it is read" if patches else "")
    related = tuple(Related(use.path, use.line, "a patch of it") for use in patches)
    return import_problem(project, member, taken, message, advice, imported, related, cap)


def coverage(project: Project, options: OrphanedImports) -> Coverage:
    """Every file that is judged, with its imports."""
    judged = _judged(project, options)
    return Coverage(len(judged), sum(len(member.facts.imports) for member in judged))


CHECK = Check(
    summary="An import whose name nobody needs any more",
    options=OrphanedImports,
    find=find,
    coverage=coverage,
    undeclared=Undeclared("warning", OrphanedImports(consumers="off")),
)
