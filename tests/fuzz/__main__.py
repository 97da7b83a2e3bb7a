"""``python -m tests.fuzz``: mutate inputs of targets, each in a process of its own, and keep those that are not borne.

    python -m tests.fuzz --seconds 300 extract rules

An input that raises, ends the process or takes longer than a few seconds is written to ``build/fuzz``. Cut it down and
put it into ``tests/fuzz/found`` together with the mend: ``tests/test_fuzz.py`` runs what is there.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.loop import fuzz
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run the targets in turns, and say how many inputs each was given and which it did not bear."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], default=[])
    asked = parser.parse_args()
    names = asked.targets or [*TARGETS]
    failed = 0
    for number, name in enumerate(names):
        count, bad = fuzz(name, asked.seconds / len(names), asked.seed + number)
        print(f"{name}: {count:,} inputs, {bad} not borne", flush=True)
        failed += bad
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
