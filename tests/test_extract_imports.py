"""Imports: their place, kind and flags, each in a small source."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layercheck.facts import Span
from tests.extracting import facts, imported

SPELLINGS = [
    # source, module, level, name, bound, aliased
    ("import x", "x", 0, "", "x", False),
    ("import a.b", "a.b", 0, "", "a", False),
    ("import a.b as x", "a.b", 0, "", "x", True),
    ("from a import x", "a", 0, "x", "x", False),
    ("from a import x as x", "a", 0, "x", "x", True),
    ("from a import y as x", "a", 0, "y", "x", True),
    ("from . import x", "", 1, "x", "x", False),
    ("from ...a.b import x", "a.b", 3, "x", "x", False),
    ("from .... import x", "", 4, "x", "x", False),
    ("from a import *", "a", 0, "*", "", False),
    ("from .a import *", "a", 1, "*", "", False),
]


@pytest.mark.parametrize(("source", "module", "level", "name", "bound", "aliased"), SPELLINGS)
def test_an_import_as_it_is_written(source: str, module: str, level: int, name: str, bound: str, aliased: bool) -> None:
    (found,) = facts(source).imports
    assert (found.module, found.level, found.name, found.bound, found.aliased) == (module, level, name, bound, aliased)
    assert ("star" in found.flags) == (name == "*")


@given(st.integers(1, 40), st.sampled_from(["", "a", "a.b", "_x1.y"]))
def test_the_level_is_the_number_of_dots(level: int, module: str) -> None:
    (found,) = facts(f"from {'.' * level}{module} import x").imports
    assert (found.level, found.module) == (level, module)


# Each import is called after what is expected of it.
KINDS = """
import now_a
if x > 1:
    import now_b
try:
    import now_c
finally:
    import now_d
class C:
    import now_e
    class D:
        import now_f
    def method(self):
        import late_a
for i in x:
    import now_g
with x:
    import now_h
def f(x=__import__("now_i")):
    import late_b
    class C:
        import late_c
    if False:
        import typing_a
async def g():
    import late_d
if __name__ == "__main__":
    import late_e
    def h():
        import late_f
else:
    import now_j
if "__main__" == __name__:
    import late_g
if __name__ != "__main__":
    import now_k
else:
    import late_h
if x and __name__ == "__main__":
    import late_i
if not __name__ == "__main__":
    import now_l
if False:
    import typing_b
    def f():
        import typing_c
elif 0:
    import typing_d
else:
    import now_m
if not True:
    import typing_e
while 0:
    import typing_f
if False and x:
    import typing_g
if None or 0:
    import typing_h
if 1:
    import now_n
else:
    import typing_i
late = lambda: __import__("late_j")
now = [__import__("now_o") for _ in x]
match x:
    case 1:
        import now_p
"""
PREFIXES = {"now": "import-time", "late": "deferred", "typing": "typing"}


def test_kinds() -> None:
    found = {each.module: each.kind for each in facts(KINDS).imports}
    assert len(found) == KINDS.count("now_") + KINDS.count("late_") + KINDS.count("typing_")
    assert found == {module: PREFIXES[module.partition("_")[0]] for module in found}


def test_places_and_scopes() -> None:
    found = imported(
        """
        import a
        class C:
            import b
        def f():
            import c
            def g():
                import d
                global e
                import e
        """
    )
    assert {name: each.place for name, each in found.items()} == {
        "a": "module",
        "b": "class",
        "c": "function",
        "d": "function",
        "e": "function",
    }
    scopes = {name: each.scope for name, each in found.items()}
    assert scopes["a"] == scopes["e"] == 0
    assert len({scopes["a"], scopes["b"], scopes["c"], scopes["d"]}) == 4


def _flags(source: str) -> dict[str, str]:
    return {each.module: " ".join(each.flags) for each in facts(source).imports if each.module.startswith("probe")}


CATCHING = [
    "ImportError",
    "ModuleNotFoundError",
    "Exception",
    "BaseException",
    "builtins.ImportError",
    "(ImportError, OSError)",
    "(OSError, (ImportError, ValueError))",
    "ImportError as e",
    "FAILURES",
]
NOT_CATCHING = ["OSError", "(OSError, ValueError)", "mine.ImportError", "OTHERS"]
HEAD = "import builtins, mine\nFAILURES = (OSError, ImportError)\nOTHERS = (OSError, ValueError)\n"


@pytest.mark.parametrize("caught", CATCHING)
def test_an_import_whose_failure_is_caught_is_optional(caught: str) -> None:
    source = f"{HEAD}try:\n    import probe\nexcept {caught}:\n    import probe_handler\nelse:\n    import probe_else\n"
    source += "finally:\n    import probe_finally\n"
    assert _flags(source) == {
        "probe": "optional",
        "probe_handler": "conditional",
        "probe_else": "conditional",
        "probe_finally": "",
    }
    handlers = {each.module: each.handler for each in facts(source).imports}
    assert [name for name, is_handler in handlers.items() if is_handler] == ["probe", "probe_handler", "probe_else"]


@pytest.mark.parametrize("caught", NOT_CATCHING)
def test_an_import_whose_failure_is_not_caught_is_not(caught: str) -> None:
    source = f"{HEAD}try:\n    import probe\nexcept {caught}:\n    import probe_handler\n"
    assert _flags(source) == {"probe": "", "probe_handler": "conditional"}
    assert not any(each.handler for each in facts(source).imports)


def test_a_bare_except_catches_everything() -> None:
    assert _flags("try:\n    import probe\nexcept:\n    pass") == {"probe": "optional"}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is newer than this Python")
def test_an_exception_group_arm_catches_too() -> None:
    assert _flags("try:\n    import probe\nexcept* ImportError:\n    pass") == {"probe": "optional"}


def test_protection_does_not_reach_into_functions_but_does_into_classes_and_blocks() -> None:
    source = """
    try:
        def f():
            import probe_function
            try:
                import probe_inner
            except ImportError:
                pass
        class C:
            import probe_class
        if x > 1:
            import probe_if
        g = lambda: __import__("probe_lambda")
    except ImportError:
        pass
    """
    assert _flags(source) == {
        "probe_function": "",
        "probe_inner": "optional",
        "probe_class": "optional",
        "probe_if": "optional conditional",
        "probe_lambda": "dynamic",
    }


MANAGERS = [
    ("import contextlib", "contextlib.suppress(ImportError)", "optional"),
    ("import contextlib as c", "c.suppress(OSError, ModuleNotFoundError)", "optional"),
    ("from contextlib import suppress", "suppress(Exception)", "optional"),
    ("from contextlib import suppress as quietly", "quietly(ImportError)", "optional"),
    ("from contextlib import suppress", "suppress(OSError)", ""),
    ("import pytest", "pytest.raises(ImportError, match='x')", "optional raises"),
    ("from pytest import raises", "raises((ImportError, OSError))", "optional raises"),
    ("import pytest", "pytest.raises(expected_exception=ImportError)", "optional raises"),
    ("import pytest", "pytest.raises(ValueError)", ""),
    ("", "self.assertRaises(ImportError)", "optional raises"),
    ("", "self.assertRaisesRegex(ImportError, 'x')", "optional raises"),
    ("", "open('x')", ""),
]


@pytest.mark.parametrize(("head", "manager", "flags"), MANAGERS)
def test_context_managers_that_expect_a_failure(head: str, manager: str, flags: str) -> None:
    assert _flags(f"{head}\nwith {manager} as e:\n    import probe\nimport probe_after") == {
        "probe": flags,
        "probe_after": "",
    }


CONDITIONAL = """
import sys
if sys.platform == "win32":
    import no_a_yes
elif sys.version_info >= (3, 12):
    import no_b_yes
else:
    import no_c_yes
for x in range(3):
    import no_d_yes
else:
    import no_e_yes
for x in (1, 2):
    import plain_a
while f():
    import no_f_yes
while True:
    import plain_b
with f():
    import plain_c
match f():
    case 1:
        import no_g_yes
try:
    import plain_d
except OSError:
    import no_h_yes
def g():
    import plain_e
    if x:
        import no_i_yes
if sys.platform == "win32":
    def h():
        import no_j_yes
if HAS_X:
    import no_k_yes
if True:
    import plain_f
"""


def test_conditional() -> None:
    found = {each.module: "conditional" in each.flags for each in facts(CONDITIONAL).imports if each.module != "sys"}
    assert found == {module: module.endswith("_yes") for module in found}


DYNAMIC = [
    ("import importlib", 'importlib.import_module("a.b")', ".0 a.b"),
    ("import importlib as il", 'il.import_module("a")', ".0 a"),
    ("from importlib import import_module", 'import_module("a.b")', ".0 a.b"),
    ("from importlib import import_module as im", 'im("a.b")', ".0 a.b"),
    ("import importlib\nload = importlib.import_module", 'load("a.b")', ".0 a.b"),
    ("import importlib", 'importlib.import_module(name="a.b")', ".0 a.b"),
    ("import importlib", 'importlib.import_module("..b", __package__)', ".2 b"),
    ("import importlib", 'importlib.import_module(".b", package=__name__)', ".1 b"),
    ("import importlib", 'importlib.import_module(".", __package__)', ".1 "),
    ("import importlib", 'importlib.import_module(".b", "a")', ".0 a.b"),
    ("import importlib", 'importlib.import_module(".b")', ""),
    ("import importlib", "importlib.import_module(name)", ""),
    ("import importlib", 'importlib.import_module("not a name")', ""),
    ("import importlib", 'importlib.import_module("")', ""),
    ("", '__import__("a.b")', ".0 a.b"),
    ("", '__import__("a.b", globals(), locals(), ["c"], 0)', ".0 a.b"),
    ("", '__import__("b", globals(), locals(), ["c"], 1)', ".1 b"),
    ("", '__import__("b", level=2)', ".2 b"),
    ("", '__import__("b", level=n)', ""),
    ("", 'other.import_module("a.b")', ""),
    ("def import_module(x): ...", 'import_module("a.b")', ""),
    ("def __import__(x): ...", '__import__("a.b")', ""),
]


@pytest.mark.parametrize(("head", "call", "expected"), DYNAMIC)
def test_dynamic_imports(head: str, call: str, expected: str) -> None:
    found = [each for each in facts(f"{head}\nx = {call}").imports if "dynamic" in each.flags]
    assert [f".{each.level} {each.module}" for each in found] == ([expected] if expected else [])
    for each in found:
        line = head.count("\n") + 2
        assert each.span == Span(line, 5, line, 5 + len(call))
        assert each.statement == Span(line, 1, line, 5 + len(call))
        assert (each.name, each.bound) == ("", "")


def test_spans() -> None:
    source = "from .a import (\n    b as c,\n    d,\n)\nimport e.f, g as h\nfrom  ..x.y import *\né = 1; import z\n"
    found = facts(source).imports
    assert [(each.bound or each.name, each.span) for each in found] == [
        ("c", Span(2, 5, 2, 11)),
        ("d", Span(3, 5, 3, 6)),
        ("e", Span(5, 8, 5, 11)),
        ("h", Span(5, 13, 5, 19)),
        ("*", Span(6, 7, 6, 12)),
        ("z", Span(7, 15, 7, 16)),
    ]
    assert found[0].statement == found[1].statement == Span(1, 1, 4, 2)


USED = """
import yes_a, no_a
import yes_b.c
from x import no_b as no_b
import yes_c
def f():
    import yes_d, no_c, yes_e, yes_f
    def g():
        return yes_e
    yes_c, no_a_ = 1, yes_d
    del yes_f
def g(no_a):
    return no_a
def h():
    import yes_g
    return locals()
class C:
    import yes_h
def i():
    import yes_i
    return eval("yes_i")
from m import *
yes_a, yes_b
global_use = [yes_c for x in y]
def j():
    global yes_j
    import yes_j
def k():
    return yes_j
def l():
    import no_d
    class C:
        no_d = 1
        def m(self):
            no_d = 2
"""


def test_used() -> None:
    found = {each.bound: each.used for each in facts(USED).imports if each.bound}
    assert found == {name: name.startswith("yes_") for name in found}


LAZY = """
__lazy_modules__ = ["a", "b", "c.d"]
import a
import b
from c.d import e
import f
try:
    import g.h
except ImportError:
    pass
class C(b.X):
    pass
def f():
    import a as late
    return a, e
"""


def test_lazy_modules() -> None:
    """PEP 810: import-time all the same where the name is read while the module is imported."""
    found = {each.bound: (each.kind, "lazy" in each.flags) for each in facts(LAZY).imports}
    assert found == {
        "a": ("deferred", True),
        "b": ("import-time", True),
        "e": ("deferred", True),
        "f": ("import-time", False),
        "g": ("import-time", False),
        "late": ("deferred", False),
    }


def test_imports_are_in_the_order_of_the_text() -> None:
    found = facts("def f():\n    import a\nimport b\ndef g():\n    def h():\n        import c\n    import d\nimport e")
    assert [each.bound for each in found.imports] == ["a", "b", "c", "d", "e"]
    assert [found.imports[each.imported].bound for each in found.bindings if each.imported >= 0] == ["b", "e"]
