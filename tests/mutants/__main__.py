"""The command ``python -m tests.mutants``: draws mutants, has them tried, prints those that survive."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

from tests.mutants.making import Mutant, mutants_of
from tests.mutants.trying import attempt

ALIVE = ("survived", "unreached")
PACKAGES = ("extract", "project", "checks", "moves")

TESTS = (
    "tests/checks",
    *sorted(str(one) for one in Path("tests").glob("test_extract_*.py")),
    "tests/test_project.py",
    "tests/test_sieve.py",
    "tests/test_supposing.py",
    "tests/test_wording.py",
    "tests/test_mending.py",
    "tests/test_moves.py",
    "tests/test_moves_apply.py",
    "tests/test_moves_apply_command.py",
    "tests/test_moves_commas.py",
    "tests/test_moves_command.py",
    "tests/test_moves_meaning.py",
    "tests/test_moves_plan.py",
)
"""Tests that are quick: nearly all are tables of small trees, in memory."""


def main() -> int:
    """Try a sample of one package."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES, help=" ".join(PACKAGES))
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--known", type=Path, help="a file that keeps which test runs which line, for the next run")
    arguments = parser.parse_args()
    made: dict[str, int] = {}
    drawn: list[Mutant] = []
    for package in arguments.packages:
        files = sorted(Path("layercheck", package).glob("*.py"))
        all_ = [one for file in files for one in mutants_of(file.as_posix(), file.read_text(encoding="utf-8"))]
        made[package] = len(all_)
        some = sorted(all_, key=lambda one: one.draw(arguments.seed))[: arguments.sample]
        drawn += sorted(some, key=lambda one: (one.path, one.line))
    verdicts: dict[str, Counter[str]] = {package: Counter() for package in made}
    out = os.fdopen(os.dup(1), "w")  # tests print on the other

    def tell(mutant: Mutant, verdict: str, tests: int) -> None:
        verdicts[mutant.path.split("/")[1]][verdict] += 1
        if verdict in ALIVE:
            print(f"\n{mutant.path}:{mutant.line}: {verdict}, {tests} tests", file=out)
            print("\n".join(f"    - {line}" for line in mutant.before.split("\n")), file=out)
            print("\n".join(f"    + {line}" for line in mutant.after.split("\n")), file=out, flush=True)

    status = attempt(drawn, TESTS, arguments.known, tell)
    print(file=out)
    for package, counts in verdicts.items():
        told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        alive = sum(counts[one] for one in ALIVE)
        rate = alive / max(1, counts.total())
        print(f"{package}: {counts.total()} of {made[package]} mutants: {told}; {rate:.1%} alive", file=out)
    return status


if __name__ == "__main__":
    sys.exit(main())
