"""The only user of git: one way to call it, and what it ignores.

The repository may come from a stranger: no program that its configuration names is run, nothing is fetched, nothing is
written, and no more is taken in than fits into memory.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_SECONDS = 60
MAX_OUTPUT = 256 * 1024 * 1024
"""Bytes: what git says of a million files is less. A repository of a few kilobytes can make it say any amount."""
_CHUNK = 1 << 20
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    # Only the repository's own ignore files count, so that the result is the same for everybody.
    f"core.excludesFile={os.devnull}",
    "submodule.recurse=false",
    # Files that the configuration names, which could be pipes.
    "blame.ignoreRevsFile=",
    "log.mailmap=false",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a git command said. ``fine`` is False where there is no git, or it fails, does not end or says too much."""

    fine: bool
    output: bytes = b""
    error: str = ""
    """The first line of what it complained of."""


def git(root: Path, *arguments: str, feed: bytes = b"") -> Answer:
    """Run a git command in a folder, with ``feed`` on its standard input."""
    program = _program()
    if program is None:
        return Answer(False, error="there is no program git on PATH; install it, or add its folder to PATH")
    # A hook runs with GIT_DIR, GIT_INDEX_FILE and others set, which may mean another repository than the root's.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    environment |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    options = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        return _run([program, *options, *arguments], root, environment, feed)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Answer(False, error=getattr(error, "strerror", None) or "it cannot be run")


def _program() -> str | None:
    """Where git is: in a folder that PATH names absolutely. A relative one, and on Windows the current one, may be the
    stranger's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = Path(folder, name)
        if program.is_absolute() and program.is_file() and os.access(program, os.X_OK):
            return str(program)
    return None


def _run(command: list[str], root: Path, environment: dict[str, str], feed: bytes) -> Answer:
    pipe, end = subprocess.PIPE, time.monotonic() + _SECONDS
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(feed)
        given.seek(0)
        with subprocess.Popen(command, cwd=root, env=environment, stdin=given, stdout=pipe, stderr=said) as process:
            clock = threading.Timer(_SECONDS, process.kill)
            clock.start()
            try:
                output = b"" if process.stdout is None else _taken(process.stdout)
                if len(output) <= MAX_OUTPUT:
                    process.wait()
            finally:
                clock.cancel()
                process.kill()  # nobody listens any more; nothing happens to one that has ended
        if time.monotonic() > end:
            return Answer(False, error=f"it did not end within {_SECONDS} seconds")
        if len(output) > MAX_OUTPUT:
            return Answer(False, error=f"it says more than {MAX_OUTPUT // 2**20} MiB")
        said.seek(0)
        lines = said.read(_CHUNK).decode("utf-8", "replace").splitlines()
        return Answer(process.returncode == 0, output, lines[0] if lines else "")


def _taken(stream: IO[bytes]) -> bytes:
    """What a stream says, but hardly more than ``MAX_OUTPUT``."""
    chunks, left = [], MAX_OUTPUT
    while left >= 0 and (chunk := stream.read(_CHUNK)):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def in_checkout(root: Path) -> bool:
    """Whether a folder lies in a git checkout, by what the folders above it hold."""
    folder = root.resolve()
    return any((place / ".git").exists() for place in (folder, *folder.parents))


def ignored_paths(root: Path, absent: Collection[str] = ()) -> tuple[frozenset[str], str]:
    """Paths of the files and whole folders that are not tracked and that a .gitignore names; none where git cannot say,
    and then why. Of paths that are ``absent`` those that it would ignore.

    Where the root of the run is ignored itself nothing is: else the run would look at nothing and pass.
    """
    if not in_checkout(root):
        return frozenset(), ""
    whole = git(root, "check-ignore", "--quiet", ".")
    if whole.fine or whole.error:
        return frozenset(), whole.error
    answer = git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    output = answer.output if answer.fine else b""
    if absent:
        asked = b"\0".join(map(os.fsencode, sorted(absent)))
        output += git(root, "check-ignore", "-z", "--stdin", feed=asked).output
    return frozenset(os.fsdecode(path).rstrip("/") for path in output.split(b"\0") if path), answer.error
