"""Facts of all files of a folder: from the cache, else read and extracted, by a pool of workers where it pays."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from layercheck.cache import Cache, digest
from layercheck.errors import LayercheckError
from layercheck.extract import extract
from layercheck.facts import ModuleFacts, ParseFailure, Seen, SourceFile
from layercheck.source import read_file

Progress = Callable[[int, int], None]
"""Called with how many files are done, and of how many."""

_Item = str | SourceFile
"""What a worker is given: the path of a file below the root, or a file that has been read."""

_CHUNK = 16
"""Files in one task: few enough to keep all workers busy to the end, enough to outweigh the cost of a task."""
_WORTH_A_POOL = 64
"""Files that take longer to read in one process than workers take to start."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the files say."""

    facts: Mapping[str, ModuleFacts]
    """By path, in the order asked for."""
    cached: int
    """How many of them came from the cache."""
    seen: Mapping[str, Seen]
    """Of each file that could be read, which content it had; in no order."""


class _Extracted(msgspec.Struct, frozen=True, array_like=True):
    """What a worker found in one file. ``digest`` is empty where the file could not be read."""

    path: str
    digest: bytes
    stamp: tuple[int, ...]
    facts: ModuleFacts


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(list[_Extracted])


def gather(
    root: Path,
    paths: Sequence[str],
    *,
    jobs: int = 1,
    cache: Cache | None = None,
    progress: Progress = lambda done, total: None,
) -> Gathered:
    """The facts of each file of ``paths``, relative to ``root``; with the same outcome for any number of ``jobs``.

    Raises LayercheckError where a worker died.
    """
    known: dict[str, ModuleFacts] = {}
    seen: dict[str, Seen] = {}
    missing: list[str] = list(paths)
    if cache is not None and cache.filled:
        missing = []
        for path in paths:
            file = read_file(root, path)
            name = b"" if file.content is None else digest(file.content)
            facts = cache.get(name) if name else None
            if facts is None:
                missing.append(path)
            else:
                known[path] = facts
                seen[path] = Seen(name, file.stamp)
    cached = len(known)
    progress(cached, len(paths))
    for extracted in _extract_all(root, missing, jobs):
        for one in extracted:
            known[one.path] = one.facts
            if one.digest:
                seen[one.path] = Seen(one.digest, one.stamp)
                if cache is not None:
                    cache.put(one.digest, one.facts)
        progress(len(known), len(paths))
    return Gathered({path: known[path] for path in paths}, cached, seen)


def gather_files(files: Iterable[SourceFile], *, jobs: int, cache: Cache) -> Mapping[str, ModuleFacts]:
    """The facts of files that have been read, by path; only those that the cache does not know are kept in memory.

    Raises LayercheckError where a worker died.
    """
    known: dict[str, ModuleFacts | None] = {}
    missing: list[SourceFile] = []
    for file in files:
        facts = None if file.content is None else cache.get(digest(file.content))
        known[file.path] = facts
        if facts is None:
            missing.append(file)
    for extracted in _extract_all(Path(), missing, jobs):
        for one in extracted:
            known[one.path] = one.facts
            if one.digest:
                cache.put(one.digest, one.facts)
    return {path: facts for path, facts in known.items() if facts is not None}


def _extract_all(root: Path, items: Sequence[_Item], jobs: int) -> Iterator[list[_Extracted]]:
    chunks = _chunks(items)
    if jobs == 1 or len(items) < _WORTH_A_POOL:
        for chunk in chunks:
            yield [_extract_one(root, item) for item in chunk]
        return
    yield from _in_pool(root, chunks, min(jobs, len(items) // _CHUNK))


def _in_pool(root: Path, chunks: Iterator[list[_Item]], jobs: int) -> Iterator[list[_Extracted]]:
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_begin)
    try:
        # Only a few tasks wait at a time, so that what is done is taken up and let go before more is made.
        pending = _submit(pool, root, islice(chunks, jobs * 3))
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= _submit(pool, root, islice(chunks, len(done)))
            for future in done:
                yield _DECODER.decode(future.result())
    except BrokenProcessPool:
        raise LayercheckError(
            "a worker was ended from outside, perhaps for lack of memory; run again with a lower --jobs"
        ) from None
    except BaseException:
        # Else the exit of this process waits until the workers have done what they have begun.
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, root: Path, chunks: Iterable[list[_Item]]) -> set[Future[bytes]]:
    # Processes start here and inherit what is held back: an interrupt while they start would be told by each of them.
    with _interrupts_held_back():
        return {pool.submit(_work, root, chunk) for chunk in chunks}


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context() -> multiprocessing.context.BaseContext:
    """The platform's own way to start a process, but never by forking: a fork copies locks that threads hold."""
    method = multiprocessing.get_start_method(allow_none=True)
    if method in (None, "fork") and "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])
        return context
    return multiprocessing.get_context(method)


def _begin() -> None:
    """What a worker does first: it leaves interrupts to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Syntax trees are many objects and no circles: looking for circles while they are made is a fifth of the time.
    gc.freeze()
    gc.disable()


def _chunks(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    items = iter(items)
    while chunk := list(islice(items, _CHUNK)):
        yield chunk


def _work(root: Path, items: list[_Item]) -> bytes:
    done = _ENCODER.encode([_extract_one(root, item) for item in items])
    gc.collect()  # of the few objects of one task that are left, in case there is a circle after all
    return done


def _extract_one(root: Path, item: _Item) -> _Extracted:
    file = item if isinstance(item, SourceFile) else read_file(root, item)
    path = file.path
    if file.content is None:
        return _Extracted(path, b"", (), ModuleFacts(failure=ParseFailure(file.error, 1, 1)))
    return _Extracted(path, digest(file.content), file.stamp, extract(file.content))


def default_jobs() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
