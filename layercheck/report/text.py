"""A report for people: findings file by file, then what each rule looked at and what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from layercheck.finding import Attempt, Finding, Location, Related, Report, RuleSummary, Step
from layercheck.report.escape import harmless, printable
from layercheck.report.plain import counted, rule_of, total
from layercheck.report.wrap import WIDTH, wrapped

_INDENT = "    "
_MOST_RELATED = 10

_STYLES = {"place": "1", "error": "1;31", "warning": "1;33", "clean": "32", "findings": "31", "warnings": "33"}
"""What is set off, and the terminal's parameters for it (ECMA-48, "Select Graphic Rendition")."""

_Paint = Callable[[str, str], str]
"""``(style, text)`` to the text as it is to be written."""


def render(report: Report, *, colour: bool = False) -> str:
    """The report in lines of 80 columns where names allow. A report without rules gives the findings alone.

    ``colour``: with the sequences by which a terminal sets words off; without them the text is the same.
    """
    paint: _Paint = _painted if colour else lambda style, text: text
    lines = [*_attempts(report.mended, "mended")]
    lines += [""] if lines and report.findings else []
    path = None
    for finding in report.findings:
        if finding.problem.location.path != path:
            if path is not None:
                lines.append("")
            path = finding.problem.location.path
        lines += _finding(finding, paint)
    lines += [""] if lines and report.unmended else []
    lines += _attempts(report.unmended, "not mended")
    if report.rules:
        lines += [""] if lines else []
        lines += _summary(report, paint)
    return "".join(f"{harmless(line)}\n" for line in lines)


def _painted(style: str, text: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def _finding(finding: Finding, paint: _Paint) -> Iterator[str]:
    problem = finding.problem
    place = paint("place", _place(problem.location))
    yield f"{place}: {paint(finding.severity, finding.severity)}: {rule_of(finding)}"
    yield from wrapped(problem.message, _INDENT, _INDENT)
    yield from _chain(problem.chain)
    yield from _related(problem.related)
    if finding.reason:
        yield from wrapped(f"why: {finding.reason}", _INDENT, _INDENT)
    if problem.help:
        yield from wrapped(f"help: {problem.help}", _INDENT, _INDENT)
    if finding.docs:
        yield from wrapped(f"docs: {finding.docs}", _INDENT, _INDENT)


def _place(location: Location) -> str:
    return f"{printable(location.path)}:{location.line}:{location.column}"


def _attempts(attempts: tuple[Attempt, ...], word: str) -> Iterator[str]:
    for attempt in attempts:
        yield f"{_place(attempt.location)}: {word}: {attempt.check}"
        yield from wrapped(attempt.message, _INDENT, _INDENT)


def _chain(steps: tuple[Step, ...]) -> Iterator[str]:
    shown = [f"{printable(step.importer)} -> {printable(step.imported)}" for step in steps]
    places = [f"{printable(step.path)}:{step.line}" for step in steps]
    width = max(map(len, shown), default=0)
    on_one_line = all(len(_INDENT) * 2 + width + 2 + len(place) <= WIDTH for place in places)
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


def _summary(report: Report, paint: _Paint) -> Iterator[str]:
    labels = [_label(rule) for rule in report.rules]
    width = max(map(len, labels))
    for rule, label in zip(report.rules, labels, strict=True):
        yield f"{label:<{width}}  {_looked_at(rule)}"
    for note in report.notes:
        yield from wrapped(note)
    yield paint(report.status, total(report))


def _label(rule: RuleSummary) -> str:
    return printable(rule.name if rule.name == rule.check else f"{rule.name} ({rule.check})")


def _looked_at(rule: RuleSummary) -> str:
    if rule.severity == "off":
        return "off"
    looked = rule.noun or f"{counted(rule.modules, 'module')}, {counted(rule.imports, 'import')}"
    told = counted(rule.findings, "finding") if rule.findings else "none"
    if rule.suppressed > rule.known:
        told += f", {rule.suppressed - rule.known:,} ignored"
    if rule.known:
        told += f", {rule.known:,} known"
    return f"{looked}: {told}"
