"""What a module's top level binds; the standard library, imported, is the judge."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from layercheck.extract import extract
from layercheck.facts import Binding, ModuleFacts, Span
from tests.extracting import facts, written

FORMS = [
    # source, names bound with ? for conditional ones, kind
    ("def x(): y = 1", "x", "function"),
    ("async def x(): pass", "x", "function"),
    ("class x: y = 1", "x", "class"),
    ("x = 1", "x", "assignment"),
    ("x = y = 1", "x y", "assignment"),
    ("x, (y, *z) = a", "x y z", "assignment"),
    ("[x, y] = a", "x y", "assignment"),
    ("x.a = y[b] = 1", "", ""),
    ("x += 1", "x", "assignment"),
    ("x: int = 1", "x", "assignment"),
    ("x: int", "", ""),
    ("(x := 1)", "x", "assignment"),
    ("print(x := 1)", "x", "assignment"),
    ("[x := a for y in b]", "x?", "assignment"),
    ("[y for y in b]", "", ""),
    ("lambda: (x := 1)", "", ""),
    ("for x in a: y", "x?", "other"),
    ("for x, y in (1, 2): pass", "x y", "other"),
    ("for x in (*a, *b): pass", "x?", "other"),
    ("with a as x, b as (y, z): pass", "x y z", "other"),
    ("try: a\nexcept b as x: c", "x?", "other"),
    ("match a:\n  case [x, *y]: pass\n  case {1: z, **w}: pass", "x? y? z? w?", "other"),
    ("match a:\n  case C(x, y=z) | b as w: pass\n  case _: pass", "b? w? x? z?", "other"),
    ("import x", "x", "import"),
    ("import x.y", "x", "import"),
    ("import x.y as z", "z", "import"),
    ("from x import y, z as w", "y w", "import"),
    ("from x import *", "", ""),
    ("def f(): y = 1\nf.x = 1", "f", "function"),
    ("def _f():\n  global x, y\n  x = 1\n  import y", "_f x? y?", None),
    ("class _C:\n  global x\n  x = 1", "_C x", None),
    ("globals()['x'] = 1", "x?", "other"),
    ("vars()['x'] = locals()['y'] = 1", "x? y?", "other"),
    ("globals().setdefault('x', 1)", "x?", "other"),
    ("import sys\nsys.modules[__name__].x = 1", "sys x?", None),
    ("if a > 1: x = 1\nelse: y = 1", "x? y?", "assignment"),
    ("if A: x = 1", "x?", "assignment"),
    ("if True: x = 1", "x", "assignment"),
    ("while a: x = 1", "x?", "assignment"),
    ("with a: x = 1", "x", "assignment"),
    ("try: x = 1\nexcept a: y = 1\nelse: z = 1\nfinally: w = 1", "x? y? z? w", "assignment"),
    ("try: x = 1\nexcept a: raise b\nelse: y = 1", "x y", "assignment"),
    ("from contextlib import suppress\nwith suppress(ImportError): x = 1", "suppress x?", None),
    ("if __name__ == '__main__': x = 1", "x?", "assignment"),
    ("x = 1\ndel x", "", ""),
    ("x = y = 1\ndel (x, y)", "", ""),
    ("x = 1\ndel x\nx = 2", "x", "assignment"),
    ("for x in (1, 2): pass\ndel x", "", ""),
    ("x = 1\nif a > 1: del x", "x?", "assignment"),
    ("x = 1\ntry: del x\nexcept NameError: pass", "x?", "assignment"),
    ("x = 1\ndef _f():\n  global x\n  del x", "x _f", None),
    ("def _f():\n  x = 1\n  del x", "_f", None),
]


def _said(bindings: tuple[Binding, ...]) -> str:
    return " ".join(each.name + "?" * each.conditional for each in bindings)


@pytest.mark.parametrize(("source", "bound", "kind"), FORMS)
def test_forms_of_binding(source: str, bound: str, kind: str | None) -> None:
    found = facts(source).bindings
    assert sorted(_said(found).split()) == sorted(bound.split())
    if kind is not None:
        assert {each.kind for each in found} == ({kind} if kind else set())


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements (PEP 695) are newer than this Python")
def test_a_type_statement_binds() -> None:
    assert _said(facts("type x[T] = list[T]\nclass C[T]: y: T").bindings) == "x C"


def test_spans() -> None:
    source = "@a\n@b(\n  1)\nclass C:\n    x = 1\n\nx = (\n  1)\nfor y in z:\n    pass\n"
    source += "from a import (\n  b as c)\né, f = 1, 2\n"
    assert {each.name: each.span for each in facts(source).bindings} == {
        "C": Span(1, 2, 5, 10),
        "x": Span(7, 1, 8, 5),
        "y": Span(9, 5, 9, 6),
        "c": Span(12, 3, 12, 9),
        "é": Span(13, 1, 13, 12),
        "f": Span(13, 4, 13, 12),
    }


def test_guards() -> None:
    found = facts(
        """
        from typing import TYPE_CHECKING as TC
        if TC:
            from a import b
            class C: pass
        elif False:
            d = 1
        else:
            e = 1
        """
    )
    guards = {each.name: (written(found.guards[each.guard]) if each.guard >= 0 else "", each.conditional)
              for each in found.bindings}  # fmt: skip
    assert guards == {
        "TC": ("", False),
        "b": ("TC", False),
        "C": ("TC", False),
        "d": ("false", False),
        "e": ("not TC", False),
    }


TRUTHS = [
    ("x = True", True),
    ("x = 0", False),
    ("x = None", False),
    ("x = 'a'", True),
    ("x = not 1", False),
    ("x: bool = False", False),
    ("x = f()", None),
    ("x = y", None),
    ("x += 1", None),
    ("x, _ = False, 1", None),
    ("for x in (0,): pass", None),
    ("def x(): pass", None),
    ("import x", None),
]


@pytest.mark.parametrize(("source", "truth"), TRUTHS)
def test_truth(source: str, truth: bool | None) -> None:
    found = [each for each in facts(source).bindings if each.name == "x"]
    assert [each.truth for each in found] == [truth]


def test_bindings_are_in_the_order_of_the_text() -> None:
    found = facts("def f():\n  global b\n  b = 1\na = b = c = 1\nclass d: pass")
    assert _said(found.bindings) == "f b? a b c d"


# The judge

SKIPPED = {
    "antigravity",
    "this",
    "idlelib",
    "turtle",
    "turtledemo",
    "test",
    "lib2to3",
    "__phello__",
    "site",
    "sitecustomize",
}
LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = sorted(
    path.stem
    for path in LIBRARY.glob("*.py")
    if path.stem not in SKIPPED and not path.stem.startswith("_sysconfigdata")
)[::3]
PROGRAM = """
import importlib, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
    except ImportError:
        continue
    found[name] = sorted(vars(module))
print(json.dumps(found))
"""


def _imported() -> dict[str, list[str]]:
    """What importing each module binds, in one process of its own."""
    run = subprocess.run(
        [sys.executable, "-I", "-W", "ignore", "-c", PROGRAM, *MODULES], capture_output=True, text=True, check=True
    )
    found: dict[str, list[str]] = json.loads(run.stdout)
    return found


def _certain(found: ModuleFacts) -> set[str]:
    return {each.name for each in found.bindings if not each.conditional and each.guard < 0}


def test_the_standard_library_binds_what_we_say() -> None:
    imported = _imported()
    assert len(imported) > 40
    judged = 0
    for name, names in imported.items():
        found = extract((LIBRARY / f"{name}.py").read_bytes())
        bound = {each.name for each in found.bindings}
        visible = {each for each in names if not each.startswith("__")}
        assert _certain(found) <= set(names), f"{name}: said to bind {_certain(found) - set(names)}"
        if not found.open and not any("star" in each.flags for each in found.imports):
            judged += 1
            assert visible <= bound, f"{name}: binds {visible - bound} unseen"
    assert judged > 25
