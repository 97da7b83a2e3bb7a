"""The only user of git: one way to call it, and what it ignores.

The repository may come from a stranger: no program that its configuration names is run, nothing is fetched and
nothing is written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 60
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    # Only the repository's own ignore files count, so that the result is the same for everybody.
    f"core.excludesFile={os.devnull}",
    "submodule.recurse=false",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a git command said. ``fine`` is False where there is no git, or it fails or does not end."""

    fine: bool
    output: bytes = b""
    error: str = ""
    """The first line of what it complained of."""


def git(root: Path, *arguments: str, feed: bytes = b"") -> Answer:
    """Run a git command in a folder, with ``feed`` on its standard input."""
    # A hook runs with GIT_DIR, GIT_INDEX_FILE and others set, which may mean another repository than the root's.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    environment |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    options = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", *options, *arguments],
            cwd=root,
            env=environment,
            input=feed,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(False, error=f"it did not end within {_SECONDS} seconds")
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        if shutil.which("git") is None:
            return Answer(False, error="there is no program git on PATH; install it, or add its folder to PATH")
        return Answer(False, error=getattr(error, "strerror", None) or "it cannot be run")
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    return Answer(done.returncode == 0, done.stdout, lines[0] if lines else "")


def in_checkout(root: Path) -> bool:
    """Whether a folder lies in a git checkout, by what the folders above it hold."""
    folder = root.resolve()
    return any((place / ".git").exists() for place in (folder, *folder.parents))


def ignored_paths(root: Path, absent: Collection[str] = ()) -> frozenset[str]:
    """Paths of the files and whole folders that are not tracked and that a .gitignore names; none where git cannot say.
    Of paths that are ``absent`` those that it would ignore.

    Where the root of the run is ignored itself nothing is: else the run would look at nothing and pass.
    """
    if not in_checkout(root) or git(root, "check-ignore", "--quiet", ".").fine:
        return frozenset()
    answer = git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    output = answer.output if answer.fine else b""
    if absent:
        asked = b"\0".join(map(os.fsencode, sorted(absent)))
        output += git(root, "check-ignore", "-z", "--stdin", feed=asked).output
    return frozenset(os.fsdecode(path).rstrip("/") for path in output.split(b"\0") if path)
