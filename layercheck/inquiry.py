"""What the reading of settings asks of the file system, with the answers, so that the same can be asked again: settings
are as they were if the answers are. Judges no text."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from layercheck.layout import is_environment, is_skipped
from layercheck.opening import MAX_SETTINGS, read_named, read_regular, read_settings

Answers = Mapping[tuple[str, str, str], bytes]
"""Digests of answers, by kind of question, path and what else was asked; empty where there was none."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The questions of one run. Paths are absolute."""

    answers: dict[tuple[str, str, str], bytes] = field(default_factory=dict)

    def exists(self, path: Path) -> bool:
        """Whether there is something, links followed."""
        return bool(self._ask("exists", path))

    def is_file(self, path: Path) -> bool:
        """Whether there is a file, links followed."""
        return bool(self._ask("is file", path))

    def is_taken(self, path: str) -> bool:
        """Whether something has this name, be it a link that leads nowhere."""
        return bool(self._ask("is taken", path))

    def place(self, path: Path) -> Path:
        """Where a file is, all links followed."""
        return Path(str(self._ask("place", path)))

    def settings(self, path: Path, top: Path | None) -> bytes:
        """The content of a file; raises as ``layercheck.opening.read_settings`` does."""
        return bytes(self._ask("settings", path, "" if top is None else str(top)))

    def named(self, path: Path) -> bytes:
        """The content of a file that somebody asked for by name; raises as ``layercheck.opening.read_named`` does."""
        return bytes(self._ask("named", path))

    def below(self, folder: str, suffix: str, depth: float) -> tuple[str, ...]:
        """The files below a folder whose names end so: relative, POSIX, sorted, not deeper than ``depth`` folders, and
        none in a folder that holds no code of a project or behind a link."""
        return tuple(self._ask("below", folder, f"{depth}/{suffix}"))

    def _ask(self, kind: str, path: str | Path, more: str = "") -> Any:
        self.answers[kind, str(path), more] = b""
        found = _KINDS[kind](str(path), more)
        self.answers[kind, str(path), more] = _digest(found)
        return found


def asked_again(answers: Answers) -> Answers:
    """The answers to the same questions now. Nothing that is piped can be asked for twice: it is never as it was."""
    return {question: _answer(*question) for question in answers}


def _answer(kind: str, path: str, more: str) -> bytes:
    try:
        return _digest(_KINDS[kind](path, more) if kind != "named" else read_regular(path, MAX_SETTINGS)[0])
    except (OSError, ValueError):
        return b""


def _digest(found: object) -> bytes:
    content = found if isinstance(found, bytes) else repr(found).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest()


def _below(folder: str, more: str) -> list[str]:
    depth, _, suffix = more.partition("/")
    return sorted(_files(Path(folder), suffix, float(depth)))


def _files(folder: Path, suffix: str, depth: float) -> Iterator[str]:
    stack = [("", 0)]
    while stack:
        below, level = stack.pop()
        try:
            with os.scandir(folder / below) as iterator:
                children = {child.name: child for child in iterator}
        except OSError:
            continue
        if below and is_environment(children.keys()):
            continue
        for name, child in children.items():
            path = f"{below}/{name}" if below else name
            if child.is_symlink():
                continue
            if name.endswith(suffix) and child.is_file(follow_symlinks=False):
                yield path
            elif child.is_dir(follow_symlinks=False) and not is_skipped(name, children.keys()) and level < depth:
                stack.append((path, level + 1))


_KINDS: Mapping[str, Callable[[str, str], object]] = {
    "exists": lambda path, more: Path(path).exists(),
    "is file": lambda path, more: Path(path).is_file(),
    "is taken": lambda path, more: os.path.lexists(path),
    "place": lambda path, more: os.path.realpath(path),
    "settings": lambda path, top: read_settings(Path(path), Path(top) if top else None),
    "named": lambda path, more: read_named(Path(path), MAX_SETTINGS),
    "below": _below,
}
