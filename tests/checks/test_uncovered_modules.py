"""uncovered-modules: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import text_fault
from tests.tree import check_tree, judge_tree, parse_tree

KIND = "uncovered-modules"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""

LAYERS = """
[[rule]]
name = "order"
check = "layers"
reason = "a test"
"""
TREES = {
    "the layers of all rules, with all below them": f"""
within = "app"
{LAYERS}
within = "app"
order = ["a", ["b", "c.*"], {{ any = ["d"], optional = true }}, {{ name = "e", optional = true }}]
{LAYERS.replace("order", "second")}
order = ["lib", "app.f"]
# file: lib.py
# file: other.py
# file: app/__init__.py
x = 1
# file: app/a.py
# file: app/b/deep.py
# file: app/c/__init__.py
x = 1  # problem: app.c is in no layer of any rule
# file: app/c/one.py
# file: app/d.py
# file: app/e.py
# file: app/f.py
# file: app/g.py
x = 1  # problem: app.g is in no layer of any rule
# file: app/h/i/one.py
x = 1  # problem: app.h is in no layer of any rule
# file: app/h/i/two.py
# file: app/h/j.py
# file: app/_vendor/x.py
# file: tests/test_a.py
""",
    "the order in each container": f"""
{LAYERS}
within = "app"
containers = ["x", "y*"]
order = ["a", {{ name = "b", optional = true }}]
# file: app/x/a.py
# file: app/x/b.py
# file: app/y1/a.py
# file: app/y1/c.py
x = 1  # problem: app.y1.c is in no layer
# file: app/z/a.py
x = 1  # problem: app.z is in no layer
""",
    "a rule that is off has no say": f"""
within = "app"
{LAYERS}
order = ["app.a", "app.b"]
{LAYERS.replace("order", "second")}
severity = "off"
order = ["app.b", "app.c"]
# file: app/a.py
# file: app/b.py
# file: app/c.py
x = 1  # problem: app.c is in no layer
""",
    "layers of its own, and modules that need none": """
within = "app"
layers = ["app.a", "**.models"]
outside = ["b.*"]
# file: app/a/one.py
# file: app/b/__init__.py
x = 1  # problem: app.b is in no layer
# file: app/b/c.py
# file: app/d/models/x.py
# file: app/d/views.py
x = 1  # problem: app.d.views is in no layer
""",
}
TEXT_FAULTS = {
    'outside = ["a b"]': "`outside[0]`: 'a b' is neither a name nor a pattern",
    'layers = ["a", "b."]': "`layers[1]`: 'b.' is neither",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree(KIND, RULE + tree.lstrip("\n"))


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    assert fault in text_fault(KIND, text)


CODE_FAULTS = {
    "": "no rule has layers",
    "layers = []": "no rule has layers",
    'layers = ["app"]\nwithin = "apps"': "within: there is no package apps; did you mean app?",
    'layers = ["app"]\noutside = ["app.aa"]': "outside[0]: there is no module app.aa; did you mean app.a?",
}


@pytest.mark.parametrize(("text", "fault"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, fault: str) -> None:
    files = parse_tree(f"{RULE}{text}\n# file: app/__init__.py\n# file: app/a.py\n").files
    (finding,) = judge_tree(KIND, files).findings
    assert finding.check == "rules-file"
    assert fault in finding.problem.message
