"""The command ``check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from layercheck.cli.options import FILE, FORMATS, JOBS, NO_CACHE, ROOT, RULES, names
from layercheck.cli.terminal import demand_writable, perform, say, wants_colour, write, write_bytes
from layercheck.errors import LayercheckError

if TYPE_CHECKING:
    from layercheck.facts import SourceFile
    from layercheck.finding import Report
    from layercheck.run import CheckRequest
    from layercheck.run.fixing import Proposal


@click.command()
@ROOT
@RULES
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help="How to say it."
)
@click.option("--output", type=FILE, metavar="FILE", help="Write the report there instead of to the terminal.")
@click.option("--select", callback=names, multiple=True, metavar="NAME,...", help="Run only these checks or rules.")
@click.option("--ignore", callback=names, multiple=True, metavar="NAME,...", help="Do not run these checks or rules.")
@click.option("--package", "packages", multiple=True, metavar="NAME", help="Show only findings in this package.")
@click.option("--baseline", type=FILE, metavar="FILE", help="Findings that are known: only others fail.")
@click.option("--since", metavar="REV", help="Show only findings that are new against a git revision.")
@click.option(
    "--stdin-filename",
    "stdin",
    type=FILE,
    metavar="PATH",
    help="Take standard input for what this file holds, and show only what that file has to do with.",
)
@JOBS
@NO_CACHE
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="The least severity that gives exit status 1.",
)
@click.option("--fix", is_flag=True, help="Mend in the files what is surely right to mend, then say what is left.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--unsafe", is_flag=True, help="With --fix or --diff: also where what a module does on import is lost.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 also where there are findings.")
@click.option("--show-settings", is_flag=True, help="Say which settings and rules hold, and stop.")
@click.option("-q", "--quiet", is_flag=True, help="Findings only: no summary, no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Say also where the rules were found and how long it took.")
def check(
    root: Path,
    rules: Path | None,
    format_: str,
    output: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    packages: tuple[str, ...],
    baseline: Path | None,
    since: str | None,
    stdin: Path | None,
    jobs: int | None,
    no_cache: bool,
    fail_on: str,
    fix: bool,
    diff: bool,
    unsafe: bool,
    exit_zero: bool,
    show_settings: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Apply the rules to the code below ROOT; without a rules file, the checks that need none.

    Exit status: 0 nothing wrong, 1 findings, 2 could not run.
    """
    from layercheck import run

    demand_writable(output, root)
    if show_settings:
        from layercheck.run.settings import show_settings as describe

        write(describe(run.CheckRequest(root, rules, jobs=jobs, cache=not no_cache)), output)
        return 0
    _demand_one_way(fix, diff, unsafe, format_, stdin)
    request = run.CheckRequest(
        root=root,
        rules=rules,
        selection=run.Selection(select, ignore, packages),
        jobs=jobs,
        cache=not no_cache,
        baseline=baseline,
        since=since,
        unsaved=() if stdin is None else (_unsaved(root, stdin),),
    )
    if diff:
        proposal = _propose(request, quiet, unsafe)
        report = proposal.report
        write_bytes(proposal.diff, output)
        say("" if quiet else _proposed(proposal), sys.stderr)
    else:
        if fix:
            from layercheck.run.fixing import fix as mend

            report = perform(lambda request, progress: mend(request, progress, unsafe=unsafe), request, quiet)
        else:
            report = _report(request, quiet, marked=format_ in ("json", "sarif"))
        write(_render(report, format_, quiet, verbose, colour=output is None and wants_colour(sys.stdout)), output)
    if report.part and (quiet or diff or output is not None or format_ != "text"):
        from layercheck.report.escape import printable

        say(f"layercheck: {printable(report.part)}\n", sys.stderr)
    failing = ("findings",) if fail_on == "error" else ("findings", "warnings")
    return 1 if report.status in failing and not exit_zero else 0


def _unsaved(root: Path, path: Path) -> SourceFile:
    """The text of a file on standard input.

    Raises LayercheckError where there is none, or the file lies elsewhere.
    """
    from layercheck.run.unsaved import unsaved_file

    if sys.stdin is None:
        raise LayercheckError(f"--stdin-filename: standard input is closed; give it the text of {path}")
    try:
        content = sys.stdin.buffer.read()
    except OSError as error:
        raise LayercheckError(f"--stdin-filename: standard input cannot be read: {error.strerror or error}") from None
    return unsaved_file(root, path, content)


def _report(request: CheckRequest, quiet: bool, *, marked: bool) -> Report:
    """What a run says; with how each finding could be mended where that is asked."""
    if request.unsaved:
        from layercheck.run.unsaved import check_unsaved, mark_unsaved

        return perform(mark_unsaved if marked else check_unsaved, request, quiet)
    if marked:
        from layercheck.run.fixing import mark

        return perform(mark, request, quiet)
    from layercheck import run

    return perform(run.check, request, quiet)


def _propose(request: CheckRequest, quiet: bool, unsafe: bool) -> Proposal:
    """What could be mended."""
    if request.unsaved:
        from layercheck.run.unsaved import propose_unsaved as propose
    else:
        from layercheck.run.fixing import propose
    return perform(lambda request, progress: propose(request, progress, unsafe=unsafe), request, quiet)


def _render(report: Report, format_: str, quiet: bool, verbose: bool, *, colour: bool) -> str:
    if format_ != "text":
        from layercheck.report import renderer

        if format_ == "sarif":
            from layercheck.run.explaining import with_pages

            report = with_pages(report)
        return renderer(format_)(report)
    import msgspec

    from layercheck.report.text import render

    if quiet:
        return render(msgspec.structs.replace(report, rules=(), notes=()), colour=colour)
    if not verbose:
        return render(report, colour=colour)
    stats = report.stats
    took = f"{stats.seconds:.1f} s; {stats.cached:,} of {stats.modules + stats.consumers:,} files from the cache."
    found = (f"Root: {report.root}", f"Rules: {report.rules_file or 'none'}", took)
    report = msgspec.structs.replace(report, notes=(*report.notes, *report.hints, *found))
    return f"{report.settings}\n{render(report, colour=colour)}"


def _demand_one_way(fix: bool, diff: bool, unsafe: bool, format_: str, stdin: Path | None) -> None:
    if fix and stdin is not None:
        raise click.UsageError("--fix writes files, and an unsaved text is in none: --diff shows what it would change")
    if fix and diff:
        raise click.UsageError("--fix changes files and --diff does not: give one of them")
    if unsafe and not (fix or diff):
        raise click.UsageError("--unsafe goes with --fix or --diff")
    if diff and format_ != "text":
        raise click.UsageError(f"--diff prints a diff, which has no format {format_}: give one of them")


def _proposed(proposal: Proposal) -> str:
    """What goes with a diff, for people."""
    lines = [
        f"{attempt.location.path}:{attempt.location.line}: {attempt.check} is not mended: {attempt.message}"
        for attempt in proposal.report.unmended
    ]
    found, files = len(proposal.report.findings), len(proposal.files)
    plural = "" if files == 1 else "s"
    lines.append(f"--fix would mend {proposal.fixable:,} of {found:,} findings, in {files:,} file{plural}")
    return "".join(f"layercheck: {line}\n" for line in lines)
