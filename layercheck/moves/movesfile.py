"""The text of a moves file -> its steps, with every fault of the text at once. Knows nothing of the code it is about.

docs/moves.md says what each key means.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from layercheck import names
from layercheck.config.convert import Complain, convert, keys_of, unknown_keys
from layercheck.config.document import Document, read_document
from layercheck.config.places import Path, line_of, parse_key
from layercheck.errors import LayercheckError

VERSION = 1
"""Of the format: raised by one when a file of an older one would mean something else."""


class _FileTable(msgspec.Struct, frozen=True, kw_only=True):
    """The keys at the top of a moves file."""

    version: int
    step: tuple[dict[str, Any], ...]
    recomputed: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()


class _StepTable(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """The keys of one ``[[step]]``."""

    from_: str
    to: str
    names: tuple[str, ...]
    shim: bool = False
    patches: Literal["follow", "stay"] = "follow"


@dataclass(frozen=True, slots=True)
class Step:
    """Definitions that go from one module to another at once."""

    number: int
    """Counted from 1, as in the file."""
    old_home: str
    new_home: str
    names: tuple[str, ...]
    shim: bool = False
    """Whether the old home goes on offering them."""
    patches: Literal["follow", "stay"] = "follow"
    """What becomes of patches of something that the old home has and that both what moves and what stays read:
    ``follow`` refuses them, for none of the two places alone would do."""
    lines: Mapping[str, int] | None = None
    """The line of each of its keys: ``to``, ``names[0]``; None for a step that no file holds."""

    def place(self, path: str, key: str) -> str:
        """Where a fault of it is, as the beginning of a sentence."""
        line = (self.lines or {}).get(key)
        return f"{path}{f':{line}' if line else ''}: step {self.number}, {key}: "


@dataclass(frozen=True, slots=True)
class MovesFile:
    """What a moves file says."""

    path: str
    """As messages call it."""
    steps: tuple[Step, ...]
    recomputed: tuple[str, ...] = ()
    """Names of constants that every module computes for itself."""
    harmless: tuple[str, ...] = ()
    """Full names of decorators that leave no trace."""


def read_moves(text: str, path: str) -> MovesFile:
    """What a moves file says.

    Raises LayercheckError with one line for each fault of the text: place, key, what is wrong and what to write.
    """
    document = read_document(text, path, "a moves file")
    if document.fault is not None:
        raise LayercheckError(document.fault[1])
    reader = _Reader(document, path)
    found = reader.read()
    if reader.complaints or found is None:
        raise LayercheckError(*(sentence for _, sentence in sorted(reader.complaints)))
    return found


def _unnameable(module: str) -> str:
    """Why no import can name a module so; empty where one can."""
    if not names.is_dotted_name(module):
        return f"{module!r} is no module's name; write it with dots, as Python imports it"
    reserved = next(filter(keyword.iskeyword, names.split(module)), None)
    if reserved is not None:
        return f"{reserved!r} is a word of Python's own, so that no import can name {module}; choose another"
    if names.tail(module) == "__init__":
        return f"a package is called by its own name; write {names.parent(module) or 'that'}"
    return ""


class _Reader:
    def __init__(self, document: Document, path: str) -> None:
        self._document = document
        self._path = path
        self.complaints: list[tuple[int, str]] = []

    def read(self) -> MovesFile | None:
        """What the file says, as far as it can be read; faults are in ``complaints``."""
        data = self._document.data
        unknown_keys(data, keys_of(_FileTable), self._at())
        version = data.get("version")
        if isinstance(version, int) and version != VERSION:
            self._at()("version", f"this layercheck reads version {VERSION}, not {version}")
        table = convert(data, _FileTable, self._at())
        if table is None:
            return None
        if not table.step:
            self._at()("step", "no step; write [[step]] with from, to and names")
        for key, values in (("recomputed", table.recomputed), ("harmless", table.harmless)):
            for index, name in enumerate(values):
                if not names.is_dotted_name(name):
                    self._at()(f"{key}[{index}]", f"{name!r} is no name")
        steps = tuple(self._steps(table.step))
        self._refuse_twice(steps)
        return MovesFile(self._path, steps, table.recomputed, table.harmless)

    def _steps(self, tables: tuple[dict[str, Any], ...]) -> Iterator[Step]:
        for index, raw in enumerate(tables):
            at = self._at("step", index)
            unknown_keys(raw, keys_of(_StepTable), at)
            table = convert(raw, _StepTable, at)
            if table is None:
                continue
            for key, name in (("from", table.from_), ("to", table.to)):
                if why := _unnameable(name):
                    at(key, why)
            if table.from_ == table.to:
                at("to", f"{table.to} is where they are already")
            if not table.names:
                at("names", "empty; name what is to move")
            for place, name in enumerate(table.names):
                if not name.isidentifier():
                    at(f"names[{place}]", f"{name!r} is no name of a definition at the top level of a module")
            yield Step(
                index + 1, table.from_, table.to, table.names, table.shim, table.patches, self._lines("step", index)
            )

    def _refuse_twice(self, steps: tuple[Step, ...]) -> None:
        """Complain of a name that two places of the file move out of one module."""
        seen: dict[tuple[str, str], int] = {}
        for step in steps:
            for index, name in enumerate(step.names):
                first = seen.setdefault((step.old_home, name), step.number)
                if first != step.number or name in step.names[:index]:
                    self._at("step", step.number - 1)(f"names[{index}]", f"{name} is moved by step {first} already")

    def _at(self, *at: str | int) -> Complain:
        return lambda key, what: self._complain(at, key, what)

    def _complain(self, at: Path, key: str, what: str) -> None:
        line = line_of(self._document.places, (*at, *parse_key(key)))
        shown = f"step {int(at[1]) + 1}, {key}" if at else key
        self.complaints.append((line, f"{self._path}:{line}: {shown}: {what}"))

    def _lines(self, *at: str | int) -> dict[str, int]:
        """The lines of the keys below a path, as messages spell them."""
        found: dict[str, int] = {}
        for path, line in self._document.places.items():
            if path[: len(at)] == at and len(path) > len(at):
                first, *rest = path[len(at) :]
                found[f"{first}{''.join(f'[{part}]' for part in rest)}"] = line
        return found
