"""``layercheck.check``: what Python code is given, from any kind of program, and that the page about it is true."""

from __future__ import annotations

import inspect
import json
import multiprocessing
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import layercheck
from layercheck.finding import Finding, Problem, Report
from layercheck.report import renderer
from tests import command, pages
from tests.test_docs_checks import section
from tests.tree import RULES, write_tree

TREE = f"""
# file: {RULES}
[checks]
orphaned-imports = "warning"
[[rule]]
name = "floors"
check = "layers"
reason = "low knows nobody"
within = "a"
order = ["high", "low"]
# file: a/__init__.py
# file: a/high.py
import os
x = 1
# file: a/low.py
import a.high
x = 1
"""

MANY = "# file: a/__init__.py\n" + "".join(f"# file: a/m{index}.py\nimport a.gone\n" for index in range(120))
"""More files than one process reads when it may have others."""


@pytest.fixture(autouse=True)
def _apart(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def places(report: Report) -> list[tuple[str, str, int]]:
    return [(one.rule, one.problem.location.path, one.problem.location.line) for one in report.findings]


def run_script(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a text as a script of its own, in a folder."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-W", "error", "script.py"], cwd=folder, capture_output=True, text=True, check=False
    )


class TestCheck:
    def test_it_finds_what_the_command_finds(self, tmp_path: Path) -> None:
        write_tree(tmp_path, TREE)
        report = layercheck.check(tmp_path)
        assert places(report) == [("orphaned-imports", "a/high.py", 1), ("floors", "a/low.py", 1)]
        told, said = json.loads(renderer("json")(report)), command.check(tmp_path).report
        assert [one["fingerprint"] for one in told["findings"]] == [one["fingerprint"] for one in said["findings"]]
        assert {**told, "findings": 0, "stats": 0} == {**said, "findings": 0, "stats": 0}

    def test_the_current_folder_unless_said(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(write_tree(tmp_path, TREE))
        assert layercheck.check().root == tmp_path.resolve().as_posix()
        assert places(layercheck.check("a", RULES)) == places(layercheck.check(Path("a"), Path(RULES))) != []

    @pytest.mark.parametrize(
        ("arguments", "rules"),
        [
            ({"select": "floors"}, ["floors"]),
            ({"select": ["floors", "orphaned-imports"]}, ["orphaned-imports", "floors"]),
            ({"ignore": "floors"}, ["orphaned-imports"]),
            ({"packages": ("a.low",)}, ["floors"]),
            ({"packages": "a.high"}, ["orphaned-imports"]),
        ],
    )
    def test_a_narrower_run(self, tmp_path: Path, arguments: dict[str, Any], rules: list[str]) -> None:
        write_tree(tmp_path, TREE)
        assert [one.rule for one in layercheck.check(tmp_path, **arguments).findings] == rules

    def test_a_baseline(self, tmp_path: Path) -> None:
        known = tmp_path / "known.toml"
        assert command.layercheck("baseline", "write", write_tree(tmp_path, TREE), "--baseline", known).status == 0
        report = layercheck.check(tmp_path, baseline=known)
        assert (report.status, len(report.suppressed)) == ("clean", 2)

    def test_since_a_revision(self, tmp_path: Path) -> None:
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(tmp_path)]
        write_tree(tmp_path, TREE)
        for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
            subprocess.run([*git, *step], check=True)
        (tmp_path / "a" / "more.py").write_text("import a.gone\n", encoding="utf-8")
        assert places(layercheck.check(tmp_path, since="HEAD")) == [("broken-imports", "a/more.py", 1)]

    def test_facts_are_kept_unless_told_otherwise(self, tmp_path: Path) -> None:
        write_tree(tmp_path, TREE)
        assert [layercheck.check(tmp_path, cache=kept).stats.cached for kept in (True, True, False)] == [0, 3, 0]

    def test_any_number_of_processes_gives_the_same(self, tmp_path: Path) -> None:
        write_tree(tmp_path, MANY)
        one, two, all_ = (layercheck.check(tmp_path, jobs=jobs, cache=False) for jobs in (1, 2, None))
        assert len(one.findings) == 120
        assert one.findings == two.findings == all_.findings

    def test_nothing_is_printed(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        layercheck.check(write_tree(tmp_path, TREE))
        assert capfd.readouterr() == ("", "")


FAULTS: list[tuple[Callable[[Path], object], str]] = [
    (lambda folder: layercheck.check(folder / "gone"), "there is no such folder"),
    (lambda folder: layercheck.check(str(folder / "a\0b")), "there is no such folder"),
    (lambda folder: layercheck.check(folder / RULES), "is a file; give the folder"),
    (lambda folder: layercheck.check(folder, folder / "gone.toml"), "gone.toml"),
    (lambda folder: layercheck.check(folder, "a\0b"), "null "),
    (lambda folder: layercheck.check(folder, baseline=folder / "gone.toml"), "there is no file"),
    (lambda folder: layercheck.check(folder, baseline="a\0b"), "null "),
    (lambda folder: layercheck.check(folder, select="flors"), "did you mean 'floors'?"),
    (lambda folder: layercheck.check(folder, packages="b"), "no package or module is called 'b'"),
    (lambda folder: layercheck.check(folder, since="gone"), "gone"),
    (lambda folder: layercheck.check(folder, jobs=0), "jobs: 0 is no number of processes"),
]


class TestErrors:
    @pytest.mark.parametrize(("ask", "told"), FAULTS, ids=[told for _, told in FAULTS])
    def test_what_can_be_mended_is_one_line(self, tmp_path: Path, ask: Callable[[Path], object], told: str) -> None:
        write_tree(tmp_path, TREE)
        with pytest.raises(layercheck.LayercheckError) as raised:
            ask(tmp_path)
        (line,) = raised.value.lines
        assert told in line
        assert str(raised.value) == line

    def test_all_faults_of_the_rules_are_told(self, tmp_path: Path) -> None:
        write_tree(tmp_path, f"# file: {RULES}\none = 1\ntwo = 2\n# file: a.py\nx = 1\n")
        with pytest.raises(layercheck.LayercheckError) as raised:
            layercheck.check(tmp_path)
        assert [line.split(":")[1] for line in raised.value.lines] == ["1", "2"]


def _checked(folder: Path) -> int:
    return len(layercheck.check(folder, jobs=2, cache=False).findings)


class TestPrograms:
    """Workers must not run the program that asked once more, nor break what else it does."""

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_script_without_a_guard(self, tmp_path: Path, jobs: int) -> None:
        done = run_script(
            write_tree(tmp_path, MANY),
            "print('once')\nimport layercheck\n"
            f"print(len(layercheck.check('.', jobs={jobs}, cache=False, select='broken-imports').findings))\n",
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "once\n120\n", "")

    @pytest.mark.skipif(sys.platform == "win32", reason="a program from standard input has other quotes there")
    def test_a_script_from_standard_input(self, tmp_path: Path) -> None:
        program = "import layercheck\nprint(len(layercheck.check('.', jobs=2, cache=False).findings))\n"
        done = subprocess.run(
            [sys.executable, "-W", "error"],
            input=program,
            cwd=write_tree(tmp_path, MANY),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "120\n", "")

    def test_a_script_with_workers_of_its_own(self, tmp_path: Path) -> None:
        """Its own processes still find their function in the main module, after layercheck has had workers."""
        program = """
import multiprocessing, sys, threading
import layercheck

def double(number):
    return 2 * number

def check():
    return len(layercheck.check('.', jobs=2, cache=False).findings)

if __name__ == '__main__':
    threads = [threading.Thread(target=check) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.modules['__main__'].__spec__ is None
    with multiprocessing.get_context('spawn').Pool(1) as pool:
        print(pool.map(double, [1, 2]))
        pool.close()
        pool.join()
"""
        done = run_script(write_tree(tmp_path, MANY), program)
        assert (done.returncode, done.stdout, done.stderr) == (0, "[2, 4]\n", "")

    def test_a_worker_that_may_have_no_children(self, tmp_path: Path) -> None:
        write_tree(tmp_path, MANY)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.map(_checked, [tmp_path]) == [120]
            pool.close()
            pool.join()

    @pytest.mark.parametrize(("jobs", "times"), [(1, 12), (2, 4)])
    def test_threads(self, tmp_path: Path, jobs: int, times: int) -> None:
        """Also what holds for all threads, such as Python's warnings, is afterwards as it was."""
        write_tree(tmp_path, MANY)
        layercheck.check(tmp_path)
        interval, filters = sys.getswitchinterval(), list(warnings.filters)
        sys.setswitchinterval(1e-6)
        try:
            with ThreadPoolExecutor(4) as pool:
                found = pool.map(lambda _: layercheck.check(tmp_path, jobs=jobs, cache=False).findings, range(times))
                assert [len(findings) for findings in found] == [120] * times
        finally:
            sys.setswitchinterval(interval)
        assert list(warnings.filters) == filters

    def test_what_is_loaded(self) -> None:
        program = """
import sys
before = set(sys.modules)
import layercheck
loaded = {name.partition('.')[0] for name in set(sys.modules) - before}
assert loaded - sys.stdlib_module_names == {'layercheck'}, loaded
assert 'layercheck.errors' not in sys.modules
assert layercheck.LayercheckError and layercheck.check
assert 'layercheck.api' in sys.modules and 'click' not in sys.modules
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")

    def test_names_that_are_there_and_that_are_not(self) -> None:
        for name in layercheck.__all__:
            assert getattr(layercheck, name) is not None
        wrong = "chekc"
        with pytest.raises(AttributeError, match="'layercheck' has no attribute 'chekc'"):
            getattr(layercheck, wrong)


TYPED = """
from pathlib import Path
from typing import Literal

import layercheck
from layercheck import Finding, LayercheckError, Report, check
from layercheck.testing import assert_clean

report: Report = check(Path("."), "rules.toml", select={"floors"}, ignore="cycles", jobs=None)
status: Literal["clean", "warnings", "findings"] = report.status
findings: tuple[Finding, ...] = report.findings
paths: list[str] = [finding.problem.location.path for finding in findings]
held: Report = assert_clean(root=".", fail_on="warning", since="HEAD")
try:
    layercheck.check()
except LayercheckError as error:
    lines: tuple[str, ...] = error.lines
check(1)  # error
check(".", None, "floors")  # error
check(jobs="2")  # error
assert_clean(fail_on="errors")  # error
report.findings = ()  # error
report.finding  # error
layercheck.chekc()  # error
"""


class TestTypes:
    def test_a_users_script_under_strict_mypy(self, tmp_path: Path) -> None:
        (tmp_path / "script.py").write_text(TYPED, encoding="utf-8")
        options = ["--strict", "--no-error-summary", "--hide-error-context", "--config-file", os.devnull]
        done = subprocess.run(
            [sys.executable, "-m", "mypy", *options, "--cache-dir", str(tmp_path / "kept"), "script.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        wrong = {number for number, line in enumerate(TYPED.splitlines(), 1) if line.endswith("# error")}
        told = [line.split(":") for line in done.stdout.splitlines() if ": note: " not in line]
        assert {(path, int(number)) for path, number, *_ in told} == {("script.py", number) for number in wrong}, (
            done.stdout + done.stderr
        )


class TestPage:
    TEXT = pages.read("api.md")

    def test_its_examples_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "src").mkdir()
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(write_tree(tmp_path, TREE))
        blocks = pages.blocks(self.TEXT, "python")
        assert len(blocks) == 2
        names: dict[str, object] = {}
        for block in blocks:
            exec(block, names)
        first, *_, last = capsys.readouterr().out.splitlines()
        assert first == "a/high.py:1: orphaned-imports: os is imported and not used in a.high"
        assert last.endswith("src: no Python files to check")

    def test_it_names_the_arguments_and_no_others(self) -> None:
        told = pages.first_cells(section(self.TEXT, "layercheck.check"))
        assert told == list(inspect.signature(layercheck.check).parameters)

    def test_it_names_the_fields_and_no_others(self) -> None:
        told = pages.first_cells(section(self.TEXT, "Report"))
        assert sorted(told) == sorted([*Report.__struct_fields__, "status"])
        told = pages.first_cells(section(self.TEXT, "Finding"))
        assert sorted(told) == sorted([*Finding.__struct_fields__, *Problem.__struct_fields__])

    def test_what_it_calls_empty_is_empty(self, tmp_path: Path) -> None:
        report = layercheck.check(write_tree(tmp_path, TREE))
        assert (report.mended, report.unmended, report.pages) == ((), (), {})
        assert {(one.mending, one.problem.fixable) for one in report.findings} == {(None, False)}
