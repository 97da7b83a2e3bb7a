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
        (
            BOTH,
            BOTH + "import inspect\ninspect.currentframe().f_globals['y'] = 5\n",
            {},
            "where x comes from in p.b cannot be told: it sets names on modules that it looks up",
        ),
    ],
)
def test_a_constant_that_is_bound_again_is_not_equal_to_its_copy(
    old: str, new: str, others: Files, reason: str
) -> None:
    found = verified(*homes(old, new, READS, others=others))
    assert found.verdict == "RESIDUAL" if reason.startswith("x is") else found.verdict == "UNSUPPORTED"
    assert reason in told(found), explanation(found)


FAR = [
    'import sys\nsys.modules["p.a"].x = 9',
    'import sys\nsys.modules["p.b"].x = 9',
    'from sys import modules\nmodules["p.a"].x += 9',
    'import sys\nsys.modules["p." + "a"].x = 9',
    "import sys\ndef s(m): sys.modules[m].x = 9",
    'import sys\ndef s(m): setattr(sys.modules[m], "x", 9)',
    'import sys\nsys.modules.get("p.a").x = 9',
    'import sys\nsys.modules["p.a"].__dict__["x"] = 9',
    'import sys\nsys.modules["p.b"].__setattr__("x", 9)',
    'import sys\ndelattr(sys.modules["p.b"], "x")',
    'import sys\ndel sys.modules["p.b"].x',
    "import p.a\ndel p.a.x",
    'import p.a\ndelattr(p.a, "x")',
    'import p.a\np.a.__setattr__("x", 9)',
    'from p.a import g\ng.__globals__["x"] = 9',
    'from p.a import g\ndel g.__globals__["x"]',
    "from p.a import g\ng.__globals__.update(x=9)",
    'from p.a import g\nexec("x = 9", g.__globals__)',
]
"""What another file does to ``x`` of one of the homes."""

NEAR = [
    "def s():\n    global x\n    del x\n",
    "import builtins\ndef s():\n    builtins.globals()['x'] = 2\n",
    "from builtins import exec as e\ndef s():\n    e('x = 2', {})\n",
    "import builtins\ndef s():\n    getattr(builtins, 'exec')('x = 2', {})\n",
    "g = globals\ndef s():\n    g()['x'] = 2\n",
    "v = vars\nv()['x'] = 2\n",
    "import functools\nr = functools.partial(exec)\n",
    "def s():\n    __builtins__.exec('x = 2', {})\n",
    "def s():\n    __builtins__['exec']('x = 2', {})\n",
    "def s():\n    s.__globals__['x'] = 2\n",
    "def s():\n    exec('x = 2', s.__globals__)\n",
]
"""What a home does to its own ``x``."""


@pytest.mark.parametrize("other", FAR)
def test_a_constant_may_be_bound_again_by_whoever_looks_up_its_module(other: str) -> None:
    old = BOTH + "def g(): ...\n"
    assert verified(*homes(old, BOTH, READS, others={"p/t.py": other})).verdict != "PASS"


@pytest.mark.parametrize("own", NEAR)
def test_a_constant_may_be_bound_again_by_what_reaches_its_namespace(own: str) -> None:
    assert verified(*homes(BOTH + own, BOTH, READS)).verdict != "PASS"


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("", "import sys\ndef s(m): sys.modules[m].z = 9"),
        ("", 'def h(g):\n    exec("x = 9", g.__globals__)'),
        ("", "g = globals\n"),
        ("def s(vars, exec):\n    return vars, exec\n", ""),
        ("def s(o):\n    return vars(o.f())\n", ""),
        ("def s():\n    x = 1\n    del x\n", ""),
    ],
)
def test_what_reaches_other_names_or_modules_is_no_matter(own: str, other: str) -> None:
    found = verified(*homes(BOTH + own, BOTH, READS, others={"p/t.py": other}))
    assert found.verdict == "PASS", explanation(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BOTH, BOTH),
        ("try:\n    import x\nexcept ImportError:\n    x = None\n",) * 2,
        ("from p.t import *\n" + BOTH,) * 2,
        ("y = 1\ny += 1\n" + BOTH, BOTH),
        (BOTH, BOTH + "def s():\n    x = 4\n    return x\n"),
        (BOTH, BOTH + "class S:\n    x = 4\n"),
        (BOTH, BOTH + "def __getattr__(name):\n    return name\n"),
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


@pytest.mark.parametrize("statement", ["class A:\n    x = g\n", "def A(x=g):\n    return x\n", "A = g, 10\n"])
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


@pytest.mark.parametrize(
    ("name", "reader"),
    [("_A__x", "A"), ("_A__x", "_A"), ("_Inner__x", "A"), ("__x", "__")],
    ids=["a class", "a class with an underscore", "a class in a class", "a class of underscores"],
)
def test_private_names_in_class_bodies_are_followed_as_python_spells_them(name: str, reader: str) -> None:
    inner = "    class Inner:\n        def f(self):\n            return __x\n"
    body = inner if "Inner" in name else "    def f(self):\n        return __x\n"
    statement = f"class {reader}:\n{body}"
    found = verified(*homes(f"{name} = 1\n", f"{name} = 2\n", statement))
    assert found.verdict == "RESIDUAL"
    assert f"{name} is p.a.{name} there and p.b.{name} here" in told(found), explanation(found)
    assert verified(*homes(f"{name} = 1\n", f"{name} = 1\n", statement)).verdict == "PASS"


@pytest.mark.parametrize(
    ("needs", "statement", "reason"),
    [
        ("", "def A():\n    return A.__globals__['x']\n", "it may read any name of its module (__globals__)"),
        (
            "import inspect\n",
            "def A():\n    return inspect.currentframe().f_globals['x']\n",
            "it may read any name of its module (f_globals)",
        ),
        (
            "from builtins import eval as e\n",
            "def A():\n    return e('x')\n",
            "it may read any name of its module (eval)",
        ),
        ("import builtins\n", "def A():\n    return builtins.eval('x')\n", "it may read any name of its module (eval)"),
        ("", "def A():\n    return A.__module__\n", "it reads which module A is in (A.__module__)"),
        (
            "",
            "class A:\n    def f(self):\n        return self.__module__\n",
            "it reads which module its class is in (self.__module__)",
        ),
        (
            "",
            "class A:\n    @classmethod\n    def f(cls):\n        return cls.__module__\n",
            "it reads which module its class is in (cls.__module__)",
        ),
        (
            "",
            "class A:\n    def f(self):\n        return type(self).__module__\n",
            "it reads which module its class is in (type(self).__module__)",
        ),
    ],
)
def test_what_may_come_at_its_module_by_an_object_cannot_be_told(needs: str, statement: str, reason: str) -> None:
    found = verified(*homes(needs, needs, statement))
    assert found.verdict == "UNSUPPORTED", explanation(found)
    assert f"A: {reason}" in told(found), explanation(found)


def test_the_module_of_something_else_is_nobodys_home() -> None:
    statement = "def A(f):\n    f.__module__ = Fraction.__module__\n    return f.__module__\n"
    needs = "from fractions import Fraction\n"
    found = verified(*homes(needs, needs, statement))
    assert found.verdict == "PASS", explanation(found)


FLIPPED = "whether c, which it reads at once, is what it was cannot be told: line {} of p.a may change it"
COUNTS = "from itertools import count\n\nc = count()\n"


@pytest.mark.parametrize(
    ("made", "statement", "below", "reason"),
    [
        (COUNTS, "def A(x=next(c)):\n    return x\n", "B = next(c)\n", FLIPPED.format(10)),
        (COUNTS, "A = next(c) + 10\n", "print(next(c))\n", FLIPPED.format(9)),
        ("c = []\n\n\n", "def A(x=len(c)):\n    return x\n", "c.append(2)\n", FLIPPED.format(10)),
        ("c = {}\n\n\n", "class A:\n    x = dict(c)\n", "c['x'] = 1\n", FLIPPED.format(10)),
        ("c = {}\n\n\n", "class A:\n    x = dict(c)\n", "@c.setdefault('x')\ndef f(): ...\n", FLIPPED.format(10)),
        ("c = {}\n\n\n", "def A():\n    return dict(c)\n", "c['x'] = 1\n", ""),
        ("c = {}\n\n\n", "class A:\n    x = dict(c)\n", "def f():\n    c['x'] = 1\n", ""),
        ("c = {}\n\n\n", "class A:\n    x = c\n", "B = len(c), c['x']\n", ""),
        ("c = 'a', 1\n\n\n", "class A:\n    x = c\n", "print(c)\n", ""),
        ("class c: ...\n\n\n", "class A(c):\n    x = 1\n", "print(c())\n", ""),
    ],
)
def test_what_changes_an_object_runs_on_the_same_side_of_what_reads_it(
    made: str, statement: str, below: str, reason: str
) -> None:
    rest = {"p/__init__.py": ""}
    needs = "from p.a import c\n\n\n"
    before = {**rest, "p/a.py": f"{made}\n\n{statement}\n\n{below}", "p/b.py": ""}
    after = {**rest, "p/a.py": f"{made}\n\n{below}", "p/b.py": f"{needs}{statement}"}
    found = verified(before, after)
    assert found.verdict == ("UNSUPPORTED" if reason else "PASS"), explanation(found)
    assert not reason or reason in told(found), explanation(found)
    found = verified({**before, "p/a.py": f"{made}\n\n{below}\n\n{statement}"}, after)
    assert found.verdict == "PASS", explanation(found)


def test_what_changes_an_object_above_what_reads_it_does_not_stay_when_both_go() -> None:
    made, statement, above = "c = []\n", "class A:\n    x = len(c)\n", "c.append(1)\n"
    rest = {"p/__init__.py": ""}
    before = {**rest, "p/a.py": f"{made}{above}\n\n{statement}"}
    after = {**rest, "p/a.py": f"from p.b import c\n\n{above}", "p/b.py": f"{made}\n\n{statement}"}
    found = verified(before, after)
    assert FLIPPED.format(2) in told(found), explanation(found)


SHARED = """
L = []


def reg(name):
    L.append(name)
    return name


class Told:
    def __init_subclass__(cls):
        L.append(cls)
"""


@pytest.mark.parametrize(
    ("needs", "statement", "rest", "back", "reached"),
    [
        ("from p.r import L", "def A(x=len(L)):\n    return x\n", "L.append(1)\n", "", "p.r.L"),
        ("import p.r", "class A:\n    p.r.L.append(1)\n", "print(p.r.L)\n", "", "p.r.L"),
        ("from p.r import L", "A = L\n", "print(L)\n", "", ""),
        ("from p.r import L", "def A():\n    L.append(1)\n", "L.append(2)\n", "", ""),
        ("import sys", "A = list(sys.path)\n", "sys.path.append('x')\n", "", "sys.path"),
        ("import re", "A = re.compile('x')\n", "B = re.compile('y')\n", "", ""),
        # The old home takes it back at its head: it is first still.
        ("from p.r import reg", "@reg\ndef A(): ...\n", "@reg\ndef B(): ...\n", "from p.b import A\n", ""),
    ],
)
def test_what_comes_from_elsewhere_is_reached_in_the_same_order(
    needs: str, statement: str, rest: str, back: str, reached: str
) -> None:
    files = {"p/__init__.py": "", "p/r.py": SHARED}
    use = "print(A)\n" if back else ""
    before = {**files, "p/a.py": f"{needs}\n\n{statement}\n\n{rest}{use}", "p/b.py": ""}
    after = {**files, "p/a.py": f"{needs}\n{back}\n\n{rest}{use}", "p/b.py": f"{needs}\n\n\n{statement}"}
    found = verified({path: text.replace("\n\n\n\n", "\n\n\n") for path, text in before.items()}, after)
    assert found.verdict == ("UNSUPPORTED" if reached else "PASS"), explanation(found)
    assert not reached or any(one.startswith(f"whether {reached} is still") for one in told(found)), explanation(found)


@pytest.mark.parametrize("statement", ["@reg\ndef {}(): ...\n", "class {}(Told): ...\n"])
def test_what_registers_does_so_in_the_same_order(statement: str) -> None:
    files = {"p/__init__.py": "", "p/r.py": SHARED}
    needs, first, second = "from p.r import Told, reg\n", statement.format("B"), statement.format("A")
    before = {**files, "p/a.py": f"{needs}\n\n{first}\n\n{second}\n\nprint(A)\n", "p/b.py": ""}
    after = {
        **files,
        "p/a.py": f"{needs}from p.b import A\n\n\n{first}\n\nprint(A)\n",
        "p/b.py": f"{needs}\n\n{second}",
    }
    found = verified(before, after)
    assert any(text.startswith("whether p.r.") for text in told(found)), explanation(found)


def test_definitions_that_change_one_object_keep_their_order() -> None:
    first, second = "A = next(c) + 10\n", "B = next(c) + 20\n"
    before = {"p/__init__.py": "", "p/a.py": f"{COUNTS}{first}{second}"}
    after = {"p/__init__.py": "", "p/a.py": COUNTS}
    needs = "from p.a import c\n\n"
    assert verified(before, {**after, "p/b.py": f"{needs}{first}{second}"}).verdict == "PASS"
    found = verified(before, {**after, "p/b.py": f"{needs}{second}{first}"})
    assert FLIPPED.format(5) in told(found), explanation(found)


REGISTRY = {"p/t.py": "items = []\nconf = {}\n"}

TAKEN_TURNS = [
    # what stays, what goes, what the old home imports in the end
    ("from p.t import items\n", "items.append(1)\n", "X = len(items)\n", ""),
    ("from p.t import items\n", "items.append(1)\n", "X = len(items)\n", "from p.b import X\n"),
    ("from p.t import conf\n", 'conf["x"] = 1\n', "X = dict(conf)\n", ""),
    ("import os\n", 'os.environ["Q"] = "1"\n', 'X = os.environ["Q"]\n', ""),
    ("import p.t\n", "p.t.conf = 3\n", "X = p.t.conf\n", ""),
]


@pytest.mark.parametrize(("needs", "stays", "goes", "taken"), TAKEN_TURNS)
def test_what_changes_something_that_both_homes_import_runs_on_the_same_side(
    needs: str, stays: str, goes: str, taken: str
) -> None:
    before = {"p/__init__.py": "", **REGISTRY, "p/a.py": f"{needs}\n{stays}\n{goes}", "p/b.py": needs}
    after = {**before, "p/a.py": f"{needs}{taken}\n{stays}", "p/b.py": f"{needs}\n{goes}"}
    found = verified(before, after)
    assert found.verdict != "PASS", explanation(found)


@pytest.mark.parametrize(
    ("needs", "stays", "goes", "taken"),
    [
        ("from p.t import items\n", "items.append(1)\n", "def X():\n    return len(items)\n", ""),
        ("from p.t import conf, items\n", "conf.clear()\n", "X = len(items)\n", ""),
        ("import os\n", 'os.environ["Q"] = "1"\n', "X = os.sep\n", ""),
        ("import os\n", "Y = os.getcwd()\n", "X = os.sep\n", ""),
    ],
)
def test_what_changes_something_else_may_run_at_any_time(needs: str, stays: str, goes: str, taken: str) -> None:
    before = {"p/__init__.py": "", **REGISTRY, "p/a.py": f"{needs}\n{stays}\n{goes}", "p/b.py": needs}
    after = {**before, "p/a.py": f"{needs}{taken}\n{stays}", "p/b.py": f"{needs}\n{goes}"}
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)


def test_what_the_old_home_takes_back_above_a_change_still_runs_before_it() -> None:
    needs, goes, stays = "from p.t import items\n", "X = len(items)\n", "items.append(1)\n"
    before = {"p/__init__.py": "", **REGISTRY, "p/a.py": f"{needs}\n{goes}{stays}\n\nprint(X)\n", "p/b.py": needs}
    after = {**before, "p/a.py": f"{needs}from p.b import X\n\n{stays}\n\nprint(X)\n", "p/b.py": f"{needs}\n{goes}"}
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)
