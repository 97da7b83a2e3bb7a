"""What is wrong with the rules only against this code: the problems of check rules-file. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date

import msgspec

from layercheck.checks import Coverage, all_checks, rules_file
from layercheck.config import Config, Rule
from layercheck.finding import Location, Problem
from layercheck.names import is_pattern, matches, matches_within, nearest
from layercheck.project import Project
from layercheck.run.outside import faults_outside, mend_of, sentence_about
from layercheck.sieve import Comments, Sifted, Used, doubtful_lines, judge_comments, judge_entries


@dataclass(frozen=True, slots=True)
class Run:
    """One rule that has run."""

    rule: Rule
    coverage: Coverage
    sifted: Sifted


def faults_of(
    runs: list[Run],
    config: Config,
    project: Project,
    comments: Comments,
    today: date,
    *,
    whole: bool,
    unfiltered: bool,
    before: Collection[str] = (),
) -> Iterator[Problem]:
    """The problems of check rules-file. ``whole``: whether all packages were looked at; ``unfiltered``: whether all
    rules ran as well. ``before``: the fingerprints of what was there before."""
    yield from _faults_of_project(config, project)
    partial = config.is_partial
    for run in runs:
        yield from _faults_of_coverage(run, project, config)
        if not partial:
            yield from _idle_exemptions(run, project)
        yield from judge_entries(run.rule, run.sifted, project, today, whole=whole, partial=partial, before=before)
    used: set[Used] = {one for run in runs for one in run.sifted.used}
    known = {*all_checks(), *(rule.name for rule in config.rules)}
    ran = [run.rule for run in runs]
    # A check is judged once all rules that use it have run.
    missed = {name for rule in config.rules if not _has_run(rule, ran) for name in (rule.name, rule.check)}
    judged = {name for rule in ran for name in (rule.name, rule.check)} - missed
    # What a chain through code that was not read would use is not known.
    yield from judge_comments(
        comments,
        used,
        known,
        judged if whole and not partial else (),
        unfiltered and not partial,
        doubtful_lines(project),
    )


def _has_run(rule: Rule, ran: list[Rule]) -> bool:
    return any(one.name == rule.name for one in ran)


def _faults_of_project(config: Config, project: Project) -> Iterator[Problem]:
    """What the settings name and the code does not have."""
    settings = config.project
    names = {*project.modules, *project.packages}
    for key, wanted in (("packages", settings.packages or ()), ("api", settings.api or ())):
        for index, name in enumerate(wanted):
            if not any(matches(one, name) for one in names):
                message = sentence_about(project, name, config.is_partial) or _absent(name, names)
                yield _fault(config, f"{key}[{index}]", message)
    for key, glob in project.layout.unmatched:
        if key == "roots":
            yield _fault(config, config.globs.get((key, glob), key), f"no folder with Python code matches {glob}")
    if not config.is_partial:
        yield from _unmatched(config, project)
        for key, pattern in config.outside:
            yield _fault(config, key, f"{pattern} leads out of the root of the run, where nothing is read")
    judged = any(not member.vendored for member in project.modules.values())
    left_out = next((key for key in ("vendored", "exclude", "packages") if getattr(settings, key)), None)
    if not judged and left_out:
        yield _fault(config, left_out, "nothing is left to judge: every module is left out")
    for file, line in config.homeless.items():
        yield rules_file.problem(
            Location(file, line, 1, line, 1),
            "this file lies in no package of the project, so its rules do not run",
            "move it into the package that it speaks of, or take it out of `include`",
            "homeless",
        )


def _unmatched(config: Config, project: Project) -> Iterator[Problem]:
    """Paths that match nothing. What ``exclude`` and ``generated`` mean may come with a build."""
    for key, glob in project.layout.unmatched:
        if key in ("consumers", "exclude", "generated", "vendored"):
            problem = _fault(config, config.globs.get((key, glob), key), f"nothing that would be read matches {glob}")
            yield msgspec.structs.replace(problem, cap="warning") if key in ("exclude", "generated") else problem


def _absent(name: str, names: set[str]) -> str:
    if is_pattern(name):
        return f"no module matches {name}"
    close = nearest(name, names)
    return f"no module is called {name}" + (f"; did you mean {close}?" if close else "")


def _fault(config: Config, key: str, message: str) -> Problem:
    location = config.places.get(key) or config.places.get(key.partition("[")[0]) or Location(config.path)
    return rules_file.problem(location, f"project: {key}: {message}", "correct it in the rules file", "project", key)


def _idle_exemptions(run: Run, project: Project) -> Iterator[Problem]:
    """Those of ``exempt`` that import nothing which the rule would count if they were not exempt."""
    rule, counts = run.rule, all_checks()[run.rule.check].counts
    exempt = getattr(rule.options, "exempt", ())
    if not exempt or counts is None or run.coverage.faults:
        return
    counting = counts(project, msgspec.structs.replace(rule.options, exempt=()))
    freed = {link.importer for link in project.all_links if counting(link)}
    for index, text in enumerate(exempt):
        if not any(matches_within(importer, text) for importer in freed):
            message = f"{text} imports nothing that this rule would count, so it needs no exemption"
            yield _fault_of_rule(rule, f"exempt[{index}]", message, "remove it")


def _fault_of_rule(rule: Rule, key: str, message: str, mend: str = "correct the rule") -> Problem:
    line = rule.line_of(key)
    return rules_file.problem(
        Location(rule.file, line, 1, line, 1),
        f"rule {rule.name}: {key + ': ' if key else ''}{message}",
        mend,
        rule.name,
        key,
        "fault",
    )


def _faults_of_coverage(run: Run, project: Project, config: Config) -> Iterator[Problem]:
    rule, path = run.rule, run.rule.file
    nothing = not (run.coverage.modules or run.coverage.imports or run.coverage.noun)
    if nothing and rule.allow_empty:
        return
    errors, warnings, others = faults_outside(rule.options, project, run.coverage.faults, config.is_partial)
    for fault in others:
        yield _fault_of_rule(rule, fault.key, fault.message)
    mend = mend_of(project, config.is_above)
    for fault in errors:
        yield _fault_of_rule(rule, fault.key, fault.message, mend)
    for fault in warnings:
        yield msgspec.structs.replace(_fault_of_rule(rule, fault.key, fault.message, mend), cap="warning")
    # A check of everything that has nothing to look at yet is no mistake; one that is told where to look is.
    narrowed = rule.name != rule.check or rule.options != all_checks()[rule.check].options()
    if rule.declared and narrowed and nothing and not (errors or warnings or others):
        yield rules_file.problem(
            Location(path, rule.line, 1, rule.line, 1),
            f"rule {rule.name} looks at no module and no import, so it can never find anything",
            "correct what it names, or write allow_empty = true",
            rule.name,
            "empty",
        )
