"""Findings and errors -> what an editor shows of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lsprotocol import types

from layercheck.facts import Span
from layercheck.finding import Finding, Location
from layercheck.report.escape import printable
from layercheck.report.plain import has_end, lines_of, rule_of
from layercheck.server.text import Lines

SOURCE = "layercheck"
_UNNEEDED = frozenset({"orphaned-imports"})
"""Checks whose findings stand on code that nobody needs."""
_PLACED = re.compile(r"(?P<path>[^\n]+?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<said>.+)", re.DOTALL)
"""An error with its place, as those of rules files have it."""

Uri = Callable[[str], str]
"""The address of a file, by its path relative to the root."""


@dataclass(frozen=True, slots=True)
class Style:
    """What an editor understands."""

    encoding: str = types.PositionEncodingKind.Utf16.value
    related: bool = False
    """Whether a diagnostic may name other places."""
    tags: bool = False
    versions: bool = False
    """Whether edits may say for which version of a document they are."""
    watches: bool = False
    """Whether it can be asked to tell of files that change."""


def diagnostic(finding: Finding, lines: Lines, uri: Uri, style: Style) -> types.Diagnostic:
    """A finding as an editor has it; ``lines`` are those of its file."""
    problem = finding.problem
    shown = [*lines_of(finding)]
    if style.related:  # else the other places are told in words
        shown = [shown[0], *shown[1 + len(problem.chain) + len(problem.related) :]]
    return types.Diagnostic(
        range=place(problem.location, lines),
        message="\n".join(shown),
        severity=types.DiagnosticSeverity.Error if finding.severity == "error" else types.DiagnosticSeverity.Warning,
        source=SOURCE,
        code=rule_of(finding),
        code_description=types.CodeDescription(finding.docs) if _is_address(finding.docs) else None,
        tags=[types.DiagnosticTag.Unnecessary] if style.tags and finding.check in _UNNEEDED else None,
        related_information=_related(finding, uri) if style.related else None,
    )


def place(location: Location, lines: Lines) -> types.Range:
    """Where a finding stands; one without an end takes in its line."""
    if not has_end(location):
        return lines.whole_line(location.line)
    return lines.range(Span(location.line, location.column, location.end_line, location.end_column))


def fault(line: str) -> tuple[str, types.Diagnostic] | None:
    """The path and the diagnostic of an error that says where it stands; None of one that does not."""
    found = _PLACED.fullmatch(line)
    if found is None:
        return None
    at = types.Position(max(int(found["line"]) - 1, 0), max(int(found["column"] or 1) - 1, 0))
    end = types.Position(at.line, max(at.character, 1_000))  # an editor draws it back to the end of the line
    return found["path"], types.Diagnostic(
        types.Range(at, end),
        message=printable(found["said"]),
        severity=types.DiagnosticSeverity.Error,
        source=SOURCE,
    )


def _related(finding: Finding, uri: Uri) -> list[types.DiagnosticRelatedInformation]:
    problem = finding.problem
    steps = [(one.path, one.line, f"{one.importer} -> {one.imported} ({one.kind})") for one in problem.chain]
    places = [(one.path, one.line, one.message) for one in problem.related]
    return [
        types.DiagnosticRelatedInformation(
            types.Location(
                uri(path), types.Range(types.Position(max(line - 1, 0), 0), types.Position(max(line - 1, 0), 0))
            ),
            printable(said),
        )
        for path, line, said in (*steps, *places)
    ]


def _is_address(docs: str) -> bool:
    return docs.startswith(("https://", "http://")) and docs.isascii() and docs.isprintable() and " " not in docs
