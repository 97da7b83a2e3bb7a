"""The command line: arguments in, text and exit status out. Decides nothing about code.

What a command needs is imported when it runs, so that ``--version`` and ``--help`` are quick.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from layercheck import __version__
from layercheck.errors import LayercheckError

if TYPE_CHECKING:
    from layercheck.facts import Kind
    from layercheck.finding import Report
    from layercheck.run import CheckRequest
    from layercheck.run.fixing import Proposal
    from layercheck.run.recording import Recorded

T = TypeVar("T")

FORMATS = ("text", "json", "github", "gitlab", "junit", "markdown", "sarif")
"""The names of layercheck.report.FORMATS, which is not imported for ``--help``."""

PICTURES = ("text", "dot", "mermaid", "json", "html")
"""The names of layercheck.picture.formats.FORMATS, likewise."""

_USAGE, _INTERRUPTED = 2, 130
_BUG = "layercheck: this is a bug in layercheck, not in your code: please report it, with the lines above"


class _InterruptedError(Exception):
    """Somebody pressed Ctrl-C. Click would print an empty line for the plain KeyboardInterrupt."""


def _names(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The names in comma-separated lists of them."""
    names = tuple(name.strip() for value in values for name in value.split(","))
    if not all(names):
        raise click.BadParameter(f"{', '.join(values)!r} holds an empty name", context, parameter)
    return names


class _PathType(click.Path):
    """A path that the system can be asked about: whatever its text is, nothing that asks for it later fails oddly."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        called = param.get_error_hint(ctx).strip("'") if param and ctx else "path"
        if not str(value):
            raise LayercheckError(f"{called} is empty; name a path, or leave it out")
        try:
            Path(value).stat()
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            pass
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise LayercheckError(f"{called}: {str(value)!r} cannot be a path: {why}") from None
        return Path(value)


_FOLDER = _PathType(path_type=Path)
_FILE = _PathType(path_type=Path)
_ROOT = click.argument("root", type=_FOLDER, default=".")
_ROOT_OPTION = click.option("--root", type=_FOLDER, default=".", metavar="FOLDER", help="The project; else here.")
_RULES = click.option("--rules", type=_FILE, metavar="FILE", help="The rules file; else looked for from ROOT upwards.")
_JOBS = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that read files; else all processors."
)
_NO_CACHE = click.option("--no-cache", is_flag=True, help="Read every file afresh, and keep nothing.")
_BASELINE = click.option("--baseline", "path", type=_FILE, required=True, metavar="FILE", help="The file.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", prog_name="layercheck", message="%(prog)s %(version)s")
def cli() -> None:
    """Check the imports of Python code against the shape its owners declared, without running it."""


@cli.command()
@_ROOT
@_RULES
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help="How to say it."
)
@click.option("--output", type=_FILE, metavar="FILE", help="Write the report there instead of to the terminal.")
@click.option("--select", callback=_names, multiple=True, metavar="NAME,...", help="Run only these checks or rules.")
@click.option("--ignore", callback=_names, multiple=True, metavar="NAME,...", help="Do not run these checks or rules.")
@click.option("--package", "packages", multiple=True, metavar="NAME", help="Show only findings in this package.")
@click.option("--baseline", type=_FILE, metavar="FILE", help="Findings that are known: only others fail.")
@click.option("--since", metavar="REV", help="Show only findings that are new against a git revision.")
@_JOBS
@_NO_CACHE
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

    if show_settings:
        _write(run.show_settings(run.CheckRequest(root, rules, jobs=jobs, cache=not no_cache)), output)
        return 0
    _demand_writable(output)
    _demand_one_way(fix, diff, unsafe, format_)
    request = run.CheckRequest(
        root=root,
        rules=rules,
        selection=run.Selection(select, ignore, packages),
        jobs=jobs,
        cache=not no_cache,
        baseline=baseline,
        since=since,
    )
    if diff:
        from layercheck.run.fixing import propose

        proposal = _run(lambda request, progress: propose(request, progress, unsafe=unsafe), request, quiet)
        report = proposal.report
        _write_bytes(proposal.diff, output)
        _print("" if quiet else _proposed(proposal), sys.stderr)
    else:
        if fix:
            from layercheck.run.fixing import fix as mend

            report = _run(lambda request, progress: mend(request, progress, unsafe=unsafe), request, quiet)
        elif format_ in ("json", "sarif"):
            from layercheck.run.fixing import mark

            report = _run(mark, request, quiet)
        else:
            report = _run(run.check, request, quiet)
        _write(_render(report, format_, quiet, verbose, colour=output is None and _wants_colour(sys.stdout)), output)
    if report.part and (quiet or diff or output is not None or format_ != "text"):
        from layercheck.report.escape import printable

        _print(f"layercheck: {printable(report.part)}\n", sys.stderr)
    failing = ("findings",) if fail_on == "error" else ("findings", "warnings")
    return 1 if report.status in failing and not exit_zero else 0


@cli.command()
@click.argument("importer", metavar="A")
@click.argument("imported", metavar="B")
@_ROOT_OPTION
@_RULES
@click.option("--kinds", callback=_names, multiple=True, metavar="KIND,...", help="Only these kinds of imports.")
@click.option("--package", "packages", multiple=True, metavar="NAME", help="Only chains through this package.")
@click.option("--implicit", is_flag=True, help="Importing a.b.c counts as importing a and a.b, which it runs.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=20, show_default=True, metavar="N", help="Chains shown; 0 for all."
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", type=_FILE, metavar="FILE", help="Write the answer there instead of to the terminal.")
@_JOBS
@_NO_CACHE
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

    _demand_writable(output)
    selection = Selection(packages=packages)
    request = CheckRequest(root=root, rules=rules, selection=selection, jobs=jobs, cache=not no_cache)
    question = Question(importer, imported, kinds, implicit, limit)
    answered = _run(lambda request, progress: ask(request, question, format_, progress), request)
    _write(answered.text, output)
    return 0 if answered.found else 1


@cli.command("what-if")
@click.argument("text", metavar='"A -> B"')
@_ROOT_OPTION
@_RULES
@click.option(
    "--kind",
    type=click.Choice(["import-time", "deferred", "typing"]),
    default="import-time",
    show_default=True,
    help="At the head of the file, in a function, or under TYPE_CHECKING.",
)
@click.option("--package", "packages", multiple=True, metavar="NAME", help="Show only findings in this package.")
@click.option("--new", is_flag=True, help="Modules that are not there yet are to be written.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", type=_FILE, metavar="FILE", help="Write the answer there instead of to the terminal.")
@_JOBS
@_NO_CACHE
def what_if(
    text: str,
    root: Path,
    rules: Path | None,
    kind: Kind,
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

    _demand_writable(output)
    selection = Selection(packages=packages)
    request = CheckRequest(root=root, rules=rules, selection=selection, jobs=jobs, cache=not no_cache)
    supposition = Supposition(text, kind, new)
    foreseen = _run(lambda request, progress: suppose(request, supposition, format_, progress), request)
    _write(foreseen.text, output)
    return 1 if foreseen.breaks else 0


@cli.command()
@click.argument("check", required=False)
def explain(check: str | None) -> None:
    """Print the page about CHECK: what it finds, how to mend it, its options, examples. Without it, list all."""
    from layercheck.run.explaining import describe, enumerate_checks

    _write(enumerate_checks() if check is None else describe(check, colour=_wants_colour(sys.stdout)), None)


@cli.command()
@click.argument("root", type=_FOLDER, default=".")
@click.option("--from", "source", type=_FILE, metavar="FILE", help="The settings; else looked for in ROOT.")
@click.option("--output", type=_FILE, metavar="FILE", help="The file to write; - for the terminal.")
def migrate(root: Path, source: Path | None, output: Path | None) -> int:
    """Write layercheck.toml with the rules that ROOT has for import-linter or tach.

    Their settings stay as they are. Exit status: 0 all carried over, 1 not all, which is listed; 2 nothing written.
    """
    from layercheck.run.migrating import migrate as carry_over

    target = output or root / "layercheck.toml"
    shown = str(target) == "-"
    migrated = carry_over(root, source, None if shown else target)
    if shown:
        _print(migrated.text, sys.stdout)
    else:
        _create(target, migrated.text)
    _print("".join(f"layercheck: not carried over: {line}\n" for line in migrated.left), sys.stderr)
    return 1 if migrated.left else 0


@cli.command()
@_ROOT
@_JOBS
@_NO_CACHE
def init(root: Path, jobs: int | None, no_cache: bool) -> None:
    """Write a first layercheck.toml: the layers that the code below ROOT has, so that the first check is green."""
    from layercheck.run import CheckRequest
    from layercheck.run.starting import start

    started = _run(start, CheckRequest(root=root, jobs=jobs, cache=not no_cache))
    target = root / "layercheck.toml"
    _create(target, started.text)
    _print(
        f"{target}: written (rules of layers: {started.rules}, layers: {started.layers}, "
        f"import sites against them: {started.against:,})\n",
        sys.stdout,
    )


@cli.command()
@_ROOT
@_RULES
@click.option(
    "--format", "format_", type=click.Choice(PICTURES), default="text", show_default=True, help="How to draw it."
)
@click.option("--output", type=_FILE, metavar="FILE", help="Write the picture there instead of to the terminal.")
@click.option("--focus", callback=_names, multiple=True, metavar="PATTERN,...", help="Only these, and what is near.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="With --focus: how near, in arrows; else 1.")
@click.option(
    "--collapse", type=click.IntRange(min=1), metavar="LEVEL", help="Draw what lies below so many names as one."
)
@click.option("--kinds", callback=_names, multiple=True, metavar="KIND,...", help="Only these kinds of imports.")
@click.option("--rings-only", is_flag=True, help="Only import rings; of --kinds, else of imports at import time.")
@_JOBS
@_NO_CACHE
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

    _demand_writable(output)
    if depth is not None and not focus:
        raise click.UsageError("--depth says how far around --focus: give one")
    if format_ == "html" and output is None and sys.stdout is not None and sys.stdout.isatty():
        raise click.UsageError("--format html writes a page for a browser: give --output FILE")
    wishes = wishes_of(kinds=kinds, collapse=collapse, focus=focus, depth=depth, rings_only=rings_only)
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    pictured = _run(lambda request, progress: picture(request, wishes, format_, progress), request, quiet)
    _write(pictured.text, output)
    _print("" if quiet else "".join(f"layercheck: {note}\n" for note in pictured.notes), sys.stderr)


@cli.group("baseline")
def baseline_() -> None:
    """Keep a file of the findings that are known, so that `check --baseline` fails only on others."""


@baseline_.command("write")
@_ROOT
@_BASELINE
@_RULES
@_JOBS
@_NO_CACHE
def write_baseline(root: Path, path: Path, rules: Path | None, jobs: int | None, no_cache: bool) -> None:
    """Record all of today's findings; reasons that the file holds are kept."""
    from layercheck.run import CheckRequest, recording

    _demand_writable(path, "--baseline")
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    recorded = _run(lambda request, progress: recording.write_baseline(request, path, progress), request)
    _replace(path, recorded.text)
    _print(f"{path}: {_moved(recorded)}\n", sys.stdout)


@baseline_.command("prune")
@_ROOT
@_BASELINE
@_RULES
@_JOBS
@_NO_CACHE
def prune_baseline(root: Path, path: Path, rules: Path | None, jobs: int | None, no_cache: bool) -> None:
    """Take out what is no longer true, and add nothing."""
    from layercheck.run import CheckRequest, recording

    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    recorded = _run(lambda request, progress: recording.prune_baseline(request, path, progress), request)
    if recorded.gone:
        _replace(path, recorded.text)
    _print(f"{path}: {_moved(recorded)}\n", sys.stdout)


@cli.group("moves")
def moves_() -> None:
    """Plan how code can move, move it, and prove that a change only moves code."""


@moves_.command("verify")
@click.argument("base")
@click.argument("head", default="HEAD")
@click.option("--root", type=_FOLDER, default=".", metavar="FOLDER", help="The project, where BASE is a revision.")
@click.option("--package", metavar="NAME", help="Only files of this package are the change.")
@click.option("--each", is_flag=True, help="Every commit from BASE to HEAD by itself.")
@click.option("--strings", is_flag=True, help="List also words in comments, docs and settings that name an old home.")
@click.option(
    "--recomputed", callback=_names, multiple=True, metavar="NAME,...", help="Constants that modules compute alone."
)
@click.option("--harmless", callback=_names, multiple=True, metavar="NAME,...", help="Decorators that leave no trace.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="The language.")
@click.option("--output", type=_FILE, metavar="FILE", help="Write the report there instead of to the terminal.")
@_JOBS
@_NO_CACHE
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

    _demand_writable(output)
    request = MovesRequest(base, head, root, package, recomputed, harmless, strings, jobs, cache=not no_cache)
    verified = verify_moves(request, each=each, format_=format_, language=lang)
    _write(verified.text, output)
    return 0 if verified.passed else 1


@moves_.command("plan")
@click.argument("module")
@_ROOT_OPTION
@click.option("--into", metavar="PACKAGE", help="Where new modules go; else beside what the classes derive from.")
@click.option("--base", metavar="MODULE", help="Where that goes which the families share.")
@click.option(
    "-o", "--output", type=_FILE, metavar="FILE", help="Write the moves file there; it must not be there yet."
)
@_RULES
@_JOBS
@_NO_CACHE
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

    _demand_writable(output)
    request = CheckRequest(root=root, rules=rules, jobs=jobs, cache=not no_cache)
    text = _run(lambda request, progress: plan_moves(request, module, Target(into, base), progress), request)
    if output is None:
        _print(text, sys.stdout)
    else:
        _create(output, text)
        _print(f"{output}: written\n", sys.stdout)


@moves_.command("apply")
@click.argument("file", type=_FILE)
@_ROOT_OPTION
@click.option("--step", "steps", type=int, multiple=True, metavar="N", help="Only this step; else all of them.")
@click.option("--write", is_flag=True, help="Change the files, all of them or none; else only show what would change.")
@_RULES
@_JOBS
@_NO_CACHE
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
    moved = _run(lambda request, progress: command(request, file, steps, progress), request)
    if not write:
        _write_bytes(moved.diff, None)
    names, files = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in moved.counts)
    done = "moved" if write else "--write would move"
    _print(f"layercheck: {done} {names}, in {files}; moves verify: PASS, and check finds nothing new\n", sys.stderr)


def _moved(recorded: Recorded) -> str:
    return f"{recorded.entries:,} known, {recorded.new:,} new, {recorded.gone:,} gone"


def _run(
    command: Callable[[CheckRequest, Callable[[int, int], None]], T], request: CheckRequest, quiet: bool = False
) -> T:
    """Run a command that reads a folder, with a progress bar where somebody looks."""
    try:
        if quiet or sys.stderr is None or not sys.stderr.isatty():
            return command(request, lambda done, total: None)
        with _progress() as progress:
            return command(request, progress)
    except KeyboardInterrupt:
        raise _InterruptedError from None


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, which a run tells how far it is."""
    with click.progressbar(length=0, label="Reading", file=sys.stderr, show_pos=True) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress


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


def _wants_colour(stream: TextIO | None) -> bool:
    """Whether text that goes to a stream is to be coloured: on a terminal, but for what the environment says of it
    (no-color.org, force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def _demand_one_way(fix: bool, diff: bool, unsafe: bool, format_: str) -> None:
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
    found, files = len(proposal.report.findings), proposal.files
    plural = "" if files == 1 else "s"
    lines.append(f"--fix would mend {proposal.fixable:,} of {found:,} findings, in {files:,} file{plural}")
    return "".join(f"layercheck: {line}\n" for line in lines)


def _demand_writable(output: Path | None, option: str = "--output") -> None:
    if output is None:
        return
    if not output.absolute().parent.is_dir():
        raise LayercheckError(f"{option}: there is no folder {output.parent}")
    if output.is_dir():
        raise LayercheckError(f"{option}: {output} is a folder; give the name of a file")


def _write(text: str, output: Path | None) -> None:
    if output is None:
        _print(text, sys.stdout)
    else:
        _write_bytes(text.encode("utf-8"), output)


def _write_bytes(content: bytes, output: Path | None) -> None:
    """Write what is not text to the letter: a diff of files in several encodings."""
    if output is None:
        if sys.stdout is not None:
            stream = sys.stdout
            _send(lambda: stream.buffer.write(content), stream)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise LayercheckError(f"--output: {output} cannot be written: {error.strerror or error}") from None


def _create(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise LayercheckError(f"{path} is there already; move it away first") from None
    except OSError as error:
        raise LayercheckError(f"{path} cannot be written: {error.strerror or error}") from None


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all: what it held may be the only copy."""
    target = Path(os.path.realpath(path))
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8"))
            # mkstemp makes files for the user alone; this one is for all who have the checkout.
            Path(name).chmod(target.stat().st_mode if target.exists() else 0o644)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise LayercheckError(f"{path} cannot be written: {error.strerror or error}") from None


def _print(text: str, stream: TextIO | None) -> None:
    """Print what the stream's encoding can say, and escape what it cannot; raises as ``_send``."""
    if stream is not None:  # else Python was started with it closed
        encoding = stream.encoding or "utf-8"
        _send(lambda: stream.write(text.encode(encoding, "backslashreplace").decode(encoding)), stream)


def _send(write: Callable[[], object], stream: TextIO) -> None:
    """Write to a stream. A reader that has left is no error.

    Raises LayercheckError where the stream cannot be written, on a full disk for example.
    """
    try:
        write()
        stream.flush()
    except OSError as error:
        # Else the interpreter tries to flush again at exit, and says so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise LayercheckError(f"the report cannot be written: {error.strerror or error}") from None


def main() -> None:
    """Run the command line and exit."""
    # One run and then the end: what a search for garbage would free is not worth the search.
    gc.disable()
    try:
        status = cli.main(standalone_mode=False)
    except LayercheckError as error:
        from layercheck.report.escape import printable

        _print("".join(f"layercheck: {printable(line)}\n" for line in error.lines), sys.stderr)
        status = _USAGE
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (_InterruptedError, KeyboardInterrupt, click.Abort):
        _print("layercheck: interrupted\n", sys.stderr)
        status = _INTERRUPTED
    except Exception:
        _print(f"{traceback.format_exc()}{_BUG}\n", sys.stderr)
        status = _USAGE
    sys.exit(status if isinstance(status, int) else 0)
