"""The GitHub Action and the page about hooks and CI: read, held against what they say, and their scripts run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml

from tests import command, corpus, pages, tools
from tests.readers import is_command, read_command
from tests.test_docs_checks import section
from tests.tree import write_tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its shell is not that of the scripts")

CHECK_JSONSCHEMA = "0.33.0"

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
# file: other.toml
[checks]
orphaned-imports = "error"
# file: src/sample/__init__.py
# file: src/sample/low.py
here = 1
# file: src/sample/high.py
import re
x = 1
"""
BACK = "import sample.high\nhere = 1\n"
"""A low module that imports back up."""

PYTHON = f"""#!/bin/sh
# Stands for a Python: notes how it is called, makes environments that hold itself, and installs nothing.
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in
    *"-m venv "*)
        for last; do :; done
        mkdir -p "$last/bin"
        cp "$0" "$last/bin/python"
        cp "$(dirname "$0")/layercheck" "$last/bin/layercheck" ;;
    *"-m pip "*) ;;
    *) exec "{sys.executable}" "$@" ;;
esac
"""
LAYERCHECK = f'#!/bin/sh\nexec "{sys.executable}" -m layercheck "$@"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "project", SAMPLE)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs, first on the path: a Python that installs nothing, and layercheck."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name, text in (("python", PYTHON), ("python3", PYTHON), ("layercheck", LAYERCHECK)):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    return folder


def calls(folder: Path) -> list[str]:
    """How the Python of ``programs`` was called."""
    return (folder.parent / "calls").read_text(encoding="utf-8").splitlines()


def read_yaml(text: str) -> dict[str, Any]:
    """A mapping. ``on`` is a key there, which YAML 1.1 takes for true."""
    read = yaml.safe_load(re.sub(r"^on:", '"on":', text, flags=re.MULTILINE))
    assert isinstance(read, dict)
    return read


ACTION_TEXT = (command.ROOT / "action.yml").read_text(encoding="utf-8")
ACTION = read_yaml(ACTION_TEXT)
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SCRIPTS = [step for step in STEPS if "run" in step]
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


@dataclass(frozen=True, slots=True)
class Done:
    """What a step left behind."""

    status: int
    stdout: str
    stderr: str
    outputs: Mapping[str, str]


class Runner:
    """Runs the scripts of the action as GitHub's runner does: expressions are put in, then bash gets the text."""

    def __init__(self, project: Path, temporary: Path, python: Path, **inputs: str) -> None:
        self.project = project
        self.temporary = temporary
        temporary.mkdir(exist_ok=True)
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert set(given) <= set(ACTION["inputs"])
        defaults = {name: one["default"] for name, one in ACTION["inputs"].items()}
        self.values = {f"inputs.{name}": value for name, value in {**defaults, **given}.items()}
        self.values["github.action_path"] = str(command.ROOT)
        self.values["runner.temp"] = str(temporary)
        self.values["steps.python.outputs.python-path"] = str(python)

    def run(self, id_: str) -> Done:
        """Run one step."""
        (step,) = (one for one in SCRIPTS if one["id"] == id_)
        outputs = self.temporary / "outputs"
        outputs.write_text("", encoding="utf-8")
        script = self.temporary / "script.sh"
        script.write_text(self._put_in(step["run"]), encoding="utf-8")
        env = {name: self._put_in(text) for name, text in step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=self.project,
            env={**os.environ, "PYTHONPATH": str(self.project), "GITHUB_OUTPUT": str(outputs), **env},
            capture_output=True,
            text=True,
            check=False,
        )
        lines = outputs.read_text(encoding="utf-8").splitlines()
        told = {name: value for name, _, value in (line.partition("=") for line in lines)}
        self.values.update({f"steps.{id_}.outputs.{name}": value for name, value in told.items()})
        return Done(done.returncode, done.stdout, done.stderr, told)

    def _put_in(self, text: str) -> str:
        return EXPRESSION.sub(lambda found: self.values[found[1]], text)


def check(project: Path, **inputs: str) -> Done:
    """Run the step that checks, with this Python in the place of what the step before installs."""
    runner = Runner(project, project.parent / "runner", Path(sys.executable), **inputs)
    runner.values["steps.install.outputs.python"] = sys.executable
    return runner.run("check")


class TestAction:
    def test_it_is_composite_and_says_what_it_is(self) -> None:
        assert ACTION["runs"]["using"] == "composite"
        assert ACTION["name"] == "layercheck"
        assert ACTION["description"]

    def test_each_input_is_described_used_and_has_a_default(self) -> None:
        for name, one in ACTION["inputs"].items():
            assert set(one) == {"description", "default"}
            assert one["description"].endswith(".")
            assert isinstance(one["default"], str)
            assert f"inputs.{name}" in ACTION_TEXT

    def test_every_script_says_its_shell(self) -> None:
        assert [step["id"] for step in SCRIPTS] == ["install", "check"]
        assert {step["shell"] for step in SCRIPTS} == {"bash"}

    def test_no_expression_is_part_of_a_script(self) -> None:
        for step in SCRIPTS:
            assert "${{" not in step["run"]

    def test_what_others_made_is_named_with_its_version(self) -> None:
        used = [step["uses"] for step in STEPS if "uses" in step]
        assert used
        for name in used:
            assert re.fullmatch(r"actions/[a-z-]+(/[a-z]+)?@v\d+", name)

    def test_every_step_that_is_spoken_of_comes_before(self) -> None:
        before: set[str] = set()
        for step in STEPS:
            assert set(re.findall(r"\bsteps\.([\w-]+)\.", json.dumps(step))) <= before
            before.add(step.get("id", ""))
        assert set(re.findall(r"\bsteps\.([\w-]+)\.", json.dumps(ACTION["outputs"]))) <= before

    def test_what_is_kept_is_what_the_check_keeps(self) -> None:
        places = {step["with"]["path"] for step in STEPS if "cache" in step.get("uses", "")}
        (checking,) = (step for step in SCRIPTS if step["id"] == "check")
        assert places == {checking["env"]["LAYERCHECK_CACHE_DIR"]}


class TestCheckStep:
    def test_a_clean_project(self, project: Path) -> None:
        done = check(project)
        assert (done.status, done.stderr, done.outputs) == (0, "", {"status": "0"})

    def test_a_finding_is_shown_at_its_line(self, project: Path) -> None:
        (project / "src" / "sample" / "low.py").write_text(BACK, encoding="utf-8")
        done = check(project)
        assert (done.status, done.outputs) == (1, {"status": "1"})
        found = [read_command(line) for line in done.stdout.splitlines() if is_command(line)]
        assert [(name, told["file"], told["line"]) for name, told, _ in found if name == "error"] == [
            ("error", str(project.resolve() / "src" / "sample" / "low.py"), "1")
        ]

    def test_what_cannot_run_fails(self, project: Path) -> None:
        done = check(project, root="gone")
        assert (done.status, done.stdout, done.outputs) == (2, "", {"status": "2"})
        assert done.stderr == "layercheck: gone: there is no such folder\n"

    def test_its_inputs_are_options(self, project: Path) -> None:
        done = check(
            project, root="src", rules="other.toml", format="json", output="a b.json", args=" -q\n--fail-on error "
        )
        assert (done.status, done.stdout) == (1, "")
        report = json.loads((project / "a b.json").read_text(encoding="utf-8"))
        assert [(one["check"], one["path"]) for one in report["findings"]] == [("orphaned-imports", "sample/high.py")]

    def test_other_options_may_be_several(self, project: Path) -> None:
        assert check(project, args="--select cycles --fail-on warning").status == 0
        assert check(project, args="--select *").stderr.startswith(
            "layercheck: --select: no check or rule is called '*'"
        )
        assert check(project, rules="other.toml", args="--exit-zero").status == 0

    @pytest.mark.parametrize(("cache", "again"), [("true", "3 of 3"), ("false", "0 of 3")])
    def test_facts_are_kept_if_they_are_to_be(self, project: Path, cache: str, again: str) -> None:
        first, second = (check(project, format="text", args="-v", cache=cache).stdout for _ in range(2))
        assert "0 of 3 files from the cache" in first
        assert f"{again} files from the cache" in second

    def test_nothing_of_the_checkout_is_run(self, project: Path) -> None:
        for name in ("click", "msgspec", "typing", "layercheck"):
            (project / f"{name}.py").write_text("open('run', 'w')\nraise SystemExit(0)\n", encoding="utf-8")
        done = check(project)
        assert done.outputs == {"status": "0"}
        assert "in 3 modules" in done.stdout
        assert not (project / "run").exists()


EVIL = ["x; touch evil; $(touch evil) `touch evil` *", "\"; touch evil; \"\ntouch evil\n'; touch evil; '"]
"""Texts that would leave a file behind where a shell took them for its own language."""
TAKEN = ("cache", "output", "python-version", "version")
"""The inputs that are not asked whether there is such a thing, but by what the tests leave out."""


@pytest.mark.parametrize("text", EVIL)
@pytest.mark.parametrize("name", sorted(ACTION["inputs"]))
def test_no_input_is_run_by_the_shell(project: Path, programs: Path, name: str, text: str) -> None:
    runner = Runner(project, project.parent / "runner", programs / "python", **{name.replace("-", "_"): text})
    installed = runner.run("install")
    assert installed.status == 0
    assert set(installed.outputs) == {"python", "key"}
    assert re.fullmatch(r"[0-9a-f]{16}", installed.outputs["key"])
    done = runner.run("check")
    assert list(done.outputs) == ["status"]
    assert done.status == (0 if name in TAKEN else 2), done.stdout + done.stderr
    assert not list(project.parent.rglob("evil"))


class TestInstallStep:
    def test_it_installs_the_revision_of_the_action(self, project: Path, programs: Path) -> None:
        runner = Runner(project, project.parent / "runner", programs / "python")
        done = runner.run("install")
        assert done.status == 0
        home = project.parent / "runner" / "layercheck" / "environment"
        assert done.outputs["python"] == str(home / "bin" / "python")
        assert calls(programs)[:2] == [
            f"-I -m venv {home}",
            f"-I -m pip install --quiet --disable-pip-version-check {command.ROOT}",
        ]

    def test_it_installs_a_release(self, project: Path, programs: Path) -> None:
        assert Runner(project, project.parent / "runner", programs / "python", version="1.2").run("install").status == 0
        assert calls(programs)[1].endswith(" layercheck==1.2")

    def test_facts_are_kept_apart_for_each_root_and_release(self, project: Path, programs: Path) -> None:
        keys = [
            Runner(project, project.parent / "runner", programs / "python", **inputs).run("install").outputs["key"]
            for inputs in ({}, {"root": "src"}, {"version": "1.2"}, {"args": "-q"})
        ]
        assert keys[0] == keys[3]
        assert len(set(keys)) == 3

    @pytest.mark.corpus
    def test_it_really_installs_and_then_finds(self, project: Path, tmp_path: Path) -> None:
        tools.demand_registry(tmp_path / "asked")
        runner = Runner(project, tmp_path / "runner", Path(sys.executable), format="text")
        installed = runner.run("install")
        assert installed.status == 0, installed.stderr
        assert runner.run("check").status == 0
        (project / "src" / "sample" / "low.py").write_text(BACK, encoding="utf-8")
        done = runner.run("check")
        assert (done.status, done.stderr) == (1, "")
        assert "src/sample/low.py:1:8: error: layers [floors]" in done.stdout


PAGE = pages.read("ci.md")
PRE_COMMIT, GITHUB, GITHUB_SINCE, GITLAB = map(read_yaml, pages.blocks(PAGE, "yaml"))


class TestPage:
    def test_it_names_the_inputs_and_no_others(self) -> None:
        told = pages.first_cells(section(PAGE, "GitHub"))
        assert told == list(ACTION["inputs"])

    def test_the_hook_is_ours(self) -> None:
        (hook,) = yaml.safe_load((command.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        (repository,) = PRE_COMMIT["repos"]
        assert repository["hooks"] == [{"id": hook["id"]}]

    @pytest.mark.parametrize("workflow", [GITHUB, GITHUB_SINCE], ids=["short", "since"])
    def test_a_workflow_gives_inputs_that_there_are(self, workflow: dict[str, Any]) -> None:
        (step,) = (
            one for one in workflow["jobs"]["layercheck"]["steps"] if one["uses"].startswith("example/layercheck@")
        )
        assert set(step.get("with", {})) <= set(ACTION["inputs"])

    def test_what_the_action_is_given_works(self, project: Path) -> None:
        inputs = GITHUB_SINCE["jobs"]["layercheck"]["steps"][1]["with"]
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(project)]
        for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["branch", "origin/main"]):
            subprocess.run([*git, *step], check=True)
        given = {name: text.replace("${{ github.base_ref }}", "main") for name, text in inputs.items()}
        assert check(project, **given).status == 0
        (project / "src" / "sample" / "low.py").write_text(BACK, encoding="utf-8")
        assert check(project, **given).status == 1
        log = json.loads((project / GITHUB_SINCE["jobs"]["layercheck"]["steps"][2]["with"]["sarif_file"]).read_text())
        assert {one["ruleId"] for one in log["runs"][0]["results"] if one["level"] == "error"} == {"floors"}

    @pytest.mark.parametrize(("low", "status"), [("here = 1\n", 0), (BACK, 1)], ids=["clean", "wrong"])
    def test_the_job_for_gitlab(self, project: Path, programs: Path, low: str, status: int) -> None:
        (project / "src" / "sample" / "low.py").write_text(low, encoding="utf-8")
        job = GITLAB["layercheck"]
        env = {name: text.replace("$CI_PROJECT_DIR", str(project)) for name, text in job["variables"].items()}
        done = run_shell("\n".join(job["script"]), project, env)
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")
        assert re.fullmatch(r"-m pip install --quiet git\+https://\S+/layercheck@v0\.1\.0", calls(programs)[0])
        found = json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text(encoding="utf-8"))
        assert [one["check_name"] for one in found if one["severity"] == "major"] == ["floors"] * status
        (kept,) = job["cache"]["paths"]
        assert (project / kept).is_dir()

    @pytest.mark.parametrize(("low", "status"), [("here = 1\n", 0), (BACK, 1)], ids=["clean", "wrong"])
    def test_the_script_for_any_other(self, project: Path, programs: Path, low: str, status: int) -> None:
        (project / "src" / "sample" / "low.py").write_text(low, encoding="utf-8")
        (script,) = pages.blocks(PAGE, "sh")
        for _ in range(2):
            done = run_shell(script, project, {})
            assert (done.returncode, done.stdout, done.stderr) == (status, "", "")
        assert JUnitXml.fromfile(str(project / "layercheck.xml")).failures == status
        assert (project / ".cache" / "layercheck").is_dir()

    def test_the_files_of_the_cache(self, project: Path, tmp_path: Path) -> None:
        command.layercheck("check", project, cache=tmp_path / "kept")
        (folder,) = (tmp_path / "kept").iterdir()
        told = {name for name in pages.first_cells(section(PAGE, "The cache")) if "." in name}
        assert {path.name for path in folder.iterdir()} == told


def run_shell(script: str, cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )


@pytest.mark.corpus
class TestSchemas:
    """The published schemas, as the package check-jsonschema carries them."""

    @pytest.mark.parametrize(
        ("schema", "text"),
        [
            ("vendor.github-actions", ACTION_TEXT),
            ("vendor.github-workflows", pages.blocks(PAGE, "yaml")[1]),
            ("vendor.github-workflows", pages.blocks(PAGE, "yaml")[2]),
            ("vendor.gitlab-ci", pages.blocks(PAGE, "yaml")[3]),
        ],
        ids=["action", "workflow", "workflow-since", "gitlab"],
    )
    def test_a_file_keeps_to_its_schema(self, tmp_path: Path, schema: str, text: str) -> None:
        try:
            commands = tools.tool("check-jsonschema", CHECK_JSONSCHEMA)
        except corpus.UnavailableError as error:
            pytest.skip(str(error))
        (tmp_path / "right.yml").write_text(text, encoding="utf-8")
        (tmp_path / "wrong.yml").write_text(
            text.replace("script:", "skript:").replace("runs", "rums"), encoding="utf-8"
        )
        for name, status in (("right.yml", 0), ("wrong.yml", 1)):
            program = [str(commands / "check-jsonschema"), "--builtin-schema", schema, str(tmp_path / name)]
            done = subprocess.run(program, capture_output=True, text=True, check=False)
            assert done.returncode == status, done.stdout + done.stderr
