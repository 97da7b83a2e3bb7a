"""Moves: one project before and after, changed a little in each case, and what must be said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from layercheck.moves.verify import Wishes, verify
from tests.moving import change, explanation, told, tree, verified

BEFORE = tree("""\
# file: pkg/__init__.py
# file: pkg/pools.py
\"\"\"All pools.\"\"\"

import os
from typing import TYPE_CHECKING

from pkg.util import helper, other

if TYPE_CHECKING:
    from pkg.util import Hint

CHUNK = 64


# The pool of A.
# It has two lines.
class A:
    size: Hint = None

    def f(self):
        return helper(os.getcwd()), CHUNK


class B(A):
    def g(self):
        return other(CHUNK)
# file: pkg/util.py
class Hint: ...


def helper(x):
    return x


def other(x):
    return x
# file: pkg/user.py
from pkg.pools import A, B


def late():
    from pkg.pools import A as First

    return First


print(A, B)
# file: tests/test_pools.py
from unittest.mock import patch

import pkg.pools as pools


def test_a():
    with patch("pkg.pools.helper"), patch("pkg.pools.A.f"):
        assert pools.A
    with patch.object(pools, "other"):
        pools.B()
""")

AFTER = {**BEFORE} | tree("""\
# file: pkg/pools.py
\"\"\"All pools.\"\"\"

from pkg.base import CHUNK, A
from pkg.util import other


class B(A):
    def g(self):
        return other(CHUNK)
# file: pkg/base.py
import os
from typing import TYPE_CHECKING

from pkg.util import helper

if TYPE_CHECKING:
    from pkg.util import Hint

CHUNK = 64


# The pool of A.
# It has two lines.
class A:
    size: Hint = None

    def f(self):
        return helper(os.getcwd()), CHUNK
# file: pkg/user.py
from pkg.base import A
from pkg.pools import B


def late():
    from pkg.base import A as First

    return First


print(A, B)
# file: tests/test_pools.py
from unittest.mock import patch

import pkg.base as base
import pkg.pools as pools


def test_a():
    with patch("pkg.base.helper"), patch("pkg.base.A.f"):
        assert base.A
    with patch.object(pools, "other"):
        pools.B()
""")


def test_a_verbatim_move_passes() -> None:
    found = verified(BEFORE, AFTER)
    assert found.verdict == "PASS", explanation(found)
    assert {move.name: (move.body, move.left, move.kind) for move in found.moves} == {
        "A": ("identical", "still-uses-it", "class"),
        "CHUNK": ("identical", "still-uses-it", "constant"),
    }
    moved = next(move for move in found.moves if move.name == "A")
    assert (moved.old.first, moved.old.last) == (14, 20)
    sites = [(site.path, site.old_line, site.new_line, site.kind, site.category, site.state) for site in moved.sites]
    assert sites == [
        ("pkg/pools.py", None, 3, "module", "runtime", "redirected"),
        ("pkg/user.py", 1, 1, "module", "runtime", "redirected"),
        ("pkg/user.py", 5, 6, "function", "runtime", "redirected"),
        ("tests/test_pools.py", 8, 9, "attribute", "test", "redirected"),
    ]
    assert [(one.text, one.new_text, one.state) for one in found.patch_targets] == [
        ("pkg.pools.helper", "pkg.base.helper", "redirected"),
        ("pkg.pools.A.f", "pkg.base.A.f", "redirected"),
    ]


Edit = Callable[[dict[str, str]], object]


def edit(path: str, old: str, new: str) -> Edit:
    def apply(files: dict[str, str]) -> None:
        assert old in files[path], f"{old!r} is not in {path}"
        files[path] = files[path].replace(old, new)

    return apply


def append(path: str, text: str) -> Edit:
    return lambda files: files.update({path: files.get(path, "") + text})


FAULTS: dict[str, tuple[Edit, str]] = {
    "one token of a body": (edit("pkg/base.py", "os.getcwd()), CHUNK", "os.getcwd()), -CHUNK"), "A changed on its way"),
    "a constant's value": (edit("pkg/base.py", "CHUNK = 64", "CHUNK = 65"), "CHUNK changed on its way"),
    "a comment above it": (edit("pkg/base.py", "# It has two lines.\n", ""), "A changed on its way"),
    "a line elsewhere": (append("pkg/util.py", "\n\nX = 1\n"), "X is new"),
    "a line in what stayed": (
        edit("pkg/pools.py", "return other(CHUNK)", "return other(CHUNK + 1)"),
        "B did not move, and is not the same any more",
    ),
    "a forgotten call site": (
        edit("pkg/user.py", "from pkg.base import A as First", "from pkg.pools import A as First"),
        "",
    ),
    "a call site without its import": (
        edit("pkg/user.py", "from pkg.base import A\n", ""),
        "A is pkg.pools.A there and not bound here",
    ),
    "a call site of something else": (
        edit("pkg/user.py", "from pkg.base import A\n", "from pkg.util import Hint as A\n"),
        "A is pkg.pools.A there and pkg.util.Hint here",
    ),
    "a shim": (edit("pkg/pools.py", "class B(A):", "class B:"), "a shim: it takes A, which moved, and does not use it"),
    "an import nothing needs": (
        edit("pkg/base.py", "import os\n", "import os\nimport sys\n"),
        "nothing that moved here needs this import",
    ),
    "a comment beside an import": (
        edit("pkg/pools.py", "from pkg.util import other", "from pkg.util import other  # noqa: F401"),
        "a comment that was not there",
    ),
    "a comment on the condition of an import": (
        edit("pkg/base.py", "if TYPE_CHECKING:", "if TYPE_CHECKING:  # what for"),
        "part of no definition that moved",
    ),
    "a name for another one of the same thing": (
        edit("pkg/user.py", "return First", "return A"),
        "late did not move, and is not the same any more",
    ),
    "an import elsewhere": (
        edit("pkg/util.py", "def other", "import re\n\n\ndef other"),
        "an import that has nothing to do with what moved",
    ),
    "a global of another origin": (
        edit("pkg/base.py", "from pkg.util import helper", "from pkg.util import other as helper"),
        "helper is pkg.util.helper there and pkg.util.other here",
    ),
    "a global not imported": (
        edit("pkg/base.py", "from pkg.util import helper\n", ""),
        "helper is pkg.util.helper there and not bound here",
    ),
    "a builtin shadowed": (
        append("pkg/base.py", "\n\ndef print(x): ...\n"),
        "print is new",
    ),
    "a guard lost": (
        edit(
            "pkg/base.py",
            "if TYPE_CHECKING:\n    from pkg.util import Hint\n",
            "if os:\n    from pkg.util import Hint\n",
        ),
        "Hint is bound under `if TYPE_CHECKING` there and under `if os` here",
    ),
    "postponed annotations": (
        lambda files: files.update({"pkg/base.py": "from __future__ import annotations\n\n" + files["pkg/base.py"]}),
        "`from __future__ import annotations` holds in only one of the two homes",
    ),
    "a patch target forgotten": (edit("tests/test_pools.py", "pkg.base.A.f", "pkg.pools.A.nothing"), ""),
    "an attribute forgotten": (
        lambda files: (
            edit("tests/test_pools.py", "base.A", "pools.CHUNK or pools.A")(files),
            edit("pkg/pools.py", "from pkg.base import CHUNK, A", "from pkg.base import CHUNK, A as X")(files),
            edit("pkg/pools.py", "class B(A)", "class B(X)")(files),
        ),
        "",
    ),
    "the import at another time": (
        lambda files: (
            edit("pkg/user.py", "from pkg.base import A\n", "")(files),
            edit("pkg/user.py", "print(A, B)", "from pkg.base import A\n\nprint(A, B)")(files),
            edit("pkg/user.py", "    from pkg.base import A as First\n", "    First = A\n")(files),
        ),
        "late did not move, and is not the same any more",
    ),
    "a copy left behind": (append("pkg/pools.py", "\n\nCHUNK = 64\n"), "CHUNK is a copy: its old home still has it"),
    "a file of another kind": (
        lambda files: files.update({"pkg/data.json": "{}"}),
        "changed: no Python file of the project, so no move explains it",
    ),
    "a reformatted line elsewhere": (
        edit("pkg/user.py", "print(A, B)", "print(A,  B)"),
        "part of no definition that moved",
    ),
}


@pytest.mark.parametrize(("fault", "reason"), FAULTS.values(), ids=list(FAULTS))
def test_every_fault_is_told(fault: Edit, reason: str) -> None:
    after = dict(AFTER)
    fault(after)
    found = verified(BEFORE, after)
    assert found.verdict != "PASS"
    assert not reason or reason in told(found), explanation(found)


def test_a_forgotten_site_is_listed_with_what_it_goes_through() -> None:
    after = dict(AFTER)
    FAULTS["a forgotten call site"][0](after)
    found = verified(BEFORE, after)
    sites = [site for move in found.moves for site in move.sites if site.state == "still-old"]
    assert [(one.path, one.new_line, one.through, one.passage) for one in sites] == [
        ("pkg/user.py", 6, "pkg.pools", "accident")
    ]


def test_nothing_moved_is_no_pass() -> None:
    assert verified(BEFORE, BEFORE).verdict == "UNSUPPORTED"


def moved(statement: str, *, needs: str = "", kept: str = "") -> tuple[dict[str, str], dict[str, str]]:
    """A statement that goes from one module to a new one, with the imports it needs; ``kept`` stays."""
    before = {
        "p/__init__.py": "",
        "p/lib.py": "def dec(f): return f\ndef one(): return 1\n",
        "p/a.py": f"{needs}{kept}\n{statement}\n",
    }
    return before, {**before, "p/a.py": f"{kept}\n" if kept else "", "p/b.py": f"{needs}\n{statement}\n"}


REFUSED = {
    "under if": (
        "import sys\nif sys.argv:\n    def f():\n        return 1 + 1\n",
        "",
        "f is defined under `if sys.argv`",
    ),
    "under try": ("try:\n    x = [1, 2,\n    3]\nexcept E:\n    pass\n", "", "x is defined under `try`"),
    "twice": ("def f():\n    return 1\ndef f():\n    return 2\n", "", "f is defined several times in one module"),
    "global": ("def f():\n    global n\n    n = 1\n", "", "f: it uses `global n`, which binds names of its module"),
    "globals()": ("def f(n):\n    return globals()[n]\n", "", "f: it may read any name of its module (globals())"),
    "semicolon": ("X = (1, 2, 3, 4); Y = 2\n", "", "X shares a line with other code"),
    "decorator": (
        "@dec\ndef f():\n    return 1\n",
        "from p.lib import dec\n",
        "f: its decorator dec may leave a trace (register it), and importing p.a no longer runs it",
    ),
}


@pytest.mark.parametrize(("statement", "needs", "reason"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_followed_is_listed_and_never_passes(statement: str, needs: str, reason: str) -> None:
    found = verified(*moved(statement, needs=needs))
    assert found.verdict != "PASS"
    assert reason in told(found), explanation(found)


@pytest.mark.parametrize(
    ("statement", "needs", "reason"),
    [
        ("def f():\n    return __name__\n", "", "__name__ is that of p.a there and of p.b here"),
        ("def f():\n    return __file__\n", "", "__file__ is that of p.a there and of p.b here"),
        ("import logging\nlog = logging.getLogger(__name__)\n", "", "__name__ is that of p.a there and of p.b here"),
    ],
)
def test_what_depends_on_its_home_is_rebound(statement: str, needs: str, reason: str) -> None:
    found = verified(*moved(statement, needs=needs))
    assert reason in told(found), explanation(found)
    assert found.verdict == "RESIDUAL"


def test_decorators_that_leave_no_trace_pass() -> None:
    statement = "@functools.cache\ndef f():\n    return 1\n"
    found = verified(*moved(statement, needs="import functools\n"))
    assert found.verdict == "PASS", explanation(found)
    before, after = moved("@dec\ndef f():\n    return 1\n", needs="from p.lib import dec\n")
    assert verified(before, after, Wishes(harmless=("p.lib.dec",))).verdict == "PASS"
    ran = {"p/a.py": "from p.b import f\nprint(f)\n"}
    before = {**before, "p/a.py": before["p/a.py"] + "print(f)\n"}
    found = verified(before, {**after, **ran})
    assert found.verdict == "PASS", explanation(found)


def test_a_constant_computed_again_is_no_pass_unless_it_is_said_to_be_harmless() -> None:
    log = "import logging\nlog = logging.getLogger('x')\n"
    before, after = moved("def f():\n    return log\n", kept=log + "def g():\n    return log\n")
    after = {**after, "p/b.py": log + after["p/b.py"]}
    found = verified(before, after)
    assert found.verdict == "RESIDUAL"
    assert "log is computed again: p.b.log is a copy of p.a.log" in told(found)
    found = verified(before, after, Wishes(recomputed=("log",)))
    assert found.verdict == "PASS", explanation(found)
    assert [(copy.name, copy.accepted) for copy in found.copies] == [("log", True)]


def test_relative_imports_in_a_body_resolve_where_it_is() -> None:
    statement = "def f():\n    from .lib import one\n    return one()\n"
    before, after = moved(statement)
    assert verified(before, after).verdict == "PASS"
    deep = {path.replace("p/b.py", "p/q/b.py"): text for path, text in after.items()}
    found = verified(before, {**deep, "p/q/__init__.py": ""})
    assert "the import of .lib.one in it leads to nothing here" in told(found), explanation(found)


@pytest.mark.parametrize(
    ("old", "new", "body"),
    [
        ("def f():\n    return [1, 2]\n", "def f():\n    return [1,\n            2]\n", "reformatted"),
        ("def f():\n    return 1\n", "def f():\n        return 1\n", "re-indented"),
        ("def f():\n    return 1\n", "def f():\n    return 1  # one\n", "changed"),
        ("def f():\n    if x:\n        a()\n    b()\n", "def f():\n    if x:\n        a()\n        b()\n", "changed"),
        ("def f():\n    return 1\n", "def f():\r\n    return 1\r\n", "reformatted"),
    ],
)
def test_bodies_are_compared_by_bytes_then_by_tokens(old: str, new: str, body: str) -> None:
    before, after = moved(old)
    found = verified(before, {**after, "p/b.py": new})
    assert [move.body for move in found.moves] == [body]
    assert (found.verdict == "PASS") == (body != "changed"), explanation(found)


def test_who_takes_it_through_others_takes_part() -> None:
    before, after = moved("class C:\n    x = 1\n", kept="y = 2\n")
    users = {"p/m.py": "from p.a import C\nprint(C)\n", "p/user.py": "from p.m import C\nprint(C)\n"}
    now = {"p/m.py": "from p.b import C\nprint(C)\n", "p/n.py": "from p.b import C\nprint(C)\n"}
    other = {"p/n.py": users["p/m.py"]}
    found = verified({**before, **users, **other}, {**after, **now, "p/user.py": "from p.n import C\nprint(C)\n"})
    assert not found.residual, explanation(found)


def test_what_a_star_from_outside_may_give_is_unclear() -> None:
    before, after = moved("def f():\n    return getcwd()\n", needs="from os import *\n")
    found = verified(before, {**after, "p/b.py": after["p/b.py"].replace("from os ", "from posix ")})
    assert "where getcwd comes from in p.a cannot be told: it star-imports from os" in told(found), told(found)


def test_a_renamed_definition_is_followed_and_never_passes() -> None:
    text = "def f(x):\n    y = x + 1\n    return y\n"
    before, after = moved(text)
    found = verified(before, {**after, "p/b.py": text.replace("def f", "def g")})
    assert [(move.name, move.new_name, move.body) for move in found.moves] == [("f", "g", "identical")]
    assert "f is called g now" in told(found)
    assert found.verdict == "RESIDUAL"


def test_what_a_class_body_binds_for_itself_is_no_name_of_its_module() -> None:
    cls = "class A:\n    @property\n    def f(self): ...\n\n    @f.setter\n    def f(self, value): ...\n"
    before = {"pkg/__init__.py": "", "pkg/old.py": cls, "pkg/new.py": "class B: ...\n"}
    after = {"pkg/__init__.py": "", "pkg/old.py": "", "pkg/new.py": f"class B: ...\n\n\n{cls}"}
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)


def test_exports_follow_what_moved() -> None:
    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    before = {**before, "p/a.py": "__all__ = ['f', 'g']\n" + before["p/a.py"]}
    after = {**after, "p/a.py": "__all__ = ['g']\n" + after["p/a.py"], "p/b.py": "__all__ = ['f']\n" + after["p/b.py"]}
    assert verified(before, after).verdict == "PASS"
    found = verified(before, {**after, "p/b.py": after["p/b.py"].replace("['f']", "['f', 'h']")})
    assert "h in __all__ is not what moved" in told(found)


def test_a_face_that_declares_the_name_is_no_shim() -> None:
    text = "class C:\n    x = 1\n"
    before = {"p/__init__.py": f"__all__ = ['C']\n\n{text}", "use.py": "from p import C\nprint(C)\n"}
    after = {**before, "p/__init__.py": "from p.c import C\n\n__all__ = ['C']\n", "p/c.py": text}
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)
    assert [move.left for move in found.moves] == ["facade"]
    assert [site.passage for move in found.moves for site in move.sites if site.through] == ["facade"]


def test_an_import_back_up_is_a_latent_ring_and_a_closed_one_is_no_pass() -> None:
    before, after = moved("def f():\n    return K\n", kept="K = 1\n")
    after = {**after, "p/b.py": "from p.a import K\n" + after["p/b.py"]}
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)
    assert [(ring.new_home, ring.old_home, ring.names, ring.ring) for ring in found.latent_rings] == [
        ("p.b", "p.a", ("K",), ())
    ]
    before = {**before, "p/a.py": before["p/a.py"] + "print(f)\n"}
    found = verified(before, {**after, "p/a.py": "from p.b import f\n" + after["p/a.py"] + "print(f)\n"})
    assert found.verdict == "RESIDUAL"
    assert [ring.ring for ring in found.latent_rings] == [("p.a", "p.b")]


def test_what_is_read_at_once_must_be_bound_above() -> None:
    before, after = moved("K = (1, 2)\nclass C:\n    x = K\n")
    assert verified(before, after).verdict == "PASS"
    found = verified(before, {**after, "p/b.py": "class C:\n    x = K\nK = (1, 2)\n"})
    assert "K is read while p.b is imported, and bound there only further down" in told(found), explanation(found)


def test_star_imports_that_passed_it_on_are_sites() -> None:
    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    star = {"use.py": "from p.a import *\nprint(f(), g())\n"}
    found = verified({**before, **star}, {**after, **star})
    assert found.verdict == "RESIDUAL"
    assert "f is p.a.f there and not bound here" in told(found), explanation(found)


def test_dotted_imports_that_a_body_reaches_through_are_needed() -> None:
    statement = "def f():\n    return os.path, xml.dom.minidom\n"
    before, after = moved(statement, needs="import os\nimport xml.dom.minidom\n")
    assert verified(before, after).verdict == "PASS"
    found = verified(before, {**after, "p/b.py": after["p/b.py"].replace("xml.dom.minidom\n\n", "xml.dom\n\n")})
    assert found.verdict == "RESIDUAL", explanation(found)


def test_strings_that_name_the_old_home() -> None:
    before, after = moved("class C:\n    x = 1\n", kept="y = 2\n")
    lazy = {"registry.py": "C = 'p.a:C'\n"}
    found = verified({**before, **lazy}, {**after, **lazy})
    assert [(one.text, one.state, one.broken) for one in found.strings] == [("p.a:C", "still-old", True)]
    assert found.verdict == "RESIDUAL"
    redirected = {"registry.py": "C = 'p.b:C'\n"}
    found = verified({**before, **lazy}, {**after, **redirected})
    assert found.verdict == "PASS", explanation(found)
    wishes = Wishes(strings=True, prose={"README.md": "See p.a.C for more.\n"})
    found = verified({**before, **lazy}, {**after, **redirected}, wishes)
    assert [(one.path, one.new_line, one.new_text) for one in found.strings if one.path == "README.md"] == [
        ("README.md", 1, "p.b.C")
    ]
    assert found.verdict == "PASS"


def test_a_file_that_cannot_be_parsed_is_no_pass() -> None:
    before, after = moved("class C:\n    x = 1\n")
    broken = {"old_style.py": "from p.a import C\nprint C\n"}
    found = verified({**before, **broken}, {**after, **broken})
    assert found.verdict == "UNSUPPORTED"
    assert [one.path for one in found.unsupported] == ["old_style.py", "old_style.py"][:1] or found.unsupported


def test_several_places_are_ambiguous() -> None:
    text = "def f():\n    a = 1\n    return a\n"
    before = {"p/__init__.py": "", "p/a.py": text, "p/b.py": text}
    after = {"p/__init__.py": "", "p/a.py": "", "p/b.py": "", "p/c.py": text, "p/d.py": text}
    found = verified(before, after)
    assert found.verdict == "RESIDUAL"
    assert [(one.name, one.old_homes, one.new_homes) for one in found.ambiguous] == [
        ("f", ("p.a", "p.b"), ("p.c", "p.d"))
    ]


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        ("import p.a\nprint(vars(p.a))\n", "p.a is used as a whole: what is taken from it cannot be told"),
        ("import p.a as m\nprint(m)\n", "p.a is used as a whole: what is taken from it cannot be told"),
        (
            "import importlib\nprint(importlib.import_module('p.a').f)\n",
            "p.a is imported by its text: what is taken from it cannot be told",
        ),
    ],
)
def test_who_may_take_anything_makes_it_unsupported(use: str, reason: str) -> None:
    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    found = verified({**before, "use.py": use}, {**after, "use.py": use})
    assert found.verdict == "UNSUPPORTED"
    assert told(found) == {reason}


def test_an_old_home_that_gives_any_name_does_not_hide_a_forgotten_site() -> None:
    kept = "def __getattr__(name):\n    return name\n"
    use = {"use.py": "from p.a import f\nprint(f)\n"}
    before, after = moved("def f():\n    return len([1])\n", kept=kept)
    found = verified({**before, **use}, {**after, **use})
    assert found.verdict == "RESIDUAL", explanation(found)
    assert [(site.state, site.broken) for move in found.moves for site in move.sites] == [("still-old", False)]
    found = verified({**before, **use}, {**after, "use.py": use["use.py"].replace("p.a", "p.b")})
    assert found.verdict == "PASS", explanation(found)


def test_entry_points_that_name_the_old_home() -> None:
    def project(home: str) -> dict[str, str]:
        return {"pyproject.toml": f'[project]\nname = "p"\n[project.scripts]\np = "p.{home}:f"\n'}

    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    found = verified({**before, **project("a")}, {**after, **project("a")})
    assert found.verdict == "RESIDUAL", explanation(found)
    assert [(one.path, one.text, one.broken) for one in found.strings] == [("pyproject.toml", "p.a.f", True)]


def test_a_module_renamed_as_a_whole() -> None:
    text = '"""Doc."""\n# head\n\nimport os\n\n\ndef f():\n    return os.sep\n\n\ndef g():\n    return f()\n'
    before = {"p/__init__.py": "", "p/a.py": text, "use.py": "import p.a as m\n\nprint(m.g())\n"}
    after = {"p/__init__.py": "", "p/b.py": text, "use.py": "import p.b as m\n\nprint(m.g())\n"}
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)
    assert {move.left for move in found.moves} == {"gone"}
    effect = {**before, "p/a.py": f"import plugins\n{text}"}
    assert verified(effect, after).verdict == "RESIDUAL"


def test_a_function_that_loses_its_import_for_a_global_of_the_same_name() -> None:
    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    use = "f = 1\n\n\ndef late():\n    from p.a import f\n    return f\n"
    found = verified({**before, "use.py": use}, {**after, "use.py": use.replace("    from p.a import f\n", "")})
    assert found.verdict == "RESIDUAL", explanation(found)


def test_a_ring_that_grows_is_no_pass_and_one_that_was_there_is() -> None:
    ring = {"p/c.py": "import p.d\n\nx = p.d\n", "p/d.py": "import p.c\n\ny = p.c\n"}
    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    assert verified({**before, **ring}, {**after, **ring}).verdict == "PASS"
    text = "\n\ndef f():\n    return K\n"
    start = {**ring, "p/__init__.py": "", "p/a.py": f"from p.c import x\n\nprint(x)\nK = [1]\n{text}\n\nprint(f)\n"}
    end = {**ring, "p/__init__.py": "", "p/a.py": "from p.c import x, f\n\nprint(x)\nK = [1]\n\n\nprint(f)\n"}
    end["p/c.py"] += f"from p.a import K\n{text}"
    found = verified(start, end)
    assert found.verdict == "RESIDUAL"
    assert [bool(ring.ring) for ring in found.latent_rings] == [True]


def test_a_package_that_passes_it_on_is_redirected_like_any_site() -> None:
    before, after = moved("def f():\n    return 1\n", kept="def g():\n    return 2\n")
    face = {"p/__init__.py": "from p.a import f\n", "use.py": "from p import f\nprint(f)\n"}
    found = verified({**before, **face}, {**after, **face, "p/__init__.py": "from p.b import f\n"})
    assert found.verdict == "PASS", explanation(found)
    assert {site.state for move in found.moves for site in move.sites} == {"redirected", "via"}


def test_a_module_that_takes_the_place_of_a_name_is_told() -> None:
    text = "def f():\n    return [1, 2]\n"
    use = {"use.py": "from p import f\nprint(f())\n"}
    found = verified({"p/__init__.py": text, **use}, {"p/__init__.py": "", "p/f.py": text, **use})
    assert found.verdict == "RESIDUAL", explanation(found)
    assert "the import of p.f comes to something else now" in told(found)


def test_imports_with_a_stand_in_move_along() -> None:
    block = "try:\n    import fast\nexcept ImportError:\n    fast = None\n"
    before, after = moved("def f():\n    return fast\n", needs=block)
    assert verified(before, after).verdict == "PASS"
    kept = "def g():\n    return fast\n"
    before, after = moved("def f():\n    return fast\n", kept=block + kept)
    found = verified(before, {**after, "p/b.py": block + after["p/b.py"]})
    assert found.verdict == "PASS", explanation(found)
    found = verified(before, {**after, "p/b.py": "import fast\n" + after["p/b.py"]})
    assert found.verdict == "RESIDUAL"


def test_no_line_can_be_taken_out_of_a_move_that_passes() -> None:
    for path, text in AFTER.items():
        lines = text.split("\n")
        for index, line in enumerate(lines):
            if line.strip():
                files = {**AFTER, path: "\n".join(lines[:index] + lines[index + 1 :])}
                assert verified(BEFORE, files).verdict != "PASS", f"{path}:{index + 1}: {line}"


HELPED = {
    "p/__init__.py": "",
    "p/a.py": "def h():\n    return 1\n\n\ndef f():\n    return h()\n",
    "tests/test_a.py": (
        "from unittest.mock import patch\n\nfrom p.a import f\n\n\ndef test_f():\n"
        "    with patch('p.a.h', return_value=3):\n        assert f() == 3\n"
    ),
}
OTHER = "\n\ndef g():\n    return h()\n"


@pytest.mark.parametrize(
    ("other", "patches", "verdict"),
    [
        ("", "patch('p.b.h', return_value=3)", "PASS"),
        ("", "patch('p.a.h', return_value=3)", "RESIDUAL"),
        (OTHER, "patch('p.b.h', return_value=3)", "PASS"),
        (OTHER, "patch('p.a.h', return_value=3)", "UNSUPPORTED"),
    ],
)
def test_a_patch_of_a_helper_that_stays_has_to_reach_what_moved(other: str, patches: str, verdict: str) -> None:
    before = {**HELPED, "p/a.py": HELPED["p/a.py"] + other}
    after = {**before, "p/a.py": "def h():\n    return 1\n" + other}
    after["p/b.py"] = "from p.a import h\n\n\ndef f():\n    return h()\n"
    test = HELPED["tests/test_a.py"].replace("from p.a import", "from p.b import")
    after["tests/test_a.py"] = test.replace("patch('p.a.h', return_value=3)", patches)
    found = verified(before, after)
    assert found.verdict == verdict, explanation(found)
    assert not found.unsupported or [(one.path, one.line) for one in found.unsupported] == [("tests/test_a.py", 7)]


def test_a_patch_of_an_attribute_of_a_helper_reaches_it_from_anywhere() -> None:
    before = {**HELPED, "tests/test_a.py": HELPED["tests/test_a.py"].replace("'p.a.h'", "'p.a.h.x'")}
    after = {**before, "p/a.py": "def h():\n    return 1\n"}
    after["p/b.py"] = "from p.a import h\n\n\ndef f():\n    return h()\n"
    after["tests/test_a.py"] = before["tests/test_a.py"].replace("from p.a import", "from p.b import")
    found = verified(before, after)
    assert found.verdict == "PASS", explanation(found)


LAZY = """T = {0}


def __getattr__(name):
    return find(T, name)
"""

LEFT_BEHIND: dict[str, tuple[dict[str, str], str]] = {
    "an entry point in setup.py": ({"setup.py": "setup(entry_points={'x': ['n = p.a:f']})\n"}, "RESIDUAL"),
    "an entry point of another name": ({"setup.py": "setup(entry_points={'x': ['n = p.a:g']})\n"}, "PASS"),
    "a pair of texts": ({"p/c.py": "PAIR = ('p.a', 'f')\n"}, "RESIDUAL"),
    "a pair of texts with something else": ({"p/c.py": "PAIR = ('p.a', 'ff')\n"}, "PASS"),
    "an example": ({"p/c.py": '"""Do.\n\n>>> from p.a import g, f\n"""\n'}, "RESIDUAL"),
    "an example by attribute": ({"p/c.py": '"""Do.\n\n>>> p.a.f()\n"""\n'}, "RESIDUAL"),
    "an example in the old home": ({"p/a.py": "def f():\n    return 1\n\n\ndef g():\n    '>>> f()'\n"}, "RESIDUAL"),
    "an example in the old home of another": (
        {"p/a.py": "def f():\n    return 1\n\n\ndef g():\n    '>>> g().f()'\n"},
        "PASS",
    ),
    "an example in the old home that is told": (
        {"p/a.py": 'def f():\n    return 1\n\n\ndef g():\n    """\n    >>> from p.b import f\n    >>> f()\n    """\n'},
        "PASS",
    ),
    "the module that a class says it is in": ({"p/c.py": "N = namedtuple('f', 'x', module='p.a')\n"}, "UNSUPPORTED"),
    "an example of something else": ({"p/c.py": '"""Do.\n\n>>> from p.a import g\n"""\n'}, "PASS"),
    "prose": ({"p/c.py": '"""As in p.a.f, but different."""\n'}, "PASS"),
    "sys.modules": ({"p/c.py": "import sys\n\nsys.modules['p.a'].f()\n"}, "RESIDUAL"),
    "sys.modules for something else": ({"p/c.py": "import sys\n\nsys.modules['p.a'].g()\n"}, "PASS"),
    "sys.modules as a whole": ({"p/c.py": "import sys\n\nprint(sys.modules['p.a'])\n"}, "UNSUPPORTED"),
    "sys.modules by run_module": ({"p/c.py": "import runpy\n\nrunpy.run_module('p.a')['f']()\n"}, "UNSUPPORTED"),
    "the names of a module": ({"p/c.py": "patch.dict('p.a.__dict__', f=1)\n"}, "UNSUPPORTED"),
    "a pickle": ({"p/c.py": "P = b'cp.a\\nf\\n.'\n"}, "UNSUPPORTED"),
    "a pickle of protocol 4": (
        {"p/c.py": "P = b'\\x80\\x04\\x95\\x10\\x00\\x8c\\x03p.a\\x8c\\x01f\\x93.'\n"},
        "UNSUPPORTED",
    ),
    "bytes of something else": ({"p/c.py": "P = b'cp.a\\nff\\n.'\n"}, "PASS"),
    "code in a text": ({"p/c.py": "run([python, '-c', 'from p.a import g, f; f()'])\n"}, "RESIDUAL"),
    "code in a text by attribute": ({"p/c.py": "exec('import p.a\\np.a.f()')\n"}, "RESIDUAL"),
    "code in a text by another name": ({"p/c.py": 'C = """\nimport p.a as m\nm.f()\n"""\n'}, "RESIDUAL"),
    "code in a text of something else": ({"p/c.py": "exec('import p.a; p.a.g()')\n"}, "PASS"),
    "a text by itself": ({"p/c.py": 'x = 1\n"""Use from p.a import f."""\n'}, "PASS"),
    "a table of names": ({"p/c.py": "T = {'p.a': ['g', 'f']}\n"}, "RESIDUAL"),
    "a table of other names": ({"p/c.py": "T = {'p.a': ['g'], 'p.c': ['f']}\n"}, "PASS"),
    "a lazy package by name": ({"p/__init__.py": LAZY.format("{'f': '.a'}")}, "RESIDUAL"),
    "a lazy package by name, told": ({"p/__init__.py": LAZY.format("{'f': ('a', 'f')}")}, "RESIDUAL"),
    "a lazy package by module": ({"p/__init__.py": LAZY.format("{'a': ['g', 'f']}")}, "RESIDUAL"),
    "a lazy package of other names": ({"p/__init__.py": LAZY.format("{'g': '.a', 'f': '.c'}")}, "PASS"),
    "an entry point in setup.cfg": (
        {"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    f = p.a:f\n"},
        "RESIDUAL",
    ),
    "an attribute in setup.cfg": ({"setup.cfg": "[metadata]\nversion = attr: p.a.f\n"}, "RESIDUAL"),
    "an attribute in pyproject.toml": (
        {"pyproject.toml": "[tool.setuptools.dynamic]\nversion = {attr = 'p.a.f'}\n"},
        "RESIDUAL",
    ),
    "a plugin of poetry": ({"pyproject.toml": "[tool.poetry.plugins.x]\nf = 'p.a:f'\n"}, "RESIDUAL"),
    "entry_points.txt": ({"p.egg-info/entry_points.txt": "[x]\nf = p.a : f.g [y]\n"}, "RESIDUAL"),
    "settings for something else": ({"pytest.ini": "[pytest]\n# p.a.f\nx = p.a:ff p.a.g q.p.a.f\n"}, "PASS"),
    "a package as a default": (
        {"p/c.py": "import p.a\n\n\ndef late(p=p):\n    return p.a.f()\n"},
        "UNSUPPORTED",
    ),
}


@pytest.mark.parametrize(("more", "verdict"), LEFT_BEHIND.values(), ids=list(LEFT_BEHIND))
def test_what_leads_to_the_old_home_in_other_words_is_no_pass(more: dict[str, str], verdict: str) -> None:
    before = {"p/__init__.py": "", "p/a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n", **more}
    left = before["p/a.py"].removeprefix("def f():\n    return 1\n\n\n")
    after = {**before, "p/a.py": left, "p/b.py": "def f():\n    return 1\n"}
    found = verified(before, after)
    assert found.verdict == verdict, explanation(found)


@pytest.mark.parametrize(
    ("old", "new", "left", "there", "reason"),
    [
        ("__all__ = ['f']\n", "__all__ = []\n", "__all__ = []\n", "__all__ = ['f']\n", ""),
        ("__all__ = ['f']\n", "", "__all__ = []\n", "", ""),
        ("__all__ = ['f']\n", "", "__all__ = ['f']\n", "", "f is in __all__ and not bound any more"),
        (
            "__all__ = ['f']\n",
            "__all__ = []\n",
            "__all__ = []\n",
            "__all__ = []\n",
            "a star import of p.a gave f, and the __all__ of p.b hides it",
        ),
        ("", "__all__ = []\n", "", "__all__ = []\n", "a star import of p.a gave f, and the __all__ of p.b hides it"),
        ("__all__ = []\n", "__all__ = []\n", "__all__ = []\n", "__all__ = []\n", ""),
    ],
)
def test_what_all_says_of_what_moved(old: str, new: str, left: str, there: str, reason: str) -> None:
    body = "def f():\n    return 1\n"
    before = {"p/__init__.py": "", "p/a.py": f"{old}\n\n{body}", "p/b.py": new}
    found = verified(before, {**before, "p/a.py": left, "p/b.py": f"{there}\n\n{body}"})
    assert told(found) == ({reason} if reason else set()), explanation(found)


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("from p.a import f\nfrom p.t import f\n", "from p.b import f\nfrom p.t import f\n", True),
        ("from p.a import f\nfrom p.t import f\n", "from p.t import f\nfrom p.b import f\n", False),
        ("from p.a import f\nfrom p.t import *\n", "from p.t import *\nfrom p.b import f\n", False),
        ("from p.a import f\nfrom p.t import z\n", "from p.t import z\nfrom p.b import f\n", True),
        ("from p.a import *\nfrom p.t import z\n", "from p.b import f\nfrom p.t import z\n", True),
        ("from p.a import f\nfrom p.t import z\n", "from p.b import f\nfrom p.b import *\nfrom p.t import z\n", True),
    ],
)
def test_the_last_of_several_imports_stays_the_last(before: str, after: str, is_same: bool) -> None:
    body = "def f():\n    return 1\n"
    files = {"p/__init__.py": "", "p/t.py": "def f(): ...\n\n\nz = 1\n", "p/a.py": body}
    new = {"p/a.py": "", "p/b.py": body, "p/use.py": f"{after}\nprint(f, z)\n"}
    found = verified({**files, "p/use.py": f"{before}\nprint(f, z)\n"}, {**files, **new})
    assert ("f is bound several times here, and in another order" not in told(found)) == is_same, explanation(found)


REG = "MADE = []\n\n\ndef reg(x):\n    MADE.append(x)\n    return x\n"
PURE = "import functools\n\n\ndef reg(x):\n    return functools.lru_cache(x) if callable(x) else x\n"
HOOK = "class Base:\n    def __init_subclass__(cls): ...\n\n\nclass Below(Base): ...\n\n\nclass Meta(type): ...\n"
RUNS: dict[str, tuple[str, str, str]] = {
    "a decorator of a method": (REG, "class A:\n    @lib.reg\n    def f(self):\n        return 1\n", "p.lib.reg"),
    "one that keeps nothing": (PURE, "class A:\n    @lib.reg\n    def f(self):\n        return 1\n", ""),
    "a call": (REG, "A = lib.reg(1)\n", "p.lib.reg"),
    "a call of what keeps nothing": (PURE, "A = lib.reg(1)\n", ""),
    "a call inside": (REG, "A = [1, *map(str, [lib.reg(1)])]\n", "p.lib.reg"),
    "a call later": (REG, "A = [lambda: lib.reg(1), 2]\n", ""),
    "a default": (REG, "def A(x=lib.reg(1)):\n    return x\n", "p.lib.reg"),
    "a call in a body": (REG, "def A(x):\n    return lib.reg(x)\n", ""),
    "a base": (HOOK, "class A(lib.Base):\n    x = 1\n", "p.lib.Base"),
    "a base of a base": (HOOK, "class A(lib.Below):\n    x = 1\n", "p.lib.Base"),
    "a metaclass": (HOOK, "class A(metaclass=lib.Meta):\n    x = 1\n", "p.lib.Meta"),
    "no base": (HOOK, "class A:\n    x = lib.Base\n", ""),
}


@pytest.mark.parametrize(("lib", "statement", "suspect"), RUNS.values(), ids=list(RUNS))
def test_what_runs_with_a_definition_may_leave_a_trace(lib: str, statement: str, suspect: str) -> None:
    before, after = moved(statement, needs="from p import lib\n\n\n")
    before["p/lib.py"] = after["p/lib.py"] = lib
    why = f"A: it runs {suspect}, which may leave a trace (register it), and importing p.a no longer does"
    found = verified(before, after)
    assert told(found) == ({why} if suspect else set()), explanation(found)
    assert verified(before, after, Wishes(harmless=(suspect,))).verdict == "PASS"
    keeping = {**after, "p/a.py": "from p.b import A\n\nprint(A)\n"}
    found = verified({**before, "p/a.py": f"{before['p/a.py']}\nprint(A)\n"}, keeping)
    assert found.verdict == "PASS", explanation(found)


@pytest.mark.parametrize(
    ("there", "verdict"),
    [("", "PASS"), ('"""Doc."""\n', "PASS"), ("import os\n", "PASS"), ("x: int = 1\n", "RESIDUAL")],
)
def test_a_home_that_held_nothing_may_get_the_feature_that_what_comes_has(there: str, verdict: str) -> None:
    future, body = "from __future__ import annotations\n", "def A() -> B:\n    return 1\n"
    doc, rest = (there, "") if there.startswith('"') else ("", there)
    files = {"pkg/__init__.py": "", "pkg/old.py": f"{future}\n\n{body}", "pkg/new.py": there}
    found = verified(files, {**files, "pkg/old.py": future, "pkg/new.py": f"{doc}{future}{rest}\n\n{body}"})
    assert found.verdict == verdict, explanation(found)


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("pkg/util.py", "\r\n", "its line ends are not as they were"),
        ("pkg/util.py", "\ufeff", "its byte order mark is not as it was"),
        ("pkg/util.py", "\f", "its form feeds are not as they were"),
        ("pkg/util.py", "", "the end of its last line is not as it was"),
        ("pkg/user.py", "\r\n", "its line ends are not as they were"),
        ("pkg/user.py", "\ufeff", "its byte order mark is not as it was"),
        ("pkg/user.py", "", "the end of its last line is not as it was"),
        ("pkg/pools.py", "\r\n", "its line ends are not as they were"),
    ],
)
def test_bytes_beside_the_lines_are_compared(path: str, text: str, reason: str) -> None:
    now = AFTER[path]
    written = {
        "\r\n": now.replace("\n", "\r\n"),
        "\ufeff": "\ufeff" + now,
        "\f": now.replace("\n\n\n", "\n\f\n\n", 1),
        "": now.rstrip("\n"),
    }
    found = verified(BEFORE, {**AFTER, path: written[text]})
    assert told(found) == {reason}, explanation(found)


def test_one_line_end_of_many_is_compared() -> None:
    before = {**BEFORE, "pkg/util.py": BEFORE["pkg/util.py"].replace("\n", "\r\n", 3)}
    after = {**AFTER, "pkg/util.py": BEFORE["pkg/util.py"].replace("\n", "\r\n", 2)}
    found = verified(before, after)
    assert [(one.path, one.line) for one in found.residual] == [("pkg/util.py", 3)]


@pytest.mark.parametrize(
    ("path", "stub", "reason"),
    [
        ("p/a.pyi", "def f(): ...\n", "the stub still declares f, which moved"),
        ("p/a.pyi", "if x:\n    f: int\n", "the stub still declares f, which moved"),
        ("p/a.pyi", "def g(): ...\n", ""),
        ("p/b.pyi", "def g(): ...\n", "the stub does not declare f, which moved here"),
        ("p/b.pyi", "from q import f as f\n", ""),
        ("p/c.pyi", "from .a import f as h\n", "the stub still takes f from p.a, which it left"),
        ("p/c.pyi", "from .a import g\nfrom .b import f\n", ""),
    ],
)
def test_stubs_say_where_what_moved_is(path: str, stub: str, reason: str) -> None:
    before = {"p/__init__.py": "", "p/a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n", "p/c.py": ""}
    after = {**before, "p/a.py": "def g():\n    return 2\n", "p/b.py": "def f():\n    return 1\n"}
    found = verify(replace(change(before, after), stubs={path: stub.encode()}))
    assert told(found) == ({reason} if reason else set()), explanation(found)


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("g = globals\n", "where f comes from in p.a cannot be told: it hands on globals"),
        (
            "def s(): ...\ns.__globals__['f'] = 3\n",
            "where f comes from in p.a cannot be told: it sets names on modules",
        ),
        ("import sys\nsetattr(sys.modules[__name__], 'f', 3)\n", "where f comes from in p.a cannot be told: it calls"),
        ("del f\n", "f is deleted in p.a (line "),
        ("del g, f\n", "f is deleted in p.a (line "),
        ("del f.x\n", ""),
    ],
)
def test_a_home_that_binds_what_moved_to_something_else(rest: str, reason: str) -> None:
    statement = "def f():\n    return 1\n"
    before = {"p/__init__.py": "", "p/a.py": f"{statement}\n\n{rest}", "p/b.py": ""}
    found = verified(before, {**before, "p/a.py": rest, "p/b.py": statement})
    assert found.verdict != "PASS" or rest == "del f.x\n", explanation(found)
    assert not reason or any(one.startswith(reason) for one in told(found)), explanation(found)


@pytest.mark.parametrize(
    ("old", "new", "statement", "reason"),
    [
        ("p/a.py", "p/b.py", "def __getattr__(name):\n    return 1\n", "__getattr__ is looked up by its name"),
        ("p/a.py", "p/b.py", "def setup_module():\n    return 1\n", ""),
        (
            "tests/test_a.py",
            "tests/test_b.py",
            "def setup_module():\n    return 1\n",
            "setup_module is looked up by its",
        ),
        (
            "conftest.py",
            "p/b.py",
            "def pytest_configure():\n    return 1\n",
            "pytest_configure is looked up by its name",
        ),
        ("tests/test_a.py", "tests/test_b.py", "pytestmark = 1, 2\n", "pytestmark is looked up by its name"),
        (
            "tests/test_a.py",
            "tests/help.py",
            "def test_f():\n    assert 1\n",
            "test_f is a test in one of the two homes",
        ),
        ("tests/test_a.py", "tests/help.py", "def f():\n    return 1\n", ""),
        ("tests/test_a.py", "tests/test_b.py", "def test_f():\n    assert 1\n", ""),
        ("tests/x/test_a.py", "tests/y/test_b.py", "def test_f(a):\n    assert a\n", "which fixtures test_f gets"),
    ],
)
def test_what_is_looked_up_by_its_name_where_it_is(old: str, new: str, statement: str, reason: str) -> None:
    before = {"p/__init__.py": "", "tests/x/conftest.py": "", old: f"x = 1\n\n\n{statement}", new: "y = 2\n"}
    found = verified(before, {**before, old: "x = 1\n", new: f"y = 2\n\n\n{statement}"})
    assert (found.verdict == "PASS") == (not reason), explanation(found)
    assert not reason or any(one.startswith(reason) for one in told(found)), explanation(found)


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("def f(): ...\n", "PASS"),
        ("import sys\n\nf = sys.path\nsys.path.append('x')\n", "UNSUPPORTED"),
        ("from lib import reg\n\n\n@reg\ndef f(): ...\n", "UNSUPPORTED"),
        ("f = 1\n\nif __name__ == '__main__':\n    print(f)\n", "PASS"),
    ],
)
def test_an_import_that_leaves_with_what_moved_is_no_matter_unless_it_does_something(source: str, verdict: str) -> None:
    rest = {"p/__init__.py": "", "p/e.py": source}
    needs, statement = "from p.e import f\n", "def A():\n    return f\n"
    before = {**rest, "p/a.py": f"{needs}\nx = 1\n\n\n{statement}"}
    found = verified(before, {**rest, "p/a.py": "x = 1\n", "p/b.py": f"{needs}\n\n{statement}"})
    assert found.verdict == verdict, explanation(found)
    kept = {**before, "p/a.py": f"{needs}\nx = 1\nprint(f)\n\n\n{statement}"}
    after = {**rest, "p/a.py": f"{needs}\nx = 1\nprint(f)\n", "p/b.py": f"{needs}\n\n{statement}"}
    assert verified(kept, after).verdict == "PASS"


@pytest.mark.parametrize("use", ["sys.modules['p.a']", "runpy.run_module('p.a')"])
def test_a_home_that_is_gone_and_looked_up_as_a_whole(use: str) -> None:
    before = {"p/__init__.py": "", "p/a.py": "def f():\n    return 1\n", "p/c.py": f"print({use})\n"}
    found = verified(before, {"p/__init__.py": "", "p/b.py": before["p/a.py"], "p/c.py": before["p/c.py"]})
    assert found.verdict == "RESIDUAL", explanation(found)


@pytest.mark.parametrize(
    ("use", "there", "verdict"),
    [
        ("from p.b import f\n", "def __getattr__(name):\n    return 5\n", "UNSUPPORTED"),
        ("import p.b\nprint(hasattr(p.b, 'f'))\n", "", "UNSUPPORTED"),
        ("import p.b\nprint(getattr(p.b, 'f', 0))\n", "", "UNSUPPORTED"),
        ("import p.b\nprint(vars(p.b))\n", "", "UNSUPPORTED"),
        ("import p.b\nfor n in 'fg':\n    print(getattr(p.b, n, 0))\n", "", "UNSUPPORTED"),
        ("import p.b\nprint(p.b.x)\n", "", "PASS"),
        ("import p.b\nprint(hasattr(p.b, 'g'))\n", "", "PASS"),
        ("from p.a import *\nfrom p.d import *\nfrom p.b import *\nprint(f)\n", "", "RESIDUAL"),
        ("from p.a import *\nfrom p.b import *\nfrom p.d import x\nprint(f)\n", "", "PASS"),
    ],
)
def test_a_new_home_that_is_asked_for_what_had_not_come_yet(use: str, there: str, verdict: str) -> None:
    rest = {"p/__init__.py": "", "p/c.py": use, "p/d.py": "f = 4\nx = 3\n"}
    stays, goes = "x = 1\n", "def f():\n    return 1\n"
    before = {**rest, "p/a.py": f"{stays}\n\n{goes}", "p/b.py": f"x = 2\n{there}"}
    found = verified(before, {**rest, "p/a.py": stays, "p/b.py": f"x = 2\n{there}\n\n{goes}"})
    assert found.verdict == verdict, explanation(found)


def test_a_new_home_that_passed_on_what_came_to_it_may_be_asked() -> None:
    rest = {"p/__init__.py": "", "p/c.py": "from p.b import f\nprint(f())\n"}
    goes = "def f():\n    return 1\n"
    before = {**rest, "p/a.py": f"x = 1\n\n\n{goes}", "p/b.py": "from p.a import f\n\ny = f()\n"}
    found = verified(before, {**rest, "p/a.py": "x = 1\n", "p/b.py": f"{goes}\n\ny = f()\n"})
    assert found.verdict == "PASS", explanation(found)


@pytest.mark.parametrize(
    ("asks", "verdict"), [("f.__module__", "UNSUPPORTED"), ("f.__name__", "PASS"), ("g.f.__module__", "PASS")]
)
def test_somebody_else_asks_what_moved_for_its_module(asks: str, verdict: str) -> None:
    rest = {"p/__init__.py": ""}
    stays, goes, use = "x = 1\n", "def f():\n    return 1\n", f"import f\nprint(f, lambda g: {asks})\n"
    before = {**rest, "p/a.py": f"{stays}\n\n{goes}", "p/c.py": f"from p.a {use}"}
    found = verified(before, {**rest, "p/a.py": stays, "p/b.py": goes, "p/c.py": f"from p.b {use}"})
    assert found.verdict == verdict, explanation(found)
