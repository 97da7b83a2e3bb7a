"""Which file holds the rules, as far as an inquiry of the file system tells. Judges no text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli

from layercheck.errors import LayercheckError
from layercheck.inquiry import Inquiry
from layercheck.layout import matches_glob
from layercheck.opening import LeadsOutError

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


def folders_upwards(root: Path, inquiry: Inquiry) -> Iterator[Path]:
    """``root``, an absolute path, and the folders above it up to the top of its git checkout; outside a checkout
    only ``root``, since what lies above it may be anybody's."""
    folders = [root, *root.parents]
    top = next((index for index, folder in enumerate(folders) if inquiry.exists(folder / ".git")), 0)
    yield from folders[: top + 1]


def top_of(root: Path, inquiry: Inquiry | None = None) -> Path:
    """The topmost of the folders upwards from ``root``, an absolute path: what lies outside of it may be anybody's."""
    return list(folders_upwards(root, inquiry or Inquiry()))[-1]


def find_rules(root: Path, inquiry: Inquiry | None = None) -> RulesText | None:
    """The rules that hold for ``root``, an absolute path: the nearest upwards, layercheck.toml before pyproject.toml.

    A file that one further up includes is a fragment of that, which then holds.

    Raises LayercheckError where a rules file is there and cannot be read.
    """
    found: RulesText | None = None
    inquiry = inquiry or Inquiry()
    folders = list(folders_upwards(root, inquiry))
    for folder in folders:
        try:
            above = _rules_in(folder, folders[-1], inquiry)
        except LayercheckError:
            if found is None:
                raise
            continue
        if above is not None and (found is None or _includes(above, found.path)):
            found = above
    return found


def _rules_in(folder: Path, top: Path, inquiry: Inquiry) -> RulesText | None:
    own = folder / "layercheck.toml"
    if inquiry.is_file(own):
        return RulesText(own, read_text(own, top, inquiry), ())
    shared = folder / "pyproject.toml"
    if inquiry.is_file(shared):
        text = read_text(shared, top, inquiry)
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


def read_rules_file(path: Path, inquiry: Inquiry | None = None) -> RulesText:
    """The rules in a file that was asked for by name.

    Raises LayercheckError where it cannot be read.
    """
    text = _text(path, lambda: (inquiry or Inquiry()).named(path))
    return RulesText(path, text, TABLE if is_shared(path.name) else ())


def is_shared(path: str) -> bool:
    """Whether a file, POSIX, holds the settings of other programs too, so that layercheck's are in a table of it."""
    return path.rpartition("/")[2] == "pyproject.toml"


def read_text(path: Path, top: Path | None, inquiry: Inquiry) -> str:
    """The text of a rules file that nobody has asked for by name; ``top`` is the folder out of which it may not lead.

    Raises LayercheckError where it cannot be read.
    """
    return _text(path, lambda: inquiry.settings(path, top))


def _text(path: Path, read: Callable[[], bytes]) -> str:
    try:
        return read().decode("utf-8-sig")
    except LeadsOutError as error:
        raise LayercheckError(
            f"{path}: the rules file cannot be read: {error.strerror}; if you trust it, name the rules with --rules"
        ) from None
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
