"""Which file holds the rules: the only part of the configuration that looks at the disk. Judges no text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tomli

from layercheck.errors import LayercheckError

_TABLE = ("tool", "layercheck")


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

    Raises LayercheckError where a rules file is there and cannot be read.
    """
    for folder in folders_upwards(root):
        own = folder / "layercheck.toml"
        if own.is_file():
            return RulesText(own, _read(own), ())
        shared = folder / "pyproject.toml"
        if shared.is_file():
            text = _read(shared)
            if _has_table(text):
                return RulesText(shared, text, _TABLE)
    return None


def read_rules_file(path: Path) -> RulesText:
    """The rules in a file that was asked for by name.

    Raises LayercheckError where it cannot be read.
    """
    return RulesText(path, _read(path), _TABLE if path.name == "pyproject.toml" else ())


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise LayercheckError(f"{path}: the rules file cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LayercheckError(f"{path}:{line}: the rules file is not UTF-8; TOML has to be") from None


def _has_table(text: str) -> bool:
    """Whether a pyproject.toml speaks of layercheck; where it is no valid TOML, whether it seems to."""
    if "layercheck" not in text:
        return False
    try:
        tool = tomli.loads(text.replace("\r\n", "\n")).get("tool")
    except (tomli.TOMLDecodeError, RecursionError):
        return "[tool.layercheck" in text or "[[tool.layercheck" in text
    return isinstance(tool, dict) and "layercheck" in tool
