"""Mend small trees in memory, under the rules that they hold, else under every check that mends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from layercheck.config import read_config
from layercheck.edits import unified
from layercheck.finding import Finding
from layercheck.project import Project
from layercheck.run.judgement import judge
from layercheck.run.mending import Mended, mend
from tests.tree import RULES, TODAY, build_project

DECLARED = """
[project]
api = []

[checks]
broken-imports = "error"
cycles = "error"
indirect-imports = "error"
orphaned-imports = "error"
stale-patch-targets = "error"
ineffective-patches = "error"
stale-reexports = "error"
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What mending some files gave."""

    files: Mapping[str, str]
    """All of them, as they are afterwards."""
    mended: Mended
    findings: tuple[str, ...]
    """``path: check: name`` of what is left."""

    @property
    def refusals(self) -> list[str]:
        """Why the others were left alone."""
        return [one.why for one in self.mended.refusals]

    @property
    def diff(self) -> str:
        """What changed, for people who read a failed test."""
        return unified(self.mended.files).decode("utf-8", "replace")


def mend_files(files: Mapping[str, str], *, unsafe: bool = False, on_disk: Mapping[str, str] | None = None) -> Outcome:
    """Mend what can be mended in some files. ``on_disk`` are those that are not as they were judged."""
    disk = {**files, **(on_disk or {})}
    config = read_config(files.get(RULES, DECLARED), RULES)

    def found(project: Project) -> tuple[Finding, ...]:
        return judge(project, config, TODAY).findings

    project = build_project(files, config)
    mended = mend(project, found, found, lambda path: encoded(disk[path]), unsafe=unsafe)
    after = {path: mended.files[path][1].decode("utf-8", "surrogateescape") for path in mended.files}
    left = tuple(
        f"{one.problem.location.path}: {one.check}: {one.problem.name or ''}".rstrip(": ")
        for one in found(mended.project)
    )
    return Outcome({**files, **after}, mended, left)


def judged(files: Mapping[str, str]) -> tuple[Finding, ...]:
    """What the rules find in some files."""
    config = read_config(files.get(RULES, DECLARED), RULES)
    return judge(build_project(files, config), config, TODAY).findings


def encoded(text: str) -> bytes:
    """The bytes of a file of a tree."""
    return text.encode("utf-8", "surrogateescape")
