"""Pictures: what is drawn of small trees, what narrows them, and the levels of the tree. Formats are tested beside."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layercheck.checks import all_checks
from layercheck.errors import LayercheckError
from layercheck.facts import KINDS
from layercheck.picture.drawing import draw
from layercheck.picture.model import NONE, Arrow, Picture, Wishes
from layercheck.picture.tree import Branch, grow
from layercheck.run.judgement import judge
from tests.tree import TODAY, build_project, parse_tree, tree_config

SHOP = """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "down"
within = "shop"
order = ["cli", ["orders", "refunds"], "stock", "money"]

[[rule]]
name = "inside"
check = "layers"
reason = "down"
within = "shop.orders"
order = ["book", "line"]

[[rule]]
name = "no-sql"
check = "forbidden-imports"
reason = "no"
from = ["shop.money"]
to = ["sqlite3"]
# file: shop/__init__.py
# file: shop/cli.py
import shop.orders.book
import shop.money
from shop.money import cent
# file: shop/orders/__init__.py
# file: shop/orders/book.py
import shop.orders.line
import shop.refunds
# file: shop/orders/line.py
import shop.stock
# file: shop/refunds.py
def late():
    import shop.money
# file: shop/stock.py
from shop import shelf
# file: shop/shelf.py
import shop.stock
# file: shop/money.py
import sqlite3
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import shop.cli
cent = 1
# file: tests/test_shop.py
import shop.cli
"""


def drawn(text: str, wishes: Wishes | None = None) -> Picture:
    """The picture of a tree by its own rules, as the command draws it."""
    files = parse_tree(text).files
    config = tree_config(files, "cycles")
    project = build_project(files, config)
    checks = all_checks()
    layerings = [
        (rule.name, order)
        for rule in config.rules
        if (orders := checks[rule.check].orders) is not None
        for order in orders(project, rule.options)
    ]
    findings = judge(project, config, TODAY).findings
    graph = [finding for finding in findings if checks[finding.check].counts is not None]
    return draw(project, wishes or Wishes(), layerings, graph, "shop")


def shown(picture: Picture) -> list[str]:
    """The arrows in short."""
    return [f"{one.importer} > {one.imported}" for one in picture.arrows]


def arrow(picture: Picture, importer: str, imported: str) -> Arrow:
    return next(one for one in picture.arrows if (one.importer, one.imported) == (importer, imported))


class TestWhatIsDrawn:
    def test_modules_and_every_import_between_them(self) -> None:
        picture = drawn(SHOP)
        assert [node.name for node in picture.nodes] == [
            "shop",
            "shop.cli",
            "shop.money",
            "shop.orders",
            "shop.orders.book",
            "shop.orders.line",
            "shop.refunds",
            "shop.shelf",
            "shop.stock",
        ]
        assert shown(picture) == [
            "shop.cli > shop.money",
            "shop.cli > shop.orders.book",
            "shop.money > shop.cli",
            "shop.orders.book > shop.orders.line",
            "shop.orders.book > shop.refunds",
            "shop.orders.line > shop.stock",
            "shop.refunds > shop.money",
            "shop.shelf > shop.stock",
            "shop.stock > shop.shelf",
        ]
        links = arrow(picture, "shop.cli", "shop.money").links
        assert [(link.path, link.span.line, link.kind, link.name) for link in links] == [
            ("shop/cli.py", 2, "import-time", ""),
            ("shop/cli.py", 3, "import-time", "cent"),
        ]

    def test_the_layers_of_rules_the_outer_ones_first(self) -> None:
        picture = drawn(SHOP)
        assert [(order.rule, order.package, order.layers) for order in picture.orders] == [
            ("order", "shop", ("cli", "orders, refunds", "stock", "money")),
            ("inside", "shop.orders", ("book", "line")),
        ]
        assert {node.name: node.place for node in picture.nodes if node.place} == {
            "shop.cli": ((0, 0),),
            "shop.money": ((0, 3),),
            "shop.orders": ((0, 1),),
            "shop.orders.book": ((0, 1), (1, 0)),
            "shop.orders.line": ((0, 1), (1, 1)),
            "shop.refunds": ((0, 1),),
            "shop.stock": ((0, 2),),
        }

    def test_what_breaks_a_rule_is_lit(self) -> None:
        picture = drawn(SHOP)
        assert [(one.finding.rule, one.finding.problem.importer, one.arrows) for one in picture.violations] == [
            ("no-sql", "shop.money", ()),
            ("order", "shop.money", (("shop.money", "shop.cli"),)),
            ("order", "shop.orders.book", (("shop.orders.book", "shop.refunds"),)),
        ]
        lit = {(one.importer, one.imported): one.violations for one in picture.arrows if one.violations}
        assert lit == {("shop.money", "shop.cli"): (1,), ("shop.orders.book", "shop.refunds"): (2,)}

    def test_every_step_of_a_chain_is_lit(self) -> None:
        text = """
# file: layercheck.toml
[[rule]]
name = "far"
check = "layers"
reason = "down"
within = "a"
reach = "transitive"
order = ["top", "low"]
# file: a/__init__.py
# file: a/top.py
# file: a/middle.py
import a.top
# file: a/low.py
import a.middle
"""
        (violation,) = drawn(text).violations
        assert violation.arrows == (("a.low", "a.middle"), ("a.middle", "a.top"))

    def test_rings_of_imports_at_import_time_with_what_the_check_says(self) -> None:
        picture = drawn(SHOP)
        (ring,) = picture.rings
        assert ring.members == ("shop.shelf", "shop.stock")
        assert ring.message.startswith("import ring of 2 modules")
        assert [(one.importer, one.ring) for one in picture.arrows if one.ring != NONE] == [
            ("shop.shelf", 0),
            ("shop.stock", 0),
        ]
        assert [node.name for node in picture.nodes if node.ring == 0] == ["shop.shelf", "shop.stock"]

    def test_a_typing_import_between_members_of_a_ring_is_no_part_of_it(self) -> None:
        text = """
# file: a.py
import b
# file: b.py
import c
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import a
# file: c.py
import a
"""
        picture = drawn(text)
        assert picture.rings[0].members == ("a", "b", "c")
        assert arrow(picture, "b", "a").ring == NONE
        assert arrow(picture, "c", "a").ring == 0


class TestNarrowing:
    def test_kinds(self) -> None:
        picture = drawn(SHOP, Wishes(kinds=("deferred", "typing"), ring_kinds=("deferred", "typing")))
        assert shown(picture) == ["shop.money > shop.cli", "shop.refunds > shop.money"]
        assert picture.rings == ()
        assert [one.finding.rule for one in picture.violations] == ["order"]

    def test_rings_of_other_kinds(self) -> None:
        wishes = Wishes(kinds=("import-time", "typing"), ring_kinds=("import-time", "typing"), rings_only=True)
        assert [ring.members for ring in drawn(SHOP, wishes).rings] == [
            ("shop.cli", "shop.money"),
            ("shop.shelf", "shop.stock"),
        ]

    def test_rings_only(self) -> None:
        picture = drawn(SHOP, Wishes(rings_only=True))
        assert [node.name for node in picture.nodes] == ["shop.shelf", "shop.stock"]
        assert shown(picture) == ["shop.shelf > shop.stock", "shop.stock > shop.shelf"]
        assert picture.violations == ()

    def test_collapse(self) -> None:
        picture = drawn(SHOP, Wishes(collapse=2))
        assert [(node.name, node.modules) for node in picture.nodes if node.modules > 1] == [("shop.orders", 3)]
        assert shown(picture) == [
            "shop.cli > shop.money",
            "shop.cli > shop.orders",
            "shop.money > shop.cli",
            "shop.orders > shop.refunds",
            "shop.orders > shop.stock",
            "shop.refunds > shop.money",
            "shop.shelf > shop.stock",
            "shop.stock > shop.shelf",
        ]
        (orders,) = [node for node in picture.nodes if node.name == "shop.orders"]
        assert orders.place == ((0, 1),)
        assert [one.arrows for one in picture.violations][-1] == (("shop.orders", "shop.refunds"),)

    def test_collapsed_nodes_that_reach_each_other_are_a_ring(self) -> None:
        text = "# file: a/x.py\nimport b.x\n# file: a/y.py\n# file: b/x.py\n# file: b/y.py\nimport a.y\n"
        assert drawn(text).rings == ()
        picture = drawn(text, Wishes(collapse=1))
        assert [ring.members for ring in picture.rings] == [("a", "b")]
        assert shown(picture) == ["a > b", "b > a"]

    def test_a_module_that_imports_itself_is_a_ring_until_it_is_collapsed(self) -> None:
        text = "# file: a/__init__.py\n# file: a/x.py\nimport a.x\n# file: a/y.py\n"
        assert [ring.members for ring in drawn(text).rings] == [("a.x",)]
        assert drawn(text, Wishes(collapse=1)).arrows == ()

    @pytest.mark.parametrize(
        ("focus", "depth", "arrows"),
        [
            (("shop.refunds",), 0, []),
            (("shop.refunds",), 1, ["shop.orders.book > shop.refunds", "shop.refunds > shop.money"]),
            (
                ("shop.refunds",),
                2,
                [
                    "shop.cli > shop.money",
                    "shop.cli > shop.orders.book",
                    "shop.money > shop.cli",
                    "shop.orders.book > shop.orders.line",
                    "shop.orders.book > shop.refunds",
                    "shop.refunds > shop.money",
                ],
            ),
            (("shop.orders",), 0, ["shop.orders.book > shop.orders.line"]),
            (("shop.s*",), 0, ["shop.shelf > shop.stock", "shop.stock > shop.shelf"]),
            (("shop.money", "shop.cli"), 0, ["shop.cli > shop.money", "shop.money > shop.cli"]),
        ],
    )
    def test_focus(self, focus: tuple[str, ...], depth: int, arrows: list[str]) -> None:
        assert shown(drawn(SHOP, Wishes(focus=focus, depth=depth))) == arrows

    def test_a_focus_hides_no_ring_that_leads_out_of_it(self) -> None:
        picture = drawn(SHOP, Wishes(focus=("shop.stock",), depth=0))
        assert [node.name for node in picture.nodes] == ["shop.stock"]
        assert (picture.nodes[0].ring, picture.rings[0].members) == (0, ("shop.shelf", "shop.stock"))

    def test_a_focus_keeps_the_violations_that_it_shows(self) -> None:
        picture = drawn(SHOP, Wishes(focus=("shop.money",), depth=0))
        assert [one.finding.rule for one in picture.violations] == ["no-sql"]

    def test_a_focus_on_nothing_is_told_with_what_is_near(self) -> None:
        with pytest.raises(LayercheckError) as told:
            drawn(SHOP, Wishes(focus=("shop.mony", "x.*")))
        assert told.value.lines == (
            "--focus: no module is or fits 'shop.mony'; did you mean shop.money?",
            "--focus: no module is or fits 'x.*'; give the dotted name of a module or package, or a pattern",
        )


def levels(branch: Branch) -> list[list[str]]:
    """The names of the parts, level by level."""
    return [[part.name for part in parts] for _, parts in itertools.groupby(branch.parts, key=lambda part: part.level)]


def find(branches: tuple[Branch, ...], name: str) -> Branch:
    for branch in branches:
        if branch.name == name and branch.node is None:
            return branch
        if branch.parts and name.startswith(f"{branch.name}."):
            return find(branch.parts, name)
    raise LookupError(name)


class TestTree:
    def test_layers_come_first_and_what_is_in_none_stands_where_it_imports_nothing_of_them(self) -> None:
        shop = find(grow(drawn(SHOP)), "shop")
        assert levels(shop) == [
            ["shop", "shop.shelf"],
            ["shop.cli"],
            ["shop.orders"],
            ["shop.refunds"],
            ["shop.stock"],
            ["shop.money"],
        ]
        assert [(part.name, part.order, part.layer) for part in shop.parts if part.order != NONE] == [
            ("shop.cli", 0, 0),
            ("shop.orders", 0, 1),
            ("shop.refunds", 0, 1),
            ("shop.stock", 0, 2),
            ("shop.money", 0, 3),
        ]
        assert levels(find(shop.parts, "shop.orders")) == [["shop.orders.book"], ["shop.orders.line"], ["shop.orders"]]

    def test_what_is_in_no_layer_stands_below_where_layers_import_it(self) -> None:
        text = """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "down"
within = "a"
order = ["x", "y"]
# file: a/__init__.py
# file: a/x.py
import a.z
# file: a/y.py
# file: a/z.py
"""
        assert levels(find(grow(drawn(text)), "a")) == [["a.x"], ["a.y"], ["a", "a.z"]]

    def test_without_layers_what_is_imported_stands_below(self) -> None:
        text = SHOP.split("# file: shop/__init__.py")[1]
        shop = find(grow(drawn(f"# file: shop/__init__.py{text}")), "shop")
        assert levels(shop)[0] == ["shop.cli"]
        assert {part.order for part in shop.parts} == {NONE}

    def test_a_layer_deep_inside_places_the_part_that_holds_it(self) -> None:
        text = """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "down"
within = "a"
order = ["p.x", "y", "p.z"]
# file: a/__init__.py
# file: a/y.py
# file: a/p/__init__.py
# file: a/p/x.py
# file: a/p/z.py
"""
        tree = grow(drawn(text))
        assert [(part.name, part.layer) for part in find(tree, "a").parts if part.layer != NONE] == [
            ("a.p", 0),
            ("a.y", 1),
        ]
        assert [(part.name, part.layer) for part in find(tree, "a.p").parts if part.layer != NONE] == [
            ("a.p.x", 0),
            ("a.p.z", 2),
        ]

    def test_it_holds_every_module_once(self) -> None:
        tree = grow(drawn(SHOP))
        assert sum(branch.modules for branch in tree) == 9

    def test_declared_layers_of_undeclared_imports_are_layers_too(self) -> None:
        text = """
# file: layercheck.toml
[[rule]]
name = "parts"
check = "undeclared-imports"
reason = "said"
layers = ["high", "low"]
modules = [{ name = "a.x", layer = "low" }, { name = "a.y", layer = "high" }, { name = "a.z" }]
# file: a/__init__.py
# file: a/x.py
# file: a/y.py
# file: a/z.py
"""
        picture = drawn(text)
        assert [(order.rule, order.layers) for order in picture.orders] == [("parts", ("high", "low"))]
        assert {node.name: node.place for node in picture.nodes if node.place} == {
            "a.x": ((0, 1),),
            "a.y": ((0, 0),),
        }


NAMES = ["a", "a.b", "a.b.c", "a.b.d", "a.e", "a.f.g", "a.f.h", "i", "j.k"]


@st.composite
def trees(draw_: st.DrawFn) -> str:
    """Small projects with any imports among their modules."""
    text = ""
    for name in NAMES:
        package = any(other.startswith(f"{name}.") for other in NAMES)
        path = f"{name.replace('.', '/')}{'/__init__' if package else ''}.py"
        lines = [
            draw_(st.sampled_from(["import {}", "def late():\n    import {}"])).format(other)
            for other in draw_(st.lists(st.sampled_from(NAMES), max_size=3))
        ]
        text += f"# file: {path}\n" + "".join(f"{line}\n" for line in lines)
    return text


class TestLaws:
    @given(trees(), st.sampled_from([None, 1, 2]))
    def test_what_goes_up_in_the_tree_is_on_a_ring_of_its_parts(self, text: str, collapse: int | None) -> None:
        picture = drawn(text, Wishes(collapse=collapse))

        def walk(branches: tuple[Branch, ...]) -> None:
            part_of = {node: branch for branch in branches for node in nodes(branch)}
            edges = {
                (part_of[one.importer].name, part_of[one.imported].name)
                for one in picture.arrows
                if one.importer in part_of and one.imported in part_of
            }
            level = {branch.name: branch.level for branch in branches}
            for importer, imported in edges:
                if importer != imported and level[importer] >= level[imported]:
                    assert reaches(edges, imported, importer)
            for branch in branches:
                walk(branch.parts)

        walk(grow(picture))

    @given(trees(), st.sampled_from([1, 2, 3]))
    def test_collapsing_loses_no_import_but_those_inside_a_node(self, text: str, collapse: int) -> None:
        whole, picture = drawn(text), drawn(text, Wishes(collapse=collapse))
        assert sum(node.modules for node in picture.nodes) == len(whole.nodes)
        kept = [
            link
            for one in whole.arrows
            for link in one.links
            if _cut(link.importer, collapse) != _cut(link.imported, collapse)
        ]
        assert sorted(_key(link) for link in kept) == sorted(
            _key(link) for one in picture.arrows for link in one.links if one.importer != one.imported
        )

    @given(trees(), st.sampled_from(NAMES), st.integers(0, 3))
    def test_a_focus_shows_a_part_of_the_picture_and_more_with_more_depth(
        self, text: str, name: str, depth: int
    ) -> None:
        whole = drawn(text)
        less, more = (drawn(text, Wishes(focus=(name,), depth=each)) for each in (depth, depth + 1))
        assert set(shown(less)) <= set(shown(more)) <= set(shown(whole))
        assert {one.name for one in less.nodes} <= {one.name for one in more.nodes} <= {one.name for one in whole.nodes}

    @given(trees())
    def test_every_kind_alone_makes_up_the_whole(self, text: str) -> None:
        parts = [drawn(text, Wishes(kinds=(kind,))) for kind in KINDS]
        assert sorted({one for part in parts for one in shown(part)}) == shown(drawn(text))


def nodes(branch: Branch) -> set[str]:
    """The names of the nodes of a branch."""
    return {branch.name} if branch.node else {name for part in branch.parts for name in nodes(part)}


def reaches(edges: set[tuple[str, str]], start: str, end: str) -> bool:
    seen = {start}
    while True:
        more = {imported for importer, imported in edges if importer in seen} - seen
        if not more:
            return end in seen
        seen |= more


def _cut(name: str, level: int) -> str:
    return ".".join(name.split(".")[:level])


def _key(link: object) -> str:
    return repr(link)
