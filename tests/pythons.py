"""``make test-all``: the tests on every Python of this machine that layercheck runs on, one after the other.

Each has an environment of its own beside the first, ``.venv-3.N``. Asserts nothing; it fails where one of them does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 10)
_NEWEST_MINOR = 30
_ASK = "import sys; print(*sys.version_info[:3], sys.version_info.releaselevel, sys.implementation.name)"


def main() -> None:
    """Run the tests on each, and say how they ended."""
    found = pythons()
    if not found:
        sys.exit("make test-all: there is no Python of 3.10 or later on PATH or among those of pyenv")
    ended = {}
    for version, program in found.items():
        print(f"== Python {version}: {program} ==", flush=True)
        minor = ".".join(version.split(".")[:2])
        ended[version] = subprocess.call(["make", "test", f"PYTHON={program}", f"VENV=.venv-{minor}"])
    for version, status in ended.items():
        print(f"Python {version}: {'passed' if status == 0 else f'failed with status {status}'}")
    sys.exit(int(any(ended.values())))


def pythons() -> dict[str, str]:
    """The programs by their version, the newest of each minor version: those on PATH, and those that pyenv keeps."""
    names = [f"python3.{minor}" for minor in range(OLDEST[1], _NEWEST_MINOR)]
    programs = [shutil.which(name) for name in names]
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    programs += [str(path) for path in sorted(kept.glob("*/bin/python3"))]
    newest: dict[tuple[int, int], tuple[int, str]] = {}
    for program in filter(None, programs):
        version = _version(program)
        if version is not None and version[:2] >= OLDEST:
            newest[version[:2]] = max(newest.get(version[:2], (-1, "")), (version[2], program))
    return {f"{major}.{minor}.{micro}": program for (major, minor), (micro, program) in sorted(newest.items())}


def _version(program: str) -> tuple[int, int, int] | None:
    """None where it is no CPython that has been released: a shim of pyenv may stand for none."""
    done = subprocess.run([program, "-c", _ASK], capture_output=True, text=True, check=False)
    found = re.fullmatch(r"(\d+) (\d+) (\d+) final cpython\n", done.stdout)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


if __name__ == "__main__":
    main()
