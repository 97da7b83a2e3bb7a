"""Settings in INI or TOML -> tables with the line and the comments of everything in them. Knows no tool's meaning."""

from __future__ import annotations

import configparser
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tomli

from layercheck.config.places import Path, line_of, places
from layercheck.errors import LayercheckError
from layercheck.migrate.model import Text

_HEADER = re.compile(r"\[(?P<name>.+)\]")
_IS_HEADER = re.compile(r"\s*\[[^=]*\]\s*(?:#.*)?")
_OPTION = re.compile(r"(?P<key>.*?)\s*[=:]\s*(?P<value>.*)$")
_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")|"(?:[^"\\\n]|\\.)*"|'
    r"'''.*?'{3,5}(?!')|'[^'\n]*'|#(?P<comment>[^\n]*)",
    re.DOTALL,
)
_TRAILING = re.compile(r"""(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*#(?P<comment>.*)""")


@dataclass(frozen=True, slots=True)
class Table:
    """A section of an INI file."""

    name: str
    line: int
    comments: tuple[str, ...]
    options: Mapping[str, Option]


@dataclass(frozen=True, slots=True)
class Option:
    """A key and its value: one text, or several on a line each."""

    entries: tuple[Text, ...]
    several: bool
    line: int
    comments: tuple[str, ...] = ()
    faulty: bool = False
    """Whether it was told already that its value is of no use."""


def read_ini(text: str, path: str) -> list[Table]:
    """The sections of an INI file, as ``configparser`` reads them.

    Raises LayercheckError where it cannot.
    """
    parser = configparser.ConfigParser()
    try:
        parser.read_string(text)
        values = {name: dict(parser[name]) for name in parser.sections()}
    except (configparser.Error, ValueError) as error:
        line = getattr(error, "lineno", None) or next(iter(getattr(error, "errors", ())), (None,))[0]
        place = f"{path}:{line}" if line else path
        raise LayercheckError(f"{place}: not valid INI: {_first_line(error)}") from None
    notes = _Notes(text)
    return [_table(name, options, notes) for name, options in values.items()]


def ini_notes(text: str, section: str) -> tuple[str, ...]:
    """All comments of a section of an INI file and of those called ``section:...``, in their order.

    A comment belongs to what stands below it; where a blank line, or nothing, follows, to what stands above it.
    """
    return tuple(note for where, note in _Notes(text).notes if where.partition(":")[0] == section)


def _first_line(error: Exception) -> str:
    return " ".join(str(getattr(error, "message", error)).split())


def _table(name: str, values: Mapping[str, str], notes: _Notes) -> Table:
    line, comments = notes.found.get((name, "", ""), (1, ()))
    options = {}
    for key, value in values.items():
        texts = value.strip().split("\n") if "\n" in value else [value]
        entries = [Text(text.strip(), *notes.of(name, key, text.strip())) for text in texts if text.strip()]
        at, above = notes.found.get((name, key, ""), (line, ()))
        options[key] = Option(tuple(entries), "\n" in value, at, above)
    return Table(name, line, comments, options)


class _Notes:
    """The line of each header, option and entry of an INI file, and the comments above it."""

    def __init__(self, text: str) -> None:
        self.found: dict[tuple[str, str, str], tuple[int, tuple[str, ...]]] = {}
        """By section, option and entry; empty texts for none."""
        self.notes: list[tuple[str, str]] = []
        """Each comment with the section that it belongs to."""
        section = key = ""
        new: list[str] = []
        pending: list[str] = []
        for number, line in enumerate(text.split("\n"), 1):
            stripped = line.strip()
            if stripped.startswith(("#", ";")):
                pending.append(stripped[1:].strip())
                new.append(pending[-1])
                continue
            if not stripped:
                new = self._close(section, new)
                continue
            header = _HEADER.match(line)
            option = None if line[0].isspace() else _OPTION.match(line)
            if header:
                section, key = header["name"], ""
                self._note((section, "", ""), number, pending)
            elif option:
                key = option["key"].strip().lower()
                self._note((section, key, ""), number, pending)
                self._note((section, key, option["value"].strip()), number, [])
            else:
                self._note((section, key, stripped), number, pending)
            pending = []
            new = self._close(section, new)
        self._close(section, new)

    def _close(self, section: str, notes: list[str]) -> list[str]:
        self.notes += [(section, note) for note in notes]
        return []

    def _note(self, place: tuple[str, str, str], line: int, comments: list[str]) -> None:
        self.found.setdefault(place, (line, tuple(comments)))

    def of(self, section: str, key: str, entry: str) -> tuple[tuple[str, ...], int]:
        line, comments = self.found.get((section, key, entry), (1, ()))
        return comments, line


@dataclass(frozen=True, slots=True)
class Toml:
    """A TOML file: its data, and where each part of it stands."""

    path: str
    data: Mapping[str, Any]
    _places: dict[Path, int]
    _lines: tuple[str, ...]

    def line(self, *at: str | int) -> int:
        """The line of a key path, or of the nearest thing around it."""
        return line_of(self._places, at)

    def text(self, value: str, *at: str | int) -> Text:
        """A text with its place and its comments."""
        return Text(value, self.comments(*at), self.line(*at))

    def comments(self, *at: str | int) -> tuple[str, ...]:
        """The comments directly above a key, header or entry that begins its line, and the one behind it."""
        if at not in self._places:
            return ()
        line = self._places[at] - 1
        above: list[str] = []
        for before in reversed(self._lines[:line]):
            if not before.strip().startswith("#"):
                break
            above.insert(0, before.strip()[1:].strip())
        written = self._lines[line]
        if self._places.get(at[:-1]) == self._places[at] and not _IS_HEADER.fullmatch(written):
            return ()  # written on one line with what is around it, whose comments they are
        trailing = _TRAILING.fullmatch(written)
        return (*above, *([trailing["comment"].strip()] if trailing else []))

    def notes(self, *at: str | int) -> tuple[str, ...]:
        """All comments in a table and what it holds, in their order; which they are, ``ini_notes`` says."""
        found = []
        for match in _STRING_OR_COMMENT.finditer("\n".join(self._lines)):
            line = match.string.count("\n", 0, match.start())
            if match["comment"] is not None and self._owner(line)[: len(at)] == at:
                found.append(match["comment"].strip())
        return tuple(found)

    def _owner(self, line: int) -> Path:
        """What a comment on a line, from 0, belongs to."""
        while self._lines[line].lstrip().startswith("#") and "".join(self._lines[line + 1 : line + 2]).strip():
            line += 1
        return ([()] + [at for at, place in self._places.items() if place <= line + 1])[-1]


def read_toml(text: str, path: str) -> Toml:
    """A TOML file.

    Raises LayercheckError where it is none.
    """
    text = text.replace("\r\n", "\n")
    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise LayercheckError(f"{path}:{error.lineno}:{error.colno}: not valid TOML: {error.msg}") from None
    except ValueError:
        raise LayercheckError(f"{path}: holds a number of more digits than Python reads") from None
    except RecursionError:
        raise LayercheckError(f"{path}: nested too deeply to be settings") from None
    return Toml(path, data, places(text), tuple(text.split("\n")))


def toml_table(toml: Toml, name: str, table: Mapping[str, Any], *at: str | int) -> tuple[Table, list[tuple[int, str]]]:
    """A table of a TOML file in the shape of a section, and a complaint, with its line, for each value that is neither
    text nor a list of texts; what is text of it stays."""
    options: dict[str, Option] = {}
    complaints: list[tuple[int, str]] = []
    for key, value in table.items():
        here = (*at, key)
        if isinstance(value, list) and key != "contracts":
            texts = [(index, one.strip()) for index, one in enumerate(value) if isinstance(one, str)]
            if len(texts) < len(value):
                complaints.append((toml.line(*here), f"{key}: expected a text or a list of texts"))
            entries = tuple(toml.text(one, *here, index) for index, one in texts if one)
            options[key] = Option(entries, True, toml.line(*here), toml.comments(*here))
        elif isinstance(value, str | bool | int):
            options[key] = Option(
                (Text(str(value), (), toml.line(*here)),), False, toml.line(*here), toml.comments(*here)
            )
        elif key != "contracts":
            complaints.append((toml.line(*here), f"{key}: expected a text or a list of texts"))
            options[key] = Option((), False, toml.line(*here), (), faulty=True)
    return Table(name, toml.line(*at), toml.comments(*at), options), complaints


def all_comments(option: Option) -> tuple[str, ...]:
    """The comments of an option and of its entries."""
    return (*option.comments, *(comment for entry in option.entries for comment in entry.comments))
