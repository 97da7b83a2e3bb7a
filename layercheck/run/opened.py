"""A folder that has been read with what it is judged against, and the report of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from layercheck import __version__
from layercheck.baseline import Baseline
from layercheck.checks import number_of, rules_file
from layercheck.config import settle
from layercheck.finding import Location, Problem, Report, Stats
from layercheck.layout import Listing
from layercheck.names import parent
from layercheck.run.judgement import Earlier, Judgement
from layercheck.run.recall import Made
from layercheck.run.recording import read_baseline
from layercheck.run.request import CheckRequest
from layercheck.run.settings import describe_settings
from layercheck.run.side import Side, look_at
from layercheck.run.survey import Survey, survey
from layercheck.run.workers import Progress
from layercheck.source.revision import Revision, open_revision

_MOST = 10
"""How many paths one hint names."""


def made_of(opened: Opened, made: Report) -> Made:
    """A report with what it was made from."""
    side = opened.side
    seen, tops = side.gathered.seen, tuple(sorted(side.project.importable_heads))
    return Made(made, seen, tops, len(seen) == len(side.gathered.facts) and not side.cache.note)


@dataclass(frozen=True, slots=True)
class Opened:
    """A folder that has been read, and what it is judged against."""

    side: Side
    baseline: Baseline | None
    before: Earlier | None
    """What was there before, where that is left out."""
    ignored: tuple[str, ...]
    """The Python files, and with a slash behind them the folders, that are not read because git ignores them."""
    faults: tuple[Problem, ...]
    """What is wrong beside what the code and its rules show."""
    start: float
    """When the run began, as ``time.perf_counter`` tells it."""

    def judge(self, side: Side) -> Judgement:
        """What the rules say of a side, as the request wants it."""
        return side.judge(self.baseline, self.before, self.faults)


def open_check(request: CheckRequest, progress: Progress) -> Opened:
    """Read a folder and all that it is to be judged against; raises as ``check`` does."""
    return open_at(survey(request), progress)


def open_at(seen: Survey, progress: Progress, earlier: Side | None = None) -> Opened:
    """Read the code of a folder and all that it is to be judged against; raises as ``check`` does. ``earlier``: the
    same folder, of which what has not changed is not read again."""
    start = time.perf_counter()
    request = seen.request
    side = look_at(seen, progress, earlier)
    baseline = None if request.baseline is None else read_baseline(request.baseline, side.root)
    before: Earlier | None = None
    faults: tuple[Problem, ...] = ()
    ignored = tuple(sorted(_ignored(seen.listing)))
    if request.since is not None:
        revision = open_revision(side.root, request.since, side.config.project)
        before = side.earlier(revision)
        faults = tuple(_lost(revision, ignored))
    # What only this run was given, or remembered from an earlier one, says nothing of what later ones will need.
    side.cache.save(whole=earlier is None and not request.unsaved)
    return Opened(side, baseline, before, ignored, faults, start)


def _ignored(listing: Listing) -> Iterator[str]:
    for entry in listing.entries:
        if entry.kind == "ignored" and (entry.folder or entry.path.endswith((".py", ".pyi"))):
            yield f"{entry.path}/" if entry.folder else entry.path


def _lost(revision: Revision, ignored: tuple[str, ...]) -> Iterator[Problem]:
    """A fault for each file of a revision that is still there but no longer read, because git ignores it."""
    folders = tuple(path for path in ignored if path.endswith("/"))
    for placed in revision.layout.placed:
        path = placed.path
        if placed.generated:
            continue
        if path in ignored or (path.startswith(folders) and (revision.root / path).is_file()):
            yield rules_file.problem(
                Location(path),
                f"{revision.text} has this file and git ignores it now, so nothing in it is read or told",
                "track it, or name it in [project] exclude if it is no longer code of this project",
                "ignored",
            )


def report(opened: Opened, side: Side, judgement: Judgement) -> Report:
    """What there is to say of a side."""
    project = side.project
    return Report(
        version=__version__,
        root=side.root.as_posix(),
        stats=Stats(
            modules=len(project.modules),
            consumers=len(project.members) - len(project.modules),
            imports=len(project.links),
            unreadable=sum(member.facts.failure is not None for member in project.members),
            seconds=round(time.perf_counter() - opened.start, 3),
            cached=side.gathered.cached,
        ),
        rules=judgement.rules,
        findings=judgement.findings,
        suppressed=judgement.suppressed,
        packages=side.request.selection.packages,
        rules_file=side.config.path,
        notes=(*project.notes, *_notes(side, judgement, opened)),
        part=_part(side),
        hints=tuple(_hints(side, judgement, opened.ignored)),
        settings=describe_settings(settle(side.config, project.package_at)),
    )


def _ran(check: str, judgement: Judgement) -> bool:
    return any(rule.check == check and rule.severity != "off" for rule in judgement.rules)


def _hints(side: Side, judgement: Judgement, ignored: tuple[str, ...]) -> Iterator[str]:
    if side.config.project.api is None and _ran("stale-reexports", judgement):
        yield "stale-reexports can tell more where [project] api names the modules that outside code may import."
    if ignored:
        more = f" and {len(ignored) - _MOST:,} more" if len(ignored) > _MOST else ""
        yield f"Git ignores: {', '.join(ignored[:_MOST])}{more}."


def _part(side: Side) -> str:
    """A sentence that says which part of the project was read; empty where all of it was."""
    prefix = side.project.layout.prefix
    if side.config.is_partial:
        return f"Only {side.root.name}/ was read; the rules are those of {side.config.path}."
    return f"Only {prefix} was read, which is a part of {parent(prefix)}." if parent(prefix) else ""


def _shrunk(judgement: Judgement) -> str:
    """What the baseline does not say of the rings that it knows."""
    if not judgement.shrunk:
        return ""
    rings, they = number_of(judgement.shrunk, "known ring"), "has" if judgement.shrunk == 1 else "have"
    return f" {rings} {they} shrunk: layercheck baseline write records that."


def _notes(side: Side, judgement: Judgement, opened: Opened) -> Iterator[str]:
    config, since, baseline = side.config, side.request.since, opened.baseline
    if not config.path:
        yield "No rules file: only the checks that need none ran."
    if part := _part(side):
        yield part
    files = sum(not path.endswith("/") for path in opened.ignored)
    if files:
        yield f"Not read, since git ignores {'it' if files == 1 else 'them'}: {number_of(files, 'Python file')}."
    if baseline is not None:
        yield f"Baseline {baseline.path}: {judgement.known:,} known, {len(judgement.gone):,} gone.{_shrunk(judgement)}"
    if since is not None:
        yield f"Since {since}: findings that were there before are not shown ({judgement.old:,})."
    if side.cache.note:
        yield side.cache.note
