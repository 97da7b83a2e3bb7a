"""init: whatever the code, the rules that it writes are green, and an import more against the order is not."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.checks import all_checks
from layercheck.config import read_config
from layercheck.run.judgement import judge
from layercheck.starter import Against, Layers, propose, render
from tests import command, corpus
from tests.test_cli import layercheck
from tests.tree import RULES, TODAY, build_project, parse_tree, write_tree

SHOP = """
# file: shop/__init__.py
import shop.cli
# file: shop/cli.py
import shop.orders.book
import shop.money
# file: shop/orders/__init__.py
# file: shop/orders/book.py
import shop.money
import shop.stock
# file: shop/stock.py
import shop.money
# file: shop/money.py
def late():
    import shop.orders.book
# file: shop/alone.py
# file: tests/test_shop.py
import shop.cli
"""


def proposed(text: str) -> tuple[Layers, ...]:
    return propose(build_project(parse_tree(text).files))


class TestProposal:
    def test_the_fewest_import_sites_go_up(self) -> None:
        assert proposed(SHOP) == (
            Layers(
                "shop",
                (("cli",), ("orders",), ("stock",), ("alone", "money")),
                (Against("shop.money", "shop.orders.**", 1),),
                fewest=True,
            ),
        )

    def test_several_top_level_packages_are_ordered_too(self) -> None:
        text = "# file: a.py\nimport b.x\n# file: b/__init__.py\n# file: b/x.py\nimport b.y\n# file: b/y.py\n"
        assert proposed(text) == (
            Layers("", (("a",), ("b",)), (), fewest=True),
            Layers("b", (("x",), ("y",)), (), fewest=True),
        )

    def test_a_package_that_holds_but_one_is_passed_over(self) -> None:
        text = "# file: src/a/b/__init__.py\n# file: src/a/b/x.py\nimport a.b.y\n# file: src/a/b/y.py\n"
        assert proposed(text) == (Layers("a.b", (("x",), ("y",)), (), fewest=True),)

    def test_a_part_that_holds_most_is_looked_into(self) -> None:
        text = SHOP + "".join(f"# file: shop/orders/m{index}.py\nimport shop.orders.book\n" for index in range(9))
        assert [(layers.package, layers.order[-1]) for layers in proposed(text)] == [
            ("shop", ("alone", "money")),
            ("shop.orders", ("book",)),
        ]

    def test_tests_weigh_nothing(self) -> None:
        text = SHOP + "".join(f"# file: shop/tests/test_{index}.py\nimport shop.tests.help\n" for index in range(9))
        assert [layers.package for layers in proposed(text + "# file: shop/tests/help.py\n")] == ["shop"]

    def test_what_is_not_read_is_in_no_layer(self) -> None:
        text = "# file: a/__init__.py\n# file: a/_c.pyd\n# file: a/b.py\nfrom a import _c, c\n"
        text += "# file: a/c.py\nimport a._c\n"
        assert proposed(text) == (Layers("a", (("b",), ("c",)), (), fewest=True),)

    def test_where_nothing_is_imported_nothing_is_proposed(self) -> None:
        assert proposed("# file: a/__init__.py\n# file: a/b.py\n# file: a/c.py\nimport os\n") == ()

    def test_vendored_code_does_not_decide_the_order_but_counts(self) -> None:
        text = """
# file: a/__init__.py
# file: a/x/__init__.py
# file: a/x/_vendor/__init__.py
import a.y
import a.y as again
# file: a/x/own.py
# file: a/y.py
import a.x.own
"""
        assert proposed(text) == (Layers("a", (("y",), ("x",)), (), fewest=False),)
        both = text.replace("# file: a/x/own.py\n", "# file: a/x/own.py\nimport a.y\n").replace(
            "import a.x.own", "import a.x.own\n" * 4
        )
        assert proposed(both) == (Layers("a", (("y",), ("x",)), (Against("a.x.**", "a.y", 3),), fewest=False),)


class TestText:
    def test_it_is_explained_and_says_what_is_not_clean(self) -> None:
        text = render(proposed(SHOP), {"cycles": 1, "indirect-imports": 2})
        assert text.startswith("# The imports that this code has today")
        data = tomli.loads(text)
        assert data["checks"] == {
            name: {"cycles": "warning", "indirect-imports": "off"}.get(name, "error")
            for name, check in all_checks().items()
            if check.undeclared is not None and name != "rules-file"
        }
        assert 'cycles = "warning"    # 1 today' in text
        assert data["rule"][0]["order"] == ["cli", "orders", "stock", ["alone", "money"]]
        assert data["rule"][0]["ignore"] == [
            {
                "import": "shop.money -> shop.orders.**",
                "reason": "there when the layers were written down",
                "max": 1,
            }
        ]

    def test_no_line_is_longer_than_can_be_read(self) -> None:
        names = tuple(f"module_with_a_long_name_{index}" for index in range(30))
        assert max(map(len, render([Layers("a", (names, ("b",)), (), fewest=True)], {}).splitlines())) <= 120


NAMES = ["a.x", "a.y", "a.z", "a.p", "a.p.x", "a.p.y", "a.q", "a.q.x", "b", "a._vendor", "a._vendor.x"]
PACKAGES = ["a", "a.p", "a.q", "a._vendor"]
IMPORTS = [
    "import {}",
    "def late():\n    import {}",
    "from {} import *",
    "try:\n    import {}\nexcept ImportError: pass",
]


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """Small projects with any imports among their modules, some vendored, some of what is not there."""
    files = {}
    for name in [*NAMES, "a"]:
        if name != "a" and name not in PACKAGES and not draw(st.booleans()):
            continue
        targets = draw(st.lists(st.sampled_from([*NAMES, "a", "os", "a.gone"]), max_size=4))
        lines = [draw(st.sampled_from(IMPORTS)).format(target) for target in targets]
        path = name.replace(".", "/") + ("/__init__.py" if name in PACKAGES else ".py")
        files[path] = "\n".join([*lines, ""])
    return files


@settings(deadline=None, max_examples=60)
@given(trees())
def test_whatever_the_code_the_first_check_is_green(files: dict[str, str]) -> None:
    project = build_project(files)
    layers = propose(project)
    assert layers == propose(build_project(dict(reversed(files.items()))))
    config = read_config(render(layers, {}), RULES)
    found = judge(project, config, TODAY).findings
    assert [one for one in found if one.check in ("layers", "rules-file")] == []


@settings(deadline=None, max_examples=60)
@given(trees())
def test_no_other_order_has_fewer_imports_against_it(files: dict[str, str]) -> None:
    project = build_project(files)
    for layers in propose(project):
        prefix = f"{layers.package}." if layers.package else ""
        parts = [prefix + part for level in layers.order for part in level]
        sites: dict[tuple[str, str], int] = {}
        for link in project.links:
            if not link.external and not link.consumer and not project.modules[link.importer].vendored:
                ends = [
                    next((part for part in parts if name == part or name.startswith(part + ".")), "")
                    for name in (link.importer, link.imported)
                ]
                if all(ends) and ends[0] != ends[1]:
                    sites[ends[0], ends[1]] = sites.get((ends[0], ends[1]), 0) + 1
        fewest = min(
            sum(count for (low, high), count in sites.items() if order.index(low) > order.index(high))
            for order in itertools.permutations(sorted({part for edge in sites for part in edge}))
        )
        level = {prefix + part: index for index, parts in enumerate(layers.order) for part in parts}
        assert sum(count for (low, high), count in sites.items() if level[low] >= level[high]) == fewest


class TestCommand:
    def test_the_first_check_is_green_and_one_more_import_is_not(self, tmp_path: Path) -> None:
        write_tree(tmp_path, SHOP)
        done = layercheck("init", tmp_path)
        assert (done.status, done.stderr) == (0, "")
        assert done.stdout == (
            f"{tmp_path / RULES}: written (rules of layers: 1, layers: 4, import sites against them: 1)\n"
        )
        assert layercheck("check", tmp_path).status == 0
        corpus.replace(tmp_path / "shop" / "stock.py", "import shop.cli\n")
        found = command.check(tmp_path).findings("layers")
        assert [(one["path"], one["line"]) for one in found] == [("shop/stock.py", 1)]
        corpus.replace(tmp_path / "shop" / "stock.py", "import shop.money\n")
        corpus.replace(tmp_path / "shop" / "money.py", "import shop.orders.book\nimport shop.orders.book as again\n")
        found = command.check(tmp_path).findings("rules-file")
        assert "matches 2 imports, and max is 1" in found[0]["message"]
        corpus.replace(tmp_path / "shop" / "new.py", "x = 1\n")
        assert "shop.new is in no layer" in {one["message"] for one in command.check(tmp_path).findings("layers")}

    def test_what_is_wrong_today_is_a_warning(self, tmp_path: Path) -> None:
        write_tree(
            tmp_path, SHOP + "# file: shop/bad.py\nimport shop.gone\nimport os\nx = 1\n# file: shop/worse.py\n(\n"
        )
        assert layercheck("check", tmp_path).status == 1
        assert layercheck("init", tmp_path).status == 0
        assert layercheck("check", tmp_path).status == 0
        text = (tmp_path / RULES).read_text()
        for name in ("broken-imports", "orphaned-imports", "unreadable-files"):
            assert f'{name} = "warning"    # 1 today' in text

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            (RULES, ""),
            (RULES, "not TOML ["),
            ("pyproject.toml", "[tool.layercheck]\n"),
            ("pyproject.toml", "[tool.layercheck.checks]\ncycles = 'off'\n"),
        ],
    )
    def test_it_never_overwrites(self, tmp_path: Path, path: str, text: str) -> None:
        write_tree(tmp_path, SHOP)
        (tmp_path / path).write_text(text)
        done = layercheck("init", tmp_path)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr == (
            f"layercheck: {tmp_path.resolve() / path}: the rules of this file hold here already; "
            "edit them, or move it away\n"
        )
        assert (tmp_path / path).read_text() == text
        assert (path == RULES) or not (tmp_path / RULES).exists()

    def test_rules_above_hold_here_too(self, tmp_path: Path) -> None:
        write_tree(tmp_path, SHOP)
        (tmp_path / ".git").mkdir()
        (tmp_path / RULES).write_text("[checks]\ncycles = 'off'\n")
        assert layercheck("init", tmp_path / "shop").status == 2
        assert not (tmp_path / "shop" / RULES).exists()

    def test_something_else_of_that_name_stays(self, tmp_path: Path) -> None:
        write_tree(tmp_path, SHOP)
        (tmp_path / RULES).mkdir()
        done = layercheck("init", tmp_path)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert "is there already" in done.stderr

    def test_a_pyproject_without_rules_is_no_hindrance(self, tmp_path: Path) -> None:
        write_tree(tmp_path, SHOP)
        (tmp_path / "pyproject.toml").write_text("[project]\nname = 'shop'\nversion = '1'\n")
        assert layercheck("init", tmp_path).status == 0

    def test_no_code(self, tmp_path: Path) -> None:
        done = layercheck("init", tmp_path)
        assert (done.status, done.stdout) == (2, "")
        assert not (tmp_path / RULES).exists()

    def test_this_repository(self, tmp_path: Path) -> None:
        for folder in ("layercheck", "tests", "docs"):
            corpus.copy(command.ROOT / folder, tmp_path / folder)
        assert layercheck("init", tmp_path).status == 0
        assert layercheck("check", tmp_path).status == 0


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "version", "fewest"), [("requests", "2.34.2", 14), ("celery", "5.7.0", 12), ("django", "6.1.3", 166)]
)
def test_a_release(tmp_path: Path, name: str, version: str, fewest: int) -> None:
    """``fewest``: the import sites against the best order of the package's parts, by a table of all sets of parts."""
    try:
        release = corpus.release(name, version)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    corpus.copy(release, tmp_path / "tree")
    if "needs Python 3." in layercheck("check", tmp_path / "tree").stdout:
        pytest.skip("written for a newer Python than this one")
    assert layercheck("init", tmp_path / "tree").status == 0
    against = [
        sum(ignored["max"] for ignored in rule.get("ignore", ()))
        for rule in tomli.loads((tmp_path / "tree" / RULES).read_text())["rule"]
        if rule["within"] == name
    ]
    assert against == [fewest]
    assert layercheck("check", tmp_path / "tree").status == 0
