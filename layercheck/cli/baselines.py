"""The commands ``baseline write`` and ``baseline prune``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from layercheck.cli.options import FILE, JOBS, NO_CACHE, ROOT, RULES
from layercheck.cli.terminal import demand_writable, perform, replace, say

if TYPE_CHECKING:
    from layercheck.run.recording import Recorded


_BASELINE = click.option("--baseline", "path", type=FILE, required=True, metavar="FILE", help="The file.")


@click.group("baseline")
def baseline() -> None:
    """Keep a file of the findings that are known, so that `check --baseline` fails only on others."""


@baseline.command("write")
@ROOT
@_BASELINE
@RULES
@JOBS
@NO_CACHE
def write_baseline(root: Path, path: Path, rules: Path | None, jobs: int | None, no_cache: bool) -> None:
    """Record all of today's findings; reasons that the file holds are kept."""
    from layercheck.run import CheckRequest, recording

    demand_writable(path, root, "--baseline")
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    recorded = perform(lambda request, progress: recording.write_baseline(request, path, progress), request)
    replace(path, recorded.text)
    say(f"{path}: {_moved(recorded)}\n", sys.stdout)


@baseline.command("prune")
@ROOT
@_BASELINE
@RULES
@JOBS
@NO_CACHE
def prune_baseline(root: Path, path: Path, rules: Path | None, jobs: int | None, no_cache: bool) -> None:
    """Take out what is no longer true, and add nothing."""
    from layercheck.run import CheckRequest, recording

    demand_writable(path, root, "--baseline")
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    recorded = perform(lambda request, progress: recording.prune_baseline(request, path, progress), request)
    if recorded.gone:
        replace(path, recorded.text)
    say(f"{path}: {_moved(recorded)}\n", sys.stdout)


def _moved(recorded: Recorded) -> str:
    return f"{recorded.entries:,} known, {recorded.new:,} new, {recorded.gone:,} gone"
