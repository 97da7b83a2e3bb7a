"""misplaced-classes: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, text_fault
from tests.tree import check_tree

KIND = "misplaced-classes"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "directly, through others, through imports of every form": """
subclasses_of = ["Pool"]
home = "pools.*.**"
# file: base.py
class Pool: ...
class Near(Pool): ...  # problem: Near derives from Pool, so it belongs in pools.*.**, not in base
# file: face.py
from base import *
from base import Near as Next
import pools.one as whole
# file: pools/__init__.py
# file: pools/one.py
from face import Pool
class One(Pool): ...
# file: pools/deep/x.py
from pools.one import One
class Deep(One): ...
# file: away.py
import base, face, pools.one
import base as b
from pools import one
class A(base.Pool): ...  # problem: A derives from Pool
class B(b.Near[int], object): ...  # problem: B derives from Pool
class C(face.Next): ...  # problem: C derives from Pool
@decorated  # problem: D derives from Pool
class D(pools.one.One): ...
class E(one.One, metaclass=M): ...  # problem: E derives from Pool
class F(face.whole.One): ...  # problem: F derives from Pool
class G(Generic[D]): ...
if G:
    class H(A): ...  # problem: H derives from Pool
""",
    "never by the name alone": """
subclasses_of = ["base.Pool"]
home = "base"
# file: base.py
class Pool: ...
class Inside(Pool): ...
# file: other.py
class Pool: ...
class A(Pool): ...
# file: away.py
from unknown import Pool
import nowhere as base
class A(Pool): ...
class B(base.Pool): ...
class C(made(Pool)): ...
def f():
    class Pool: ...
""",
    "a class that takes its base's name": """
subclasses_of = ["base.Pool"]
home = ["base"]
# file: base.py
class Pool: ...
class X(Pool): ...
# file: away.py
from base import Pool
class Pool(Pool): ...  # problem: Pool derives from base.Pool
# file: ring.py
class P(Q): ...
class Q(P): ...
""",
    "relative to within, with those that are not moved yet": """
within = "app"
subclasses_of = ["base.Pool", "Cache"]
home = ["pools", "caches"]
but = { Old = "base", Twice = ["one", "two"] }
# file: other.py
from app.base import Pool
class Outside(Pool): ...
# file: app/base.py
class Pool: ...
class Old(Pool): ...
class Both(Pool, Cache): ...  # problem: Both derives from base.Pool, so it belongs in app.pools or app.caches
class Cache: ...
# file: app/one.py
from app.base import *
class Twice(Pool): ...
class Old(Pool): ...  # problem: Old derives from base.Pool
# file: app/two.py
from .base import Cache
class Twice(Cache): ...
# file: app/pools.py
from . import base
class P(base.Pool): ...
# file: app/caches/x.py
from ..base import Cache
class C(Cache): ...
""",
    "a pattern of homes is taken exactly, and may be still to come": """
subclasses_of = ["Pool"]
home = ["*", "new.**"]
but = { Old = "away.a" }
# file: base.py
class Pool: ...
class One(Pool): ...
# file: two.py
from base import Pool
class Two(Pool): ...
# file: away/__init__.py
from base import Pool
class Three(Pool): ...
# file: away/a.py
from base import Pool
class Old(Pool): ...
class Four(Pool): ...  # problem: Four derives from Pool, so it belongs in * or new.**, not in away.a
""",
    "bases from outside": """
subclasses_of = ["django.db.models.Model", "torch.nn.Module"]
home = "app.models"
# file: app/models.py
from django.db import models
class M(models.Model): ...
# file: app/views.py
import django.db.models
import torch.nn, torch
from torch import nn
import torch.nn as short
from app.models import M
class V(django.db.models.Model): ...  # problem: V derives from django.db.models.Model, so it belongs in app.models
class W(M): ...  # problem: W derives from django.db.models.Model
class X(torch.nn.Module): ...  # problem: X derives from torch.nn.Module
class Y(nn.Module): ...  # problem: Y derives from torch.nn.Module
class Z(short.Module): ...  # problem: Z derives from torch.nn.Module
class N(nn.Linear): ...
""",
    "vendored code is not judged, an ignore in the code silences": """
subclasses_of = ["base.Pool"]
home = "base"
# file: base.py
class Pool: ...
# file: app/_vendor/x.py
from base import Pool
class X(Pool): ...
# file: app/a.py
from base import Pool
class Y(Pool): ...  # layercheck: ignore[misplaced-classes] a mixin
""",
    "a base from outside, by the package that an import binds": """
subclasses_of = ["django.db.models.Model"]
home = "models"
# file: away.py
import django.db.models
import django.db.models as m
class A(django.db.models.Model): ...  # problem: A derives from django.db.models.Model
class B(m.Model): ...  # problem: B derives from django.db.models.Model
""",
}
TEXT_FAULTS = {
    'subclasses_of = []\nhome = "a"': "`subclasses_of` is empty",
    'subclasses_of = ["A"]\nhome = []': "`home` is empty",
    'subclasses_of = ["A*"]\nhome = "a"': "`subclasses_of`: A* is a pattern",
    'subclasses_of = ["A b"]\nhome = "a"': "`subclasses_of[0]`: 'A b' is neither a name nor a pattern",
    'subclasses_of = ["A"]\nhome = "a/b"': "`home`: 'a/b' is neither a name nor a pattern",
    'subclasses_of = ["A"]\nhome = "a"\nbut = { "A.B" = "c" }': "`but`: 'A.B' is no name of a class",
    'subclasses_of = ["A"]\nhome = "a"\nbut = { B = "*" }': "`but`: say in which module B is",
    'subclasses_of = ["A"]\nhome = "a"\nbut = { B = [] }': "`but`: say in which module B is",
}
CODE = """# file: app/__init__.py
# file: app/a.py
class Base: ...
class Alone: ...
# file: app/b.py
from app.a import Base
class B(Base): ...
class Twice: ...
# file: app/c.py
class Twice: ...
class C: ...
"""
CODE_FAULTS = {
    'subclasses_of = ["Bas"]\nhome = "app.b"': [("subclasses_of[0]", "there is no class Bas; did you mean Base?")],
    'subclasses_of = ["app.a.Bas"]\nhome = "app.b"': [("subclasses_of[0]", "did you mean app.a.Base?")],
    'subclasses_of = ["Twice"]\nhome = "app.b"': [("subclasses_of[0]", "several classes Twice: app.b.Twice, app.c")],
    'subclasses_of = ["Alone"]\nhome = "app.b"': [("subclasses_of[0]", "no class within derives from Alone")],
    'subclasses_of = ["torch.nn.Modul"]\nhome = "app.b"': [("subclasses_of[0]", "no class within derives from torch")],
    'subclasses_of = ["Base"]\nhome = "app.bb"': [("home", "there is no module app.bb; did you mean app.b?")],
    'subclasses_of = ["Base"]\nhome = ["app.b", "x.*"]': [("home[1]", "no module fits the pattern x.*")],
    'subclasses_of = ["Base"]\nhome = "app.a"\nbut = { B = "app.b" }': [],
    'subclasses_of = ["Base"]\nhome = "app.b"\nbut = { B = "app.a" }': [
        ("but.B", "app.a has no such class B any more; it is in app.b, where it belongs: take it out")
    ],
    'subclasses_of = ["Base"]\nhome = "app.a"\nbut = { B = "app.b", C = ["app.c"] }': [
        ("but.C", "class C of app.c derives from none of these any more: take it out")
    ],
    'subclasses_of = ["Base"]\nhome = "app.a"\nbut = { B = "app.b", D = ["app.c"] }': [
        ("but.D", "app.c has no such class D any more: take it out")
    ],
    # Where a base is not known nobody knows what derives from it.
    'subclasses_of = ["Twice"]\nhome = "app.a"\nbut = { B = "app.b", D = ["app.c"] }': [
        ("subclasses_of[0]", "several classes Twice: app.b.Twice, app.c")
    ],
    'subclasses_of = ["Bas"]\nhome = "app.a"\nbut = { B = "app.b" }': [
        ("subclasses_of[0]", "there is no class Bas; did you mean Base?")
    ],
    'subclasses_of = ["Base"]\nhome = "b"\nwithin = "apps"': [("within", "there is no package apps")],
    'subclasses_of = ["a.Base"]\nhome = "b"\nwithin = "app"': [],
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
