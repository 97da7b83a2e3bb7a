"""ineffective-patches: a table of small trees with the expected lines marked in place."""

from __future__ import annotations

import pytest

from tests.tree import check_tree, judge_tree, parse_tree

HOUSE = """
# file: shop/__init__.py
# file: shop/base.py
def pay(): ...
LIMIT = 1
class Pool: ...
# file: shop/old.py
from shop.base import pay, LIMIT
from shop.base import Pool
class Old:
    def run(self): return LIMIT
# file: shop/new.py
from shop.base import pay as pays
from shop.base import LIMIT
class New:
    def run(self): return pays(LIMIT)
def make(): return New()
"""

TREES = {
    "only imported": """
# file: tests/test_a.py
from unittest.mock import patch
from shop import old
import shop.new
@patch("shop.old.pay")  # problem: shop.old only imports pay and nothing reads it there
@patch.object(old, "Pool")  # problem: shop.old only imports Pool
@patch("shop.old.pay.__doc__")
@patch("shop.new.pays")
@patch("shop.base.pay")
@patch("shop.base.LIMIT", 3)
def test(*things):
    shop.new.make()
""",
    "monkeypatch and mocker": """
# file: tests/test_a.py
import shop.old
def test(monkeypatch, mocker):
    monkeypatch.setattr(shop.old, "pay", 1)  # problem: only imports pay
    monkeypatch.setattr("shop.old.pay", 1)  # problem: only imports pay
    mocker.patch("shop.old.pay")  # problem: only imports pay
    mocker.patch.dict("shop.old.pay")
""",
    "taken elsewhere when the module runs": """
# file: shop/user.py
from shop.old import pay
def f(): pay()
# file: tests/test_a.py
from unittest.mock import patch
from shop.user import f
@patch("shop.old.pay")  # problem: only imports pay
def test(pay):
    f()
""",
    "taken elsewhere when somebody calls": """
# file: shop/user.py
def f():
    from shop.old import pay
    pay()
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.old.pay")
def test(pay): ...
""",
    "read as an attribute": """
# file: shop/user.py
import shop.old
def f(): shop.old.pay()
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.old.pay")
@patch("shop.old.Pool")  # problem: only imports Pool
def test(*things): ...
""",
    "read by the test": """
# file: tests/test_a.py
from unittest.mock import patch
from shop import old
@patch("shop.old.pay")
def test(pay):
    old.pay()
""",
    "handed on as a whole": """
# file: shop/user.py
import shop.old
def f(name): return getattr(shop.old, name)
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.old.pay")
def test(pay): ...
""",
    "named by a string": """
# file: shop/user.py
HOOK = "shop.old.pay"
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.old.pay")
def test(pay): ...
""",
    "a star takes it": """
# file: shop/user.py
from shop.old import *
def f(): pay()
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.old.pay")
def test(pay): ...
""",
    "imported while the test runs": """
# file: shop/user.py
from shop.old import pay
def f(): pay()
# file: tests/test_a.py
from unittest.mock import patch
def test():
    with patch("shop.old.pay"):
        from shop.user import f
        f()
# file: tests/test_b.py
import importlib
from unittest.mock import patch
@patch("shop.old.pay")
def test(pay): ...
""",
    "modules, and what may be one": """
# file: shop/mods.py
import os
import json as j
from shop import base
from urllib import parse
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.mods.os")
@patch("shop.mods.j")
@patch("shop.mods.base")
@patch("shop.mods.parse")  # problem: shop.mods only imports parse
def test(*things): ...
""",
    "bound otherwise too, or in an open module": """
# file: shop/both.py
try:
    from fast import pay
except ImportError:
    pay = None
# file: shop/open.py
from shop.base import pay
def __getattr__(name): ...
# file: shop/named.py
from shop.base import pay
def f(name): return globals()[name]
# file: tests/test_a.py
from unittest.mock import patch
@patch("shop.both.pay")
@patch("shop.open.pay")
@patch("shop.named.pay")
def test(*things): ...
""",
    "what runs lives elsewhere": """
# file: tests/test_a.py
from unittest.mock import patch
import shop.new
from shop.new import New, make
@patch("shop.old.LIMIT", 2)  # problem: warning: shop.old.LIMIT is patched, but New, which runs here, lives in shop.new
def test_class():
    New().run()
@patch("shop.old.LIMIT", 2)  # problem: but make, which runs here, lives in shop.new, which reads its own LIMIT
def test_function():
    shop.new.make()
@patch("shop.new.LIMIT", 2)
def test_right():
    New().run()
class Test:
    @patch("shop.old.LIMIT")  # problem: but New, which runs here
    def test(self, limit):
        self.assertEqual(New().run(), 1)
def test_with(monkeypatch):
    monkeypatch.setattr("shop.old.LIMIT", 2)  # problem: but New, which runs here
    New()
""",
    "it may run the patched module": """
# file: shop/way.py
import shop.old
from shop.base import LIMIT
class Way:
    def run(self): return LIMIT
# file: shop/far.py
from shop.way import Way
from shop.base import LIMIT
class Far:
    def run(self): return LIMIT
# file: shop/late.py
from shop.base import LIMIT
class Late:
    def run(self):
        import shop.old
        return LIMIT
# file: tests/test_a.py
from unittest.mock import patch
import pytest
from shop.old import Old
from shop.new import New
from shop.far import Far
from shop.way import Way
from shop.late import Late
@patch("shop.old.LIMIT", 2)
def test_way(): Way()
@patch("shop.old.LIMIT", 2)
def test_far(): Far()
@patch("shop.old.LIMIT", 2)
def test_late(): Late()
@patch("shop.old.LIMIT", 2)
def test_both():
    Old(), New()
@patch("shop.old.LIMIT", 2)
def test_fixture(thing):
    New(thing)
@patch("shop.old.LIMIT", 2)
def test_nothing(): ...
def helper(): Old()
@patch("shop.old.LIMIT", 2)
def test_helper():
    helper(), New()
class Test:
    @patch("shop.old.LIMIT", 2)
    def test(self):
        self.old.run(New())
@pytest.fixture
def other():
    with patch("shop.old.LIMIT", 2):
        yield New()
""",
    "no copy is read where it lives": """
# file: shop/other.py
class Other: ...
# file: tests/test_a.py
from unittest.mock import patch
from shop.other import Other
@patch("shop.old.LIMIT", 2)
def test(): Other()
""",
    "what a module offers to others may be read by code that is not here": """
# file: shop/clock.py
from time import sleep
from time import time as time
from time import monotonic
__all__ = ["sleep"]
# file: shop/open.py
from time import sleep
__all__ = made()
# file: shop/testing.py
def fake(monkeypatch):
    from shop import clock, open
    monkeypatch.setattr(clock, "sleep", 1)
    monkeypatch.setattr(clock, "time", 1)
    monkeypatch.setattr(clock, "monotonic", 1)  # problem: shop.clock only imports monotonic
    monkeypatch.setattr(open, "sleep", 1)
""",
    "only the first level": """
# file: layercheck.toml
[checks]
ineffective-patches = { elsewhere = "off" }
# file: tests/test_a.py
from unittest.mock import patch
from shop.new import New
@patch("shop.old.LIMIT", 2)
@patch("shop.old.pay", 2)  # problem: error: shop.old only imports pay
def test(): New()
""",
    "both levels at full strength": """
# file: layercheck.toml
[checks]
ineffective-patches = { elsewhere = "error" }
# file: tests/test_a.py
from unittest.mock import patch
from shop.new import New
@patch("shop.old.LIMIT", 2)  # problem: error: shop.old.LIMIT is patched
def test(): New()
""",
}  # fmt: skip


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_ineffective_patches(tree: str) -> None:
    check_tree("ineffective-patches", HOUSE + tree.lstrip("\n"))


def test_it_says_who_reads_the_object_under_which_name() -> None:
    source = "from unittest.mock import patch\npatch('shop.old.pay')\npatch('shop.old.Pool')\n"
    files = {**parse_tree(HOUSE).files, "tests/test_a.py": source}
    first, second = judge_tree("ineffective-patches", files).findings
    assert first.problem.help == "patch shop.new.pays instead"
    assert [(one.path, one.line) for one in first.problem.related] == [("shop/new.py", 1)]
    assert second.problem.help == "nothing in the project reads it: drop the patch"


def test_of_many_readers_the_first_are_named() -> None:
    more = {f"shop/m{n}.py": "from shop.base import pay\npay()\n" for n in range(4)}
    source = "from unittest.mock import patch\npatch('shop.old.pay')\n"
    files = {**parse_tree(HOUSE).files, **more, "tests/test_a.py": source}
    (finding,) = judge_tree("ineffective-patches", files).findings
    assert finding.problem.help == "patch it where it is read: shop.m0.pay, shop.m1.pay, shop.m2.pay and 2 more"
