"""The bases of a class, as written."""

from __future__ import annotations

import pytest

from tests.extracting import facts

FORMS = [
    ("class X: pass", ()),
    ("class X(): pass", ()),
    ("class X(A, b.c.D): pass", ("A", "b.c.D")),
    ("class X(Generic[T], a.B[int, str], metaclass=M): pass", ("Generic", "a.B")),
    ("class X(with_metaclass(M, A), B): pass", ("", "B")),
    ("class X(*bases, (A), a().B): pass", ("", "A", "")),
    ("class X(A[T].B): pass", ("",)),
    ("@d\nclass X(A):\n  class Y(B): pass", ("A",)),
    ("if a:\n  class X(A): pass", ("A",)),
    ("def X(A): pass", ()),
    ("X = type('X', (A,), {})", ()),
]


@pytest.mark.parametrize(("source", "bases"), FORMS)
def test_bases(source: str, bases: tuple[str, ...]) -> None:
    (binding,) = facts(source).bindings
    assert binding.name == "X"
    assert binding.bases == bases
