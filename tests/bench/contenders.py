"""The commands that are measured: layercheck and its peers, each with its settings written down. Runs nothing."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from tests import tools
from tests.bench.trees import Tree

PEERS = {"import-linter": "2.17", "tach": "0.35.3", "ruff": "0.17.6", "pylint": "4.1.4"}
LAYERCHECK = "layercheck"


@dataclass(frozen=True, slots=True)
class Contender:
    """One command to time."""

    name: str
    command: tuple[str, ...]
    cache: Path | None
    """The folder of what it keeps between runs, emptied before each cold run; None if it keeps nothing."""
    once: bool = False
    """Whether one run must do, for it takes minutes."""


def contenders(scratch: Path, root: Path, tree: Tree, wanted: frozenset[str]) -> list[Contender]:
    """layercheck, and those peers that are wanted; the same layers for each that knows any. Raises UnavailableError."""
    rules = scratch / "layers.toml"
    order = ", ".join(_quoted(layer) for layer in tree.layers)
    rules.write_text(
        f'[[rule]]\nname = "split"\ncheck = "layers"\nreason = "to be timed"\nwithin = "{tree.within}"\n'
        f'reach = "transitive"\norder = [{order}]\n',
        encoding="utf-8",
    )
    kept = scratch / "cache"
    check = (sys.executable, "-m", "layercheck", "check", str(root), "--rules", str(rules))
    makers = {"import-linter": _import_linter, "tach": _tach, "ruff": _ruff, "pylint": _pylint}
    return [
        Contender(LAYERCHECK, check, kept / LAYERCHECK),
        *(makers[name](tools.tool(name, PEERS[name]), kept / name, root, tree) for name in PEERS if name in wanted),
    ]


def _quoted(names: tuple[str, ...]) -> str:
    return f"[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in names)}]"


def _import_linter(commands: Path, kept: Path, root: Path, tree: Tree) -> Contender:
    layers = "\n".join(f"    {' | '.join(layer)}" for layer in tree.layers)
    (root / ".importlinter").write_text(
        f"[importlinter]\nroot_package = {tree.package}\n\n[importlinter:contract:split]\nname = split\ntype = layers\n"
        f"containers = {tree.within}\nlayers =\n{layers}\n",
        encoding="utf-8",
    )
    return Contender("import-linter", (str(commands / "lint-imports"), "--no-logo", "--cache-dir", str(kept)), kept)


def _tach(commands: Path, kept: Path, root: Path, tree: Tree) -> Contender:
    names = [f"layer{number}" for number in range(len(tree.layers))]
    modules = "".join(
        f'\n[[modules]]\npaths = {_quoted(tuple(f"{tree.within}.{each}" for each in layer))}\nlayer = "{name}"\n'
        for name, layer in zip(names, tree.layers, strict=True)
    )
    (root / "tach.toml").write_text(
        f'source_roots = ["."]\nexclude = []\nlayers = {_quoted(tuple(names))}\n{modules}', encoding="utf-8"
    )
    return Contender("tach", (str(commands / "tach"), "check"), None)


def _ruff(commands: Path, kept: Path, root: Path, tree: Tree) -> Contender:
    command = (str(commands / "ruff"), "check", "--isolated", "--select", "F401", "--cache-dir", str(kept), "--quiet")
    return Contender("ruff F401", (*command, tree.package), kept)


def _pylint(commands: Path, kept: Path, root: Path, tree: Tree) -> Contender:
    checks = ("--disable=all", "--enable=cyclic-import,no-name-in-module", "--jobs=1", "--persistent=n")
    return Contender("pylint", (str(commands / "pylint"), "--rcfile=", *checks, tree.package), None, once=True)
