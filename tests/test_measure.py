"""The measure itself: a process that takes memory and time in a child is seen to do so."""

from __future__ import annotations

import sys

import pytest

from tests.measure import measure

_CHILD = "kept = bytearray(60_000_000); print(flush=True); input()"
_PARENT = f"""
import subprocess, sys, time
pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
children = [subprocess.Popen([sys.executable, "-c", {_CHILD!r}], **pipes) for _ in range(2)]
for child in children: child.stdout.readline()
time.sleep(1.5)  # both hold their memory now
for child in children: child.communicate(b"go on\\n")
print("out"); print("err", file=sys.stderr)
sys.exit(max(child.wait() for child in children) + 3)
"""
_BUSY = "import time\nwhile time.process_time() < 0.6: pass"
_SERVER = f"""
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {_BUSY!r}])
os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # looks at its end, and leaves it unwaited for
os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory of a process tree is read from /proc")
def test_memory_of_children_is_added_up() -> None:
    ballast = b"x" * 250_000_000  # what this process holds is not the command's
    measured = measure([sys.executable, "-c", _PARENT])
    del ballast
    assert (measured.status, measured.stdout, measured.stderr) == (3, "out\n", "err\n")
    assert 120_000_000 < measured.peak < 240_000_000
    assert measured.wall > 1
    assert measured.processor > 0.01


@pytest.mark.skipif(sys.platform != "linux", reason="times of a process tree are read from /proc")
def test_time_of_processes_that_nobody_waits_for_is_counted() -> None:
    assert 0.5 < measure([sys.executable, "-c", _SERVER]).processor < 1.5
