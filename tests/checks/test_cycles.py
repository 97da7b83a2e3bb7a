"""cycles: a table of small trees with the expected lines marked in place; grades, cuts and what is told of a ring."""

from __future__ import annotations

import msgspec
import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.checks import all_checks
from layercheck.checks.cycles import CyclesOptions
from layercheck.finding import Problem
from tests.checks.rules import code_faults, text_fault
from tests.tree import build_project, check_tree, judge_tree, parse_tree

OPTIONS = """# file: layercheck.toml
[checks.cycles]
severity = "error"
"""

TREES = {
    "two modules": """
# file: a.py
import b  # problem: error: import ring of 2 modules: a -> b -> a
# file: b.py
import a
""",
    "a lazy import that nobody asks for closes no ring": """
# file: a/__init__.py
# file: a/b.py
__lazy_modules__ = ["a.c"]
from a.c import x
# file: a/c.py
import a.b
x = 1
""",
    "a lazy import of which an attribute is read closes one": """
# file: a/__init__.py
# file: a/b.py
__lazy_modules__ = ["a.c"]
from a.c import x  # problem: import ring of 2 modules: a.b -> a.c -> a.b
# file: a/c.py
import a.b
x = 1
# file: a/d.py
import a.b
a.b.x
""",
    "a lazy import that is taken from its module closes one": """
# file: a/__init__.py
# file: a/b.py
__lazy_modules__ = ["a.c"]
from a.c import x  # problem: import ring of 2 modules: a.b -> a.c -> a.b
# file: a/c.py
import a.b
x = 1
# file: a/d.py
from a.b import x
""",
    "a lazy import that a function asks for closes none": """
# file: a/__init__.py
# file: a/b.py
__lazy_modules__ = ["a.c"]
from a.c import x
# file: a/c.py
import a.b
x = 1
# file: a/d.py
import a.b
def f():
    from a.b import x
    return a.b.x, x
""",
    "levels in some packages, so deep, and not in those that are skipped": """
# file: layercheck.toml
[checks.cycles]
level = "package"
packages = ["p", "q.*"]
depth = 1
skip = ["p.quiet"]
# file: p/__init__.py
# file: p/one.py
import p.two.ring  # problem: import ring of 2 siblings in p: p.one -> p.two -> p.one
# file: p/two/__init__.py
# file: p/two/ring.py
import p.one
import p.two.gnir
import p.two.deep.a
# file: p/two/gnir.py
import p.two.ring  # problem: import ring of 2 siblings in p.two: p.two.gnir -> p.two.ring -> p.two.gnir
# file: p/two/deep/__init__.py
# file: p/two/deep/a.py
import p.two.deep.b
# file: p/two/deep/b.py
import p.two.deep.a
# file: p/quiet/__init__.py
# file: p/quiet/a.py
import p.quiet.b
# file: p/quiet/b.py
import p.quiet.a
# file: q/__init__.py
# file: q/a.py
import q.b
# file: q/b.py
import q.a
# file: q/c/__init__.py
# file: q/c/a.py
import q.c.b  # problem: import ring of 2 siblings in q.c
# file: q/c/b.py
import q.c.a
""",
    "no ring": """
# file: a.py
import b
# file: b.py
import c
# file: c.py
""",
    "a module that imports itself": """
# file: a/__init__.py
import a  # problem: a module imports itself: a -> a
# file: b.py
import b  # problem: a module imports itself: b -> b; whole modules are imported
""",
    "a package that imports what is in it does not import itself": """
# file: a/__init__.py
from . import x
from . import w
from .w import w
import a.y
from a.z import f
# file: a/w.py
def w(): ...
# file: a/x.py
# file: a/y.py
# file: a/z.py
def f(): ...
""",
    "one finding for each component": """
# file: a.py
import b  # problem: import ring of 3 modules: a -> b -> a
# file: b.py
import a, c
# file: c.py
import b
# file: d.py
import e, a  # problem: import ring of 2 modules: d -> e -> d
# file: e.py
import d
""",
    "only what runs at import time": """
# file: a.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import b
def f():
    import b
if __name__ == "__main__":
    import b
# file: b.py
import a
""",
    "also under if, try, and in a class body": """
# file: a.py
try:
    import b  # problem: a -> b -> a
except ImportError:
    b = None
# file: b.py
class C:
    if True:
        import a
""",
    "vendored code alone is nobody's business": """
# file: app/__init__.py
# file: app/_vendor/__init__.py
# file: app/_vendor/a.py
import app._vendor.b
# file: app/_vendor/b.py
import app._vendor.a
""",
    "a consumer is in no ring": """
# file: app/__init__.py
# file: tests/helper.py
import tests.test_a
# file: tests/test_a.py
import tests.helper
""",
    "the smaller side is cut": """
# file: a.py
from b import x
from b import y
# file: b.py
from a import z  # problem: b -> a -> b
x = y = 1
""",
    "a package is left free to import what is in it": """
# file: a/__init__.py
from a.x import X
from a.y import Y
base = 1
# file: a/x.py
from a import base  # problem: import ring of 3 modules: a.x -> a -> a.x; fails when a is imported first
X = 1
# file: a/y.py
import a
Y = 1
""",
    "a star takes no one name": """
# file: a.py
from b import *  # problem: a -> b -> a; a takes names from b while that may be half made
# file: b.py
import a
""",
}

OPTION_TREES = {
    "kinds widened": """
kinds = ["import-time", "deferred"]
# file: a.py
def f():
    import b  # problem: a -> b -> a; not at import time
# file: b.py
import a
""",
    "within": """
within = "app.core"
# file: app/__init__.py
# file: app/a.py
import app.b
# file: app/b.py
import app.a, app.core.a
# file: app/core/__init__.py
# file: app/core/a.py
import app.core.b, app.a  # problem: import ring of 2 modules: app.core.a -> app.core.b -> app.core.a
# file: app/core/b.py
import app.core.a
""",
    "implicit runs of __init__": """
implicit = true
# file: app/__init__.py
# file: app/one/__init__.py
import app.two.x  # problem: import ring of 2 modules: app.one -> app.two.x -> app.one
# file: app/one/y.py
import app.one.z
# file: app/one/z.py
# file: app/two/__init__.py
# file: app/two/x.py
import app.one.y
""",
    "implicit runs do not count unless asked for": """
# file: app/one/__init__.py
import app.two.x
# file: app/one/y.py
# file: app/two/__init__.py
# file: app/two/x.py
import app.one.y
""",
    "siblings": """
level = "package"
# file: app/__init__.py
# file: app/one/a.py
import app.two.a  # problem: import ring of 2 siblings in app: app.one -> app.two -> app.one
# file: app/one/b.py
# file: app/one/c.py
import app.one.b
# file: app/two/a.py
# file: app/two/b.py
import app.one.b
""",
    "siblings at each level": """
level = "package"
# file: app/__init__.py
import app.a.x
# file: app/a/x/__init__.py
import app
import app.a.y.p  # problem: import ring of 2 siblings in app.a: app.a.x -> app.a.y -> app.a.x
# file: app/a/y/p.py
import app.a.x
import lib.z  # problem: import ring of 2 siblings: app -> lib -> app
# file: lib/z.py
import app
""",
    "siblings within": """
level = "package"
within = "lib"
# file: app/__init__.py
import lib.z
# file: lib/z.py
import app
# file: lib/y.py
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree("cycles", tree.lstrip("\n"))


@pytest.mark.parametrize("tree", OPTION_TREES.values(), ids=OPTION_TREES.keys())
def test_trees_with_options(tree: str) -> None:
    check_tree("cycles", OPTIONS + tree.lstrip("\n"))


GRADES = {
    "a name bound after the ring closes": (
        """
# file: a.py
from b import B
def f(): ...
# file: b.py
from a import f
B = 1
""",
        "fails when a is imported first: line 1 of b takes f from a, which has then run only as far as its line 1",
    ),
    "behind a condition": (
        """
# file: a.py
if input():
    from b import B
def f(): ...
# file: b.py
from a import f
B = 1
""",
        "may fail when a is imported first: line 1 of b takes f from a, which has then run only as far as its line 2",
    ),
    "a name bound before": (
        """
# file: a.py
def f(): ...
from b import B
# file: b.py
B = 1
from a import f
""",
        "b takes f from a while that may be half made",
    ),
    "a name bound after another import of the ring": (
        """
# file: a.py
import c
def f(): ...
import b
# file: b.py
from a import f
# file: c.py
import a
""",
        "b takes f from a while that may be half made",
    ),
    "an import by another way is the first that leads back": (
        """
# file: a.py
import c
def f(): ...
import b
# file: b.py
from a import f
# file: c.py
import b
""",
        "fails when a is imported first: line 1 of b takes f from a, which has then run only as far as its line 1",
    ),
    "a name that __getattr__ may give": (
        """
# file: a.py
import b
def __getattr__(name): ...
f = 1
# file: b.py
from a import f
""",
        "b takes f from a while that may be half made",
    ),
    "a name that a submodule has too": (
        """
# file: a/__init__.py
import b
from a.f import f
# file: a/f.py
f = 1
# file: b.py
from a import f
""",
        "b takes f from a while that may be half made",
    ),
    "a name that a star import may have bound": (
        """
# file: a.py
from c import *
import b
f = 1
# file: b.py
from a import f
# file: c.py
f = 1
""",
        "b takes f from a while that may be half made",
    ),
    "a failure that is caught": (
        """
# file: a.py
try:
    import b
except ImportError:
    b = None
f = 1
# file: b.py
from a import f
""",
        "works only as long as a is never the first of them to be imported: line 1 of b takes f from a, which binds it "
        "only after line 2, its own import that leads back",
    ),
    "the package has begun to run in another order": (
        """
# file: p/__init__.py
import p.b
# file: p/a.py
from p.b import B
f = 1
# file: p/b.py
B = 1
from p.a import f
""",
        "works only as long as p.a is never the first of them to be imported: line 2 of p.b takes f from p.a, which "
        "binds it only after line 1, its own import that leads back",
    ),
    "whole modules": (
        """
# file: a.py
import b
# file: b.py
import a
""",
        "whole modules are imported, which works until one is used too early",
    ),
    "from the module's own package": (
        """
# file: a/__init__.py
version = 1
from a.b import f
# file: a/b.py
from a import version
def f(): ...
""",
        "a module imports from its own package",
    ),
}


@pytest.mark.parametrize(("tree", "grade"), GRADES.values(), ids=GRADES.keys())
def test_grades(tree: str, grade: str) -> None:
    (problem,) = problems(tree)
    assert problem.message.partition("; ")[2] == grade


def problems(tree: str) -> list[Problem]:
    return [finding.problem for finding in judge_tree("cycles", parse_tree(tree.lstrip("\n")).files).findings]


def test_a_ring_is_told_with_every_step_and_what_to_cut() -> None:
    (problem,) = problems(
        """
# file: a.py
import b
# file: b.py
import c
# file: c.py
import a
"""
    )
    assert problem.message.startswith("import ring of 3 modules: a -> b -> c -> a")
    assert [(step.importer, step.imported, step.path, step.line) for step in problem.chain] == [
        ("a", "b", "a.py", 1),
        ("b", "c", "b.py", 1),
        ("c", "a", "c.py", 1),
    ]
    assert problem.key == ("a", "b", "c")
    assert (problem.importer, problem.imported, problem.location.path, problem.location.line) == ("a", "b", "a.py", 1)
    assert [(at.path, at.line, at.message) for at in problem.related] == [("a.py", 1, "to cut: b")]
    assert problem.help.startswith("taking out this import opens every ring (one of several smallest cuts)")


def test_a_cut_names_every_site_and_says_when_it_is_the_only_one() -> None:
    (problem,) = problems(
        """
# file: a.py
from b import (
    x,
    y,
)
# file: b.py
from c import p, q, r
x = y = 1
# file: c.py
from a import s, t, u
p = q = r = 1
"""
    )
    assert [(at.path, at.line, at.message) for at in problem.related] == [
        ("a.py", 2, "to cut: x from b"),
        ("a.py", 3, "to cut: y from b"),
    ]
    assert problem.help.startswith("taking out these 2 imports opens every ring: ")


def test_a_large_ring_says_that_its_cut_is_only_a_small_one() -> None:
    files = {f"m{index:02}.py": f"import m{(index + 1) % 13:02}\n" for index in range(13)}
    (finding,) = judge_tree("cycles", files).findings
    assert "(a small cut, perhaps not the smallest)" in finding.problem.help


def test_with_no_rules_file_a_ring_is_a_warning() -> None:
    undeclared = all_checks()["cycles"].undeclared
    assert undeclared is not None
    assert undeclared.severity == "warning"


def test_a_package_that_is_not_there() -> None:
    project = build_project({"app/__init__.py": "", "app/core/__init__.py": ""})
    coverage = all_checks()["cycles"].coverage(project, CyclesOptions(within="app.cor"))
    assert [(fault.key, fault.message) for fault in coverage.faults] == [
        ("within", "there is no package app.cor; did you mean app.core?")
    ]


def test_no_kinds_at_all() -> None:
    with pytest.raises(msgspec.ValidationError, match="`kinds` is empty"):
        msgspec.convert({"kinds": []}, CyclesOptions)


TEXT_FAULTS = {
    'packages = ["a"]': '`packages` says at which levels rings are looked for: it needs `level = "package"`',
    "depth = 1": "`depth` is counted from `packages`",
    'skip = ["a"]': "`skip` is counted from `packages`",
    'level = "package"\npackages = ["a"]\ndepth = -1': "`depth` must be 0 or more",
    'level = "package"\npackages = ["a-b"]': "`packages[0]`: 'a-b' is neither a name nor a pattern",
}


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text(text: str, fault: str) -> None:
    assert fault in text_fault("cycles", text)


def test_packages_that_are_not_there_are_faults() -> None:
    rule = (
        '# file: layercheck.toml\n[[rule]]\nname = "levels"\ncheck = "cycles"\nreason = "a test"\nlevel = "package"\n'
    )
    code = "# file: app/__init__.py\n# file: app/a/__init__.py\n# file: app/a/b.py\n"
    code_faults(
        f'{rule}packages = ["ap"]\nskip = ["app.a", "app.b"]\n{code}',
        [("packages[0]", "there is no module ap; did you mean app?"), ("skip[1]", "there is no module app.b")],
    )


NAMES = ("a", "a.b", "a.c", "a.c.d", "e", "e.f")
FILES = {"a": "a/__init__.py", "a.b": "a/b.py", "a.c": "a/c/__init__.py", "a.c.d": "a/c/d.py", "e": "e/__init__.py"}
imports = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=14)


@settings(deadline=None)
@given(imports)
def test_every_ring_is_found_each_exists_and_its_cut_opens_it(edges: set[tuple[str, str]]) -> None:
    files = {
        FILES.get(name, "e/f.py"): "".join(
            f"import {imported}\n" for importer, imported in sorted(edges) if importer == name
        )
        for name in NAMES
    }
    project = build_project(files)
    check = all_checks()["cycles"]
    found = list(check.find(project, CyclesOptions()))
    whole = networkx.DiGraph(list(edges))
    components = [set(one) for one in networkx.strongly_connected_components(whole)]
    rings = [one for one in components if len(one) > 1 or any((name, name) in edges for name in one)]
    assert sorted(map(sorted, rings)) == sorted(list(problem.key) for problem in found)
    for problem in found:
        steps = [(step.importer, step.imported) for step in problem.chain]
        assert set(steps) <= edges
        assert [imported for _, imported in steps] == [*(importer for importer, _ in steps[1:]), steps[0][0]]
        assert steps[0] == (problem.importer, problem.imported)
        cut = {(FILES_BACK[at.path], at.message.rpartition(" ")[2]) for at in problem.related}
        left = whole.subgraph(problem.key).copy()
        left.remove_edges_from(cut)
        assert networkx.is_directed_acyclic_graph(left)
    assert check.counts is not None
    counts = check.counts(project, CyclesOptions())
    on_rings = {(one, other) for one, other in edges if any({one, other} <= ring for ring in rings)}
    assert {(link.importer, link.imported) for link in project.links if counts(link)} == on_rings


FILES_BACK = {path: name for name, path in FILES.items()} | {"e/f.py": "e.f"}
