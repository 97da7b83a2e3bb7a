"""Facts of all files of a folder: from the cache, else read and extracted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from layercheck.cache import Cache, digest
from layercheck.facts import ModuleFacts, Seen, SourceFile
from layercheck.source import read_file, stamp_of

if TYPE_CHECKING:
    from layercheck.run.pool import Extracted

_MOST_IN_MEMORY = 256 * 1024 * 1024
"""Bytes of files that wait to be extracted: the whole of any project but an enormous one."""

Progress = Callable[[int, int], None]
"""Called with how many files are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the files say."""

    facts: Mapping[str, ModuleFacts]
    """By path, in the order asked for."""
    cached: int
    """How many of them came from the cache."""
    seen: Mapping[str, Seen]
    """Of each file that could be read, which content it had; in no order."""


def gather(
    root: Path,
    paths: Sequence[str],
    *,
    jobs: int = 1,
    cache: Cache | None = None,
    progress: Progress = lambda done, total: None,
    unsaved: Iterable[SourceFile] = (),
    earlier: Gathered | None = None,
) -> Gathered:
    """The facts of each file of ``paths``, relative to ``root``; with the same outcome for any number of ``jobs``.

    ``unsaved`` files hold what is given here, and no cache is told of it. ``earlier``: what was gathered there
    before; what has not changed since is not read again.

    Raises LayercheckError where a worker died.
    """
    known: dict[str, ModuleFacts] = {}
    seen: dict[str, Seen] = {}
    given = {file.path: file for file in unsaved}
    missing: list[str | SourceFile] = [given.get(path, path) for path in paths]
    if earlier is not None or (cache is not None and cache.filled):
        missing = []
        for path in paths:
            found = _known(root, path, given.get(path), cache, earlier)
            if found is None:
                missing.append(given.get(path, path))
            else:
                known[path], seen[path] = found
    cached = len(known)
    progress(cached, len(paths))
    for extracted in _read_anew(root, missing, jobs):
        for one in extracted:
            known[one.path] = one.facts
            if one.digest:
                seen[one.path] = Seen(one.digest, one.stamp)
                if cache is not None and one.path not in given:
                    cache.put(one.digest, one.facts)
        progress(len(known), len(paths))
    return Gathered({path: known[path] for path in paths}, cached, seen)


def _known(
    root: Path, path: str, given: SourceFile | None, cache: Cache | None, earlier: Gathered | None
) -> tuple[ModuleFacts, Seen] | None:
    """What is known of a file without parsing it."""
    before = None if earlier is None else earlier.seen.get(path)
    if earlier is not None and before is not None and given is None and _is_as(root, path, before):
        return earlier.facts[path], before
    file = given or read_file(root, path)
    if file.content is None:
        return None
    seen = Seen(digest(file.content), file.stamp)
    if earlier is not None and before is not None and before.digest == seen.digest:
        return earlier.facts[path], seen
    facts = None if cache is None else cache.get(seen.digest)
    return None if facts is None else (facts, seen)


def _is_as(root: Path, path: str, seen: Seen) -> bool:
    """Whether a file still holds what it held, as far as can be told without reading it."""
    try:
        return bool(seen.stamp) and stamp_of((root / path).stat()) == seen.stamp
    except (OSError, ValueError):
        return False


def gather_files(files: Iterable[SourceFile], *, jobs: int, cache: Cache) -> Mapping[str, ModuleFacts]:
    """The facts of files that have been read, by path; only those that the cache does not know are kept in memory.

    Raises LayercheckError where a worker died.
    """
    known: dict[str, ModuleFacts | None] = {}
    missing: list[SourceFile] = []
    size = 0

    def read_missing() -> None:
        for extracted in _read_anew(Path(), missing, jobs):
            for one in extracted:
                known[one.path] = one.facts
                if one.digest:
                    cache.put(one.digest, one.facts)
        missing.clear()

    for file in files:
        facts = None if file.content is None else cache.get(digest(file.content))
        known[file.path] = facts
        if facts is None:
            missing.append(file)
            size += len(file.content or b"")
        if size > _MOST_IN_MEMORY:
            read_missing()
            size = 0
    read_missing()
    return {path: facts for path, facts in known.items() if facts is not None}


def _read_anew(root: Path, items: Sequence[str | SourceFile], jobs: int) -> Iterator[list[Extracted]]:
    if not items:
        return
    # What reads syntax trees and starts workers takes a while to load, and most runs find all facts in the cache.
    from layercheck.run.pool import extract_all

    yield from extract_all(root, items, jobs)


def default_jobs() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
