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
    """User and system time of all its processes: on Linux also of those that nobody waited for, to within a sample."""
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
            processor=max(usage.ru_utime + usage.ru_stime, sampler.processor),
            # On Linux ru_maxrss is no less than what its parent held when it was forked: exec keeps the mark.
            peak=sampler.peak or usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        )


class _Sampler(threading.Thread):
    """Looks at a process and its descendants again and again; keeps the highest sum of memory, and the time of each."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._pid = pid
        self._times: dict[int, float] = {}
        self._done = threading.Event()

    @property
    def processor(self) -> float:
        """Seconds of processor that all processes seen had taken when they were last seen."""
        return sum(self._times.values())

    def run(self) -> None:
        cost = 0.0
        while not self._done.wait(max(_SAMPLE_SECONDS, cost / _SAMPLE_SHARE)):
            start = time.thread_time()
            family = _family(self._pid)
            self.peak = max(self.peak, sum(map(_memory, family)))
            for pid in family:
                self._times[pid] = max(_processor(pid), self._times.get(pid, 0.0))
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


def _processor(pid: int) -> float:
    """User and system time of a process in seconds, without its children's (proc(5), ``/proc/[pid]/stat``)."""
    fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _text(path: Path) -> str:
    """What a file of /proc says; nothing once the process is gone."""
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
