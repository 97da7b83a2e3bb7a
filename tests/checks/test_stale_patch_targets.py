"""stale-patch-targets: a table of small trees with the expected lines marked, and what the patchers themselves say.

The oracle is unittest.mock and pytest: a target that is said to be missing raises when it is patched, and one that they
patch is never said to be missing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from layercheck.checks import all_checks
from tests.tree import build_project, check_tree, judge_tree, parse_tree, write_tree

HOUSE = """
# file: shop/__init__.py
# file: shop/till.py
import os
from shop.base import Pool
from shop import stock
RATES = {}
class Till(Pool):
    drawer = 1
    slips: list
    class Lock:
        key = 1
    def __init__(self):
        self.coins = 0
    def pay(self): ...
    def __count(self): ...
def close(): ...
# file: shop/base.py
class Pool:
    size = 1
    def fill(self): ...
# file: shop/stock.py
def order(): ...
"""

TREES = {
    "texts": """
# file: tests/test_a.py
from unittest import mock
from unittest.mock import patch
@patch("shop.till.close")
@patch("shop.till.shut")  # problem: error: shop.till does not bind shut, so it cannot be patched
@mock.patch("shop.tils.close")  # problem: there is no shop.tils to patch in
@patch("shop.till.os.getcwd")
@patch("shop.till.os.nowhere")
@patch("shop.till.stock.order")
@patch("shop.till.stock.sell")  # problem: shop.stock does not bind sell
@patch("shop.stock")
@patch("shop.stick")  # problem: shop does not bind stick
@patch("numpy.nowhere")
@patch("shop.till.open")
@patch("shop.till.shut", create=True)
@patch("shop.tils.close", create=True)  # problem: there is no shop.tils
class Test: ...
""",
    "classes": """
# file: tests/test_a.py
from unittest.mock import patch
import shop.till as t
from shop.till import Till
def test():
    with (
        patch("shop.till.Till.pay"),
        patch("shop.till.Till.fill"),
        patch("shop.till.Till.size"),
        patch("shop.till.Till.sell"),  # problem: class shop.till.Till has no attribute sell to patch
        patch("shop.till.Till.coins"),  # problem: has no attribute coins
        patch("shop.till.Till.slips"),  # problem: has no attribute slips
        patch("shop.till.Till.Lock.key"),
        patch("shop.till.Till.Lock.bolt"),  # problem: class shop.till.Till.Lock has no attribute bolt
        patch("shop.till.Till._Till__count"),
        patch("shop.till.Till.__init__"),
        patch("shop.till.Till.mro"),
        patch("shop.till.Till.__made_by_a_loader__"),
        patch("shop.till.Till.pay.anything"),
        patch("shop.till.RATES.anything"),
        patch("shop.till.Pool.fill"),
        patch("shop.till.Pool.drain"),  # problem: class shop.base.Pool has no attribute drain
    ):
        patch.object(Till, "fill")
        patch.object(Till, "drain")  # problem: class shop.till.Till has no attribute drain
        patch.object(t.Till, "drain")  # problem: class shop.till.Till has no attribute drain
        patch.object(t, "close")
        patch.object(t, "shut")  # problem: shop.till does not bind shut
        patch.object(t.stock, "sell")  # problem: shop.stock does not bind sell
        patch.multiple("shop.till", close=1, shut=2)  # problem: does not bind shut
        patch.multiple(t, RATES=1, shut=2)  # problem: does not bind shut
""",
    "objects that may be something else by then": """
# file: tests/test_a.py
from unittest.mock import patch
def test_assigned():
    from shop import till
    till = till.Till()
    patch.object(till, "shut").start()
def test_parameter(till):
    from shop import till
    patch.object(till, "shut").start()
def test_loop():
    from shop import till
    for till in range(3):
        patch(f"{till.__name__}.shut").start()
def test_taken():
    from shop import till
    patch.object(till, "shut").start()  # problem: error: shop.till does not bind shut
""",
    "mappings and modules": """
# file: tests/test_a.py
import sys
from unittest.mock import patch
import shop.till
@patch.dict("shop.till.RATES", x=1)
@patch.dict("shop.till.PRICES", x=1)  # problem: shop.till does not bind PRICES
@patch.dict(shop.till.PRICES, x=1)  # problem: shop.till does not bind PRICES
@patch.dict("os.environ", x=1)
@patch.dict("sys.modules", {"shop.till": None, "numpy": None})
@patch.dict(sys.modules, {"shop.sub.till": None})  # problem: warning: there is no module shop.sub.till
@patch.dict(sys.modules, {"shop.gone": None})  # problem: warning: there is no module shop.gone
@patch.dict(sys.modules, {"shop.fake": 1})
@patch.dict(sys.modules, {"shop.sub.stock": 1})  # problem: there is no module shop.sub.stock
def test(monkeypatch):
    monkeypatch.setitem(sys.modules, "shop.away", None)
    monkeypatch.setitem(shop.till.RATES, "x", 1)
    monkeypatch.setitem(shop.till.PRICES, "x", 1)  # problem: does not bind PRICES
    monkeypatch.setenv("shop.nowhere", "1")
def test_away():
    try:
        import shop.away
    except ImportError:
        pass
""",
    "fixtures": """
# file: tests/test_a.py
import shop.till
def test(mocker, monkeypatch):
    mocker.patch("shop.till.shut")  # problem: does not bind shut
    mocker.patch.object(shop.till, "shut")  # problem: does not bind shut
    mocker.spy(shop.till.Till, "pay")
    mocker.spy(shop.till.Till, "sell")  # problem: no attribute sell
    monkeypatch.setattr("shop.till.shut", 1)  # problem: does not bind shut
    monkeypatch.setattr("shop.till.shut", 1, raising=False)
    monkeypatch.setattr(shop.till, "shut", 1)  # problem: does not bind shut
    monkeypatch.setattr(shop.till, "shut", 1, raising=False)
    monkeypatch.delattr("shop.till.shut")  # problem: does not bind shut
    monkeypatch.delattr(shop.till, "shut", False)
""",
    "texts that are made": """
# file: tests/test_a.py
from unittest.mock import patch
import pytest
import shop.till
HOME = "shop.till"
class Test:
    BASE = "shop.stock"
    @patch(f"{HOME}.close")
    @patch(f"{HOME}.shut")  # problem: does not bind shut
    @patch(BASE + ".sell")  # problem: does not bind sell
    @patch("%s.shut" % HOME)  # problem: does not bind shut
    @patch("{}.shut".format(HOME))  # problem: does not bind shut
    @patch(f"{shop.till.__name__}.shut")  # problem: does not bind shut
    @patch(f"{__name__}.HOME")
    @patch(f"{__name__}.AWAY")  # problem: tests/test_a.py does not bind AWAY
    def test(self, x):
        patch(self.BASE + ".order")
        patch(f"{self.BASE}.sell")  # problem: does not bind sell
        patch(f"{x}.sell")
for name in (
    "shop.till.close",
    "shop.till.shut",  # problem: does not bind shut
):
    patch(name)
@pytest.mark.parametrize("name", ["close", "shut"])  # problem: does not bind shut
def test(name):
    patch(f"shop.till.{name}")
def helper(name):
    patch(f"{HOME}.{name}")
helper("close")
helper("shut")  # problem: does not bind shut
""",
    "where it lives now": """
# file: shop/old.py
class Kept: ...
# file: shop/pools/__init__.py
# file: shop/pools/red.py
class Red:
    def fill(self): ...
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.old.Red")  # problem: shop.old does not bind Red
@patch("shop.old.Red.fill")  # problem: there is no shop.old.Red
@patch("shop.red.Red.fill")  # problem: there is no shop.red
@patch("shop.old.Kebt")  # problem: shop.old does not bind Kebt
def test(): ...
""",
    "names that may be there": """
# file: shop/open.py
def __getattr__(name): ...
# file: shop/maybe.py
import sys
if sys.platform == "win32":
    x = 1
try:
    from shop.base import Pool
except ImportError:
    Pool = None
# file: shop/stored.py
# file: shop/bases.py
import enum
from abc import ABC
from typing import Generic, NamedTuple, TypeVar
from elsewhere import Base
import shop.base
class A(Base): ...
class B(A): ...
class C(ABC, Generic[TypeVar("T")]): ...
class D(Exception): ...
class E(shop.base.Pool): ...
class F(NamedTuple):
    x: int
class G(enum.Enum):
    X = 1
class H(I): ...
@Base
class J: ...
class K:
    def __getattr__(self, name): ...
class L(K): ...
class M: ...
M.late = 1
class N:
    class O: ...
    class P(O): ...
class Q(Q): ...
class R:
    x = 1
R = Base(R)
# file: shop/late.py
import shop.stored
from shop.bases import C
shop.stored.flag = 1
C.flag = 1
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.open.x")
@patch("shop.maybe.x")
@patch("shop.maybe.Pool.x")
@patch("shop.stored.flag")
@patch("shop.stored.flog")  # problem: does not bind flog
@patch("shop.bases.A.x")
@patch("shop.bases.B.x")
@patch("shop.bases.C.x")  # problem: no attribute x
@patch("shop.bases.C.flag")
@patch("shop.bases.C.register")
@patch("shop.bases.D.args")
@patch("shop.bases.D.x")  # problem: no attribute x
@patch("shop.bases.E.fill")
@patch("shop.bases.E.x")  # problem: no attribute x
@patch("shop.bases.F.x")
@patch("shop.bases.F.y")
@patch("shop.bases.G.X")
@patch("shop.bases.G.Y")
@patch("shop.bases.H.x")
@patch("shop.bases.J.x")
@patch("shop.bases.K.x")
@patch("shop.bases.L.x")
@patch("shop.bases.M.late")
@patch("shop.bases.M.x")  # problem: no attribute x
@patch("shop.bases.N.P.x")
@patch("shop.bases.Q.x")
@patch("shop.bases.R.y")
def test(): ...
""",
    "through what is open": """
# file: shop/lazy/__init__.py
def __getattr__(name): ...
# file: shop/lazy/part.py
x = 1
# file: shop/outer.py
from elsewhere import Base
class A(Base):
    class B:
        x = 1
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.lazy.part.x")
@patch("shop.lazy.part.y")  # problem: warning: shop.lazy.part does not bind y
@patch("shop.outer.A.B.x")
@patch("shop.outer.A.B.y")  # problem: warning: class shop.outer.A.B has no attribute y
def test(): ...
""",
    "type checking only": """
# file: shop/typed.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from shop.base import Pool
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.typed.Pool")  # problem: shop.typed binds Pool only for type checking
def test(): ...
""",
    "a package open to submodules, and vendored tests": """
# file: space/part/__init__.py
# file: space/part/a.py
# file: shop/_vendor/__init__.py
# file: shop/_vendor/test_x.py
from unittest.mock import patch
patch("shop.till.shut")
# file: tests/test_a.py
from unittest.mock import patch
@patch("space.other.x")
@patch("space.part.a.x")  # problem: space.part.a does not bind x
def test(): ...
""",
    "where a part of the tests is skipped": """
# file: tests/test_a.py
import pytest
from unittest.mock import patch
numpy = pytest.importorskip("numpy")
tills = pytest.importorskip("shop.tills")
till = pytest.importorskip("shop.till")
@patch("numpy.nowhere")
@patch.object(numpy, "nowhere")
@patch.object(tills, "close")
@patch("shop.tills.close")
@patch.object(till, "close")
@patch("shop.till.shut")  # problem: shop.till does not bind shut
def test(): ...
""",
    "modules have tests too": """
# file: shop/tests/__init__.py
# file: shop/tests/test_a.py
from unittest.mock import patch
from .. import till
@patch.object(till, "shut")  # problem: does not bind shut
def test(): ...
""",
    "bases that add nothing, by the module they are in": """
# file: shop/bare.py
import abc
import typing as t
from typing import Generic
class Shelf(t.Generic[T], abc.ABC): ...
class Rack(Generic[T], t.Protocol): ...
class Unknown(t.Hashable): ...
# file: tests/test_a.py
from unittest.mock import patch
patch("shop.bare.Shelf.tidy")  # problem: class shop.bare.Shelf has no attribute tidy
patch("shop.bare.Rack.tidy")  # problem: class shop.bare.Rack has no attribute tidy
patch("shop.bare.Unknown.tidy")
patch("json.dumps")
patch("json")
""",
}  # fmt: skip


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_stale_patch_targets(tree: str) -> None:
    check_tree("stale-patch-targets", HOUSE + tree.lstrip("\n"))


HELPS = {
    "shop.old.Red": (
        "moved to shop.pools.red.Red, and nothing reads it there: drop the patch, or patch what the test runs"
    ),
    "shop.old.Red.fill": "moved to shop.pools.red.Red?",
    "shop.red.Red.fill": "moved to shop.pools.red?",
    "shop.old.Kebt": "did you mean shop.old.Kept?",
    "shop.old.order": (
        "moved to shop.stock.order, and nothing reads it there: drop the patch, or patch what the test runs"
    ),
    "shop.old.getcwd": "patch where it lives now, or drop the patch",
    "shop.till.Till.payy": "did you mean pay?",
    "shop.till.Till.zzz": "patch where it lives now, or drop the patch",
}


@pytest.mark.parametrize(("target", "expected"), HELPS.items(), ids=HELPS)
def test_it_says_where_the_name_lives_now(target: str, expected: str) -> None:
    tree = HOUSE + TREES["where it lives now"].lstrip("\n")
    files = {**parse_tree(tree).files, "tests/test_a.py": f"from unittest.mock import patch\npatch({target!r})\n"}
    (finding,) = judge_tree("stale-patch-targets", files).findings
    assert finding.problem.help == expected


def test_it_says_which_module_reads_an_outside_name_now() -> None:
    files = {
        "shop/__init__.py": "",
        "shop/old.py": "",
        "shop/new.py": "from outside import transfer\ndef f(): transfer()\n",
        "tests/test_a.py": "from unittest.mock import patch\npatch('shop.old.transfer')\n",
    }
    (finding,) = judge_tree("stale-patch-targets", files).findings
    assert finding.problem.help == "moved to shop.new.transfer?"


READERS = {
    "def pay(): ...\ndef close(): pay()\n": "moved to shop.new.pay?",
    "def pay(): ...\n": "moved to shop.new.pay, where nothing reads it: patch it where it is read: shop.user.settle",
    "def pay(): ...\ndef close(): pay()\n\n": ("moved to shop.new.pay? There are other copies of it: shop.user.settle"),
}


@pytest.mark.parametrize(("new", "expected"), READERS.items())
def test_it_says_who_would_not_see_a_patch_of_the_new_place(new: str, expected: str) -> None:
    copies = "settle" in expected
    files = {
        "shop/__init__.py": "",
        "shop/old.py": "",
        "shop/new.py": new,
        "shop/user.py": "from shop.new import pay as settle\ndef f(): settle()\n" if copies else "",
        "tests/test_a.py": "from unittest.mock import patch\npatch('shop.old.pay')\n",
    }
    (finding,) = judge_tree("stale-patch-targets", files).findings
    assert finding.problem.help == expected


def test_it_counts_what_is_not_constant() -> None:
    source = "from unittest.mock import patch\npatch('a.b')\npatch(x)\npatch.object(f(), 'x')\n"
    check = all_checks()["stale-patch-targets"]
    noun = check.coverage(build_project({"a.py": "b = 1\n", "tests/test_a.py": source}), check.options()).noun
    assert noun == "3 patch targets, 2 of them made up at run time"


ORACLE = """
import json, sys
from unittest import mock
import pytest

def fails(how, target):
    try:
        if how == "mock":
            with mock.patch(target):
                pass
        else:
            with pytest.MonkeyPatch.context() as patcher:
                patcher.setattr(target, 1)
    except (AttributeError, ImportError):
        return True
    return False

json.dump([fails(how, target) for how, target in json.load(sys.stdin)], sys.stdout)
"""


def test_patchers_agree(tmp_path: Path) -> None:
    """Every name with one dot more, on everything that the house binds, patched for good in another process."""
    owners = ["shop", "shop.till", "shop.base", "shop.stock", "shop.till.Till", "shop.till.Till.Lock", "shop.till.Pool"]
    owners += ["shop.till.stock", "shop.tils", "shop.till.Tell", "shop.till.os.path"]
    words = "till stock close order Till Pool pay fill size coins slips drawer Lock key join __init__ mro nothing open"
    targets = [f"{owner}.{word}" for owner in owners for word in words.split()]
    calls = [(how, target) for target in targets for how in ("mock", "pytest")]
    write_tree(tmp_path, HOUSE)
    done = subprocess.run(
        [sys.executable, "-c", ORACLE],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    fails = dict(zip(map(tuple, calls), json.loads(done.stdout), strict=True))
    source = "from unittest.mock import patch\n" + "".join(f"patch({target!r})\n" for target in targets)
    files = {**parse_tree(HOUSE).files, "tests/test_a.py": source}
    lines = {one.problem.location.line for one in judge_tree("stale-patch-targets", files).findings}
    told = {target for number, target in enumerate(targets, 2) if number in lines}
    assert [target for target in told if not fails["mock", target] or not fails["pytest", target]] == []
    quiet = {target for target in targets if target not in told and fails["mock", target]}
    outside = {target for target in targets if target.startswith("shop.till.os.")}
    assert quiet - outside == {"shop.till", "shop.stock"}, "modules that somebody may import before, and outside names"
