"""Run a command as a whole process tree and say what it cost: seconds of processor and wall, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAMPLE_SECONDS = 0.05
_SAMPLE_SHARE = 0.03
"""How much of a processor may go into sampling, so that the measure does not slow what it measures."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a command did and cost. Times in seconds, ``peak`` in bytes."""

    status: int
    stdout: str
    stderr: str
    wall: float
    processor: float
    """User and system time of the command and of all children it waited for."""
    peak: int
    """The most memory that all its processes held at once, shared pages counted once (Linux); elsewhere, the most
    that any one of them held."""


def measure(command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Measured:
    """Run a command to its end. Its output goes through files, so that no pipe can hold it up."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=cwd, env=env)
        sampler = _Sampler(process.pid)
        sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        sampler.stop()
        process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it again
        out.seek(0)
        err.seek(0)
        return Measured(
            status=process.returncode,
            stdout=out.read().decode("utf-8", "replace"),
            stderr=err.read().decode("utf-8", "replace"),
            wall=wall,
            processor=usage.ru_utime + usage.ru_stime,
            peak=max(sampler.peak, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)),
        )


class _Sampler(threading.Thread):
    """Adds up the memory of a process and its descendants, again and again, and keeps the highest sum."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._pid = pid
        self._done = threading.Event()

    def run(self) -> None:
        cost = 0.0
        while not self._done.wait(max(_SAMPLE_SECONDS, cost / _SAMPLE_SHARE)):
            start = time.thread_time()
            self.peak = max(self.peak, sum(_memory(pid) for pid in _family(self._pid)))
            cost = time.thread_time() - start

    def stop(self) -> None:
        self._done.set()
        self.join()


def _family(pid: int) -> list[int]:
    """A process and its descendants, as far as they still live."""
    family = [pid]
    for each in family:  # grows as it is walked
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            family += map(int, _text(children).split())
    return family


def _memory(pid: int) -> int:
    """The proportional set size of a process in bytes: pages that n processes share count 1/n for each."""
    lines = _text(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _text(path: Path) -> str:
    """What a file of /proc says; nothing once the process is gone."""
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
