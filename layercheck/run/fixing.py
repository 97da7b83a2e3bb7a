"""The check command where it mends: a folder -> what changes in its files, and its report. Alone it calls writing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import msgspec

from layercheck import edits
from layercheck.facts import SourceFile
from layercheck.finding import Attempt, Finding, Location, Mending, Replacement, Report
from layercheck.project import Project
from layercheck.run.judgement import Judgement
from layercheck.run.mending import Mended, mend
from layercheck.run.opened import Opened, made_of, open_at, open_check, report
from layercheck.run.recall import Made, recalled
from layercheck.run.request import EVERYTHING, CheckRequest
from layercheck.run.survey import Survey
from layercheck.run.workers import Progress
from layercheck.source import read_file
from layercheck.writing import replace_files, unwritable

_Judge = Callable[[Project], Judgement]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be mended, with nothing written."""

    report: Report
    """Of the files as they are. A finding is ``fixable`` that the diff takes away."""
    diff: bytes
    fixable: int
    files: Mapping[str, tuple[bytes, bytes]]
    """By path, what each file that the diff changes holds and would hold."""


def propose(request: CheckRequest, progress: Progress = lambda done, total: None, *, unsafe: bool = False) -> Proposal:
    """Check a folder, and find what of it could be mended.

    Raises LayercheckError as ``check`` does.
    """
    return propose_at(open_check(request, progress), unsafe=unsafe)


def mark(request: CheckRequest, progress: Progress = lambda done, total: None) -> Report:
    """Check a folder, and say of each finding whether it could be mended: the report of ``propose``.

    Raises LayercheckError as ``check`` does.
    """

    def afresh(seen: Survey) -> Made:
        opened = open_at(seen, progress)
        return made_of(opened, propose_at(opened).report)

    def locked(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(path for path in sorted(paths) if unwritable(root, path))

    return recalled(request, afresh, "what could be mended", locked)


def propose_at(opened: Opened, *, unsafe: bool = False, only: str | None = None) -> Proposal:
    """What could be mended of a folder that has been read. ``only``: the path of the one file in which anything is."""
    judge = _judge(opened)
    mended = _mend(opened, judge, unsafe, only)
    before = judge(opened.side.project)
    gone = mended.takes_away(_within(before.findings, only))
    made = report(opened, opened.side, before)
    project = opened.side.project
    marked = msgspec.structs.replace(
        made,
        findings=tuple(
            _marked(finding, _mending(project, mended, finding, unsafe)) if finding.fingerprint in gone else finding
            for finding in made.findings
        ),
        unmended=_refusals(mended),
    )
    return Proposal(marked, edits.unified(mended.files), len(gone), mended.files)


def fix(request: CheckRequest, progress: Progress = lambda done, total: None, *, unsafe: bool = False) -> Report:
    """Mend what can be mended in a folder, and say what was done and what is left.

    Raises LayercheckError as ``check`` does, and, with nothing written, where a file cannot be.
    """
    opened = open_check(request, progress)
    judge = _judge(opened)
    mended = _mend(opened, judge, unsafe, None)
    replace_files(opened.side.root, mended.files)
    side = replace(opened.side, project=mended.project)
    done = tuple(_attempt(one.finding, one.said) for one in mended.fixes)
    return msgspec.structs.replace(report(opened, side, judge(mended.project)), mended=done, unmended=_refusals(mended))


def _judge(opened: Opened) -> _Judge:
    """What the rules say of a project, as the request wants it; nobody is asked twice in a row."""
    return lru_cache(maxsize=3)(lambda project: opened.judge(replace(opened.side, project=project)))


def _mend(opened: Opened, judge: _Judge, unsafe: bool, only: str | None) -> Mended:
    root, request = opened.side.root, opened.side.request
    given = {file.path: file for file in request.unsaved}
    every = judge
    if not request.selection.is_everything or opened.before:
        whole = replace(opened.side, request=replace(request, selection=EVERYTHING))
        every = _judge(replace(opened, side=whole, before=None))
    return mend(
        opened.side.project,
        lambda project: _within(judge(project).findings, only),
        lambda project: every(project).findings,
        lambda path: _read(root, path, given.get(path)),
        unsafe=unsafe,
    )


def _within(findings: tuple[Finding, ...], only: str | None) -> tuple[Finding, ...]:
    """The findings of one file, or all."""
    return findings if only is None else tuple(one for one in findings if one.problem.location.path == only)


def _read(root: Path, path: str, given: SourceFile | None) -> bytes | str:
    # Whoever gives a file's text writes it as well.
    why = "" if given else unwritable(root, path)
    file = given or read_file(root, path)
    return why or file.error if why or file.content is None else file.content


def _mending(project: Project, mended: Mended, finding: Finding, unsafe: bool) -> Mending | None:
    """What mends a finding by itself; None where that takes others with it, or stands in several files."""
    answer = edits.fix(project, finding, unsafe=unsafe)
    if not isinstance(answer, edits.Fix) or answer.path not in mended.files:
        return None
    member, (content, _) = project.member(answer.path), mended.files[answer.path]
    if member is None:
        return None
    try:
        spans = edits.replacements(content, member.facts, member.base, answer.changes, keep_something=member.package)
    except edits.EditError:
        return None
    path = answer.path
    return Mending(
        answer.said,
        tuple(
            Replacement(Location(path, span.line, span.column, span.end_line, span.end_column), text)
            for span, text in spans
        ),
    )


def _marked(finding: Finding, mending: Mending | None) -> Finding:
    problem = msgspec.structs.replace(finding.problem, fixable=True)
    return msgspec.structs.replace(finding, problem=problem, mending=mending)


def _refusals(mended: Mended) -> tuple[Attempt, ...]:
    return tuple(_attempt(one.finding, one.why) for one in mended.refusals)


def _attempt(finding: Finding, message: str) -> Attempt:
    return Attempt(rule=finding.rule, check=finding.check, location=finding.problem.location, message=message)
