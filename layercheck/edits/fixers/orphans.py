"""orphaned-imports: the name goes; with the last name the statement, and with the last statement the ``if``."""

from __future__ import annotations

from layercheck.edits.fixers.sites import import_at, untouchable
from layercheck.edits.model import DropBlock, DropImport, Fix, Refusal
from layercheck.facts import Span
from layercheck.finding import Finding
from layercheck.project import Project


def fix(project: Project, finding: Finding, unsafe: bool) -> Fix | Refusal | None:
    """Drop an orphaned import, or a block that imports have left."""
    problem = finding.problem
    member = project.member(problem.location.path)
    if member is None:
        return None
    place = problem.location
    span = Span(place.line, place.column, place.end_line, place.end_column)
    if span in member.facts.hollow_blocks:
        return Fix(finding, "removed the empty block", (DropBlock(span, unsafe),))
    position = import_at(member, problem)
    if position < 0:
        return None
    taken = member.facts.imports[position]
    why = untouchable(project, member, taken)
    if problem.related:
        why = "patch targets name it, which have to go where the name is read"
    if why:
        return Refusal(finding, why)
    what = f"the import of {taken.bound}" if not taken.name else f"{taken.name} from the import of {problem.imported}"
    return Fix(finding, f"removed {what}", (DropImport(position),))
