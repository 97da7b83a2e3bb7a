"""One thread in which all that takes long is done, one thing after the other, so that the server always listens."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_PATIENCE = 5.0
"""Seconds that the end of the server waits for what is being done."""


class StoppedError(Exception):
    """The server ends, and what was being done is given up."""


class Worker:
    """The thread. It does not outlive the process."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        # extract quietens Python's warnings meanwhile, which is one setting for all threads: so there is one only.
        self._thread = threading.Thread(target=self._work, name="layercheck", daemon=True)
        self._thread.start()

    async def run(self, job: Callable[[], T]) -> T:
        """Do this when all before it is done; raises what it raises."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def settle(set_: Callable[[Any], None], value: Any) -> None:
            if not done.done():
                set_(value)

        def do() -> None:
            try:
                result = job()
            except BaseException as error:
                self._tell(loop, settle, done.set_exception, error)
            else:
                self._tell(loop, settle, done.set_result, result)

        self._jobs.put(do)
        return await done

    def go_on(self) -> None:
        """Called now and then by what is being done. Raises StoppedError when the server ends."""
        if self._stopping.is_set():
            raise StoppedError

    def stop(self) -> None:
        """End the thread as soon as may be."""
        self._stopping.set()
        self._jobs.put(None)
        self._thread.join(_PATIENCE)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None and not self._stopping.is_set():
            job()

    def _tell(self, loop: asyncio.AbstractEventLoop, *call: Any) -> None:
        try:
            loop.call_soon_threadsafe(*call)
        except RuntimeError:  # the loop has ended meanwhile, and nobody waits any more
            return
