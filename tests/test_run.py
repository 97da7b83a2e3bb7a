"""One run from folder to report: selection, severities, fingerprints, caches and workers."""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
from concurrent.futures.process import BrokenProcessPool
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from layercheck.checks import all_checks
from layercheck.config import default_config, read_config
from layercheck.errors import LayercheckError
from layercheck.finding import Finding, Report
from layercheck.report import FORMATS, renderer
from layercheck.run import CheckRequest, Selection, check
from layercheck.run.judgement import Judgement, judge
from layercheck.run.workers import default_jobs, gather
from tests.tree import RULES, TODAY, build_project, parse_tree, write_tree

TREE = """
# file: a/__init__.py
# file: a/b.py
import a.gone
import os
x = 1
# file: a/c.py
import a.d
import re
x = 1
# file: a/d.py
import a.c
import re
x = 1
# file: tests/test_a.py
import a.gone
"""


def places(findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    return [(one.check, one.severity, f"{one.problem.location.path}:{one.problem.location.line}") for one in findings]


def judged(text: str, **selection: Any) -> Judgement:
    files = parse_tree(text).files
    config = read_config(files[RULES], RULES) if RULES in files else default_config()
    return judge(build_project(files, config), config, TODAY, Selection(**selection))


def with_rules(text: str) -> str:
    return f"# file: {RULES}\n{text}\n{TREE.strip()}\n"


UNDECLARED = [
    ("broken-imports", "error", "a/b.py:1"),
    ("orphaned-imports", "warning", "a/b.py:2"),
    ("cycles", "warning", "a/c.py:1"),
    ("orphaned-imports", "warning", "a/c.py:2"),
    ("orphaned-imports", "warning", "a/d.py:2"),
    ("broken-imports", "warning", "tests/test_a.py:1"),
]


class TestSeverity:
    def test_with_no_rules_file(self) -> None:
        assert places(judged(TREE).findings) == UNDECLARED

    def test_a_rules_file_that_names_no_check_changes_nothing(self) -> None:
        assert places(judged(with_rules("[project]\napi = ['a']")).findings) == UNDECLARED

    def test_declared(self) -> None:
        found = judged(with_rules("[checks]\nbroken-imports = {}\ncycles = 'error'\norphaned-imports = 'off'")).findings
        assert places(found) == [
            ("broken-imports", "error", "a/b.py:1"),
            ("cycles", "error", "a/c.py:1"),
            ("broken-imports", "error", "tests/test_a.py:1"),
        ]

    def test_what_is_off_is_said(self) -> None:
        rules = judged(with_rules("[checks]\ncycles = 'off'")).rules
        assert {rule.name: rule.severity for rule in rules}["cycles"] == "off"

    def test_a_rule_never_raises_what_a_problem_caps(self) -> None:
        tree = "# file: a/__init__.py\ntry:\n    import a.gone\nexcept ImportError:\n    a = None\n"
        assert [one.severity for one in judged(tree).findings if one.check == "broken-imports"] == ["warning"]

    def test_the_rules_help_replaces_that_of_the_check(self) -> None:
        found = judged(with_rules("[checks]\ncycles = { help = 'ask Ann' }"), select=("cycles",)).findings
        assert [one.problem.help for one in found] == ["ask Ann"]


class TestSelection:
    def test_by_check(self) -> None:
        assert {one.check for one in judged(TREE, select=("cycles",)).findings} == {"cycles"}

    def test_by_rule(self) -> None:
        rule = "[[rule]]\nname = 'rings'\ncheck = 'cycles'\nreason = 'x'"
        found = judged(with_rules(rule), select=("rings",))
        assert [(one.rule, one.check) for one in found.findings] == [("rings", "cycles")]
        both = judged(with_rules(rule), select=("cycles",))
        assert sorted(one.rule for one in both.findings) == ["cycles", "rings"]

    def test_ignored(self) -> None:
        found = judged(TREE, ignore=("cycles", "orphaned-imports")).findings
        assert {one.check for one in found} == {"broken-imports"}

    def test_a_check_that_is_off_runs_when_it_is_named(self) -> None:
        rules = {rule.name: rule.severity for rule in judged(TREE, select=("indirect-imports",)).rules}
        assert rules["indirect-imports"] == "warning"

    def test_a_declared_check_that_is_off_is_told_once_when_it_is_named(self) -> None:
        rules = judged(with_rules("[checks]\ncycles = 'off'"), select=("cycles",)).rules
        assert [(rule.name, rule.severity) for rule in rules if rule.name == "cycles"] == [("cycles", "error")]

    def test_files_that_cannot_be_read_are_told_whatever_is_selected(self) -> None:
        tree = f"{TREE}# file: a/e.py\n(\n"
        assert {one.check for one in judged(tree, select=("cycles",)).findings} == {"cycles", "unreadable-files"}
        without = judged(tree, select=("cycles",), ignore=("unreadable-files",)).findings
        assert {one.check for one in without} == {"cycles"}

    def test_by_package(self) -> None:
        tree = f"{TREE}# file: a/e/__init__.py\n# file: a/e/f.py\nimport a.gone\n# file: a/ef.py\nimport a.gone\n"
        assert places(judged(tree, packages=("a.e",)).findings) == [("broken-imports", "error", "a/e/f.py:1")]
        both = judged(tree, packages=("a.e", "a.b"), select=("broken-imports",)).findings
        assert [one.problem.location.path for one in both] == ["a/b.py", "a/e/f.py"]

    def test_a_package_filters_findings_and_never_facts(self) -> None:
        (ring,) = judged(TREE, packages=("a.c",), select=("cycles",)).findings
        assert ring == next(one for one in judged(TREE).findings if one.check == "cycles")

    def test_a_ring_is_shown_for_each_of_its_modules(self) -> None:
        for package in ("a.c", "a.d"):
            assert "cycles" in {one.check for one in judged(TREE, packages=(package,)).findings}

    @pytest.mark.parametrize(("package", "found"), [("p.low.a", 1), ("p.low.b", 1), ("p.mid", 2), ("p.other", 0)])
    @pytest.mark.parametrize("to", ["torch", "p.high"])
    def test_a_chain_is_shown_for_each_module_that_it_runs_through(self, package: str, found: int, to: str) -> None:
        rule = "[[rule]]\nname = 'r'\ncheck = 'forbidden-imports'\nreason = 'x'\nfrom = ['p.low']\n"
        tree = f"""# file: layercheck.toml
{rule}to = ['{to}']
reach = 'transitive'
# file: p/__init__.py
# file: p/high.py
# file: p/mid.py
import {to}
# file: p/other.py
# file: p/low/__init__.py
# file: p/low/a.py
import p.mid
# file: p/low/b.py
import p.low.a, p.mid
"""
        assert len(judged(tree, packages=(package,), select=("r",)).findings) == found

    @pytest.mark.parametrize(
        ("selection", "told"),
        [
            ({"select": ("cycels",)}, "--select: no check or rule is called 'cycels'; did you mean 'cycles'?"),
            ({"ignore": ("zzz",)}, "--ignore: no check or rule is called 'zzz'; the checks are broken-imports, "),
            ({"select": ("layers",)}, "--select: no rule uses layers"),
            ({"select": ("cycles",), "ignore": ("cycles",)}, "--select and --ignore: no check is left that would look"),
            (
                {"ignore": tuple(name for name in all_checks() if name != "unreadable-files")},
                "--ignore: no check is left that would look at the code",
            ),
            ({"packages": ("a.bb",)}, "--package: no package or module is called 'a.bb'; did you mean a.b?"),
            ({"packages": ("zzz",)}, "--package: no package or module is called 'zzz'; give the dotted name"),
        ],
    )
    def test_what_is_not_there(self, selection: dict[str, tuple[str, ...]], told: str) -> None:
        with pytest.raises(LayercheckError) as caught:
            judged(TREE, **selection)
        (line,) = caught.value.lines
        assert line.startswith(told)

    def test_a_rules_file_that_turns_everything_off(self) -> None:
        off = "\n".join(f"{name} = 'off'" for name, check in all_checks().items() if check.undeclared)
        with pytest.raises(LayercheckError, match="every check is off, so nothing would be checked"):
            judged(with_rules(f"[checks]\n{off}"))
        assert judged(TREE, select=("rules-file",)).findings == ()


class TestFingerprint:
    def test_other_lines_do_not_change_it(self) -> None:
        moved = TREE.replace("import a.gone", "\n# more\n\nimport a.gone").replace("import a.d", "\n\nimport a.d")
        before = {one.fingerprint for one in judged(TREE).findings}
        assert len(before) == len(UNDECLARED)
        assert {one.fingerprint for one in judged(moved).findings} == before

    def test_equals_are_told_apart(self) -> None:
        tree = "# file: a/__init__.py\n" + "import a.gone\n" * 3
        prints = [one.fingerprint for one in judged(tree, select=("broken-imports",)).findings]
        assert len(prints) == len(set(prints)) == 3

    def test_severity_does_not_change_it(self) -> None:
        def rings(severity: str) -> list[str]:
            found = judged(with_rules(f"[checks]\ncycles = '{severity}'"), select=("cycles",)).findings
            return [one.fingerprint for one in found]

        assert rings("error") == rings("warning") != []

    def test_a_filter_does_not_change_it(self) -> None:
        tree = "# file: a/__init__.py\n# file: a/b.py\nimport a.gone\nimport a.gone\n# file: a/c.py\nimport a.gone\n"
        whole = {one.fingerprint for one in judged(tree, select=("broken-imports",)).findings}
        part = {one.fingerprint for one in judged(tree, select=("broken-imports",), packages=("a.b",)).findings}
        assert part < whole


class TestCoverage:
    def test_broken_imports_counts_every_import_that_is_written(self) -> None:
        tree = "# file: a/__init__.py\n# file: a/b.py\nimport a.gone\nfrom a import c, d\nimport os\n# file: a/c.py\n"
        (rule,) = (one for one in judged(tree).rules if one.check == "broken-imports")
        assert (rule.modules, rule.imports) == (3, 4)

    def test_each_rule_says_what_it_looked_at(self) -> None:
        rules = {rule.name: rule for rule in judged(TREE).rules}
        assert rules["broken-imports"].modules == 4
        assert rules["broken-imports"].imports
        assert rules["broken-imports"].findings == 2
        ran = len([rule for rule in rules.values() if rule.severity != "off"])
        assert rules["rules-file"].noun == f"{ran} checks without a rules file"

    def test_a_rule_that_is_wrong_against_the_code_hides_no_other_finding(self) -> None:
        rule = "[[rule]]\nname = 'r'\ncheck = 'layers'\nreason = 'x'\nwithin = 'a'\norder = ['b', 'zz']"
        found = places(judged(with_rules(rule)).findings)
        assert [one for one in found if one[0] != "rules-file"] == UNDECLARED
        assert [one for one in found if one[0] == "rules-file"] == [("rules-file", "error", "layercheck.toml:6")]


def big(folder: Path, modules: int = 120) -> Path:
    files = "".join(
        f"# file: a/m{index}.py\nimport a.m{(index * 7 + 1) % modules}\nimport os\nimport a.gone{index}\nx = {index}\n"
        for index in range(modules)
    )
    return write_tree(folder, f"# file: a/__init__.py\n{files}# file: a/broken.py\n(\n")


def rendered(report: Report) -> str:
    stats = msgspec.structs.replace(report.stats, seconds=0, cached=0)
    return renderer("json")(msgspec.structs.replace(report, stats=stats))


class TestWorkers:
    def test_one_or_many_give_the_same_bytes(self, tmp_path: Path) -> None:
        big(tmp_path)
        one = rendered(check(CheckRequest(tmp_path, jobs=1, cache=False)))
        assert one.count('"check": "broken-imports"') > 100
        assert rendered(check(CheckRequest(tmp_path, jobs=3, cache=False))) == one

    @pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
    def test_any_way_to_start_a_process(self, tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
        big(tmp_path)
        monkeypatch.setattr(multiprocessing, "get_start_method", lambda allow_none: method)
        paths = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.py"))
        assert gather(tmp_path, paths, jobs=2).facts == gather(tmp_path, paths, jobs=1).facts

    def test_texts_that_are_no_utf_8_come_from_workers_too(self, tmp_path: Path) -> None:
        odd = f"from a import m1\n__all__ = ['{chr(92)}ud800', '{chr(92)}udce9']\n"
        write_tree(tmp_path, "# file: a/__init__.py\n" + "".join(f"# file: a/m{i}.py\n{odd}" for i in range(70)))
        if sys.platform == "linux":
            Path(os.fsdecode(os.fsencode(tmp_path) + b"/a/caf\xe9.py")).write_text("(")
        one, two = (check(CheckRequest(tmp_path, jobs=jobs, cache=False)).findings for jobs in (1, 2))
        assert one == two
        assert "\ud800" in {finding.problem.name for finding in one}
        assert all(renderer(format_)(check(CheckRequest(tmp_path, jobs=1, cache=False))) for format_ in FORMATS)

    def test_a_worker_that_dies_is_told_in_one_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        big(tmp_path)

        class Broken:
            def __init__(self, *_: object, **__: object) -> None: ...

            def submit(self, *_: object) -> None:
                raise BrokenProcessPool

            def shutdown(self, **_: object) -> None: ...

        monkeypatch.setattr("layercheck.run.pool.ProcessPoolExecutor", Broken)
        with pytest.raises(LayercheckError, match="lower --jobs"):
            check(CheckRequest(tmp_path, jobs=2, cache=False))

    def test_progress_goes_up_to_the_end(self, tmp_path: Path) -> None:
        big(tmp_path)
        seen: list[tuple[int, int]] = []
        check(CheckRequest(tmp_path, jobs=2, cache=False), lambda done, total: seen.append((done, total)))
        assert seen == sorted(seen)
        assert seen[0] == (0, 122)
        assert seen[-1] == (122, 122)

    def test_an_interrupt_leaves_no_worker_behind(self, tmp_path: Path) -> None:
        big(tmp_path)

        def interrupt(done: int, total: int) -> None:
            if done:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            check(CheckRequest(tmp_path, jobs=2, cache=False), interrupt)
        for worker in multiprocessing.active_children():
            worker.join(20)
        assert multiprocessing.active_children() == []


class TestCache:
    def test_a_second_run_says_the_same(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path / "cache"))
        root = big(tmp_path / "code", 70)
        cold, warm = check(CheckRequest(root)), check(CheckRequest(root))
        assert (cold.stats.cached, warm.stats.cached) == (0, 72)
        assert rendered(cold) == rendered(warm)
        (root / "a" / "m1.py").write_text("import os\n")
        changed = check(CheckRequest(root))
        assert changed.stats.cached == 71
        assert rendered(changed) == rendered(check(CheckRequest(root, cache=False)))

    def test_without_it_nothing_is_kept(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path / "cache"))
        check(CheckRequest(write_tree(tmp_path / "code", TREE), cache=False))
        assert not (tmp_path / "cache").exists()


def test_the_order_of_files_does_not_matter() -> None:
    files = dict(parse_tree(TREE).files)
    expected = judge(build_project(files), default_config(), TODAY)
    shuffled = list(files.items())
    for seed in range(5):
        random.Random(seed).shuffle(shuffled)
        assert judge(build_project(dict(shuffled)), default_config(), TODAY) == expected


class TestRoot:
    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(LayercheckError, match="nowhere: there is no such folder"):
            check(CheckRequest(tmp_path / "nowhere"))

    def test_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "x.py").write_text("")
        with pytest.raises(LayercheckError, match=r"x\.py: is a file; give the folder"):
            check(CheckRequest(tmp_path / "x.py"))

    def test_a_folder_without_python_files(self, tmp_path: Path) -> None:
        (tmp_path / "README").write_text("")
        with pytest.raises(LayercheckError, match="no Python files to check"):
            check(CheckRequest(tmp_path, cache=False))

    def test_a_folder_of_which_everything_is_left_out(self, tmp_path: Path) -> None:
        write_tree(tmp_path, f"# file: {RULES}\n[project]\nexclude = ['a']\n# file: a/__init__.py\n")
        with pytest.raises(LayercheckError, match="no Python files to check; what is there is compiled, excluded"):
            check(CheckRequest(tmp_path, cache=False))

    def test_rules_from_above_hold_and_that_is_said(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        write_tree(tmp_path, with_rules("[checks]\ncycles = 'error'").replace("# file: a/", "# file: src/a/"))
        report = check(CheckRequest(tmp_path / "src", cache=False))
        assert ("cycles", "error", "a/c.py:1") in places(report.findings)
        assert "Only src/ was read; the rules are those of ../layercheck.toml." in report.notes

    def test_a_finding_about_rules_above_says_where_they_are(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        write_tree(tmp_path, with_rules("[project]\napi = ['zzz']").replace("# file: a/", "# file: src/a/"))
        report = check(CheckRequest(tmp_path / "src", cache=False))
        assert ("rules-file", "error", "../layercheck.toml:2") in places(report.findings)

    def test_paths_that_lead_out_are_told(self, tmp_path: Path) -> None:
        rules = "[project]\nconsumers = ['/scripts']\nexclude = ['../x', 'a/../..']\nvendored = ['..']\n"
        report = check(CheckRequest(write_tree(tmp_path, with_rules(rules)), cache=False))
        told = [one.problem.message for one in report.findings if one.check == "rules-file"]
        assert told == [
            f"project: {key}: {path} leads out of the root of the run, where nothing is read"
            for key, path in (
                ("consumers[0]", "/scripts"),
                ("exclude[0]", "../x"),
                ("exclude[1]", "a/../.."),
                ("vendored[0]", ".."),
            )
        ]
        assert ("broken-imports", "error", "a/b.py:1") in places(report.findings)

    @pytest.mark.parametrize("root", ["/abs", "../x", "..", "a/../../y"])
    def test_a_root_that_leads_out_stops_the_run(self, tmp_path: Path, root: str) -> None:
        write_tree(tmp_path, with_rules(f"[project]\nroots = ['.', '{root}']"))
        with pytest.raises(LayercheckError) as caught:
            check(CheckRequest(tmp_path, cache=False))
        assert caught.value.lines == (
            f"layercheck.toml:2: project.roots[1]: {root!r} leads out of the root of the run; name a folder below it",
        )

    def test_with_no_rules_file_that_is_said(self, tmp_path: Path) -> None:
        report = check(CheckRequest(write_tree(tmp_path, TREE), cache=False))
        assert "No rules file: only the checks that need none ran." in report.notes


@pytest.mark.parametrize(
    ("rules", "told"), [("cycles = 'off'", True), ("stale-reexports = 'off'", False), ("[project]\napi = ['a']", False)]
)
def test_that_naming_the_api_would_show_more(tmp_path: Path, rules: str, told: bool) -> None:
    write_tree(tmp_path, with_rules(f"[checks]\n{rules}"))
    report = check(CheckRequest(tmp_path, cache=False))
    assert any("[project] api" in hint for hint in report.hints) is told
    assert not any("[project] api" in note for note in report.notes)


def test_today_ends_ignores(tmp_path: Path) -> None:
    entry = "{ import = 'a.c -> a.d', reason = 'x', until = 2030-01-31 }"
    write_tree(tmp_path, with_rules(f"[checks]\ncycles = {{ ignore = [{entry}] }}"))
    on_time, late = (
        check(CheckRequest(tmp_path, cache=False, today=today, selection=Selection(select=("cycles",))))
        for today in (date(2030, 1, 31), date(2030, 2, 1))
    )
    assert places(on_time.findings) == []
    assert places(late.findings) == [("cycles", "error", "a/c.py:1"), ("rules-file", "error", "layercheck.toml:2")]


def test_jobs_are_the_processors_there_are() -> None:
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)
