"""In which states of a tree and of its cache a contender is run, and the running itself."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tests import corpus
from tests.bench.contenders import LAYERCHECK, Contender
from tests.measure import Measured, measure

COLD, WARM, MOVED, ADDED = "cold", "warm", "lines moved", "import added"


class BrokenRunError(Exception):
    """A contender could not do its work; the message has what it said."""


def turn(contender: Contender, root: Path, package: str) -> dict[str, Measured]:
    """One measure of a contender in each state that means something for it, by the state.

    Cold: without a cache of its own; what the system remembers of the files stays. Raises BrokenRunError.
    """
    if contender.cache is not None:
        shutil.rmtree(contender.cache, ignore_errors=True)
    measured = {COLD: run(contender, root)}
    if contender.cache is not None:
        run(contender, root)  # what it kept last time was made of files that were new then
        measured[WARM] = run(contender, root)
    if contender.name == LAYERCHECK:
        edited = _edited(root / package)
        before = edited.read_text(encoding="utf-8")
        for state, text in ((MOVED, f"#\n{before}"), (ADDED, f"#\n{before}\nimport {package}\n")):
            corpus.replace(edited, text)
            measured[state] = run(contender, root)
        corpus.replace(edited, before)
    return measured


def run(contender: Contender, folder: Path) -> Measured:
    """Run a contender once. Raises BrokenRunError."""
    env = {**os.environ, "PYTHONPATH": str(folder)}
    if contender.cache is not None:
        env["LAYERCHECK_CACHE_DIR"] = str(contender.cache)
    command = contender.command
    if command[0] == sys.executable:  # layercheck, which is to come from here and not from what it looks at
        del env["PYTHONPATH"]
    measured = measure(command, cwd=folder, env=env)
    told = measured.stdout + measured.stderr
    if measured.status < 0 or "Traceback" in told or (measured.status > 1 and contender.name != "pylint"):
        raise BrokenRunError(f"{contender.name} ended with status {measured.status}:\n{told[-2000:]}")
    return measured


def _edited(package: Path) -> Path:
    """The file that is edited: of all in the package, the one in the middle."""
    files = sorted(package.rglob("*.py"))
    return files[len(files) // 2]
