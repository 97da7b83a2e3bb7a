"""private-names: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, text_fault
from tests.tree import check_tree

KIND = "private-names"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "an underscore, of a name or a module": """
# file: app/__init__.py
from app.core.deep import _x  # problem: app takes _x of app.core.deep, and _x is private by its name
# file: app/core/__init__.py
# file: app/core/deep.py
_x = y = __version__ = 1
# file: app/core/beside.py
from app.core.deep import _x
# file: app/core/further/below.py
from app.core.deep import _x
import app._inner.part
# file: app/_inner/__init__.py
_z = 1
# file: app/_inner/part.py
y = 1
# file: app/other.py
from app._inner import part, _z  # problem: app.other takes _z of app._inner, and _z is private by its name
from app.core.deep import y, __version__
# file: lib/__init__.py
from app.core.deep import _x  # problem: lib takes _x of app.core.deep
import app._inner  # problem: lib imports app._inner, and _inner is private by its name
from app._inner import part  # problem: lib imports app._inner.part, and _inner is private
from app._inner.part import y  # problem: lib takes y of app._inner.part, and _inner is private
# file: alone.py
_x = 1
# file: _hidden.py
x = 1
# file: user.py
from alone import _x  # problem: user takes _x of alone
from _hidden import x
""",
    "not in __all__": """
# file: app/core/__init__.py
# file: app/core/deep.py
__all__ = ["x"]
x = y = __version__ = 1
# file: app/core/beside.py
from app.core.deep import y
# file: app/core/unknown.py
__all__ = made()
y = 1
# file: app/other.py
from app.core.deep import x, __version__
from app.core.deep import *
from app.core.unknown import y
from app.core.deep import y  # problem: app.other takes y of app.core.deep, which is not in the `__all__` of app
""",
    "a face": """
# file: app/__init__.py
# file: app/core/__init__.py
__all__ = ["x", "open"]
from app.core.deep.er import x
z = 1
# file: app/core/deep/__init__.py
# file: app/core/deep/er.py
import app.core.open
x = y = 1
# file: app/core/open.py
y = 1
# file: app/no_face/__init__.py
from app.core import x, open
# file: app/no_face/a.py
y = 1
# file: app/other.py
import app.core
from app.core.open import y
from app.core.deep.er import x
from app.core.deep.er import y as y2  # problem: takes y of app.core.deep.er, which is not in the `__all__` of app.core
from app.core.deep import er  # problem: app.other imports app.core.deep.er, which is not in the `__all__` of app.core
from app.core import z  # problem: app.other takes z of app.core, which is not in the `__all__` of app.core
from app.no_face.a import y as y3
""",
    "a package with a face of its own is shown by that": """
# file: app/__init__.py
# file: app/db/__init__.py
__all__ = ["connect"]
def connect(): ...
# file: app/db/models/__init__.py
__all__ = ["Model"]
from app.db.models.base import Model
# file: app/db/models/base.py
class Model: ...
class Hidden: ...
# file: app/db/plain/__init__.py
x = 1
# file: app/other.py
from app.db import models
from app.db.models import Model
from app.db.models.base import Hidden  # problem: which is not in the `__all__` of app.db.models
from app.db.plain import x  # problem: app.other takes x of app.db.plain, which is not in the `__all__` of app.db
""",
    "faces may be left alone": """
faces = false
# file: app/__init__.py
# file: app/db/__init__.py
__all__ = ["connect"]
def connect(): ...
def other(): ...
# file: app/db/inner.py
x = _y = 1
# file: app/user/__init__.py
from app.db.inner import x
from app.db.inner import _y  # problem: _y is private by its name
from app.db import other  # problem: which is not in the `__all__` of app.db
""",
    "by attribute": """
# file: app/__init__.py
# file: app/core/__init__.py
# file: app/core/deep.py
__all__ = ["x"]
x = y = _z = 1
# file: app/core/beside.py
from app.core import deep
deep._z
# file: app/other.py
import app.core.deep as d
from app.core import deep
print(d.x, d.__name__)
def later():
    return d._z  # problem: app.other takes _z of app.core.deep, and _z is private by its name
print(deep._z, d.y)  # problem: app.other takes y of app.core.deep, which is not in the `__all__` of app.core.deep
""",
    "by attribute of what is surely still the module": """
# file: app/__init__.py
# file: app/pay/__init__.py
# file: app/pay/card.py
_q = 1
# file: app/pay/cash.py
_q = 1
# file: app/assigned.py
from app.pay import card
card = 3
card._q
# file: app/called.py
from app.pay import card
card = card.pay()
card._q
# file: app/perhaps.py
from app.pay import card
if 1: card = None
card._q
# file: app/looped.py
from app.pay import card
for card in []: card._q
# file: app/set_from_a_function.py
from app.pay import card
def later():
    global card
    card = 3
card._q
# file: app/named.py
from app.pay import card
globals()["card"] = 3
card._q
# file: app/replaced.py
from app.pay import card
import card
card._q
# file: app/in_functions.py
def parameter(card):
    from app.pay import card
    card._q
def assigned():
    from app.pay import card
    card = card.pay()
    return card._q
def nonlocal_():
    from app.pay import card
    def inner():
        nonlocal card
        card = 3
    card._q
def other():
    from app.pay import card
    return card._q  # problem: app.in_functions takes _q of app.pay.card
# file: app/shadowed.py
from app.pay import card
def parameter(card):
    return card._q
def own():
    card = 3
    return card._q
# file: app/twice.py
from app.pay import card
from app.pay import card
card._q  # problem: app.twice takes _q of app.pay.card
# file: app/either.py
try:
    from app.pay import card
except ImportError:
    from app.pay import cash as card
card._q  # problem: app.either takes _q of app.pay.card  # problem: app.either takes _q of app.pay.cash
""",
    "interfaces, relative to within": """
within = "app"
interfaces = { core = ["api", "models.*.Row", "_old", "run"] }
# file: app/__init__.py
# file: app/core/__init__.py
def run(): ...
def stop(): ...
# file: app/core/api.py
x = _y = 1
# file: app/core/_old.py
z = _w = 1
# file: app/core/models/one.py
Row = Other = 1
# file: app/core/deep/x.py
from app.core.models.one import Other
# file: app/other.py
from app.core import api, run
from app.core.api import x
from app.core.models.one import Row
from app.core._old import z
from app.core.api import _y  # problem: app.other takes _y of app.core.api, which app.core does not offer
from app.core.models.one import Other  # problem: takes Other of app.core.models.one, which app.core does not offer
from app.core import stop  # problem: app.other takes stop of app.core, which app.core does not offer
import app.core.deep.x  # problem: app.other imports app.core.deep.x, which app.core does not offer
def later():
    return api._y  # problem: app.other takes _y of app.core.api, which app.core does not offer
""",
    "within, kinds and exempt": """
within = "app.core"
kinds = ["deferred"]
exempt = ["old"]
# file: app/core/__init__.py
# file: app/core/a.py
_x = 1
# file: app/b.py
_y = 1
# file: old/__init__.py
def f():
    from app.core.a import _x
# file: new/__init__.py
import app.core.a as a
from app.core.a import _x
print(a._x)
def f():
    from app.b import _y
    from app.core.a import _x  # problem: new takes _x of app.core.a
""",
    "consumers and vendored code are not judged, an ignore silences": """
ignore = [{ import = "old -> app.a._x", reason = "known" }]
# file: app/__init__.py
# file: app/a.py
_x = 1
# file: old/__init__.py
from app.a import _x
# file: new/__init__.py
from app.a import _x  # layercheck: ignore[private-names] for a week
# file: new/_vendor/x.py
from app.a import _x
# file: tests/test_a.py
from app.a import _x
""",
}
TEXT_FAULTS = {
    "kinds = []": "`kinds` is empty",
    'exempt = ["a b"]': "`exempt[0]`: 'a b' is neither a name nor a pattern",
    'interfaces = { "a*" = ["b"] }': "`interfaces`: 'a*' is no name of a package",
    "interfaces = { a = [] }": "`interfaces`: a offers nothing",
    'interfaces = { a = ["b c"] }': "`interfaces`: 'b c', offered by a, is neither a name nor a pattern",
}
CODE = """# file: app/__init__.py
x = 1
# file: app/a.py
y = 1
# file: app/b.py
def __getattr__(name): ...
"""
CODE_FAULTS = {
    'within = "apps"': [("within", "there is no package apps; did you mean app?")],
    "interfaces = { apq = ['a'] }": [("interfaces.apq", "there is no module apq")],
    "interfaces = { app = ['aa', 'a.z', 'q*'] }": [
        ("interfaces.app[0]", "there is no module or name app.aa; did you mean app.a?"),
        ("interfaces.app[1]", "there is no module or name app.a.z"),
        ("interfaces.app[2]", "no module or name fits the pattern app.q*"),
    ],
    "interfaces = { app = ['x', 'a', 'a.y', 'a.*', 'b.z', '*'] }": [],
    'exempt = ["a"]': [("exempt[0]", "there is no module a")],
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree(KIND, RULE + tree.lstrip("\n"))


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    assert fault in text_fault(KIND, text)


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    code_faults(RULE + text + "\n" + CODE, faults)
