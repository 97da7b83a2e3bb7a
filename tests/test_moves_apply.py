"""Moves made: small projects, a step, and the files as they are to be afterwards, which have passed the proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from layercheck.errors import LayercheckError
from layercheck.layout.model import Placed
from layercheck.moves.destination import path_of, with_files
from layercheck.moves.movesfile import read_moves
from layercheck.moves.proof import objections, verified
from layercheck.moves.side import Side
from layercheck.moves.step import make, starting
from tests.moving import side, tree
from tests.moving import verified as change_verified
from tests.tree import build_project


def applied(files: Mapping[str, str], steps: str, *, shims: bool = False) -> dict[str, str]:
    """All files after the steps of a moves file, which must be nothing but a move."""
    moves = read_moves(f"version = 1\n{steps}", "moves.toml")
    before = side(files)
    made = starting(before)
    for step in moves.steps:
        made = make(made, moves, step, shim=shims)
    if not shims:
        found = verified(before, made, moves)
        assert found.verdict == "PASS", "\n".join(objections(found))
    return {**files, **{path: made.side.contents[path].decode() for path in made.changed}}


def step(*names: str, old: str = "pkg.pools", new: str = "pkg.base", more: str = "") -> str:
    """A step of a moves file."""
    return f'[[step]]\nfrom = "{old}"\nto = "{new}"\nnames = [{", ".join(map(repr, names))}]\n{more}'


def refused(files: Mapping[str, str], steps: str) -> list[str]:
    """Why a step is refused."""
    with pytest.raises(LayercheckError) as error:
        applied(files, steps)
    return list(error.value.lines)


POOLS = tree('''\
# file: pkg/__init__.py
# file: pkg/pools.py
# Copyright nobody.
"""All pools."""

from __future__ import annotations

import logging
import os  # the system
from typing import TYPE_CHECKING, Any

from pkg import util
from pkg.util import (
    helper,  # helps
    other,
)

if TYPE_CHECKING:
    from pkg.util import Hint

_fast = util.is_fast()
if _fast:
    from pkg.util import quick

logger = logging.getLogger(__name__)

CHUNK = 64


# The pool of A.
class A:
    size: Hint = None

    def f(self):
        logger.info("f")
        return helper(os.getcwd()), CHUNK, quick(self) if _fast else None


class B(A):
    def g(self) -> Any:
        logger.info("g")
        return other(CHUNK)
# file: pkg/util.py
class Hint: ...


def is_fast():
    return True


def helper(x):
    return x


def other(x):
    return x


def quick(x):
    return x
''')


def test_a_new_home_has_what_it_needs_and_the_old_one_keeps_what_it_needs() -> None:
    after = applied(POOLS, 'recomputed = ["logger", "_fast"]\n' + step("CHUNK", "A"))
    assert (
        after["pkg/base.py"]
        == """\
# Copyright nobody.

from __future__ import annotations

import logging
import os  # the system
from typing import TYPE_CHECKING

from pkg import util
from pkg.util import (
    helper,  # helps
)

if TYPE_CHECKING:
    from pkg.util import Hint

_fast = util.is_fast()
if _fast:
    from pkg.util import quick

logger = logging.getLogger(__name__)

CHUNK = 64


# The pool of A.
class A:
    size: Hint = None

    def f(self):
        logger.info("f")
        return helper(os.getcwd()), CHUNK, quick(self) if _fast else None
"""
    )
    assert (
        after["pkg/pools.py"]
        == '''\
# Copyright nobody.
"""All pools."""

from __future__ import annotations

import logging
from typing import Any

from pkg import util
from pkg.base import CHUNK, A
from pkg.util import (
    other,
)

_fast = util.is_fast()

logger = logging.getLogger(__name__)


class B(A):
    def g(self) -> Any:
        logger.info("g")
        return other(CHUNK)
'''
    )


# Who takes what moves


SMALL = tree("""\
# file: pkg/__init__.py
# file: pkg/sub/__init__.py
# file: pkg/util.py
def helper():
    return 1


def other():
    return 2
# file: pkg/pools.py
from pkg.util import helper, other


class A:
    def f(self):
        return helper()


class B:
    def f(self):
        return other()


class C:
    pass
""")

CALLERS = {
    "from": (
        "from pkg.pools import A, B\n\nprint(A, B)\n",
        "from pkg.base import A\nfrom pkg.pools import B\n\nprint(A, B)\n",
    ),
    "from, alone": ("from pkg.pools import A\n\nprint(A)\n", "from pkg.base import A\n\nprint(A)\n"),
    "from, as": (
        "from pkg.pools import A as First  # noqa: N813\n\nprint(First)\n",
        "from pkg.base import A as First  # noqa: N813\n\nprint(First)\n",
    ),
    "relative": ("from .pools import A\n\nprint(A)\n", "from .base import A\n\nprint(A)\n"),
    "in brackets": (
        "from pkg.pools import (\n    A,  # first\n    B,  # second\n)\n\nprint(A, B)\n",
        "from pkg.base import A\nfrom pkg.pools import (\n    B,  # second\n)\n\nprint(A, B)\n",
    ),
    "in a function": (
        "def f():\n    from pkg.pools import A\n\n    return A\n",
        "def f():\n    from pkg.base import A\n\n    return A\n",
    ),
    "typing": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from pkg.pools import A\n\n\ndef f(x: 'A'): ...\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from pkg.base import A\n\n\ndef f(x: 'A'): ...\n",
    ),
    "optional": (
        "try:\n    from pkg.pools import A\nexcept ImportError:\n    A = None\n\nprint(A)\n",
        "try:\n    from pkg.base import A\nexcept ImportError:\n    A = None\n\nprint(A)\n",
    ),
    "attribute of a dotted import": (
        "import pkg.pools\n\nprint(pkg.pools.A, pkg.pools.A.f)\n",
        "import pkg.base\n\nprint(pkg.base.A, pkg.base.A.f)\n",
    ),
    "attribute of a dotted import that is needed": (
        "import pkg.pools\n\nprint(pkg.pools.A, pkg.pools.B)\n",
        "import pkg.base\nimport pkg.pools\n\nprint(pkg.base.A, pkg.pools.B)\n",
    ),
    "attribute of a name": (
        "import pkg.pools as p\n\n\ndef f():\n    return p.A()\n",
        "import pkg.base as base\n\n\ndef f():\n    return base.A()\n",
    ),
    "attribute of a name from its package": (
        "from pkg import pools, util\n\nprint(pools.A, util)\n",
        "from pkg import base, util\n\nprint(base.A, util)\n",
    ),
    "attribute of a name, that is taken": (
        "from pkg import pools\n\nbase = 1\nprint(pools.A, base)\n",
        "from pkg import base as pkg_base\n\nbase = 1\nprint(pkg_base.A, base)\n",
    ),
    "attribute of an import in a function": (
        "def f(pools):\n    return pools.A\n\n\ndef g():\n    from . import pools\n\n    return pools.A, pools.B\n",
        "def f(pools):\n    return pools.A\n\n\n"
        "def g():\n    from . import base, pools\n\n    return base.A, pools.B\n",
    ),
    "attribute in an f-string": (
        "from pkg import pools\n\nprint(f'{pools.B} is not {pools.A!r}')\n",
        "from pkg import base, pools\n\nprint(f'{pools.B} is not {base.A!r}')\n",
    ),
    "star": (
        "from pkg.pools import *\n\nprint(A, B)\n",
        "from pkg.base import A\nfrom pkg.pools import *\n\nprint(A, B)\n",
    ),
    "Windows": (
        "from pkg.pools import A, B\r\n\r\nprint(A, B)\r\n",
        "from pkg.base import A\r\nfrom pkg.pools import B\r\n\r\nprint(A, B)\r\n",
    ),
    "text": ("NAME = 'pkg.pools.A'\nOTHER = 'pkg.pools.B'\n", "NAME = 'pkg.base.A'\nOTHER = 'pkg.pools.B'\n"),
    "text with a colon": ("NAME = 'pkg.pools:A'\n", "NAME = 'pkg.base:A'\n"),
    "nobody": ("from pkg.pools import B\n\nprint(B)\n", "from pkg.pools import B\n\nprint(B)\n"),
}


@pytest.mark.parametrize("case", [*CALLERS])
def test_who_takes_what_moves_takes_it_from_its_new_home(case: str) -> None:
    before, after = CALLERS[case]
    files = {**SMALL, "pkg/user.py": before}
    found = applied(files, step("A"))
    assert found["pkg/user.py"] == after
    assert "class A" in found["pkg/base.py"]
    assert found["pkg/pools.py"].startswith("from pkg.util import other\n\n\nclass B:")


PATCHES = {
    "text": ('patch("pkg.pools.A.f")', 'patch("pkg.base.A.f")'),
    "what it reads": ('patch("pkg.pools.helper")', 'patch("pkg.base.helper")'),
    "what the rest reads": ('patch("pkg.pools.other")', 'patch("pkg.pools.other")'),
    "object": ('patch.object(pools, "A")', 'patch.object(base, "A")'),
    "object that it reads": ('patch.object(pools, "helper")', 'patch.object(base, "helper")'),
    "object of the rest": ('patch.object(pools, "other")', 'patch.object(pools, "other")'),
    "attribute of a class": ('patch.object(pools.A, "f")', 'patch.object(base.A, "f")'),
    "constant": ('patch(f"{HOME}.f")', 'patch(f"{HOME}.f")'),
}


@pytest.mark.parametrize("case", [*PATCHES])
def test_patches_follow_what_moves(case: str) -> None:
    before, after = PATCHES[case]
    text = (
        "from unittest.mock import patch\n\nfrom pkg import pools\n\n"
        "HOME = 'pkg.pools.A'\n\n\ndef test_it():\n    with {}:\n        assert pools.B\n"
    )
    found = applied({**SMALL, "tests/test_pools.py": text.format(before)}, step("A"))["tests/test_pools.py"]
    assert f"    with {after}:" in found
    assert ("from pkg import base, pools" in found) == ("base," in after or "base.A," in after)
    assert "HOME = 'pkg.base.A'" in found


def test_a_file_that_takes_nothing_of_it_may_patch_what_it_reads() -> None:
    text = "from unittest.mock import patch\n\n\ndef test_it():\n    with patch('pkg.pools.helper'):\n        pass\n"
    found = applied({**SMALL, "tests/test_pools.py": text}, step("A"))["tests/test_pools.py"]
    assert found == text.replace("pools", "base")


def test_a_patch_of_a_helper_that_stays_follows_what_alone_reads_it() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/pools.py": "def h():\n    return 1\n\n\ndef A():\n    return h()\n\n\nprint()\n",
        "tests/test_pools.py": "from unittest.mock import patch\n\n\n@patch('pkg.pools.h')\ndef test_it(h): ...\n",
    }
    assert "@patch('pkg.base.h')" in applied(files, step("A"))["tests/test_pools.py"]


def test_a_patch_of_what_both_sides_read_is_refused() -> None:
    files = {**SMALL, "pkg/pools.py": SMALL["pkg/pools.py"].replace("return other()", "return other(), helper()")}
    files["tests/test_pools.py"] = (
        "from unittest.mock import patch\n\nimport pkg.pools\n\n\n@patch('pkg.pools.helper')\ndef test_it(mock):\n"
        "    pkg.pools.A().f()\n"
    )
    (line,) = refused(files, step("A"))
    assert line.startswith(
        "moves.toml:5: step 1, names: tests/test_pools.py:6: it patches helper in pkg.pools, which both"
    )
    after = applied(files, step("A", more='patches = "stay"\n'))
    assert "@patch('pkg.pools.helper')" in after["tests/test_pools.py"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("{pools.B} is not {base.A}, nor pools.A", "PASS"),
        ("{base.B} is not {base.A}, nor pools.A", "RESIDUAL"),
        ("{pools.B} is not {base.A}, nor base.A", "RESIDUAL"),
        ("{pools.B} is not {{base.A}}, nor pools.A", "RESIDUAL"),
        ("{pools.B} is not {base.A!r}, nor pools.A", "RESIDUAL"),
        ("{pools.B} is not {pools.A}, nor pools.A", "RESIDUAL"),
    ],
)
def test_only_what_is_in_the_braces_of_an_f_string_is_redirected(text: str, verdict: str) -> None:
    user = "from pkg import base, pools\n\nprint(base.os, f'@')\n"
    before = {**SMALL, "pkg/base.py": "import os\n\nprint(os)\n"}
    after = applied(before, step("A"))
    before["pkg/user.py"] = user.replace("@", "{pools.B} is not {pools.A}, nor pools.A")
    assert change_verified(before, {**after, "pkg/user.py": user.replace("@", text)}).verdict == verdict


def test_another_object_in_a_call_is_no_new_home_of_what_its_text_names() -> None:
    test = "from pkg import pools, base\n\n\ndef test_it(patch):\n    patch(pools, 'B')\n    return base, pools\n"
    files = {**SMALL, "pkg/base.py": "import os\n\nprint(os)\n", "tests/test_pools.py": test}
    moves = read_moves(f"version = 1\n{step('A')}", "moves.toml")
    before = side(files)
    made = make(starting(before), moves, moves.steps[0])
    changed = with_files(made.side, {"tests/test_pools.py": test.replace("(pools,", "(base,").encode()}, {})
    found = verified(before, replace(made, side=changed, changed=made.changed | {"tests/test_pools.py"}), moves)
    assert [(one.path, one.text) for one in found.residual] == [
        ("tests/test_pools.py", "-    patch(pools, 'B')"),
        ("tests/test_pools.py", "+    patch(base, 'B')"),
    ]


# A new home that is there already


def test_a_home_that_is_there_gets_what_it_lacks() -> None:
    base = tree("""\
# file: pkg/base.py
import json
from typing import TYPE_CHECKING

from pkg.util import other

if TYPE_CHECKING:
    from pkg.util import Other

LIMIT: "Other" = 1


class Base:
    def f(self):
        from pkg.pools import A

        return other(A), json


if __name__ == "__main__":
    print(Base)
""")
    files = {**POOLS, **base, "pkg/util.py": POOLS["pkg/util.py"] + "\n\nclass Other: ...\n"}
    files["pkg/pools.py"] = files["pkg/pools.py"].replace("from __future__ import annotations\n\n", "")
    files["pkg/pools.py"] = files["pkg/pools.py"].replace("size: Hint", "size: 'Hint'")
    after = applied(files, 'recomputed = ["logger", "_fast"]\n' + step("CHUNK", "A"))
    assert (
        after["pkg/base.py"]
        == """\
import json
import logging
import os
from typing import TYPE_CHECKING

from pkg import util
from pkg.util import helper, other

if TYPE_CHECKING:
    from pkg.util import Hint, Other

_fast = util.is_fast()
if _fast:
    from pkg.util import quick

logger = logging.getLogger(__name__)

LIMIT: "Other" = 1

CHUNK = 64


class Base:
    def f(self):
        return other(A), json


if __name__ == "__main__":
    print(Base)


# The pool of A.
class A:
    size: 'Hint' = None

    def f(self):
        logger.info("f")
        return helper(os.getcwd()), CHUNK, quick(self) if _fast else None
"""
    )


def test_what_a_home_reads_at_once_comes_above() -> None:
    files = {**SMALL, "pkg/base.py": '"""Base."""\n\nfrom pkg.pools import A\n\n\nclass D(A):\n    pass\n'}
    after = applied(files, step("A"))
    assert after["pkg/base.py"] == (
        '"""Base."""\n\nfrom pkg.util import helper\n\n\nclass A:\n    def f(self):\n        return helper()\n\n\n'
        "class D(A):\n    pass\n"
    )


def test_two_steps_and_a_package_that_is_not_there() -> None:
    after = applied(SMALL, step("A", new="pkg.parts.a") + step("B", new="pkg.parts.b"))
    assert after["pkg/parts/__init__.py"] == ""
    new = path_of(side(SMALL), "pkg.parts.a", side(SMALL).by_path["pkg/pools.py"])
    assert [*new.values()] == [
        Placed("pkg/parts/__init__.py", "module", "pkg.parts", package=True),
        Placed("pkg/parts/a.py", "module", "pkg.parts.a"),
    ]
    assert (
        after["pkg/parts/b.py"]
        == "from pkg.util import other\n\n\nclass B:\n    def f(self):\n        return other()\n"
    )
    assert after["pkg/pools.py"] == "class C:\n    pass\n"


def test_relative_imports_lead_to_the_same_from_another_package() -> None:
    pools = SMALL["pkg/pools.py"].replace("from pkg.util", "from .util")
    after = applied({**SMALL, "pkg/pools.py": pools}, step("A", new="pkg.sub.base"))
    assert after["pkg/sub/base.py"].startswith("from ..util import helper\n\n\nclass A:")


def test_what_stays_is_imported_from_where_it_is() -> None:
    files = {**SMALL, "pkg/pools.py": SMALL["pkg/pools.py"].replace("return helper()", "return helper(), B")}
    after = applied(files, step("A"))
    assert after["pkg/base.py"].startswith("from pkg.pools import B\nfrom pkg.util import helper\n\n\nclass A:")


def test_what_a_star_import_brings_is_imported_by_name() -> None:
    files = {**SMALL, "pkg/pools.py": SMALL["pkg/pools.py"].replace("import helper, other", "import *")}
    after = applied(files, step("A"))
    assert after["pkg/base.py"].startswith("from pkg.util import helper\n\n\nclass A:")


def test_dunder_all_lets_go_and_a_package_that_declares_keeps() -> None:
    files = {**SMALL, "pkg/pools.py": "__all__ = ['A', 'B']\n" + SMALL["pkg/pools.py"]}
    assert applied(files, step("A"))["pkg/pools.py"].startswith("__all__ = ['B']\nfrom pkg.util import other\n")
    files = {**SMALL, "pkg/sub/__init__.py": "__all__ = ['A', 'B']\n\n\nclass A:\n    pass\n\n\nclass B:\n    pass\n"}
    after = applied(files, step("A", old="pkg.sub", new="pkg.sub.base"))["pkg/sub/__init__.py"]
    assert after == "from pkg.sub.base import A\n\n__all__ = ['A', 'B']\n\n\nclass B:\n    pass\n"


def test_a_shim_stays_only_where_it_is_asked_for() -> None:
    files = {**SMALL, "pkg/user.py": "from pkg.pools import A\n\nprint(A)\n"}
    after = applied(files, step("A", more="shim = true\n"), shims=True)
    assert after["pkg/pools.py"].startswith("from pkg.base import A as A\nfrom pkg.util import other\n")
    assert after["pkg/user.py"].startswith("from pkg.base import A")


def test_bytes_are_kept() -> None:
    """Line ends, an encoding, odd spaces and a missing line end at the end."""
    text = "# -*- coding: latin-1 -*-\r\nclass A:\r\n    x = 'é'  \r\n\r\n\r\nclass B:\r\n\ty = 1;  z = 'é'"
    moves = read_moves(f"version = 1\n{step('B')}", "moves.toml")
    before = Side(build_project({"pkg/__init__.py": "", "pkg/pools.py": ""}), {})
    before = with_files(before, {"pkg/__init__.py": b"", "pkg/pools.py": text.encode("latin-1")}, {})
    made = make(starting(before), moves, moves.steps[0])
    assert verified(before, made, moves).verdict == "PASS"
    assert made.side.contents["pkg/pools.py"].decode("latin-1") == text[: text.index("\r\n\r\nclass B")]
    assert made.side.contents["pkg/base.py"].decode("latin-1") == (
        "# -*- coding: latin-1 -*-\r\n\r\n\r\n" + text[text.index("class B") :] + "\r\n"
    )


def test_a_byte_order_mark_stays_at_the_head() -> None:
    text = "\ufeffclass A:\n    x = 'é'\n\n\nclass B:\n    y = 1\n".encode()
    before = Side(build_project({"pkg/__init__.py": "", "pkg/pools.py": ""}), {})
    before = with_files(before, {"pkg/__init__.py": b"", "pkg/pools.py": text}, {})
    moves = read_moves(f"version = 1\n{step('A')}", "moves.toml")
    made = make(starting(before), moves, moves.steps[0])
    assert verified(before, made, moves).verdict == "PASS"
    assert made.side.contents["pkg/pools.py"] == "\ufeffclass B:\n    y = 1\n".encode()
    assert made.side.contents["pkg/base.py"] == "class A:\n    x = 'é'\n".encode()


# What is refused


def changed(old: str, new: str, **files: str) -> dict[str, str]:
    """The small project with something else in the old home."""
    assert old in SMALL["pkg/pools.py"]
    more = {path.replace("__", "/") + ".py": text for path, text in files.items()}
    return {**SMALL, "pkg/pools.py": SMALL["pkg/pools.py"].replace(old, new), **more}


REFUSED = {
    "two definitions": (
        changed("class C:", "class A:"),
        step("A"),
        "names[0]: pkg/pools.py:4: A is bound several times (lines 4, 14); leave one definition of it",
    ),
    "under if": (
        changed("class C:\n    pass", "if helper:\n\n    class C:\n        pass"),
        step("C"),
        "names[0]: pkg/pools.py:16: C is defined under `if helper`; move that decision out of the module's top level",
    ),
    "under try": (
        changed("class C:\n    pass", "try:\n    C = 1\nfinally:\n    pass"),
        step("C"),
        "names[0]: pkg/pools.py:15: C is defined under `try`; move that decision out of the module's top level",
    ),
    "global": (
        changed("class C:\n    pass", "def f():\n    global N\n    N = 1"),
        step("f"),
        "names[0]: pkg/pools.py:14: f cannot be moved: it uses `global N`, which binds names of its module",
    ),
    "rebound by global": (
        changed("class C:\n    pass", "N = 0\n\n\ndef f():\n    global N\n    N = 1"),
        step("N"),
        "names[0]: pkg/pools.py:14: N is bound several times (lines 14, 19); leave one definition of it",
    ),
    "shared line": (
        changed("class C:\n    pass", "C = 1; D = 2"),
        step("C"),
        "names[0]: pkg/pools.py:14: C shares a line with other code; give it lines of its own",
    ),
    "assigned together": (
        changed("class C:\n    pass", "C = D = 1"),
        step("C"),
        "names[0]: pkg/pools.py:14: C is assigned together with D; move them together",
    ),
    "the target binds it": (
        {**SMALL, "pkg/base.py": "A = 1\n"},
        step("A"),
        "names[0]: pkg.base binds A already (pkg/base.py:1); rename one of them first",
    ),
    "no such module": (SMALL, step("A", old="pkg.pool"), "from: there is no module pkg.pool; did you mean pkg.pools?"),
    "no such name": (SMALL, step("AA"), "names[0]: pkg.pools defines no AA at its top level"),
    "misspelt": (
        SMALL,
        step("helper_"),
        "names[0]: pkg.pools defines no helper_ at its top level; did you mean helper?",
    ),
    "only imported": (
        SMALL,
        step("helper"),
        "names[0]: pkg.pools does not define helper, it imports it (pkg/pools.py:1)",
    ),
    "no package above": (
        SMALL,
        step("A", new="pkg.util.base"),
        "names: pkg.util.base cannot be made: what is above it is no package",
    ),
    "the standard library": (
        SMALL,
        step("A", new="json.base"),
        "to: json is a module of the standard library, which json.base would stand before; name another module",
    ),
    "somebody else's": (
        {**SMALL, "pkg/user.py": "import os\nimport yaml\n"},
        step("A", new="yaml"),
        "to: yaml is imported from elsewhere (pkg/user.py:2); name another module",
    ),
    "not parsed": (
        {**SMALL, "pkg/base.py": "def\n"},
        step("A"),
        "to: pkg/base.py:1: it cannot be parsed: ",
    ),
    "an idle import beside another": (
        {**SMALL, "pkg/pools.py": "import os; import re\n\n\nclass A:\n    x = os\n\n\nclass B:\n    x = re\n"},
        step("A"),
        "names: pkg/pools.py:1: the import of os, which nothing would need any more, shares a line with other code; "
        "give it lines of its own",
    ),
    "its own new home": (
        {**SMALL, "pkg/pools.py": "import pkg.base\n\n\nclass A:\n    x = pkg.base.q\n", "pkg/base.py": "q = 1\n"},
        step("A"),
        "names[0]: pkg/pools.py:4: A reads pkg.base.q of pkg.base, its own new home, which would import itself; take "
        "that by its name first, with `from pkg.base import ...` (pkg/pools.py:1)",
    ),
    "text of several targets": (
        {
            **SMALL,
            "tests/test_a.py": "from unittest.mock import patch\n\nHOME = 'pkg.pools'\n\n\ndef test_it():\n"
            "    with patch(f'{HOME}.A'), patch(f'{HOME}.B'):\n        pass\n",
        },
        step("A"),
        "names: tests/test_a.py:3: other patch targets are made of the same text, and do not move",
    ),
    "under two ifs": (
        changed("class C:\n    pass", "if helper:\n    if other:\n\n        class C:\n            pass"),
        step("C"),
        "names[0]: pkg/pools.py:17: C is defined under `if helper / if other`; move that decision out",
    ),
}


@pytest.mark.parametrize("case", [*REFUSED])
def test_what_cannot_be_moved_is_refused_with_the_reason(case: str) -> None:
    files, steps, said = REFUSED[case]
    (line,) = refused(files, steps)
    assert line.startswith("moves.toml:")
    assert line.partition(": step 1, ")[2].startswith(said), line


def test_all_that_is_wrong_with_a_step_is_said_at_once() -> None:
    lines = refused({**SMALL, "pkg/base.py": "B = 1\n"}, step("X", "B", "helper"))
    assert [line.partition("step 1, ")[2][:8] for line in lines] == ["names[0]", "names[1]", "names[2]"]


OBJECTIONS = {
    "ring": (
        changed("class C:\n    pass", "class C(A):\n    x = B"),
        step("A", "C"),
        [],
    ),
    "ring at import time": (
        changed("class A:", "class A(B0):", pkg__user="").copy()
        | {"pkg/pools.py": "class B:\n    pass\n\n\nclass A(B):\n    pass\n\n\nclass C(A):\n    pass\n"},
        step("A"),
        [
            "pkg/base.py:1: a ring would close: pkg.base -> pkg.pools -> pkg.base",
        ],
    ),
    "registry": (
        changed("class C:", "def register(x):\n    return x\n\n\n@register\nclass C:"),
        step("C"),
        [
            "pkg/base.py:4: C: its decorator register may leave a trace (register it), and importing pkg.pools no "
            "longer runs it"
        ],
    ),
    "own module": (
        changed("    pass", "    x = __name__"),
        step("C"),
        [
            "pkg/pools.py:14: C would not mean the same in pkg.base: __name__ is that of pkg.pools there and of "
            "pkg.base here"
        ],
    ),
    "a logger that nobody says is one": (
        changed(
            "class C:\n    pass", "import logging\n\nlogger = logging.getLogger(__name__)\n\n\nclass C:\n    x = logger"
        ),
        step("logger", "C"),
        [
            "pkg/pools.py:16: logger would not mean the same in pkg.base: __name__ is that of pkg.pools there and of "
            "pkg.base here"
        ],
    ),
    "relative import in a body": (
        changed("    pass", "    def f(self):\n        from .util import helper\n\n        return helper"),
        step("C", new="pkg.sub.base"),
        [
            "pkg/pools.py:14: C would not mean the same in pkg.sub.base: the import of .util.helper in it leads to "
            "nothing here"
        ],
    ),
    "used as a whole": (
        {**SMALL, "pkg/user.py": "import pkg.pools as p\n\n\ndef f(x):\n    return getattr(p, x)\n"},
        step("A"),
        ["pkg/user.py:5: pkg.pools is used as a whole: what is taken from it cannot be told"],
    ),
    "entry point": (
        {**SMALL, "pyproject.toml": "[project]\nname = 'pkg'\n[project.scripts]\npkg = 'pkg.pools:A'\n"},
        step("A"),
        ["pyproject.toml:4: 'pkg.pools.A' would name nothing any more; it is pkg.base.A then"],
    ),
}


@pytest.mark.parametrize("case", [*OBJECTIONS])
def test_what_would_be_more_than_a_move_is_objected_to(case: str) -> None:
    files, steps, said = OBJECTIONS[case]
    moves = read_moves(f"version = 1\n{steps}", "moves.toml")
    before = side(files)
    made = make(starting(before), moves, moves.steps[0])
    assert objections(verified(before, made, moves))[: len(said) or None] == said


def test_a_new_home_may_be_in_the_ring_that_its_old_one_was_in() -> None:
    files = {
        "pkg/__init__.py": "from pkg.pools import A, B\n\n__all__ = ['A', 'B']\n",
        "pkg/pools.py": "import pkg\n\n\nclass A:\n    x = pkg\n\n\nclass B:\n    x = pkg\n",
    }
    assert applied(files, step("A"))["pkg/base.py"] == "import pkg\n\n\nclass A:\n    x = pkg\n"
    files["pkg/pools.py"] = "import pkg\n\n\nclass B:\n    x = pkg\n\n\nclass A:\n    x = B\n\n\nclass C:\n    x = A\n"
    moves = read_moves(f"version = 1\n{step('A')}", "moves.toml")
    before = side(files)
    found = verified(before, make(starting(before), moves, moves.steps[0]), moves)
    assert [ring.ring for ring in found.latent_rings] == [("pkg.base", "pkg.pools")]
    assert found.verdict == "RESIDUAL"


def test_a_body_may_import_one_thing_twice() -> None:
    text = "class D:\n    def f(self):\n        import pkg.pools\n\n        return pkg.pools.A\n\n"
    text += "    def g(self):\n        import pkg.pools\n\n        return pkg.pools.A, pkg.pools.B\n"
    text += "\n    def h(self):\n        from pkg.pools import A\n\n        return A\n"
    text += "\n    def i(self):\n        from pkg.pools import A\n\n        return A\n"
    after = applied({**SMALL, "pkg/user.py": text}, step("A"))["pkg/user.py"]
    assert after == text.replace("pkg.pools.A", "pkg.base.A").replace("from pkg.pools", "from pkg.base").replace(
        "import pkg.pools\n", "import pkg.base\n", 1
    ).replace("import pkg.pools\n", "import pkg.base\n        import pkg.pools\n")


def test_a_package_that_passes_on_what_it_has_by_a_star_import_goes_on() -> None:
    files = {
        **SMALL,
        "pkg/sub/__init__.py": "from pkg.pools import *\n",
        "use.py": "from pkg.sub import A\n\nprint(A)\n",
    }
    after = applied(files, step("A"))
    assert after["pkg/sub/__init__.py"] == "from pkg.base import A\nfrom pkg.pools import *\n"
    assert after["use.py"] == files["use.py"]


def test_a_declared_list_of_several_lines_lets_several_go() -> None:
    pools = "__all__ = (\n    'A', 'B',\n    'C', 'D',\n)\n" + SMALL["pkg/pools.py"] + "\n\nclass D:\n    pass\n"
    after = applied({**SMALL, "pkg/pools.py": pools}, step("A", "B", "C"))["pkg/pools.py"]
    assert after == "__all__ = (\n    'D',\n)\n\n\nclass D:\n    pass\n"


def test_what_is_deleted_again_is_refused() -> None:
    (line,) = refused(changed("class C:\n    pass", "class C:\n    pass\n\n\nx = C()\ndel C"), step("C"))
    assert line.endswith("names[0]: pkg/pools.py:14: C is deleted again; it is not there to be taken")


def test_two_names_for_the_old_home_and_a_late_one() -> None:
    text = "import pkg.pools as p\nfrom pkg import pools\n\nprint(p.A, pools.A, p.B, pools.B)\n"
    text += "\n\ndef f():\n    from pkg.pools import A\n\n    return A\n"
    after = applied({**SMALL, "pkg/user.py": text}, step("A"))["pkg/user.py"]
    assert after == text.replace("p.A, pools.A", "base.A, base.A").replace("from pkg.pools", "from pkg.base").replace(
        "import pkg.pools as p", "import pkg.base as base\nimport pkg.pools as p"
    )


@pytest.mark.parametrize("names", [("A",), ("B",), ("A", "B")])
@pytest.mark.parametrize("there", ["", "\f\nx = 1\n\f\n", "\f\n"])
def test_form_feeds_stay_where_they_are(names: tuple[str, ...], there: str) -> None:
    pools = "import os\n\f\ndef A():\n    return os.sep\n\f\n\ndef B():\n    return os\n\n\f\n"
    files = {"pkg/__init__.py": "", "pkg/pools.py": pools, **({"pkg/base.py": there} if there else {})}
    after = applied(files, step(*names))
    assert after["pkg/pools.py"].count("\f") == 3
    assert after["pkg/base.py"].count("\f") == there.count("\f")


@pytest.mark.parametrize(
    ("old", "there", "new"),
    [
        ("import os.path", "import os", "import os\nimport os.path"),
        ("import os", "import os.path", "import os.path"),
        ("import os\nimport os.path", "import os", "import os\nimport os.path"),
        ("import os.path", "import os.path", "import os.path"),
        ("import os.path as os", "import os.path as os", "import os.path as os"),
    ],
)
def test_a_submodule_that_a_body_reads_is_imported_beside_its_package(old: str, there: str, new: str) -> None:
    body = "def A():\n    return os.path.sep\n"
    files = {"pkg/__init__.py": "", "pkg/pools.py": f"{old}\n\n\n{body}", "pkg/base.py": f"{there}\n\nx = os\n"}
    assert applied(files, step("A"))["pkg/base.py"] == f"{new}\n\nx = os\n\n\n{body}"


def test_a_home_does_not_get_its_own_import() -> None:
    body = "def A():\n    return pkg.util\n"
    files = {
        "pkg/__init__.py": "",
        "pkg/pools.py": f"import pkg.util\nimport pkg.base\n\n\n{body}",
        "pkg/util.py": "",
        "pkg/base.py": "q = 1\n",
    }
    assert applied(files, step("A"))["pkg/base.py"] == f"import pkg.util\n\nq = 1\n\n\n{body}"


def test_imports_go_to_lines_of_their_own() -> None:
    shared = "import re; import os\n\n\n"
    pools = f"{shared}class A:\n    x = os\n\n\nclass B:\n    x = A, os, re\n"
    base = "import re; x = re\n"
    after = applied({"pkg/__init__.py": "", "pkg/pools.py": pools, "pkg/base.py": base}, step("A"))
    assert after["pkg/pools.py"] == f"from pkg.base import A\n\n{shared}class B:\n    x = A, os, re\n"
    assert after["pkg/base.py"] == f"import os\n\n{base}\n\nclass A:\n    x = os\n"


def test_a_home_that_is_there_and_empty_is_like_a_new_one() -> None:
    future, body = "from __future__ import annotations\n", "def A() -> B:\n    return util\n"
    pools = f"# Copyright nobody.\n{future}\nfrom . import util\n\n\n{body}\n\nclass B:\n    x = util\n"
    files = {"pkg/__init__.py": "", "pkg/util.py": "", "pkg/pools.py": pools}
    alone = applied({**files, "pkg/sub/__init__.py": ""}, step("A", new="pkg.sub.base"))
    there = applied({**files, "pkg/sub/__init__.py": "", "pkg/sub/base.py": "\n"}, step("A", new="pkg.sub.base"))
    package = applied({**files, "pkg/sub/__init__.py": ""}, step("A", new="pkg.sub"))
    assert there["pkg/sub/base.py"] == alone["pkg/sub/base.py"]
    assert package["pkg/sub/__init__.py"] == alone["pkg/sub/base.py"]


def test_a_submodule_is_no_other_thing_of_its_name() -> None:
    files = {"pkg/__init__.py": "", "pkg/pools.py": "import os.path as os\n\n\ndef A():\n    return os.path\n"}
    moves = read_moves(f"version = 1\n{step('A')}", "moves.toml")
    before = side({**files, "pkg/base.py": "import os.path\n"})
    (line,) = objections(verified(before, make(starting(before), moves, moves.steps[0]), moves))
    assert line.endswith("A would not mean the same in pkg.base: os is os.path there and os here")


def test_a_form_feed_parts_what_is_left_as_it_did() -> None:
    pools = "import os\n\f\ndef A():\n    return os.sep\n\f\ndef B():\n    return os\n"
    after = applied({"pkg/__init__.py": "", "pkg/pools.py": pools}, step("A"))
    assert after["pkg/pools.py"] == "import os\n\f\n\f\ndef B():\n    return os\n"
    assert after["pkg/base.py"] == "import os\n\n\ndef A():\n    return os.sep\n"


@pytest.mark.parametrize(
    ("declared", "after"),
    [
        ("__all__ = ['Z']", "__all__ = ['Z', 'A']"),
        ('__all__ = ("Y", "Z",)', '__all__ = ("Y", "Z", "A",)'),
        ('__all__ = [\n    "Z",  # the last\n]', '__all__ = [\n    "Z",\n    "A",  # the last\n]'),
        ("__all__ = ['A', 'Z']", "__all__ = ['A', 'Z']"),
    ],
)
def test_the_new_home_declares_what_a_star_import_gave(declared: str, after: str) -> None:
    files = {**SMALL, "pkg/base.py": f"{declared}\n\nY = Z = 1\n"}
    assert after in applied(files, step("A"))["pkg/base.py"]


@pytest.mark.parametrize("declared", ["__all__ = []", "__all__ = 'Z'.split()"])
def test_a_home_whose_all_is_no_list_is_refused(declared: str) -> None:
    assert refused({**SMALL, "pkg/base.py": f"{declared}\n\nZ = 1\n"}, step("A")) == [
        "moves.toml:5: step 1, names: pkg/base.py: its __all__ is not a plain list of texts; write it as one, so that "
        "A can be put into it"
    ]


def test_a_constant_takes_its_documentation_along() -> None:
    constant = 'CHUNK = 64\n"""How much at once.\n\nMore is no faster."""\n'
    pools = f"{constant}LIMIT = 1\n\n\ndef f():\n    return CHUNK\n"
    files = {"pkg/__init__.py": "", "pkg/pools.py": pools}
    after = applied(files, step("CHUNK"))
    assert after["pkg/base.py"] == constant
    assert after["pkg/pools.py"] == "from pkg.base import CHUNK\n\nLIMIT = 1\n\n\ndef f():\n    return CHUNK\n"
    text = constant.split("\n", 1)[1]
    left = after["pkg/pools.py"].replace("LIMIT", text + "LIMIT")
    split = {**after, "pkg/base.py": "CHUNK = 64\n", "pkg/pools.py": left}
    assert change_verified(files, split).verdict == "RESIDUAL"


def test_a_small_constant_of_a_common_name_may_move_alone() -> None:
    one = "from typing import TypeVar\n\nV = TypeVar('V')\n\n\ndef f(x: V) -> V:\n    return x\n"
    files = {"pkg/__init__.py": "", "pkg/pools.py": one, "pkg/a.py": one, "pkg/b.py": one}
    after = applied(files, step("V"))
    assert after["pkg/pools.py"] == "from pkg.base import V\n\n\ndef f(x: V) -> V:\n    return x\n"
    less = {**after, "pkg/base.py": after["pkg/base.py"].replace("('V')", "('W')")}
    assert change_verified(files, less).verdict != "PASS"
