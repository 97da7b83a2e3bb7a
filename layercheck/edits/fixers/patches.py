"""stale-patch-targets: the text names the one place where what it patched lives now, or the constant that it is made
of does."""

from __future__ import annotations

from layercheck import names
from layercheck.checks.stale_patch_targets import moved_to
from layercheck.edits.literals import changed_piece, name_of
from layercheck.edits.model import Fix, Refusal, Rewrite
from layercheck.facts import Patch, Span
from layercheck.finding import Finding
from layercheck.project import Member, Project
from layercheck.project.readers import is_seen, readers_of
from layercheck.project.things import things_of


def fix(project: Project, finding: Finding, unsafe: bool) -> Fix | Refusal | None:
    """Let a target name where it lives now, where one place is known and a patch of it is seen by all who read it."""
    problem = finding.problem
    member = project.member(problem.location.path)
    if member is None:
        return None
    here = [patch for patch in member.facts.patches if _is_at(patch.span, finding) and patch.target]
    if len(here) != 1:
        return None
    new = _new_target(project, member, here[0])
    if not new:
        return None
    why = _misses(project, member, here[0], new)
    if why:
        return Refusal(finding, why)
    changed = changed_piece(here[0], new)
    if changed is None:
        return Refusal(finding, "the text is put together of parts that change both")
    piece, old, text = changed
    sharing = [patch for patch in member.facts.patches if any(one.span == piece.span for one in patch.pieces)]
    if any(changed_piece(patch, _new_target(project, member, patch)) != changed for patch in sharing):
        return Refusal(finding, "other targets are made of the same text, and do not move with it")
    only = name_of(member, here[0], piece)
    said = f"the target is {new}"
    return Fix(finding, said, (Rewrite(piece.span, old, text, (only, len(sharing) + 1) if only else None),))


def _is_at(span: Span, finding: Finding) -> bool:
    place = finding.problem.location
    return (span.line, span.column, span.end_line, span.end_column) == (
        place.line,
        place.column,
        place.end_line,
        place.end_column,
    )


def _new_target(project: Project, member: Member, patch: Patch) -> str:
    """What a stale target is called now; empty where it is not stale, or no one place is known."""
    if not patch.target or patch.kind == "module":
        return ""
    landing = things_of(project).landing(member, patch)
    certain = landing.outcome == "missing" and not landing.doubtful and not landing.typing_only
    if not certain or any(holder.kind != "module" for holder in landing.holders):
        return ""
    home = moved_to(project, landing)
    return names.join(home, landing.rest) if home else ""


def _misses(project: Project, member: Member, patch: Patch, new: str) -> str:
    """Why a patch of the new target might change nothing for some who read it; empty where all see it."""
    module, name = names.parent(new), names.tail(new)
    holder = project.modules.get(module)
    if patch.kind != "attribute" or holder is None:
        return ""  # an attribute of what all share
    others = [reader.member.id for reader in readers_of(project, module, name)]
    if others:
        return f"{', '.join(others)} may read {name} too: patch it where the test needs it"
    return "" if is_seen(project, holder, name, member) else f"nothing in {module} reads {name}"
