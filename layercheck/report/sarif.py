"""A report as SARIF 2.1.0, the OASIS standard for results of static analysis. Section numbers are that standard's."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from layercheck.finding import Finding, Location, Mending, Report, RuleSummary
from layercheck.report.escape import encodable
from layercheck.report.plain import has_end

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "layercheck/v1"
"""The name of our fingerprint, with its version (3.27.17)."""


def render(report: Report) -> str:
    """The report as one run, in ASCII, ending in a line break. What was suppressed is not in it: readers of SARIF show
    it like any other result."""
    names = dict.fromkeys([*(rule.name for rule in report.rules), *(one.rule for one in report.findings)])
    rules = {rule.name: rule for rule in report.rules}
    index = {name: number for number, name in enumerate(names)}
    run = {
        "tool": {
            "driver": {
                "name": "layercheck",
                "version": report.version,
                "rules": [_rule(name, rules.get(name), report.pages) for name in names],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [{"level": "note", "message": _message(note)} for note in report.notes],
            }
        ],
        "originalUriBaseIds": {_ROOT: {"uri": f"{_file_uri(report.root).rstrip('/')}/"}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [_result(report, finding, index[finding.rule]) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str, rule: RuleSummary | None, pages: Mapping[str, str]) -> dict[str, Any]:
    if rule is None:
        return {"id": encodable(name)}
    told = [f"{rule.summary}."] if rule.summary else []
    told += [f"Why: {rule.reason}"] if rule.reason else []
    told += [f"Docs: {rule.docs}"] if rule.docs else []
    told += [f"More: layercheck explain {rule.check}"]
    level = "none" if rule.severity == "off" else rule.severity
    page = pages.get(rule.check)
    return {
        "id": encodable(name),
        "shortDescription": _message(rule.summary or rule.check),
        "fullDescription": _message(rule.reason or rule.summary or rule.check),
        # What cannot be given arguments has no placeholders: in a page braces stay as they are.
        "help": _message("\n".join(told)) | ({"markdown": encodable(page)} if page else {}),
        **({"helpUri": encodable(rule.docs)} if _is_address(rule.docs) else {}),
        "defaultConfiguration": {"enabled": rule.severity != "off", "level": level},
        "properties": {"check": rule.check, "tags": ["imports", rule.check]},
    }


def _is_address(docs: str) -> bool:
    return docs.startswith(("https://", "http://")) and docs.isascii() and docs.isprintable() and " " not in docs


def _result(report: Report, finding: Finding, rule: int) -> dict[str, Any]:
    problem = finding.problem
    advice = f"\n{problem.help}" if problem.help else ""
    place: dict[str, Any] = {"physicalLocation": _physical(report, problem.location)}
    if problem.importer is not None:
        place["logicalLocations"] = [{"fullyQualifiedName": encodable(problem.importer), "kind": "module"}]
    result: dict[str, Any] = {
        "ruleId": encodable(finding.rule),
        "ruleIndex": rule,
        "level": finding.severity,
        "message": _message(f"{problem.message}{advice}"),
        "locations": [place],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "properties": {
            "check": finding.check,
            "importer": _told(problem.importer),
            "imported": _told(problem.imported),
            "name": _told(problem.name),
            "kind": problem.kind,
            "flags": [*problem.flags],
            "reason": encodable(finding.reason),
        },
    }
    if problem.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _physical(report, _line(related.path, related.line)),
                "message": _message(related.message),
            }
            for number, related in enumerate(problem.related)
        ]
    if problem.chain:
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(report, finding)}]}]
    if finding.mending is not None:
        result["fixes"] = [_fix(report, problem.location.path, finding.mending)]
    return result


def _flow(report: Report, finding: Finding) -> list[dict[str, Any]]:
    return [
        {
            "kinds": ["import", step.kind],
            "location": {
                "physicalLocation": _physical(report, _line(step.path, step.line)),
                "message": _message(f"{step.importer} imports {step.imported}"),
            },
        }
        for step in finding.problem.chain
    ]


def _fix(report: Report, path: str, mending: Mending) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(one.location, whole=True), "insertedContent": {"text": one.text}}
        for one in mending.replacements
    ]
    change = {"artifactLocation": _artifact(report, path), "replacements": replacements}
    return {"description": _message(mending.said), "artifactChanges": [change]}


def _line(path: str, line: int) -> Location:
    return Location(path, line, 1, line, 1)


def _physical(report: Report, place: Location) -> dict[str, Any]:
    return {"artifactLocation": _artifact(report, place.path), "region": _region(place)}


def _region(place: Location, *, whole: bool = False) -> dict[str, Any]:
    """``whole``: with its end also where that is its beginning, which is where something is put in (3.30.2)."""
    start = {"startLine": place.line, "startColumn": place.column}
    if whole or has_end(place):
        return {**start, "endLine": place.end_line, "endColumn": place.end_column}
    return start


def _artifact(report: Report, path: str) -> dict[str, Any]:
    """A file below the root relative to it; one above, which a relative address must not lead to (3.4.3), by itself."""
    if path.startswith("../"):
        return {"uri": _file_uri(posixpath.normpath(posixpath.join(report.root, path)))}
    return {"uri": _quoted(path), "uriBaseId": _ROOT}


def _file_uri(path: str) -> str:
    """An absolute path, with the colon of a drive as it is (RFC 8089, appendix E.2)."""
    drive, colon, rest = ("", "", path) if path.startswith("/") else path.partition(":")
    return f"file://{f'/{drive}' if colon else ''}{colon}{_quoted(rest)}"


def _quoted(path: str) -> str:
    """A path percent-encoded byte by byte (RFC 3986), so that a name that is not UTF-8 is told as it is."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _told(text: str | None) -> str | None:
    return None if text is None else encodable(text)


def _message(text: str) -> dict[str, str]:
    """A plain text message: braces doubled (3.11.5), nothing that reads as a link (3.11.6), never empty."""
    text = encodable(text).replace("{", "{{").replace("}", "}}").replace("](", "]\\(")
    return {"text": text or "(no message)"}
