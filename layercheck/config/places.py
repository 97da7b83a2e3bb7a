"""Where each key of a TOML text stands. Reads only text that is already known to be valid TOML (toml.io, 1.0)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import TypeAlias

Path: TypeAlias = tuple["str | int", ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_SCALAR = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]+|[^\s,\]}#]+")
_STRINGS = (
    ('"""', re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")', re.DOTALL)),
    ("'''", re.compile(r"'''.*?'{3,5}(?!')", re.DOTALL)),
    ('"', re.compile(r'"(?:[^"\\\n]|\\.)*"')),
    ("'", re.compile(r"'[^'\n]*'")),
)


def places(text: str) -> dict[Path, int]:
    """The line, from 1, of each table header, key and list entry, by its path: ``("rule", 0, "order", 2)``."""
    return _Scanner(text).document()


def line_of(found: Mapping[Path, int], path: Path) -> int:
    """The line of a key, or of the nearest thing around it that the text writes; 1 where there is none."""
    while path and path not in found:
        path = path[:-1]
    return found.get(path, 1)


def parse_key(key: str) -> Path:
    """``order[2].name`` -> ``("order", 2, "name")``; a key in quotes is one part."""
    parts = re.findall(r"""\[(\d+)\]|'([^']*)'|"([^"]*)"|([^.\[\]'"]+)""", key)
    return tuple(int(index) if index else one or other or word for index, one, other, word in parts)


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._lengths: dict[Path, int] = {}
        self._places: dict[Path, int] = {}

    def document(self) -> dict[Path, int]:
        table: Path = ()
        self._skip_blank()
        while self._position < len(self._text):
            if self._text.startswith("[", self._position):
                table = self._header()
            else:
                self._pair(table)
            self._skip_blank()
        return self._places

    def _mark(self, path: Path) -> None:
        self._places.setdefault(path, bisect_right(self._starts, self._position))

    def _skip_blank(self) -> None:
        blank = _BLANK.match(self._text, self._position)
        self._position = blank.end() if blank else self._position

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._position)
        if found is None or not found.group():
            raise ValueError(f"not TOML at offset {self._position}")
        self._position = found.end()
        return found.group()

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip_blank()
            parts.append(self._take(_KEY).strip("\"'"))
            self._skip_blank()
            if not self._text.startswith(".", self._position):
                return parts
            self._position += 1

    def _resolve(self, keys: list[str]) -> Path:
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        return path

    def _header(self) -> Path:
        start = self._position
        many = self._text.startswith("[[", start)
        self._position += 2 if many else 1
        keys = self._key()
        end = self._position + (2 if many else 1)
        if many:
            path: Path = (*self._resolve(keys[:-1]), keys[-1])
            self._lengths[path] = self._lengths.get(path, 0) + 1
            path = (*path, self._lengths[path] - 1)
        else:
            path = self._resolve(keys)
        self._position = start
        for length in range(1, len(path) + 1):
            self._mark(path[:length])
        self._position = end
        return path

    def _pair(self, table: Path) -> None:
        start = self._position
        keys = self._key()
        end = self._position
        self._position = start
        path = table
        for key in keys:
            path = (*path, key)
            self._mark(path)
        self._position = end + 1
        self._skip_blank()
        self._value(path)

    def _value(self, path: Path) -> None:
        for opening, pattern in _STRINGS:
            if self._text.startswith(opening, self._position):
                self._take(pattern)
                return
        if self._text.startswith("[", self._position):
            self._items(path, "]")
        elif self._text.startswith("{", self._position):
            self._items(path, "}")
        else:
            self._take(_SCALAR)

    def _items(self, path: Path, closing: str) -> None:
        self._position += 1
        index = 0
        self._skip_blank()
        while not self._text.startswith(closing, self._position):
            if closing == "]":
                self._mark((*path, index))
                self._value((*path, index))
                index += 1
            else:
                self._pair(path)
            self._skip_blank()
            if self._text.startswith(",", self._position):
                self._position += 1
                self._skip_blank()
        self._position += 1
