"""check --fix, --diff and --unsafe from the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import write_tree

TREE = """
# file: layercheck.toml
[checks]
orphaned-imports = "error"
# file: a/__init__.py
# file: a/b.py
import os  # gone soon
x = 1
# file: a/c.py
import torch
y = 1
"""

DIFF = b"""\
--- a/a/b.py
+++ b/a/b.py
@@ -1,2 +1 @@
-import os  # gone soon
 x = 1
"""

LEFT = "torch, which is not of this project, might not be imported any more; --unsafe does it all the same"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path, TREE)


def check(root: Path, *options: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "layercheck", "check", root, *options],
        env={**os.environ, "LAYERCHECK_CACHE_DIR": os.devnull},
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_diff_prints_a_diff_alone(root: Path) -> None:
    done = check(root, "--diff")
    assert done.stdout == DIFF
    assert done.stderr.decode().splitlines() == [
        f"layercheck: a/c.py:1: orphaned-imports is not mended: {LEFT}",
        "layercheck: --fix would mend 1 of 2 findings, in 1 file",
    ]
    assert done.returncode == 1
    assert (root / "a/b.py").read_text() == "import os  # gone soon\nx = 1\n"


def test_diff_to_a_file_and_quiet(root: Path) -> None:
    done = check(root, "--diff", "-q", "--output", root / "it.diff", "--exit-zero")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (root / "it.diff").read_bytes() == DIFF


def test_fix_says_what_was_done_and_fails_for_what_is_left(root: Path) -> None:
    done = check(root, "--fix", "-q")
    assert done.stdout.decode() == (
        "a/b.py:1:8: mended: orphaned-imports\n    removed the import of os\n\n"
        "a/c.py:1:8: error: orphaned-imports\n    torch is imported and not used in a.c\n"
        "    help: remove the import\n\n"
        "a/c.py:1:8: not mended: orphaned-imports\n"
        "    torch, which is not of this project, might not be imported any more;\n"
        "    --unsafe does it all the same\n"
    )
    assert done.returncode == 1
    assert (root / "a/b.py").read_text() == "x = 1\n"


def test_unsafe_leaves_nothing(root: Path) -> None:
    assert check(root, "--fix", "--unsafe").returncode == 0
    assert (root / "a/c.py").read_text() == "y = 1\n"
    assert check(root, "--diff").stdout == b""


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (("--fix", "--diff"), "give one of them"),
        (("--unsafe",), "--unsafe goes with --fix or --diff"),
        (("--diff", "--format", "json"), "has no format json"),
    ],
)
def test_what_does_not_go_together(root: Path, options: tuple[str, ...], part: str) -> None:
    done = check(root, *options)
    assert done.returncode == 2
    assert part in done.stderr.decode()
    assert (root / "a/b.py").read_text() == "import os  # gone soon\nx = 1\n"
