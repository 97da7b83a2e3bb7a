"""unreadable-files: a table of small trees with the expected lines marked in place, and files that are not text."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from layercheck.config import default_config
from layercheck.run import CheckRequest, check
from layercheck.run.judgement import judge
from tests.tree import build_project, check_tree, write_tree

TREES = {
    "a syntax error": """
# file: a/__init__.py
# file: a/b.py
x = 1
y = = 2  # problem: error: does not parse
z = 3
""",
    "the other files are still checked": """
# file: a/__init__.py
import a.b, a.c
# file: a/b.py
(  # problem: was never closed
# file: a/c.py
x = [  # problem: was never closed
""",
    "declared, consumers count in full": """
# file: a/__init__.py
# file: tests/test_a.py
def test(:  # problem: error: does not parse
""",
    "consumers as warnings": """
# file: layercheck.toml
[checks]
unreadable-files = { consumers = "warning" }
# file: a/__init__.py
x =  # problem: error: does not parse
# file: tests/test_a.py
def test(:  # problem: warning: does not parse
""",
    "consumers not at all": """
# file: layercheck.toml
[checks]
unreadable-files = { consumers = "off" }
# file: a/__init__.py
# file: tests/test_a.py
def test(:
""",
    "a module beside a package of its name": """
# file: a/__init__.py
# file: a/b.py
x = 1  # problem: Python never imports this file: a/b/__init__.py
# file: a/b/__init__.py
""",
    "a module beside a folder of its name": """
# file: a/__init__.py
# file: a/b.py
# file: a/b/c.py
""",
    "vendored code is not judged": """
# file: a/__init__.py
# file: a/_vendor/__init__.py
# file: a/_vendor/b.py
print "x"
""",
    "nothing wrong": """
# file: a/__init__.py
# file: a/b.py
x = 1
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_tree(tree: str) -> None:
    check_tree("unreadable-files", tree)


def test_with_no_rules_file_consumers_are_warnings() -> None:
    project = build_project({"a/__init__.py": "x =", "tests/test_a.py": "x ="})
    findings = judge(project, default_config(), date(2026, 1, 1)).findings
    assert [(one.check, one.severity, one.problem.location.path) for one in findings] == [
        ("unreadable-files", "error", "a/__init__.py"),
        ("unreadable-files", "warning", "tests/test_a.py"),
    ]


BYTES = {
    "latin-1": (b"x = 1\ny = '\xe9'\n", 2, "UTF-8"),
    "utf-16": ("x = 1\n".encode("utf-16"), 1, "UTF-16"),
    "nul": (b"x = 1\n\0\n", 2, "NUL"),
    "unknown cookie": (b"# coding: klingon\n", 1, "klingon"),
    "a syntax error in a CRLF file": (b"x = 1\r\ny = = 2\r\n", 2, "does not parse"),
}


@pytest.mark.parametrize(("content", "line", "part"), BYTES.values(), ids=BYTES)
def test_bytes_that_are_no_python(tmp_path: Path, content: bytes, line: int, part: str) -> None:
    write_tree(tmp_path, "# file: a/__init__.py\nimport a.gone\n")
    (tmp_path / "a" / "b.py").write_bytes(content)
    report = check(CheckRequest(tmp_path, cache=False))
    broken, unreadable = report.findings
    assert (broken.check, broken.problem.location.path) == ("broken-imports", "a/__init__.py")
    assert (unreadable.check, unreadable.severity) == ("unreadable-files", "error")
    assert (unreadable.problem.location.path, unreadable.problem.location.line) == ("a/b.py", line)
    assert part in unreadable.problem.message
    assert report.stats.unreadable == 1


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    write_tree(tmp_path, "# file: a/__init__.py\n")
    (tmp_path / "a" / "b.py").symlink_to(tmp_path / "nowhere.py")
    (found,) = check(CheckRequest(tmp_path, cache=False)).findings
    assert (found.check, found.problem.location.path, found.problem.location.line) == ("unreadable-files", "a/b.py", 1)
    assert "cannot be read" in found.problem.message
