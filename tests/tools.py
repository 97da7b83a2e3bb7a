"""Other people's tools from the package registry, each in a virtual environment of its own, kept beside the corpus."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests import corpus


def environment(folder: Path) -> Path:
    """Make a virtual environment with pip in a folder. Returns the folder of its commands."""
    venv.create(folder, with_pip=True, clear=True)
    return folder / ("Scripts" if sys.platform == "win32" else "bin")


def install(commands: Path, *wanted: str) -> str:
    """Install packages or folders with the pip of an environment. Returns what went wrong; empty where nothing did."""
    pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, *wanted], capture_output=True, text=True, check=False)
    return done.stderr.strip() or f"status {done.returncode}" if done.returncode else ""


def tool(name: str, version: str) -> Path:
    """The folder of commands of an environment that holds one release. Raises UnavailableError."""
    target = corpus.folder() / f"tool-{name}-{version}-py{sys.version_info[0]}.{sys.version_info[1]}"
    mark = target / ".installed"
    if mark.exists():
        return target / mark.read_text(encoding="utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    commands = environment(target)
    if wrong := install(commands, f"{name}=={version}"):
        raise corpus.UnavailableError(f"{name}=={version}: pip install failed: {wrong.splitlines()[-1]}")
    mark.write_text(commands.name, encoding="utf-8")
    return commands


def demand_registry(scratch: Path) -> None:
    """Skip the test where the package registry does not answer now. ``scratch``: a folder with nothing in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAYERCHECK_CORPUS", str(scratch))
        try:
            corpus.release("hatchling", "1.27.0")
        except corpus.UnavailableError as error:
            pytest.skip(str(error))
