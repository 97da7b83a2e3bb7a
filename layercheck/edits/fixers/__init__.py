"""How a finding is mended: a fixer for each check that has one. A fixer decides from the project what would be right;
whether it is, is seen afterwards, when the mended project is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from layercheck.edits.fixers import ignores, orphans, patches, redirects, reexports
from layercheck.edits.model import Fix, Refusal
from layercheck.finding import Finding
from layercheck.project import Project

Fixer = Callable[[Project, Finding, bool], Fix | Refusal | None]
"""``(project, finding, unsafe)`` to what mends it; why it is not mended; or None where nothing could be."""

FIXERS: Mapping[str, Fixer] = {
    "broken-imports": redirects.fix_broken,
    "indirect-imports": redirects.fix_indirect,
    "orphaned-imports": orphans.fix,
    "rules-file": ignores.fix,
    "stale-patch-targets": patches.fix,
    "stale-reexports": reexports.fix,
}


def fix(project: Project, finding: Finding, *, unsafe: bool) -> Fix | Refusal | None:
    """What mends a finding of a project; a refusal where a fixer knows the check and leaves this one alone, None where
    none knows what to do."""
    fixer = FIXERS.get(finding.check)
    return fixer(project, finding, unsafe) if fixer else None
