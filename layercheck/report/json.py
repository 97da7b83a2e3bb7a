"""A report as JSON, version 1: docs/output.md says what each key means. Keys are added, never renamed."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from layercheck.finding import Attempt, Finding, Location, Mending, Report, Suppressed
from layercheck.report.escape import encodable

VERSION = 1


def render(report: Report) -> str:
    """The report as one JSON object, in ASCII, ending in a line break."""
    data = {
        "version": VERSION,
        "tool": {"name": "layercheck", "version": report.version},
        "root": report.root,
        "status": report.status,
        "stats": msgspec.to_builtins(report.stats),
        "rules": [_rule(rule) for rule in report.rules],
        "findings": [_finding(finding) for finding in report.findings],
        "suppressed": [_suppressed(suppressed) for suppressed in report.suppressed],
        "mended": [_attempt(attempt) for attempt in report.mended],
        "unmended": [_attempt(attempt) for attempt in report.unmended],
        "packages": list(report.packages),
        "notes": list(report.notes),
    }
    return json.dumps(_escape(data), indent=1) + "\n"


def _rule(rule: Any) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(rule)
    return data


def _place(location: Location) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(location)
    return data


def _finding(finding: Finding) -> dict[str, Any]:
    problem = finding.problem
    return {
        "rule": finding.rule,
        "check": finding.check,
        "severity": finding.severity,
        "message": problem.message,
        "help": problem.help,
        **_place(problem.location),
        "importer": problem.importer,
        "imported": problem.imported,
        "name": problem.name,
        "kind": problem.kind,
        "flags": list(problem.flags),
        "layers": msgspec.to_builtins(problem.layers),
        "chain": msgspec.to_builtins(problem.chain),
        "related": msgspec.to_builtins(problem.related),
        "fingerprint": finding.fingerprint,
        "fixable": problem.fixable,
        "mending": None if finding.mending is None else _mending(finding.mending),
    }


def _mending(mending: Mending) -> dict[str, Any]:
    return {
        "message": mending.said,
        "replacements": [{**_place(one.location), "text": one.text} for one in mending.replacements],
    }


def _suppressed(suppressed: Suppressed) -> dict[str, Any]:
    return {
        "rule": suppressed.rule,
        "check": suppressed.check,
        "by": suppressed.by,
        "reason": suppressed.reason,
        **_place(suppressed.location),
        "importer": suppressed.importer,
        "imported": suppressed.imported,
        "name": suppressed.name,
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "rule": attempt.rule,
        "check": attempt.check,
        "message": attempt.message,
        **_place(attempt.location),
    }


def _escape(data: Any) -> Any:
    if isinstance(data, str):
        return encodable(data)
    if isinstance(data, dict):
        return {key: _escape(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_escape(value) for value in data]
    return data
