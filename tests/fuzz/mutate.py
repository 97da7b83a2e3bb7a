"""Bytes -> other bytes like them: what a fuzzer tries. Pure, given the source of chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

WORDS = [
    b'\x00', b'\xff', b'\xed\xa0\x80', b'\xef\xbb\xbf', b'\r', b'\n', b'\t', b'\x0c', b'\\\n', b'  ', b'#', b'"',
    b"'", b'"""', b"'''", b'(', b')', b'[', b']', b'{', b'}', b'[[', b']]', b'.', b'..', b'...', b'*', b'**', b',',
    b';', b':', b'=', b'->', b'%', b'@', b'!', b'/', b'../', b'~', b'$', b'|', b'&', b'<', b'>', b'0', b'-1',
    b"9" * 30, b'1e999', b'nan', b'true', b'2026-01-01', b'\xc3\xa9', "ⅸ".encode(), b'\xe2\x80\xa8',
    b'\xf0\x9f\x98\x80', b'a.b', b'a.b.c', b"x" * 300, b'import ', b'from ', b' import ', b'def f():\n',
    b'class C:\n', b'if x:\n', b'lambda: ', b'__all__', b'__getattr__', b'# noqa', b'# layercheck: ignore[',
    b'# type: ', b'# pylint: disable=', b'TYPE_CHECKING', b'try:\n', b'except:\n', b'with a as b:\n', b'global x\n',
    b'async ', b'await ', b'yield ', b'match x:\n case ', b"f'{", b"rb'", b'not ', b' or ', b"mock.patch('a.b')\n",
    b'globals()', b'sys.modules', b'setattr', b'*args', b'**k', b':=', b'nonlocal x\n', b'del x\n', b'[[rule]]\n',
    b'[project]\n', b'[checks]\n', b'check = ', b'reason = ', b'name = ', b'order = ', b'within = ', b'include = ',
    b'extends = ', b'roots = ', b'until = ', b'max = ', b'ignore = ', b'kinds = ', b'reach = ',
]  # fmt: skip
_BRACKETS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"{a=", b"}"), (b"a.", b""), (b"-", b""))
_MOST = 40_000
"""The bytes of the largest input."""

_Change = Callable[[Random, bytearray, Sequence[bytes]], None]


def mutated(chance: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds, changed in some places; now and then in none."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 8, 16))):
        chance.choice(_CHANGES)(chance, data, seeds)
    return bytes(data[:_MOST])


def _at(chance: Random, data: bytearray) -> int:
    return chance.randint(0, len(data))


def _piece(chance: Random, data: bytearray) -> tuple[int, int]:
    start = _at(chance, data)
    return start, min(start + chance.choice((1, 2, 5, 20, 80)), len(data))


def _flip(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _insert(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    at = _at(chance, data)
    data[at:at] = chance.choice(WORDS)


def _remove(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    start, end = _piece(chance, data)
    del data[start:end]


def _replace(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    start, end = _piece(chance, data)
    data[start:end] = chance.choice(WORDS)


def _repeat(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    start, end = _piece(chance, data)
    data[start:start] = data[start:end] * chance.choice((1, 2, 10, 100, 1000))
    del data[_MOST:]


def _move(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    start, end = _piece(chance, data)
    piece = data[start:end]
    del data[start:end]
    at = _at(chance, data)
    data[at:at] = piece


def _splice(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    other = bytearray(chance.choice(seeds))
    start, end = _piece(chance, other)
    at = _at(chance, data)
    data[at:at] = other[start : end if chance.random() < 0.5 else len(other)]


def _nest(chance: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    start, end = _piece(chance, data)
    opening, closing = chance.choice(
        ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"{a=", b"}"), (b"a.", b""), (b"-", b""))
    )
    times = chance.choice((3, 50, 500, 5000))
    data[start:end] = opening * times + data[start:end] + closing * times
    del data[_MOST:]


_CHANGES: tuple[_Change, ...] = (_flip, _insert, _remove, _replace, _repeat, _move, _splice, _nest)
