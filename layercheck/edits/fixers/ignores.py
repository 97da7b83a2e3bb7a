"""rules-file, where it says that an in-line ignore is not used: the comment goes, or the one name in its brackets."""

from __future__ import annotations

from layercheck.edits.model import DropIgnore, Fix, Refusal
from layercheck.finding import Finding
from layercheck.project import Project


def fix(project: Project, finding: Finding, unsafe: bool) -> Fix | Refusal | None:
    """Drop an in-line ignore that takes nothing out."""
    problem = finding.problem
    member = project.member(problem.location.path)
    code = unused_code(problem.key)
    if member is None or code is None:
        return None
    place = problem.location
    for index, comment in enumerate(member.facts.comments):
        if (comment.span.line, comment.span.column) == (place.line, place.column) and comment.tool == "layercheck":
            what = f"the ignore of {code}" if code else "the ignore"
            return Fix(finding, f"removed {what}", (DropIgnore(index, code),))
    return None


def unused_code(key: tuple[str, ...]) -> str | None:
    """The code that a problem of rules-file says to be unused, by the problem's key; None where it says otherwise."""
    match key:
        case (_, "unused"):
            return ""
        case (_, code, "unused"):
            return code
    return None
