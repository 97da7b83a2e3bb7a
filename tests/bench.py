"""``make bench``: layercheck beside import-linter and tach, on one large release, in one run. Asserts nothing.

All work on the same copy of the release with an ``__init__.py`` in every folder, which the peers need to see all of
it. Each command is measured as a whole process tree, in turns, so that whatever else the machine does meets all of
them alike. Cold: no cache of the tool's own (the files are in the system's). Warm: a second run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests import corpus, tools
from tests.measure import Measured, measure

RELEASE = ("sglang", "0.5.16")
PEERS = {"import-linter": "2.17", "tach": "0.35.3"}
_WITHIN = "sglang.srt.mem_cache"
_TOP = "memory_pool_host"
_FAMILIES = ("pool_host.mha", "pool_host.mla", "pool_host.hisparse")
_BASE = ("pool_host.base", "pool_host.common")


@dataclass(frozen=True, slots=True)
class Contender:
    """One command to time. ``cold`` is the folder of its cache, emptied before each cold run; None if it keeps none."""

    name: str
    command: tuple[str, ...]
    cold: Path | None
    against: str = ""
    """The peer that does the same work; empty for the peers, and where none does."""


def main() -> None:
    """Measure all contenders and print a table."""
    parser = argparse.ArgumentParser(prog="tests.bench", description="layercheck beside its peers")
    parser.add_argument("--runs", type=int, default=5, help="how many runs the medians are of")
    runs = parser.parse_args().runs
    peers = {name: tools.tool(name, number) for name, number in PEERS.items()}
    with tempfile.TemporaryDirectory(prefix="layercheck-bench-") as scratch:
        tree = _tree(Path(scratch) / "tree")
        contenders = _contenders(Path(scratch), tree, peers)
        _print_head(tree, runs)
        _print_table(contenders, _measure_all(contenders, tree, runs))


def _tree(to: Path) -> Path:
    """The copy that all contenders read."""
    corpus.copy(corpus.release(*RELEASE) / RELEASE[0], to / RELEASE[0])
    for folder in list(corpus.folders_without_init(to)):
        (folder / "__init__.py").touch()
    return to


def _contenders(scratch: Path, tree: Path, peers: dict[str, Path]) -> list[Contender]:
    """Every contender with its settings written down: the same three layers for each."""
    quoted = [", ".join(f'"{each}"' for each in group) for group in (_FAMILIES, _BASE)]
    full = [", ".join(f'"{_WITHIN}.{each}"' for each in group) for group in ((_TOP,), _FAMILIES, _BASE)]
    for reach in ("direct", "transitive"):
        (scratch / f"{reach}.toml").write_text(
            f'[[rule]]\nname = "split"\ncheck = "layers"\nreason = "to be timed"\nwithin = "{_WITHIN}"\n'
            f'reach = "{reach}"\nchain_kinds = ["import-time", "deferred", "typing"]\n'
            f'order = ["{_TOP}", [{quoted[0]}], {{ any = [{quoted[1]}], independent = false }}]\n',
            encoding="utf-8",
        )
    (tree / ".importlinter").write_text(
        f"[importlinter]\nroot_package = {RELEASE[0]}\n\n[importlinter:contract:split]\nname = split\ntype = layers\n"
        f"containers = {_WITHIN}\nlayers =\n    {_TOP}\n    {' | '.join(_FAMILIES)}\n    {' : '.join(_BASE)}\n",
        encoding="utf-8",
    )
    layers = "\n".join(
        f'[[modules]]\npaths = [{names}]\nlayer = "{layer}"\n'
        for names, layer in zip(full, ("top", "families", "base"), strict=True)
    )
    (tree / "tach.toml").write_text(
        f'source_roots = ["."]\nexclude = []\nlayers = ["top", "families", "base"]\n{layers}', encoding="utf-8"
    )
    check = (sys.executable, "-m", "layercheck", "check", str(tree), "--rules")
    direct, transitive = str(scratch / "direct.toml"), str(scratch / "transitive.toml")
    kept = scratch / "cache"
    linter, tach = (f"{name} {number}" for name, number in PEERS.items())
    lint_imports = (
        str(peers["import-linter"] / "lint-imports"),
        "--no-logo",
        "--cache-dir",
        str(kept / "import-linter"),
    )
    return [
        Contender(linter, lint_imports, kept),
        Contender("layercheck, layers by chain", (*check, transitive, "--select", "split"), kept, linter),
        Contender(tach, (str(peers["tach"] / "tach"), "check"), None),
        Contender("layercheck, layers direct", (*check, direct, "--select", "split"), kept, tach),
        Contender("layercheck, all checks", (*check, transitive), kept),
    ]


def _measure_all(contenders: list[Contender], tree: Path, runs: int) -> dict[tuple[str, str], list[Measured]]:
    """``runs`` cold and warm measures of each contender, by its name and ``cold`` or ``warm``."""
    results: dict[tuple[str, str], list[Measured]] = {}
    for turn in range(runs):
        for contender in contenders:
            print(f"turn {turn + 1} of {runs}: {contender.name}", file=sys.stderr)
            if contender.cold is not None:
                shutil.rmtree(contender.cold, ignore_errors=True)
            for state in ("cold", "warm"):
                results.setdefault((contender.name, state), []).append(_run(contender, tree))
    return results


def _run(contender: Contender, tree: Path) -> Measured:
    env = {**os.environ, "PYTHONPATH": str(tree)}
    if contender.cold is not None:
        env["LAYERCHECK_CACHE_DIR"] = str(contender.cold / "layercheck")
    measured = measure(contender.command, cwd=tree, env=env)
    if measured.status not in {0, 1}:  # 1: findings
        sys.exit(f"bench: {contender.name} ended with status {measured.status}:\n{measured.stdout}{measured.stderr}")
    return measured


def _print_head(tree: Path, runs: int) -> None:
    files = sum(1 for _ in tree.rglob("*.py"))
    print(
        f"{' '.join(RELEASE)}, {files} files; layercheck {version('layercheck')}, Python {sys.version.split()[0]}, ",
        end="",
    )
    print(f"{os.cpu_count()} processors; medians of {runs}\n")


def _print_table(contenders: list[Contender], results: dict[tuple[str, str], list[Measured]]) -> None:
    """Seconds, megabytes, and the ratio of wall times to the peer that does the same work."""
    width = max(len(contender.name) for contender in contenders)
    print(f"{'':{width}}        wall s   cpu s  peak MB")
    walls: dict[tuple[str, str], float] = {}
    for contender in contenders:
        for state in ("cold", "warm"):
            found = results[contender.name, state]
            wall = walls[contender.name, state] = statistics.median(each.wall for each in found)
            processor = statistics.median(each.processor for each in found)
            peak = statistics.median(each.peak for each in found) / 1e6
            ratio = ""
            if contender.against:
                ratio = f"   {wall / walls[contender.against, state]:.2f} x {contender.against}"
            print(f"{contender.name:{width}}  {state}  {wall:6.2f}  {processor:6.2f}  {peak:7.0f}{ratio}")


if __name__ == "__main__":
    main()
