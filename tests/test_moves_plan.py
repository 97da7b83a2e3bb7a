"""Plans: how small modules come apart, and what the file says of it. Each plan is made, and must be only a move."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from layercheck.errors import LayercheckError
from layercheck.moves.families import Families, Item, families_of
from layercheck.moves.movesfile import read_moves
from layercheck.moves.planfile import render
from layercheck.moves.planning import Plan, plan
from layercheck.moves.proof import objections, verified
from layercheck.moves.step import make, starting
from tests.moving import side, tree


def planned(files: Mapping[str, str], module: str = "pkg.pools", **options: str) -> Plan:
    """The plan for a module; it is made, and proved, to the end."""
    before = side(files)
    found = plan(before, module, **options)
    moves = read_moves(render(found), "plan.toml")
    assert [step.names for step in moves.steps] == [one.step.names for one in found.steps]
    made = starting(before)
    for step in moves.steps:
        made = make(made, moves, step)
    result = verified(before, made, moves)
    assert result.verdict == "PASS", "\n".join(objections(result))
    return found


def steps(found: Plan) -> list[tuple[str, tuple[str, ...]]]:
    """Where each step goes, and with what."""
    return [(one.step.new_home, one.step.names) for one in found.steps]


# Families


def item(name: str, *reads: str, kind: str = "class", bases: tuple[str, ...] = (), stays: str = "") -> Item:
    return Item((name,), kind, frozenset((*reads, *bases)), frozenset(bases), stays)


FAMILIES: dict[str, tuple[list[Item], Families]] = {
    "what derives goes together": (
        [item("A"), item("B", bases=("A",)), item("C")],
        Families((), (("A", "B"), ("C",)), ()),
    ),
    "mutual use": (
        [item("f", "g", kind="function"), item("g", "f", kind="function"), item("h", kind="function")],
        Families((), (("f", "g"), ("h",)), ()),
    ),
    "a factory goes with what it chooses among": (
        [item("A"), item("B", bases=("A",)), item("make", "A", "B", kind="function"), item("C")],
        Families((), (("A", "B", "make"), ("C",)), ()),
    ),
    "a factory holds together what shares a base": (
        [item("Base"), item("A", bases=("Base",)), item("B", bases=("Base",)), item("make", "A", "B", kind="function")],
        Families((), (("Base", "A", "B", "make"),), ()),
    ),
    "what several families read is shared": (
        [item("N", kind="constant"), item("A", "N"), item("B", "N"), item("C", bases=("B",))],
        Families(("N",), (("A",), ("B", "C")), ()),
    ),
    "what the shared reads is shared": (
        [item("M", kind="constant"), item("f", "M", kind="function"), item("A", "f"), item("B", "f")],
        Families(("M", "f"), (("A",), ("B",)), ()),
    ),
    "a base of several families is shared": (
        [item("Base"), item("A", bases=("Base",)), item("B", bases=("Base",)), item("A2", bases=("A",))],
        Families(("Base",), (("A", "A2"), ("B",)), ()),
    ),
    "a helper of one family goes with it": (
        [item("f", kind="function"), item("A", "f"), item("B", bases=("A",)), item("C")],
        Families((), (("f", "A", "B"), ("C",)), ()),
    ),
    "who only uses a family joins it": (
        [item("A"), item("B", bases=("A",)), item("Only", "A"), item("C")],
        Families((), (("A", "B", "Only"), ("C",)), ()),
    ),
    "who uses several is one of its own, and goes last": (
        [
            item("All", "A", "B", "C"),
            item("A"),
            item("A2", bases=("A",)),
            item("B"),
            item("B2", bases=("B",)),
            item("C"),
        ],
        Families((), (("A", "A2"), ("B", "B2"), ("All", "C")), ()),
    ),
    "who reads what stays, stays": (
        [item("A", stays="it does"), item("B", "A"), item("C", "B"), item("D")],
        Families((), (("D",),), (("A", "it does"), ("B", "it reads A, which stays"), ("C", "it reads B, which stays"))),
    ),
}


@pytest.mark.parametrize("case", [*FAMILIES])
def test_families(case: str) -> None:
    items, expected = FAMILIES[case]
    assert families_of(items) == expected


# Plans

POOLS = tree('''\
# file: pkg/__init__.py
# file: pkg/hosts/__init__.py
# file: pkg/hosts/base.py
class Host:
    def f(self):
        return 1
# file: pkg/util.py
def is_fast():
    return True


def quick(x):
    return x
# file: pkg/pools.py
"""All pools."""

import logging

from pkg.hosts.base import Host
from pkg.util import is_fast

_fast = is_fast()
if _fast:
    from pkg.util import quick

logger = logging.getLogger(__name__)

CHUNK = 64


class MhaPool(Host):
    def f(self):
        logger.info("f")
        return quick(self) if _fast else CHUNK


class AsymmetricMhaPool(MhaPool):
    pass


class MhaOnlyPool(Host):
    other: "MhaPool"


def get_mha_pool(wide):
    return AsymmetricMhaPool if wide else MhaPool


class MlaPool(Host):
    def f(self):
        logger.info("g")
        return CHUNK
# file: pkg/user.py
from pkg.pools import MlaPool, get_mha_pool

print(MlaPool, get_mha_pool)
# file: tests/test_pools.py
from unittest.mock import patch


def test_it():
    with patch("pkg.pools.MlaPool.f"):
        pass
''')


def test_a_catch_all_module_comes_apart() -> None:
    found = planned(POOLS)
    assert found.recomputed == ("_fast", "logger")
    assert steps(found) == [
        ("pkg.hosts.base", ("CHUNK",)),
        ("pkg.hosts.mha", ("MhaPool", "AsymmetricMhaPool", "MhaOnlyPool", "get_mha_pool")),
        ("pkg.hosts.mla", ("MlaPool",)),
    ]
    assert [(use.path, use.line) for use in found.steps[2].callers] == [("pkg/user.py", 1)]
    assert [(use.path, use.line) for use in found.steps[2].patches] == [("tests/test_pools.py", 5)]
    assert found.steps[2].imports == ("CHUNK", "Host", "logger", "logging")


def test_the_file_says_what_a_person_should_know() -> None:
    text = render(plan(side(POOLS), "pkg.pools"))
    assert text[text.index("\nversion") :] == (
        """
version = 1

# Constants that every module computes for itself: they are copied, not moved.
recomputed = ["_fast", "logger"]

[[step]]
# What the steps below share: 1 name, 1 line.
# Taken by nobody else.
# Patched by nobody else.
from = "pkg.pools"
to = "pkg.hosts.base"
names = ["CHUNK"]

[[step]]
# A family: 4 names, 10 lines.
# It needs there: CHUNK, Host, _fast, is_fast, logger, logging, quick.
# Taken by (1 place):
#   pkg/user.py:1
# Patched by nobody else.
from = "pkg.pools"
to = "pkg.hosts.mha"
names = ["MhaPool", "AsymmetricMhaPool", "MhaOnlyPool", "get_mha_pool"]

[[step]]
# A family: 1 name, 4 lines.
# It needs there: CHUNK, Host, logger, logging.
# Taken by (1 place):
#   pkg/user.py:1
# Patched by (1 place):
#   tests/test_pools.py:5
from = "pkg.pools"
to = "pkg.hosts.mla"
names = ["MlaPool"]
"""
    )


def test_without_a_base_new_modules_stand_beside_the_old_one() -> None:
    files = {**POOLS, "pkg/pools.py": POOLS["pkg/pools.py"].replace("(Host)", "")}
    assert [home for home, _ in steps(planned(files))] == ["pkg.pools_base", "pkg.pools_mha", "pkg.pools_mla"]
    found = planned(files, into="pkg.parts", base="pkg.util")
    assert [home for home, _ in steps(found)] == ["pkg.util", "pkg.parts.mha", "pkg.parts.mla"]


def test_a_base_that_has_such_a_name_or_imports_the_module_is_not_taken() -> None:
    files = {**POOLS, "pkg/hosts/base.py": POOLS["pkg/hosts/base.py"] + "\n\nCHUNK = 1\n"}
    assert steps(planned(files))[0] == ("pkg.hosts.base_2", ("CHUNK",))
    files = {**POOLS, "pkg/hosts/mha.py": ""}
    assert [home for home, _ in steps(planned(files))] == ["pkg.hosts.base", "pkg.hosts.asymmetric", "pkg.hosts.mla"]


STAYS = {
    "class A:\n    pass\n": "",
    "if helper:\n\n    class A:\n        pass\n": "it is defined under `if helper`",
    "A = 1; X = 2\n": "it shares a line with other code",
    "A = 1\nA = 2\n": "it is bound several times",
    "def A():\n    global Z\n    Z = 1\n": "it uses `global Z`, which binds names of its module",
    "def A():\n    return __file__\n": "it reads __file__, which is that of its module",
    "def A():\n    from pkg.pools import B\n\n    return B\n": "its body imports its own module",
    "@helper\ndef A(): ...\n": "its decorator helper may leave a trace; where it does not, name it in `harmless`",
    "for X in ():\n    pass\n\n\ndef A():\n    return X\n": "it reads X, which a loop or a function binds",
    "A = 1\ndel A\n": "it is deleted",
    "if helper:\n    import os\n    Q = 1\n\n\ndef A():\n    return os\n": (
        "it reads os, which is imported under `if helper` among other things"
    ),
    "from os import *\n\n\ndef A():\n    return getcwd()\n": "where getcwd comes from cannot be told",
}


@pytest.mark.parametrize("text", [*STAYS])
def test_what_cannot_leave_is_listed_with_the_reason(text: str) -> None:
    pools = f"from pkg.util import helper\n\n\n{text}\n\nclass B:\n    pass\n\n\nclass C:\n    pass\n"
    files = {"pkg/__init__.py": "", "pkg/util.py": "def helper(x):\n    return x\n", "pkg/pools.py": pools}
    found = planned(files)
    assert dict(found.staying).get("A", "") == STAYS[text]
    assert ("A" in {name for one in found.steps for name in one.step.names}) == (not STAYS[text])


def test_nothing_to_plan() -> None:
    files = {"pkg/__init__.py": "", "pkg/pools.py": "class A:\n    pass\n\n\nclass B(A):\n    pass\n"}
    with pytest.raises(LayercheckError) as error:
        plan(side(files), "pkg.pools")
    assert error.value.lines == ("pkg.pools: its definitions all need one another; there is nothing to plan",)
    with pytest.raises(LayercheckError, match=r"pkg: nothing of it can leave; there is nothing to plan"):
        plan(side(files), "pkg")
    with pytest.raises(LayercheckError, match=r"there is no module pkg\.pool; did you mean pkg\.pools\?"):
        plan(side(files), "pkg.pool")
    with pytest.raises(LayercheckError, match=r"pkg/bad\.py:1: it cannot be parsed"):
        plan(side({**files, "pkg/bad.py": "def\n"}), "pkg.bad")


def test_patches_of_what_both_sides_read_stay_and_are_listed() -> None:
    pools = "from pkg.util import helper\n\n\nclass A:\n    x = helper\n\n\nclass B:\n    x = helper\n"
    files = {
        "pkg/__init__.py": "",
        "pkg/util.py": "def helper(): ...\n",
        "pkg/pools.py": pools,
        "tests/test_a.py": "from unittest.mock import patch\n\n\n@patch('pkg.pools.helper')\ndef test_it(it): ...\n",
    }
    text = render(planned(files))
    comment = (
        "# These patch what both this and the rest read. They stay where they are; let them patch both places then:\n"
    )
    assert text.count(f"{comment}#   tests/test_a.py:4\n") == 2
    assert text.count('\npatches = "stay"\n') == 2


def test_who_uses_the_module_as_a_whole_is_listed() -> None:
    files = {**POOLS, "pkg/user.py": "import pkg.pools as p\n\n\ndef f(x):\n    return getattr(p, x)\n"}
    text = render(plan(side(files), "pkg.pools"))
    assert (
        "# Steps are refused as long as the module is used as a whole, for any name may be meant:\n#   pkg/user.py:5"
        in text
    )


def test_what_runs_code_that_may_leave_a_trace_stays() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/lib.py": "MADE = []\n\n\ndef reg(x):\n    MADE.append(x)\n    return x\n",
        "pkg/pools.py": "from pkg.lib import reg\n\nA = reg(1)\n\n\nclass B:\n    pass\n\n\nclass C:\n    pass\n",
    }
    why = "it runs pkg.lib.reg, which may leave a trace; where it does not, name it in `harmless`"
    assert dict(planned(files).staying) == {"A": why}


def test_what_others_bind_again_stays_with_all_that_reads_it() -> None:
    pools = "hook = input\n\n\ndef ask():\n    return hook()\n\n\nclass B:\n    pass\n\n\nclass C:\n    pass\n"
    files = {"pkg/__init__.py": "", "pkg/pools.py": pools, "pkg/fake.py": "from pkg import pools\npools.hook = print\n"}
    assert dict(planned(files).staying) == {
        "hook": "it is bound again later (pkg/fake.py:2), which an import of it would not see",
        "ask": "it reads hook, which stays",
    }
