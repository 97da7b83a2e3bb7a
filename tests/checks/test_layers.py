"""layers: a table of small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.checks import all_checks
from layercheck.checks.layers import LayersOptions
from layercheck.config import read_config
from layercheck.facts import KINDS, Kind
from layercheck.finding import Problem
from tests.tree import build_project, check_tree, judge_tree, parse_tree

RULE = """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "a test"
within = "app"
"""
EMPTY = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "high", "mid", "low"))

TREES = {
    "up is wrong, down is right": """
order = ["high", "low"]
# file: app/__init__.py
# file: app/high.py
from app.low import x
# file: app/low.py
from app import high  # problem: app.low (layer low) imports app.high (layer high), which is above it
""",
    "one finding for each import site": """
order = ["high", "low"]
# file: app/__init__.py
# file: app/high.py
a = b = 1
# file: app/low.py
from app.high import (
    a,  # problem: app.low (layer low) imports app.high
    b,  # problem: app.low (layer low) imports app.high
)
def f():
    import app.high  # problem: app.low (layer low) imports app.high
""",
    "everything below a package is in its layer": """
order = ["high", "low"]
# file: app/__init__.py
# file: app/high/__init__.py
# file: app/high/deep/part.py
# file: app/low/__init__.py
# file: app/low/deep/part.py
from app.high.deep import part  # problem: app.low.deep.part (layer low) imports app.high.deep.part (layer high)
from ...high.deep.part import x  # problem: imports app.high.deep.part
""",
    "names nest": """
order = ["pool", "host.mha", "host.base"]
# file: app/__init__.py
# file: app/pool.py
# file: app/host/__init__.py
import app.pool
# file: app/host/mha.py
import app.pool  # problem: (layer host.mha) imports app.pool (layer pool), which is above it
# file: app/host/base.py
import app.host.mha  # problem: (layer host.base) imports app.host.mha (layer host.mha), which is above it
""",
    "siblings in a list ignore each other": """
order = ["high", ["one", "two"], "low"]
# file: app/__init__.py
# file: app/high.py
import app.one, app.two
# file: app/one.py
import app.two  # problem: app.one (layer one) imports app.two (layer two), its independent sibling
import app.low
# file: app/two/__init__.py
import app.two.part
# file: app/two/part.py
import app.two
# file: app/low.py
import app.one  # problem: which is above it
""",
    "siblings that may import each other": """
order = ["high", { any = ["one", "two"], independent = false }]
# file: app/__init__.py
# file: app/high.py
# file: app/one.py
import app.two
# file: app/two.py
import app.one
import app.high  # problem: app.two (layer two) imports app.high (layer high)
""",
    "a single level of independent siblings": """
order = [["one", "two"]]
# file: app/__init__.py
# file: app/one.py
import app.two  # problem: its independent sibling
# file: app/two.py
""",
    "a pattern is one layer": """
order = ["high", "part_*"]
# file: app/__init__.py
# file: app/high.py
# file: app/part_a.py
import app.part_b
import app.high  # problem: app.part_a (layer part_*) imports app.high (layer high)
# file: app/part_b.py
""",
    "in a list, what a pattern matches are siblings": """
order = ["high", ["parts.*"]]
# file: app/__init__.py
# file: app/high.py
# file: app/parts/a.py
import app.parts.b  # problem: app.parts.a (layer parts.a) imports app.parts.b (layer parts.b), its independent sibling
import app.high  # problem: app.parts.a (layer parts.a) imports app.high (layer high)
# file: app/parts/b/__init__.py
import app.parts.b.c
# file: app/parts/b/c.py
import app.parts.b
""",
    "an exact name beats a pattern": """
order = ["high", ["parts.*"], "parts.base"]
# file: app/__init__.py
# file: app/high.py
# file: app/parts/__init__.py
# file: app/parts/a.py
import app.parts.base
# file: app/parts/b.py
import app.parts.base
# file: app/parts/base.py
import app.parts.a  # problem: app.parts.base (layer parts.base) imports app.parts.a (layer parts.a), which is above it
""",
    "a closed layer is not passed over": """
order = ["high", "mid", "low"]
closed = ["mid"]
# file: app/__init__.py
# file: app/high.py
import app.mid
import app.low  # problem: imports app.low (layer low), which passes over the closed layer mid
# file: app/mid.py
import app.low
# file: app/low.py
""",
    "an optional layer need not be there": """
order = ["high", { name = "mid", optional = true }, "low"]
# file: app/__init__.py
# file: app/high.py
# file: app/low.py
import app.high  # problem: which is above it
""",
    "one of several siblings need not be there": """
order = ["high", { any = ["mid", { name = "gone", optional = true }] }, "low"]
# file: app/high.py
# file: app/mid.py
import app.high  # problem: app.mid (layer mid) imports app.high (layer high)
# file: app/low.py
""",
    "every module within must be in a layer": """
order = ["high", "parts.base"]
exhaustive = true
outside = ["cli", "gen_*"]
# file: app/__init__.py
# file: app/__main__.py
pass  # problem: app.__main__ is in no layer
# file: app/high/__init__.py
# file: app/high/deep.py
# file: app/cli.py
# file: app/gen_a.py
# file: app/new/one.py
pass  # problem: app.new is in no layer
# file: app/new/two.py
# file: app/parts/__init__.py
pass  # problem: app.parts is in no layer
# file: app/parts/base.py
# file: app/parts/other.py
pass  # problem: app.parts.other is in no layer
""",
    "a single layer that is all there may be": """
order = ["high"]
exhaustive = true
# file: app/high.py
# file: app/other.py
pass  # problem: app.other is in no layer
""",
    "a single level that is all there may be, in each container": """
order = [{ any = ["high", { name = "gone", optional = true }], independent = false }]
exhaustive = true
containers = ["in_*"]
# file: app/in_a/high.py
import app.in_a.low
# file: app/in_a/low.py
pass  # problem: app.in_a.low is in no layer
# file: app/in_b/high.py
""",
    "the same order in each container": """
order = ["api", "core"]
containers = ["features.*"]
# file: app/features/a/api.py
import app.features.b.core
# file: app/features/a/core.py
import app.features.a.api  # problem: app.features.a.core (layer core) imports app.features.a.api (layer api)
import app.features.b.api
# file: app/features/b/api.py
import app.features.b.core
# file: app/features/b/core.py
import app.features.b.api  # problem: app.features.b.core (layer core) imports app.features.b.api (layer api)
""",
    "only the kinds asked for": """
order = ["high", "low"]
kinds = ["import-time"]
# file: app/__init__.py
# file: app/high.py
# file: app/low.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import app.high
def f():
    import app.high
class C:
    import app.high  # problem: which is above it
""",
    "all kinds count by default": """
order = ["high", "low"]
# file: app/__init__.py
# file: app/high.py
# file: app/low.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import app.high  # problem: which is above it
def f():
    import app.high  # problem: which is above it
try:
    import app.high  # problem: which is above it
except ImportError:
    pass
""",
    "an exempt module may": """
order = ["high", "low"]
exempt = ["app.low.door"]
# file: app/__init__.py
# file: app/high.py
# file: app/low/__init__.py
import app.high  # problem: which is above it
# file: app/low/door.py
import app.high
# file: app/low/door_not.py
import app.high  # problem: which is above it
""",
    "consumers and vendored code are not judged": """
order = ["high", "low"]
# file: app/__init__.py
# file: app/high.py
# file: app/low/__init__.py
# file: app/low/_vendor/thing.py
import app.high
# file: tests/test_low.py
import app.low, app.high
""",
    "direct reach sees no chain": """
order = ["high", "low"]
# file: app/__init__.py
# file: app/high.py
# file: app/free.py
import app.high
# file: app/low.py
import app.free
""",
    "a chain through modules of no layer": """
order = ["high", "low"]
reach = "transitive"
# file: app/__init__.py
# file: app/high.py
# file: app/free.py
import app.high
# file: app/low.py
import app.free  # problem: app.low (layer low) reaches app.high (layer high), which is above it, through app.free
""",
    "a chain stands once for each module that begins it": """
order = ["high", "low"]
reach = "transitive"
# file: app/__init__.py
# file: app/high/__init__.py
# file: app/high/x.py
# file: app/free/a.py
import app.free.b
# file: app/free/b.py
from app.high import x
# file: app/low/one.py
import app.low.two
import app.free.a  # problem: app.low.one (layer low) reaches app.high.x (layer high), which is above it, by a chain
# file: app/low/two.py
from app.free import a  # problem: app.low.two (layer low) reaches app.high.x (layer high)
# file: app/low/three.py
import app.low.two
""",
    "a chain through another layer is that layer's": """
order = ["high", "mid", "low"]
reach = "transitive"
# file: app/__init__.py
# file: app/high.py
# file: app/mid.py
import app.high  # problem: app.mid (layer mid) imports app.high
# file: app/low.py
import app.mid  # problem: app.low (layer low) imports app.mid
""",
    "a chain runs through imports of chain_kinds": """
order = ["high", "low"]
reach = "transitive"
# file: app/__init__.py
# file: app/high.py
# file: app/free.py
def f():
    import app.high
# file: app/low.py
import app.free
def f():
    import app.high  # problem: app.low (layer low) imports app.high
""",
    "chain_kinds widened": """
order = ["high", "low"]
reach = "transitive"
chain_kinds = ["import-time", "deferred"]
# file: app/__init__.py
# file: app/high.py
# file: app/free.py
def f():
    import app.high
# file: app/low.py
import app.free  # problem: app.low (layer low) reaches app.high
""",
    "a chain past a closed layer": """
order = ["high", "mid", "low"]
reach = "transitive"
closed = ["mid"]
# file: app/__init__.py
# file: app/high.py
import app.mid
import app.free  # problem: app.high (layer high) reaches app.low (layer low), which passes over the closed layer mid
# file: app/mid.py
import app.low
# file: app/free.py
import app.low
# file: app/low.py
""",
    "an exempt module ends chains of its own layer, not those of others": """
order = ["high", "mid", "low"]
reach = "transitive"
exempt = ["app.mid.door"]
# file: app/__init__.py
# file: app/high.py
# file: app/free.py
import app.high
# file: app/mid/door.py
import app.high
import app.free
# file: app/mid/other.py
import app.mid.door
import app.free  # problem: app.mid.other (layer mid) reaches app.high (layer high), which is above it, through app.free
# file: app/low.py
import app.way  # problem: (layer low) reaches app.high (layer high)  # problem: (layer low) reaches app.mid.door
# file: app/way.py
import app.mid.door
""",
    "an ignored import is not there, for chains neither": """
order = ["high", "low"]
reach = "transitive"
ignore = [{ import = "app.free -> app.high", reason = "known" }]
# file: app/__init__.py
# file: app/high.py
# file: app/free.py
import app.high
# file: app/low.py
import app.free
""",
    "a namespace folder is a layer like any other": """
order = ["high", "low"]
# file: app/high/a.py
# file: app/low/b.py
import app.high.a  # problem: which is above it
""",
    "without within, names are absolute": """
order = ["one", "two"]
within = ""
# file: one.py
# file: two/__init__.py
import one  # problem: two (layer two) imports one (layer one), which is above it
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    rule = RULE.replace('within = "app"\n', "") if 'within = ""' in tree else RULE
    check_tree("layers", rule + tree.lstrip("\n"))


TEXT_FAULTS = {
    "order = []": "`order` is empty",
    "order = []\nexhaustive = true": "`order` is empty",
    'order = ["a"]': "a single layer",
    'order = [["a"]]': "a single layer",
    'order = [{ any = ["a", "b"], independent = false }]': "a single layer",
    'order = ["a", []]': "`order[1]` is an empty list",
    'order = ["a", "b", "a"]': "`order[2]`: a is listed twice",
    'order = ["a", ["b", "a.c"]]': "a.c lies inside a",
    'order = ["a", ".b"]': "neither a name nor a pattern",
    'order = ["a", ""]': "empty name",
    'order = ["high", "low"]\nclosed = ["hihg"]': "which is not in `order`; did you mean high?",
    'order = ["a", "b"]\noutside = ["c"]': "needs `exhaustive = true`",
    'order = ["a", { name = "b", any = ["c"] }]': "either a `name` or siblings",
    'order = ["a", { name = "b", independent = false }]': "said of siblings",
}


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(tomli.loads(text), LayersOptions)
    assert fault in str(raised.value)
    assert "\n" not in str(raised.value)


CODE_FAULTS = {
    'order = ["hihg", "low"]': [("order[0]", "there is no module app.hihg; did you mean app.high?")],
    'order = ["high", "nowhere"]': [("order[1]", "there is no module app.nowhere")],
    'order = ["app.high", "low"]': [("order[0]", "names in `order` are relative to app, so write high")],
    'order = ["high", "part_*"]': [("order[1]", "no module fits the pattern app.part_*")],
    'order = ["high", ["low", "gone"]]': [("order[1][1]", "there is no module app.gone")],
    'order = ["high", { any = ["low", "gone"] }]': [("order[1].any[1]", "there is no module app.gone")],
    'order = ["high", "l*", "*w"]': [("order[2]", "two patterns claim app.low: l* and *w")],
    'order = ["high", "low", "l*"]': [("order[2]", "l* claims nothing")],
    'order = ["high", "low"]\nexempt = ["app.lo"]': [("exempt[0]", "there is no module app.lo; did you mean app.low?")],
    'order = ["high", "low"]\nexempt = ["app.mid"]': [("exempt[0]", "in no layer of this rule")],
    'order = ["high", "low"]\nexhaustive = true\noutside = ["gone"]': [("outside[0]", "there is no module app.gone")],
    'order = ["high", "low"]\ncontainers = ["part"]': [("containers[0]", "there is no package app.part")],
    'order = ["high", "low"]\ncontainers = ["p.*"]': [("containers[0]", "no package fits the pattern app.p.*")],
    'order = ["high", { name = "gone", optional = true }, "low"]': [],
    'order = ["high", { name = "gone_*", optional = true }, "low"]': [],
}


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    files = parse_tree(RULE.lstrip("\n") + text + "\n" + EMPTY).files
    config = read_config(files["layercheck.toml"], "layercheck.toml")
    rule = next(rule for rule in config.rules if rule.name == "order")
    found = all_checks()["layers"].coverage(build_project(files, config), rule.options).faults
    assert [fault.key for fault in found] == [key for key, _ in faults]
    for fault, (_, message) in zip(found, faults, strict=True):
        assert message in fault.message


def problems(tree: str) -> list[Problem]:
    files = parse_tree((RULE + tree).lstrip("\n")).files
    return [finding.problem for finding in judge_tree("layers", files).findings]


def test_a_finding_says_what_to_do_and_where_the_layers_are() -> None:
    (problem,) = problems(TREES["up is wrong, down is right"].lstrip("\n"))
    assert problem.help == "move what is needed into layer low or a lower one, or let a higher layer pass it in"
    assert problem.layers is not None
    assert (problem.layers.importer, problem.layers.imported) == ("low", "high")
    assert (problem.importer, problem.imported, problem.name) == ("app.low", "app.high", None)
    assert (problem.location.line, problem.location.column, problem.location.end_column) == (1, 17, 21)


def test_a_chain_has_every_step_with_its_place() -> None:
    one, _ = problems(TREES["a chain stands once for each module that begins it"].lstrip("\n"))
    assert [(step.importer, step.imported, step.path, step.line) for step in one.chain] == [
        ("app.low.one", "app.free.a", "app/low/one.py", 2),
        ("app.free.a", "app.free.b", "app/free/a.py", 1),
        ("app.free.b", "app.high.x", "app/free/b.py", 1),
    ]
    assert (one.importer, one.imported) == ("app.low.one", "app.high.x")


NAMES = ("high", "mid", "low", "free", "loose")
imports = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda edge: edge[0] != edge[1]))


REACHES: tuple[Literal["direct", "transitive"], ...] = ("direct", "transitive")


@settings(deadline=None)
@given(imports, st.sampled_from(REACHES), st.data())
def test_taking_an_import_away_never_breaks_a_kept_pair(
    edges: set[tuple[str, str]], reach: Literal["direct", "transitive"], data: st.DataObject
) -> None:
    def broken(left: set[tuple[str, str]]) -> set[tuple[str, str]]:
        code = {f"app/{name}.py": "".join(f"import app.{b}\n" for a, b in sorted(left) if a == name) for name in NAMES}
        project = build_project({"app/__init__.py": "", **code})
        options = LayersOptions(within="app", order=("high", "mid", "low"), reach=reach)
        return {(one.layers.importer, one.layers.imported) for one in check.find(project, options) if one.layers}

    check = all_checks()["layers"]
    whole = broken(edges)
    for gone in data.draw(st.permutations(sorted(edges)))[:2]:
        assert broken(edges - {gone}) <= whole


@pytest.mark.parametrize("reach", ["direct", "transitive"])
def test_a_rule_counts_the_links_that_break_it_and_no_others(reach: str) -> None:
    tree = parse_tree(
        "# file: app/__init__.py\n# file: app/high.py\n# file: app/free.py\nimport app.high\n"
        "# file: app/low.py\nimport app.free\ndef f():\n    import app.high\n"
    )
    project = build_project(tree.files)
    options = msgspec.convert({"within": "app", "order": ["high", "low"], "reach": reach}, LayersOptions)
    counts = all_checks()["layers"].counts
    assert counts is not None
    counted = {(link.importer, link.imported) for link in project.links if counts(project, options)(link)}
    chain = {("app.low", "app.free"), ("app.free", "app.high")} if reach == "transitive" else set()
    assert counted == {("app.low", "app.high")} | chain


@pytest.mark.parametrize(("kinds", "imports"), [(KINDS, 3), (("import-time",), 1), (("typing", "deferred"), 2)])
def test_what_a_rule_looks_at(kinds: tuple[Kind, ...], imports: int) -> None:
    project = build_project(
        parse_tree(
            "# file: app/__init__.py\nimport app.low\n# file: app/high.py\nimport os\n# file: app/low.py\n"
            "import app.high\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.high\n"
            "def f():\n    import app\n"
        ).files
    )
    coverage = all_checks()["layers"].coverage(project, LayersOptions(within="app", order=("high", "low"), kinds=kinds))
    assert (coverage.modules, coverage.imports, coverage.faults) == (2, imports, ())
