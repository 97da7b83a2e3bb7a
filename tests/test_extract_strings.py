"""Strings that read as dotted names, fixtures, and what a module consists of as a whole."""

from __future__ import annotations

import pytest

from layercheck.facts import Span
from tests.extracting import facts

HEAD = "from unittest import mock\nfrom unittest.mock import patch\nHOME = 'a.b'\nTWICE = 'x.y'\nTWICE = 'x.z'\n"

STRINGS = [
    # source after HEAD, strings; ! for patch targets
    ("'c.d'", ""),
    ("x = 'c.d'", "c.d"),
    ("f('c.d.e', x='f.g')", "c.d.e f.g"),
    ("x = ['c.d:e', 'c.d:e.f', 'é.d']", "c.d:e c.d:e.f é.d"),
    ("x = ['c', 'c.', '.c', 'c..d', 'c.d ', 'c-d.e', 'c.1', 'c:d', 'c.d:', '1.5', '', 'c.d:e:f']", ""),
    ("x = b'c.d'", ""),
    ("def f():\n  'c.d'\n  return 'e.f'", "e.f"),
    ("x: 'c.d' = 1", "c.d"),
    ("x = 'c.' 'd'", "c.d"),
    ("x = f'c.d'", "c.d"),
    ("x = f'{HOME}.c'", "a.b.c"),
    ("x = f'c.{HOME}'", "c.a.b"),
    ("x = HOME + '.c'", "a.b.c"),
    ("x = 'c.' + HOME + '.d'", "c.a.b.d"),
    ("x = '%s.c' % HOME", "a.b.c"),
    ("x = '%s.%s.c' % (HOME, 'd')", "a.b.d.c"),
    ("x = '%s.%d.c' % (HOME, 1)", ""),
    ("x = '%s.%s' % HOME", ""),
    ("x = f'{HOME!r}.c', f'{HOME:>9}.c', f'{f()}.c', f'{TWICE}.c', f'{unknown}.c'", ""),
    ("def f(): return f'{HOME}.c'", "a.b.c"),
    ("def f(HOME): return f'{HOME}.c'", ""),
    ("patch('c.d')", "c.d!"),
    ("mock.patch('c.d', 'e.f')", "c.d! e.f"),
    ("mock.patch(target='c.d')", "c.d!"),
    ("@patch('c.d')\ndef f(x): pass", "c.d!"),
    ("@mock.patch('c.d')\nclass C: pass", "c.d!"),
    ("with patch('c.d'), mock.patch('e.f'): pass", "c.d! e.f!"),
    ("x = [patch('c.d')]", "c.d!"),
    ("stack.enter_context(patch('c.d'))", "c.d!"),
    ("patch(f'{HOME}.c')", "a.b.c!"),
    ("patch(HOME + '.c')", "a.b.c!"),
    ("patch('%s.c' % HOME)", "a.b.c!"),
    ("patch(HOME)", "a.b!"),
    ("patch(TWICE)", ""),
    ("def f(HOME): patch(HOME)", ""),
    ("patch.object('c.d', 'e')", "c.d"),
    ("patch.multiple('c.d', x=1)", "c.d.x!"),
    ("patch.dict('c.d', x=1)", "c.d!"),
    ("patch.dict(in_dict='c.d')", "c.d!"),
    ("from .compat import mock as k\nk.patch('c.d')", "c.d!"),
    ("from .compat import patch as p\np('c.d')", "c.d!"),
    ("p = mock.patch\np('c.d')", "c.d!"),
    ("import mock as m\nm.patch('c.d')", "c.d!"),
    ("def f(mocker): mocker.patch('c.d')", "c.d!"),
    ("def f(module_mocker): module_mocker.patch('c.d')", "c.d!"),
    ("def f(self): self.mocker.patch('c.d')", "c.d!"),
    ("def f(monkeypatch): monkeypatch.setattr('c.d', 1)", "c.d!"),
    ("def f(monkeypatch): monkeypatch.setattr('c.d', 1, raising=False)", "c.d!"),
    ("def f(monkeypatch): monkeypatch.setattr(f'{HOME}.c', 1)", "a.b.c!"),
    ("def f(monkeypatch): monkeypatch.delattr('c.d')", "c.d!"),
    ("def f(monkeypatch): monkeypatch.setattr(x, 'c.d', 1)", "c.d"),
    ("def f(monkeypatch): monkeypatch.setenv('c.d', 1)", "c.d"),
    ("with pytest.MonkeyPatch.context() as mp: mp.setattr('c.d', 1)", "c.d!"),
    ("client.patch('c.d')", "c.d"),
    ("def f(patch): patch('c.d')", "c.d"),
    ("setattr('c.d', 1)", "c.d"),
]


@pytest.mark.parametrize(("source", "expected"), STRINGS)
def test_strings(source: str, expected: str) -> None:
    told = facts(HEAD + source)
    found = [(each.span, each.text) for each in told.strings] + [
        (each.span, each.target + "!") for each in told.patches
    ]
    found = [(span, text) for span, text in found if span.line > HEAD.count("\n")]
    assert [text for _, text in sorted(found, key=lambda one: (one[0].line, one[0].column))] == expected.split()


def test_spans() -> None:
    found = facts('x = ("é", "a.b")\ny = ("a"\n     ".b")\nC = "c.d"\nz = C + ".e"\n')
    assert [(each.text, each.span) for each in found.strings] == [
        ("a.b", Span(1, 11, 1, 16)),
        ("a.b", Span(2, 6, 3, 10)),
        ("c.d", Span(4, 5, 4, 10)),
        ("c.d.e", Span(5, 5, 5, 13)),
    ]


PARAMETERS = [
    ("def test_x(a, b, *, c): pass", "a b c"),
    ("async def test_x(a): pass", "a"),
    ("def test_x(a, b=1, *c, d=2, **e): pass", "a"),
    ("class TestX:\n  def test_y(self, a): pass\n  def helper(self, b): pass", "a"),
    ("def helper(a): pass", ""),
    ("@pytest.fixture\ndef x(a): pass", "a"),
    ("@pytest.fixture(scope='module')\ndef x(a): pass", "a"),
    ("@fixture\ndef x(a): pass", "a"),
    ("@pytest_asyncio.fixture\nasync def x(a): pass", "a"),
    ("@property\ndef x(a): pass", ""),
    ("pytestmark = pytest.mark.usefixtures('a', 'b')", "a b"),
    ("@pytest.mark.usefixtures('a')\nclass TestX: pass", "a"),
    ("def f(request): return request.getfixturevalue('a')", "a"),
    ("def f():\n  def test_x(a): pass", ""),
]


@pytest.mark.parametrize(("source", "expected"), PARAMETERS)
def test_names_that_pytest_looks_up(source: str, expected: str) -> None:
    assert " ".join(facts(source).parameters) == expected


ONLY_IMPORTS = [
    ("import a", True),
    ("'''doc'''\nfrom a import b\nfrom .c import *\n__all__ = ['b']\n__all__ += c.__all__\n__all__.append('d')", True),
    ("if TYPE_CHECKING:\n  import a\nelse:\n  import b", True),
    ("if TYPE_CHECKING:\n  import a", True),
    ("try:\n  import a\nexcept ImportError:\n  import b as a", True),
    ("try:\n  import a\nexcept ImportError:\n  a = None", True),
    ("", False),
    ("'''doc'''", False),
    ("__all__ = []", False),
    ("import a\nx = 1", False),
    ("import a\na.f()", False),
    ("import a\ndef f(): pass", False),
    ("import a\nclass C: pass", False),
    ("if x:\n  import a\n  y = 1", False),
    ("try:\n  import a\n  x = 1\nexcept E:\n  pass", False),
    ("def f(): import a", False),
]


@pytest.mark.parametrize(("source", "expected"), ONLY_IMPORTS)
def test_only_imports(source: str, expected: bool) -> None:
    assert facts(source).only_imports == expected


HOLLOW = [
    ("if a: pass", [Span(1, 1, 1, 11)]),
    ("if a:\n  pass\n  pass", [Span(1, 1, 3, 7)]),
    ("if a:\n  if b:\n    pass\n  x = 1", [Span(2, 3, 3, 9)]),
    ("if a: pass\nelse: x", []),
    ("if a: x\nelif b: pass", []),
    ("if a: 'doc'", []),
    ("if a: ...", []),
    ("def f():\n  if a: pass", []),
    ("class C:\n  if a: pass", []),
    ("while a: pass", []),
]


@pytest.mark.parametrize(("source", "expected"), HOLLOW)
def test_hollow_blocks(source: str, expected: list[Span]) -> None:
    assert list(facts(source).hollow_blocks) == expected
