"""One side of a run: a folder with its rules, read and resolved, to be judged as often as somebody wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from layercheck.baseline import Baseline, entry_of
from layercheck.cache import Cache, open_cache
from layercheck.config import Config, ForeignIgnores
from layercheck.errors import LayercheckError
from layercheck.finding import Problem
from layercheck.layout import Layout
from layercheck.layout.place import place
from layercheck.project import Project
from layercheck.run.judgement import Earlier, Judgement, judge
from layercheck.run.request import CheckRequest, Selection
from layercheck.run.survey import Survey, survey
from layercheck.run.workers import Gathered, Progress, default_jobs, gather, gather_files
from layercheck.sieve import fingerprinted
from layercheck.source.revision import Revision


class NothingToCheckError(LayercheckError):
    """There is no Python file in a folder."""


@dataclass(frozen=True, slots=True)
class Side:
    """A folder as it is."""

    request: CheckRequest
    root: Path
    config: Config
    project: Project
    foreign: tuple[ForeignIgnores, ...]
    today: date
    cache: Cache
    gathered: Gathered

    def judge(
        self, baseline: Baseline | None = None, before: Earlier | None = None, faults: Sequence[Problem] = ()
    ) -> Judgement:
        """What the rules say of it: ``layercheck.run.judgement.judge``."""
        return judge(
            self.project,
            self.config,
            self.today,
            self.request.selection,
            self.foreign,
            baseline=baseline,
            before=before,
            faults=faults,
        )

    def earlier(self, revision: Revision) -> Earlier:
        """What the same rules find, and what their ignores take out, in the folder as it was."""
        facts = gather_files(revision.files(), jobs=self.request.jobs or default_jobs(), cache=self.cache)
        project = Project(revision.layout, facts, self.config.project.api)
        # Packages only narrow what is shown, and one may not have been there.
        selection = Selection(self.request.selection.select, self.request.selection.ignore)
        judged = judge(project, self.config, self.today, selection, self.foreign)
        ignored = (name for name, _ in fingerprinted(judged.suppressed))
        fingerprints = frozenset(finding.fingerprint for finding in judged.findings).union(ignored)
        return Earlier(fingerprints, tuple(entry_of(one) for one in judged.findings if one.problem.ring))


def look(request: CheckRequest, progress: Progress = lambda done, total: None) -> Side:
    """Read a folder and its rules.

    Raises LayercheckError where that cannot be done: no such folder, faulty rules, no Python files, unknown names.
    """
    return look_at(survey(request), progress)


def look_at(seen: Survey, progress: Progress = lambda done, total: None, earlier: Side | None = None) -> Side:
    """Read the code of a folder; raises as ``look`` does. ``earlier``: the same folder, of which what has not
    changed is not read again."""
    layout = place(seen.listing, seen.config.project)
    _demand_files(seen.root, layout)
    request = seen.request
    cache = earlier.cache if earlier else open_cache(seen.root) if request.cache else Cache(None, "")
    gathered = gather(
        seen.root,
        [placed.path for placed in layout.placed],
        jobs=request.jobs or default_jobs(),
        cache=cache,
        progress=progress,
        unsaved=request.unsaved,
        earlier=None if earlier is None else earlier.gathered,
    )
    project = Project(layout, gathered.facts, seen.config.project.api)
    return Side(request, seen.root, seen.config, project, seen.foreign, seen.today, cache, gathered)


def _demand_files(root: Path, layout: Layout) -> None:
    if not layout.placed:
        left_out = "; what is there is compiled, excluded or ignored by git" if layout.unread else ""
        raise NothingToCheckError(f"{root}: no Python files to check{left_out}")
