"""What a run starts from: a folder, its rules and what there is below it, before any code is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

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
    top_of,
)
from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.layout import Listing
from layercheck.run.judgement import EVERYTHING, Selection, select_rules
from layercheck.source import list_tree

RULES = "layercheck.toml"
"""How a new rules file is called."""


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
    unsaved: tuple[SourceFile, ...] = ()
    """Files that are taken to hold what is given here, whatever is on disk. Nothing is kept of such a run."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All that a run depends on, but what is in the code files."""

    request: CheckRequest
    root: Path
    config: Config
    listing: Listing
    foreign: tuple[ForeignIgnores, ...]
    today: date


def survey(request: CheckRequest) -> Survey:
    """Look at a folder and its rules.

    Raises LayercheckError where nothing can be checked: no such folder, faulty rules, unknown names.
    """
    root = demand_folder(request.root)
    config = find_config(root, request.rules)
    select_rules(config, request.selection)
    listing = list_tree(root, config.project.exclude, {file.path: file for file in request.unsaved})
    return Survey(request, root, config, listing, find_foreign(root), request.today or date.today())


def find_config(root: Path, rules: Path | None) -> Config:
    """The rules that hold for a folder. ``rules`` is the file that was asked for; None looks for one.

    Raises LayercheckError for what is wrong with it.
    """
    root = demand_folder(root)
    found = read_rules_file(rules.absolute()) if rules is not None else find_rules(root)
    if found is None:
        return default_config()
    # Whoever names a rules file trusts it; one that was found may be a stranger's.
    return _read(found, root, top_of(root) if rules is None else None)


def demand_no_rules(folder: Path) -> None:
    """Raises LayercheckError where rules hold for a folder already, whose place a new file there would take."""
    found = find_rules(demand_folder(folder))
    if found is not None:
        raise LayercheckError(f"{found.path}: the rules of this file hold here already; edit them, or move it away")


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


def _read(found: RulesText, root: Path, top: Path | None) -> Config:
    path = found.path.resolve()
    return read_config(
        found.text,
        relative_path(path, root),
        table=found.table,
        folder=path.parent.as_posix(),
        root=root.as_posix(),
        shelf=on_disk(top),
    )
