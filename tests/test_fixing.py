"""check --fix and check --diff, from folder to folder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from layercheck.errors import LayercheckError
from layercheck.report import renderer
from layercheck.run import CheckRequest, Selection, fixing, recording
from layercheck.run.request import EVERYTHING
from layercheck.writing import Replacement, replace_files
from tests.tree import write_tree

TREE = """
# file: layercheck.toml
[checks]
orphaned-imports = "error"
indirect-imports = "warning"
broken-imports = "error"
# file: a/__init__.py
# file: a/base.py
def helper(): ...
def other(): ...
# file: a/b.py
import os
from a.base import helper
x = helper
# file: a/c.py
from a.b import helper, x
from torch import nn
y = helper, x
# file: a/d.py
import a.gone
import re
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path, TREE + "z = a.gone\n")


def request(root: Path, selection: Selection = EVERYTHING, baseline: Path | None = None) -> CheckRequest:
    return CheckRequest(root=root, selection=selection, jobs=1, cache=False, baseline=baseline)


def texts(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(root.rglob("*.py"))}


MENDED = {
    "__init__.py": "",
    "base.py": "def helper(): ...\ndef other(): ...\n",
    "b.py": "from a.base import helper\nx = helper\n",
    "c.py": "from a.b import x\nfrom a.base import helper\nfrom torch import nn\ny = helper, x\n",
    "d.py": "import a.gone\nz = a.gone\n",
}


def test_fix_writes_and_says_what_it_did_and_what_is_left(root: Path) -> None:
    report = fixing.fix(request(root))
    assert texts(root) == MENDED
    assert [(one.location.path, one.check) for one in report.mended] == [
        ("a/b.py", "orphaned-imports"),
        ("a/c.py", "indirect-imports"),
        ("a/d.py", "orphaned-imports"),
    ]
    assert [(one.location.path, one.check) for one in report.unmended] == [("a/c.py", "orphaned-imports")]
    assert [(one.problem.location.path, one.check) for one in report.findings] == [
        ("a/c.py", "orphaned-imports"),
        ("a/d.py", "broken-imports"),
    ]
    again = fixing.fix(request(root))
    assert again.mended == ()
    assert again.findings == report.findings
    assert texts(root) == MENDED


def test_diff_writes_nothing_and_says_the_same(root: Path) -> None:
    before = texts(root)
    proposal = fixing.propose(request(root))
    assert texts(root) == before
    assert [(one.problem.location.path, one.problem.fixable) for one in proposal.report.findings] == [
        ("a/b.py", True),
        ("a/c.py", True),
        ("a/c.py", False),
        ("a/d.py", False),
        ("a/d.py", True),
    ]
    assert (proposal.fixable, len(proposal.files)) == (3, 3)
    subprocess.run(["git", "apply", "-"], cwd=root, input=proposal.diff, check=True, timeout=60)
    assert texts(root) == MENDED


def test_unsafe_mends_more(root: Path) -> None:
    report = fixing.fix(request(root), unsafe=True)
    assert "torch" not in texts(root)["c.py"]
    assert report.unmended == ()


@pytest.mark.parametrize(
    ("selection", "changed"),
    [
        (Selection(select=("indirect-imports",)), {"c.py"}),
        (Selection(ignore=("indirect-imports",)), {"b.py", "d.py"}),
        (Selection(packages=("a.d",)), {"d.py"}),
    ],
    ids=["select", "ignore", "package"],
)
def test_only_what_is_shown_is_mended(root: Path, selection: Selection, changed: set[str]) -> None:
    before = texts(root)
    fixing.fix(request(root, selection))
    assert {name for name, text in texts(root).items() if text != before[name]} == changed


def test_a_known_finding_is_not_mended(root: Path) -> None:
    baseline = root / "known.json"
    baseline.write_text(recording.write_baseline(request(root), baseline).text)
    (root / "a/e.py").write_text("import os\nx = 1\n")
    before = texts(root)
    report = fixing.fix(request(root, baseline=baseline))
    assert {name for name, text in texts(root).items() if text != before[name]} == {"e.py"}
    assert report.status == "clean"


def test_a_read_only_file_is_left_alone(root: Path) -> None:
    path = root / "a/b.py"
    path.chmod(0o444)
    report = fixing.fix(request(root))
    assert [one.message for one in report.unmended if one.location.path == "a/b.py"] == ["it is read-only"]
    assert texts(root) == {**MENDED, "b.py": "import os\nfrom a.base import helper\nx = helper\n"}


def test_a_link_stays_one(root: Path) -> None:
    path = root / "a/b.py"
    path.rename(root / "a/real.py")
    path.symlink_to("real.py")
    report = fixing.fix(request(root))
    why = ["it is a link; change the file that it leads to"]
    assert [one.message for one in report.unmended if one.location.path == "a/b.py"] == why
    assert path.is_symlink()
    assert path.read_text() == MENDED["b.py"]


def test_a_file_that_changes_before_it_is_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(folder: Path, replacements: Mapping[str, Replacement]) -> None:
        (root / "a/b.py").write_text("import os\nimport sys\n")
        replace_files(folder, replacements)

    monkeypatch.setattr("layercheck.run.fixing.replace_files", slow)
    before = texts(root)
    with pytest.raises(LayercheckError, match=r"a/b\.py: it has changed since it was read"):
        fixing.fix(request(root))
    assert texts(root) == {**before, "b.py": "import os\nimport sys\n"}


def test_every_format_says_it(root: Path) -> None:
    report = fixing.fix(request(root))
    text = renderer("text")(report)
    assert "a/b.py:1:8: mended: orphaned-imports\n    removed the import of os\n" in text
    assert "a/c.py:2:19: not mended: orphaned-imports\n    torch, which is not of this project" in text
    data = json.loads(renderer("json")(report))
    assert [(one["check"], one["path"], one["line"]) for one in data["mended"]] == [
        ("orphaned-imports", "a/b.py", 1),
        ("indirect-imports", "a/c.py", 1),
        ("orphaned-imports", "a/d.py", 2),
    ]
    assert [one["path"] for one in data["unmended"]] == ["a/c.py"]
