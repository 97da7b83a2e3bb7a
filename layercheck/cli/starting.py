"""The commands that write a first rules file: ``init`` and ``migrate``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from layercheck.cli.options import FILE, FOLDER, JOBS, NO_CACHE, ROOT
from layercheck.cli.terminal import create, demand_writable, perform, say


@click.command()
@click.argument("root", type=FOLDER, default=".")
@click.option("--from", "source", type=FILE, metavar="FILE", help="The settings; else looked for in ROOT.")
@click.option("--output", type=FILE, metavar="FILE", help="The file to write; - for the terminal.")
def migrate(root: Path, source: Path | None, output: Path | None) -> int:
    """Write layercheck.toml with the rules that ROOT has for import-linter or tach.

    Their settings stay as they are. Exit status: 0 all carried over, 1 not all, which is listed; 2 nothing written.
    """
    from layercheck.run.migrating import migrate as carry_over

    target = output or root / "layercheck.toml"
    shown = str(target) == "-"
    demand_writable(None if shown else output, root)
    migrated = carry_over(root, source, None if shown else target)
    if shown:
        say(migrated.text, sys.stdout)
    else:
        create(target, migrated.text)
    say("".join(f"layercheck: not carried over: {line}\n" for line in migrated.left), sys.stderr)
    return 1 if migrated.left else 0


@click.command()
@ROOT
@JOBS
@NO_CACHE
def init(root: Path, jobs: int | None, no_cache: bool) -> None:
    """Write a first layercheck.toml: the layers that the code below ROOT has, so that the first check is green."""
    from layercheck.run import CheckRequest
    from layercheck.run.starting import start

    started = perform(start, CheckRequest(root=root, jobs=jobs, cache=not no_cache))
    target = root / "layercheck.toml"
    create(target, started.text)
    say(
        f"{target}: written (rules of layers: {started.rules}, layers: {started.layers}, "
        f"import sites against them: {started.against:,})\n",
        sys.stdout,
    )
