"""Small trees of files written as one text, with the findings they must give marked in place.

A line ``# file: path`` begins a file. Behind a line, ``# problem: text`` marks a finding that must stand there and
whose ``severity: message -> help`` must hold the text; several marks may follow each other. Marks are taken off before
the code is read. A tree may hold its own layercheck.toml, pyproject.toml and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path, PurePosixPath

import msgspec

from layercheck import names
from layercheck.checks import all_checks, at, rules_file
from layercheck.config import Config, Rule, default_config, read_config
from layercheck.config.shelf import shelf_of
from layercheck.extract import extract
from layercheck.finding import Finding, RuleSummary
from layercheck.layout import Entry, Listing, is_project_file, is_relevant
from layercheck.layout.place import place
from layercheck.project import Project
from layercheck.project.imports import location
from layercheck.run import Selection
from layercheck.run.judgement import Judgement, judge

RULES = "layercheck.toml"
TODAY = date(2026, 6, 1)
"""The day on which trees are checked."""

_FILE = re.compile(r"^# file: (\S+)[ \t]*\n", re.MULTILINE)
_MARK = re.compile(r"[ \t]*# problem: *")


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding that a tree demands."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a tree, without marks, and the marks."""

    files: Mapping[str, str]
    marks: tuple[Mark, ...]


def parse_tree(text: str) -> Tree:
    """Take a tree apart.

    Raises ValueError where it does not begin with a file, or names one twice.
    """
    before, *parts = _FILE.split(text)
    if before.strip() or not parts:
        raise ValueError("a tree begins with a line '# file: path'")
    files: dict[str, str] = {}
    marks: list[Mark] = []
    for path, content in zip(parts[::2], parts[1::2], strict=True):
        if path in files:
            raise ValueError(f"{path} is there twice")
        lines = []
        for number, line in enumerate(content.split("\n"), 1):
            kept, *texts = _MARK.split(line)
            lines.append(kept)
            marks += [Mark(path, number, text.strip()) for text in texts]
        files[path] = "\n".join(lines)
    return Tree(files, tuple(marks))


def write_tree(folder: Path, text: str) -> Path:
    """Write the files of a tree below a folder, without its marks. Returns the folder."""
    for path, content in parse_tree(text).files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8", "surrogateescape"))
    return folder


def build_project(files: Mapping[str, str], config: Config | None = None) -> Project:
    """The project of some files, in memory."""
    config = config or default_config()
    texts = {path: content for path, content in files.items() if is_project_file(PurePosixPath(path).name)}
    entries = tuple(Entry(path) for path in files if is_relevant(PurePosixPath(path).name))
    layout = place(Listing(entries, texts), config.project)
    facts = {placed.path: extract(files[placed.path].encode("utf-8", "surrogateescape")) for placed in layout.placed}
    return Project(layout, facts, config.project.api)


def tree_config(files: Mapping[str, str], kind: str) -> Config:
    """The rules of a tree: its own, else the check alone, declared with its defaults."""
    if RULES in files:
        return read_config(files[RULES], RULES, shelf=shelf_of(files))
    if kind == rules_file.NAME:
        return default_config()
    check = all_checks()[kind]
    rule = Rule(name=kind, check=kind, options=check.options(), severity=check.declared, file=RULES)
    others = (one for one in default_config().rules if one.check == rules_file.NAME)
    return Config(path=RULES, project=default_config().project, rules=(rule, *others))


def judge_tree(kind: str, files: Mapping[str, str]) -> Judgement:
    """What the rules say of some files; of all rules for rules-file, else of those that use the check."""
    config = tree_config(files, kind)
    return _judge(kind, build_project(files, config), config)


def _judge(kind: str, project: Project, config: Config) -> Judgement:
    selection = Selection() if kind == rules_file.NAME else Selection(select=(kind,))
    return judge(project, config, TODAY, selection)


def check_tree(kind: str, text: str) -> None:
    """Demand that a check finds in a tree exactly what is marked: each finding at its line, none besides."""
    tree = parse_tree(text)
    config = tree_config(tree.files, kind)
    project = build_project(tree.files, config)
    judged = _judge(kind, project, config)
    msgspec.convert(
        msgspec.to_builtins(judged.rules), tuple[RuleSummary, ...]
    )  # raises where a field is not of its type
    found = [finding for finding in judged.findings if finding.check == kind]
    unsound = [f"{finding.problem.message}: {fault}" for finding in found for fault in _faults(project, finding)]
    assert not unsound, "\n".join(unsound)
    missing: list[Mark] = []
    extra = list(found)
    # Longer texts first, so that a mark that is part of another does not take its finding.
    for mark in sorted(tree.marks, key=lambda mark: -len(mark.text)):
        match = next((finding for finding in extra if _fits(finding, mark)), None)
        if match is None:
            missing.append(mark)
        else:
            extra.remove(match)
    if missing or extra:
        raise AssertionError(_difference(kind, tree, missing, extra))


def _faults(project: Project, finding: Finding) -> Iterator[str]:
    """What cannot be right of a finding, whatever it says."""
    problem = finding.problem
    place_ = problem.location
    msgspec.convert(msgspec.to_builtins(finding), Finding)  # raises where a field is not of its type
    if not problem.help:
        yield "it does not say what to do"
    if (place_.line, place_.column) > (place_.end_line, place_.end_column):
        yield "it ends before it begins"
    member = project.member(place_.path)
    if problem.importer and member is not None and not names.is_within(member.id, problem.importer):
        yield f"it stands in {member.id}, but the importer is {problem.importer}"
    here = [link for link in project.all_links if link.path == place_.path and location(link) == place_]
    known = {(link.kind, link.flags) for link in here}
    if member is not None:
        guards = project.resolver.guards
        taken = [one for one in member.facts.imports if at(member.path, one.span) == place_]
        known |= {(guards.kind(member, one), one.flags) for one in taken}
    if known and problem.imported and (problem.kind, problem.flags) not in known:
        yield f"it stands on an import that is {known}, not {problem.kind} {problem.flags}"
    ends = [(one.imported, other.importer) for one, other in pairwise(problem.chain)]
    if not problem.ring and not all(names.is_within(end, start) or names.is_within(start, end) for end, start in ends):
        yield "the chain has a gap"


def _fits(finding: Finding, mark: Mark) -> bool:
    place_ = finding.problem.location
    shown = f"{finding.severity}: {finding.problem.message} -> {finding.problem.help}"
    return (place_.path, place_.line) == (mark.path, mark.line) and mark.text in shown


def _difference(kind: str, tree: Tree, missing: list[Mark], extra: list[Finding]) -> str:
    lines = [f"{kind} does not find what is marked:"]
    for mark in missing:
        lines += [f"- {mark.path}:{mark.line}: {mark.text}", f"      {_line(tree, mark.path, mark.line)}"]
    for finding in extra:
        place_ = finding.problem.location
        lines.append(f"+ {place_.path}:{place_.line}: {finding.severity}: {finding.problem.message}")
        lines.append(f"      {_line(tree, place_.path, place_.line)}")
    return "\n".join(lines)


def _line(tree: Tree, path: str, line: int) -> str:
    lines = tree.files.get(path, "").split("\n")
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
