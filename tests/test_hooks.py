"""The pre-commit hook works from an isolated install, on code that is not installed there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import command, corpus, tools
from tests.tree import write_tree

PRE_COMMIT = "4.3.0"

SAMPLE = """
# file: pyproject.toml
[project]
name = "sample"
version = "1"
# file: layercheck.toml
[[rule]]
name = "floors"
check = "layers"
reason = "low knows nobody"
within = "sample"
order = ["high", "low"]
# file: README.md
A sample.
# file: src/sample/__init__.py
# file: src/sample/low.py
here = 1
# file: src/sample/high.py
import torch
from sample.low import here

print(here, torch)
"""
"""A project with a src layout that is not installed, and takes something that is not there."""

SOURCES = ("layercheck", "docs/checks", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
"""What a repository of layercheck must hold for the hook to be installed from it."""


def _hook() -> dict[str, Any]:
    """The one hook of the manifest."""
    (hook,) = yaml.safe_load((command.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert isinstance(hook, dict)
    return hook


def test_the_manifest_says_how_to_run_it() -> None:
    hook = _hook()
    assert hook["id"] == "layercheck"
    assert hook["language"] == "python"
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The package registry, which answers now."""
    tools.demand_registry(tmp_path_factory.mktemp("asked"))


@pytest.fixture(scope="module")
def isolated(registry: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a virtual environment with nothing in it but layercheck, installed from this tree."""
    commands = tools.environment(tmp_path_factory.mktemp("isolated"))
    assert tools.install(commands, str(command.ROOT)) == ""
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
    write_tree(tmp_path, SAMPLE.replace("import here", f"import {name}"))
    done = _run_hook(isolated, tmp_path)
    assert (done.returncode, done.stderr) == (status, "")
    assert ("src/sample/high.py" in done.stdout) == bool(status)
    assert ("sample.low" in done.stdout) == bool(status)


@pytest.mark.corpus
def test_what_is_installed_is_the_package_alone(isolated: Path) -> None:
    show = "import importlib.metadata as m; print(*sorted({f.parts[0] for f in m.files('layercheck')}), sep='\\n')"
    done = subprocess.run([str(isolated / "python"), "-c", show], capture_output=True, text=True, check=True)
    assert [part for part in done.stdout.split() if not part.endswith(".dist-info") and part != ".."] == ["layercheck"]


def _git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, "-C", str(folder), *arguments], check=True, capture_output=True)


def _commit(folder: Path) -> None:
    """Make a folder a repository with one commit of all that is in it."""
    _git(folder, "init", "-q")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-qm", "all")


@pytest.fixture(scope="module")
def repository(registry: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone of layercheck holds."""
    folder = tmp_path_factory.mktemp("repository")
    for name in SOURCES:
        source, target = command.ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            corpus.copy(source, target)
        else:
            corpus.replace(target, source.read_text(encoding="utf-8"))
    (folder / ".gitignore").write_text("__pycache__/\n", encoding="utf-8")
    _commit(folder)
    return folder


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What pre-commit finds in its environment: no cache but its own, no variables of a run around it."""
    away = ("GIT_", "PRE_COMMIT", "PYTHON", "VIRTUAL_ENV", "LAYERCHECK_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(away)}
    env["PRE_COMMIT_HOME"] = str(tmp_path_factory.mktemp("pre-commit"))
    env["LAYERCHECK_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    return env


@pytest.mark.corpus
class TestPreCommit:
    """``pre-commit try-repo``: pre-commit itself installs the hook from a repository and runs it in another."""

    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        write_tree(tmp_path, SAMPLE)
        _commit(tmp_path)
        return tmp_path

    def run(
        self, project: Path, repository: Path, environment: dict[str, str], *options: str
    ) -> subprocess.CompletedProcess[str]:
        try:
            commands = tools.tool("pre-commit", PRE_COMMIT)
        except corpus.UnavailableError as error:
            pytest.skip(str(error))
        program = [str(commands / "pre-commit"), "try-repo", str(repository), "layercheck", "--color=never"]
        done = subprocess.run(
            [*program, *options], cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr  # 3: it could not be installed
        assert "Traceback" not in done.stdout + done.stderr
        return done

    def test_a_clean_project_passes(self, project: Path, repository: Path, environment: dict[str, str]) -> None:
        done = self.run(project, repository, environment, "--all-files", "--verbose")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Passed" in done.stdout
        assert "Nothing wrong in 3 modules" in done.stdout

    def test_a_violation_fails_and_is_shown(self, project: Path, repository: Path, environment: dict[str, str]) -> None:
        (project / "src" / "sample" / "low.py").write_text("import sample.high\nhere = 1\n", encoding="utf-8")
        _git(project, "add", "-A")
        done = self.run(project, repository, environment)
        assert done.returncode == 1
        assert "Failed" in done.stdout
        assert "src/sample/low.py:1:8: error: layers [floors]" in done.stdout

    def test_a_commit_that_only_takes_a_file_away(
        self, project: Path, repository: Path, environment: dict[str, str]
    ) -> None:
        _git(project, "rm", "-q", "src/sample/low.py")
        done = self.run(project, repository, environment)
        assert done.returncode == 1, done.stdout + done.stderr
        assert re.search(r"^src/sample/high\.py:2:\d+: error: broken-imports$", done.stdout, re.MULTILINE), done.stdout
