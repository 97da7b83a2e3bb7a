"""Layout: every sentence of how the code is found, as small listings; CPython's import system as the oracle."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.layout import Entry, Layout, Listing, ProjectSettings, is_test, matches_glob
from layercheck.layout.model import Shadowed
from layercheck.layout.place import place


def lay(
    *paths: str | Entry,
    texts: Mapping[str, str] | None = None,
    settings: ProjectSettings | None = None,
    prefix: str = "",
) -> Layout:
    """The layout of a listing; project files are listed by having a text."""
    texts = texts or {}
    entries = [path if isinstance(path, Entry) else Entry(path) for path in paths]
    return place(Listing((*entries, *map(Entry, texts)), texts, prefix), settings or ProjectSettings())


def modules(layout: Layout) -> dict[str, str]:
    return {placed.module: placed.path for placed in layout.placed if placed.role == "module"}


def role(layout: Layout, path: str) -> str:
    return next((placed.role for placed in layout.placed if placed.path == path), "")


def of_role(layout: Layout, role: str) -> set[str]:
    return {placed.path for placed in layout.placed if placed.role == role}


def unread(layout: Layout) -> dict[str, str]:
    return {one.module: one.why for one in layout.unread}


PROJECT = "[project]\nname = 'thing'\n"


# Roots ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "root"),
    [
        ("pyproject.toml", "[tool.setuptools]\npackage-dir = {'' = 'lib'}\n[build-system]\n", "lib"),
        ("pyproject.toml", "[build-system]\n[tool.setuptools.packages.find]\nwhere = ['lib']\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.setuptools.package-dir]\npkg = 'lib/pkg'\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.hatch.build.targets.wheel]\npackages = ['lib/pkg']\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.hatch.build.targets.wheel]\nsources = ['lib']\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.hatch.build]\nsources = {'lib' = ''}\n", "lib"),
        ("pyproject.toml", "[tool.poetry]\nname = 'p'\npackages = [{include = 'pkg', from = 'lib'}]\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.pdm.build]\npackage-dir = 'lib'\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.uv.build-backend]\nmodule-root = 'lib'\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.maturin]\npython-source = 'lib'\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.scikit-build]\nwheel.packages = ['lib/pkg']\n", "lib"),
        ("pyproject.toml", "[project]\n[tool.flit.module]\nname = 'pkg'\n", ""),
        ("pyproject.toml", "[project]\n[build-system]\nbuild-backend = 'uv_build'\n", ""),
        ("setup.cfg", "[options]\npackage_dir =\n    = lib\n", "lib"),
        ("setup.cfg", "[options]\npackages = find:\n[options.packages.find]\nwhere = lib\n", "lib"),
        ("setup.cfg", "[options]\npackages = find_namespace:\n[options.packages.find]\nwhere =\n  lib\n", "lib"),
        ("setup.py", "from setuptools import *\nsetup(package_dir={'': 'lib'})\n", "lib"),
        ("setup.py", "import setuptools\nsetuptools.setup(packages=setuptools.find_packages('lib'))\n", "lib"),
        ("setup.py", "setup(packages=find_namespace_packages(where='lib'))\n", "lib"),
        ("setup.py", "where = input()\nsetup(packages=find_packages(where=where))\n", ""),
        ("setup.py", "print('no setup call'); find_packages('lib')\n", ""),
        ("setup.py", "this is no Python\n", ""),
        ("setup.cfg", "no section\n", ""),
        ("pyproject.toml", "[project]\n[tool.setuptools]\npackage-dir = ['nonsense']\n", ""),
        ("pyproject.toml", "[project]\n[tool.setuptools.packages.find]\nwhere = ['../lib', '/lib', 'absent']\n", ""),
        ("pyproject.toml", "tool = 3\nproject = 4\n", ""),
    ],
)
def test_project_files_say_where_the_roots_are(name: str, text: str, root: str) -> None:
    layout = lay("lib/pkg/__init__.py", "lib/pkg/mod.py", texts={name: text})
    assert layout.roots == (root,)
    assert modules(layout)["pkg.mod" if root else "lib.pkg.mod"] == "lib/pkg/mod.py"


def test_a_folder_may_be_a_package_of_another_name() -> None:
    text = "[project]\n[tool.setuptools]\npackage-dir = {'' = 'src', 'pkg.sub' = 'other'}\n"
    layout = lay(
        "src/pkg/__init__.py", "src/pkg/a.py", "other/__init__.py", "other/b.py", texts={"pyproject.toml": text}
    )
    assert modules(layout) == {
        "pkg": "src/pkg/__init__.py",
        "pkg.a": "src/pkg/a.py",
        "pkg.sub": "other/__init__.py",
        "pkg.sub.b": "other/b.py",
    }


def test_src_is_the_root_if_it_holds_code() -> None:
    assert lay("src/pkg/__init__.py", "tests/test_a.py").roots == ("src",)
    assert lay("src/single.py").roots == ("src",)
    assert lay("src/main.c", "pkg/__init__.py").roots == ("",)
    assert lay("src/__init__.py", "src/pkg/__init__.py").roots == ("",)
    assert lay("pkg/__init__.py").roots == ("",)


def test_everything_beside_a_src_root_is_a_consumer() -> None:
    layout = lay("src/pkg/__init__.py", "src/pkg/tests/test_a.py", "tests/t.py", "other/x.py", "run.py")
    assert of_role(layout, "consumer") == {"tests/t.py", "other/x.py", "run.py"}
    assert set(modules(layout)) == {"pkg", "pkg.tests.test_a"}


def test_workspace_members_are_roots_wherever_they_lie() -> None:
    workspace = "[tool.uv.workspace]\nmembers = ['libs/*', 'examples/one']\nexclude = ['libs/old']\n"
    layout = lay(
        "libs/a/src/a/__init__.py",
        "libs/b/b/__init__.py",
        "libs/b/tests/test_b.py",
        "examples/one/one/__init__.py",
        "examples/two/two/__init__.py",
        texts={
            "pyproject.toml": workspace,
            **dict.fromkeys(("libs/a/pyproject.toml", "libs/b/pyproject.toml", "examples/one/pyproject.toml"), PROJECT),
            "examples/two/pyproject.toml": PROJECT,
        },
    )
    assert set(layout.roots) == {"libs/a/src", "libs/b", "examples/one"}
    assert set(modules(layout)) == {"a", "b", "one"}
    assert role(layout, "libs/b/tests/test_b.py") == "consumer"
    assert role(layout, "examples/two/two/__init__.py") == "consumer"


def test_nested_projects_are_roots_and_their_files_no_part_of_an_outer_root() -> None:
    layout = lay(
        "pkg/__init__.py",
        "plugins/x/plug/__init__.py",
        "plugins/x/tests/test_plug.py",
        "plugins/x/setup.py",
        texts={"pyproject.toml": PROJECT, "plugins/x/pyproject.toml": PROJECT},
    )
    assert layout.roots == ("", "plugins/x")
    assert set(modules(layout)) == {"pkg", "plug"}
    assert of_role(layout, "consumer") == {"plugins/x/tests/test_plug.py", "plugins/x/setup.py"}


def test_a_root_that_is_no_project_is_no_root_beside_projects() -> None:
    layout = lay("python/pkg/__init__.py", "bench/run.py", texts={"python/pyproject.toml": PROJECT})
    assert layout.roots == ("python",)
    assert role(layout, "bench/run.py") == "consumer"
    assert "" in lay("app/__init__.py", "python/pkg/__init__.py", texts={"python/pyproject.toml": PROJECT}).roots


@pytest.mark.parametrize("folder", ["tests/data/sample", "pkg/template", "_vendor/other", "docs/ext"])
def test_projects_in_tests_packages_and_vendored_code_are_none_of_ours(folder: str) -> None:
    texts = {"pyproject.toml": PROJECT, f"{folder}/pyproject.toml": PROJECT}
    assert lay("pkg/__init__.py", f"{folder}/inner/__init__.py", texts=texts).roots == ("",)


def test_settings_override_the_roots() -> None:
    layout = lay(
        "python/a/__init__.py",
        "libs/one/b.py",
        "libs/two/c.py",
        "libs/two/deeper/d.py",
        "other/e.py",
        texts={"pyproject.toml": PROJECT},
        settings=ProjectSettings(roots=("python", "libs/*", "absent")),
    )
    assert layout.roots == ("python", "libs/one", "libs/two")
    assert set(modules(layout)) == {"a", "b", "c", "deeper.d"}
    assert role(layout, "other/e.py") == "consumer"
    assert layout.unmatched == (("roots", "absent"),)


@pytest.mark.parametrize("here", [".", "./", "./."])
def test_the_folder_itself_is_a_root_and_what_is_in_it_is_none(here: str) -> None:
    layout = lay("p/__init__.py", "p/q/a.py", "lib/b.py", "c.py", settings=ProjectSettings(roots=(here,)))
    assert layout.roots == ("",)
    assert set(modules(layout)) == {"p", "p.q.a", "lib.b", "c"}
    assert layout.unmatched == ()


def test_a_file_belongs_to_the_deepest_root() -> None:
    layout = lay("a.py", "lib/b.py", "lib/deep/c.py", settings=ProjectSettings(roots=(".", "lib", "lib/deep")))
    assert modules(layout) == {"a": "a.py", "b": "lib/b.py", "c": "lib/deep/c.py"}


def test_the_text_of_a_broken_pyproject_is_said() -> None:
    layout = lay("pkg/__init__.py", texts={"pyproject.toml": "[project\n"})
    assert any("pyproject.toml" in note and "not valid TOML" in note for note in layout.notes)
    assert set(modules(layout)) == {"pkg"}


def test_a_root_inside_a_package_keeps_the_names_of_its_package() -> None:
    layout = lay("__init__.py", "mod.py", "sub/x.py", "tests/test_a.py", prefix="outer.pkg")
    assert modules(layout) == {
        "outer.pkg": "__init__.py",
        "outer.pkg.mod": "mod.py",
        "outer.pkg.sub.x": "sub/x.py",
        "outer.pkg.tests.test_a": "tests/test_a.py",
    }
    assert layout.prefix == "outer.pkg"
    assert set(unread(layout)) == {"outer"}


# Names ----------------------------------------------------------------------------------------------------------------


def test_folders_without_init_are_packages_anywhere() -> None:
    layout = lay("pkg/__init__.py", "pkg/bare/deep/mod.py", "pkg/data/x.txt", "space/part/__init__.py")
    assert set(modules(layout)) == {"pkg", "pkg.bare.deep.mod", "space.part"}
    assert layout.namespaces == {"pkg.bare", "pkg.bare.deep", "space"}


def test_portions_of_a_namespace_package_are_merged() -> None:
    both = ProjectSettings(roots=("one", "two"))
    layout = lay("one/space/a.py", "two/space/b.py", settings=both)
    assert set(modules(layout)) == {"space.a", "space.b"}


def test_a_regular_package_hides_portions_elsewhere() -> None:
    for first, second in (("one", "two"), ("two", "one")):
        layout = lay(
            "one/space/__init__.py", "one/space/a.py", "two/space/b.py", settings=ProjectSettings(roots=(first, second))
        )
        assert set(modules(layout)) == {"space", "space.a"}
        hidden = next(placed for placed in layout.placed if placed.path == "two/space/b.py")
        assert (hidden.role, hidden.vendored) == ("file", True)
        assert layout.shadowed == ()
        assert any("two/space" in note for note in layout.notes)


def test_the_first_of_two_regular_packages_wins() -> None:
    layout = lay(
        "b/app/__init__.py", "a/app/__init__.py", "b/main.py", "a/main.py", settings=ProjectSettings(roots=("a", "b"))
    )
    assert modules(layout) == {"app": "a/app/__init__.py", "main": "a/main.py"}
    assert of_role(layout, "file") == {"b/app/__init__.py", "b/main.py"}


def test_a_package_shadows_the_module_beside_it() -> None:
    layout = lay("pkg/__init__.py", "pkg/x/__init__.py", "pkg/x.py")
    assert modules(layout)["pkg.x"] == "pkg/x/__init__.py"
    assert layout.shadowed == (Shadowed("pkg/x.py", "pkg/x/__init__.py"),)
    assert role(layout, "pkg/x.py") == "file"


def test_a_module_wins_over_a_bare_folder_beside_it() -> None:
    layout = lay("pkg/__init__.py", "pkg/x/inner.py", "pkg/x.py")
    assert modules(layout) == {"pkg": "pkg/__init__.py", "pkg.x": "pkg/x.py"}
    assert layout.shadowed == ()
    assert role(layout, "pkg/x/inner.py") == "file"


@pytest.mark.parametrize(
    "path", ["pkg/.hidden.py", "pkg/a.b.py", "pkg/with-dash.py", "pkg/2nd.py", "pkg/a-b/mod.py", "pkg/x.py/mod.py"]
)
def test_files_whose_names_no_import_can_spell_are_files(path: str) -> None:
    layout = lay("pkg/__init__.py", path)
    assert set(modules(layout)) == {"pkg"}
    assert role(layout, path) == "file"


@pytest.mark.parametrize("path", ["pkg/.#mod.py", "pkg/._mod.py"])
def test_what_only_looks_like_python_is_left_out(path: str) -> None:
    assert of_role(lay("pkg/__init__.py", path), "file") == set()


def test_names_that_are_not_utf8_are_files() -> None:
    path = b"pkg/caf\xe9.py".decode("utf-8", "surrogateescape")
    assert role(lay("pkg/__init__.py", path), path) == "file"


def test_a_folder_named_like_a_module_of_an_installed_tree() -> None:
    layout = lay(
        "pkg/__init__.py", "tests/__init__.py", "docs/conf.py", "thing-1.0.dist-info/METADATA", "thing-1.0.data/x/y.py"
    )
    assert set(modules(layout)) == {"pkg", "tests", "docs.conf"}
    assert role(layout, "thing-1.0.data/x/y.py") == "file"


# Consumers ------------------------------------------------------------------------------------------------------------

FLAT = ["test", "tests", "docs", "doc", "examples", "benchmarks", "scripts", "tools", "ci", "unit_tests"]


@pytest.mark.parametrize("folder", FLAT)
def test_folders_beside_the_packages_are_consumers(folder: str) -> None:
    layout = lay("pkg/__init__.py", f"pkg/{folder}/a.py", f"{folder}/__init__.py", f"{folder}/deep/b.py")
    assert set(modules(layout)) == {"pkg", f"pkg.{folder}.a"}
    assert of_role(layout, "consumer") == {f"{folder}/__init__.py", f"{folder}/deep/b.py"}


@pytest.mark.parametrize("script", ["setup.py", "conf.py", "noxfile.py", "conftest.py", "manage.py", "test_x.py"])
def test_root_scripts_are_consumers(script: str) -> None:
    layout = lay("pkg/__init__.py", f"pkg/{script}", "single.py", script)
    assert set(modules(layout)) == {"pkg", f"pkg.{script[:-3]}", "single"}
    assert of_role(layout, "consumer") == {script}


@pytest.mark.parametrize("folder", ["util", "utils", "tasks", "python"])
def test_names_that_applications_use_are_packages(folder: str) -> None:
    assert set(modules(lay("pkg/__init__.py", f"{folder}/__init__.py"))) == {"pkg", folder}


def test_the_names_of_setuptools_are_all_known() -> None:
    discovery = pytest.importorskip("setuptools.discovery")
    names = {name for name in discovery.FlatLayoutPackageFinder.DEFAULT_EXCLUDE if re.fullmatch(r"\w+", name)}
    for name in names - {"util", "utils", "tasks", "python"}:
        assert set(modules(lay("pkg/__init__.py", f"{name}/__init__.py"))) == {"pkg"}, name
    scripts = {name for name in discovery.FlatLayoutModuleFinder.DEFAULT_EXCLUDE if re.fullmatch(r"\w+", name)}
    for name in scripts:
        assert set(modules(lay("pkg/__init__.py", f"{name}.py"))) == {"pkg"}, name


def test_a_name_that_the_project_declares_is_a_package_whatever_it_sounds_like() -> None:
    for text in ("[project]\nname = 'tools'\n", "[project]\n[tool.setuptools]\npackages = ['tools', 'tools.sub']\n"):
        layout = lay("tools/__init__.py", "tests/t.py", texts={"pyproject.toml": text})
        assert set(modules(layout)) == {"tools"}
        assert of_role(layout, "consumer") == {"tests/t.py"}


def test_what_setuptools_finder_leaves_out_is_a_consumer() -> None:
    setup = "setup(packages=find_packages(exclude=['t', 't.*', 'ex*']))\n"
    layout = lay("pkg/__init__.py", "t/__init__.py", "extra/a.py", texts={"setup.py": setup})
    assert set(modules(layout)) == {"pkg"}
    find = "[project]\n[tool.setuptools.packages.find]\ninclude = ['pkg*']\n"
    layout = lay("pkg/__init__.py", "other/__init__.py", "single.py", texts={"pyproject.toml": find})
    assert set(modules(layout)) == {"pkg", "single"}


@pytest.mark.parametrize(
    ("finds", "more"),
    [
        # An exclude without `.*` leaves out the package alone: the part of a namespace that is of this project stays.
        ("exclude = ['cloud', 'cloud.store', 'tests']", {"cloud", "cloud.store", "cloud.store.blob"}),
        ("exclude = ['cloud*']", set()),
        ("exclude = ['cloud', 'cloud.*']", set()),
        ("exclude = ['cloud', 'cloud.store', 'cloud.store.*']", set()),
        # What include names is deeper than the top.
        ("include = ['cloud.store*', 'pkg*']", {"cloud", "cloud.store", "cloud.store.blob"}),
    ],
)
def test_patterns_of_setuptools_finder_may_speak_of_a_part_of_a_namespace(finds: str, more: set[str]) -> None:
    text = f"[project]\n[tool.setuptools.packages.find]\n{finds}\n"
    paths = ("cloud/__init__.py", "cloud/store/__init__.py", "cloud/store/blob/__init__.py", "pkg/__init__.py")
    layout = lay(*paths, "tests/__init__.py", "tests/unit/__init__.py", texts={"pyproject.toml": text})
    assert set(modules(layout)) == {"pkg", *more}


def test_a_root_of_nothing_but_tests_is_the_project() -> None:
    layout = lay("test_a.py", "conftest.py", "docs/b.py")
    assert set(modules(layout)) == {"test_a", "conftest", "docs.b"}
    assert of_role(lay("pkg/__init__.py", "test_a.py"), "consumer") == {"test_a.py"}


def test_settings_name_packages_and_consumers() -> None:
    paths = ("a/__init__.py", "a/b/test/x.py", "c/__init__.py", "tests/t.py", "other/o.py")
    layout = lay(*paths, settings=ProjectSettings(packages=("a", "absent")))
    assert set(modules(layout)) == {"a", "a.b.test.x"}
    assert of_role(layout, "consumer") == {"c/__init__.py", "tests/t.py", "other/o.py"}
    assert layout.unmatched == (("packages", "absent"),)
    layout = lay(*paths, settings=ProjectSettings(consumers=("c", "test", "a/b")))
    assert set(modules(layout)) == {"a", "other.o"}
    assert of_role(layout, "consumer") == {"c/__init__.py", "a/b/test/x.py"}
    assert of_role(layout, "file") == {"tests/t.py"}
    assert layout.unmatched == (("consumers", "test"),)
    assert set(modules(lay(*paths, settings=ProjectSettings(packages=("a", "tests"))))) == {
        "a",
        "a.b.test.x",
        "tests.t",
    }


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("tests/helper.py", True),
        ("pkg/test/deep/x.py", True),
        ("pkg/test_x.py", True),
        ("pkg/x_test.py", True),
        ("conftest.py", True),
        ("app/tests.py", True),
        ("test_unit/x.py", True),
        ("unit_tests/x.py", True),
        ("pkg/testing/x.py", False),
        ("pkg/contest.py", False),
        ("pkg/latest.py", False),
        ("testament/x.py", False),
        ("pkg/tester.py", False),
    ],
)
def test_what_is_a_test(path: str, test: bool) -> None:
    assert is_test(path) is test


# Skipped, vendored, generated -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        ".hidden/x.py",
        "pkg/.hidden/x.py",
        "pkg/__pycache__/x.py",
        "node_modules/x.py",
        "build/lib/pkg/x.py",
        "dist/x.py",
        "env/lib/site-packages/x.py",
        "pkg/site-packages/x.py",
    ],
)
def test_skipped_folders(path: str) -> None:
    layout = lay("pkg/__init__.py", path, texts={"pyproject.toml": PROJECT})
    assert [placed.path for placed in layout.placed] == ["pkg/__init__.py"]
    assert layout.unread == ()


def test_virtual_environments_are_skipped_whatever_they_are_called() -> None:
    layout = lay("pkg/__init__.py", "whatever/pyvenv.cfg", "whatever/x.py", "whatever/lib/y.py")
    assert [placed.path for placed in layout.placed] == ["pkg/__init__.py"]


def test_build_is_skipped_beside_project_files_only() -> None:
    layout = lay("pkg/__init__.py", "pkg/build/a.py", "pkg/dist/b.py", texts={"pyproject.toml": PROJECT})
    assert set(modules(layout)) == {"pkg", "pkg.build.a", "pkg.dist.b"}
    # A setup.py in a package (a template, numpy's habit) makes it no project.
    layout = lay("pkg/__init__.py", "pkg/build/a.py", "pkg/setup.py")
    assert "pkg.build.a" in modules(layout)


@pytest.mark.parametrize("folder", ["_vendor", "vendor", "vendored", "extern", "third_party", "mine"])
def test_vendored(folder: str) -> None:
    layout = lay(
        f"pkg/{folder}/x/__init__.py", "pkg/x.py", "pkg/vendor.py", settings=ProjectSettings(vendored=("mine",))
    )
    assert {placed.path: placed.vendored for placed in layout.placed} == {
        f"pkg/{folder}/x/__init__.py": True,
        "pkg/x.py": False,
        "pkg/vendor.py": False,
    }
    assert layout.unmatched == (() if folder == "mine" else (("vendored", "mine"),))


@pytest.mark.parametrize(
    ("name", "generated"),
    [("_version.py", True), ("a_pb2.py", True), ("a_pb2_grpc.py", True), ("made.py", True), ("version.py", False)],
)
def test_generated(name: str, generated: bool) -> None:
    layout = lay(f"pkg/{name}", settings=ProjectSettings(generated=("made.*",)))
    assert layout.placed[0].generated is generated


# Modules that are there and not read ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "pkg/_x.so",
        "pkg/_x.abi3.so",
        "pkg/_x.cpython-311-x86_64-linux-gnu.so",
        "pkg/_x.cp311-win_amd64.pyd",
        "pkg/_x.pyc",
        "pkg/_x.pyx",
        "pkg/_x.pyx.tp",
        "pkg/_x.c",
        "pkg/_x.pyi",
        "pkg/_x.py.in",
    ],
)
def test_modules_that_are_not_read_exist(path: str) -> None:
    layout = lay("pkg/__init__.py", path)
    assert set(unread(layout)) == {"pkg._x"}
    assert layout.unread[0].path == path
    assert set(modules(layout)) == {"pkg"}
    # The source of the same name speaks for it.
    layout = lay("pkg/__init__.py", path, "pkg/_x.py")
    assert unread(layout) == {}
    assert modules(layout)["pkg._x"] == "pkg/_x.py"


@pytest.mark.parametrize("built", ["pkg/_x.cpython-311-darwin.so", "pkg/_x.pyx"])
def test_a_stub_speaks_for_a_compiled_module(built: str) -> None:
    layout = lay("pkg/__init__.py", built, "pkg/_x.pyi")
    assert modules(layout)["pkg._x"] == "pkg/_x.pyi"
    assert unread(layout) == {}
    # But it need not list everything.
    assert next(placed.generated for placed in layout.placed if placed.module == "pkg._x")


def test_a_compiled_package() -> None:
    layout = lay("pkg/__init__.cpython-311-darwin.so", "pkg/mod.py")
    assert unread(layout) == {"pkg": "compiled"}
    assert set(modules(layout)) == {"pkg.mod"}
    layout = lay("pkg/__init__.pyi", "pkg/mod.py")
    assert set(unread(layout)) == {"pkg"}
    assert "pkg" in layout.namespaces


def test_a_bare_folder_of_compiled_modules_is_a_namespace() -> None:
    layout = lay("pkg/__init__.py", "pkg/native/_x.so")
    assert layout.namespaces == {"pkg.native"}
    assert set(unread(layout)) == {"pkg.native._x"}


Kind = Literal["link", "ignored", "excluded"]


@pytest.mark.parametrize(
    ("kind", "why"), [("link", "behind a link"), ("ignored", "ignored by git"), ("excluded", "excluded")]
)
def test_what_the_listing_does_not_enter_exists(kind: Kind, why: str) -> None:
    entries = [Entry("pkg/mod.py", kind), Entry("pkg/sub", kind, folder=True), Entry("pkg/a-b", kind, folder=True)]
    layout = lay("pkg/__init__.py", *entries)
    assert unread(layout) == {"pkg.mod": why, "pkg.sub": why}
    assert set(modules(layout)) == {"pkg"}
    assert [placed.path for placed in layout.placed] == ["pkg/__init__.py"]
    told = ("Nothing is read behind links to folders: pkg/a-b, pkg/sub",) if kind == "link" else ()
    assert layout.notes == told


def test_a_package_whose_init_is_not_read_stays_one() -> None:
    layout = lay(Entry("pkg/__init__.py", "ignored"), "pkg/mod.py")
    assert unread(layout) == {"pkg": "ignored by git"}
    assert layout.namespaces == frozenset()
    assert set(modules(layout)) == {"pkg.mod"}


def test_a_locked_folder_is_handed_on_to_be_said() -> None:
    layout = lay("pkg/__init__.py", Entry("pkg/sub", "locked", folder=True))
    assert unread(layout) == {"pkg.sub": "its folder cannot be listed"}
    assert role(layout, "pkg/sub") == "file"


def test_excluded_files_exist_and_are_not_read() -> None:
    layout = lay(
        "pkg/__init__.py",
        "pkg/_gen/deep/a.py",
        "pkg/b.py",
        "tests/t.py",
        settings=ProjectSettings(exclude=("**/_gen/**", "tests", "pkg/absent.py")),
    )
    assert unread(layout) == {"pkg._gen.deep.a": "excluded"}
    assert [placed.path for placed in layout.placed] == ["pkg/__init__.py", "pkg/b.py"]
    assert layout.unmatched == (("exclude", "pkg/absent.py"),)


@pytest.mark.parametrize(
    ("name", "text", "module"),
    [
        ("pyproject.toml", "[project]\n[tool.setuptools_scm]\nversion_file = 'src/pkg/_v.py'\n", "pkg._v"),
        ("pyproject.toml", "[project]\n[tool.hatch.build.hooks.vcs]\nversion-file = 'src/pkg/_v.py'\n", "pkg._v"),
        ("pyproject.toml", "[project]\n[tool.maturin]\nmodule-name = 'pkg._native'\n", "pkg._native"),
        ("setup.py", "setup(use_scm_version={'write_to': 'src/pkg/_v.py'})", "pkg._v"),
        ("setup.py", "setup(ext_modules=[Extension('pkg._speed', ['x.c'])])", "pkg._speed"),
    ],
)
def test_what_a_build_makes_exists(name: str, text: str, module: str) -> None:
    assert set(unread(lay("src/pkg/__init__.py", texts={name: text}))) == {module}


def test_what_a_build_writes_is_read_where_it_is() -> None:
    text = "[project]\n[tool.setuptools_scm]\nversion_file = 'pkg/_v.py'\n"
    assert unread(lay("pkg/__init__.py", "pkg/_v.py", texts={"pyproject.toml": text})) == {}


# Globs ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("a/b.py", "a", True),
        ("a/b.py", "a/", True),
        ("a/b.py", "./a", True),
        ("a/b.py", "b.py", False),
        ("a/b.py", "*", True),
        ("a/b.py", "*.py", False),
        ("a/b.py", "*/*.py", True),
        ("a/b.py", "**/*.py", True),
        ("b.py", "**/*.py", True),
        ("a/x/y/b.py", "a/**/b.py", True),
        ("a/b.py", "a/**/b.py", True),
        ("a/b.py", "a/**", True),
        ("a", "a/**", False),
        ("ab/c.py", "a", False),
        ("a/_gen/x.py", "**/_gen/**", True),
        ("a/b1.py", "a/b[0-9].py", True),
        ("a/bx.py", "a/b[!0-9].py", True),
        ("a/b1.py", "a/b[!0-9].py", False),
        ("a/b.py", "a?b.py", False),
        ("a+b/(c).py", "a+b/(c).py", True),
        ("a/b.py", ".", True),
        ("a/b.py", "[z-a]", False),
        ("a/[.py", "a/[.py", True),
        ("a\nb/c.py", "a*/c.py", True),
    ],
)
def test_globs(path: str, pattern: str, fits: bool) -> None:
    assert matches_glob(path, pattern) is fits


@given(st.text("ab*?[]!-^", max_size=6), st.text("ab[]!-^", min_size=1, max_size=4))
@settings(deadline=None)
def test_globs_of_one_component_agree_with_fnmatch(pattern: str, name: str) -> None:
    if "**" not in pattern and pattern and not re.search(r"\[.*-", pattern):
        assert matches_glob(name, pattern) == fnmatchcase(name, pattern)


@given(st.text(max_size=12), st.text(max_size=12))
@settings(deadline=None)
def test_no_glob_raises(path: str, pattern: str) -> None:
    assert matches_glob(path, pattern) in (True, False)


# Oracle and laws ------------------------------------------------------------------------------------------------------

NAMES = ("lay_x", "lay_y")
relative_paths = st.builds(
    lambda folders, file: "/".join((*folders, file)),
    st.lists(st.sampled_from(NAMES), max_size=3),
    st.sampled_from(("__init__.py", *(f"{name}.py" for name in NAMES))),
)
trees = st.sets(st.builds(lambda root, path: f"{root}/{path}", st.sampled_from(("one", "two")), relative_paths))


def imported(roots: list[str], names: set[str]) -> dict[str, str | None]:
    """Which of these names Python imports with these roots as its path, and from which file."""
    found: dict[str, str | None] = {}
    path, write = sys.path[:], sys.dont_write_bytecode
    sys.path[:], sys.dont_write_bytecode = roots, True
    try:
        for name in sorted(names):
            with suppress(ImportError):
                found[name] = importlib.import_module(name).__file__
    finally:
        sys.path[:], sys.dont_write_bytecode = path, write
        for name in [name for name in sys.modules if name.startswith("lay_")]:
            del sys.modules[name]
    return found


@given(trees)
@settings(max_examples=60, deadline=None)
def test_modules_are_those_that_python_would_import(paths: set[str]) -> None:
    layout = lay(*paths, settings=ProjectSettings(roots=("one", "two")))
    candidates: set[str] = set()
    for path in paths:
        parts = path.removesuffix(".py").removesuffix("/__init__").split("/")[1:]
        candidates.update(".".join(parts[: end + 1]) for end in range(len(parts)) if "__init__" not in parts)
    with TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        for root in ("one", "two"):
            (base / root).mkdir()
        for path in paths:
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).touch()
        importlib.invalidate_caches()
        found = imported([str(base / "one"), str(base / "two")], candidates)
        expected = {name: Path(file).relative_to(base).as_posix() for name, file in found.items() if file}
    assert modules(layout) == expected
    bare = {name for name, file in found.items() if not file}
    assert layout.namespaces == {name for name in bare if any(other.startswith(f"{name}.") for other in expected)}


anywhere = st.sets(
    st.builds(
        lambda folders, file: "/".join((*folders, file)),
        st.lists(st.sampled_from(("pkg", "src", "tests", "a-b", "vendor", "x.py", "build")), max_size=3),
        st.sampled_from(
            ("__init__.py", "x.py", "x.pyi", "x.so", "setup.py", "pyproject.toml", "a-b.py", "conftest.py")
        ),
    )
)


@given(anywhere)
@settings(deadline=None)
def test_each_file_has_one_place_whatever_the_order(paths: set[str]) -> None:
    # A path cannot be a file and a folder at once.
    files = sorted(path for path in paths if not any(other.startswith(f"{path}/") for other in paths))
    texts = {path: PROJECT for path in files if path.endswith("pyproject.toml")}
    layout = place(Listing(tuple(map(Entry, files)), texts), ProjectSettings())
    assert place(Listing(tuple(map(Entry, reversed(files))), texts), ProjectSettings()) == layout
    python = [path for path in files if path.endswith(".py") and "build/" not in path]
    placed = [one.path for one in layout.placed if one.path.endswith(".py") and "build/" not in one.path]
    assert placed == python
    names = [one.module for one in layout.placed if one.module] + [one.module for one in layout.unread]
    assert len(names) == len(set(names))
    assert not layout.namespaces & set(modules(layout))
    assert {one.path for one in layout.shadowed} <= of_role(layout, "file")
