"""The command ``graph``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from layercheck.cli.options import FILE, JOBS, NO_CACHE, PICTURES, ROOT, RULES, names
from layercheck.cli.terminal import demand_writable, perform, say, write


@click.command()
@ROOT
@RULES
@click.option(
    "--format", "format_", type=click.Choice(PICTURES), default="text", show_default=True, help="How to draw it."
)
@click.option("--output", type=FILE, metavar="FILE", help="Write the picture there instead of to the terminal.")
@click.option("--focus", callback=names, multiple=True, metavar="PATTERN,...", help="Only these, and what is near.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="With --focus: how near, in arrows; else 1.")
@click.option(
    "--collapse", type=click.IntRange(min=1), metavar="LEVEL", help="Draw what lies below so many names as one."
)
@click.option("--kinds", callback=names, multiple=True, metavar="KIND,...", help="Only these kinds of imports.")
@click.option("--rings-only", is_flag=True, help="Only import rings; of --kinds, else of imports at import time.")
@JOBS
@NO_CACHE
@click.option("-q", "--quiet", is_flag=True, help="Nothing beside the picture.")
def graph(
    root: Path,
    rules: Path | None,
    format_: str,
    output: Path | None,
    focus: tuple[str, ...],
    depth: int | None,
    collapse: int | None,
    kinds: tuple[str, ...],
    rings_only: bool,
    jobs: int | None,
    no_cache: bool,
    quiet: bool,
) -> None:
    """Draw the imports below ROOT: the layers that rules give it, import rings, and what breaks a rule.

    Exit status: 0 drawn, 2 could not run.
    """
    from layercheck.run import CheckRequest
    from layercheck.run.picturing import picture, wishes_of

    demand_writable(output, root)
    if depth is not None and not focus:
        raise click.UsageError("--depth says how far around --focus: give one")
    if format_ == "html" and output is None and sys.stdout is not None and sys.stdout.isatty():
        raise click.UsageError("--format html writes a page for a browser: give --output FILE")
    wishes = wishes_of(kinds=kinds, collapse=collapse, focus=focus, depth=depth, rings_only=rings_only)
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    pictured = perform(lambda request, progress: picture(request, wishes, format_, progress), request, quiet)
    write(pictured.text, output)
    say("" if quiet else "".join(f"layercheck: {note}\n" for note in pictured.notes), sys.stderr)
