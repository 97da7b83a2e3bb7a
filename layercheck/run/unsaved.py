"""The check command for the text of one file that is not saved: what is wrong in it, and what it breaks elsewhere."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.finding import Finding, Report
from layercheck.layout import is_project_file, is_relevant, matches_glob
from layercheck.layout.place import place
from layercheck.run.judged import Judged, judge_survey
from layercheck.run.novelty import new_findings
from layercheck.run.request import CheckRequest, demand_folder
from layercheck.run.side import NothingToCheckError
from layercheck.run.survey import Survey, survey
from layercheck.run.workers import Progress
from layercheck.source import as_read, read_file

if TYPE_CHECKING:
    from layercheck.run.fixing import Proposal

_WHY = {
    "link": "it lies behind a link that leads elsewhere; give the path that the link leads to",
    "ignored": "git ignores it, so it is no part of the project; track it to have it checked",
    "excluded": "[project] exclude leaves it out; take it out of there to have it checked",
    "locked": "its folder cannot be listed; make it readable",
}


def unsaved_file(root: Path, path: Path, content: bytes) -> SourceFile:
    """A file below a folder that is taken to hold this content, whether it is there or not.

    Raises LayercheckError where there is no such folder, or the file lies outside of it.
    """
    below = path_below(demand_folder(root), path)
    if below is None:
        raise LayercheckError(f"{path} lies outside of {root}; give the folder that holds it as ROOT")
    return as_read(below, content)


def path_below(root: Path, path: Path) -> str | None:
    """The path of a file as layercheck has it, POSIX and relative to ``root`` (resolved); None outside of it."""
    full = Path(os.path.realpath(path.absolute().parent)) / path.name
    try:
        return full.relative_to(root).as_posix()
    except ValueError:
        return None


def unread(seen: Survey, path: str) -> str:
    """Why a file is not among those that a run reads, and what to do, as a sentence; empty where it is."""
    entries = {entry.path: entry for entry in seen.listing.entries}
    for part in (path, *(folder.as_posix() for folder in Path(path).parents)):
        if part in entries and entries[part].kind != "plain":
            return _WHY[entries[part].kind]
    if any(matches_glob(path, glob) for glob in seen.config.project.exclude):
        return _WHY["excluded"]
    name = path.rpartition("/")[2]
    if not is_relevant(name) or not name.endswith((".py", ".pyw", ".pyi")):
        return "it is no Python file; give one whose name ends in .py, .pyw or .pyi"
    if path not in entries:
        return "it lies in a folder that is never read: a hidden one, an environment, or what a build made"
    if name.endswith(".pyi") and all(placed.path != path for placed in place(seen.listing, seen.config.project).placed):
        return "it is a stub, and the module itself is read; give that"
    return ""


def check_unsaved(request: CheckRequest, progress: Progress = lambda done, total: None) -> Report:
    """Apply the rules to a folder in which the one file of ``request.unsaved`` holds what is given there. What stands
    in that file is told, and what stands elsewhere only because of it.

    Raises LayercheckError as ``check`` does, and where the file is none of those that are read.
    """
    looked = _look(request, progress)
    return looked.narrowed(looked.made)


def mark_unsaved(request: CheckRequest, progress: Progress = lambda done, total: None) -> Report:
    """The same, saying of each finding in the file whether and how it could be mended; raises as ``check_unsaved``
    does."""
    looked = _look(request, progress)
    if not any(map(looked.stands_here, looked.made.findings)):
        return looked.narrowed(looked.made)
    # What reads syntax trees takes a while to load.
    from layercheck.run.fixing import propose_at

    return looked.narrowed(propose_at(looked.ran.open(progress), only=looked.path).report)


def propose_unsaved(
    request: CheckRequest, progress: Progress = lambda done, total: None, *, unsafe: bool = False
) -> Proposal:
    """The same, with a diff of what could be mended in the file; raises as ``check_unsaved`` does."""
    from layercheck.run.fixing import propose_at

    looked = _look(request, progress)
    proposal = propose_at(looked.ran.open(progress), unsafe=unsafe, only=looked.path)
    return replace(proposal, report=looked.narrowed(proposal.report))


@dataclass(frozen=True, slots=True)
class _Looked:
    """A folder in which a file holds what is given, judged, and what was there before."""

    path: str
    """Of the file."""
    ran: Judged
    before: tuple[Finding, ...]
    """What is wrong elsewhere as long as the file is as it is on disk."""

    @property
    def made(self) -> Report:
        """The report of the whole folder."""
        return self.ran.report

    def stands_here(self, finding: Finding) -> bool:
        """Whether a finding stands in the file."""
        return finding.problem.location.path == self.path

    def narrowed(self, made: Report) -> Report:
        """A report of the folder, less all that the file has nothing to do with."""
        new = {id(one) for one in new_findings(self.before, made.findings)}
        shown = tuple(one for one in made.findings if self.stands_here(one) or id(one) in new)
        suppressed = tuple(one for one in made.suppressed if one.location.path == self.path)
        found, taken = Counter(one.rule for one in shown), Counter(one.rule for one in suppressed)
        known = Counter(one.rule for one in suppressed if one.by == "baseline")
        return msgspec.structs.replace(
            made,
            findings=shown,
            suppressed=suppressed,
            rules=tuple(
                msgspec.structs.replace(
                    rule, findings=found[rule.name], suppressed=taken[rule.name], known=known[rule.name]
                )
                for rule in made.rules
            ),
            notes=(*made.notes, f"Shown: what stands in {self.path}, and what its text would bring elsewhere."),
            unmended=tuple(one for one in made.unmended if one.location.path == self.path),
        )


def _look(request: CheckRequest, progress: Progress) -> _Looked:
    (file,) = request.unsaved
    seen = survey(request)
    if why := unread(seen, file.path):
        raise LayercheckError(f"{file.path} is not checked: {why}")
    # Packages only narrow what is shown, and one may not be there yet.
    disk = replace(request, unsaved=(), selection=replace(request.selection, packages=()))
    if disk.selection == request.selection and read_file(seen.root, file.path).content == file.content is not None:
        ran = judge_survey(replace(seen, request=disk), progress)
        return _Looked(file.path, ran, ran.report.findings)
    # Where the first is not recalled the second is made and kept, so that the next one may be.
    ran = judge_survey(seen, progress)
    elsewhere = any(finding.problem.location.path != file.path for finding in ran.report.findings)
    if ran.opened is None and not elsewhere:
        return _Looked(file.path, ran, ())
    try:
        before = judge_survey(_on_disk(seen, disk, file), progress, ran.earlier)
    except NothingToCheckError:
        return _Looked(file.path, ran, ())
    return _Looked(file.path, ran, before.report.findings)


def _on_disk(seen: Survey, request: CheckRequest, file: SourceFile) -> Survey:
    """What there is without the file that is given."""
    listed_anew = not (seen.root / file.path).is_file() or is_project_file(file.path.rpartition("/")[2])
    return survey(request) if listed_anew else replace(seen, request=request)
