"""Meanings: one move in each case, of a definition whose text stays the same, and what became of what it reads."""

from __future__ import annotations

import pytest

from layercheck.moves.verify import Wishes
from tests.moving import Files, explanation, told, verified

READS = "def A():\n    return x\n"
BOTH = "x = 1\n"
"""A constant that both homes have."""


def homes(old: str, new: str, statement: str, *, needs: str = "", others: Files | None = None) -> tuple[Files, Files]:
    """A statement that goes from the end of one module to the end of another, which gets the import that it needs."""
    rest = {"p/__init__.py": "", **(others or {})}
    before = {**rest, "p/a.py": f"{old}\n\n{statement}", "p/b.py": new}
    return before, {**rest, "p/a.py": old, "p/b.py": f"{needs}{new}\n\n{statement}"}


AGAIN = "x is bound again ({}), so a copy of it may be something else"
LATER = "x is bound again later ({}), and one of the two homes only imports it"


@pytest.mark.parametrize(
    ("old", "new", "others", "reason"),
    [
        (BOTH, BOTH + "x += 1\n", {}, AGAIN.format("p/b.py:2")),
        (BOTH + "x += 1\n", BOTH, {}, AGAIN.format("p/a.py:2")),
        (BOTH, BOTH + "for x in (7,):\n    pass\n", {}, AGAIN.format("p/b.py:2")),
        (BOTH, BOTH + "if (x := 4):\n    pass\n", {}, AGAIN.format("p/b.py:2")),
        (BOTH, BOTH + "def s():\n    global x\n    x = 4\n", {}, AGAIN.format("p/b.py:4")),
        (BOTH + "def s():\n    global x\n    x = 4\n", BOTH, {}, AGAIN.format("p/a.py:4")),
        ("from p.t import *\n" + BOTH, BOTH + "from p.t import *\n", {"p/t.py": BOTH}, AGAIN.format("p/b.py:2")),
        (BOTH, BOTH, {"p/t.py": "import p.a\np.a.x = 7\n"}, AGAIN.format("p/t.py:2")),
        (BOTH, BOTH, {"tests/test_a.py": "import p.b as b\nb.x = 7\n"}, AGAIN.format("tests/test_a.py:2")),
        (
            BOTH,
            BOTH + "import sys\nsetattr(sys.modules[__name__], 'x', 5)\n",
            {},
            "where x comes from in p.b cannot be told: it calls setattr on itself",
        ),
    ],
)
def test_a_constant_that_is_bound_again_is_not_equal_to_its_copy(
    old: str, new: str, others: Files, reason: str
) -> None:
    found = verified(*homes(old, new, READS, others=others))
    assert found.verdict == "RESIDUAL" if reason.startswith("x is") else found.verdict == "UNSUPPORTED"
    assert reason in told(found), explanation(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BOTH, BOTH),
        ("try:\n    import x\nexcept ImportError:\n    x = None\n",) * 2,
        ("from p.t import *\n" + BOTH,) * 2,
        ("y = 1\ny += 1\n" + BOTH, BOTH),
        (BOTH, BOTH + "def s():\n    x = 4\n    return x\n"),
        (BOTH, BOTH + "class S:\n    x = 4\n"),
    ],
)
def test_a_constant_that_is_bound_once_is_equal_to_its_copy(old: str, new: str) -> None:
    found = verified(*homes(old, new, READS, others={"p/t.py": BOTH}))
    assert found.verdict == "PASS", explanation(found)


@pytest.mark.parametrize(
    ("old", "others", "place"),
    [
        ("x = 1\n\n\ndef s():\n    global x\n    x = 2\n", {}, "p/a.py:6"),
        ("def x():\n    global x\n    x = None\n", {}, "p/a.py:3"),
        ("x = 1\n", {"p/t.py": "import p.a\n\n\ndef f():\n    p.a.x = 9\n"}, "p/t.py:5"),
        ("x = 1\n", {"tests/test_a.py": "from p import a\na.x = 9\n"}, "tests/test_a.py:2"),
        ("x = 1\n\n\ndef s():\n    globals()['x'] = 2\n", {}, "p/a.py:5"),
    ],
)
def test_a_name_that_is_bound_later_is_not_the_same_where_it_is_imported(old: str, others: Files, place: str) -> None:
    found = verified(*homes(old, "", READS, needs="from p.a import x\n", others=others))
    assert found.verdict == "RESIDUAL"
    assert LATER.format(place) in told(found), explanation(found)


def test_a_name_that_is_imported_in_both_homes_may_be_bound_later() -> None:
    others = {"p/t.py": "x = 1\n\n\ndef s():\n    global x\n    x = 2\n"}
    found = verified(*homes("from p.t import x\nprint(x)\n", "", READS, needs="from p.t import x\n", others=others))
    assert found.verdict == "PASS", explanation(found)


@pytest.mark.parametrize("statement", ["class A:\n    x = g()\n", "def A(x=g()):\n    return x\n", "A = g() + 10\n"])
def test_a_name_that_is_read_at_once_and_bound_again_below_is_not_the_same(statement: str) -> None:
    twice = "def g():\n    return 1\n", "def g():\n    return 2\n"
    before = {"p/__init__.py": "", "p/a.py": f"{twice[0]}\n\n{statement}\n\n{twice[1]}", "p/b.py": ""}
    after = {**before, "p/a.py": "\n\n".join(twice), "p/b.py": f"from p.a import g\n\n\n{statement}"}
    found = verified(before, after)
    assert found.verdict == "RESIDUAL"
    assert "g is read while p.a is imported, and bound there again further down" in told(found), explanation(found)
    found = verified({**before, "p/a.py": "\n\n".join([*twice, statement])}, after)
    assert found.verdict == "PASS", explanation(found)


@pytest.mark.parametrize(
    "again",
    [
        "for A in (1, 2):\n    pass\n",
        "def s():\n    global A\n    A = 3\n",
        "with open(p) as A:\n    pass\n",
        "print(A := 3)\n",
        "try:\n    pass\nexcept OSError as A:\n    pass\n",
        "A += 1\n",
    ],
)
def test_a_definition_whose_name_is_bound_again_does_not_pass(again: str) -> None:
    statement = "def A():\n    return 1 + 1\n"
    rest = {"p/__init__.py": ""}
    line = again.splitlines().index(next(one for one in again.splitlines() if "A" in one and "global" not in one)) + 1
    found = verified(
        {**rest, "p/a.py": statement, "p/b.py": again},
        {**rest, "p/a.py": "", "p/b.py": f"{again}\n\n{statement}"},
    )
    assert found.verdict == "RESIDUAL"
    assert f"A is bound again in p.b (line {line})" in told(found), explanation(found)
    found = verified(
        {**rest, "p/a.py": f"{again}\n\n{statement}", "p/b.py": ""},
        {**rest, "p/a.py": again, "p/b.py": statement},
    )
    assert f"A is bound again in p.a (line {line})" in told(found), explanation(found)


MAKES = "def make():\n    return {}\n\n\nlog = make()\n"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (MAKES.format(1), MAKES.format(2), "make is p.a.make there and p.b.make here"),
        ("import logging\nlog = logging.getLogger(__name__)\n",) * 2 + ("",),
        (
            "from p.t import make\nlog = make()\n",
            "from p.u import make\nlog = make()\n",
            "make is p.t.make there and p.u.make here",
        ),
    ],
)
def test_what_every_module_may_compute_is_computed_in_the_same_way(old: str, new: str, reason: str) -> None:
    others = {"p/t.py": "def make():\n    return 1\n", "p/u.py": "def make():\n    return 2\n"}
    found = verified(*homes(old, new, "def A():\n    return log\n", others=others), Wishes(recomputed=("log",)))
    assert (found.verdict == "PASS") == (not reason), explanation(found)
    assert not reason or reason in told(found), explanation(found)
