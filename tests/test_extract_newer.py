"""Syntax that this Python does not know: which one does is said, and never guessed. Where it does, it reads it."""

from __future__ import annotations

import sys

import pytest

from layercheck.extract import extract
from layercheck.extract.newer import is_old, needed

NEWER = [
    ("try: pass\nexcept* A: pass\n", (3, 11)),
    ("def f(*args: *Ts): ...\n", (3, 11)),
    ("x = a[*b]\n", (3, 11)),
    ("def f[T](x: T) -> T: ...\n", (3, 12)),
    ("async def f[T](): ...", (3, 12)),
    ("class A[T: (int, str), *Ts, **P](B[T]): ...\n", (3, 12)),
    ("type X = int\n", (3, 12)),
    ("type X[T] = list[T]\n", (3, 12)),
    ('x = f"{a["b"]}"\n', (3, 12)),
    ("x = f'{a['b']} {f'{c['d']}'}' + 'x'\n", (3, 12)),
    ("x = f'{\"\\n\".join(a)}'\n", (3, 12)),
    ("x = f'''{a # it's\n}'''\n", (3, 12)),
    ("class A[T = int]: ...\n", (3, 13)),
    ("type X[T: list[int] = int] = list[T]\n", (3, 13)),
    ("x = t'{a}'\n", (3, 14)),
    ("x = rt'{a!r:>{w}}' 'y'\n", (3, 14)),
    ('x = t"{a["b"]}"\n', (3, 14)),
    ("try: pass\nexcept A, B:\n    pass\n", (3, 14)),
    ("try: pass\nexcept A, b.C, D: pass\n", (3, 14)),
    ("lazy import a\n", (3, 15)),
    ("if 1:\n    lazy from a import b, c\n", (3, 15)),
    ("x = [*a for a in b]\n", (3, 15)),
    ("x = {**a for a in b}\n", (3, 15)),
    ("x = a[b, *c.d, *e]\n", (3, 11)),
    ("x = a[*b()], a[*b[c]]\n", (3, 11)),
    ("def f(*args: *tuple[int, ...]): ...\n", (3, 11)),
    ("def f[\n  T,\n  U: Callable[[int], str],\n](x): ...\n", (3, 12)),
    ("def f[T: A[[B[int]], C[str, B[int]]]](x): ...\n", (3, 12)),
    ("if 1: type X = int\n", (3, 12)),
    ("x = 1; type X = int\n", (3, 12)),
    ("type \\\n  X = int\n", (3, 12)),
    ("class A[T: list[int] = B[C[str, D[int]]]]: ...\n", (3, 13)),
    ("class A[*Ts = *tuple[int, str], **P = ...]: ...\n", (3, 13)),
    ("x = f'{t\"{a}\"}'\n", (3, 14)),
    ("try: pass\nexcept* A, B: pass\n", (3, 14)),
    ("try: pass\nexcept (A), b.C(d, e)[f:g], D: pass\n", (3, 14)),
    ("x = 1; lazy import a\n", (3, 15)),
    ("if 1: lazy import a\n", (3, 15)),
    ("lazy from . import (\n    a,\n)\n", (3, 15)),
    ("x = [\n    *a\n    for a in b\n]\n", (3, 15)),
    ("x = [*a async for a in b]\n", (3, 15)),
    ("lazy import a\ntry: pass\nexcept A, B: pass\nx = t'{a}'\ndef f[T](): ...\n", (3, 15)),
]

NEVER = [
    "def (\n",
    "x = = 1\nlazy import a\n",
    "lazy import\n",
    "type = 5 5\n",
    "raise A, = 'x'\n",
    "x: type X = int\n",
    "try: pass\nexcept A, B as e: pass\n",
    '"""\n',
    "f'{",
    "f'{a['b",
    "t'{a",
    "except A, B: pass\n",
    "def f[T: ...\n",
]


@pytest.mark.parametrize(("text", "version"), NEWER, ids=[text for text, _ in NEWER])
def test_the_version_that_reads_it_is_named(text: str, version: tuple[int, int]) -> None:
    failure = extract(text.encode()).failure
    if sys.version_info[:2] >= version:
        assert failure is None
    else:
        assert failure is not None
        assert (
            f"needs Python {version[0]}.{version[1]} or later, and layercheck runs under Python 3." in failure.message
        )


@pytest.mark.parametrize("text", NEVER)
def test_what_no_version_reads(text: str) -> None:
    failure = extract(text.encode()).failure
    assert failure is not None
    assert failure.message.startswith("does not parse under Python 3.")


OLD = [
    "print 'x'\n",
    "exec 'x'\n",
    "raise A, 'x', trace\n",
    "import os\ntry: pass\nexcept os.error, e:\n    print e\n",
    "try: pass\nexcept (A, B), e: raise C, e\n",
    "if x: raise A, 'x'\n",
    "x = `a`\n",
    "x = a <> b\n",
    "x = 0777, 10L, 0xFFL\n",
    "x = ur'a'\n",
    "x = a <> b; exec c in d\n",
    "x = a <> b\nprint >> c, d\nprint 'a' % (\n    b)\n",
]


@pytest.mark.parametrize("text", OLD)
def test_an_old_python(text: str) -> None:
    failure = extract(text.encode()).failure
    assert failure is not None
    assert failure.message.startswith("is Python 2, which layercheck does not read (")


LONG = {
    "except": "except " + "+," * 50_000,
    "stars": "[*" * 30_000,
    "parameters": "def f[\n" * 20_000,
    "quotes": "f'{" * 20_000,
    "other quotes": "f'" * 30_001,
    "templates": "t'{'" * 20_000,
    "heads": "if a:" * 20_000,
    "classes": "except " + "(a)" * 30_000,
    "raised": "raise a" * 15_000,
    "gaps": "type " + "\\\n" * 50_000,
    "fields": "f'{t'" * 20_000,
    "blanks": "[" + " " * 50_000 + "x",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_lines_are_borne(text: str) -> None:
    assert needed(f"x = = 1\n{text}", lambda older: False) is None
    assert not is_old(f"x = = 1\n{text}", lambda written: False)
