"""Work that goes as deep as the code does: hundreds of modules that hand on a name, of classes that derive from others.
What is too deep for an ordinary stack is done again on a large one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")

_STACK = 512 * 1024 * 1024
"""Bytes: address space, of which the system only gives what is touched."""
_DEPTH = 100_000
_lock = threading.Lock()


def deeply(work: Callable[[], _T]) -> _T:
    """What ``work`` returns. It must bear being begun twice. Raises what it raises."""
    try:
        return work()
    except RecursionError:
        if sys.getrecursionlimit() >= _DEPTH:
            raise  # it is on a large one already
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    with _lock:
        limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
        try:
            sys.setrecursionlimit(max(_DEPTH, limit))
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            thread.join()
        finally:
            threading.stack_size(size)
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
