"""Which file holds the rules: the only part of the configuration that looks at the disk. Judges no text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli

from layercheck.errors import LayercheckError
from layercheck.layout import matches_glob

SUFFIX = ".toml"
TABLE = ("tool", "layercheck")
"""Where in a pyproject.toml the settings are."""


@dataclass(frozen=True, slots=True)
class RulesText:
    """A rules file as it was read."""

    path: Path
    """Absolute."""
    text: str
    table: tuple[str, ...]
    """Where in the text the settings are."""


def folders_upwards(root: Path) -> Iterator[Path]:
    """``root``, an absolute path, and the folders above it up to the top of its git checkout; outside a checkout
    only ``root``, since what lies above it may be anybody's."""
    folders = [root, *root.parents]
    top = next((index for index, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    yield from folders[: top + 1]


def find_rules(root: Path) -> RulesText | None:
    """The rules that hold for ``root``, an absolute path: the nearest upwards, layercheck.toml before pyproject.toml.

    A file that one further up includes is a fragment of that, which then holds.

    Raises LayercheckError where a rules file is there and cannot be read.
    """
    found: RulesText | None = None
    for folder in folders_upwards(root):
        try:
            above = _rules_in(folder)
        except LayercheckError:
            if found is None:
                raise
            continue
        if above is not None and (found is None or _includes(above, found.path)):
            found = above
    return found


def _rules_in(folder: Path) -> RulesText | None:
    own = folder / "layercheck.toml"
    if own.is_file():
        return RulesText(own, _read(own), ())
    shared = folder / "pyproject.toml"
    if shared.is_file():
        text = _read(shared)
        if _has_table(text):
            return RulesText(shared, text, TABLE)
    return None


def _includes(rules: RulesText, path: Path) -> bool:
    """Whether a rules file includes another one, which lies below it; where it is no valid TOML it includes nothing."""
    if "include" not in rules.text:
        return False
    try:
        table: Any = tomli.loads(rules.text.replace("\r\n", "\n"))
    except (ValueError, RecursionError):
        return False
    for key in rules.table:
        table = table.get(key) if isinstance(table, dict) else None
    globs = table.get("include") if isinstance(table, dict) else None
    below = path.relative_to(rules.path.parent).as_posix()
    return isinstance(globs, list) and any(isinstance(glob, str) and is_meant(below, glob) for glob in globs)


def is_meant(path: str, glob: str) -> bool:
    """Whether a glob of ``include`` names a file, both seen from the folder of the rules file."""
    # A glob of layout stands for what is below it too: a folder called x.toml is none of these.
    return path.endswith(SUFFIX) and matches_glob(path, glob) and not matches_glob(path.rpartition("/")[0] or "/", glob)


def read_rules_file(path: Path) -> RulesText:
    """The rules in a file that was asked for by name.

    Raises LayercheckError where it cannot be read.
    """
    return RulesText(path, _read(path), TABLE if is_shared(path.name) else ())


def is_shared(path: str) -> bool:
    """Whether a file, POSIX, holds the settings of other programs too, so that layercheck's are in a table of it."""
    return path.rpartition("/")[2] == "pyproject.toml"


def read_text(path: str) -> str:
    """The text of a rules file.

    Raises LayercheckError where it cannot be read.
    """
    return _read(Path(path))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            line = error.object[: error.start].count(b"\n") + 1
            raise LayercheckError(f"{path}:{line}: the rules file is not UTF-8; TOML has to be") from None
        reason = getattr(error, "strerror", None) or error
        raise LayercheckError(f"{path}: the rules file cannot be read: {reason}") from None


def _has_table(text: str) -> bool:
    """Whether a pyproject.toml speaks of layercheck; where it is no valid TOML, whether it seems to."""
    if "layercheck" not in text:
        return False
    try:
        tool = tomli.loads(text.replace("\r\n", "\n")).get("tool")
    except (ValueError, RecursionError):
        return "[tool.layercheck" in text or "[[tool.layercheck" in text
    return isinstance(tool, dict) and "layercheck" in tool
