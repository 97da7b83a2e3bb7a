"""Another tool in an environment of its own, kept in the corpus folder, and a process in it that answers in JSON."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests import corpus

_INSTALL_SECONDS = 600
VERSIONS = {"import-linter": "2.17", "tach": "0.35.3"}
"""The releases whose verdicts docs/migrating.md speaks of."""


def environment(name: str) -> Path:
    """The folder in which a tool is installed with all that it needs, for this Python.

    Made once, whole or not at all. Raises corpus.UnavailableError.
    """
    requirement = f"{name}=={VERSIONS[name]}"
    target = corpus.folder() / f"{name}-{VERSIONS[name]}.{sys.implementation.cache_tag}"
    if target.is_dir():
        return target
    corpus.folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=corpus.folder(), prefix=".making-") as scratch:
        made = Path(scratch) / "environment"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            done = subprocess.run(
                [*command, "--target", str(made), requirement],
                capture_output=True,
                text=True,
                timeout=_INSTALL_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise corpus.UnavailableError(f"{requirement}: pip took more than {_INSTALL_SECONDS} s") from None
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise corpus.UnavailableError(f"{requirement}: pip failed: {lines[-1] if lines else 'it says nothing'}")
        try:
            made.rename(target)
        except OSError:
            if not target.is_dir():  # another process was first: its copy is as good
                raise
    return target


@dataclass(frozen=True, slots=True)
class Peer:
    """A process in a tool's environment that answers each line with a line."""

    process: subprocess.Popen[str]
    log: IO[bytes]
    """Its standard error."""

    def ask(self, **request: Any) -> Any:
        """The answer to one request; what the process wrote to standard error where it gives none."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.log.seek(0)
            raise AssertionError(f"no answer from the peer:\n{self.log.read().decode(errors='replace')}")
        answered = json.loads(answer)
        if isinstance(answered, dict) and "failed" in answered:
            raise AssertionError(f"the peer failed: {answered['failed']}")
        return answered


@contextmanager
def start(name: str, script: str) -> Iterator[Peer]:
    """A long-lived process that runs a script beside this file in a tool's environment.

    Raises corpus.UnavailableError where that environment cannot be had.
    """
    # -S: nothing that is installed beside this test is seen.
    command = [sys.executable, "-S", "-E", str(Path(__file__).with_name(script)), str(environment(name))]
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True) as process,
    ):
        yield Peer(process, log)
