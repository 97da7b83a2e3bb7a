"""The commands ``moves verify``, ``moves plan`` and ``moves apply``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from layercheck.cli.options import FILE, FOLDER, JOBS, NO_CACHE, ROOT_OPTION, RULES, names
from layercheck.cli.terminal import create, demand_writable, perform, say, write, write_bytes


@click.group("moves")
def moves() -> None:
    """Plan how code can move, move it, and prove that a change only moves code."""


@moves.command("verify")
@click.argument("base")
@click.argument("head", default="HEAD")
@click.option("--root", type=FOLDER, default=".", metavar="FOLDER", help="The project, where BASE is a revision.")
@click.option("--package", metavar="NAME", help="Only files of this package are the change.")
@click.option("--each", is_flag=True, help="Every commit from BASE to HEAD by itself.")
@click.option("--strings", is_flag=True, help="List also words in comments, docs and settings that name an old home.")
@click.option(
    "--recomputed", callback=names, multiple=True, metavar="NAME,...", help="Constants that modules compute alone."
)
@click.option("--harmless", callback=names, multiple=True, metavar="NAME,...", help="Decorators that leave no trace.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="The language.")
@click.option("--output", type=FILE, metavar="FILE", help="Write the report there instead of to the terminal.")
@JOBS
@NO_CACHE
def verify_moves(
    base: str,
    head: str,
    root: Path,
    package: str | None,
    each: bool,
    strings: bool,
    recomputed: tuple[str, ...],
    harmless: tuple[str, ...],
    format_: str,
    lang: str,
    output: Path | None,
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Say what moved from BASE to HEAD, two revisions or two folders, and what of the change that does not explain.

    Exit status: 0 PASS, 1 RESIDUAL or UNSUPPORTED, 2 could not run.
    """
    from layercheck.run.moves import MovesRequest, verify_moves

    demand_writable(output, root)
    request = MovesRequest(base, head, root, package, recomputed, harmless, strings, jobs, cache=not no_cache)
    verified = verify_moves(request, each=each, format_=format_, language=lang)
    write(verified.text, output)
    return 0 if verified.passed else 1


@moves.command("plan")
@click.argument("module")
@ROOT_OPTION
@click.option("--into", metavar="PACKAGE", help="Where new modules go; else beside what the classes derive from.")
@click.option("--base", metavar="MODULE", help="Where that goes which the families share.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the moves file there; it must not be there yet.")
@RULES
@JOBS
@NO_CACHE
def plan_moves(
    module: str,
    root: Path,
    into: str | None,
    base: str | None,
    output: Path | None,
    rules: Path | None,
    jobs: int | None,
    no_cache: bool,
) -> None:
    """Say which families of definitions can leave MODULE, in which order, as a file for `moves apply`."""
    from layercheck.run import CheckRequest
    from layercheck.run.moving import Target, plan_moves

    demand_writable(output, root)
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    text = perform(lambda request, progress: plan_moves(request, module, Target(into, base), progress), request)
    if output is None:
        say(text, sys.stdout)
    else:
        create(output, text)
        say(f"{output}: written\n", sys.stdout)


@moves.command("apply")
@click.argument("file", type=FILE)
@ROOT_OPTION
@click.option("--step", "steps", type=int, multiple=True, metavar="N", help="Only this step; else all of them.")
@click.option("--write", is_flag=True, help="Change the files, all of them or none; else only show what would change.")
@RULES
@JOBS
@NO_CACHE
def apply_moves(
    file: Path, root: Path, steps: tuple[int, ...], write: bool, rules: Path | None, jobs: int | None, no_cache: bool
) -> None:
    """Make the steps of a moves FILE: show the change as a diff, or with --write make it.

    What `moves verify` would not pass, or what gives a new finding, is refused. Exit status: 0 done, 2 refused.
    """
    from layercheck.run import CheckRequest
    from layercheck.run.moving import move, propose_moves

    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    command = move if write else propose_moves
    moved = perform(lambda request, progress: command(request, file, steps, progress), request)
    if not write:
        write_bytes(moved.diff, None)
    names, files = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in moved.counts)
    done = "moved" if write else "--write would move"
    say(f"layercheck: {done} {names}, in {files}; moves verify: PASS, and check finds nothing new\n", sys.stderr)
