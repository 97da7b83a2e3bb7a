"""stale-reexports: the name goes from the import and from ``__all__``, where nobody at all takes it."""

from __future__ import annotations

from layercheck.edits.fixers.sites import import_at, untouchable
from layercheck.edits.model import Change, DropExport, DropImport, Fix, Refusal
from layercheck.finding import Finding
from layercheck.project import Project


def fix(project: Project, finding: Finding, unsafe: bool) -> Fix | Refusal | None:
    """Drop a name that is passed on for nobody. A whole module that only passes names on is left alone."""
    problem = finding.problem
    member = project.member(problem.location.path)
    position = import_at(member, problem) if member else -1
    if member is None or position < 0 or problem.name is None:
        return None
    taken = member.facts.imports[position]
    why = untouchable(project, member, taken)
    if problem.related:
        why = "tests take it from here"
    if why:
        return Refusal(finding, why)
    exported = taken.bound in (project.resolver.exports(member) or ())
    if not taken.used or taken.name == "*":
        changes: tuple[Change, ...] = (DropImport(position),)
    elif exported and not taken.aliased:
        changes = ()  # the module reads it itself
    else:
        return Refusal(finding, f"{member.id} reads it itself")
    if exported:
        changes = (*changes, DropExport(taken.bound))
    what = "every name" if taken.name == "*" else taken.bound
    return Fix(finding, f"{member.id} passes on {what} of {problem.imported} no more", changes)
