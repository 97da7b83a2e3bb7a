"""Every rule applied to a project: rules -> problems -> sieve -> findings. Pure; knows neither files nor clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

import msgspec

from layercheck.checks import Coverage, all_checks, rules_file
from layercheck.config import Config, ForeignIgnores, Rule, settle
from layercheck.errors import LayercheckError
from layercheck.finding import Finding, Location, Problem, RuleSummary, Severity, Suppressed, fingerprint
from layercheck.layout import matches_glob
from layercheck.names import is_pattern, is_within, matches, nearest
from layercheck.project import Project
from layercheck.sieve import Comments, Sifted, Used, gather_comments, judge_comments, judge_entries, sift

_ALWAYS = ("rules-file", "unreadable-files")
"""Checks that run whatever is selected: what they find says that the others may have missed something."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a run was narrowed to, by names of checks or rules and of packages."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of a project, sorted."""

    rules: tuple[RuleSummary, ...]
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """One rule that has run."""

    rule: Rule
    coverage: Coverage
    sifted: Sifted


def judge(
    project: Project,
    config: Config,
    today: date,
    selection: Selection = EVERYTHING,
    foreign: Iterable[ForeignIgnores] = (),
) -> Judgement:
    """Apply the rules of ``config`` to ``project``. ``today`` ends the ignores whose last day is over.

    Raises LayercheckError where the selection names what is not there, and for names in a fragment that its place
    makes wrong.
    """
    config = settle(config, project.package_at)
    chosen = select_rules(config, selection)
    _demand_packages(project, selection.packages)
    comments = gather_comments(project)
    foreign = tuple(foreign)
    runs = [_apply(rule, project, comments, foreign, today) for rule in chosen]
    faults = tuple(_faults(runs, config, project, comments, selection, today))
    findings: list[Finding] = []
    summaries: list[RuleSummary] = []
    by_path = {member.path: name for name, member in project.modules.items()} if selection.packages else {}
    for run in runs:
        is_rules_file = run.rule.check == rules_file.NAME
        made = _findings(run.rule, faults if is_rules_file else run.sifted.problems)
        shown = [one for one in made if is_rules_file or _is_shown(one.problem, by_path, selection.packages)]
        findings += shown
        summaries.append(_summary(run, len(shown), len(runs)))
    ran = {run.rule.name for run in runs}
    summaries += [_silent(rule) for rule in config.rules if _is_silenced(rule) and rule.name not in ran]
    return Judgement(
        tuple(summaries),
        tuple(sorted(findings, key=_finding_order)),
        tuple(sorted((one for run in runs for one in run.sifted.suppressed), key=_suppressed_order)),
    )


def select_rules(config: Config, selection: Selection) -> tuple[Rule, ...]:
    """The rules that run. A check that is named runs even where it is off by default.

    Raises LayercheckError for names that are neither of a check nor of a rule, or of a check that no rule uses.
    """
    known = {*all_checks(), *(rule.name for rule in config.rules)}
    complaints = []
    for option, names in (("--select", selection.select), ("--ignore", selection.ignore)):
        for name in names:
            if name not in known:
                close = nearest(name, known)
                hint = f"did you mean {close!r}?" if close else f"the checks are {', '.join(all_checks())}"
                complaints.append(f"{option}: no check or rule is called {name!r}; {hint}")
            elif option == "--select" and not any(name in (rule.name, rule.check) for rule in config.rules):
                complaints.append(f"--select: no rule uses {name}; it has to be told what to look at, as a [[rule]]")
    if complaints:
        raise LayercheckError(*complaints)
    return tuple(rule for rule in (_woken(rule, selection) for rule in config.rules) if _runs(rule, selection))


def _is_named(rule: Rule, names: tuple[str, ...]) -> bool:
    return rule.name in names or rule.check in names


def _woken(rule: Rule, selection: Selection) -> Rule:
    if rule.severity == "off" and _is_named(rule, selection.select):
        return replace(rule, severity=all_checks()[rule.check].declared)
    return rule


def _runs(rule: Rule, selection: Selection) -> bool:
    if rule.severity == "off" or _is_named(rule, selection.ignore):
        return False
    return not selection.select or _is_named(rule, selection.select) or rule.check in _ALWAYS


def _demand_packages(project: Project, packages: tuple[str, ...]) -> None:
    known = {*project.modules, *project.packages}
    complaints = []
    for package in packages:
        if package not in known:
            close = nearest(package, known)
            hint = f"did you mean {close}?" if close else "give the dotted name of a package of this project"
            complaints.append(f"--package: no package or module is called {package!r}; {hint}")
    if complaints:
        raise LayercheckError(*complaints)


def _apply(rule: Rule, project: Project, comments: Comments, foreign: tuple[ForeignIgnores, ...], today: date) -> _Run:
    check = all_checks()[rule.check]
    coverage = check.coverage(project, rule.options)
    return _Run(rule, coverage, sift(rule, check, project, comments, foreign, today))


def _faults(
    runs: list[_Run], config: Config, project: Project, comments: Comments, selection: Selection, today: date
) -> Iterator[Problem]:
    """The problems of check rules-file."""
    whole = not selection.packages
    yield from _faults_of_project(config, project)
    for run in runs:
        yield from _faults_of_coverage(run)
        yield from judge_entries(run.rule, run.sifted, project, today, whole)
    used: set[Used] = {one for run in runs for one in run.sifted.used}
    known = {*all_checks(), *(rule.name for rule in config.rules)}
    ran = [run.rule for run in runs]
    # A check is judged once all rules that use it have run.
    missed = {name for rule in config.rules if not _has_run(rule, ran) for name in (rule.name, rule.check)}
    judged = {name for rule in ran for name in (rule.name, rule.check)} - missed
    unfiltered = whole and not selection.select and not selection.ignore
    yield from judge_comments(comments, used, known, judged if whole else (), unfiltered)


def _has_run(rule: Rule, ran: list[Rule]) -> bool:
    return any(one.name == rule.name for one in ran)


def _faults_of_project(config: Config, project: Project) -> Iterator[Problem]:
    """What the settings name and the code does not have."""
    settings = config.project
    names = {*project.modules, *project.packages}
    for key, wanted in (("packages", settings.packages or ()), ("api", settings.api or ())):
        for index, name in enumerate(wanted):
            if not any(matches(one, name) for one in names):
                yield _fault(config, f"{key}[{index}]", _absent(name, names))
    roots = settings.roots or ()
    for glob in roots:
        if not any(matches_glob(root or ".", glob) or glob in (root, ".") for root in project.layout.roots):
            yield _fault(config, config.globs["roots", glob], f"no folder with Python code matches {glob}")
    if not config.is_partial:
        yield from _unmatched(config, project)
    for file, line in config.homeless.items():
        yield rules_file.problem(
            Location(file, line, 1, line, 1),
            "this file lies in no package of the project, so its rules do not run",
            "move it into the package that it speaks of, or take it out of `include`",
            "homeless",
        )


def _unmatched(config: Config, project: Project) -> Iterator[Problem]:
    """Paths that match nothing. One too many in ``exclude`` hides nothing: what it means may come with a build."""
    for key, glob in project.layout.unmatched:
        if key in ("exclude", "consumers"):
            problem = _fault(config, config.globs[key, glob], f"no file or folder matches {glob}")
            yield msgspec.structs.replace(problem, cap="warning") if key == "exclude" else problem


def _absent(name: str, names: set[str]) -> str:
    if is_pattern(name):
        return f"no module matches {name}"
    close = nearest(name, names)
    return f"no module is called {name}" + (f"; did you mean {close}?" if close else "")


def _fault(config: Config, key: str, message: str) -> Problem:
    location = config.places.get(key) or config.places.get(key.partition("[")[0]) or Location(config.path)
    return rules_file.problem(location, f"project: {key}: {message}", "correct it in the rules file", "project", key)


def _faults_of_coverage(run: _Run) -> Iterator[Problem]:
    rule, path = run.rule, run.rule.file
    nothing = not (run.coverage.modules or run.coverage.imports or run.coverage.noun)
    if nothing and rule.allow_empty:
        return
    for fault in run.coverage.faults:
        line = rule.line_of(fault.key)
        yield rules_file.problem(
            Location(path, line, 1, line, 1),
            f"rule {rule.name}: {fault.key + ': ' if fault.key else ''}{fault.message}",
            "correct the rule",
            rule.name,
            fault.key,
            "fault",
        )
    if rule.declared and nothing and not run.coverage.faults:
        yield rules_file.problem(
            Location(path, rule.line, 1, rule.line, 1),
            f"rule {rule.name} looks at no module and no import, so it can never find anything",
            "correct what it names, or write allow_empty = true",
            rule.name,
            "empty",
        )


def _findings(rule: Rule, problems: Iterable[Problem]) -> list[Finding]:
    severity: Severity = "warning" if rule.severity == "warning" else "error"
    equals: Counter[str] = Counter()
    found = []
    for problem in sorted(problems, key=_problem_order):
        first = fingerprint(rule.check, rule.name, problem, 0)
        found.append(
            Finding(
                rule=rule.name,
                check=rule.check,
                severity=problem.cap if problem.cap == "warning" else severity,
                problem=msgspec.structs.replace(problem, help=rule.help) if rule.help else problem,
                fingerprint=fingerprint(rule.check, rule.name, problem, equals[first]) if equals[first] else first,
                reason=rule.reason,
                docs=rule.docs,
            )
        )
        equals[first] += 1
    return found


def _is_shown(problem: Problem, by_path: Mapping[str, str], packages: tuple[str, ...]) -> bool:
    """Whether a problem stands in one of the packages; what stands in a consumer is of none."""
    if not packages:
        return True
    module = by_path.get(problem.location.path)
    return module is not None and any(is_within(module, package) for package in packages)


def _summary(run: _Run, findings: int, rules: int) -> RuleSummary:
    noun = run.coverage.noun
    if run.rule.check == rules_file.NAME:
        noun = f"{rules} rules"
    return RuleSummary(
        name=run.rule.name,
        check=run.rule.check,
        severity=run.rule.severity,
        modules=run.coverage.modules,
        imports=run.coverage.imports,
        findings=findings,
        suppressed=len(run.sifted.suppressed),
        noun=noun,
        reason=run.rule.reason,
        docs=run.rule.docs,
    )


def _is_silenced(rule: Rule) -> bool:
    return rule.declared and rule.severity == "off"


def _silent(rule: Rule) -> RuleSummary:
    return RuleSummary(
        name=rule.name,
        check=rule.check,
        severity="off",
        modules=0,
        imports=0,
        findings=0,
        suppressed=0,
        reason=rule.reason,
        docs=rule.docs,
    )


def _problem_order(problem: Problem) -> tuple[object, ...]:
    place = problem.location
    return (
        place.path,
        place.line,
        place.column,
        problem.message,
        problem.importer or "",
        problem.imported or "",
        problem.name or "",
    )


def _finding_order(finding: Finding) -> tuple[object, ...]:
    place = finding.problem.location
    return (
        place.path,
        place.line,
        place.column,
        finding.check,
        finding.rule,
        finding.problem.message,
        finding.fingerprint,
    )


def _suppressed_order(suppressed: Suppressed) -> tuple[object, ...]:
    place = suppressed.location
    return (place.path, place.line, place.column, suppressed.rule, suppressed.imported or "", suppressed.name or "")
