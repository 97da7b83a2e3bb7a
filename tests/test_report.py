"""Every format renders every report, and what each of them promises."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layercheck import cli
from layercheck.finding import (
    Finding,
    LayerPair,
    Location,
    Problem,
    Related,
    Report,
    RuleSummary,
    Stats,
    Step,
    Suppressed,
)
from layercheck.report import FORMATS

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
    assert FORMATS["text"](FULL) == TEXT


def test_text_of_findings_alone() -> None:
    alone = msgspec.structs.replace(FULL, rules=(), notes=())
    assert FORMATS["text"](alone) == TEXT.partition("\npools (layers)")[0]


def test_text_of_a_clean_run_says_what_was_looked_at() -> None:
    clean = msgspec.structs.replace(FULL, findings=(), notes=(), rules=FULL.rules[1:2])
    assert FORMATS["text"](clean) == (
        "rules-file  2 rules: 1 finding\nNothing wrong in 2,858 modules, 1 consumer, 31,200 imports.\n"
    )


def test_text_says_what_was_left_out() -> None:
    shown = FORMATS["text"](msgspec.structs.replace(FULL, packages=("p.b", "q"), hints=("could tell more",)))
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
    assert FORMATS["text"](report).splitlines()[2:] == [f"        {long} -> {long}", f"            a/{'b' * 30}:1"]


def test_json() -> None:
    assert json.loads(FORMATS["json"](FULL)) == {
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
    assert json.loads(FORMATS["json"](msgspec.structs.replace(FULL, findings=findings)))["status"] == status


def test_the_command_line_offers_every_format() -> None:
    assert set(cli.FORMATS) == set(FORMATS)


_TEXTS = st.text(max_size=6) | st.sampled_from(["\udcff.py", "a\nb", "\x1b[31m", "é", "\u202e"])


@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS)
def test_every_format_renders_every_report(path: str, message: str, module: str, name: str) -> None:
    problem = Problem(
        message=message,
        help=message,
        location=Location(path),
        importer=module,
        chain=(Step(module, name, path, 1, "deferred"),),
        related=(Related(path, 1, message),),
    )
    finding = Finding(rule=name, check="layers", severity="error", problem=problem, fingerprint="0")
    rule = msgspec.structs.replace(FULL.rules[0], name=name)
    report = msgspec.structs.replace(FULL, findings=(finding,), rules=(rule,), notes=(message,))
    for name_of_format, render in FORMATS.items():
        text = render(report)
        assert text.endswith("\n")
        text.encode("utf-8")
        if name_of_format == "json":
            assert text.isascii()
            json.loads(text)
        else:
            assert all(line.isprintable() for line in text.split("\n"))
