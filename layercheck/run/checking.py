"""The check command: a folder -> its report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath

from layercheck import __version__
from layercheck.cache import open_cache
from layercheck.config import (
    Config,
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
from layercheck.finding import Report, Stats
from layercheck.layout import Layout
from layercheck.project import Project
from layercheck.run.judgement import EVERYTHING, Judgement, Selection, judge, select_rules
from layercheck.run.workers import Progress, default_jobs, gather
from layercheck.source import list_files


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
        relative_path(PurePosixPath(path.as_posix()), PurePosixPath(root.as_posix())),
        table=found.table,
        folder=path.parent.as_posix(),
        root=root.as_posix(),
        shelf=on_disk(),
    )


def check(request: CheckRequest, progress: Progress = lambda done, total: None) -> Report:
    """Apply the rules to a folder.

    Raises LayercheckError where that cannot be done: no such folder, faulty rules, no Python files, unknown names.
    """
    start = time.perf_counter()
    root = demand_folder(request.root)
    config = find_config(root, request.rules)
    select_rules(config, request.selection)
    layout = list_files(root, config.project)
    _demand_files(root, layout)
    paths = [placed.path for placed in layout.placed]
    cache = open_cache(root) if request.cache else None
    gathered = gather(root, paths, jobs=request.jobs or default_jobs(), cache=cache, progress=progress)
    if cache is not None:
        cache.save(whole=True)
    project = Project(layout, gathered.facts, config.project.api)
    judgement = judge(project, config, request.today or date.today(), request.selection, find_foreign(root))
    told = (cache.note,) if cache is not None and cache.note else ()
    return Report(
        version=__version__,
        root=root.as_posix(),
        stats=Stats(
            modules=len(project.modules),
            consumers=len(project.members) - len(project.modules),
            imports=len(project.links),
            unreadable=sum(facts.failure is not None for facts in gathered.facts.values()),
            seconds=round(time.perf_counter() - start, 3),
            cached=gathered.cached,
        ),
        rules=judgement.rules,
        findings=judgement.findings,
        suppressed=judgement.suppressed,
        rules_file=config.path,
        notes=(*layout.notes, *_notes(config, judgement, root), *told),
    )


def _demand_files(root: Path, layout: Layout) -> None:
    if not layout.placed:
        left_out = "; what is there is compiled, excluded or ignored by git" if layout.unread else ""
        raise LayercheckError(f"{root}: no Python files to check{left_out}")


def _ran(check: str, judgement: Judgement) -> bool:
    return any(rule.check == check and rule.severity != "off" for rule in judgement.rules)


def _notes(config: Config, judgement: Judgement, root: Path) -> Iterator[str]:
    if not config.path:
        yield "No rules file: only the checks that need none ran."
    elif config.is_partial:
        yield f"Only {root.name}/ was read; the rules are those of {config.path}."
    if config.project.api is None and _ran("stale-reexports", judgement):
        yield "stale-reexports can tell more where [project] api names the modules that outside code may import."
