"""The command ``server``."""

from __future__ import annotations

from pathlib import Path

import click

from layercheck.cli.options import FILE, FOLDER, JOBS, NO_CACHE, names


@click.command()
@click.argument("root", type=FOLDER, required=False)
@click.option("--rules", type=FILE, metavar="FILE", help="The rules file; else looked for from each folder upwards.")
@click.option("--select", callback=names, multiple=True, metavar="NAME,...", help="Run only these checks or rules.")
@click.option("--ignore", callback=names, multiple=True, metavar="NAME,...", help="Do not run these checks or rules.")
@click.option("--baseline", type=FILE, metavar="FILE", help="Findings that are known: only others are shown.")
@JOBS
@NO_CACHE
@click.option("--stdio", is_flag=True, help="Nothing: standard input and output are used anyway. Some editors add it.")
def server(
    root: Path | None,
    rules: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    jobs: int | None,
    no_cache: bool,
    stdio: bool,
) -> None:
    """Show findings in an editor: a language server on standard input and output.

    ROOT is the project; else each folder that is open in the editor is one. Needs the extra layercheck[server].
    """
    from layercheck.server import ServerOptions, serve

    options = ServerOptions(
        root=root,
        rules=None if rules is None else rules.absolute(),
        select=select,
        ignore=ignore,
        baseline=None if baseline is None else baseline.absolute(),
        jobs=jobs,
        cache=not no_cache,
    )
    serve(options)
