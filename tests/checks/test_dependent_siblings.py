"""dependent-siblings: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, counted, text_fault
from tests.tree import check_tree, judge_tree, parse_tree

KIND = "dependent-siblings"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "apart"
check = "{KIND}"
reason = "a test"
"""

TREES = {
    "a pattern makes each match a sibling, with all below it": """
modules = ["app.parts.*"]
# file: app/__init__.py
# file: app/parts/__init__.py
import app.parts.one
# file: app/parts/one.py
import app.parts
import app.parts.two.deep  # problem: app.parts.one imports app.parts.two.deep, its independent sibling
# file: app/parts/two/__init__.py
import app.parts.two.deep
# file: app/parts/two/deep.py
from app.parts import one  # problem: app.parts.two.deep imports app.parts.one, its independent sibling
import app.other
# file: app/other.py
""",
    "names relative to within": """
within = "app"
modules = ["a", "b"]
# file: a.py
import b
# file: b.py
# file: app/__init__.py
# file: app/a.py
import b
from . import b  # problem: app.a imports app.b
# file: app/b.py
# file: app/c.py
import app.b
""",
    "a chain through other modules counts unless told otherwise": """
modules = ["a", "b"]
# file: a.py
import c  # problem: a reaches b, its independent sibling, by a chain of 3 imports
# file: b.py
# file: c.py
import d
# file: d.py
import b
""",
    "direct reach sees no chain": """
modules = ["a", "b"]
reach = "direct"
# file: a.py
import c
# file: b.py
import a  # problem: b imports a
# file: c.py
import b
""",
    "a common core is no sibling, and chains through it do not count": """
modules = ["app.parts.*"]
through = ["app.parts.common", "app.registry"]
# file: app/__init__.py
# file: app/registry.py
import app.parts.two
# file: app/other.py
import app.parts.two
# file: app/parts/__init__.py
# file: app/parts/common.py
import app.parts.two
# file: app/parts/one.py
import app.parts.common
import app.registry
import app.other  # problem: app.parts.one reaches app.parts.two, its independent sibling, through app.other
# file: app/parts/two.py
import app.parts.common
""",
    "kinds": """
modules = ["a", "b"]
kinds = ["deferred"]
# file: a.py
import b
def f():
    import b  # problem: a imports b
# file: b.py
""",
    "a chain runs through imports of chain_kinds": """
modules = ["a", "b", "e"]
chain_kinds = ["deferred"]
# file: a.py
import c
def f():
    import d  # problem: a reaches b, its independent sibling, through d
# file: b.py
# file: c.py
import b
# file: d.py
def f():
    import b
# file: e.py
""",
    "an exempt module may, and chains of others through it are theirs": """
modules = ["a", "b", "c"]
exempt = ["a.old"]
# file: a/__init__.py
import a.old
# file: a/old.py
import b
import d
# file: b.py
# file: c.py
import d  # problem: c reaches b, its independent sibling, through d  # problem: c reaches a.new
# file: d.py
import a.new, b
# file: a/new.py
""",
    "vendored code and consumers are not judged": """
modules = ["app._vendor", "app.b"]
# file: app/__init__.py
# file: app/_vendor/x.py
import app.b
# file: app/b.py
# file: tests/test_x.py
import app.b, app._vendor
""",
    "an ignored import is not there": """
modules = ["a", "b"]
ignore = [{ import = "c -> b", reason = "known" }]
# file: a.py
import c
import b  # problem: a imports b
# file: b.py
# file: c.py
import b
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree(KIND, RULE + tree.lstrip("\n"))


TEXT_FAULTS = {
    "modules = []": "`modules` is empty",
    'modules = ["a"]': "`modules` names a single module",
    'modules = ["a", "b c"]': "`modules[1]`: 'b c' is neither a name nor a pattern",
    'modules = ["a", "b"]\nthrough = ["/"]': "`through[0]`: '/' is neither",
    'modules = ["a", "b"]\nexempt = [""]': "`exempt[0]`: '' is neither",
    'modules = ["a.b.c", "b", "a"]': "`modules[0]`: a.b.c lies inside a (`modules[2]`), so it would be two siblings",
    'modules = ["a", "b"]\nkinds = []': "`kinds` is empty",
    'modules = ["a", "b"]\nchain_kinds = []': "`chain_kinds` is empty",
}


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    assert fault in text_fault(KIND, text)


EMPTY = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "a", "b", "c/__init__", "c/d"))
CODE_FAULTS = {
    'modules = ["app.a", "app.bb"]': [("modules[1]", "there is no module app.bb; did you mean app.b?")],
    'modules = ["app.x.*"]': [("modules[0]", "no module fits the pattern app.x.*")],
    'modules = ["app.c.*"]': [("modules", "only app.c.d is left, which has no sibling")],
    'modules = ["app.a", "app.b"]\nthrough = ["app.a"]': [("modules", "only app.b is left")],
    'modules = ["app.c", "app.*.d"]': [("modules", "app.c.d lies inside app.c")],
    'modules = ["a", "b"]\nwithin = "ap"': [("within", "there is no package ap; did you mean app?")],
    'modules = ["a", "b"]\nwithin = "app"': [],
    'modules = ["app.a", "app.b"]\nthrough = ["app.core"]': [("through[0]", "there is no module app.core")],
    'modules = ["app.a", "app.b"]\nexempt = ["app.core"]': [("exempt[0]", "there is no module app.core")],
}


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    code_faults(RULE + text + "\n" + EMPTY, faults)


def test_a_chain_has_every_step_with_its_place() -> None:
    tree = RULE + TREES["a chain through other modules counts unless told otherwise"].lstrip("\n")
    (finding,) = judge_tree(KIND, parse_tree(tree).files).findings
    assert [(step.importer, step.imported, step.path, step.line) for step in finding.problem.chain] == [
        ("a", "c", "a.py", 1),
        ("c", "d", "c.py", 1),
        ("d", "b", "d.py", 1),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('modules = ["a", "b"]', {("a", "b"), ("a", "c"), ("c", "b")}),
        ('modules = ["a", "b"]\nreach = "direct"', {("a", "b")}),
        ('modules = ["c", "d"]', set()),
    ],
)
def test_a_rule_counts_the_links_that_break_it_and_no_others(text: str, expected: set[tuple[str, str]]) -> None:
    tree = "# file: a.py\nimport b, c, d\n# file: b.py\n# file: c.py\nimport b, os\n# file: d.py\n"
    assert counted(RULE + text + "\n" + tree + "# file: tests/test_a.py\nimport a, b\n") == expected
