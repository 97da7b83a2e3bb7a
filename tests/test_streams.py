"""Every command where its output cannot go as it should: streams that are closed, readers that leave, terminals that
cannot say all letters, folders that are not there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.test_cli import layercheck
from tests.tree import write_tree

TREE = """
# file: old/app/__init__.py
# file: old/app/big.py
class Ä: ...
class B(Ä): ...
def apart(): ...
# file: app/__init__.py
# file: app/big.py
class Ä: ...
class B(Ä): ...
def apart(): ...
# file: app/grü.py
import json
from app.big import Ä, B, nöt
x = (Ä, B)
# file: .importlinter
[importlinter]
root_package = app
[importlinter:contract:1]
name = Größe
type = layers
layers =
    app.grü
    app.big
# file: steps.toml
version = 1
[[step]]
from = "app.big"
to = "app.ä"
names = ["Ä", "B"]
"""

COMMANDS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "check": (("check",), 1),
    "check --diff": (("check", "--diff"), 1),
    "graph": (("graph",), 0),
    "graph --format html": (("graph", "--format", "html"), 0),
    "why": (("why", "app.grü", "app.big"), 0),
    "what-if": (("what-if", "app.big -> app.grü"), 1),
    "what-if, mistaken": (("what-if", "app.big -> app.grün"), 2),
    "explain": (("explain", "layers"), 0),
    "migrate": (("migrate", "--output", "-"), 0),
    "init": (("init",), 0),
    "baseline write": (("baseline", "write", "--baseline", "größe.jsonl"), 0),
    "moves plan": (("moves", "plan", "app.big"), 0),
    "moves apply": (("moves", "apply", "steps.toml"), 0),
    "moves verify": (("moves", "verify", "old", "."), 1),
}
COMMAND = pytest.mark.parametrize(("arguments", "status"), COMMANDS.values(), ids=COMMANDS.keys())
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


def run(folder: Path, arguments: tuple[str, ...], redirect: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", sys.executable, "-m", "layercheck", *arguments],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / ".cache"), **env},
        capture_output=True,
        check=False,
    )


@COMMAND
def test_a_terminal_that_cannot_say_all_letters(tmp_path: Path, arguments: tuple[str, ...], status: int) -> None:
    write_tree(tmp_path, TREE)
    plain = run(tmp_path, arguments, "", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert plain.returncode == status, plain.stderr
    if arguments[1:2] not in (("--diff",), ("apply",)):  # a diff is the bytes of files
        assert plain.stdout.isascii()
    assert plain.stderr.isascii()
    assert all(line.startswith(b"layercheck: ") for line in plain.stderr.splitlines())
    assert bool(plain.stdout) is (status < 2)


@COMMAND
def test_streams_that_are_closed(tmp_path: Path, arguments: tuple[str, ...], status: int) -> None:
    write_tree(tmp_path, TREE)
    done = run(tmp_path, arguments, "2>&-", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (status, b"")
    if arguments[0] in ("init", "baseline"):
        (tmp_path / "layercheck.toml").unlink(missing_ok=True)
    done = run(tmp_path, arguments, ">&-")
    assert (done.returncode, done.stdout) == (status, b"")
    assert all(line.startswith(b"layercheck: ") for line in done.stderr.splitlines())


@pytest.mark.parametrize(
    "arguments", [COMMANDS[name][0] for name in ("check --diff", "graph --format html", "why", "explain", "moves plan")]
)
def test_a_reader_that_leaves(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write_tree(tmp_path, TREE)
    done = run(tmp_path, arguments, "| true", PYTHONUNBUFFERED="1")
    assert all(line.startswith(b"layercheck: ") for line in done.stderr.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--output"),
        ("check", "--diff", "--output"),
        ("check", "--show-settings", "--output"),
        ("graph", "--output"),
        ("why", "app.grü", "app.big", "--output"),
        ("what-if", "app.big -> app.grü", "--output"),
        ("migrate", "--output"),
        ("baseline", "write", "--baseline"),
        ("moves", "plan", "app.big", "--output"),
        ("moves", "verify", "old", ".", "--output"),
    ],
    ids=" ".join,
)
def test_a_folder_that_is_not_there(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write_tree(tmp_path, TREE)
    done = layercheck(*arguments, "gone/größe", cwd=tmp_path)
    assert (done.status, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "gone" in done.stderr
    assert not (tmp_path / "gone").exists()
