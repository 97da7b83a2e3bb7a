"""Guards: what must hold for an import to run, as far as it can matter to its kind."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layercheck.extract.guards import FALSE, TRUE, UNKNOWN, both, either, evaluate, negate
from layercheck.facts import Guard, ModuleFacts
from tests.extracting import facts, written


def _guard_of(found: ModuleFacts, module: str) -> tuple[str, str, bool]:
    (taken,) = [each for each in found.imports if each.module == module]
    guard = written(found.guards[taken.guard]) if taken.guard >= 0 else ""
    return guard, taken.kind, "conditional" in taken.flags


TESTS = [
    # test, guard of the body, guard of the else
    ("TC", "TC", "not TC"),
    ("not TC", "not TC", "TC"),
    ("not not TC", "TC", "not TC"),
    ("t.TYPE_CHECKING", "t.TYPE_CHECKING", "not t.TYPE_CHECKING"),
    ("a.b.c", "a.b.c", "not a.b.c"),
    ("TC and A", "(TC and A)", "not (TC and A)"),
    ("TC or A", "(TC or A)", "not (TC or A)"),
    ("TC and True", "TC", "not TC"),
    ("TC or 0", "TC", "not TC"),
    ("TC and not A", "(TC and not A)", "not (TC and not A)"),
    ("(TC and A) and B", "(TC and A and B)", "not (TC and A and B)"),
    ("TC and TC", "TC", "not TC"),
    ("x > 1", "", ""),
    ("f()", "", ""),
    ("x[0]", "", ""),
    ("f().TYPE_CHECKING", "", ""),
    ("TC and x > 1", "TC", "not (TC and unknown)"),
    ("TC or x > 1", "(TC or unknown)", "not (TC or unknown)"),
    ("True", "", "false"),
    ("0", "false", ""),
    ("''", "false", ""),
    ("TC and False", "false", ""),
    ("TC or 1", "", "false"),
]


@pytest.mark.parametrize(("test", "body", "orelse"), TESTS)
def test_the_guard_of_a_test(test: str, body: str, orelse: str) -> None:
    found = facts(f"TC = A = B = x = 1\nif {test}:\n    import body\nelse:\n    import orelse\n")
    assert _guard_of(found, "body")[0] == body
    assert _guard_of(found, "orelse")[0] == orelse
    assert (_guard_of(found, "body")[1] == "typing") == (body == "false")
    assert (_guard_of(found, "orelse")[1] == "typing") == (orelse == "false")


def test_elif_and_nesting_are_conjunctions() -> None:
    found = facts(
        """
        if A:
            import a
            if B:
                import b
            else:
                import c
        elif C:
            import d
        elif x > 1:
            import e
        else:
            import f
        import g
        """
    )
    assert {each.module: _guard_of(found, each.module)[0] for each in found.imports} == {
        "a": "A",
        "b": "(A and B)",
        "c": "(A and not B)",
        "d": "(not A and C)",
        "e": "(not A and not C)",
        "f": "(not A and not C)",
        "g": "",
    }
    assert found.guards[0] == Guard("name", "A")
    assert len(set(found.guards)) == len(found.guards)


def test_a_function_stands_under_the_guards_around_its_definition() -> None:
    found = facts("if TC:\n    def f():\n        if A:\n            import a\n    class C:\n        import b\n")
    assert _guard_of(found, "a")[0] == "(TC and A)"
    assert _guard_of(found, "b")[0] == "TC"


LOCAL = """
from typing import TYPE_CHECKING
import typing as t
def f(flag, TYPE_CHECKING=False):
    if flag: import unknown_a
    if TYPE_CHECKING: import unknown_b
    other = flag
    if other: import unknown_c
    if t.TYPE_CHECKING: import named_a
    def g():
        if flag: import unknown_d
        if TYPE_CHECKING: import unknown_e
def g():
    if TYPE_CHECKING: import named_b
    from typing_extensions import TYPE_CHECKING as TC
    import typing
    if TC: import typing_a
    if typing.TYPE_CHECKING: import typing_b
    if not TC: import certain_a
    def h():
        if TC: import typing_c
class C:
    flag = 1
    if flag: import unknown_f
    def method(self):
        if flag: import named_c
        if self.flag: import unknown_g
"""


def test_names_that_are_not_the_modules() -> None:
    """A name bound by a function or a class says nothing; ``TYPE_CHECKING`` imported there is false."""
    found = facts(LOCAL)
    seen = {each.module: _guard_of(found, each.module) for each in found.imports if "_" in each.module}
    del seen["typing_extensions"]
    assert {name: value for name, value in seen.items() if name.startswith("unknown_")} == {
        f"unknown_{letter}": ("", "import-time" if letter == "f" else "deferred", True) for letter in "abcdefg"
    }
    assert {name: value[1] for name, value in seen.items() if name.startswith("typing_")} == {
        f"typing_{letter}": "typing" for letter in "abc"
    }
    assert seen["certain_a"] == ("", "deferred", False)
    assert {name: value[0] for name, value in seen.items() if name.startswith("named_")} == {
        "named_a": "t.TYPE_CHECKING",
        "named_b": "TYPE_CHECKING",
        "named_c": "flag",
    }


CERTAIN = [
    ("from typing import TYPE_CHECKING", "TYPE_CHECKING"),
    ("from typing import TYPE_CHECKING as TC", "TC"),
    ("from typing_extensions import TYPE_CHECKING", "TYPE_CHECKING"),
    ("import typing", "typing.TYPE_CHECKING"),
    ("import typing as t", "t.TYPE_CHECKING"),
    ("MYPY = False", "MYPY"),
    ("TYPE_CHECKING: bool = False", "TYPE_CHECKING"),
    ("NEVER = not True", "NEVER"),
]


@pytest.mark.parametrize(("head", "test"), CERTAIN)
def test_what_the_file_itself_decides_is_not_conditional(head: str, test: str) -> None:
    source = f"{head}\nif {test}:\n    import a\n    x = use_a\nelse:\n    import b\n    y = use_b\n"
    found = facts(source)
    assert _guard_of(found, "a") == (test, "import-time", False)
    assert _guard_of(found, "b") == (f"not {test}", "import-time", False)
    assert "use_a" not in found.eager_uses, "typing-guarded code is not read while the module is imported"
    assert {"use_a", "use_b"} <= set(found.uses)
    assert "use_b" in found.eager_uses


@pytest.mark.parametrize("head", ["", "from other import FLAG", "FLAG = f()", "FLAG = False\nFLAG = g()"])
def test_what_the_file_does_not_decide_is_conditional(head: str) -> None:
    found = facts(f"{head}\nif FLAG:\n    import a\nelse:\n    import b\n")
    assert _guard_of(found, "a") == ("FLAG", "import-time", True)
    assert _guard_of(found, "b") == ("not FLAG", "import-time", True)


NAMES = ("a", "b", "c")
guards = st.recursive(
    st.sampled_from([TRUE, FALSE, UNKNOWN, *(Guard("name", name) for name in NAMES)]),
    lambda inner: st.one_of(
        inner.map(lambda guard: ("not", (guard,))),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=8,
)


def _plain(tree: object, values: dict[str, bool | None]) -> bool | None:
    """The value of a tree by Kleene's tables, written apart from the code under test."""
    if isinstance(tree, Guard):
        return {"true": True, "false": False}.get(tree.test, values.get(tree.name))
    assert isinstance(tree, tuple)
    test, parts = tree
    inner = [_plain(part, values) for part in parts]
    if test == "not":
        return None if inner[0] is None else not inner[0]
    order = {False: 0, None: 1, True: 2}
    return (min if test == "and" else max)(inner, key=lambda value: order[value])


def _simplified(tree: object) -> Guard:
    if isinstance(tree, Guard):
        return tree
    assert isinstance(tree, tuple)
    test, parts = tree
    inner = [_simplified(part) for part in parts]
    return negate(inner[0]) if test == "not" else (both if test == "and" else either)(inner)


@given(guards)
def test_simplifying_keeps_the_value_wherever_it_is_decided(tree: object) -> None:
    guard = _simplified(tree)
    for values in itertools.product((True, False, None), repeat=3):
        known = dict(zip(NAMES, values, strict=True))
        assert evaluate(guard, known.__getitem__) == _plain(tree, known)
