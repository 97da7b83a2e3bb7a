"""Problems, findings and the report: frozen data that checks make and formats render. Knows nothing of checks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

import msgspec

Severity = Literal["error", "warning"]


class Location(msgspec.Struct, frozen=True):
    """Where a person would point: a path relative to the root, lines and columns from 1."""

    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1


class Step(msgspec.Struct, frozen=True):
    """One import of a chain."""

    importer: str
    imported: str
    path: str
    line: int
    kind: str


class Related(msgspec.Struct, frozen=True):
    """Another place that helps to understand a problem."""

    path: str
    line: int
    message: str


class LayerPair(msgspec.Struct, frozen=True):
    """The two layers that an import joins."""

    importer: str
    imported: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What a check yields: true whatever rule asked."""

    message: str
    help: str = ""
    location: Location
    importer: str | None = None
    """A module's name, or a consumer's path."""
    imported: str | None = None
    name: str | None = None
    kind: str | None = None
    flags: tuple[str, ...] = ()
    layers: LayerPair | None = None
    chain: tuple[Step, ...] = ()
    ring: tuple[str, ...] = ()
    """The modules or packages that reach each other, sorted, where that is what is wrong."""
    related: tuple[Related, ...] = ()
    cap: Severity | None = None
    """The highest severity that it may have, whatever the rule says."""
    key: tuple[str, ...] = ()
    """What tells it from others of its rule, where importer, imported and name do not (a ring's modules)."""
    fixable: bool = False
    fails: int = 0
    """How surely it makes a program fail, of one that may be there and do no harm: 0 not, 1 perhaps, 2 surely."""


class Replacement(msgspec.Struct, frozen=True):
    """A stretch of a file, and what is to stand there instead. Columns count characters."""

    location: Location
    text: str


class Mending(msgspec.Struct, frozen=True):
    """What would mend a finding by itself, in the files as they are."""

    said: str
    """What it does, as a sentence without a full stop."""
    replacements: tuple[Replacement, ...]
    """In the order of the text; none of them overlaps another."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A problem together with the rule that asked for it."""

    rule: str
    check: str
    severity: Severity
    problem: Problem
    fingerprint: str
    reason: str = ""
    """Why the rule is there."""
    docs: str = ""
    """A page or address with more."""
    mending: Mending | None = None
    """None where nothing is known to mend it, or nobody asked."""


class Suppressed(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, or an import, that an ignore or the baseline took out, and which."""

    rule: str
    check: str
    by: Literal["entry", "comment", "baseline"]
    reason: str
    location: Location
    importer: str | None = None
    imported: str | None = None
    name: str | None = None


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that was to be mended: what was done, or why it was not."""

    rule: str
    check: str
    location: Location
    """Where the finding stood."""
    message: str


class RuleSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule looked at and what it found. ``state`` says why a rule that did not run did not."""

    name: str
    check: str
    severity: Severity | Literal["off"]
    modules: int
    imports: int
    findings: int
    suppressed: int
    noun: str = ""
    """What it looked at where that is neither modules nor imports."""
    known: int = 0
    """How many of the suppressed are in the baseline."""
    summary: str = ""
    """What its check finds, in one line."""
    reason: str = ""
    docs: str = ""


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """The size of the run. ``seconds`` is wall time."""

    modules: int = 0
    consumers: int = 0
    imports: int = 0
    unreadable: int = 0
    seconds: float = 0.0
    cached: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a run has to say, sorted, ready to be rendered."""

    version: str
    root: str
    stats: Stats
    rules: tuple[RuleSummary, ...]
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    packages: tuple[str, ...] = ()
    """What the findings were narrowed to; none where all of them are shown."""
    rules_file: str = ""
    """POSIX, relative to the root; empty where there is none."""
    notes: tuple[str, ...] = ()
    """Sentences about the run as a whole, for people."""
    part: str = ""
    """Where only a part of the project was read: the one of the notes that says so."""
    hints: tuple[str, ...] = ()
    """Sentences about what the run could tell besides; for a run that tells more."""
    mended: tuple[Attempt, ...] = ()
    """What was done to the files before they were judged."""
    unmended: tuple[Attempt, ...] = ()
    """What could have been done and was not."""
    settings: str = ""
    """The settings and rules that held, each with the place that it comes from; for a run that tells more."""
    pages: Mapping[str, str] = {}
    """The page about each check that ran, in Markdown, for a format that carries them."""

    @property
    def status(self) -> Literal["clean", "warnings", "findings"]:
        """``findings`` where one is an error, ``warnings`` where all are warnings."""
        if any(finding.severity == "error" for finding in self.findings):
            return "findings"
        return "warnings" if self.findings else "clean"


def identity(problem: Problem) -> tuple[str, ...]:
    """What a problem is about, whatever its message, chain and line: what its fingerprint depends on."""
    return problem.key or (problem.importer or problem.location.path, problem.imported or "", problem.name or "")


def fingerprint(check: str, rule: str, problem: Problem, ordinal: int) -> str:
    """A name for a finding that survives edits elsewhere: never of the message, chain, line or severity.

    ``ordinal`` counts equals from 0, in the order of the text.
    """
    text = "\0".join((check, rule, *identity(problem), str(ordinal)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
