"""What moved between two real releases, as an independent program found it: sglang 0.5.15 to 0.5.16, ``srt/mem_cache``.

Each entry of ``tests/data/sglang-0.5.15-0.5.16-moves.json`` is one definition that left its module for another one:
whether the lines from its first decorator to its last line are the same bytes, whether the comment above is, how many
lines differ, what is left in the old home, where it was imported (path, line, kind, category, what became of it),
and where it is now. ``via`` there says that it had been taken through another module: now it still is, or the import
is gone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import command, corpus

pytestmark = pytest.mark.corpus

DATA = Path(__file__).parent / "data" / "sglang-0.5.15-0.5.16-moves.json"
HOME = "sglang.srt.mem_cache"


def _release(version: str) -> Path:
    try:
        return corpus.release("sglang", version)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def run() -> dict[str, Any]:
    """``moves verify`` over the two releases."""
    old, new = _release("0.5.15"), _release("0.5.16")
    measured = command.layercheck("moves", "verify", old, new, "--package", "sglang", "--format", "json")
    assert measured.status == 1, measured.stderr
    report: dict[str, Any] = json.loads(measured.stdout)
    return report


def _moves(run: dict[str, Any]) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {
        (move["name"], move["from"], move["to"]): move
        for move in run["moves"]
        if move["from"].startswith(HOME) or move["to"].startswith(HOME)
    }


def _facts() -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(fact["name"], fact["from"], fact["to"]): fact for fact in json.loads(DATA.read_text(encoding="utf-8"))}


def test_the_same_definitions_moved(run: dict[str, Any]) -> None:
    assert sorted(_moves(run)) == sorted(_facts())
    assert len(_facts()) == 60


def test_each_body_is_the_same_or_not(run: dict[str, Any]) -> None:
    moves = _moves(run)
    found = {key: moves[key]["body"] == "identical" for key in moves}
    assert found == {key: fact["identical"] and fact["comment"] for key, fact in _facts().items()}
    counts = {key: [sum(line[0] == sign for line in moves[key]["diff"]) for sign in "-+"] for key in moves}
    assert counts == {key: [fact["removed"], fact["added"]] for key, fact in _facts().items()}


def test_each_old_home_is_what_it_is(run: dict[str, Any]) -> None:
    moves = _moves(run)
    assert {key: moves[key]["old_home"] for key in moves} == {key: fact["old_home"] for key, fact in _facts().items()}


def test_each_import_site_went_where_it_went(run: dict[str, Any]) -> None:
    moves = _moves(run)
    for key, fact in _facts().items():
        sites = [site for site in moves[key]["sites"] if site["kind"] not in ("attribute", "star")]
        olds = {(site["old_path"], site["old_line"]): site for site in sites if site["old_line"]}
        assert sorted(olds) == sorted((path, line) for path, line, *_ in fact["old_sites"]), key
        for path, line, kind, category, state in fact["old_sites"]:
            site = olds[path, line]
            assert (site["kind"], site["category"]) == (kind, category), (key, site)
            assert site["state"] in (("via", "removed") if state == "via" else (state,)), (key, site)
        news = sorted((site["path"], site["new_line"]) for site in sites if site["new_line"])
        assert news == sorted(map(tuple, fact["new_sites"])), key
