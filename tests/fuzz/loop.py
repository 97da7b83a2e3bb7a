"""One target after another in a process of its own: how many inputs it bore, and which it did not."""

from __future__ import annotations

import hashlib
import multiprocessing
import sys
import time
import traceback
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from random import Random

from tests.fuzz.mutate import mutated
from tests.fuzz.targets import TARGETS

_SECONDS = 10
"""What one input may take; none is larger than 40,000 bytes."""
_OUT = Path("build/fuzz")


def fuzz(name: str, seconds: float, seed: int) -> tuple[int, int]:
    """How many inputs a target was given in some seconds, and how many it did not bear."""
    end, total, bad = time.monotonic() + seconds, 0, 0
    context = multiprocessing.get_context("spawn")
    while time.monotonic() < end and bad < 20:
        count: Synchronized[int] = context.Value("L", 0)
        worker = context.Process(target=_work, args=(name, seed, end - time.monotonic(), count))
        worker.start()
        hung = _watch(worker, count)
        worker.join()
        total += count.value
        seed += 1000
        if worker.exitcode != 0:
            bad += 1
            current = _OUT / f"{name}.current"
            if current.exists():
                kept = _OUT / f"{name}-{hashlib.sha256(current.read_bytes()).hexdigest()[:12]}"
                current.replace(kept)
                print(f"{name}: {'takes too long' if hung else f'ends with {worker.exitcode}'}: {kept}", flush=True)
    return total, bad


def _watch(worker: multiprocessing.process.BaseProcess, count: Synchronized[int]) -> bool:
    """Wait for a worker, and end it where one input takes too long; whether it did."""
    last, since = -1, time.monotonic()
    while worker.is_alive():
        worker.join(0.5)
        if count.value != last:
            last, since = count.value, time.monotonic()
        # The first input waits for what is to be imported, and a busy machine counts.
        elif time.monotonic() - since > (_SECONDS if last > 0 else 120) * 3:
            worker.kill()
            return True
    return False


def _work(name: str, seed: int, seconds: float, count: Synchronized[int]) -> None:
    target, chance = TARGETS[name], Random(seed)
    seeds = target.seeds()
    _OUT.mkdir(parents=True, exist_ok=True)
    current = _OUT / f"{name}.current"
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(chance, seeds)
        current.write_bytes(data)
        start = time.process_time()
        try:
            target.run(data)
        except BaseException:
            traceback.print_exc()
            sys.exit(3)
        if time.process_time() - start > _SECONDS:
            sys.exit(4)
        count.value += 1
    current.unlink()
