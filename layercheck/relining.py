"""Edits that only move lines: tells that one is, and makes an earlier report say the new lines. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import PurePosixPath

import msgspec

from layercheck import names
from layercheck.facts import Fact, ModuleFacts
from layercheck.finding import Finding, Location, Problem, Related, Report, Step, Suppressed

Lines = Mapping[int, int]
"""Where each line that the facts of a file tell of was before, and where it is now."""

_LINES = frozenset({"line", "end_line", "first", "last"})
"""The fields of facts that hold a line."""
_COUNTS_LINES = "oversized-modules"
"""The check for which it matters how many lines a file has."""
_TELLS_LINES = re.compile(r"\blines? \d")
_DOTTED = re.compile(r"\w+(?:\.\w+)*")


class _OtherwiseError(Exception):
    """More than lines has changed, or it cannot be told."""


def moved_lines(before: ModuleFacts, after: ModuleFacts, tops: Collection[str]) -> Lines | None:
    """How the lines of a file have moved, where its facts differ in nothing else that a check may look at; else None.

    All places keep their order and their columns, so that whatever compares two of them finds the same. ``tops``: the
    first components of the names under which files of the project may be imported; what is read of other modules
    matters to no check.
    """
    if before.failure or after.failure:
        return None
    lines: dict[int, int] = {}
    scopes: dict[int, int] = {0: 0}
    try:
        _compare(_that_matters(before, tops), _that_matters(after, tops), lines, scopes)
    except _OtherwiseError:
        return None
    if len({*scopes.values()}) < len(scopes):
        return None
    ordered = [lines[line] for line in sorted(lines)]
    return lines if all(one < other for one, other in pairwise(ordered)) else None


def _that_matters(facts: ModuleFacts, tops: Collection[str]) -> ModuleFacts:
    accesses = facts.accesses
    if not facts.patched_code:  # which points at accesses by their number
        inner = {taken.bound for taken in facts.imports if taken.level or names.head(taken.module) in tops}
        accesses = tuple(access for access in accesses if access.name in inner)
    return msgspec.structs.replace(facts, lines=0, accesses=accesses)


def _compare(before: object, after: object, lines: dict[int, int], scopes: dict[int, int]) -> None:
    """Note how lines and scopes go together. Raises _OtherwiseError where anything else differs."""
    if type(before) is not type(after):
        raise _OtherwiseError
    if isinstance(before, tuple) and isinstance(after, tuple):
        if len(before) != len(after):
            raise _OtherwiseError
        for one, other in zip(before, after, strict=True):
            _compare(one, other, lines, scopes)
    elif isinstance(before, Fact):
        for field in before.__struct_fields__:
            one, other = getattr(before, field), getattr(after, field)
            table = lines if field in _LINES else scopes if field == "scope" else None
            if table is None:
                _compare(one, other, lines, scopes)
            elif table.setdefault(one, other) != other:
                raise _OtherwiseError
    elif before != after:
        raise _OtherwiseError


def relined(report: Report, moved: Mapping[str, Lines], *, longer: bool) -> Report | None:
    """A report as it is after lines of some files, by path, have moved; None where that cannot be told.

    ``longer``: whether one of the files has more or fewer lines than before.
    """
    if longer and any(rule.check == _COUNTS_LINES for rule in report.rules):
        return None
    if any(f"{path}:" in text for path in moved for text in (*report.notes, *report.hints)):
        return None
    try:
        return msgspec.structs.replace(
            report,
            findings=tuple(_finding(one, moved) for one in report.findings),
            suppressed=tuple(_suppressed(one, moved) for one in report.suppressed),
        )
    except _OtherwiseError:
        return None


def _finding(finding: Finding, moved: Mapping[str, Lines]) -> Finding:
    problem = finding.problem
    texts = (problem.message, problem.help, *(one.message for one in problem.related))
    if any(_TELLS_LINES.search(text) and _may_name(text, path) for text in texts for path in moved):
        raise _OtherwiseError
    return msgspec.structs.replace(finding, problem=_problem(problem, moved))


def _may_name(text: str, path: str) -> bool:
    """Whether a text may name the module that a file is, whatever its root: one name ends as the other does."""
    file = PurePosixPath(path)
    parts = (*file.parent.parts, *([] if file.stem == "__init__" else [file.stem]))
    for word in _DOTTED.findall(text):
        both = tuple(zip(reversed(parts), reversed(word.split(".")), strict=False))
        if both and all(one == other for one, other in both):
            return True
    return False


def _problem(problem: Problem, moved: Mapping[str, Lines]) -> Problem:
    return msgspec.structs.replace(
        problem,
        location=_location(problem.location, moved),
        chain=tuple(_step(one, moved) for one in problem.chain),
        related=tuple(_related(one, moved) for one in problem.related),
    )


def _suppressed(suppressed: Suppressed, moved: Mapping[str, Lines]) -> Suppressed:
    return msgspec.structs.replace(suppressed, location=_location(suppressed.location, moved))


def _location(place: Location, moved: Mapping[str, Lines]) -> Location:
    lines = moved.get(place.path)
    if lines is None:
        return place
    if place == Location(place.path):
        _demand_first(lines)
        return place
    line, end_line = _now(place.line, lines), _now(place.end_line, lines)
    return msgspec.structs.replace(place, line=line, end_line=end_line)


def _step(step: Step, moved: Mapping[str, Lines]) -> Step:
    lines = moved.get(step.path)
    return step if lines is None else msgspec.structs.replace(step, line=_now(step.line, lines))


def _related(related: Related, moved: Mapping[str, Lines]) -> Related:
    lines = moved.get(related.path)
    if lines is None:
        return related
    if related.line == 1:
        _demand_first(lines)
        return related
    return msgspec.structs.replace(related, line=_now(related.line, lines))


def _now(line: int, lines: Lines) -> int:
    if line not in lines:
        raise _OtherwiseError
    return lines[line]


def _demand_first(lines: Lines) -> None:
    """Raise _OtherwiseError where what was on line 1 has moved: a place there may mean that or the whole file."""
    if lines.get(1, 1) != 1:
        raise _OtherwiseError
