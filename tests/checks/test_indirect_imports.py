"""indirect-imports: a table of small trees with the expected lines marked in place."""

from __future__ import annotations

import pytest

from tests.tree import check_tree

BASE = """
# file: a/__init__.py
# file: a/base.py
class X: ...
class Y: ...
"""

TREES = {
    "through a module": """
# file: a/many.py
from a.base import X
z = X
# file: a/b.py
from a.many import X  # problem: X is taken from a.many, which only imports it
from a.many import z
# file: tests/test_a.py
from a.many import X  # problem: X is taken from a.many, which only imports it
""",
    "through two modules and a renaming": """
# file: a/one.py
from a.base import X as XX
z = XX
# file: a/two.py
from a.one import XX  # problem: XX is taken from a.one
z = XX
# file: a/b.py
from a.two import XX  # problem: XX is taken from a.two
""",
    "through a star import": """
# file: a/one.py
from a.base import *
# file: a/b.py
from a.one import X  # problem: X is taken from a.one
""",
    "the declared face, from outside and from inside": """
# file: a/pool/__init__.py
from a.pool.core import P, Q
__all__ = ["P"]
# file: a/pool/core.py
class P: ...
class Q: ...
# file: a/pool/mha.py
from a.pool import P  # problem: P is taken from a.pool, which only imports it
# file: a/b.py
from a.pool import P
from a.pool import Q  # problem: Q is taken from a.pool
""",
    "a private home": """
# file: a/pool/__init__.py
from a.pool._core import P
# file: a/pool/_core.py
class P: ...
# file: a/pool/mha.py
from a.pool import P  # problem: P is taken from a.pool
# file: a/b.py
from a.pool import P
""",
    "several origins, conditions and fallbacks": """
# file: a/many.py
import sys
if sys.platform == "x":
    from a.base import X
else:
    from a.other import X
if sys.platform == "y":
    from a.base import Y
try:
    from a.other import Z
except ImportError:
    Z = None
# file: a/other.py
class X: ...
class Z: ...
# file: a/b.py
from a.many import X, Y, Z
""",
    "other distributions": """
# file: a/many.py
from json import dumps
z = dumps
# file: a/b.py
from a.many import dumps
""",
    "the home itself may take it back": """
# file: a/many.py
from a.base import X
z = X
# file: a/pool.py
from a.base import X, Y
""",
    "modules are not names": """
# file: a/many.py
from a import base
z = base
# file: a/b.py
from a.many import base
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_indirect_imports(tree: str) -> None:
    check_tree("indirect-imports", BASE + tree)
