"""``layercheck.testing.assert_clean`` in the tests of others: what passes, what fails and what is said then."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import layercheck
from layercheck.testing import assert_clean
from tests import command, pages
from tests.tree import write_tree

SHOP = """
# file: pyproject.toml
[project]
name = "shop"
version = "1"
# file: layercheck.toml
[[rule]]
name = "floors"
check = "layers"
reason = "money is counted everywhere and knows nobody"
within = "shop"
order = ["orders", "money"]
# file: strict.toml
[checks]
orphaned-imports = "error"
# file: layercheck-baseline.jsonl
{"layercheck-baseline": 1}
# file: src/shop/__init__.py
# file: src/shop/orders.py
def late(): ...
# file: src/shop/money.py
def count(): ...
"""
BACK = "from shop.orders import late\n\n\ndef count(): late()\n"
"""A money module that imports back."""
UNUSED = "import re\n\n\ndef count(): ...\n"


@pytest.fixture(autouse=True)
def _apart(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def shop(folder: Path, money: str = "") -> Path:
    """The sample project, with another money module if one is given."""
    write_tree(folder, SHOP)
    if money:
        (folder / "src" / "shop" / "money.py").write_text(money, encoding="utf-8")
    return folder


class TestAssertClean:
    def test_a_clean_project_passes_and_gives_its_report(self, tmp_path: Path) -> None:
        report = assert_clean(shop(tmp_path))
        assert (report.status, report.stats.modules) == ("clean", 3)

    def test_a_finding_fails_with_the_report_of_the_command(self, tmp_path: Path) -> None:
        shop(tmp_path, BACK)
        with pytest.raises(AssertionError) as raised:
            assert_clean(tmp_path)
        head, _, text = str(raised.value).partition("\n\n")
        assert head == f"layercheck of {tmp_path.resolve().as_posix()}"
        assert text == command.layercheck("check", tmp_path).stdout
        assert "error: layers [floors]" in text

    def test_warnings_fail_only_if_they_are_to(self, tmp_path: Path) -> None:
        shop(tmp_path, UNUSED)
        (tmp_path / "layercheck.toml").unlink()
        assert assert_clean(tmp_path).status == "warnings"
        with pytest.raises(AssertionError, match="re is imported and not used"):
            assert_clean(tmp_path, fail_on="warning")
        with pytest.raises(AssertionError, match="re is imported and not used"):
            assert_clean(tmp_path, tmp_path / "strict.toml")
        assert_clean(tmp_path, fail_on="warning", ignore="orphaned-imports")

    def test_a_check_that_cannot_be_made_never_passes(self, tmp_path: Path) -> None:
        shop(tmp_path)
        (tmp_path / "layercheck.toml").write_text("floors = 1\n", encoding="utf-8")
        with pytest.raises(layercheck.LayercheckError, match="floors"):
            assert_clean(tmp_path)
        with pytest.raises(layercheck.LayercheckError, match="no such folder"):
            assert_clean(tmp_path / "gone")

    @pytest.mark.parametrize("severity", ["errors", "off", ""])
    def test_a_severity_that_there_is_not(self, tmp_path: Path, severity: str) -> None:
        shop(tmp_path, UNUSED)
        ask = vars(layercheck.testing)["assert_clean"]  # as untyped code calls it
        with pytest.raises(layercheck.LayercheckError, match="is no severity; give 'error' or 'warning'"):
            ask(tmp_path, fail_on=severity)

    def test_its_arguments_are_those_of_check(self) -> None:
        ours, theirs = (inspect.signature(one).parameters for one in (assert_clean, layercheck.check))
        assert set(ours) - set(theirs) == {"fail_on"}
        assert [(one.name, one.kind, one.default) for one in theirs.values()] == [
            (one.name, one.kind, one.default) for one in ours.values() if one.name != "fail_on"
        ]


def page_tests() -> str:
    return "\n\n".join(pages.blocks(pages.read("testing.md"), "python"))


def run_pytest(project: Path, *options: str) -> tuple[int, str]:
    """Status and output of the tests of a project, run as its owners would run them."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=.", *options],
        cwd=project,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


class TestPage:
    """The page's own tests, run in a project that is not installed."""

    def project(self, folder: Path, money: str = "") -> Path:
        shop(folder, money)
        (folder / "tests").mkdir()
        (folder / "tests" / "test_imports.py").write_text(page_tests(), encoding="utf-8")
        return folder

    def test_its_tests_pass_on_a_clean_project(self, tmp_path: Path) -> None:
        status, told = run_pytest(self.project(tmp_path), "tests")
        assert (status, "4 passed" in told) == (0, True), told

    def test_they_run_side_by_side(self, tmp_path: Path) -> None:
        status, told = run_pytest(self.project(tmp_path), "tests", "-n", "2")
        assert (status, "4 passed" in told) == (0, True), told

    def test_a_failure_shows_the_report_and_nothing_of_layercheck(self, tmp_path: Path) -> None:
        (tmp_path / "shop").mkdir()
        project = self.project(tmp_path / "shop", BACK)
        status, told = run_pytest(project, "tests", "-k", "layers")
        assert (status, "1 failed" in told) == (1, True), told
        assert "layercheck/" not in told.replace(str(project), "")
        (shown,) = pages.blocks(pages.read("testing.md"), "text")
        words = re.sub(r"layercheck of \S+", f"layercheck of {project.resolve().as_posix()}", shown)
        assert words in re.sub(r" +$", "", told, flags=re.MULTILINE)

    def test_what_cannot_be_checked_is_told_in_a_line(self, tmp_path: Path) -> None:
        project = self.project(tmp_path)
        (project / "layercheck.toml").write_text("floors = 1\n", encoding="utf-8")
        status, told = run_pytest(project, "tests", "-k", "layers")
        assert status == 1
        (line,) = (line for line in told.splitlines() if line.startswith("E "))
        assert line.startswith("E       layercheck.errors.LayercheckError: layercheck.toml:1: floors: ")
        assert "survey.py" not in told

    def test_it_names_the_argument_that_is_its_own(self) -> None:
        assert pages.first_cells(pages.read("testing.md")) == ["fail_on"]
