"""indirect-imports and broken-imports: the name is taken from the one module that is known to define it."""

from __future__ import annotations

from layercheck.edits.fixers.sites import import_at, untouchable
from layercheck.edits.model import Fix, Redirect, Refusal
from layercheck.edits.spelling import spelled
from layercheck.finding import Finding
from layercheck.project import Member, Project


def fix_indirect(project: Project, finding: Finding, unsafe: bool) -> Fix | Refusal | None:
    """Take a name from where it is defined, not from where it is only imported."""
    member = project.member(finding.problem.location.path)
    position = import_at(member, finding.problem) if member else -1
    if member is None or position < 0:
        return None
    homes = project.resolver.import_origins(member, position)
    home = next(iter(homes))
    if len(homes) > 1 or home.kind != "defined":
        return Refusal(finding, "it is not defined in one place")
    other = _other_name(project, member, position)
    if member.test and other:
        return Refusal(finding, f"the test has the same thing as {other} too: it may be there to compare the two")
    return _redirect(project, finding, member, position, home.module, home.name)


def _other_name(project: Project, member: Member, position: int) -> str:
    """Another name by which a file imports the very thing that one import of it comes to; empty where it has none."""
    resolver = project.resolver
    homes = resolver.import_origins(member, position)
    bound = member.facts.imports[position].bound
    for other, taken in enumerate(member.facts.imports):
        if taken.bound not in ("", bound, "*") and resolver.import_origins(member, other) == homes:
            return taken.bound
    return ""


def fix_broken(project: Project, finding: Finding, unsafe: bool) -> Fix | Refusal | None:
    """Take a name that is not where it was from the one module that defines it."""
    problem = finding.problem
    member = project.member(problem.location.path)
    position = import_at(member, problem) if member else -1
    if member is None or position < 0:
        return None
    taken = member.facts.imports[position]
    target = project.resolver.target(member, position)
    if taken.name in ("", "*") or target.typing_only or target.outcome == "beyond-top":
        return None
    source = None if target.outcome == "missing-module" else target.module
    home = project.only_definer(taken.name, source)
    if home is None:
        return None
    if home == member.name:
        return Refusal(finding, f"{member.id} defines {taken.name} itself")
    return _redirect(project, finding, member, position, home, taken.name)


def _redirect(
    project: Project, finding: Finding, member: Member, position: int, home: str, name: str
) -> Fix | Refusal | None:
    taken = member.facts.imports[position]
    why = untouchable(project, member, taken)
    if not why and home not in project.modules:
        why = "the file that defines it cannot be imported by name"
    if why:
        return Refusal(finding, why)
    written = spelled(home, taken.level, member.base)
    said = f"{taken.name} is imported from {home}" if name == taken.name else f"{taken.name} is {name} of {home}"
    return Fix(finding, said, (Redirect(position, home, written, name),))
