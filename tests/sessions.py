"""Sessions at a terminal, as the docs show them: read from a page, run in a folder, compared or written anew.

On a page, blocks mean by their language:

- ``console``: a line behind ``$ `` is a command, what follows is exactly what it prints, standard error included;
- ``sh``: each line is a command whose output is not shown; lines that begin with ``#`` are none;
- ``tree``: files, each below a line ``# file: path``, that are written there.

A command ends with status 0, or with the one that ``  # exit status N`` behind it says. The commands of a page run
in its order in one folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.tree import write_tree

RUN = ("console", "sh", "tree")
"""The languages of blocks that are run."""

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
_STATUS = re.compile(r"  # exit status (\d+)$")
_VARYING = (
    (re.compile(r"\bin \d+\.\d\ds\b"), "in 0.01s"),
    (re.compile(r"^[0-9a-f]{12} ", re.MULTILINE), "0123456789ab "),
    (re.compile(r"under\s+Python\s+3\.\d+"), "under Python 3"),
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page; ``line`` is where its fence stands."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a session, and what it should come to; ``output`` is None where it is not shown."""

    text: str
    status: int
    output: str | None

    @property
    def plain(self) -> str:
        """The command without a comment behind it."""
        return re.sub(r"\s+# .*", "", self.text)

    def shown(self) -> str:
        """The command as a page shows it in a ``console`` block."""
        return f"$ {self.text}\n{self.output or ''}"


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in _BLOCK.finditer(page):
        yield Block(found[1], found[2], page.count("\n", 0, found.start()) + 1)


def commands(block: Block) -> list[Command]:
    """The commands of a ``console`` or ``sh`` block.

    Raises ValueError where a session does not begin with a command.
    """
    if block.language == "sh":
        lines = (line.strip() for line in block.text.splitlines())
        return [_command(line, None) for line in lines if line and not line.startswith("#")]
    before, *parts = _COMMAND.split(block.text)
    if before or not parts:
        raise ValueError(f"line {block.line}: a session begins with a line '$ command'")
    return [_command(text, output) for text, output in zip(parts[::2], parts[1::2], strict=True)]


def _command(text: str, output: str | None) -> Command:
    status = _STATUS.search(text)
    return Command(text, int(status[1]) if status else 0, output)


def steady(text: str) -> str:
    """A text without what differs from run to run: times, commit ids, the version of Python."""
    for pattern, stands_for in _VARYING:
        text = pattern.sub(stands_for, text)
    return text


@dataclass(frozen=True, slots=True)
class Terminal:
    """Runs commands in one folder, as a person would whose settings are nobody's."""

    folder: Path
    home: Path
    elsewhere: frozenset[str] = frozenset()
    """Commands that are taken to have come out as the page says, without being run."""

    def run(self, command: Command) -> Command:
        """The same command with the status and the output that it has."""
        if command.plain in self.elsewhere:
            return command
        done = subprocess.run(
            ["sh", "-c", command.text],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="backslashreplace",
        )
        return replace(command, status=done.returncode, output=done.stdout)

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "GIT_", "LAYERCHECK"))}
        person = {f"GIT_{who}_{what}": "nobody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return {
            **kept,
            **person,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "HOME": str(self.home),
            "LAYERCHECK_CACHE_DIR": str(self.home / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }


def play(page: str, terminal: Terminal) -> Iterator[tuple[Block, list[tuple[Command, Command]]]]:
    """Run a page: for each block that is run, its commands as they are on the page and as they came out."""
    for block in blocks(page):
        if block.language == "tree":
            write_tree(terminal.folder, block.text)
            yield block, []
        elif block.language in RUN:
            yield block, [(command, terminal.run(command)) for command in commands(block)]


def differences(page: str, terminal: Terminal) -> list[str]:
    """What a page shows other than it comes out, one text for each command."""
    found = []
    for block, ran in play(page, terminal):
        for told, seen in ran:
            same = told.output is None or steady(told.output) == steady(seen.output or "")
            if told.status != seen.status or not same:
                found.append(f"line {block.line}: {seen.shown()}exit status {seen.status}, not {told.status}")
    return found


def rewritten(page: str, terminal: Terminal) -> str:
    """The page with what its commands print; what only varies from run to run stays as it was."""
    shown = {
        block.line: "".join(
            told.shown() if steady(told.output or "") == steady(seen.output or "") else seen.shown()
            for told, seen in ran
        )
        for block, ran in play(page, terminal)
        if block.language == "console"
    }

    def fill(found: re.Match[str]) -> str:
        line = page.count("\n", 0, found.start()) + 1
        return f"```{found[1]}\n{shown.get(line, found[2])}```"

    return _BLOCK.sub(fill, page)


def rewrite(path: Path, project: Callable[[Path], Path], elsewhere: frozenset[str] = frozenset()) -> None:
    """Write into a page what its commands print; ``project`` makes the folder in which they run."""
    with tempfile.TemporaryDirectory() as scratch:
        terminal = Terminal(project(Path(scratch) / "your-project"), Path(scratch), elsewhere)
        path.write_text(rewritten(path.read_text(encoding="utf-8"), terminal), encoding="utf-8")
