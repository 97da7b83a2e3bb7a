"""The files beside a rules file that it may name: how they are read, and which of them a glob means. Judges no text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from layercheck.config.find import SUFFIX, is_meant, read_text
from layercheck.inquiry import Inquiry

ANY = f"**/*{SUFFIX}"
"""The glob of all files that could be rules files."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where the other files are. Their paths are POSIX, from the same place as the rules file's own folder."""

    has: Callable[[str], bool]
    """Whether there is a file."""
    read: Callable[[str], str]
    """The text of a file. Raises LayercheckError where it cannot be read."""
    find: Callable[[str, str], tuple[str, ...]]
    """The files that a glob names, seen from a folder and below it; sorted."""


def shelf_of(files: Mapping[str, str]) -> Shelf:
    """A shelf of texts in memory, by path."""

    def find(folder: str, glob: str) -> tuple[str, ...]:
        prefix = f"{folder}/" if folder else ""
        below = (path[len(prefix) :] for path in files if path.startswith(prefix))
        return tuple(sorted(prefix + path for path in below if is_meant(path, glob)))

    return Shelf(files.__contains__, files.__getitem__, find)


EMPTY = shelf_of({})


def on_disk(top: Path | None, inquiry: Inquiry | None = None) -> Shelf:
    """The shelf of real files, of which none is read that lies outside of ``top``; None: whatever they lie in.

    A glob looks into no folder that holds no code of a project, and follows no link.
    """
    asked = inquiry or Inquiry()

    def find(folder: str, glob: str) -> tuple[str, ...]:
        depth = math.inf if "**" in glob else glob.count("/")
        return tuple(f"{folder}/{path}" for path in asked.below(folder, SUFFIX, depth) if is_meant(path, glob))

    return Shelf(asked.is_taken, lambda path: read_text(Path(path), top, asked), find)


def fault_of_glob(glob: str) -> str:
    """Why a glob may not be included; empty where it may."""
    parts = glob.split("/")
    if not glob.strip() or "\\" in glob or glob.startswith("/") or ":" in parts[0] or ".." in parts:
        return f"{glob!r} leaves the folder of this file; name what is below it, with slashes"
    if not glob.endswith(SUFFIX):
        return f"{glob!r} names no {SUFFIX} file; write such as '*/layercheck.toml'"
    return ""
