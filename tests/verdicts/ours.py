"""What layercheck says of a folder by the rules that it makes of another tool's settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from layercheck import run
from layercheck.finding import Finding
from layercheck.run.migrating import migrate

RULES = "layercheck.toml"


@dataclass(frozen=True, slots=True)
class Ours:
    """The findings by rule, and what was not carried over."""

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    left: tuple[str, ...]
    text: str

    def of(self, name: str) -> list[Finding]:
        """The findings of a contract, whose rule has its name, or whose rules have it and the number of a part."""
        return [one for one in self.findings if one.rule == name or one.rule.startswith(f"{name} (part ")]

    def faults(self) -> list[str]:
        """What check rules-file says."""
        return [one.problem.message for one in self.findings if one.check == "rules-file"]


def judge(root: Path, source: Path | None = None) -> Ours:
    """Migrate the settings of a folder, and apply the rules."""
    migrated = migrate(root, source)
    (root / RULES).write_text(migrated.text, encoding="utf-8")
    report = run.check(run.CheckRequest(root, cache=False, jobs=1))
    rules = tuple(rule.name for rule in report.rules)
    return Ours(report.findings, rules, migrated.left, migrated.text)
