"""The pre-commit hook works from an isolated install, on code that is not installed there."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests import command, corpus

PYPROJECT = '[project]\nname = "sample"\nversion = "1"\n'


def _hook() -> dict[str, str]:
    """The one hook of the manifest: its keys and values as written."""
    text = (command.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert text.count("- id:") == 1
    pairs = (line.strip("- ").partition(": ") for line in text.splitlines())
    return {key: value for key, _, value in pairs}


def test_the_manifest_says_how_to_run_it() -> None:
    hook = _hook()
    assert hook["id"] == "layercheck"
    assert hook["language"] == "python"
    assert hook["pass_filenames"] == "false"


@pytest.fixture(scope="module")
def isolated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a virtual environment with nothing in it but layercheck, installed from this tree."""
    try:
        corpus.release("hatchling", "1.27.0")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("isolated")
    venv.create(folder, with_pip=True)
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    install = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*install, str(command.ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return commands


def _run_hook(isolated: Path, project: Path) -> subprocess.CompletedProcess[str]:
    keep = ("HOME", "LANG", "SYSTEMROOT", "TMPDIR")
    env = {key: os.environ[key] for key in keep if key in os.environ}
    env["PATH"] = os.pathsep.join([str(isolated), os.defpath])
    entry = shlex.split(_hook()["entry"])
    program = isolated / entry[0]
    return subprocess.run([str(program), *entry[1:]], cwd=project, env=env, capture_output=True, text=True, check=False)


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "status"), [("here", 0), ("gone", 1)])
def test_the_hook_on_a_project_that_is_not_installed(isolated: Path, tmp_path: Path, name: str, status: int) -> None:
    package = tmp_path / "src" / "sample"
    package.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "low.py").write_text("here = 1\n", encoding="utf-8")
    (package / "high.py").write_text(
        f"import torch\nfrom sample.low import {name}\n\nprint({name}, torch)\n", encoding="utf-8"
    )
    done = _run_hook(isolated, tmp_path)
    assert (done.returncode, done.stderr) == (status, "")
    assert ("src/sample/high.py" in done.stdout) == bool(status)
    assert ("sample.low" in done.stdout) == bool(status)


@pytest.mark.corpus
def test_what_is_installed_is_the_package_alone(isolated: Path) -> None:
    show = "import importlib.metadata as m; print(*sorted({f.parts[0] for f in m.files('layercheck')}), sep='\\n')"
    done = subprocess.run([str(isolated / "python"), "-c", show], capture_output=True, text=True, check=True)
    assert [part for part in done.stdout.split() if not part.endswith(".dist-info") and part != ".."] == ["layercheck"]
