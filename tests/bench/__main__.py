"""Measure what was asked for and print it. What runs in turns meets the same load of the machine.

Each command is measured as a whole tree of processes. Only ratios within one run mean something.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

from tests.bench import generated
from tests.bench.contenders import LAYERCHECK, PEERS, Contender, contenders
from tests.bench.states import run, turn
from tests.bench.table import Costs, Target, cost, costs_text, of_command, of_growth, of_tree, targets_text
from tests.bench.trees import TREES, Tree
from tests.measure import Measured

_FEW = ("sglang-0.5.16", "generated-1000")
_ALL = "all"
_SMALL = 20
"""Files of a small run."""
_SETTLED = 61
"""Seconds until no file counts as just written, as in a checkout that somebody works in."""
_PATIENCE = 5000
"""Files of the largest tree on which one run of a slow peer is waited for."""


def main() -> None:
    """Measure trees and commands and print tables."""
    parser = argparse.ArgumentParser(prog="tests.bench", description="layercheck beside its peers")
    parser.add_argument("--runs", type=int, default=5, help="how many runs the medians are of")
    parser.add_argument("--trees", nargs="*", default=_FEW, choices=[*TREES, _ALL], help="what to look at")
    parser.add_argument("--peers", nargs="*", default=[*PEERS][:3], choices=[*PEERS, _ALL], help="besides layercheck")
    asked = parser.parse_args()
    trees = TREES if _ALL in asked.trees else {name: TREES[name] for name in asked.trees}
    peers = frozenset(PEERS if _ALL in asked.peers else asked.peers)
    print(f"layercheck {version('layercheck')}, Python {sys.version.split()[0]}, {os.cpu_count()} processors, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}; medians of {asked.runs} runs", flush=True)
    sizes: dict[int, Costs] = {}
    for name, tree in trees.items():
        costs = _measure_tree(name, tree, peers, asked.runs)
        if tree.modules:
            sizes[tree.modules] = costs
    targets: list[Target] = []
    for size in sorted(sizes)[1:]:
        targets += of_growth(sizes[min(sizes)], sizes[size], (min(sizes), size))
    print(f"\nwhatever the tree\n{targets_text([*targets, *_measure_commands(asked.runs)])}")


def _measure_tree(name: str, tree: Tree, peers: frozenset[str], runs: int) -> Costs:
    with tempfile.TemporaryDirectory(prefix="layercheck-bench-") as scratch:
        root = Path(scratch) / "tree"
        tree.make(root)
        time.sleep(_SETTLED)
        files = sum(1 for _ in root.rglob("*.py"))
        results: dict[tuple[str, str], list[Measured]] = defaultdict(list)
        for number in range(runs):
            for contender in contenders(Path(scratch), root, tree, peers):
                if contender.once and (number or files > _PATIENCE):
                    continue
                print(f"{name}, turn {number + 1} of {runs}: {contender.name}", file=sys.stderr)
                for state, measured in turn(contender, root, tree.package).items():
                    results[contender.name, state].append(measured)
    costs = {key: cost(measured) for key, measured in results.items()}
    print(f"\n{name}, {files:,} files\n{costs_text(costs)}\n{targets_text([*of_tree(costs, files)])}", flush=True)
    return costs


def _measure_commands(runs: int) -> list[Target]:
    """The runs that are over at once."""
    with tempfile.TemporaryDirectory(prefix="layercheck-bench-") as scratch:
        small = Path(scratch)
        generated.generate(small, _SMALL)
        layercheck = (sys.executable, "-m", LAYERCHECK)
        wanted = [
            ("--version", 0.1, (*layercheck, "--version")),
            ("--help", 0.1, (*layercheck, "--help")),
            (f"{_SMALL} small files, no cache", 0.25, (*layercheck, "check", "--no-cache", str(small))),
        ]
        return [
            of_command(what, seconds, cost([run(Contender(LAYERCHECK, command, None), small) for _ in range(runs)]))
            for what, seconds, command in wanted
        ]


if __name__ == "__main__":
    main()
