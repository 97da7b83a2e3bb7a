"""stale-reexports: a table of small trees with the expected lines marked in place."""

from __future__ import annotations

import pytest

from tests.tree import check_tree

RULES = """
# file: layercheck.toml
[project]
api = ["a"]
[checks]
stale-reexports = "error"
# file: a/base.py
class X: ...
class Y: ...
"""

TREES = {
    "in __all__": """
# file: a/b.py
from a.base import X, Y  # problem: a.b passes on Y of a.base, and nobody takes it from here (src 0, tests 0, patches 0)
__all__ = ["X", "Y", "z"]
z = 1
# file: a/c.py
from a.b import X
x = X
""",
    "as the same name": """
# file: a/b.py
from a.base import X as X  # problem: passes on X of a.base
from a.base import Y as Z
z = Z
""",
    "in an __init__ that does not read it": """
# file: a/b/__init__.py
from a.base import X
from a.base import Y  # problem: passes on Y of a.base
z = X
""",
    "only tests and patches": """
# file: a/b/__init__.py
from a.base import X  # problem: (src 0, tests 1, patches 1); only tests take it from here
# file: tests/test_a.py
from unittest.mock import patch
from a.b import X
def test():
    with patch("a.b.X"):
        assert X
""",
    "an entry point takes it": """
# file: setup.cfg
[metadata]
name = a
[options.entry_points]
console_scripts =
  run = a.b:X
# file: a/b/__init__.py
from a.base import X
# file: a/c/__init__.py
from a.base import X  # problem: (src 0, tests 0, patches 0)
""",
    "taken as an attribute, by a star, by a string, as a whole": """
# file: a/b/__init__.py
from a.base import X
# file: a/c/__init__.py
from a.base import X
# file: a/d/__init__.py
from a.base import X
# file: a/e/__init__.py
from a.base import X
# file: a/user.py
import a.b
from a.c import *
from a import e
print(a.b.X, X, "a.d.X", e)
""",
    "a lazy table names the module": """
# file: a/b/__init__.py
from a.base import X
# file: a/lazy.py
import importlib
WHERE = {"X": "a.b"}
def get(name):
    return getattr(importlib.import_module(WHERE[name]), name)
""",
    "a star import": """
# file: a/b/__init__.py
from a.base import *  # problem: passes on every name of a.base
# file: a/c/__init__.py
from a.base import *
# file: a/d.py
from a.c import Y
y = Y
""",
    "a shim": """
# file: a/b.py
'''Moved.'''
from a.base import X, Y  # problem: a.b is a shim: all it does is to pass on 2 names
""",
    "a shim that is still taken in part": """
# file: a/b.py
from a.base import X, Y  # problem: a.b passes on Y of a.base
# file: a/c.py
from a.b import X
x = X
""",
    "modules and other distributions' names are not judged": """
# file: a/b/__init__.py
from a import base
from json import dumps
from os import *
""",
    "what cannot be seen is not judged": """
# file: a/b/__init__.py
from a.base import X
def __getattr__(name): ...
# file: a/c/__init__.py
from a.base import X
__all__ = [n for n in dir()]
""",
    "outside code may take it": """
# file: a/__init__.py
from a.base import X
""",
}
OPTIONS = {
    "declared names left out": """
# file: layercheck.toml
[project]
api = ["a"]
[checks]
stale-reexports = { exported = false }
# file: a/base.py
class X: ...
class Y: ...
# file: a/b/__init__.py
from a.base import X
from a.base import Y  # problem: passes on Y
from a.base import X as X
__all__ = ["X"]
""",
    "names that tests take left out": """
# file: layercheck.toml
[project]
api = ["a"]
[checks]
stale-reexports = { taken_by_tests = false }
# file: a/base.py
class X: ...
class Y: ...
# file: a/b/__init__.py
from a.base import X
from a.base import Y  # problem: passes on Y
# file: tests/test_a.py
from a.b import X
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_stale_reexports(tree: str) -> None:
    check_tree("stale-reexports", RULES + tree)


@pytest.mark.parametrize("tree", OPTIONS.values(), ids=OPTIONS)
def test_options(tree: str) -> None:
    check_tree("stale-reexports", tree)


def test_without_api_only_private_modules_are_judged() -> None:
    check_tree(
        "stale-reexports",
        """
# file: a/__init__.py
from a._base import X
# file: a/_base.py
class X: ...
# file: a/_b/__init__.py
from a._base import X  # problem: passes on X of a._base
""",
    )
