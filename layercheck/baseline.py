"""The baseline: findings that are known, one a line, so that only new ones fail. Entries <-> text; reads no files.

A text begins with a line that holds its version. Each further line is a JSON object: ``rule``, ``of`` (what the
finding is about), ``check``, ``fingerprint`` and ``reason``, which is for people to fill in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from layercheck.errors import LayercheckError
from layercheck.finding import Finding, identity

VERSION = 1
_HEADER = "layercheck-baseline"
_MARKS = ("<<<<<<<", "|||||||", ">>>>>>>")
_AGAIN = "move the file away and run layercheck baseline write"


@dataclass(frozen=True, slots=True)
class Entry:
    """One known finding."""

    rule: str
    of: tuple[str, ...]
    """What it is about, for people: importer (or path), imported and name, or all modules of a ring."""
    check: str
    fingerprint: str
    reason: str = ""
    line: int = 0
    """Where the text has it, from 1; 0 for one that is not written yet."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """All known findings."""

    path: str
    """How messages call the file: POSIX, relative to the root of the run."""
    entries: tuple[Entry, ...]


def entry_of(finding: Finding) -> Entry:
    """The entry that makes a finding known."""
    parts = tuple(part for part in identity(finding.problem) if part)
    return Entry(finding.rule, parts, finding.check, finding.fingerprint)


def known_as(entries: Iterable[Entry], findings: Iterable[Finding]) -> dict[str, Entry]:
    """By fingerprint of the findings that are known, the entry that makes each so: its own, else the smallest one of a
    ring of which it is what is left."""
    entries = tuple(entries)
    own = {entry.fingerprint: entry for entry in entries}
    found: dict[str, Entry] = {}
    for finding in findings:
        entry = own.get(finding.fingerprint) or _larger_ring(entries, finding)
        if entry is not None:
            found[finding.fingerprint] = entry
    return found


def _larger_ring(entries: Iterable[Entry], finding: Finding) -> Entry | None:
    if not finding.problem.ring:
        return None
    left = set(identity(finding.problem))
    around = [
        one for one in entries if (one.rule, one.check) == (finding.rule, finding.check) and left.issubset(one.of)
    ]
    return min(around, key=lambda entry: (len(entry.of), entry.fingerprint), default=None)


def updated(before: Iterable[Entry], findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """An entry for each finding, with the reason of the one that made it known before."""
    findings = tuple(findings)
    known = known_as(before, findings)
    reasons = {fingerprint: entry.reason for fingerprint, entry in known.items()}
    return tuple(replace(entry_of(one), reason=reasons.get(one.fingerprint, "")) for one in findings)


def render(entries: Iterable[Entry]) -> str:
    """The text of a baseline, in ASCII: the same for the same entries in any order."""
    lines = [json.dumps({_HEADER: VERSION})]
    for entry in sorted(entries, key=lambda entry: (entry.rule, entry.of, entry.fingerprint)):
        values = {
            "rule": entry.rule,
            "of": entry.of,
            "check": entry.check,
            "fingerprint": entry.fingerprint,
            "reason": entry.reason,
        }
        lines.append(json.dumps(values))
    return "".join(f"{line}\n" for line in lines)


def parse(text: str, path: str) -> Baseline:
    """The baseline in a text. Of entries for one finding the first counts.

    Raises LayercheckError for a merge conflict, another version, or what is no baseline; one line for each fault.
    """
    lines = text.split("\n")
    _demand_merged(lines, path)
    version = _value(lines[0])
    version = version.get(_HEADER) if isinstance(version, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise LayercheckError(f"{path}:1: is no baseline of layercheck; {_AGAIN}")
    if version > VERSION:
        raise LayercheckError(
            f"{path}:1: is a baseline of version {version}, and this layercheck knows {VERSION}; use a newer layercheck"
        )
    entries: dict[str, Entry] = {}
    complaints = []
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            entry = _entry(_value(line), number)
            if entry is None:
                complaints.append(f"{path}:{number}: is no entry of a baseline; take the line out, or {_AGAIN}")
            else:
                entries.setdefault(entry.fingerprint, entry)
    if complaints:
        raise LayercheckError(*complaints)
    return Baseline(path, tuple(entries.values()))


def _demand_merged(lines: Sequence[str], path: str) -> None:
    for number, line in enumerate(lines, 1):
        if line.startswith(_MARKS):
            raise LayercheckError(
                f"{path}:{number}: a merge conflict: keep the entries of both sides, take out the lines that mark it, "
                "and run layercheck baseline prune"
            )


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _entry(value: Any, line: int) -> Entry | None:
    if not isinstance(value, dict):
        return None
    texts = [value.get(key) for key in ("rule", "check", "fingerprint")]
    of, reason = value.get("of", []), value.get("reason", "")
    if not all(isinstance(text, str) and text for text in texts) or not isinstance(reason, str):
        return None
    if not isinstance(of, list) or not all(isinstance(part, str) for part in of):
        return None
    rule, check, fingerprint = map(str, texts)
    return Entry(rule, tuple(of), check, fingerprint, reason, line)
