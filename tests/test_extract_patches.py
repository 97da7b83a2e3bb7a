"""Patches: what patchers replace, in every spelling; what is not constant; the code under patches; class bodies."""

from __future__ import annotations

import pytest

from layercheck.facts import Patch, Piece, Span
from tests.extracting import facts

HEAD = """\
import m, importlib, pytest, sys
from unittest import mock
from unittest.mock import patch
from m import C
HOME = 'a.b'
TWICE = 'x.y'
TWICE = 'x.z'
NAMES = ['a.x', 'a.y']
"""


def told(patch: Patch) -> str:
    """A patch in short: ``a.b`` for a text, ``m:a`` for an object, ``{}`` around mappings, ``[]`` around modules,
    ``?`` where the last name may be missing."""
    text = patch.target or f"{patch.name}:{patch.attributes}"
    left, right = {"attribute": ("", ""), "mapping": "{}", "module": "[]"}[patch.kind]
    return left + text + right + "?" * patch.lenient


def said(source: str) -> list[str]:
    """All patches of a source in short, and an underscore for each target that is not constant."""
    found = facts(HEAD + source)
    return [*map(told, found.patches), *["_"] * found.unknown_patches]


CALLS = [
    ("patch('c.d')", "c.d"),
    ("patch('c.d.e', new=1)", "c.d.e"),
    ("patch(target='c.d', create=True)", "c.d?"),
    ("patch('c.d', 1, None, True)", "c.d?"),
    ("patch('c.d', **more)", "c.d?"),
    ("patch('c.d', create=flag)", "c.d?"),
    ("patch('c.d', create=False)", "c.d"),
    ("patch('c')", ""),
    ("patch('/users/{id}')", ""),
    ("patch(*args)", ""),
    ("@patch('c.d')\nclass X: pass", "c.d"),
    ("@patch.object(C, 'd')\ndef f(x): pass", "C:d"),
    ("patch.object(m, 'd')", "m:d"),
    ("patch.object(m.n, 'd', create=True)", "m:n.d?"),
    ("patch.object(target=m, attribute='d')", "m:d"),
    ("patch.object(m, f'{HOME}')", ""),
    ("patch.object(m, 'd' + 'e')", "m:de"),
    ("patch.object('c.d', 'e')", ""),
    ("patch.object(m, name)", "_"),
    ("patch.object(f(), 'd')", "_"),
    ("def f(self): patch.object(self.client, 'd')", "_"),
    ("def f(client): patch.object(client, 'd')", "_"),
    ("def f():\n  client = m.Client()\n  patch.object(client, 'd')", "_"),
    ("def f():\n  from k import l\n  patch.object(l, 'd')", "l:d"),
    ("def f():\n  n = m.n\n  patch.object(n.o, 'd')", "m:n.o.d"),
    ("n = importlib.import_module('k.l')\npatch.object(n, 'd')", "k.l.d"),
    ("def f():\n  n = importlib.import_module('k.l')\n  patch.object(n.x, 'd')", "k.l.x.d"),
    ("patch.object(sys.modules['k.l'], 'd')", "k.l.d"),
    ("patch.object(sys.modules[__name__], 'd')", "__name__:d"),
    ("class X: pass\npatch.object(X, 'd')", "X:d"),
    ("patch.multiple('c.d', x=1, y=2, spec=True, create=True)", "c.d.x? c.d.y?"),
    ("patch.multiple(m, x=1)", "m:x"),
    ("patch.multiple(HOME, x=1)", "a.b.x"),
    ("patch.multiple(m, **things)", ""),
    ("patch.dict('c.MAP', x=1)", "{c.MAP}"),
    ("patch.dict(m.MAP, x=1)", "{m:MAP}"),
    ("patch.dict(C, x=1)", ""),
    ("patch.dict(f(), x=1)", "_"),
    ("patch.dict('sys.modules', {'c.d': x, 'e': None})", "[c.d]? [e]"),
    ("patch.dict(sys.modules, {'c.d': x})", "[c.d]?"),
    ("def f(mocker): mocker.patch('c.d')", "c.d"),
    ("def f(mocker): mocker.patch.object(m, 'd')", "m:d"),
    ("def f(session_mocker): session_mocker.patch.dict('c.d')", "{c.d}"),
    ("def f(mocker): mocker.spy(m.C, 'd')", "m:C.d"),
    ("def f(self): self.mocker.spy(m, name='d')", "m:d"),
    ("def f(monkeypatch): monkeypatch.setattr('c.d', 1)", "c.d"),
    ("def f(monkeypatch): monkeypatch.setattr('c.d', 1, raising=False)", "c.d?"),
    ("def f(monkeypatch): monkeypatch.setattr(HOME, 1)", "a.b"),
    ("def f(monkeypatch): monkeypatch.setattr(m, 'd', 1)", "m:d"),
    ("def f(monkeypatch): monkeypatch.setattr(m, 'd', 1, False)", "m:d?"),
    ("def f(monkeypatch): monkeypatch.setattr(target=m, name='d', value=1)", "m:d"),
    ("def f(monkeypatch): monkeypatch.delattr('c.d')", "c.d"),
    ("def f(monkeypatch): monkeypatch.delattr('c.d', raising=False)", "c.d?"),
    ("def f(monkeypatch): monkeypatch.delattr(m, 'd')", "m:d"),
    ("def f(monkeypatch): monkeypatch.setitem(sys.modules, 'c.d', 1)", "[c.d]?"),
    ("def f(monkeypatch): monkeypatch.setitem(sys.modules, 'c.d', None)", "[c.d]"),
    ("def f(monkeypatch): monkeypatch.setitem(m.MAP, 'c.d', 1)", "{m:MAP}"),
    ("def f(monkeypatch): monkeypatch.setenv('c.d', 1)", ""),
    ("def f(monkeypatch): monkeypatch.setitem(os.environ, name, 1)", "{os:environ}"),
    ("with pytest.MonkeyPatch.context() as mp: mp.setattr('c.d', 1)", "c.d"),
    ("mock.patch('c.d')", "c.d"),
    ("import unittest.mock\nunittest.mock.patch.object(m, 'd')", "m:d"),
    ("import mock as k\nk.patch('c.d')", "c.d"),
    ("from .compat import mock as k\nk.patch.dict('c.d')", "{c.d}"),
    ("from .compat import patch as p\np('c.d'), p.object(m, 'd')", "c.d m:d"),
    ("p = mock.patch\np('c.d'), p.object(m, 'e')", "c.d m:e"),
    ("p = patch.object\np(m, 'e')", "m:e"),
    ("client.patch('c.d')", ""),
    ("client.patch.object(m, 'd')", ""),
    ("def f(patch): patch('c.d')", ""),
    ("setattr(m, 'd', 1)", ""),
    ("x.setitem(m.MAP, 'd', 1)", ""),
]


@pytest.mark.parametrize(("source", "expected"), CALLS)
def test_calls(source: str, expected: str) -> None:
    assert said(source) == expected.split()


TEXTS = [
    ("patch(f'{HOME}.c')", "a.b.c"),
    ("patch(f'{HOME!s}.c')", "a.b.c"),
    ("patch(f'{HOME!r}.c')", "_"),
    ("patch(f'{HOME:>9}.c')", "_"),
    ("patch(HOME + '.c')", "a.b.c"),
    ("patch('%s.c' % HOME)", "a.b.c"),
    ("patch('%s.%s' % (HOME, 'c'))", "a.b.c"),
    ("patch('%s.%d' % (HOME, 1))", "_"),
    ("patch('{}.c'.format(HOME))", "a.b.c"),
    ("patch('{0}.{x}.{0}'.format('c', x='d'))", "c.d.c"),
    ("patch('{}.{}'.format(HOME))", "_"),
    ("patch('{:>9}.c'.format(HOME))", "_"),
    ("patch('{'.format(HOME))", "_"),
    ("patch('.'.join([HOME, 'c']))", "a.b.c"),
    ("patch(HOME)", "a.b"),
    ("patch(TWICE)", "_"),
    ("patch(unknown)", "_"),
    ("def f(HOME): patch(HOME)", "_"),
    ("def f():\n  global HOME\n  HOME = 'c.d'\npatch(HOME)", "_"),
    ("def f():\n  x = 'c.d'\n  patch(x + '.e')", "c.d.e"),
    ("def f():\n  x = 'c.d'\n  if f: x = 'c.e'\n  patch(x)", "_"),
    ("def f():\n  x, y = 'c.d', 'e'\n  patch(f'{x}.{y}')", "c.d.e"),
    ("def f():\n  x = y = 'c.d'\n  patch(y)", "c.d"),
    ("def f():\n  x = 'c.d'\n  def g(): patch(x)", "c.d"),
    ("def f():\n  x = x + '.d'\n  patch(x)", "_"),
    ("patch('c.d' if x else 'c.e')", "c.d c.e"),
    ("patch(f'{m.__name__}.d')", "m:d"),
    ("patch(f'{m.n.__name__}.d')", "m:n.d"),
    ("patch('%s.d' % m.__name__)", "m:d"),
    ("patch(m.__name__ + '.d.e')", "m:d.e"),
    ("patch('x.' + m.__name__ + '.d')", ""),
    ("patch(__name__ + '.d')", "__name__:d"),
    ("patch(f'{__name__}.d')", "__name__:d"),
    ("patch(f'{__name__}d')", ""),
    ("for x in ['c.d', 'c.e']:\n  patch(x)", "c.d c.e"),
    ("for x in NAMES: patch(x)", "a.x a.y"),
    ("for x, y in [('c.d', 1), ('c.e', 2)]: patch(x)", "c.d c.e"),
    ("for x in {'c.d': 1}: patch(x)", "c.d"),
    ("for x, y in {'c.d': 1}.items(): patch(x)", "c.d"),
    ("for x in ('d', f()): patch(f'c.{x}')", "_"),
    ("for x, y in [('c', 'd'), ('e', 'f')]: patch(f'{x}.{y}')", "c.d e.f"),
    ("for x in ('c', 'd'):\n  for y in ('e', 'f'): patch(x + '.' + y)", "c.e c.f d.e d.f"),
    ("for x in ('c', 'd'): patch(f'{x}.{x}')", "c.c d.d"),
    ("@pytest.mark.parametrize('x, y', [('c', 'd'), ('e', 'f')])\ndef test(x, y): patch(f'{x}.{y}')", "c.d e.f"),
    ("def helper(x, y): patch(f'{x}.{y}')\nhelper('c', 'd'); helper('e', y='f')", "c.d e.f"),
    ("for x in f(): patch(x)", "_"),
    ("for x in []: patch(x)", "_"),
    ("[patch(x) for x in NAMES]", "a.x a.y"),
    ("def f(): return [patch(f'c.{x}') for x in ('d', 'e')]", "c.d c.e"),
    ("class T:\n  X = 'c.d'\n  @patch(X)\n  def f(self): pass", "c.d"),
    ("class T:\n  X = 'c.d'\n  def f(self): patch(self.X + '.e')", "c.d.e"),
    ("class T:\n  X = 'c.d'\n  @classmethod\n  def f(cls): patch(cls.X)", "c.d"),
    ("class T:\n  X = 'c.d'\n@patch(T.X)\ndef f(): pass", "c.d"),
    ("class T:\n  def setUp(self): self.x = 'c.d'\n  def f(self): patch(self.x)", "c.d"),
    ("class T:\n  X = 'c.d'\n  def setUp(self): self.X = 'c.e'\n  def f(self): patch(self.X)", "_"),
    ("class T:\n  def f(self): patch(self.x)", "_"),
    ("class T:\n  X = 'c.d'\n  def f(other, self): patch(self.X)", "_"),
    ("@pytest.mark.parametrize('t', ['c.d', 'c.e'])\ndef test(t): patch(t)", "c.d c.e"),
    ("@pytest.mark.parametrize('x, t', [(1, 'd'), (2, 'e')])\ndef test(x, t): patch(f'c.{t}')", "c.d c.e"),
    ("@pytest.mark.parametrize(['x', 't'], [(1, 'c.d')])\ndef test(x, t): patch(t)", "c.d"),
    ("@pytest.mark.parametrize('t', [pytest.param('c.d', id='x')])\ndef test(t): patch(t)", "c.d"),
    ("@pytest.mark.parametrize('t', NAMES)\ndef test(t): patch(t)", "a.x a.y"),
    ("@pytest.mark.parametrize('t', make())\ndef test(t): patch(t)", "_"),
    ("@pytest.mark.parametrize('t', ['c.d'])\nclass TestX:\n  def test(self, t): patch(t)", "c.d"),
    ("@pytest.fixture\ndef t(): return 'c.d'\ndef test(t): patch(t)", "_"),
    ("def helper(x): patch(x)\nhelper('c.d'); helper(x='c.e')", "c.d c.e"),
    ("def helper(x): patch(x)\nhelper('c.d'); helper(f())", "_"),
    ("def helper(x): patch(x)\nhelper('c.d'); g(helper)", "_"),
    ("def helper(x): patch(x)\nhelper('c.d'); helper(*args)", "_"),
    ("def helper(x): patch(x)", "_"),
    ("def helper(x='c.f'): patch(x)\nhelper('c.d'); helper()", "c.d c.f"),
    ("def helper(y, *, x='c.f'): patch(x)\nhelper('c.d')", "c.f"),
    ("def helper(x): patch(f'{HOME}.{x}')\ndef f():\n  y = 'c'\n  helper(y)", "a.b.c"),
    ("class T:\n  def helper(self, x): patch(x)\n  def f(self): self.helper('c.d')", "c.d"),
    ("def helper(x):\n  x = x + '.d'\n  patch(x)\nhelper('c')", "_"),
    ("def helper(x): helper(x); patch(x)\nhelper('c.d')", "_"),
]


@pytest.mark.parametrize(("source", "expected"), TEXTS)
def test_texts(source: str, expected: str) -> None:
    assert sorted(said(source)) == sorted(expected.split())


def test_places_and_pieces() -> None:
    found = facts(
        "from unittest.mock import patch\n"
        "import m\n"
        "HOME = 'a.b'\n"
        "patch(HOME + '.c')\n"
        "patch.object(m, 'd')\n"
        "for x in ('e.f', 'e.g'): patch(x)\n"
    )
    assert [(told(each), each.span, each.pieces) for each in found.patches] == [
        ("a.b.c", Span(4, 7, 4, 18), (Piece("a.b", Span(3, 8, 3, 13)), Piece(".c", Span(4, 14, 4, 18)))),
        ("m:d", Span(5, 17, 5, 20), (Piece("d", Span(5, 17, 5, 20)),)),
        ("e.f", Span(6, 11, 6, 16), (Piece("e.f", Span(6, 11, 6, 16)),)),
        ("e.g", Span(6, 18, 6, 23), (Piece("e.g", Span(6, 18, 6, 23)),)),
    ]


def test_a_target_is_no_other_string() -> None:
    source = "patch('c.d'), patch(f'c.{X}'), g('c.f')\nfor x in ('c.h', 'c.i'): patch(x)\nX = 'e'\n"
    found = facts("from unittest.mock import patch\n" + source)
    assert [each.text for each in found.strings] == ["c.f"]


CODE = [
    # the body of a file, then what the code under its patch reads; * where that cannot be told
    ("@patch('c.d')\ndef test_x(thing): m.f(); C()", "C m.f"),
    ("def test_x():\n  with patch('c.d'): m.f()", "m.f"),
    ("def test_x(monkeypatch, tmp_path): monkeypatch.setattr('c.d', m.f)", "m.f"),
    ("class T:\n  @patch('c.d')\n  def test_x(self, thing): self.assertEqual(m.f(), 1)", "m.f"),
    ("class T:\n  @patch('c.d')\n  def test_x(self, thing): self.client.get()", "*"),
    ("@patch('c.d')\ndef test_x(thing, client): m.f()", "*"),
    ("@patch('c.d', 1)\ndef test_x(client): m.f()", "*"),
    ("def helper(): pass\n@patch('c.d')\ndef test_x(thing): helper()", "*"),
    ("def helper():\n  with patch('c.d'): m.f()", "*"),
    ("@pytest.fixture\ndef thing():\n  with patch('c.d'): m.f()", "*"),
    ("@patch('c.d')\nclass T:\n  def test_x(self): m.f()", "*"),
    ("patch('c.d')", "*"),
    ("def test_x():\n  from k import l\n  with patch('c.d'): l.g()", "l.g"),
    ("def test_x():\n  def inner(): return m.f()\n  with patch('c.d'): inner()", "m.f"),
]


@pytest.mark.parametrize(("source", "expected"), CODE)
def test_code_under_a_patch(source: str, expected: str) -> None:
    found = facts("import m, pytest\nfrom unittest.mock import patch\nfrom m import C\n" + source)
    (one,) = found.patches
    code = found.patched_code[one.code]
    reads = [found.accesses[at] for at in code.reads]
    said = sorted(f"{each.name}.{each.attributes}".rstrip(".") for each in reads if each.name != "patch")
    assert (["*"] if code.whole else said) == expected.split()


CLASSES = [
    ("class C: pass", "C()"),
    ("class C(A, b.B, D[int], f()): pass", "C(A b.B D ?)"),
    ("class C:\n  x = 1\n  y: int\n  z: int = 2\n  def f(self): pass\n  async def g(self): pass", "C() f g x z"),
    (
        "class C:\n  import a.b as c\n  class D:\n    x = 1\n  for i in j: pass\n  if k:\n    l = 1",
        "C() D c i l|C.D() x",
    ),
    ("class C:\n  @property\n  def p(self): self.q = 1", "C() p"),
    ("class C: pass\nC.x = 1\nsetattr(C, 'y', 2)\ndef f(): C.z = 3", "C() x y z"),
    ("class C:\n  @classmethod\n  def f(cls): cls.x = 1\n  def g(self): self.__class__.y = 2", "C() f g x y"),
    ("def f():\n  class C: pass", ""),
    ("class _C:\n  __x = 1\n  __y__ = 2\n  _z = 3", "_C() _C__x __y__ _z"),
    ("class __:\n  __x = 1", "__() __x"),
    ("class C: pass\nclass C: x = 1", "C()|C() x"),
    ("@dataclass\nclass C:\n  x: int\n  y: int = 1", "C() y"),
    ("@dataclasses.dataclass(frozen=True)\nclass C: pass", "C()"),
    ("class C(metaclass=abc.ABCMeta): pass", "C()"),
]


@pytest.mark.parametrize(("source", "expected"), CLASSES)
def test_class_bodies(source: str, expected: str) -> None:
    found = facts(source).classes
    assert not any(each.open for each in found)
    shown = [f"{each.name}({' '.join(base or '?' for base in each.bases)}) {' '.join(each.members)}" for each in found]
    assert [each.strip() for each in shown] == [part for part in expected.split("|") if part]


OPEN_CLASSES = [
    ("@register\nclass C: pass", "is decorated with register"),
    ("@registry[0]\nclass C: pass", "is decorated"),
    ("@dataclass(slots=True)\nclass C: pass", "is decorated with dataclass"),
    ("class C(metaclass=M): pass", "has a metaclass"),
    ("class C(A, table=True): pass", "is made with keywords"),
    ("class C:\n  def __getattr__(self, name): pass", "defines __getattr__"),
    ("class C:\n  __slots__ = ('x',)", "defines __slots__"),
    ("class C:\n  def __init_subclass__(cls): pass", "defines __init_subclass__"),
    ("class C:\n  locals()['x'] = 1", "reaches into its own namespace"),
    ("class C: pass\nsetattr(C, name, 1)", "has attributes set on it by computed names"),
    (
        "class C:\n  @classmethod\n  def f(cls, name): setattr(cls, name, 1)",
        "has attributes set on it by computed names",
    ),
]


@pytest.mark.parametrize(("source", "expected"), OPEN_CLASSES)
def test_open_classes(source: str, expected: str) -> None:
    assert [each.open for each in facts(source).classes] == [expected]
