"""Every rule applied to a project: rules -> problems -> sieve -> findings. Pure; knows neither files nor clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

import msgspec

from layercheck.baseline import Baseline, Entry, known_as
from layercheck.checks import all_checks, rules_file
from layercheck.config import Config, ForeignIgnores, Rule, settle
from layercheck.errors import LayercheckError
from layercheck.finding import Finding, Problem, RuleSummary, Severity, Suppressed, fingerprint
from layercheck.names import is_within, nearest
from layercheck.project import Project
from layercheck.run.faults import Run, faults_of
from layercheck.run.known import gone_entries, known_finding, stale_problem
from layercheck.run.request import EVERYTHING, Selection
from layercheck.sieve import Comments, gather_comments, sift

_ALWAYS = ("rules-file", "unreadable-files")
"""Checks that run whatever is selected: what they find says that the others may have missed something."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of a project, sorted."""

    rules: tuple[RuleSummary, ...]
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    known: int = 0
    """How many findings the baseline took out."""
    gone: tuple[Entry, ...] = ()
    """The entries of the baseline that are no longer true."""
    shrunk: int = 0
    """Of how many rings that the baseline knows only smaller ones are left."""
    old: int = 0
    """How many findings were there before."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What the same rules found in the same folder before. What is left of a ring was there."""

    fingerprints: frozenset[str] = frozenset()
    """Those of findings, and of imports that ignores took out (``layercheck.sieve.fingerprinted``)."""
    rings: tuple[Entry, ...] = ()


def judge(
    project: Project,
    config: Config,
    today: date,
    selection: Selection = EVERYTHING,
    foreign: Iterable[ForeignIgnores] = (),
    baseline: Baseline | None = None,
    before: Earlier | None = None,
    faults: Iterable[Problem] = (),
) -> Judgement:
    """Apply the rules of ``config`` to ``project``. ``today`` ends the ignores whose last day is over.

    What the ``baseline`` knows is suppressed. Findings that were there ``before`` are left out,
    but for faults of the rules: with the same rules on both sides those would never be new. ``faults`` are further
    problems of check rules-file, which the code does not show.

    Raises LayercheckError where the selection names what is not there, and for names in a fragment that its place
    makes wrong.
    """
    config, before = settle(config, project.package_at), before or Earlier()
    chosen = select_rules(config, selection)
    demand_packages(project, selection.packages)
    comments = gather_comments(project)
    foreign = tuple(foreign)
    runs = [_apply(rule, project, comments, foreign, today) for rule in chosen]
    whole, unfiltered = not selection.packages, selection.is_everything
    old_names = before.fingerprints
    found_faults = faults_of(
        runs, config, project, comments, today, whole=whole, unfiltered=unfiltered, before=old_names
    )
    told = (*found_faults, *faults)
    made = {
        run.rule.name: _findings(run.rule, told if run.rule.check == rules_file.NAME else run.sifted.problems)
        for run in runs
    }
    gone: tuple[Entry, ...] = ()
    entries: dict[str, Entry] = {}
    if baseline is not None:
        found = [one for findings in made.values() for one in findings]
        gone = gone_entries(baseline, config, project, chosen, found, whole=whole, unfiltered=unfiltered)
        entries = known_as(baseline.entries, found)
        for rule in chosen:
            if rule.check == rules_file.NAME:
                made[rule.name] += _findings(rule, [stale_problem(entry, baseline.path, config) for entry in gone])
    by_path = {member.path: name for name, member in project.modules.items()} if selection.packages else {}
    findings: list[Finding] = []
    suppressed: list[Suppressed] = []
    summaries: list[RuleSummary] = []
    known = shrunk = old = 0
    for run in runs:
        is_rules_file = run.rule.check == rules_file.NAME
        shown = [
            one for one in made[run.rule.name] if is_rules_file or _is_shown(one.problem, by_path, selection.packages)
        ]
        were_there = {*old_names, *known_as(before.rings, shown)}
        new = [one for one in shown if is_rules_file or one.fingerprint not in were_there]
        left = [one for one in new if one.fingerprint not in entries]
        taken = [(one, entries[one.fingerprint]) for one in new if one.fingerprint in entries]
        findings += left
        suppressed += [*run.sifted.suppressed, *(known_finding(*one) for one in taken)]
        known += len(taken)
        shrunk += len({entry.fingerprint for one, entry in taken if entry.fingerprint != one.fingerprint})
        old += len(shown) - len(new)
        summaries.append(_summary(run, len(left), len(taken), len(runs), declared=bool(config.path)))
    ran = {run.rule.name for run in runs}
    summaries += [_silent(rule) for rule in config.rules if _is_silenced(rule) and rule.name not in ran]
    return Judgement(
        tuple(summaries),
        tuple(sorted(findings, key=_finding_order)),
        tuple(sorted(suppressed, key=_suppressed_order)),
        known,
        gone,
        shrunk,
        old,
    )


def select_rules(config: Config, selection: Selection) -> tuple[Rule, ...]:
    """The rules that run. A check that is named runs even where it is off by default.

    Raises LayercheckError for names that are neither of a check nor of a rule, or of a check that no rule uses, and
    where none is left that looks at the code.
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
    chosen = tuple(rule for rule in (_woken(rule, selection) for rule in config.rules) if _runs(rule, selection))
    if all(rule.check in _ALWAYS and not _is_named(rule, selection.select) for rule in chosen):
        raise LayercheckError(_nothing_runs(config, selection))
    return chosen


def _nothing_runs(config: Config, selection: Selection) -> str:
    narrowed = [option for option in ("select", "ignore") if getattr(selection, option)]
    if not narrowed:
        return f"{config.path}: every check is off, so nothing would be checked; leave one on"
    options = " and ".join(f"--{option}" for option in narrowed)
    return f"{options}: no check is left that would look at the code; leave one on"


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


def demand_packages(project: Project, packages: Iterable[str]) -> None:
    """See that there are packages or modules of these names.

    Raises LayercheckError for those that there are not.
    """
    known = {*project.modules, *project.packages}
    complaints = []
    for package in packages:
        if package not in known:
            close = nearest(package, known)
            hint = f"did you mean {close}?" if close else "give the dotted name of a package of this project"
            complaints.append(f"--package: no package or module is called {package!r}; {hint}")
    if complaints:
        raise LayercheckError(*complaints)


def _apply(rule: Rule, project: Project, comments: Comments, foreign: tuple[ForeignIgnores, ...], today: date) -> Run:
    check = all_checks()[rule.check]
    coverage = check.coverage(project, rule.options)
    return Run(rule, coverage, sift(rule, check, project, comments, foreign, today))


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
    """Whether a problem, an import of its chain or a member of its ring stands in one of the packages; what stands in
    a consumer is of none."""
    if not packages:
        return True
    module = by_path.get(problem.location.path)
    modules = [*([] if module is None else [module]), *(step.importer for step in problem.chain), *problem.ring]
    return any(is_within(module, package) for module in modules for package in packages)


def _summary(run: Run, findings: int, known: int, rules: int, *, declared: bool) -> RuleSummary:
    noun = run.coverage.noun
    if run.rule.check == rules_file.NAME:
        noun = f"{rules} rules" if declared else f"{rules} checks without a rules file"
    return RuleSummary(
        name=run.rule.name,
        check=run.rule.check,
        severity=run.rule.severity,
        modules=run.coverage.modules,
        imports=run.coverage.imports,
        findings=findings,
        suppressed=len(run.sifted.suppressed) + known,
        noun=noun,
        known=known,
        summary=all_checks()[run.rule.check].summary,
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
        summary=all_checks()[rule.check].summary,
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
