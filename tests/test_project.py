"""The project: where imports go, when they run, where names come from, who takes them. Tables of small trees.

A mark ``# goes: module.name kind flags`` behind a line tells where the imports of that line go.
"""

from __future__ import annotations

import re

import pytest

from layercheck.project import Link, Origin, Project
from layercheck.project.supposing import Supposed, with_import
from tests.tree import build_project, parse_tree

_MARK = re.compile(r"[ \t]*# goes: *")


def project_of(text: str) -> tuple[Project, list[str]]:
    """The project of a tree, and its marks as ``path:line: text``."""
    files: dict[str, str] = {}
    marks: list[str] = []
    for path, content in parse_tree(text).files.items():
        lines = []
        for number, line in enumerate(content.split("\n"), 1):
            kept, *texts = _MARK.split(line)
            lines.append(kept)
            marks += [f"{path}:{number}: {mark.strip()}" for mark in texts]
        files[path] = "\n".join(lines)
    return build_project(files), sorted(marks)


def told(link: Link) -> str:
    where = "external " if link.external else ""
    name = f" {link.name}" if link.name else ""
    flags = "".join(f" {flag}" for flag in link.flags)
    return f"{link.path}:{link.span.line}: {where}{link.imported}{name}, {link.kind}{flags}"


LINKS = {
    "the forms of import": """
# file: a/__init__.py
# file: a/b/__init__.py
X = 1
# file: a/b/c.py
Y = 1
# file: a/d.py
import a  # goes: a, import-time
import a.b.c  # goes: a.b.c, import-time
import a.b.c as z  # goes: a.b.c, import-time
from a import b  # goes: a.b, import-time
from a.b import X  # goes: a.b X, import-time
from a.b import c  # goes: a.b.c, import-time
from a.b.c import Y as Q  # goes: a.b.c Y, import-time
from .b import X, c  # goes: a.b X, import-time  # goes: a.b.c, import-time
from . import b, d  # goes: a.b, import-time  # goes: a.d, import-time
from .b.c import *  # goes: a.b.c *, import-time star
import os.path  # goes: external os.path, import-time
from os import path  # goes: external os path, import-time
from os.path import join  # goes: external os.path join, import-time
""",
    "relative imports in a package's __init__": """
# file: a/__init__.py
from . import b  # goes: a.b, import-time
from .b import c  # goes: a.b.c, import-time
# file: a/b/__init__.py
from .. import b  # goes: a.b, import-time
from . import c  # goes: a.b.c, import-time
from ..b.c import X  # goes: a.b.c X, import-time
# file: a/b/c.py
X = 1
""",
    "a package that binds its own submodule, and one that binds something else of that name": """
# file: a/__init__.py
from . import b  # goes: a.b, import-time
import a.c as c  # goes: a.c, import-time
from a.d import d  # goes: a.d d, import-time
e = 1
# file: a/b.py
# file: a/c.py
# file: a/d.py
def d(): ...
# file: a/e.py
# file: a/user.py
from a import b  # goes: a.b, import-time
from a import c  # goes: a.c, import-time
from a import d  # goes: a d, import-time
from a import e  # goes: a e, import-time
import a.d  # goes: a.d, import-time
from a.e import __name__  # goes: a.e __name__, import-time
""",
    "a package that gets its submodule by a star": """
# file: a/__init__.py
from .b import *  # goes: a.b *, import-time star
# file: a/b.py
from a import c  # goes: a.c, import-time
# file: a/c.py
# file: a/user.py
from a import c  # goes: a.c, import-time
""",
    "guards": """
# file: a/__init__.py
# file: a/x.py
# file: a/flags.py
import typing  # goes: external typing, import-time
CHECKING = typing.TYPE_CHECKING
OFF = False
MAYBE = False
try:
    MAYBE = True
except Exception:
    pass
# file: a/typing.py
TYPE_CHECKING = True
# file: a/b.py
import sys  # goes: external sys, import-time
import typing as t  # goes: external typing, import-time
from typing import TYPE_CHECKING  # goes: external typing TYPE_CHECKING, import-time
from typing_extensions import TYPE_CHECKING as TC  # goes: external typing_extensions TYPE_CHECKING, import-time
from a.flags import OFF, MAYBE  # goes: a.flags OFF, import-time  # goes: a.flags MAYBE, import-time
from a import typing, flags  # goes: a.typing, import-time  # goes: a.flags, import-time
MYPY = False
if TYPE_CHECKING:
    import a.x  # goes: a.x, typing
    def f():
        import a.x  # goes: a.x, typing
else:
    import a.x  # goes: a.x, import-time
if t.TYPE_CHECKING or MYPY:
    import a.x  # goes: a.x, typing
elif sys.version_info > (3, 12):
    import a.x  # goes: a.x, import-time conditional
else:
    import a.x  # goes: a.x, import-time conditional
if not TC:
    import a.x  # goes: a.x, import-time
if TC and sys.platform:
    import a.x  # goes: a.x, typing
if TC or sys.platform:
    import a.x  # goes: a.x, import-time conditional
if False:
    import a.x  # goes: a.x, typing
if 0:
    import a.x  # goes: a.x, typing
if OFF:
    import a.x  # goes: a.x, typing conditional
if flags.OFF:
    import a.x  # goes: a.x, typing conditional
if MAYBE:
    import a.x  # goes: a.x, import-time conditional
if a.typing.TYPE_CHECKING:
    import a.x  # goes: a.x, import-time conditional
if not (TC or not MYPY):
    import a.x  # goes: a.x, typing
other = t
if other.TYPE_CHECKING:
    import a.x  # goes: a.x, typing conditional
""",
    "a first-party module called typing": """
# file: typing.py
TYPE_CHECKING = True
# file: b.py
from typing import TYPE_CHECKING  # goes: typing TYPE_CHECKING, import-time
if TYPE_CHECKING:
    import c  # goes: c, import-time
# file: c.py
""",
    "places and flags": """
# file: a/__init__.py
# file: a/x.py
# file: a/b.py
import contextlib  # goes: external contextlib, import-time
from importlib import import_module  # goes: external importlib import_module, import-time
class C:
    import a.x  # goes: a.x, import-time
    def m(self):
        import a.x  # goes: a.x, deferred
def f():
    class D:
        import a.x  # goes: a.x, deferred
try:
    import a.x  # goes: a.x, import-time optional
    def g():
        import a.x  # goes: a.x, deferred
except ImportError:
    import a.x  # goes: a.x, import-time conditional
else:
    import a.x  # goes: a.x, import-time conditional
finally:
    import a.x  # goes: a.x, import-time
with contextlib.suppress(ModuleNotFoundError):
    import a.x  # goes: a.x, import-time optional
for _ in range(2):
    import a.x  # goes: a.x, import-time conditional
if __name__ == "__main__":
    import a.x  # goes: a.x, deferred
import_module("a.x")  # goes: a.x, import-time dynamic
__import__("a.x")  # goes: a.x, import-time dynamic
def h():
    return import_module(".x", __package__)  # goes: a.x, deferred dynamic
""",
    "lazy modules": """
# file: a/__init__.py
# file: a/x.py
Y = 1
# file: a/b.py
__lazy_modules__ = ["a.x", "json", "csv"]
import json  # goes: external json, deferred lazy
import csv  # goes: external csv, import-time lazy
from a.x import Y  # goes: a.x Y, import-time lazy
csv.reader
# file: a/c.py
from a.b import Y  # goes: a.b Y, import-time
""",
    "a package that asks itself for what it does not have": """
# file: a/__init__.py
from . import b, gone  # goes: a.b, import-time
# file: a/b.py
# file: o/__init__.py
from . import c
__path__ += []
""",
    "names that are missing still run their module": """
# file: a/__init__.py
# file: a/b.py
from a import gone  # goes: a gone, import-time
import a.gone
""",
    "several roots and a shared namespace": """
# file: layercheck.toml
# file: pyproject.toml
[tool.uv.workspace]
members = ["one", "two"]
# file: one/pyproject.toml
[project]
name = "one"
# file: one/src/ns/one.py
import ns.two  # goes: ns.two, import-time
# file: two/pyproject.toml
[project]
name = "two"
# file: two/src/ns/two.py
from ns import one, three  # goes: ns.one, import-time  # goes: ns three, import-time
""",
    "consumers": """
# file: a/__init__.py
# file: tests/__init__.py
# file: tests/helpers.py
X = 1
# file: tests/test_a.py
import a  # goes: a, import-time
from tests.helpers import X  # goes: tests/helpers.py X, import-time
from .helpers import X  # goes: tests/helpers.py X, import-time
from . import helpers  # goes: tests/helpers.py, import-time
# file: scripts/tool.py
import other  # goes: scripts/other.py, import-time
# file: scripts/other.py
import elsewhere  # goes: external elsewhere, import-time
# file: scripts/deep/er/tool.py
import other  # goes: scripts/other.py, import-time
""",
    "a folder that two things are called after": """
# file: a/__init__.py
# file: a/b.py
import a.c.d  # goes: a.c.d, import-time
from a.c import d  # goes: a.c.d, import-time
# file: a/c/d.py
""",
}


@pytest.mark.parametrize("tree", LINKS.values(), ids=LINKS)
def test_links(tree: str) -> None:
    project, marks = project_of(tree)
    assert sorted(told(link) for link in project.links) == marks


def test_taking_links_out_leaves_the_project_as_it_was() -> None:
    project, _ = project_of("# file: a/__init__.py\nimport os\nimport re\n")
    first, second = project.links
    assert project.without([first]).links == (second,)
    assert project.without([first]).without([second]).links == ()
    assert project.links == (first, second)


ORIGINS = """
# file: a/__init__.py
from a.b import *
# file: a/b.py
from a.c import x, x as y
from json import dumps
import a.c as c
import a
# file: a/c.py
x = 1
from a.d import z
# file: a/d.py
from a.c import z
from a.open import w
from a.c import gone
# file: a/open.py
def __getattr__(name): ...
# file: a/two.py
try:
    from a.c import x
except ImportError:
    x = None
"""


@pytest.mark.parametrize(
    ("module", "name", "origins"),
    [
        ("a.c", "x", {Origin("defined", "a.c", "x")}),
        ("a.b", "x", {Origin("defined", "a.c", "x")}),
        ("a.b", "y", {Origin("defined", "a.c", "x")}),
        ("a", "y", {Origin("defined", "a.c", "x")}),
        ("a", "dumps", {Origin("external", "json.dumps")}),
        ("a.b", "c", {Origin("module", "a.c")}),
        ("a.b", "a", {Origin("module", "a")}),
        ("a", "open", {Origin("module", "a.open")}),
        ("a.c", "z", {Origin("loop", "a.c", "z")}),
        ("a.d", "w", {Origin("unknown", "a.open", "w")}),
        ("a.d", "gone", {Origin("missing", "a.c", "gone")}),
        ("a.d", "nothing", {Origin("missing", "a.d", "nothing")}),
        ("a.two", "x", {Origin("defined", "a.c", "x"), Origin("defined", "a.two", "x")}),
    ],
)
def test_origins(module: str, name: str, origins: set[Origin]) -> None:
    project, _ = project_of(ORIGINS)
    assert project.resolver.origins(module, name) == origins


USES = """
# file: a/__init__.py
from a.b import X
# file: a/b.py
class X:
    def method(self): ...
Y = Z = W = V = U = 1
# file: a/star.py
from a.b import *
print(Y)
# file: a/attribute.py
import a.b
import a.b as m
from a import b
a.b.X, m.Z, b.W.real
# file: a/text.py
TARGET = "a.b.V"
# file: tests/test_a.py
from unittest import mock
from a import b
@mock.patch("a.b.X.method")
def test_a(method):
    with mock.patch.object(b, "U"):
        from a.b import X
"""


@pytest.mark.parametrize(
    ("module", "name", "takers"),
    [
        ("a", "X", []),
        (
            "a.b",
            "X",
            [
                ("a/__init__.py", 1, "import", False),
                ("a/attribute.py", 4, "attribute", False),
                ("tests/test_a.py", 3, "patch", True),
                ("tests/test_a.py", 6, "import", True),
            ],
        ),
        ("a.b", "Y", [("a/star.py", 1, "star", False)]),
        ("a.b", "Z", [("a/attribute.py", 4, "attribute", False)]),
        ("a.b", "W", [("a/attribute.py", 4, "attribute", False)]),
        ("a.b", "V", [("a/text.py", 1, "string", False)]),
        ("a.b", "U", [("tests/test_a.py", 5, "patch", True)]),
    ],
)
def test_takers(module: str, name: str, takers: list[tuple[str, int, str, bool]]) -> None:
    project, _ = project_of(USES)
    found = [(use.path, use.line, use.how, use.test) for use in project.uses.takers(module, name)]
    assert found == takers


@pytest.mark.parametrize(
    ("taken", "told"), [("from app import gone", True), ("import app.gone", True), ("from app import b", False)]
)
@pytest.mark.parametrize("regular", [False, True])
def test_what_cannot_be_told_of_a_namespace_is_said(taken: str, told: bool, regular: bool) -> None:
    init = "# file: app/__init__.py\n" if regular else ""
    project, _ = project_of(f"{init}# file: app/a.py\n{taken}\n# file: app/b.py\n")
    notes = [note for note in project.notes if 'packages = ["app"] under [project]' in note]
    assert bool(notes) is (told and not regular)
    assert not notes or (notes[0].startswith("app has no __init__.py") and "(app/a.py:1 is the first" in notes[0])


@pytest.mark.parametrize("taken", ["from app import gone", "import app.folder"])
def test_only_what_is_asked_of_a_namespace_is_said(taken: str) -> None:
    project, _ = project_of(f"# file: app/__init__.py\n__path__ += []\n{taken}\n# file: app/folder/a.py\n")
    assert project.notes == ()


@pytest.mark.parametrize(
    ("folder", "package"),
    [("", ""), ("src", ""), ("src/a", "a"), ("src/a/b", "a.b"), ("src/a/b/c", "a.b.c"), ("docs", None), ("..", None)],
)
def test_the_package_that_a_folder_is(folder: str, package: str | None) -> None:
    project = build_project({"src/a/__init__.py": "", "src/a/b/c/d.py": "", "docs/conf.py": ""})
    assert project.package_at(folder) == package


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", (1, 1)),
        ("x = 1\nimport a\n", (1, 1)),
        ("__all__ = ['x']\nimport a\nimport b\nx = 1\nimport c\n", (3, 9)),
        ("import a\ndef f():\n    import b\n", (1, 9)),
    ],
)
def test_a_supposed_import_stands_behind_those_at_the_head(text: str, place: tuple[int, int]) -> None:
    project = with_import(build_project({"m.py": text}), Supposed("m.py", "z", "", "import-time"))
    (span,) = (link.span for link in project.links if link.imported == "z")
    assert (span.line, span.column, span.end_line, span.end_column) == (*place, *place)


def test_a_folder_in_a_package_is_no_missing_root() -> None:
    users = "".join(f"# file: app/m{number}.py\nimport triton\n" for number in range(6))
    project, _ = project_of(f"# file: app/__init__.py\n{users}# file: app/kernels/triton.py\n")
    assert project.notes == ()


def test_a_root_that_is_likely_missing_is_told() -> None:
    users = "".join(f"# file: app/m{number}.py\nimport lib.tool\n" for number in range(6))
    project, _ = project_of(
        f"# file: pyproject.toml\n[tool.setuptools]\npackages = ['app']\n{users}# file: extra/lib/tool.py\n"
    )
    assert any("'lib'" in note and "add 'extra' to [project] roots" in note for note in project.notes)
