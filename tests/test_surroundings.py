"""What surrounds a run changes no finding: the cache, the number of workers, the seed of hashes, the locale, the time
zone, the folder that it starts in, how the root is spelt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import write_tree

TREE = """
# file: pkg/__init__.py
from pkg.b import *
# file: pkg/a.py
import os, sys
from pkg.b import x, gone
from pkg.i import é, I, i
# file: pkg/b.py
from pkg.a import y, os
import pkg.c
import pkg.B
# file: pkg/B.py
from pkg import b, Case
# file: pkg/c.py
lazy = (
# file: pkg/case.py
from pkg.b import pkg
# file: pkg/i.py
I = 1
# file: tests/test_a.py
from unittest import mock
@mock.patch("pkg.b.nothing")
def test_it(mocked): ...
"""


def run(root: str | Path, *arguments: str, cwd: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """The findings as a run prints them, byte for byte, without the root and the time."""
    program = Path(sys.executable).with_name("layercheck")
    done = subprocess.run(
        [str(program), "check", str(root), "--format", "json", *arguments],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    findings = done.stdout[done.stdout.index('"rules"') :]
    assert len(said["findings"]) > 5
    assert "\\" not in "".join(finding["path"] for finding in said["findings"])
    return findings


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("surroundings") / "project", TREE)


@pytest.fixture(scope="module")
def alone(root: Path) -> str:
    return run(root, "--no-cache", "--jobs", "1")


SURROUNDINGS: dict[str, tuple[str, str, list[str], dict[str, str]]] = {
    "two workers, no locale, far east": (
        "{root}/",
        ".",
        ["--jobs", "2"],
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Asia/Tokyo"},
    ),
    "four workers, letters of no locale, far west": (
        ".",
        "{root}",
        ["--jobs", "4"],
        {"PYTHONHASHSEED": "2", "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "America/Adak"},
    ),
    "Turkish, from below": ("..", "{root}/pkg", [], {"PYTHONHASHSEED": "0", "LC_ALL": "tr_TR.UTF-8"}),
    "there and back": ("{root}/pkg/../../project", ".", [], {}),
    "from beside": ("./project", "{root}/..", [], {}),
}
"""How the root is spelt, the folder in which the run starts, what it is told, and its environment."""


@pytest.mark.parametrize("surroundings", SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_the_same_findings(root: Path, alone: str, surroundings: tuple[str, str, list[str], dict[str, str]]) -> None:
    spelt, start, arguments, environment = surroundings
    cwd = Path(start.format(root=root))
    found = run(spelt.format(root=root), "--no-cache", *arguments, cwd=cwd, environment=environment)
    assert found == alone


def test_through_a_link(root: Path, alone: str, tmp_path: Path) -> None:
    try:
        (tmp_path / "link").symlink_to(root)
    except OSError:
        pytest.skip("no links here")
    assert run(tmp_path / "link", "--no-cache") == alone


def test_whatever_is_cached(root: Path, alone: str, tmp_path: Path) -> None:
    """Nothing, everything, and what was so before one file changed and after it changed back."""
    cache = {"LAYERCHECK_CACHE_DIR": str(tmp_path / "cache")}
    assert run(root, environment=cache) == alone
    assert run(root, environment=cache) == alone
    changed = root / "pkg" / "a.py"
    content = changed.read_bytes()
    changed.write_bytes(content.replace(b"gone", b"lost"))
    try:
        assert run(root, environment=cache) == run(root, "--no-cache") != alone
    finally:
        changed.write_bytes(content)
    assert run(root, environment=cache) == alone
