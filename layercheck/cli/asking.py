"""The commands that answer a question: ``why``, ``what-if`` and ``explain``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from layercheck.cli.options import FILE, JOBS, NO_CACHE, ROOT_OPTION, RULES, names
from layercheck.cli.terminal import demand_writable, perform, wants_colour, write

if TYPE_CHECKING:
    from layercheck.facts import Kind


@click.command()
@click.argument("importer", metavar="A")
@click.argument("imported", metavar="B")
@ROOT_OPTION
@RULES
@click.option("--kinds", callback=names, multiple=True, metavar="KIND,...", help="Only these kinds of imports.")
@click.option("--package", "packages", multiple=True, metavar="NAME", help="Only chains through this package.")
@click.option("--implicit", is_flag=True, help="Importing a.b.c counts as importing a and a.b, which it runs.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=20, show_default=True, metavar="N", help="Chains shown; 0 for all."
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", type=FILE, metavar="FILE", help="Write the answer there instead of to the terminal.")
@JOBS
@NO_CACHE
def why(
    importer: str,
    imported: str,
    root: Path,
    rules: Path | None,
    kinds: tuple[str, ...],
    packages: tuple[str, ...],
    implicit: bool,
    limit: int,
    format_: str,
    output: Path | None,
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Say by which chains of imports A reaches B: all of the shortest, with their lines.

    A and B are modules or packages with all below them, patterns, or paths of files; B may be outside the project.
    Exit status: 0 there is a chain, 1 there is none, 2 could not run.
    """
    from layercheck.run import CheckRequest, Selection
    from layercheck.run.asking import Question, ask

    demand_writable(output, root)
    selection = Selection(packages=packages)
    request = CheckRequest(root=root, rules=rules, selection=selection, jobs=jobs, cache=not no_cache)
    question = Question(importer, imported, kinds, implicit, limit)
    answered = perform(lambda request, progress: ask(request, question, format_, progress), request)
    write(answered.text, output)
    return 0 if answered.found else 1


@click.command("what-if")
@click.argument("text", metavar='"A -> B"')
@ROOT_OPTION
@RULES
@click.option(
    "--kind",
    type=click.Choice(["import-time", "deferred", "typing"]),
    default="import-time",
    show_default=True,
    help="At the head of the file, in a function, or under TYPE_CHECKING.",
)
@click.option("--select", callback=names, multiple=True, metavar="NAME,...", help="Ask only these checks or rules.")
@click.option("--ignore", callback=names, multiple=True, metavar="NAME,...", help="Do not ask these checks or rules.")
@click.option("--package", "packages", multiple=True, metavar="NAME", help="Show only findings in this package.")
@click.option("--new", is_flag=True, help="Modules that are not there yet are to be written.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", type=FILE, metavar="FILE", help="Write the answer there instead of to the terminal.")
@JOBS
@NO_CACHE
def what_if(
    text: str,
    root: Path,
    rules: Path | None,
    kind: Kind,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    packages: tuple[str, ...],
    new: bool,
    format_: str,
    output: Path | None,
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Say which rules an import of B in A would break, and which rings it would close, before it is written.

    A is a module, or the path of a file; B a module, a name in one, or something outside the project.
    Exit status: 0 nothing, 1 something breaks, 2 could not run.
    """
    from layercheck.run import CheckRequest, Selection
    from layercheck.run.supposing import Supposition, suppose

    demand_writable(output, root)
    selection = Selection(select, ignore, packages)
    request = CheckRequest(root=root, rules=rules, selection=selection, jobs=jobs, cache=not no_cache)
    supposition = Supposition(text, kind, new)
    foreseen = perform(lambda request, progress: suppose(request, supposition, format_, progress), request)
    write(foreseen.text, output)
    return 1 if foreseen.breaks else 0


@click.command()
@click.argument("check", required=False)
def explain(check: str | None) -> None:
    """Print the page about CHECK: what it finds, how to mend it, its options, examples. Without it, list all."""
    from layercheck.run.explaining import describe, enumerate_checks

    write(enumerate_checks() if check is None else describe(check, colour=wants_colour(sys.stdout)), None)
