"""unreadable-files: files that cannot be read, decoded or parsed, and files that Python never imports."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Literal

from layercheck.checks import Check, Coverage, Options, Undeclared, everything
from layercheck.finding import Location, Problem, Severity
from layercheck.project import Member, Project


class UnreadableFilesOptions(Options, frozen=True, kw_only=True):
    """How hard to be on files that nobody imports."""

    consumers: Literal["error", "warning", "off"] = "error"
    """The severity in consumers (tests, scripts)."""


def find(project: Project, options: UnreadableFilesOptions) -> Iterator[Problem]:
    """One problem for each file without facts, and one for each file that another one hides.

    A module file ``x.py`` beside ``x/__init__.py`` is never imported (language reference 5.3.1 and the order in which
    ``importlib.machinery.FileFinder`` looks: packages first).
    """
    for member in project.members:
        if not member.vendored and not (member.consumer and options.consumers == "off"):
            yield from _failure(member, "warning" if member.consumer and options.consumers == "warning" else None)
    for shadowed in project.layout.shadowed:
        yield Problem(
            message=f"Python never imports this file: {shadowed.by} has the same module name and comes first",
            help=f"remove one of them, or move what is still needed from {posixpath.basename(shadowed.path)} "
            f"into {shadowed.by}",
            location=Location(shadowed.path),
        )


def _failure(member: Member, cap: Severity | None) -> Iterator[Problem]:
    failure = member.facts.failure
    if failure is not None:
        yield Problem(
            message=failure.message,
            help="nothing in this file was checked; mend it, or exclude it in [project]",
            location=Location(member.path, failure.line, failure.column, failure.line, failure.column),
            importer=member.id,
            cap=cap,
        )


def coverage(project: Project, options: UnreadableFilesOptions) -> Coverage:
    """Every file."""
    whole = everything(project, options)
    files = len(project.members if options.consumers != "off" else project.modules)
    return Coverage(whole.modules, whole.imports, noun=f"{files:,} {'file' if files == 1 else 'files'}")


CHECK = Check(
    summary="Files that cannot be read or parsed, or that another file hides",
    options=UnreadableFilesOptions,
    find=find,
    coverage=coverage,
    undeclared=Undeclared("error", UnreadableFilesOptions(consumers="warning")),
)
