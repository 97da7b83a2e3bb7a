"""growing-modules: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, text_fault
from tests.tree import check_tree

KIND = "growing-modules"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "definitions": """
within = "app"
modules = { old = ["A", "f"] }
# file: old.py
class B: ...
# file: app/__init__.py
# file: app/old.py
import os
from app.new import C
X = 1
class A: ...
def f(): ...
class B:  # problem: app.old gains the class B, and may only lose definitions
    def g(self): ...
if X:
    def h(): ...  # problem: app.old gains the function h
else:
    def h(): ...
# file: app/new.py
class C: ...
""",
    "nothing may be left": """
modules = { old = [] }
# file: old.py
def f(): ...  # problem: old gains the function f
""",
    "children of a package": """
within = "app"
children_of = { core = ["a", "b", "c"], "core.b" = ["d"] }
# file: app/__init__.py
x = 1
# file: app/core/__init__.py
# file: app/core/a.py
# file: app/core/b/d.py
# file: app/core/b/e.py
x = 1  # problem: app.core.b gains the module e, which is not on its list
# file: app/core/c/__init__.py
# file: app/core/c/f.py
# file: app/core/g/__init__.py
x = 1  # problem: app.core gains the module g
# file: app/core/g/x.py
# file: app/core/h/x.py
x = 1  # problem: app.core gains the module h
""",
    "an ignore in the code silences": """
modules = { old = [] }
# file: old.py
def f(): ...  # layercheck: ignore[tested] for a week
""",
}
TEXT_FAULTS = {
    "": "say what may not grow",
    "modules = {}": "say what may not grow",
    'modules = { "a*" = [] }': "`modules`: 'a*' is no name",
    'modules = { a = ["b.c"] }': "`modules`: 'b.c', listed for a, is no name without dots",
    'children_of = { a = ["b", "b"] }': "`children_of`: b is listed twice for a",
}
CODE = "# file: app/__init__.py\n# file: app/a.py\nclass A: ...\n# file: app/b/c.py\n# file: app/x.so\n"
CODE_FAULTS = {
    'modules = { a = ["A"] }\nwithin = "apps"': [("within", "there is no package apps; did you mean app?")],
    'modules = { "app.aa" = [] }': [("modules.'app.aa'", "did you mean app.a?; if it is gone, take it out")],
    'modules = { "app.a" = ["A", "B"] }': [("modules.'app.a'[1]", "app.a no longer defines B: take it out")],
    'modules = { a = ["A"] }\nwithin = "app"': [],
    'children_of = { "app.a" = [] }': [("children_of.'app.a'", "there is no package app.a")],
    'children_of = { app = ["a", "b", "c", "x"] }': [("children_of.app[2]", "there is no c in app any more: take")],
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree(KIND, RULE + tree.lstrip("\n"))


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    assert fault in text_fault(KIND, text)


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    code_faults(RULE + text + "\n" + CODE, faults)
