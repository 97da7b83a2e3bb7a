"""oversized-modules: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, text_fault
from tests.tree import check_tree

KIND = "oversized-modules"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "lines": """
max_lines = 3
# file: app/__init__.py
# file: app/a.py
x = 1

y = 1
# file: app/b.py
x = 1


y = 1  # problem: app.b has 4 lines, and may have 3
""",
    "definitions, each name once": """
max_definitions = 2
# file: a.py
import b
class A: ...
def f():
    def g(): ...
x = 1
if x:
    def f(): ...
# file: b.py
class A:
    def f(self): ...
def f(): ...
def g(): ...  # problem: b has 4 classes and functions, and may have 2
def h(): ...
""",
    "a number for each name or pattern; a name written out beats a pattern": """
within = "app"
max_lines = { "**" = 2, big = 4, "*.deep" = 1 }
max_definitions = { big = 1 }
# file: other.py
x = 1


y = 1
# file: app/__init__.py
# file: app/big.py
def f(): ...


def g(): ...  # problem: app.big has 2 classes and functions, and may have 1
# file: app/small.py
x = 1

y = 1  # problem: app.small has 3 lines, and may have 2
""".replace(', "*.deep" = 1', ""),
    "vendored and generated code is not judged, an ignore in the code silences": """
max_lines = 1
# file: app/_vendor/x.py
x = 1
y = 1
# file: app/x_pb2.py
x = 1
y = 1
# file: app/a.py
x = 1
y = 1  # layercheck: ignore[tested] it is being split
""",
}
TEXT_FAULTS = {
    "": "say how large a module may be",
    "max_lines = 0": "`max_lines`: 0 is no limit: it must be 1 or more",
    "within = 'a'": "say how large a module may be",
    "max_lines = {}": "say how large a module may be",
    "max_lines = -1": "`max_lines`: -1 is no limit",
    "max_definitions = { a = 0 }": "`max_definitions`: 0 is no limit",
    'max_lines = { "a b" = 1 }': "`max_lines`: 'a b' is neither a name nor a pattern",
}
CODE = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "a", "b"))
CODE_FAULTS = {
    'max_lines = 1\nwithin = "apps"': [("within", "there is no package apps; did you mean app?")],
    "max_lines = { 'app.aa' = 1 }": [("max_lines.'app.aa'", "there is no module app.aa; did you mean app.a?")],
    "max_definitions = { 'app.a.*' = 1 }": [("max_definitions.'app.a.*'", "no module fits the pattern app.a.*")],
    "max_lines = { 'app.*' = 1, '*.a' = 2, 'app.b' = 3 }": [("max_lines.'*.a'", "two patterns claim app.a: app.* and")],
    "max_lines = { 'app.*' = 1, 'app.a' = 2 }\nmax_definitions = 3": [],
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
