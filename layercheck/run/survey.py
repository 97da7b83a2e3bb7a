"""What a run starts from: a folder, its rules and what there is below it, before any code is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from layercheck.config import (
    Config,
    ForeignIgnores,
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
from layercheck.inquiry import Answers, Inquiry
from layercheck.layout import Listing
from layercheck.run.judgement import select_rules
from layercheck.run.request import CheckRequest, demand_folder
from layercheck.source import list_tree

RULES = "layercheck.toml"
"""How a new rules file is called."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All that a run depends on, but what is in the code files."""

    request: CheckRequest
    root: Path
    config: Config
    listing: Listing
    foreign: tuple[ForeignIgnores, ...]
    today: date
    answers: Answers
    """What rules and settings were read from."""


def survey(request: CheckRequest) -> Survey:
    """Look at a folder and its rules.

    Raises LayercheckError where nothing can be checked: no such folder, faulty rules, unknown names.
    """
    root = demand_folder(request.root)
    inquiry = Inquiry()
    config = find_config(root, request.rules, inquiry)
    select_rules(config, request.selection)
    listing = list_tree(root, config.project.exclude, {file.path: file for file in request.unsaved})
    foreign, today = find_foreign(root, inquiry), request.today or date.today()
    return Survey(request, root, config, listing, foreign, today, inquiry.answers)


def find_config(root: Path, rules: Path | None, inquiry: Inquiry | None = None) -> Config:
    """The rules that hold for a folder. ``rules`` is the file that was asked for; None looks for one.

    Raises LayercheckError for what is wrong with it.
    """
    root, inquiry = demand_folder(root), inquiry or Inquiry()
    found = find_rules(root, inquiry) if rules is None else read_rules_file(rules.absolute(), inquiry)
    if found is None:
        return default_config()
    # Whoever names a rules file trusts it; one that was found may be a stranger's.
    top = top_of(root, inquiry) if rules is None else None
    path = inquiry.place(found.path)
    return read_config(
        found.text,
        relative_path(path, root),
        table=found.table,
        folder=path.parent.as_posix(),
        root=root.as_posix(),
        shelf=on_disk(top, inquiry),
    )


def demand_no_rules(folder: Path) -> None:
    """Raises LayercheckError where rules hold for a folder already, whose place a new file there would take."""
    found = find_rules(demand_folder(folder))
    if found is not None:
        raise LayercheckError(f"{found.path}: the rules of this file hold here already; edit them, or move it away")
