"""What ruff and flake8 were told to leave alone file by file: their per-file ignores. Any fault in them is theirs."""

from __future__ import annotations

import re
from collections.abc import Callable
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import tomli

from layercheck.config.find import folders_upwards
from layercheck.inquiry import Inquiry
from layercheck.wildcards import Wildcards

_Table: TypeAlias = list[tuple[str, tuple[str, ...]]]
_Read: TypeAlias = Callable[[Path], str]

_RUFF = ((".ruff.toml", ()), ("ruff.toml", ()), ("pyproject.toml", ("tool", "ruff")))
"""In the order in which ruff looks for them ("Config file discovery")."""
_MOST_WAYS = 256
_NEVER = re.compile(r"(?!)")
_FLAKE8 = (".flake8", "setup.cfg", "tox.ini")


@dataclass(frozen=True, slots=True)
class ForeignIgnores:
    """Codes that another linter leaves alone in the files that a pattern matches."""

    pattern: re.Pattern[str]
    """Matches a path relative to the root of the run."""
    inverted: bool
    """Whether it holds for the files that the pattern does not match."""
    codes: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether they hold for a file, POSIX, relative to the root of the run."""
        return (self.pattern.search(path) is not None) is not self.inverted


def find_foreign(root: Path, inquiry: Inquiry | None = None) -> tuple[ForeignIgnores, ...]:
    """The per-file ignores that hold for ``root``, an absolute path: of each tool, its nearest settings upwards."""
    asked = inquiry or Inquiry()
    return (*_nearest(root, asked, _ruff), *_nearest(root, asked, _flake8))


def _nearest(root: Path, inquiry: Inquiry, read: Callable[[_Read, Path], _Table | None]) -> tuple[ForeignIgnores, ...]:
    folders = list(folders_upwards(root, inquiry))
    for folder in folders:
        table = read(lambda path: _text(inquiry.settings(path, folders[-1])), folder)
        if table is not None:
            above = root.relative_to(folder).as_posix()
            return tuple(foreign_ignores(pattern, codes, "" if above == "." else above) for pattern, codes in table)
    return ()


def foreign_ignores(pattern: str, codes: tuple[str, ...], above: str = "") -> ForeignIgnores:
    """One line of a per-file-ignores table. ``above``: the root of the run, relative to the table's folder."""
    inverted = pattern.startswith("!")
    pattern = pattern.removeprefix("!").removeprefix("./")
    if above and pattern.startswith(above + "/"):
        pattern = pattern[len(above) + 1 :]
    elif above and "/" in pattern and not pattern.startswith("*"):
        return ForeignIgnores(_NEVER, inverted, codes)
    # Both tools try a pattern on the base name as well as on the whole path, and let * cross slashes.
    anchor = r"\A" if "/" in pattern else r"(?:\A|/)"
    try:
        writer = Wildcards()
        ways = "|".join(writer.stars(pieces, ".") for pieces in _ways(pattern))
        expression = re.compile(rf"{anchor}(?:{ways})\Z")
    except (re.error, OverflowError):
        return ForeignIgnores(_NEVER, inverted=False, codes=())
    return ForeignIgnores(expression, inverted, codes)


def _ways(pattern: str) -> list[list[str]]:
    """The ways to read a pattern, one for each choice of ``{...}`` and of ``**/`` as nothing or as folders: the
    expressions that stand between its stars.

    Raises OverflowError for more ways than anybody wrote on purpose.
    """
    ways = [[""]]
    for token in re.findall(r"\*\*/|\*+|\?|\[[^\]]+\]|\{[^}]*\}|.", pattern, re.DOTALL):
        if token == "**/":
            choices = [[""], ["", "/"]]
        elif token.startswith("*"):
            choices = [["", ""]]
        elif token == "?":
            choices = [["."]]
        elif token.startswith("[") and len(token) > 1:
            body = token[1:-1].replace("\\", r"\\").replace("!", "^", 1)
            # What Python may take for an operation of sets one day, and warns of.
            for sign in ("[", "&", "~", "|"):
                body = body.replace(sign, "\\" + sign)
            choices = [["[" + body.replace("--", r"-\-") + "]"]]
        elif token.startswith("{") and len(token) > 1:
            choices = [way for part in token[1:-1].split(",") for way in _ways(part)]
        else:
            choices = [[re.escape(token)]]
        if len(ways) * len(choices) > _MOST_WAYS:
            raise OverflowError(pattern)
        ways = [[*one[:-1], one[-1] + other[0], *other[1:]] for one in ways for other in choices]
    return ways


def _ruff(read: _Read, folder: Path) -> _Table | None:
    for name, keys in _RUFF:
        try:
            table: Any = tomli.loads(read(folder / name))
        except (OSError, ValueError, RecursionError):
            continue
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, dict):
            return _ruff_table(table)
    return None


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _ruff_table(table: dict[str, Any]) -> _Table:
    found: _Table = []
    lint = table.get("lint")
    for section in (table, lint if isinstance(lint, dict) else {}):
        for key in ("per-file-ignores", "extend-per-file-ignores"):
            entries = section.get(key)
            for pattern, codes in entries.items() if isinstance(entries, dict) else ():
                if isinstance(codes, list):
                    found.append((pattern, tuple(code for code in codes if isinstance(code, str))))
    return found


def _flake8(read: _Read, folder: Path) -> _Table | None:
    for name in _FLAKE8:
        parser = ConfigParser(interpolation=None, strict=False)
        try:
            parser.read_string(read(folder / name))
        except (OSError, ValueError, ConfigParserError):
            continue
        if parser.has_section("flake8"):
            return parse_flake8(parser.get("flake8", "per-file-ignores", fallback=""))
    return None


def parse_flake8(text: str) -> _Table:
    """flake8's ``per-file-ignores``: ``a.py,b.py: F401 E501``, separated by commas, blanks and line breaks."""
    found: _Table = []
    patterns: list[str] = []
    codes: list[str] | None = None
    for token in re.findall(r"#[^\n]*|[^\s:,]+|:", text):
        if token == ":":
            codes = []
        elif codes is not None and re.fullmatch(r"[A-Z]+[0-9]*", token):
            codes.append(token)
        elif not token.startswith("#"):
            if codes is not None:
                found += [(pattern, tuple(codes)) for pattern in patterns]
                patterns, codes = [], None
            patterns.append(token)
    return found + [(pattern, tuple(codes or ())) for pattern in patterns]
