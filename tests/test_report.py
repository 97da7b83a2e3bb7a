"""Every format renders every report, and what each of them promises."""

from __future__ import annotations

import gc
import io
import json
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck import cli
from layercheck.cli import options
from layercheck.finding import (
    Finding,
    LayerPair,
    Location,
    Mending,
    Problem,
    Related,
    Replacement,
    Report,
    RuleSummary,
    Severity,
    Stats,
    Step,
    Suppressed,
)
from layercheck.report import FORMATS, renderer
from layercheck.report.text import render as render_text
from tests.readers import READERS
from tests.test_docs_checks import EXAMPLES
from tests.tree import judge_tree, parse_tree

FULL = Report(
    version="1.2.3",
    root="/home/me/project",
    stats=Stats(modules=2858, consumers=1, imports=31200, unreadable=1, seconds=4.25, cached=7),
    rules=(
        RuleSummary(
            name="pools",
            check="layers",
            severity="error",
            modules=12,
            imports=1,
            findings=1,
            suppressed=3,
            known=2,
            reason="pools stand alone",
            docs="docs/pools.md",
        ),
        RuleSummary(
            name="rules-file",
            check="rules-file",
            severity="error",
            modules=0,
            imports=0,
            findings=1,
            suppressed=0,
            noun="2 rules",
        ),
        RuleSummary(name="cycles", check="cycles", severity="off", modules=0, imports=0, findings=0, suppressed=0),
    ),
    findings=(
        Finding(
            rule="pools",
            check="layers",
            severity="error",
            problem=Problem(
                message="app.pool.red (layer pool.red) imports app.pool.all (layer pool.all), which is above it",
                help="import it from pool.base",
                location=Location("app/pool/red.py", 3, 1, 3, 20),
                importer="app.pool.red",
                imported="app.pool.all",
                name="Pool",
                kind="import-time",
                flags=("conditional",),
                layers=LayerPair("pool.red", "pool.all"),
                chain=(
                    Step("app.pool.red", "app.util", "app/pool/red.py", 3, "import-time"),
                    Step("app.util", "app.pool.all", "app/util.py", 17, "import-time"),
                ),
                related=(Related("app/pool/all.py", 9, "Pool is defined here"),),
            ),
            fingerprint="abc",
            reason="pools stand alone",
            docs="docs/pools.md",
        ),
        Finding(
            rule="rules-file",
            check="rules-file",
            severity="warning",
            problem=Problem(message="an ignore is not used", location=Location("layercheck.toml", 4)),
            fingerprint="def",
        ),
    ),
    suppressed=(
        Suppressed(
            rule="pools",
            check="layers",
            by="entry",
            reason="#12",
            location=Location("app/pool/blue.py", 1),
            importer="app.pool.blue",
            imported="app.pool.red",
        ),
    ),
    notes=("A note.",),
)

TEXT = """\
app/pool/red.py:3:1: error: layers [pools]
    app.pool.red (layer pool.red) imports app.pool.all (layer pool.all), which
    is above it
        app.pool.red -> app.util  app/pool/red.py:3
        app.util -> app.pool.all  app/util.py:17
        app/pool/all.py:9: Pool is defined here
    why: pools stand alone
    help: import it from pool.base
    docs: docs/pools.md

layercheck.toml:4:1: warning: rules-file
    an ignore is not used

pools (layers)  12 modules, 1 import: 1 finding, 1 ignored, 2 known
rules-file      2 rules: 1 finding
cycles          off
A note.
1 error, 1 warning in 2,858 modules, 1 consumer, 31,200 imports.
"""


def test_text() -> None:
    assert renderer("text")(FULL) == TEXT


def test_text_of_findings_alone() -> None:
    alone = msgspec.structs.replace(FULL, rules=(), notes=())
    assert renderer("text")(alone) == TEXT.partition("\npools (layers)")[0]


def test_text_of_a_clean_run_says_what_was_looked_at() -> None:
    clean = msgspec.structs.replace(FULL, findings=(), notes=(), rules=FULL.rules[1:2])
    assert renderer("text")(clean) == (
        "rules-file  2 rules: 1 finding\nNothing wrong in 2,858 modules, 1 consumer, 31,200 imports.\n"
    )


def test_text_says_what_was_left_out() -> None:
    shown = renderer("text")(msgspec.structs.replace(FULL, packages=("p.b", "q"), hints=("could tell more",)))
    assert shown.splitlines()[-1].endswith("; shown: p.b, q only.")
    assert "could tell more" not in shown


def test_a_long_chain_has_its_places_below() -> None:
    long = "package_of_a_long_name.module_of_a_long_name"
    problem = Problem(message="x", location=Location("a.py"), chain=(Step(long, long, "a/" + "b" * 30, 1, "deferred"),))
    report = msgspec.structs.replace(
        FULL,
        rules=(),
        findings=(Finding(rule="a", check="a", severity="error", problem=problem, fingerprint=""),),
    )
    assert renderer("text")(report).splitlines()[2:] == [f"        {long} -> {long}", f"            a/{'b' * 30}:1"]


def test_json() -> None:
    assert json.loads(renderer("json")(FULL)) == {
        "version": 1,
        "tool": {"name": "layercheck", "version": "1.2.3"},
        "root": "/home/me/project",
        "status": "findings",
        "stats": {
            "modules": 2858,
            "consumers": 1,
            "imports": 31200,
            "unreadable": 1,
            "seconds": 4.25,
            "cached": 7,
        },
        "rules": [
            {
                "name": "pools",
                "check": "layers",
                "severity": "error",
                "modules": 12,
                "imports": 1,
                "findings": 1,
                "suppressed": 3,
                "noun": "",
                "known": 2,
                "summary": "",
                "reason": "pools stand alone",
                "docs": "docs/pools.md",
            },
            {
                "name": "rules-file",
                "check": "rules-file",
                "severity": "error",
                "modules": 0,
                "imports": 0,
                "findings": 1,
                "suppressed": 0,
                "noun": "2 rules",
                "known": 0,
                "summary": "",
                "reason": "",
                "docs": "",
            },
            {
                "name": "cycles",
                "check": "cycles",
                "severity": "off",
                "modules": 0,
                "imports": 0,
                "findings": 0,
                "suppressed": 0,
                "noun": "",
                "known": 0,
                "summary": "",
                "reason": "",
                "docs": "",
            },
        ],
        "findings": [
            {
                "rule": "pools",
                "check": "layers",
                "severity": "error",
                "message": "app.pool.red (layer pool.red) imports app.pool.all (layer pool.all), which is above it",
                "help": "import it from pool.base",
                "path": "app/pool/red.py",
                "line": 3,
                "column": 1,
                "end_line": 3,
                "end_column": 20,
                "importer": "app.pool.red",
                "imported": "app.pool.all",
                "name": "Pool",
                "kind": "import-time",
                "flags": ["conditional"],
                "layers": {"importer": "pool.red", "imported": "pool.all"},
                "chain": [
                    {
                        "importer": "app.pool.red",
                        "imported": "app.util",
                        "path": "app/pool/red.py",
                        "line": 3,
                        "kind": "import-time",
                    },
                    {
                        "importer": "app.util",
                        "imported": "app.pool.all",
                        "path": "app/util.py",
                        "line": 17,
                        "kind": "import-time",
                    },
                ],
                "related": [{"path": "app/pool/all.py", "line": 9, "message": "Pool is defined here"}],
                "fingerprint": "abc",
                "fixable": False,
                "mending": None,
            },
            {
                "rule": "rules-file",
                "check": "rules-file",
                "severity": "warning",
                "message": "an ignore is not used",
                "help": "",
                "path": "layercheck.toml",
                "line": 4,
                "column": 1,
                "end_line": 1,
                "end_column": 1,
                "importer": None,
                "imported": None,
                "name": None,
                "kind": None,
                "flags": [],
                "layers": None,
                "chain": [],
                "related": [],
                "fingerprint": "def",
                "fixable": False,
                "mending": None,
            },
        ],
        "suppressed": [
            {
                "rule": "pools",
                "check": "layers",
                "by": "entry",
                "reason": "#12",
                "path": "app/pool/blue.py",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 1,
                "importer": "app.pool.blue",
                "imported": "app.pool.red",
                "name": None,
            }
        ],
        "mended": [],
        "unmended": [],
        "packages": [],
        "notes": ["A note."],
    }


@pytest.mark.parametrize(
    ("severities", "status"), [([], "clean"), (["warning"], "warnings"), (["warning", "error"], "findings")]
)
def test_status(severities: list[Any], status: str) -> None:
    findings = tuple(msgspec.structs.replace(FULL.findings[0], severity=severity) for severity in severities)
    assert json.loads(renderer("json")(msgspec.structs.replace(FULL, findings=findings)))["status"] == status


def test_the_command_line_offers_every_format() -> None:
    assert options.FORMATS == FORMATS


_TEXTS = st.text(max_size=6) | st.sampled_from(
    [
        "\udcff.py",
        "a\nb",
        "\x1b[31m",
        "é",
        "\u202e",
        "::error::x",
        "##[add-mask]",
        "</script>",
        "]]>",
        "[a](b)",
        "{0}",
        "`",
        "|",
    ]
)


@settings(max_examples=50, deadline=None)
@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS, st.sampled_from(["error", "warning"]))
def test_every_format_renders_every_report(path: str, message: str, module: str, name: str, severity: Severity) -> None:
    problem = Problem(
        message=message,
        help=message,
        location=Location(path),
        importer=module,
        chain=(Step(module, name, path, 1, "deferred"),),
        related=(Related(path, 1, message),),
    )
    mending = Mending("remove it", (Replacement(Location(path, 2, 1, 2, 1), message),))
    finding = Finding(
        rule=name, check="layers", severity=severity, problem=problem, fingerprint="0", reason=name, mending=mending
    )
    rule = msgspec.structs.replace(FULL.rules[0], name=name, docs=name, summary=message, reason=name)
    report = msgspec.structs.replace(FULL, findings=(finding,), rules=(rule,), notes=(message,))
    for format_ in FORMATS:
        text = renderer(format_)(report)
        assert text.endswith("\n")
        text.encode("utf-8")
        READERS[format_](text, report)


@pytest.mark.parametrize(("kind", "tree"), [(kind, tree) for kind, _, tree in EXAMPLES])
def test_every_format_renders_what_every_check_reports(kind: str, tree: str) -> None:
    judgement = judge_tree(kind, parse_tree(tree).files)
    report = msgspec.structs.replace(FULL, findings=judgement.findings, rules=judgement.rules)
    for format_ in FORMATS:
        READERS[format_](renderer(format_)(report), report)


@pytest.mark.parametrize("format_", FORMATS)
def test_ten_thousand_findings(format_: str) -> None:
    findings = tuple(
        msgspec.structs.replace(
            FULL.findings[0],
            fingerprint=str(number),
            problem=msgspec.structs.replace(FULL.findings[0].problem, location=Location(f"app/m{number % 500}.py", 3)),
        )
        for number in range(10_000)
    )
    report = msgspec.structs.replace(FULL, findings=findings)
    text = renderer(format_)(report)
    READERS[format_](text, report)
    assert format_ == "markdown" or text.count("app.util") >= 10_000


class TestColour:
    def test_it_is_only_added(self) -> None:
        coloured = render_text(FULL, colour=True)
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == TEXT
        assert "\x1b[1;31merror\x1b[0m" in coloured
        assert "\x1b[1;33mwarning\x1b[0m" in coloured
        assert render_text(FULL) == TEXT

    @pytest.mark.parametrize(
        ("terminal", "env", "coloured"),
        [
            (True, {}, True),
            (False, {}, False),
            (True, {"NO_COLOR": "1"}, False),
            (True, {"NO_COLOR": ""}, True),
            (False, {"FORCE_COLOR": "1"}, True),
            (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
            (True, {"TERM": "dumb"}, False),
            (False, {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ],
    )
    def test_where_it_is_wanted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool, env: dict[str, str], coloured: bool
    ) -> None:
        class Stream(io.StringIO):
            def isatty(self) -> bool:
                return terminal

        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TERM", "xterm")
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        (tmp_path / "a.py").write_text("import a.gone\n")
        monkeypatch.setattr(sys, "argv", ["layercheck", "check", str(tmp_path), "--no-cache"])
        monkeypatch.setattr(gc, "disable", lambda: None)
        out = Stream()
        with redirect_stdout(out), pytest.raises(SystemExit):
            cli.main()
        assert ("\x1b[" in out.getvalue()) == coloured
        assert "broken-imports" in out.getvalue()
