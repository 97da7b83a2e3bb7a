"""A report as GitLab reads code quality: a list of issues, each with a fingerprint and a place."""

from __future__ import annotations

import json
from typing import Any

from layercheck.finding import Finding, Report
from layercheck.report.escape import encodable
from layercheck.report.plain import has_end, lines_of

_SEVERITIES = {"error": "major", "warning": "minor"}


def render(report: Report) -> str:
    """The findings as a JSON list, in ASCII, ending in a line break. Paths are relative to the root of the report."""
    return json.dumps([_issue(finding) for finding in report.findings], indent=1) + "\n"


def _issue(finding: Finding) -> dict[str, Any]:
    problem = finding.problem
    place = problem.location
    lines = {"begin": place.line, "end": place.end_line} if has_end(place) else {"begin": place.line}
    told = [*lines_of(finding)]
    return {
        "type": "issue",
        "check_name": encodable(finding.rule),
        "description": f"{told[0]} (help: {encodable(problem.help)})" if problem.help else told[0],
        "content": {"body": "\n".join(told)},
        "categories": ["Complexity" if finding.check == "cycles" else "Style"],
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": encodable(place.path), "lines": lines},
    }
