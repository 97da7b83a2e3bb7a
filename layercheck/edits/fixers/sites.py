"""From a problem back to the import it stands on, and what forbids to touch one."""

from __future__ import annotations

from layercheck.facts import Import
from layercheck.finding import Problem
from layercheck.project import Member, Project


def import_at(member: Member, problem: Problem) -> int:
    """The position of the import that a problem stands on; -1 where it stands on none."""
    place = problem.location
    for position, taken in enumerate(member.facts.imports):
        span = taken.span
        if (span.line, span.column, span.end_line, span.end_column) == (
            place.line,
            place.column,
            place.end_line,
            place.end_column,
        ):
            return position
    return -1


def untouchable(project: Project, member: Member, taken: Import) -> str:
    """Why an import is left alone whatever is wrong with it; empty where it is not."""
    if "dynamic" in taken.flags:
        return "it is no import statement"
    if "optional" in taken.flags or "raises" in taken.flags or taken.handler:
        return "it is part of a try that expects it to fail"
    if member.facts.exports is not None and project.resolver.exports(member) is None:
        return f"the __all__ of {member.id} cannot be read"
    if member.generated:
        return f"{member.id} is generated"
    return ""
