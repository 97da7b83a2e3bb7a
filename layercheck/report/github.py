"""A report as workflow commands, of which GitHub Actions makes annotations."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from layercheck.finding import Finding, Report
from layercheck.report.escape import encodable, harmless, printable
from layercheck.report.plain import has_end, lines_of, rule_of, total


def render(report: Report) -> str:
    """A command for each finding, then what was found in how much code.

    Files are named by their absolute paths: the runner makes them relative to the checkout, wherever in it the root is.
    """
    lines = [_command(report, finding) for finding in report.findings]
    lines += [harmless(f"layercheck: {text}") for text in (*map(printable, report.notes), total(report))]
    return "".join(f"{line}\n" for line in lines)


def _command(report: Report, finding: Finding) -> str:
    place = finding.problem.location
    properties = {
        "file": posixpath.normpath(posixpath.join(report.root, place.path)),
        "line": str(place.line),
        **dict(_end(finding)),
        "title": f"layercheck: {rule_of(finding)}",
    }
    return f"::{finding.severity} {_written(properties)}::{_data(chr(10).join(lines_of(finding)))}"


def _end(finding: Finding) -> Iterator[tuple[str, str]]:
    """Columns mean something only where a place lies on one line."""
    place = finding.problem.location
    if has_end(place):
        yield "endLine", str(place.end_line)
    if place.line >= place.end_line:
        yield "col", str(place.column)
        if has_end(place):
            yield "endColumn", str(place.end_column)


def _written(properties: Mapping[str, str]) -> str:
    return ",".join(f"{key}={_property(value)}" for key, value in properties.items())


def _data(text: str) -> str:
    """As ``escapeData`` of the toolkit (actions/toolkit, packages/core/src/command.ts)."""
    return encodable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """As ``escapeProperty`` of the toolkit."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
