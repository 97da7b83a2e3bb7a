"""What commands do with the world: progress, colour, printing, files of reports. Knows no command."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from layercheck.errors import LayercheckError

if TYPE_CHECKING:
    from layercheck.run import CheckRequest

T = TypeVar("T")


class InterruptedRunError(Exception):
    """Somebody pressed Ctrl-C. Click would print an empty line for the plain KeyboardInterrupt."""


def perform(
    command: Callable[[CheckRequest, Callable[[int, int], None]], T], request: CheckRequest, quiet: bool = False
) -> T:
    """Run a command that reads a folder, with a progress bar where somebody looks."""
    from layercheck.run.deep import deeply

    try:
        if quiet or sys.stderr is None or not sys.stderr.isatty():
            return deeply(lambda: command(request, lambda done, total: None))
        with _progress() as progress:
            return deeply(lambda: command(request, progress))
    except KeyboardInterrupt:
        raise InterruptedRunError from None


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, which a run tells how far it is."""
    with click.progressbar(length=0, label="Reading", file=sys.stderr, show_pos=True) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress


def wants_colour(stream: TextIO | None) -> bool:
    """Whether text that goes to a stream is to be coloured: on a terminal, but for what the environment says of it
    (no-color.org, force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def demand_writable(output: Path | None, root: Path, option: str = "--output") -> None:
    """See to it that a file can be written, and that one that is named inside a project, of which ``root`` is a folder,
    does not by a link there lead out of it.

    Raises LayercheckError.
    """
    if output is None:
        return
    from layercheck.config import top_of
    from layercheck.opening import leads_out

    top = top_of(Path(os.path.realpath(root)))
    if leads_out(output, top):
        raise LayercheckError(f"{option}: {output} leads out of {top} by a link; name the file that it leads to")
    if not output.absolute().parent.is_dir():
        raise LayercheckError(f"{option}: there is no folder {output.parent}")
    if output.is_dir():
        raise LayercheckError(f"{option}: {output} is a folder; give the name of a file")


def write(text: str, output: Path | None) -> None:
    if output is None:
        say(text, sys.stdout)
    else:
        write_bytes(text.encode("utf-8"), output)


def write_bytes(content: bytes, output: Path | None) -> None:
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


def create(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise LayercheckError(f"{path} is there already; move it away first") from None
    except OSError as error:
        raise LayercheckError(f"{path} cannot be written: {error.strerror or error}") from None


def replace(path: Path, text: str) -> None:
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


def say(text: str, stream: TextIO | None) -> None:
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
