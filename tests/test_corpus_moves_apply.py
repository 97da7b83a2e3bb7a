"""Taking a real catch-all module apart: what people did between two releases is planned and made on the first of them.

Between sglang 0.5.15 and 0.5.16 a family of four definitions left ``memory_pool_host`` for ``pool_host.mha``, and a
constant that others share went down to ``pool_host.base``. ``tests/data/sglang-0.5.15-0.5.16-moves.json`` says of each
what an independent program found (``test_corpus_moves``).
"""

from __future__ import annotations

import ast
import difflib
import json
from pathlib import Path
from typing import Any

import pytest
import tomli

from tests import command, corpus
from tests.test_corpus_moves import DATA

pytestmark = pytest.mark.corpus

HOME = "sglang.srt.mem_cache.memory_pool_host"
BASE = "sglang.srt.mem_cache.pool_host.base"
MHA = "sglang.srt.mem_cache.pool_host.mha"
FAMILY = {"MHATokenToKVPoolHost", "AsymmetricMHATokenToKVPoolHost", "MHATokenToKOnlyPoolHost", "get_mha_host_pool_cls"}
SHARED = {"_WRITE_BACK_STAGING_PAGE_CHUNK"}
CHECKS = "broken-imports,orphaned-imports,stale-patch-targets,ineffective-patches"


def _release(version: str) -> Path:
    try:
        return corpus.release("sglang", version)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plan for the module, as a moves file."""
    file = tmp_path_factory.mktemp("plan") / "moves.toml"
    measured = command.layercheck("moves", "plan", HOME, "--root", _release("0.5.15"), "-o", file)
    assert measured.status == 0, measured.stderr
    return file


@pytest.fixture(scope="session")
def moved(plan: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the first release in which its first two steps are made."""
    copy = corpus.copy(_release("0.5.15"), tmp_path_factory.mktemp("moved") / "sglang")
    measured = command.layercheck("moves", "apply", plan, "--root", copy, "--step", "1", "--step", "2", "--write")
    assert measured.status == 0, measured.stderr
    return copy


def test_the_family_and_what_it_shares(plan: Path) -> None:
    steps = tomli.loads(plan.read_text(encoding="utf-8"))["step"]
    assert [(step["to"], set(step["names"])) for step in steps[:2]] == [(BASE, SHARED), (MHA, FAMILY)]
    assert all(step["from"] == HOME for step in steps)


def test_it_is_only_a_move_and_every_site_is_redirected(moved: Path) -> None:
    measured = command.layercheck(
        "moves", "verify", _release("0.5.15"), moved, "--package", "sglang", "--format", "json",
        "--recomputed", "logger,_is_cuda,_is_hip,_is_npu,_is_xpu,_is_mps",
    )  # fmt: skip
    assert measured.status == 0, measured.stdout + measured.stderr
    report: dict[str, Any] = json.loads(measured.stdout)
    moves = {move["name"]: move for move in report["moves"]}
    assert moves.keys() == FAMILY | SHARED
    for name, fact in _facts().items():
        sites = [site for site in moves[name]["sites"] if site["old_line"]]
        assert sorted((site["path"], site["old_line"]) for site in sites) == sorted(
            (path, line) for path, line, *_ in fact["old_sites"]
        )
        assert all(site["state"] == "redirected" for site in sites)


def test_the_bytes_are_those_of_the_next_release_where_it_did_not_change_them(moved: Path) -> None:
    for name, fact in _facts().items():
        path = f"{fact['to'].replace('.', '/')}.py"
        made, theirs = (_definition(root / path, name) for root in (moved, _release("0.5.16")))
        if fact["identical"]:
            assert made == theirs
        else:
            changes = [*difflib.unified_diff(made, theirs, n=0)][2:]
            signs = [line[0] for line in changes]
            assert (signs.count("-"), signs.count("+")) == (fact["removed"], fact["added"])


def test_every_site_resolves_and_no_orphan_is_left(moved: Path) -> None:
    before, after = (command.check(root, "--select", CHECKS) for root in (_release("0.5.15"), moved))
    assert {_about(found) for found in after.findings()} <= {_about(found) for found in before.findings()}


def _facts() -> dict[str, dict[str, Any]]:
    facts = json.loads(DATA.read_text(encoding="utf-8"))
    return {fact["name"]: fact for fact in facts if fact["name"] in FAMILY | SHARED}


def _definition(path: Path, name: str) -> list[str]:
    """The lines of a definition at the top level of a file."""
    content = path.read_bytes().decode("utf-8")
    for node in ast.parse(content).body:
        named = [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]
        if name in (getattr(node, "name", ""), *named):
            return content.split("\n")[node.lineno - 1 : node.end_lineno]
    raise AssertionError(f"{path} does not define {name}")


def _about(found: dict[str, Any]) -> tuple[str, str, str | None, str | None]:
    return found["check"], found["path"], found["imported"], found["name"]
