"""The tools of the table in README.md: how each is called in a folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests import tools

COMMANDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "layercheck": (
        "",
        (sys.executable, "-m", "layercheck", "check", "--no-cache", "--jobs", "1", "--fail-on", "warning"),
    ),
    "import-linter": ("2.17", ("lint-imports", "--no-cache")),
    "tach": ("0.35.3", ("tach", "check")),
    "pylint": ("4.1.4", ("pylint", "app", "tests/test_app.py")),
    "ruff": ("0.17.6", ("ruff", "check", "--no-cache")),
    "deply": ("1.3.0", ("deply", "analyze")),
}
"""Each with its release, and what is typed."""


def call(name: str) -> list[str]:
    """The command line of a tool. Raises UnavailableError where it cannot be had."""
    version, (program, *arguments) = COMMANDS[name]
    return [str(tools.tool(name, version) / program) if version else program, *arguments]


def passes(command: list[str], folder: Path) -> bool:
    """Whether a tool passes a folder."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode == 0
