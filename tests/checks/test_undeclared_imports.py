"""undeclared-imports: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, counted, text_fault
from tests.tree import check_tree

KIND = "undeclared-imports"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""

TREES = {
    "what may be imported is declared": """
modules = [{ name = "app.web", may = ["app.store"] }, { name = "app.store", may = [] }, { name = "app.free" }]
# file: app/__init__.py
# file: app/web/__init__.py
import app.store.sql, app.web.page, app.other
import app.free  # problem: app.web imports app.free, which app.web does not declare
# file: app/web/page.py
def later():
    from app.free import one  # problem: app.web.page imports app.free
# file: app/store/__init__.py
# file: app/store/sql.py
import app.web.page  # problem: app.store.sql imports app.web.page of app.web, which app.store does not declare
import app.other
# file: app/free.py
import app.web, app.store
# file: app/other.py
import app.web, app.store.sql
# file: tests/test_web.py
import app.web
""",
    "a module ends where the next one begins": """
modules = [{ name = "app", may = [] }, { name = "app.a", may = ["app"] }, { name = "app.a.inner", may = [] }]
# file: app/__init__.py
import app.b
import app.a  # problem: app imports app.a, which app does not declare
# file: app/a/__init__.py
import app, app.b
import app.a.inner  # problem: app.a imports app.a.inner, which app.a does not declare
# file: app/a/inner.py
from app.a import x  # problem: app.a.inner imports app.a, which app.a.inner does not declare
# file: app/b.py
""",
    "may_not goes before may, shared before a missing may": """
modules = [
    { name = "app.a", may = ["app.*"], may_not = ["app.c"] },
    { name = "app.b", may = [] },
    { name = "app.c", may = [], shared = true },
    { name = "app.d", unchecked = true },
]
# file: app/__init__.py
# file: app/a.py
import app.b
import app.c  # problem: app.a imports app.c, which app.a may not import
# file: app/b.py
import app.c
# file: app/c.py
import app.b  # problem: app.c imports app.b
# file: app/d.py
import app.a
""",
    "layers": """
layers = ["top", { name = "middle", closed = true }, "bottom"]
modules = [
    { name = "app.a", layer = "top", may = [] },
    { name = "app.b", layer = "middle", may = [] },
    { name = "app.c", layer = "bottom", may = ["app.a"] },
    { name = "app.d", layer = "bottom", may = [] },
    { name = "app.e", may = [] },
]
# file: app/__init__.py
# file: app/a.py
import app.b
import app.c  # problem: app.a imports app.c, which passes over the closed layer middle
# file: app/b.py
import app.c
# file: app/c.py
import app.a  # problem: app.c imports app.a, and layer top is above layer bottom
import app.d  # problem: app.c imports app.d, which app.c does not declare
# file: app/d.py
# file: app/e.py
import app.a  # problem: app.e imports app.a, which app.e does not declare
""",
    "lower layers too must be declared": """
layers = ["top", "bottom"]
say_layers = true
modules = [
    { name = "app.a", layer = "top", may = ["app.b"] },
    { name = "app.b", layer = "bottom" },
    { name = "app.c", layer = "bottom" },
    { name = "app.d", layer = "bottom", shared = true },
]
# file: app/__init__.py
# file: app/a.py
import app.b, app.d
import app.c  # problem: app.a imports app.c, which app.a does not declare
# file: app/b.py
# file: app/c.py
# file: app/d.py
""",
    "the rest declares something too": """
rest = { may = ["app.a"] }
modules = [{ name = "app.a", may = [] }, { name = "app.b", may = ["<rest>"] }]
# file: app/__init__.py
import app.c, app.a
import app.b  # problem: app imports app.b, which <rest> does not declare
# file: app/a.py
import app.c  # problem: app.a imports app.c, which app.a does not declare
# file: app/b.py
import app.c
# file: app/c.py
""",
    "interfaces": """
modules = [{ name = "app.a" }, { name = "app.b" }, { name = "app.c" }, { name = "app.d" }]
interfaces = [
    { of = ["app\\\\.a"], offers = ["Open", "sub\\\\..*"] },
    { of = ["app.b"], offers = ["all", "more"] },
    { of = ["app.b"], offers = ["all"], to = ["app.c"], only = true },
]
# file: app/__init__.py
# file: app/a/__init__.py
Open = Shut = 1
from app.a import Shut
# file: app/a/sub.py
# file: app/b.py
all = more = 1
# file: app/c.py
import app.a
from app.a import Open
from app.a import Shut  # problem: app.c imports app.a, which does not offer Shut
from app.a.sub import x
from app.a import sub  # problem: app.c imports app.a.sub of app.a, which does not offer sub
from app.b import all
from app.b import more  # problem: app.c imports app.b, which does not offer more to app.c
# file: app/d.py
from app.b import more
# file: app/e.py
from app.a import Shut
""",
    "patterns, names relative to within, kinds and exempt": """
within = "app"
kinds = ["import-time"]
exempt = ["app.f.late"]
modules = [{ name = "f.*", may = [] }, { name = "f.late", may = ["app.f.on"] }, { name = "f.on", may = [] }]
# file: app/__init__.py
# file: app/f/__init__.py
# file: app/f/on.py
import app.f.off  # problem: app.f.on imports app.f.off
def later():
    import app.f.late
# file: app/f/off.py
# file: app/f/late.py
import app.f.off
""",
    "an ignored import": """
modules = [{ name = "app.a", may = [] }, { name = "app.b", may = [] }]
ignore = [{ import = "app.a -> app.b", reason = "x" }]
# file: app/__init__.py
# file: app/a.py
import app.b
# file: app/b.py
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree(KIND, RULE + tree.lstrip("\n"))


TEXT_FAULTS = {
    "modules = []": "`modules` is empty",
    'modules = [{ name = "a b" }]': "`modules[0].name`: 'a b' is neither a name nor a pattern",
    'modules = [{ name = "a" }, { name = "a" }]': "`modules[1].name`: a is already `modules[0]`",
    'modules = [{ name = "a", may = ["-"] }]': "`modules[0].may[0]`: '-' is neither a name nor a pattern",
    'modules = [{ name = "a", may_not = ["<root>"] }]': "`modules[0].may_not[0]`: '<root>' is neither",
    'rest = { may = ["1"] }\nmodules = [{ name = "a" }]': "`rest.may[0]`: '1' is neither",
    'layers = ["top"]\nmodules = [{ name = "a", layer = "topp" }]': "`modules[0].layer`: topp is not in `layers`; did",
    'modules = [{ name = "a" }]\ninterfaces = [{ offers = ["("] }]': "`interfaces[0].offers[0]`: '(' is no regular",
    'modules = [{ name = "a" }]\ninterfaces = [{ of = ["("], offers = [] }]': "`interfaces[0].of[0]`: '(' is no",
    'modules = [{ name = "a" }]\nkinds = []': "`kinds` is empty",
}


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text(text: str, fault: str) -> None:
    assert fault in text_fault(KIND, text)


CODE = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "a", "b"))
CODE_FAULTS = {
    'modules = [{ name = "app.aa" }]': [("modules[0].name", "there is no module app.aa; did you mean app.a?")],
    'modules = [{ name = "app.x.*" }]': [("modules[0].name", "no module fits the pattern app.x.*")],
    'modules = [{ name = "app.*" }, { name = "*.a" }]': [("modules[1].name", "two patterns claim app.a")],
    'modules = [{ name = "app.a", may = ["app.bb"] }]': [("modules[0].may[0]", "did you mean app.b?")],
    'modules = [{ name = "app.a", may_not = ["lib"] }]': [("modules[0].may_not[0]", "there is no module lib")],
    'modules = [{ name = "app.a", may = ["app.b", "<rest>"] }]': [],
    'within = "ap"\nmodules = [{ name = "a" }]': [("within", "there is no package ap; did you mean app?")],
    'exempt = ["app.c"]\nmodules = [{ name = "app.a" }]': [("exempt[0]", "there is no module app.c")],
}


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    code_faults(f"{RULE}{text}\n{CODE}", faults)


def test_it_counts_what_it_would_report() -> None:
    tree = f"""{RULE}modules = [{{ name = "app.a", may = ["app.b"] }}, {{ name = "app.b", may = [] }}]
# file: app/__init__.py
# file: app/a.py
import app.b, json
# file: app/b.py
import app.a
"""
    assert counted(tree) == {("app.b", "app.a")}
