"""A run says the same in whatever order a disk lists its files; letters of another case are other letters on any disk,
and paths with other separators are the same paths. What surrounds a run is in ``test_surroundings``."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

import pytest

from layercheck.config import relative_path
from layercheck.run import CheckRequest, check
from layercheck.source import list_tree
from tests.command import ROOT
from tests.tree import write_tree

EXAMPLE = ROOT / "docs" / "example"
"""One of every finding."""


def test_whatever_the_order_in_which_a_disk_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, scandir = random.Random(1), os.scandir

    class Shuffled:
        def __init__(self, folder: str) -> None:
            with scandir(folder) as found:
                self.entries = sorted(found, key=lambda one: chance.random())

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __exit__(self, *error: object) -> None: ...

    request = CheckRequest(EXAMPLE, jobs=1, cache=False)
    before, listing = check(request), list_tree(EXAMPLE, ())
    monkeypatch.setattr(os, "scandir", Shuffled)
    for _ in range(5):
        assert list_tree(EXAMPLE, ()) == listing
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
