"""A run says the same however it is started: from wherever, by whatever path, with any number of workers, in any state
of the cache, in any language, and whatever the order in which a disk lists its files."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest

from layercheck.config import relative_path
from layercheck.run import CheckRequest, check
from layercheck.source import list_tree
from tests.command import ROOT
from tests.tree import write_tree

EXAMPLE = ROOT / "docs" / "example"
"""One of every finding."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example in it, a link to that, and a file whose name and text are not ASCII."""
    place = tmp_path_factory.mktemp("place")
    shutil.copytree(EXAMPLE, place / "shop")
    (place / "shop" / "shop" / "größe.py").write_text("import shöp\nfrom shop import größe\nÉ = größe\n", "utf-8")
    (place / "link").symlink_to("shop")
    return place


def said(place: Path, *arguments: str, cwd: str = ".", **environment: str) -> dict[str, Any]:
    """The report of a run, less what each run says differently."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON", "TZ"))}
    env |= {"LAYERCHECK_CACHE_DIR": str(place / "cache"), **environment}
    command = [sys.executable, "-m", "layercheck", "check", *arguments, "--format", "json"]
    done = subprocess.run(command, cwd=place / cwd, env=env, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    report: dict[str, Any] = json.loads(done.stdout.decode("ascii" if environment.get("LC_ALL") == "C" else "utf-8"))
    report.pop("stats", None)
    return report


WAYS: dict[str, tuple[tuple[str, ...], str, dict[str, str]]] = {
    "without a cache": (("shop", "--no-cache"), ".", {}),
    "with a new cache": (("shop",), ".", {"LAYERCHECK_CACHE_DIR": "new"}),
    "with a cache": (("shop",), ".", {}),
    "again": (("shop",), ".", {}),
    "in it": ((".",), "shop", {}),
    "a slash behind": (("shop/",), ".", {}),
    "there and back": (("shop/../shop/./",), ".", {}),
    "through a link": (("link",), ".", {}),
    "from elsewhere": (("../shop",), "cache", {}),
    "one worker": (("shop", "--no-cache", "--jobs", "1"), ".", {}),
    "four workers": (("shop", "--no-cache", "--jobs", "4"), ".", {}),
    "another seed": (("shop", "--no-cache"), ".", {"PYTHONHASHSEED": "1"}),
    "one more": (("shop", "--no-cache"), ".", {"PYTHONHASHSEED": "20261201"}),
    "no language": (("shop", "--no-cache"), ".", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "a language of letters": (("shop", "--no-cache"), ".", {"LC_ALL": "C.utf8"}),
    "the far east": (("shop", "--no-cache"), ".", {"TZ": "Asia/Tokyo"}),
}


@pytest.fixture(scope="module")
def first(place: Path) -> dict[str, Any]:
    """What all ways must say."""
    report = said(place, str(place / "shop"))
    assert len(report["findings"]) >= 10
    return report


@pytest.mark.parametrize(("arguments", "cwd", "environment"), WAYS.values(), ids=WAYS)
def test_every_way(
    arguments: tuple[str, ...], cwd: str, environment: dict[str, str], place: Path, first: dict[str, Any]
) -> None:
    if environment.get("LAYERCHECK_CACHE_DIR") == "new":
        environment = {"LAYERCHECK_CACHE_DIR": str(place / "new")}
    assert said(place, *arguments, cwd=cwd, **environment) == first


def test_whatever_the_order_in_which_a_disk_lists(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, scandir = random.Random(1), os.scandir

    class Shuffled:
        def __init__(self, folder: str) -> None:
            with scandir(folder) as found:
                self.entries = sorted(found, key=lambda one: chance.random())

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __exit__(self, *error: object) -> None: ...

    request = CheckRequest(place / "shop", jobs=1, cache=False)
    before, listing = check(request), list_tree(place / "shop", ())
    monkeypatch.setattr(os, "scandir", Shuffled)
    for _ in range(5):
        assert list_tree(place / "shop", ()) == listing
    assert check(request).findings == before.findings


CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    # A disk that takes both for one name has one file, by the name that it was made with; Python looks at that
    # (importlib, "FileFinder": PYTHONCASEOK is not set), so there is no such module on any disk.
    "a module in another case": (
        "# file: pkg/__init__.py\n# file: pkg/foo.py\n# file: a.py\nimport pkg.Foo\n",
        ("a.py",),
    ),
    "a package in another case": ("# file: pkg/__init__.py\nx = 1\n# file: a.py\nfrom Pkg import x\n", ()),
    "a name in another case": ("# file: pkg/__init__.py\nx = 1\n# file: a.py\nfrom pkg import X\n", ("a.py",)),
    "two modules": (
        "# file: pkg/__init__.py\n# file: pkg/foo.py\nx = 1\n# file: pkg/Foo.py\ny = 1\n"
        "# file: a.py\nfrom pkg.foo import x\nfrom pkg.Foo import y\nfrom pkg.Foo import x as z\n",
        ("a.py",),
    ),
}


@pytest.mark.parametrize(("tree", "broken"), CASES.values(), ids=CASES)
def test_letters_of_another_case_are_other_letters(tree: str, broken: tuple[str, ...], tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", tree)
    if len(list(root.rglob("*.py"))) < tree.count("# file:"):
        pytest.skip("this disk takes both names for one")
    found = check(CheckRequest(root, jobs=1, cache=False)).findings
    assert tuple(one.problem.location.path for one in found if one.check == "broken-imports") == broken


def test_paths_with_other_separators() -> None:
    root = PureWindowsPath(r"C:\work\shop")
    assert relative_path(PureWindowsPath(r"C:\work\shop\rules\a.toml"), root) == "rules/a.toml"
    assert relative_path(PureWindowsPath(r"C:\work\a.toml"), root) == "../a.toml"
    assert relative_path(PureWindowsPath(r"D:\a.toml"), root) == "D:/a.toml"
