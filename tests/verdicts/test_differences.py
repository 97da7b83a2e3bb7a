"""Where the verdicts differ by intent, each row of the tables in docs/migrating.md that a small tree can show; and
where one might think that they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import corpus
from tests.tree import parse_tree, write_tree
from tests.verdicts import ours
from tests.verdicts.peer import Peer, environment, start

pytestmark = pytest.mark.corpus

SESSION = """
# file: .importlinter
[importlinter]
root_package = app
exclude_type_checking_imports = {exclude}
[importlinter:contract:1]
name = It
"""
APART = SESSION.format(exclude="True") + "type = forbidden\nsource_modules = app.a\nforbidden_modules = app.b\n"
FULL = SESSION.format(exclude="False") + "type = forbidden\nsource_modules = app.a\nforbidden_modules = app.b\n"
EMPTY = "# file: app/__init__.py\n# file: app/b/__init__.py\n"

LINTER = {
    "a folder without __init__.py": (
        f"{APART}{EMPTY}# file: app/b/c/d.py\n# file: app/a/x/y.py\nimport app.b\n# file: app/a/__init__.py\n",
        True,
        False,
    ),
    "the else of TYPE_CHECKING": (
        f"{APART}{EMPTY}# file: app/a.py\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    pass\nelse:\n    import app.b\n",
        False,
        False,
    ),
    "TYPE_CHECKING under another name": (
        f"{APART}{EMPTY}# file: app/a.py\nfrom typing import TYPE_CHECKING as T\nif T:\n    import app.b\n",
        False,
        True,
    ),
    "a literal dynamic import": (
        f'{FULL}{EMPTY}# file: app/a.py\nimport importlib\nimportlib.import_module("app.b")\n',
        True,
        False,
    ),
    "a module that is not there": (f"{FULL}{EMPTY}# file: app/a.py\nimport app.b.gone\n", False, True),
    "a name that a package binds itself": (
        SESSION.format(exclude="False")
        + "type = protected\nprotected_modules = app.b.x\nallowed_importers =\n"
        + "# file: app/__init__.py\n# file: app/b/__init__.py\nx = 1\n# file: app/b/x.py\n"
        + "# file: app/a.py\nfrom app.b import x\n",
        False,
        True,
    ),
    "a vendored folder": (
        f"{FULL}{EMPTY}# file: app/a/__init__.py\n# file: app/a/_vendor/__init__.py\nimport app.b\n",
        False,
        True,
    ),
    "a ring of a package and its own child": (
        SESSION.format(exclude="False") + "type = acyclic_siblings\nancestors = app\n"
        "# file: app/__init__.py\n# file: app/a/__init__.py\nimport app.a.x\n# file: app/a/x.py\nimport app.a\n",
        True,
        True,
    ),
}
"""A tree, whether import-linter keeps its contract, and whether layercheck keeps the rule."""


@pytest.fixture(scope="module")
def import_linter() -> Iterator[Peer]:
    try:
        environment("import-linter")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    with start("import-linter", "ask_import_linter.py") as one:
        yield one


@pytest.mark.parametrize(("tree", "theirs", "mine"), LINTER.values(), ids=LINTER)
def test_import_linter(import_linter: Peer, tmp_path: Path, tree: str, theirs: bool, mine: bool) -> None:
    root = str(write_tree(tmp_path, tree.lstrip("\n")))
    (verdict,) = import_linter.ask(root=root, path=root, settings=".importlinter")
    assert (verdict["kept"], not ours.judge(tmp_path).of("It")) == (theirs, mine)


STRICTER = {
    "an ignore that changes nothing": (
        f"{FULL}ignore_imports = app -> app.b\n# file: app/__init__.py\nimport app.b\n# file: app/a.py\n"
        "# file: app/b.py\n",
        "is not used: the rule counts no such import",
    ),
    "a wildcard without a match": (
        f"{FULL}    app.c.*\n{EMPTY}# file: app/a.py\n".replace("= app.b\n", "=\n    app.b\n"),
        "no module fits the pattern app.c.*",
    ),
}


@pytest.mark.parametrize(("tree", "fault"), STRICTER.values(), ids=STRICTER)
def test_what_import_linter_takes_in_silence(import_linter: Peer, tmp_path: Path, tree: str, fault: str) -> None:
    root = str(write_tree(tmp_path, tree.lstrip("\n")))
    (verdict,) = import_linter.ask(root=root, path=root, settings=".importlinter")
    said = ours.judge(tmp_path)
    assert (verdict["kept"], said.of("It")) == (True, [])
    (told,) = said.faults()
    assert fault in told


TACH = (
    '# file: tach.toml\n[[modules]]\npath = "a"\ndepends_on = []\n[[modules]]\npath = "b"\n# file: b.py\n# file: a.py\n'
)
PLACES = {
    "the else of TYPE_CHECKING": (
        f"{TACH}from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n    import b\n",
        [],
        [5],
    ),
    "TYPE_CHECKING under another name": (
        f"{TACH}from typing import TYPE_CHECKING as T\nif T:\n    import b\n",
        [3],
        [],
    ),
    "a literal dynamic import": (f'{TACH}import importlib\nimportlib.import_module("b")\n', [], [2]),
    "a file in another encoding": (f"{TACH}# -*- coding: latin-1 -*-\nname = '\udce9'\nimport b\n", [], [3]),
}
"""A tree, and the lines of a.py at which tach and layercheck see an error."""


@pytest.fixture(scope="module")
def tach() -> Iterator[Peer]:
    try:
        environment("tach")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    with start("tach", "ask_tach.py") as one:
        yield one


@pytest.mark.parametrize(("tree", "theirs", "mine"), PLACES.values(), ids=PLACES)
def test_tach(tach: Peer, tmp_path: Path, tree: str, theirs: list[int], mine: list[int]) -> None:
    write_tree(tmp_path, tree)
    told = tach.ask(root=str(tmp_path))
    found = [one.problem.location.line for one in ours.judge(tmp_path).of("tach")]
    assert ([line for _, line in told["places"]], found) == (theirs, mine)
    assert all(path in parse_tree(tree).files for path, _ in told["places"])
