"""The words that formats share: what a finding and a report say, as single printable lines. Lays nothing out."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck.finding import Finding, Location, Report
from layercheck.report.escape import printable


def rule_of(finding: Finding) -> str:
    """What people call the rule of a finding: its check, with the rule's own name where it has one."""
    return finding.check if finding.rule == finding.check else f"{finding.check} [{printable(finding.rule)}]"


def lines_of(finding: Finding) -> Iterator[str]:
    """All that a finding says beside its place, a line for each thing."""
    problem = finding.problem
    yield printable(problem.message)
    for step in problem.chain:
        place = f"{printable(step.path)}:{step.line}"
        yield f"{printable(step.importer)} -> {printable(step.imported)} ({place}, {step.kind})"
    for related in problem.related:
        yield f"{printable(related.message)} ({printable(related.path)}:{related.line})"
    for word, text in (("why", finding.reason), ("help", problem.help), ("docs", finding.docs)):
        if text:
            yield f"{word}: {printable(text)}"


def has_end(location: Location) -> bool:
    """Whether a place says where it ends; that of a whole line does not."""
    return (location.end_line, location.end_column) > (location.line, location.column)


def counted(number: int, noun: str) -> str:
    """``1 module``, ``2,000 modules``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def found(report: Report) -> str:
    """How many errors and warnings there are."""
    errors = sum(finding.severity == "error" for finding in report.findings)
    warnings = len(report.findings) - errors
    parts = [counted(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    return ", ".join(parts) or "Nothing wrong"


def total(report: Report) -> str:
    """What was found in how much code, as one sentence."""
    stats = report.stats
    looked = ", ".join(
        (
            counted(stats.modules, "module"),
            *([counted(stats.consumers, "consumer")] if stats.consumers else []),
            counted(stats.imports, "import"),
        )
    )
    shown = f"; shown: {', '.join(map(printable, report.packages))} only" if report.packages else ""
    return f"{found(report)} in {looked}{shown}."
