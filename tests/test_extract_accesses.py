"""Accesses: what a file does with the names that its imports bind; and what patches, and reads by name, say."""

from __future__ import annotations

import pytest

from layercheck.facts import Span
from tests.extracting import facts

FORMS = [
    # source after "import m", accesses of m: =store, ~late
    ("m", "''"),
    ("m.a", "a"),
    ("m.a.b.c", "a.b.c"),
    (f"m{'.a' * 300}", "''"),
    ("m.a()", "a"),
    ("m.a().b", "a"),
    ("m.a[0].b", "a"),
    ("m()", "''"),
    ("f(m)", "''"),
    ("x = m", "''"),
    ("m.a; m.a; m.b", "a b"),
    ("def f(): m.a", "a~"),
    ("def f(): m.a\nm.a", "a"),
    ("def f(x=m.a): pass", "a"),
    ("class C(m.a): x = m.b", "a b"),
    ("lambda: m.a", "a~"),
    ("[m.a for x in m.b]", "a b"),
    ("def f(m): m.a", ""),
    ("def f():\n  import m\n  m.a", "a~"),
    ("m.a = 1", "a="),
    ("m.a.b = 1", "a.b="),
    ("m.a += 1", "a a="),
    ("del m.a", "a a="),
    ("m.a[0] = 1", "a"),
    ("for m.a in x: pass", "a="),
    ("with x as m.a: pass", "a="),
    ("getattr(m, 'a')", "a"),
    ("getattr(m.a, 'b', None)", "a.b"),
    ("hasattr(m, 'a')", "a"),
    ("getattr(m, name)", "*"),
    ("getattr(m.a, name)", "a.*"),
    ("setattr(m, 'a', 1)", "a="),
    ("setattr(m, name, 1)", "*="),
    ("delattr(m, 'a')", "a="),
    ("m.__setattr__('a', 1)", "*"),
    ("vars(m)", "*"),
    ("dir(m.a)", "a.*"),
    ("m.__dict__", "*"),
    ("m.a.__dict__['b']", "a.*"),
    ("import inspect\ninspect.getmembers(m)", "*"),
    ("from inspect import getmembers\ngetmembers(m)", "*"),
    ("other.getattr(m, 'a')", "''"),
    ("def getattr(x, y): pass\ngetattr(m, 'a')", "''"),
    ("x: 'm.a'", "a~"),
    ("x: m.a", "a"),
    ("from __future__ import annotations\nx: m.a", "a~"),
    ("if __name__ == '__main__': m.a", "a~"),
    ("from unittest.mock import patch\npatch.object(m, 'a')", ""),
    ("from unittest.mock import patch\npatch.object(m, 'a', m.b)", "b"),
    ("from unittest.mock import patch\npatch.object(m, name)", "*"),
    ("from unittest.mock import patch\npatch.multiple(m, a=1, b=2, spec=True)", ""),
    ("from unittest.mock import patch\npatch.dict(m.a, b=1)", "a"),
    ("def f(mocker): mocker.spy(m, 'a')", ""),
    ("def f(session_mocker): session_mocker.spy(m.a, 'b')", ""),
    ("def f(monkeypatch): monkeypatch.setattr(m, 'a', 1)", ""),
    ("def f(monkeypatch): monkeypatch.setattr(m.a, 'b', raising=False, value=1)", ""),
    ("def f(monkeypatch): monkeypatch.delattr(m, 'a')", ""),
    ("def f(monkeypatch): monkeypatch.setattr(m, name, 1)", "*~"),
    ("client.patch.object(m, 'a')", "''"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), FORMS)
def test_forms(source: str, expected: str) -> None:
    found = [each for each in facts(f"import m\n{source}\n").accesses if each.name == "m"]
    said = [(each.attributes or "''") + "=" * each.store + "~" * (not each.eager) for each in found]
    assert sorted(said) == sorted(expected.split())


@pytest.mark.parametrize(
    ("source", "rebound"),
    [
        ("import m\nm.a", False),
        ("import m\nimport n as m\nm.a", False),
        ("import m\nm = 1\nm.a", True),
        ("import m\nm: int\nm.a", False),
        ("import m\nwith x as m: m.a", True),
        ("import m\nf(m := 1)\nm.a", True),
        ("import m\nglobals()['m'] = 1\nm.a", True),
        ("import m\ndef f():\n  global m\n  m = 1\nm.a", True),
        ("import m\ndef f():\n  m = 1\nm.a", False),
        ("import m\ndef f(m): pass\nm.a", False),
        ("import m\n[m for m in x]\nm.a", False),
        ("def f(m):\n  import m\n  m.a", True),
        ("def f():\n  import m\n  m.a\n  for m in x: pass", True),
        ("def f():\n  def g():\n    nonlocal m\n    m = 1\n  import m\n  m.a", True),
        ("def f():\n  import m\n  def g(m): pass\n  m.a", False),
    ],
)
def test_what_else_binds_the_name(source: str, rebound: bool) -> None:
    [found] = [each for each in facts(source).accesses if each.attributes == "a"]
    assert found.rebound == rebound


def test_scopes_and_places() -> None:
    found = facts(
        """
        import a
        from b import c as d
        def f():
            import a
            def g():
                return a.x, d
            return a.y
        a.z; a.z
        é = a.w
        """
    )
    inner = found.imports[2].scope
    assert inner != 0
    assert [(each.scope, each.name, each.attributes, each.span) for each in found.accesses] == [
        (inner, "a", "x", Span(7, 16, 7, 19)),
        (0, "d", "", Span(7, 21, 7, 22)),
        (inner, "a", "y", Span(8, 12, 8, 15)),
        (0, "a", "z", Span(9, 1, 9, 4)),
        (0, "a", "w", Span(10, 5, 10, 8)),
    ]


def test_places_in_f_strings() -> None:
    found = facts('import a\nx = f"""\n{a.b}\n  {a.c:>{a.d}}"""\n')
    assert {each.attributes for each in found.accesses} == {"b", "c", "d"}
    for each in found.accesses:
        assert 2 <= each.span.line <= 4
        assert each.span.end_line <= 4


OPEN = [
    # source, open, open to submodules, reads by name, registered
    ("def __getattr__(name): pass", "defines __getattr__", "", ""),
    ("from a import b as __getattr__", "defines __getattr__", "", ""),
    ("__getattr__, x = f()", "defines __getattr__", "", ""),
    ("class C:\n  def __getattr__(self, name): pass", "", "", ""),
    ("globals()[x] = 1", "writes to globals()", "", ""),
    ("vars()[x] = 1", "writes to vars()", "", ""),
    ("globals()['x'] = 1", "", "", ""),
    ("globals().update(x)", "calls update on globals()", "", ""),
    ("locals().update(x)", "calls update on locals()", "", ""),
    ("globals().setdefault(x, 1)", "writes to globals()", "", ""),
    ("del globals()[x]", "deletes from globals()", "", ""),
    ("f(globals())", "hands globals() to other code", "", "globals()"),
    ("g = globals()", "hands globals() to other code", "", "globals()"),
    ("def f(): return globals()", "hands globals() to other code", "", "globals()"),
    ("globals()", "hands globals() to other code", "", "globals()"),
    ("def f(): locals(), vars()", "", "", ""),
    ("class C: x = locals()", "", "", ""),
    ("globals()[x]", "", "", "globals()"),
    ("globals()['x'], globals().get('y'), 'z' in globals()", "", "", ""),
    ("globals().get(x)", "", "", "globals()"),
    ("x in globals()", "", "", "globals()"),
    ("for x in globals(): pass", "", "", "globals()"),
    ("[x for x in globals().items()]", "", "", "globals()"),
    ("list(globals()), dict(vars())", "", "", "globals()"),
    ("'%(x)s' % globals()", "", "", "globals()"),
    ("f(**globals())", "", "", "globals()"),
    ("{**globals()}", "", "", "globals()"),
    ("eval(x)", "", "", "eval"),
    ("eval(x, globals())", "", "", "eval"),
    ("eval(x, {})", "", "", ""),
    ("def f(): eval(x)", "", "", "eval"),
    ("exec(x)", "calls exec", "", "exec"),
    ("exec(x, globals())", "calls exec", "", "exec"),
    ("exec(x, space)", "", "", ""),
    ("self.exec(x), self.eval(x)", "", "", ""),
    ("[n for n in dir()]", "", "", "dir()"),
    ("def globals(): pass\nglobals()[x] = 1", "", "", ""),
    ("import sys\nsetattr(sys.modules[__name__], x, 1)", "calls setattr on itself", "", ""),
    ("import sys\nsys.modules[__name__] = x", "replaces itself in sys.modules", "writes to sys.modules", ""),
    ("import sys as s\ns.modules[__name__].__class__ = C", "replaces its own class", "", ""),
    ("import sys\nf(sys.modules[__name__])", "hands out itself in sys.modules", "", "sys.modules[__name__]"),
    ("import sys\ngetattr(sys.modules[__name__], 'x')", "", "", ""),
    ("import sys\ngetattr(sys.modules[__name__], x)", "", "", "sys.modules[__name__]"),
    ("import sys\nsys.modules[__name__].__dict__[x] = 1", "writes to __dict__", "", ""),
    ("import sys\nvars(sys.modules[__name__])[x] = 1", "writes to vars()", "", ""),
    ("import sys, inspect\ninspect.getmembers(sys.modules[__name__])", "", "", "sys.modules[__name__]"),
    ("import sys\nsys.modules['a.b'] = x", "", "", "", "a.b"),
    ("from sys import modules\nmodules['a.b'] = x", "", "", "", "a.b"),
    ("import sys\nsys.modules.setdefault('a.b', x)", "", "", "", "a.b"),
    ("import sys\nsys.modules.update({'a.b': x, 'c': y})", "", "", "", "a.b c"),
    ("import sys\nsys.modules.update(x)", "", "writes to sys.modules", ""),
    ("import sys\nsys.modules[__name__ + '.x'] = y", "", "writes to sys.modules", ""),
    ("import sys\nsys.modules[f'{__name__}.x'] = y", "", "writes to sys.modules", ""),
    ("import sys\nsys.modules[x] = y", "writes to sys.modules", "writes to sys.modules", ""),
    ("import sys\nx = sys.modules['a.b']\n'c' in sys.modules\ndel sys.modules['d']", "", "", ""),
    ("import sys\ndef f(monkeypatch): monkeypatch.setitem(sys.modules, 'a.b', x)", "", "", "", "a.b"),
    ("from unittest.mock import patch\npatch.dict('sys.modules', {'a.b': x})", "", "", "", "a.b"),
    ("__path__ = f(__path__)", "", "uses __path__", ""),
    ("__path__.append(x)", "", "uses __path__", ""),
    ("def f(): return __path__", "", "uses __path__", ""),
    ("from pkgutil import extend_path\nx = extend_path(y, z)", "", "calls pkgutil.extend_path", ""),
    ("import sys\nsys.meta_path.insert(0, x)", "", "uses sys.meta_path", ""),
    ("from sys import meta_path", "", "uses sys.meta_path", ""),
    ("import lazy_loader as lazy\nx = lazy.attach(__name__)", "uses lazy_loader", "", ""),
    ("from a._vendor import lazy_loader\nx = lazy_loader.attach_stub(__name__, y)", "uses lazy_loader", "", ""),
    ("signal.attach(x)", "", "", ""),
    ("import enum\n@enum.global_enum\nclass C: pass", "uses enum.global_enum", "", ""),
    ("from enum import IntEnum\nIntEnum._convert_('C', __name__, f)", "calls an enum's _convert_ on itself", "", ""),
    ("import logging\nlogging.getLogger(__name__)", "", "", ""),
]  # fmt: skip


@pytest.mark.parametrize("row", OPEN, ids=[row[0] for row in OPEN])
def test_open(row: tuple[str, ...]) -> None:
    source, opened, submodules, reads, registered = (*row, "", "")[:5]
    found = facts(source)
    assert (found.open, found.open_submodules, found.reads_by_name) == (opened, submodules, reads)
    assert found.registered == tuple(registered.split())


BY_NAME = [
    "globals()['x']",
    "globals().get('x')",
    "'x' in globals()",
    "vars()['x']",
    "def f(): return globals()['x']",
    "sys.modules[__name__].x",
    "getattr(sys.modules[__name__], 'x')",
    "hasattr(sys.modules[__name__], 'x')",
]


@pytest.mark.parametrize("source", BY_NAME)
def test_reading_a_global_by_its_literal_name_is_a_use(source: str) -> None:
    found = facts(f"import sys, x\n{source}")
    assert "x" in found.uses
    assert {each.bound for each in found.imports if each.used} >= {"x"}
    assert ("sys" in found.uses) == ("sys" in source)
    assert not found.open
