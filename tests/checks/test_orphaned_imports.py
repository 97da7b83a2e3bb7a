"""orphaned-imports: a table of small trees with the expected lines marked in place."""

from __future__ import annotations

import pytest

from tests.tree import check_tree

BASE = """
# file: a/__init__.py
# file: a/base.py
PAGE = 1
class Pool: ...
def pay(): ...
"""

TREES = {
    "nobody reads it": """
# file: a/b.py
import os  # problem: os is imported and not used in a.b
import os.path as path  # problem: os.path as path is imported and not used
from a.base import PAGE  # problem: PAGE from a.base is imported and not used
from a.base import pay as settle  # problem: pay from a.base as settle is imported
x = 1
""",
    "read in some scope": """
# file: a/b.py
import os, sys, json, re, abc, csv, ast, dis
from a.base import PAGE, Pool, pay
def f(x=os.sep, *args: "sys.Y"):
    return lambda: [json for _ in ()]
class C(Pool):
    re = re
    def g(self):
        class D:
            y = abc
        return D
@pay
def h() -> "list[csv.Z]": ...
v: "ast.AST"
w = 1  # type: dis.Bytecode
print(f"{PAGE}")
""",
    "a local of the same name is no use": """
# file: a/b.py
import os  # problem: os is imported and not used
import sys  # problem: sys is imported and not used
import re  # problem: re is imported and not used
def f(os):
    return os
def g():
    sys = 1
    return sys
h = [re for re in ()]
""",
    "a shared constant that is still used": """
# file: a/many.py
from a.base import PAGE, Pool, pay  # problem: pay from a.base is imported and not used
class Left(Pool):
    def size(self):
        return PAGE
""",
    "somebody takes it through this module": """
# file: a/b.py
from a.base import PAGE, Pool, pay
import json
import csv  # problem: csv is imported and not used
x = 1
# file: a/c.py
from a.b import PAGE, x
import a.b
from a import b
print(a.b.Pool, PAGE, x, b.pay)
# file: tests/test_a.py
from a.b import json
""",
    "through a star import": """
# file: a/b.py
from a.base import PAGE, Pool  # problem: Pool from a.base is imported and not used
x = 1
# file: a/c.py
from a.b import *
print(PAGE, x)
""",
    "the whole module is handed on": """
# file: a/b.py
from a.base import PAGE
x = 1
# file: a/c.py
from a import b
print(vars(b))
# file: a/d.py
from a.base import PAGE
x = 1
# file: a/e.py
import a.d
getattr(a.d, "PA" + "GE")
""",
    "a string names it": """
# file: a/b.py
from a.base import PAGE, Pool
x = 1
# file: a/c.py
HANDLER = "a.b.Pool"
ENTRY = "a.b:PAGE"
""",
    "an entry point names it": """
# file: pyproject.toml
[project]
name = "a"
scripts = { pay = "a.b:pay", other = "elsewhere:PAGE" }
# file: a/b.py
from a.base import pay
from a.base import PAGE  # problem: PAGE from a.base is imported
x = 1
""",
    "only a patch names it": """
# file: a/b.py
from a.base import PAGE  # problem: only patch targets name it
from a.base import Pool  # problem: only patch targets name it
from a.base import pay
def f():
    return pay()
# file: tests/test_a.py
from unittest import mock
from a import b
@mock.patch("a.b.PAGE", 2)
@mock.patch("a.b.pay")
def test(pay):
    with mock.patch.object(b, "Pool"):
        pass
""",
    "explicit re-exports": """
# file: a/b.py
from a.base import PAGE as PAGE
from a.base import Pool
import json as json
__all__ = ["Pool", "f"]
def f(): ...
""",
    "an __all__ that cannot be read": """
# file: a/b.py
from a.base import Pool
__all__ = [n for n in dir()]
""",
    "names read by a computed name": """
# file: a/b.py
from a.base import Pool
def f(n):
    return globals()[n]
# file: a/c.py
import sys
from a.base import Pool
def f(n):
    return getattr(sys.modules[__name__], n)
# file: a/d.py
from a.base import PAGE, Pool  # problem: Pool from a.base is imported and not used
def f():
    return globals()["PAGE"]
""",
    "a module that only imports, and an __init__": """
# file: a/compat.py
'''A face.'''
from __future__ import annotations
import json
try:
    import simplejson
except ImportError:
    simplejson = None
from a.base import Pool
# file: a/sub/__init__.py
from a.base import Pool
import json
x = 1
""",
    "a face": """
# file: a/compat.py
import sys
from json import dumps, loads, load, dump
from a.base import Pool
PY = sys.version_info
# file: a/c.py
from a.compat import dumps, loads, load, PY
x = dumps, loads, load, PY
""",
    "taken through a function's global": """
# file: a/b.py
def f():
    global dumps, loads
    from json import dumps
    from json import loads  # problem: loads from json is imported and not used in a.b
# file: a/c.py
from a.b import dumps
x = dumps
""",
    "modules run for what they do": """
# file: a/signals.py
# file: a/b.py
import a.signals
from a import signals
from . import signals as s
x = 1
""",
    "probes": """
# file: a/b.py
try:
    import torch
    from a.base import Pool
except ImportError:
    torch = None
    import json
else:
    import csv
x = 1
""",
    "the future, a star, a class body": """
# file: a/b.py
from __future__ import annotations
from a.base import *
class C:
    import json
    from a.base import Pool
""",
    "noqa": """
# file: a/b.py
import os  # noqa
import re  # noqa: F401
import sys  # noqa: E501  # problem: sys is imported and not used
import abc  # pylint: disable=unused-import
from a.base import (  # noqa: F401
    PAGE,
    Pool,
)
from a.base import (
    pay,  # noqa: F401
    PAGE as P,  # problem: PAGE from a.base as P
)
x = 1
""",
    "noqa for the file": """
# file: a/b.py
# ruff: noqa: F401
import os
x = 1
# file: a/c.py
# flake8: noqa
import os
x = 1
# file: a/d.py
# ruff: noqa: E501
import os  # problem: os is imported and not used
x = 1
""",
    "in functions": """
# file: a/b.py
def f():
    import os  # problem: os is imported and not used in this function
    import re
    from a.base import Pool
    from a.base import PAGE  # problem: PAGE from a.base is imported and not used in this function
    def g():
        return Pool
    return re
def h():
    import os
    return locals()
def k():
    global json
    import json
    import a.base
def m():
    return json
""",
    "under if, and bound again under else": """
# file: a/b.py
import sys
if sys.platform == "x":
    from a.base import pay  # problem: pay from a.base is imported and not used
else:
    pay = None
if sys.platform == "y":
    from a.base import PAGE
else:
    PAGE = 0
print(PAGE)
""",
    "an empty block": """
# file: a/b.py
import sys
if sys.platform == "x":  # problem: nothing is left under this test
    pass
if sys.platform == "y":
    pass
else:
    x = 1
def f():
    if x:
        pass
""",
    "typing imports": """
# file: a/b.py
from typing import TYPE_CHECKING, cast
if TYPE_CHECKING:
    from a.base import Pool, pay  # problem: pay from a.base is imported and not used
    from a.base import PAGE
def f(p: "Pool"):
    return cast("PAGE", p)
""",
    "pytest takes names": """
# file: tests/fixtures.py
import pytest
@pytest.fixture
def pool(): ...
@pytest.fixture
def desk(): ...
def helper(): ...
class TestShared: ...
def test_shared(): ...
# file: tests/conftest.py
from tests.fixtures import desk
x = 1
# file: tests/test_a.py
from tests.fixtures import pool, TestShared, test_shared
from tests.fixtures import helper  # problem: helper from tests/fixtures.py is imported
def test_a(pool, desk): ...
""",
    "a conftest's imports are there to be found": """
# file: plug.py
def no_network(): ...
def pytest_configure(): ...
# file: tests/conftest.py
import os  # problem: os is imported and not used
from plug import no_network
from plug import pytest_configure
x = 1
# file: tests/test_a.py
from plug import pytest_configure
x = 1
# file: tests/__init__.py
from plug import no_network
x = 1
""",
    "a probe whose failure is told in other words": """
# file: a/b.py
try:
    import torch
except ImportError:
    raise RuntimeError("install torch")
x = 1
""",
    "broken imports are judged elsewhere": """
# file: a/b.py
from a.base import gone
import a.nowhere
x = 1
""",
    "vendored code is not judged": """
# file: a/_vendor/b.py
import os
x = 1
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_orphaned_imports(tree: str) -> None:
    check_tree("orphaned-imports", BASE + tree)
