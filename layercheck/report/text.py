"""A report for people: findings file by file, then what each rule looked at and what it found."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from layercheck.finding import Attempt, Finding, Related, Report, RuleSummary, Step
from layercheck.report.escape import printable

_WIDTH = 80
_INDENT = "    "
_MOST_RELATED = 10


def render(report: Report) -> str:
    """The report in lines of 80 columns where names allow. A report without rules gives the findings alone."""
    lines = [*_attempts(report.mended, "mended")]
    lines += [""] if lines and report.findings else []
    path = None
    for finding in report.findings:
        if finding.problem.location.path != path:
            if path is not None:
                lines.append("")
            path = finding.problem.location.path
        lines += _finding(finding)
    lines += [""] if lines and report.unmended else []
    lines += _attempts(report.unmended, "not mended")
    if report.rules:
        lines += [""] if lines else []
        lines += _summary(report)
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding) -> Iterator[str]:
    problem = finding.problem
    place = problem.location
    rule = finding.check if finding.rule == finding.check else f"{finding.check} [{printable(finding.rule)}]"
    yield f"{printable(place.path)}:{place.line}:{place.column}: {finding.severity}: {rule}"
    yield from _wrap(problem.message)
    yield from _chain(problem.chain)
    yield from _related(problem.related)
    if finding.reason:
        yield from _wrap(f"why: {finding.reason}")
    if problem.help:
        yield from _wrap(f"help: {problem.help}")
    if finding.docs:
        yield from _wrap(f"docs: {finding.docs}")


def _attempts(attempts: tuple[Attempt, ...], word: str) -> Iterator[str]:
    for attempt in attempts:
        place = attempt.location
        yield f"{printable(place.path)}:{place.line}:{place.column}: {word}: {attempt.check}"
        yield from _wrap(attempt.message)


def _chain(steps: tuple[Step, ...]) -> Iterator[str]:
    shown = [f"{printable(step.importer)} -> {printable(step.imported)}" for step in steps]
    places = [f"{printable(step.path)}:{step.line}" for step in steps]
    width = max(map(len, shown), default=0)
    on_one_line = all(len(_INDENT) * 2 + width + 2 + len(place) <= _WIDTH for place in places)
    for step, place in zip(shown, places, strict=True):
        if on_one_line:
            yield f"{_INDENT * 2}{step:<{width}}  {place}"
        else:
            yield f"{_INDENT * 2}{step}"
            yield f"{_INDENT * 3}{place}"


def _related(places: tuple[Related, ...]) -> Iterator[str]:
    """A line each, so that a terminal can make links of them; of many only the first, all are in the data formats."""
    for related in places[:_MOST_RELATED]:
        yield f"{_INDENT * 2}{printable(related.path)}:{related.line}: {printable(related.message)}"
    if len(places) > _MOST_RELATED:
        yield f"{_INDENT * 2}and {len(places) - _MOST_RELATED} more (--format json has all)"


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(
        printable(text),
        _WIDTH,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _summary(report: Report) -> Iterator[str]:
    labels = [_label(rule) for rule in report.rules]
    width = max(map(len, labels))
    for rule, label in zip(report.rules, labels, strict=True):
        yield f"{label:<{width}}  {_looked_at(rule)}"
    for note in report.notes:
        yield from textwrap.wrap(printable(note), _WIDTH, break_long_words=False, break_on_hyphens=False)
    stats = report.stats
    looked = ", ".join(
        (
            _count(stats.modules, "module"),
            *([_count(stats.consumers, "consumer")] if stats.consumers else []),
            _count(stats.imports, "import"),
        )
    )
    shown = f"; shown: {', '.join(map(printable, report.packages))} only" if report.packages else ""
    yield f"{_found(report)} in {looked}{shown}."


def _label(rule: RuleSummary) -> str:
    return printable(rule.name if rule.name == rule.check else f"{rule.name} ({rule.check})")


def _looked_at(rule: RuleSummary) -> str:
    if rule.severity == "off":
        return "off"
    looked = rule.noun or f"{_count(rule.modules, 'module')}, {_count(rule.imports, 'import')}"
    found = _count(rule.findings, "finding") if rule.findings else "none"
    if rule.suppressed > rule.known:
        found += f", {rule.suppressed - rule.known:,} ignored"
    if rule.known:
        found += f", {rule.known:,} known"
    return f"{looked}: {found}"


def _found(report: Report) -> str:
    errors = sum(finding.severity == "error" for finding in report.findings)
    warnings = len(report.findings) - errors
    parts = [_count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    return ", ".join(parts) or "Nothing wrong"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
