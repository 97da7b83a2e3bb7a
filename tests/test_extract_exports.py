"""``__all__``: every way in which modules make it, as steps; what cannot be read is unknown, never empty."""

from __future__ import annotations

import pytest

from layercheck.facts import Span
from tests.extracting import facts

FORMS = [
    # source, steps; ? where some of it is unknown
    ("__all__ = ['a', 'b']", "+a +b"),
    ("__all__ = ('a',)", "+a"),
    ("__all__ = []", ""),
    ("__all__: list[str] = ['a']", "+a"),
    ("__all__ = {'a'}", "+a"),
    ("__all__ = ['a' 'b']", "+ab"),
    ("__all__ = ['a'] + ['b'] + c.d.__all__", "+a +b *c.d"),
    ("__all__ = ['a']\n__all__ += ['b']", "+a +b"),
    ("__all__ = ['a']\n__all__ += b.__all__", "+a *b"),
    ("__all__ = ['a']\n__all__ = __all__ + ['b']", "+a +b"),
    ("__all__ = ['a']\n__all__ = ['b']", "+b"),
    ("__all__ = ['a']\nif x > 1: __all__ = ['b']", "+a +b"),
    ("__all__ = f()\n__all__ = ['b']", "+b"),
    ("__all__ = ['a']\n__all__.extend(['b', 'c'])", "+a +b +c"),
    ("__all__ = ['a']\n__all__.extend(b.__all__)", "+a *b"),
    ("__all__ = ['a']\n__all__.append('b')", "+a +b"),
    ("__all__ = ['a']\n__all__.insert(0, 'b')", "+a +b"),
    ("__all__ = ['a']\n__all__.remove('a')", "+a -a"),
    ("__all__ = ['a']\nif x > 1: __all__.remove('a')", "+a"),
    ("if x > 1: __all__ = ['a']\nelse: __all__ = ['b']", "+a +b"),
    ("try: __all__ = ['a']\nexcept E: __all__.append('b')", "+a +b"),
    ("__all__ = [*a.__all__, 'b', *c.d.__all__]", "*a +b *c.d"),
    ("__all__ = list(a.__all__) + ['b']", "*a +b"),
    ("__all__ = sorted(['b', 'a'])", "+b +a"),
    ("__all__ = tuple(['a'])", "+a"),
    ("__all__ = list()", ""),
    ("__all__ = 'a b c'.split()", "+a +b +c"),
    ("names = ['a', 'b']\n__all__ = names + ['c']", "+a +b +c"),
    ("names = ['a']\n__all__ = [*names, 'b']", "+a +b"),
    ("names = ['a']\nnames = ['b']\n__all__ = names", "?"),
    ("names = ['a']\nnames += ['b']\n__all__ = names", "?"),
    ("for x in y: __all__ = x", "?"),
    ("__all__ = [n for n in dir()]", "?"),
    ("__all__ = f()", "?"),
    ("__all__ = ['a', b]", "+a ?"),
    ("__all__ = ['a', b.__name__]", "+a ?"),
    ("__all__ = ['a'] + f()", "+a ?"),
    ("__all__ = sorted(f())", "?"),
    ("__all__ = sorted(['a'], key=f)", "?"),
    ("__all__ = ['a']\n__all__ *= 2", "+a ?"),
    ("__all__ = ['a']\n__all__.extend(f())", "+a ?"),
    ("__all__ = ['a']\n__all__.append(b)", "+a ?"),
    ("__all__ = ['a']\n__all__.remove(b)", "+a ?"),
    ("__all__ = ['a']\n__all__.pop()", "+a ?"),
    ("__all__ = ['a']\n__all__.clear()", "+a ?"),
    ("__all__ = ['a']\ndef public(f):\n  __all__.append(f.__name__)\n  return f", "+a ?"),
    ("def f():\n  global __all__\n  __all__ = ['a']", "?"),
    ("__getattr__, __dir__, __all__ = lazy.attach(x)", "?"),
    ("from a import __all__", "?"),
    ("from a import __all__ as names\n__all__ = names", "?"),
    ("globals()['__all__'] = ['a']", "?"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "steps"), FORMS)
def test_forms(source: str, steps: str) -> None:
    exports = facts(source).exports
    assert exports is not None
    said = ["+-*"[("add", "remove", "splice").index(step.op)] + step.name for step in exports.steps]
    assert " ".join([*said, *(["?"] if not exports.known else [])]) == steps


NONE = [
    "x = 1",
    "def f():\n  __all__ = ['a']",
    "class C:\n  __all__ = ['a']",
    "a.__all__ = ['b']",
    "print(__all__)",
    "",
]


@pytest.mark.parametrize("source", NONE)
def test_no_exports(source: str) -> None:
    assert facts(source).exports is None


def test_spans() -> None:
    exports = facts("x = 1\n__all__ = [\n    'a',\n    *b.__all__,\n]\n__all__.append('c')").exports
    assert exports is not None
    assert exports.span == Span(2, 1, 5, 2)
    assert [step.span for step in exports.steps] == [Span(3, 5, 3, 8), Span(4, 6, 4, 15), Span(6, 16, 6, 19)]


def test_a_name_in_all_is_no_use_of_it() -> None:
    found = facts("from a import b\n__all__ = ['b']")
    assert found.uses == ()
    assert [each.used for each in found.imports] == [False]
