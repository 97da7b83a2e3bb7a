"""layercheck passes its own rules, and its own rules bite: each is broken once, in a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import command, corpus

RULES = "rules/layercheck.toml"


def test_this_repository_is_clean() -> None:
    run = command.check(command.ROOT, "--rules", command.ROOT / RULES)
    assert run.findings() == []
    assert run.measured.status == 0
    assert run.report["status"] == "clean"


def test_every_rule_looks_at_something() -> None:
    rules = command.check(command.ROOT, "--rules", command.ROOT / RULES).report["rules"]
    assert {rule["name"] for rule in rules} >= {"floors", "checks-stand-alone", "one-reader-of-toml"}
    assert [rule["name"] for rule in rules if not rule["modules"] and not rule["noun"]] == []


BREACHES = [
    ("floors", "layercheck/names.py", "import layercheck.cli"),
    ("floors", "layercheck/extract/__init__.py", "import layercheck.layout"),
    ("floors", "layercheck/facts.py", "def late():\n    import layercheck.graph"),
    ("floors", "layercheck/upstairs.py", "x = 1"),
    ("checks-stand-alone", "layercheck/checks/cycles.py", "import layercheck.checks.layers"),
    ("formats-render-findings-only", "layercheck/report/text.py", "import layercheck.names"),
    ("one-user-of-the-graph-libraries", "layercheck/checks/cycles.py", "def late():\n    import networkx"),
    ("one-user-of-the-graph-libraries", "layercheck/run/checking.py", "import grimp"),
    ("one-reader-of-toml", "layercheck/run/checking.py", "import tomli"),
    ("one-reader-of-syntax-trees", "layercheck/project/model.py", "import ast"),
    ("one-face-to-the-terminal", "layercheck/run/checking.py", "import click"),
    ("one-face-to-editors", "layercheck/cli/serving.py", "import pygls.server"),
]


@pytest.mark.parametrize(("rule", "path", "text"), BREACHES, ids=[f"{rule}-{path}" for rule, path, _ in BREACHES])
def test_a_breach_of_a_rule_is_found(tmp_path: Path, rule: str, path: str, text: str) -> None:
    corpus.copy(command.ROOT / "layercheck", tmp_path / "layercheck")
    corpus.copy(command.ROOT / "rules", tmp_path / "rules")
    corpus.copy(command.ROOT / "docs" / "example", tmp_path / "docs" / "example")
    changed = tmp_path / path
    before = changed.read_text(encoding="utf-8") if changed.exists() else ""
    corpus.replace(changed, f"{before}\n{text}\n")
    run = command.check(tmp_path, "--rules", tmp_path / RULES, "--select", rule)
    line = before.count("\n") + 1 + len(text.splitlines()) if before else 1
    assert [(found["rule"], found["path"], found["line"]) for found in run.findings()] == [(rule, path, line)]
