"""One side of a run: a folder with its rules, read and resolved, to be judged as often as somebody wants."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from layercheck.baseline import Baseline
from layercheck.cache import Cache, open_cache
from layercheck.config import (
    Config,
    ForeignIgnores,
    RulesText,
    default_config,
    find_foreign,
    find_rules,
    on_disk,
    read_config,
    read_rules_file,
    relative_path,
)
from layercheck.errors import LayercheckError
from layercheck.layout import Layout
from layercheck.project import Project
from layercheck.run.judgement import EVERYTHING, Judgement, Selection, judge, select_rules
from layercheck.run.workers import Progress, default_jobs, gather, gather_files
from layercheck.source import Revision, list_files


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What somebody wants to know."""

    root: Path
    rules: Path | None = None
    """None: looked for from the root upwards."""
    selection: Selection = EVERYTHING
    jobs: int | None = None
    """None: as many as there are processors."""
    cache: bool = True
    today: date | None = None
    """None: the day of the run."""
    baseline: Path | None = None
    """The file of findings that are known."""
    since: str | None = None
    """A git revision: only what is new against it counts."""


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
    cached: int
    """How many files' facts came from the cache."""

    def judge(self, baseline: Baseline | None = None, before: Collection[str] = ()) -> Judgement:
        """What the rules say of it: ``layercheck.run.judgement.judge``."""
        return judge(
            self.project,
            self.config,
            self.today,
            self.request.selection,
            self.foreign,
            baseline=baseline,
            before=before,
        )

    def fingerprints_at(self, revision: Revision) -> frozenset[str]:
        """The fingerprints of what the same rules find in the folder as it was."""
        facts = gather_files(revision.files(), jobs=self.request.jobs or default_jobs(), cache=self.cache)
        project = Project(revision.layout, facts, self.config.project.api)
        # Packages only narrow what is shown, and one may not have been there.
        selection = Selection(self.request.selection.select, self.request.selection.ignore)
        found = judge(project, self.config, self.today, selection, self.foreign).findings
        return frozenset(finding.fingerprint for finding in found)


def look(request: CheckRequest, progress: Progress = lambda done, total: None) -> Side:
    """Read a folder and its rules.

    Raises LayercheckError where that cannot be done: no such folder, faulty rules, no Python files, unknown names.
    """
    root = demand_folder(request.root)
    config = find_config(root, request.rules)
    select_rules(config, request.selection)
    layout = list_files(root, config.project)
    _demand_files(root, layout)
    cache = open_cache(root) if request.cache else Cache(None, "")
    paths = [placed.path for placed in layout.placed]
    gathered = gather(root, paths, jobs=request.jobs or default_jobs(), cache=cache, progress=progress)
    project = Project(layout, gathered.facts, config.project.api)
    today = request.today or date.today()
    return Side(request, root, config, project, find_foreign(root), today, cache, gathered.cached)


def _demand_files(root: Path, layout: Layout) -> None:
    if not layout.placed:
        left_out = "; what is there is compiled, excluded or ignored by git" if layout.unread else ""
        raise LayercheckError(f"{root}: no Python files to check{left_out}")


def find_config(root: Path, rules: Path | None) -> Config:
    """The rules that hold for a folder. ``rules`` is the file that was asked for; None looks for one.

    Raises LayercheckError for what is wrong with it.
    """
    root = demand_folder(root)
    found = read_rules_file(rules.absolute()) if rules is not None else find_rules(root)
    return default_config() if found is None else _read(found, root)


def demand_folder(root: Path) -> Path:
    """The root of a run, absolute.

    Raises LayercheckError where it is no folder.
    """
    try:
        is_folder, is_there = root.is_dir(), root.exists()
    except OSError as error:
        raise LayercheckError(f"{root}: cannot be looked at: {error.strerror or error}") from None
    if is_folder:
        return root.resolve()
    if is_there:
        raise LayercheckError(
            f"{root}: is a file; give the folder that holds the project (--package narrows what is shown)"
        )
    raise LayercheckError(f"{root}: there is no such folder")


def _read(found: RulesText, root: Path) -> Config:
    path = found.path.resolve()
    return read_config(
        found.text,
        relative_path(path, root),
        table=found.table,
        folder=path.parent.as_posix(),
        root=root.as_posix(),
        shelf=on_disk(),
    )
