"""Files -> what they hold, by a pool of workers where it pays. Loaded only where a file has to be read anew."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec
from itertools import islice
from pathlib import Path

import msgspec

from layercheck.cache import digest
from layercheck.errors import LayercheckError
from layercheck.extract import extract
from layercheck.facts import ModuleFacts, ParseFailure, SourceFile
from layercheck.source import read_file

Item = str | SourceFile
"""What a worker is given: the path of a file below the root, or a file that has been read."""

_CHUNK = 16
"""Files in one task: few enough to keep all workers busy to the end, enough to outweigh the cost of a task."""
_WORTH_A_POOL = 64
"""Files that take longer to read in one process than workers take to start."""


class Extracted(msgspec.Struct, frozen=True, array_like=True):
    """What a worker found in one file. ``digest`` is empty where the file could not be read."""

    path: str
    digest: bytes
    stamp: tuple[int, ...]
    facts: ModuleFacts


_main_lock = threading.Lock()
"""Held while the main module is called otherwise, so that each thread finds its true name and gives it back."""

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(list[Extracted])


def extract_all(root: Path, items: Sequence[Item], jobs: int) -> Iterator[list[Extracted]]:
    """What each file holds, some files at a time, in no order.

    Raises LayercheckError where a worker died.
    """
    chunks = _chunks(items)
    # A worker of somebody's own pool may not start processes.
    if jobs == 1 or len(items) < _WORTH_A_POOL or multiprocessing.current_process().daemon:
        for chunk in chunks:
            yield [_extract_one(root, item) for item in chunk]
        return
    yield from _in_pool(root, chunks, min(jobs, len(items) // _CHUNK))


def _in_pool(root: Path, chunks: Iterator[list[Item]], jobs: int) -> Iterator[list[Extracted]]:
    others = set(multiprocessing.active_children())
    with _main_left_alone(), _away_from_the_code():
        pool = ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_begin)
    try:
        # Only a few tasks wait at a time, so that what is done is taken up and let go before more is made.
        pending = _submit(pool, root, islice(chunks, jobs * 3))
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= _submit(pool, root, islice(chunks, len(done)))
            for future in done:
                found = future.result()
                yield _DECODER.decode(found) if isinstance(found, bytes) else found
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


def _submit(
    pool: ProcessPoolExecutor, root: Path, chunks: Iterable[list[Item]]
) -> set[Future[bytes | list[Extracted]]]:
    # Processes start here and inherit what is held back: an interrupt while they start would be told by each of them.
    with _interrupts_held_back(), _main_left_alone(), _away_from_the_code():
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


@contextmanager
def _away_from_the_code() -> Iterator[None]:
    """Processes that start meanwhile take no module from the current folder, which may be a stranger's.

    multiprocessing starts ``python -c``, which looks there first, for the modules of multiprocessing itself too
    (sys.path, "Initialization of sys.path"; PYTHONSAFEPATH is new in Python 3.11).
    """
    if sys.version_info >= (3, 11):
        before = os.environ.get("PYTHONSAFEPATH")
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = before
    else:
        here = Path.cwd()
        os.chdir(Path(sys.executable).parent)
        try:
            yield
        finally:
            os.chdir(here)


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Processes that start meanwhile do not run the main module again. Workers need nothing of it, and a script that
    calls layercheck outside ``if __name__ == "__main__"`` would run once more in each of them.

    multiprocessing runs no main module again that is called ``__main__`` in a package.
    """
    main = sys.modules["__main__"]
    with _main_lock:
        before = main.__spec__
        main.__spec__ = ModuleSpec(f"{__package__}.__main__", None)
        try:
            yield
        finally:
            main.__spec__ = before


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


def _chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    items = iter(items)
    while chunk := list(islice(items, _CHUNK)):
        yield chunk


def _work(root: Path, items: list[Item]) -> bytes | list[Extracted]:
    """What the files hold, encoded, which is quicker to hand over; as it is where a path or a text is no UTF-8."""
    found = [_extract_one(root, item) for item in items]
    done: bytes | list[Extracted] = found
    with suppress(ValueError, TypeError, OverflowError, RecursionError):
        done = _ENCODER.encode(found)
    gc.collect()  # of the few objects of one task that are left, in case there is a circle after all
    return done


def _extract_one(root: Path, item: Item) -> Extracted:
    file = item if isinstance(item, SourceFile) else read_file(root, item)
    path = file.path
    if file.content is None:
        return Extracted(path, b"", (), ModuleFacts(failure=ParseFailure(file.error, 1, 1)))
    return Extracted(path, digest(file.content), file.stamp, extract(file.content))
