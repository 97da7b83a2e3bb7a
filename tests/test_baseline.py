"""The baseline: what is known does not fail, what is no longer true does, and a file that is none is refused."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.baseline import Baseline, Entry, entry_of, known_as, parse, render, updated
from layercheck.config import default_config
from layercheck.errors import LayercheckError
from layercheck.finding import Finding, Location, Problem, fingerprint
from layercheck.run.judgement import judge
from tests import corpus
from tests.test_cli import Done, layercheck
from tests.test_starter import trees
from tests.tree import RULES, TODAY, build_project, write_tree

TREE = f"""
# file: {RULES}
[checks]
orphaned-imports = "error"
cycles = "error"
[[rule]]
name = "no-os"
check = "forbidden-imports"
reason = "x"
from = ["a"]
to = ["os"]
# file: a/__init__.py
# file: a/b.py
import a.c
import os
import re
x = 1
# file: a/c.py
import a.d
x = 1
# file: a/d.py
import a.b
import os
import os as system
x = 1
"""

texts = st.text(max_size=12)
entries = st.builds(
    Entry,
    rule=texts.filter(bool),
    of=st.lists(texts, max_size=3).map(tuple),
    check=texts.filter(bool),
    fingerprint=texts.filter(bool),
    reason=texts,
)


def refusal(text: str) -> tuple[str, ...]:
    """Why a text is refused; nothing where it is read."""
    try:
        parse(text, "b")
    except LayercheckError as error:
        return error.lines
    return ()


class TestText:
    @given(st.lists(entries, unique_by=lambda entry: entry.fingerprint, max_size=6), st.randoms())
    def test_what_is_written_is_read_and_in_one_order(self, known: list[Entry], order: random.Random) -> None:
        text = render(known)
        assert text.isascii()
        assert text.count("\n") == 1 + len(known)
        read = parse(text, "b").entries
        assert {replace(entry, line=0) for entry in read} == set(known)
        assert [entry.line for entry in read] == list(range(2, 2 + len(known)))
        shuffled = list(known)
        order.shuffle(shuffled)
        assert render(shuffled) == render(read) == text

    @given(st.text())
    def test_any_text_is_read_or_refused_in_one_line_each(self, text: str) -> None:
        assert all(line.startswith("b:") and "\n" not in line for line in refusal(text))
        assert all(
            line.startswith("b:") and "\n" not in line for line in refusal('{"layercheck-baseline": 1}\n' + text)
        )

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("", "b:1: is no baseline of layercheck; move the file away"),
            ("[]", "b:1: is no baseline"),
            ('{"layercheck-baseline": true}', "b:1: is no baseline"),
            ('{"layercheck-baseline": 0}', "b:1: is no baseline"),
            ('{"layercheck-baseline": 2}\nanything', "b:1: is a baseline of version 2, and this layercheck knows 1"),
            ('{"layercheck-baseline": 1}\n{"rule": "x"}', "b:2: is no entry of a baseline; take the line out, or"),
            ('{"layercheck-baseline": 1}\n\n[1]', "b:3: is no entry"),
            ('{"layercheck-baseline": 1}\n{"rule": "x", "check": "y", "fingerprint": 3}', "b:2: is no entry"),
            ('{"layercheck-baseline": 1}\n<<<<<<< main\n', "b:2: a merge conflict: keep the entries of both sides"),
            ('<<<<<<< main\n{"layercheck-baseline": 1}\n', "b:1: a merge conflict"),
            ('{"layercheck-baseline": 1}\n' + "[" * 100_000, "b:2: is no entry"),
        ],
    )
    def test_what_is_refused(self, text: str, line: str) -> None:
        with pytest.raises(LayercheckError) as caught:
            parse(text, "b")
        assert len(caught.value.lines) == 1
        assert caught.value.lines[0].startswith(line)

    def test_every_line_that_is_no_entry_is_told(self) -> None:
        with pytest.raises(LayercheckError) as caught:
            parse('{"layercheck-baseline": 1}\nx\ny\n', "b")
        assert [line.partition(": ")[0] for line in caught.value.lines] == ["b:2", "b:3"]

    def test_of_two_entries_for_one_finding_the_first_counts(self) -> None:
        first, second = (Entry("r", (), "c", "f", reason) for reason in ("first", "second"))
        header, one, other = render([first]).split("\n")[0], *(render([e]).split("\n")[1] for e in (first, second))
        assert [entry.reason for entry in parse("\n".join([header, one, other]), "b").entries] == ["first"]

    def test_paths_that_are_not_utf8_are_portable(self) -> None:
        entry = entry_of(_finding(importer="tests/\udcff.py"))
        assert parse(render([entry]), "b").entries[0].of == ("tests/\udcff.py",)

    def test_a_ring_is_known_by_all_of_its_modules(self) -> None:
        modules = tuple(f"a.m{index}" for index in range(400))
        assert entry_of(_finding(key=modules)).of == modules

    def test_what_is_left_of_a_ring_keeps_its_reason(self) -> None:
        large, larger = (replace(entry_of(_ring(text)), reason=text) for text in ("abc", "abcd"))
        for left, reason in (("ab", "abc"), ("ad", "abcd"), ("abc", "abc"), ("ae", "")):
            assert [entry.reason for entry in updated([larger, large], [_ring(left)])] == [reason]

    def test_what_is_no_ring_is_not_within_another(self) -> None:
        assert known_as([entry_of(_finding(key=("a", "b")))], [_finding(key=("a",))]) == {}
        assert known_as([replace(entry_of(_ring("abc")), rule="other")], [_ring("ab")]) == {}

    def test_reasons_stay_with_their_finding(self) -> None:
        kept, new = _finding(importer="a"), _finding(importer="b")
        before = [replace(entry_of(kept), reason="soon"), Entry("r", (), "c", "gone", "lost")]
        assert [(entry.of, entry.reason) for entry in updated(before, [kept, new])] == [(("a",), "soon"), (("b",), "")]


def _finding(importer: str | None = None, key: tuple[str, ...] = ()) -> Finding:
    problem = Problem(message="m", location=Location("p.py"), importer=importer, key=key)
    return Finding(
        rule="r", check="c", severity="error", problem=problem, fingerprint=fingerprint("c", "r", problem, 0)
    )


def _ring(modules: str) -> Finding:
    finding = _finding(key=tuple(modules))
    return msgspec.structs.replace(finding, problem=msgspec.structs.replace(finding.problem, ring=tuple(modules)))


@settings(deadline=None, max_examples=40)
@given(trees(), st.randoms())
def test_of_whatever_is_found_what_the_baseline_lacks_is_new(files: dict[str, str], order: random.Random) -> None:
    project, config = build_project(files), default_config()
    everything = judge(project, config, TODAY).findings
    known = [one for one in everything if order.random() < 0.5]
    entries = parse(render(updated((), known)), "b").entries
    gone = Entry("cycles", ("gone", "lost"), "cycles", "0" * 20, line=1)
    judgement = judge(project, config, TODAY, baseline=Baseline("b", (*entries, gone)))
    told = [one for one in judgement.findings if one.check != "rules-file" or one.problem.location.path != "b"]
    assert told == [one for one in everything if one not in known]
    assert (judgement.known, judgement.gone) == (len(known), (gone,))
    assert judgement.findings != tuple(told)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path, TREE)


def baseline(command: str, root: Path, *arguments: str | Path) -> Done:
    return layercheck("baseline", command, root, "--baseline", root / "known.jsonl", *arguments)


def check(root: Path, *arguments: str | Path) -> Done:
    return layercheck("check", root, "--baseline", root / "known.jsonl", *arguments)


def lines(root: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (root / "known.jsonl").read_text().splitlines()[1:]]


def give_reasons(root: Path) -> None:
    text = (root / "known.jsonl").read_text()
    (root / "known.jsonl").write_text(text.replace('"reason": ""', '"reason": "in June"'))


class TestCommands:
    def test_what_is_written_is_known(self, tree: Path) -> None:
        assert layercheck("check", tree).status == 1
        done = baseline("write", tree)
        assert (done.status, done.stderr) == (0, "")
        assert done.stdout == f"{tree / 'known.jsonl'}: 8 known, 8 new, 0 gone\n"
        assert [(line["rule"], line["of"]) for line in lines(tree)] == [
            ("cycles", ["a.b", "a.c", "a.d"]),
            ("no-os", ["a.b", "os"]),
            ("no-os", ["a.d", "os"]),
            ("no-os", ["a.d", "os"]),
            ("orphaned-imports", ["a.b", "os"]),
            ("orphaned-imports", ["a.b", "re"]),
            ("orphaned-imports", ["a.d", "os"]),
            ("orphaned-imports", ["a.d", "os"]),
        ]
        before = (tree / "known.jsonl").read_bytes()
        done = check(tree)
        assert (done.status, done.stderr) == (0, "")
        assert "Baseline known.jsonl: 8 known, 0 gone." in done.stdout
        assert "imports: none, 3 known" in done.stdout
        assert (tree / "known.jsonl").read_bytes() == before

    def test_what_is_new_fails_wherever_it_stands(self, tree: Path) -> None:
        baseline("write", tree)
        corpus.replace(tree / "a" / "b.py", "import os as first\n\n\n" + (tree / "a" / "b.py").read_text())
        report = json.loads(check(tree, "--format", "json").stdout)
        assert sorted((one["rule"], one["path"]) for one in report["findings"]) == [
            ("no-os", "a/b.py"),
            ("orphaned-imports", "a/b.py"),
        ]

    def test_known_findings_are_suppressed_and_say_by_what(self, tree: Path) -> None:
        baseline("write", tree)
        give_reasons(tree)
        report = json.loads(check(tree, "--format", "json").stdout)
        assert {(one["by"], one["reason"]) for one in report["suppressed"]} == {("baseline", "in June")}
        assert len(report["suppressed"]) == 8
        assert {rule["name"]: (rule["findings"], rule["suppressed"], rule["known"]) for rule in report["rules"]}[
            "no-os"
        ] == (0, 3, 3)

    def test_what_is_no_longer_true_fails_and_prune_takes_only_that_out(self, tree: Path) -> None:
        baseline("write", tree)
        give_reasons(tree)
        text = (tree / "a" / "d.py").read_text()
        corpus.replace(tree / "a" / "d.py", text.replace("import os as system\n", "import sys\n"))
        report = json.loads(check(tree, "--format", "json").stdout)
        told = sorted((one["check"], one["path"], one["line"]) for one in report["findings"])
        equals = [index for index, line in enumerate(lines(tree), 2) if line["of"] == ["a.d", "os"]]
        assert told[0] == ("orphaned-imports", "a/d.py", 3)
        assert [one[:2] for one in told[1:]] == [("rules-file", "known.jsonl")] * 2
        # One of two equals each: which of them is a matter of their order in the file.
        assert [one[2] in pair for one, pair in zip(told[1:], (equals[:2], equals[2:]), strict=True)] == [True, True]
        assert "Baseline known.jsonl: 6 known, 2 gone." in check(tree).stdout
        done = baseline("prune", tree)
        assert done.stdout == f"{tree / 'known.jsonl'}: 6 known, 0 new, 2 gone\n"
        assert {line["reason"] for line in lines(tree)} == {"in June"}
        report = json.loads(check(tree, "--format", "json").stdout)
        assert [(one["check"], one["path"]) for one in report["findings"]] == [("orphaned-imports", "a/d.py")]

    def test_what_is_left_of_a_known_ring_is_known_and_what_grows_is_not(self, tree: Path) -> None:
        baseline("write", tree)
        give_reasons(tree)
        corpus.replace(tree / "a" / "c.py", "import a.b\nx = 1\n")
        done = check(tree)
        shrunk = "8 known, 0 gone. 1 known ring has shrunk: layercheck baseline write records that."
        assert (done.status, shrunk in " ".join(done.stdout.split())) == (0, True)
        assert baseline("prune", tree).stdout.endswith("8 known, 0 new, 0 gone\n")
        baseline("write", tree)
        assert [(line["of"], line["reason"]) for line in lines(tree)][:1] == [(["a.b", "a.c"], "in June")]
        assert "8 known, 0 gone.\n" in check(tree).stdout
        corpus.replace(tree / "a" / "c.py", "import a.d\nx = 1\n")
        report = json.loads(check(tree, "--format", "json").stdout)
        assert [one["check"] for one in report["findings"]] == ["cycles", "rules-file"]

    def test_a_prune_that_has_nothing_to_take_out_leaves_the_file_alone(self, tree: Path) -> None:
        baseline("write", tree)
        unsorted = (tree / "known.jsonl").read_text().splitlines()
        (tree / "known.jsonl").write_text("\n".join([unsorted[0], *reversed(unsorted[1:])]))
        before = (tree / "known.jsonl").read_bytes()
        assert baseline("prune", tree).status == 0
        assert (tree / "known.jsonl").read_bytes() == before

    def test_a_second_write_keeps_reasons(self, tree: Path) -> None:
        baseline("write", tree)
        give_reasons(tree)
        corpus.replace(tree / "a" / "c.py", "import os\nx = 1\n")
        done = baseline("write", tree)
        assert done.stdout.endswith("9 known, 2 new, 1 gone\n")
        assert sorted(str(line["reason"]) for line in lines(tree)) == ["", "", *["in June"] * 7]

    def test_a_ring_is_known_by_its_modules(self, tree: Path) -> None:
        baseline("write", tree)
        corpus.replace(tree / "a" / "c.py", "\n\nfrom a import d\nimport a.d as again\nx = d, again\n")
        assert json.loads(check(tree, "--select", "cycles", "--format", "json").stdout)["findings"] == []
        corpus.replace(tree / "a" / "c.py", "import a.d\nimport a.e\nx = a\n")
        corpus.replace(tree / "a" / "e.py", "import a.b\nx = a\n")
        found = json.loads(check(tree, "--select", "cycles", "--format", "json").stdout)["findings"]
        assert sorted(one["check"] for one in found) == ["cycles", "rules-file"]


class TestJudged:
    """An entry is judged only where it is known whether it is true."""

    @pytest.fixture
    def mended(self, tree: Path) -> Path:
        baseline("write", tree)
        for path in (tree / "a").glob("*.py"):
            corpus.replace(path, "x = 1\n")
        return tree

    @pytest.mark.parametrize(
        ("options", "gone"),
        [
            ((), 8),
            (("--select", "no-os"), 3),
            (("--select", "cycles,no-os"), 4),
            (("--ignore", "no-os"), 5),
            (("--package", "a.b"), 0),
        ],
    )
    def test_by_what_ran(self, mended: Path, options: tuple[str, ...], gone: int) -> None:
        done = check(mended, *options)
        assert f"0 known, {gone} gone." in done.stdout
        assert done.status == (1 if gone else 0)

    def test_not_where_a_part_was_read(self, mended: Path) -> None:
        (mended / ".git").mkdir()
        done = layercheck("check", mended / "a", "--baseline", mended / "known.jsonl")
        assert "0 known, 0 gone." in done.stdout

    def test_not_where_a_file_cannot_be_read_by_now(self, tree: Path) -> None:
        corpus.replace(tree / "a" / "never.py", "def (\n")
        baseline("write", tree)
        give_reasons(tree)
        corpus.replace(tree / "a" / "b.py", (tree / "a" / "b.py").read_text() + "def (\n")
        before = (tree / "known.jsonl").read_bytes()
        report = json.loads(check(tree, "--format", "json").stdout)
        assert [(one["check"], one["path"]) for one in report["findings"]] == [("unreadable-files", "a/b.py")]
        assert baseline("prune", tree).stdout.endswith("9 known, 0 new, 0 gone\n")
        done = baseline("write", tree)
        assert (done.status, done.stderr) == (
            2,
            "layercheck: a/b.py: cannot be read, so what the baseline knows of it would be lost; mend the file first, "
            f"or move {tree / 'known.jsonl'} away\n",
        )
        assert (tree / "known.jsonl").read_bytes() == before
        rules = (tree / RULES).read_text()
        (tree / RULES).write_text(rules.replace("[checks]", "[checks]\nunreadable-files = 'off'"))
        assert ", 0 gone." in check(tree).stdout
        (tree / RULES).write_text(rules)
        corpus.replace(tree / "a" / "b.py", "x = 1\n")
        corpus.replace(tree / "a" / "never.py", "x = 1\n")
        assert "4 known, 5 gone." in check(tree).stdout

    def test_not_of_a_rule_that_is_off(self, mended: Path) -> None:
        text = (mended / RULES).read_text()
        (mended / RULES).write_text(text + '\nseverity = "off"\n')
        assert "0 known, 5 gone." in check(mended).stdout

    def test_of_a_rule_that_is_there_no_more(self, mended: Path) -> None:
        (mended / RULES).write_text((mended / RULES).read_text().replace("no-os", "renamed"))
        assert "0 known, 8 gone." in check(mended).stdout
        assert "no rule is called so" in " ".join(check(mended).stdout.split())
        assert "0 known, 0 gone." in check(mended, "--select", "renamed").stdout

    def test_faults_of_the_rules_are_known_too(self, tree: Path) -> None:
        (tree / RULES).write_text((tree / RULES).read_text().replace('to = ["os"]', 'to = ["os", "a.gone"]'))
        baseline("write", tree)
        assert "rules-file" in {line["rule"] for line in lines(tree)}
        assert check(tree).status == 0
        assert "gone." in (done := check(tree, "--select", "cycles")).stdout
        assert done.status == 0


class TestFiles:
    def test_no_baseline(self, tree: Path) -> None:
        done = check(tree)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr == (
            f"layercheck: --baseline: there is no file {tree / 'known.jsonl'}; make it with layercheck baseline write\n"
        )
        assert baseline("prune", tree).status == 2

    @pytest.mark.parametrize("run", [check, lambda root: baseline("write", root), lambda root: baseline("prune", root)])
    def test_a_faulty_one_is_refused_and_left_alone(self, tree: Path, run: Callable[[Path], Done]) -> None:
        (tree / "known.jsonl").write_text('{"layercheck-baseline": 99}\n')
        done = run(tree)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.startswith("layercheck: known.jsonl:1: is a baseline of version 99")
        assert (tree / "known.jsonl").read_text() == '{"layercheck-baseline": 99}\n'

    @pytest.mark.parametrize("content", ["", "junk"])
    def test_what_to_do_about_one_that_is_none_can_be_done(self, tree: Path, content: str) -> None:
        (tree / "known.jsonl").write_text(content)
        for run in (check, lambda root: baseline("write", root), lambda root: baseline("prune", root)):
            assert run(tree).stderr == (
                "layercheck: known.jsonl:1: is no baseline of layercheck; "
                "move the file away and run layercheck baseline write\n"
            )
        (tree / "known.jsonl").rename(tree / "away")
        assert baseline("write", tree).status == 0

    def test_where_it_cannot_be_written(self, tree: Path) -> None:
        done = layercheck("baseline", "write", tree, "--baseline", tree / "gone" / "x")
        assert done.stderr == f"layercheck: --baseline: there is no folder {tree / 'gone'}\n"
        done = layercheck("baseline", "write", tree, "--baseline", tree / "a")
        assert done.stderr.endswith("is a folder; give the name of a file\n")

    @pytest.mark.skipif(os.name == "nt", reason="needs POSIX modes")
    def test_it_keeps_its_mode_and_a_link_stays_one(self, tree: Path) -> None:
        (tree / "kept").mkdir()
        (tree / "kept" / "real.jsonl").write_text(render([]))
        (tree / "kept" / "real.jsonl").chmod(0o664)
        (tree / "known.jsonl").symlink_to(tree / "kept" / "real.jsonl")
        assert baseline("write", tree).status == 0
        assert (tree / "known.jsonl").is_symlink()
        assert len(lines(tree)) == 8
        assert (tree / "kept" / "real.jsonl").stat().st_mode & 0o777 == 0o664
        assert [path.name for path in (tree / "kept").iterdir()] == ["real.jsonl"]
