"""What the baseline knows of a run: which entries can be judged, and how what is wrong with them is told. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from layercheck.baseline import Baseline, Entry, known_as
from layercheck.checks import rules_file
from layercheck.config import Config, Rule
from layercheck.finding import Finding, Location, Problem, Suppressed
from layercheck.project import Project

UNREADABLE = "unreadable-files"


def gone_entries(
    baseline: Baseline,
    config: Config,
    project: Project,
    ran: Collection[Rule],
    found: Collection[Finding],
    *,
    whole: bool,
    unfiltered: bool,
) -> tuple[Entry, ...]:
    """The entries that are no longer true, of those of which it is known.

    ``ran``: the rules that ran, and ``found`` all that they found. ``whole``: whether all packages were looked at;
    ``unfiltered``: whether all rules ran as well. What a file holds that cannot be read by now is not known.
    """
    if config.is_partial or not whole or unread_since(baseline, project, ran, found):
        return ()
    present = {entry.fingerprint for entry in known_as(baseline.entries, found).values()}
    return tuple(
        entry for entry in _judged(baseline, config, ran, unfiltered=unfiltered) if entry.fingerprint not in present
    )


def unread_since(
    baseline: Baseline, project: Project, ran: Iterable[Rule], found: Iterable[Finding]
) -> tuple[str, ...]:
    """The paths of files that cannot be read and of which the baseline does not know that, so that they could be read
    when it was written."""
    if not any(rule.check == UNREADABLE for rule in ran):
        failed = (member for member in project.modules.values() if member.facts.failure and not member.vendored)
        return tuple(member.path for member in failed)
    known = {entry.fingerprint for entry in baseline.entries}
    return tuple(one.problem.location.path for one in found if one.check == UNREADABLE and one.fingerprint not in known)


def _judged(baseline: Baseline, config: Config, ran: Iterable[Rule], *, unfiltered: bool) -> Iterator[Entry]:
    """The entries whose rule ran, or of which there is no rule. Faults of the rules need all of them to have run."""
    declared = {rule.name for rule in config.rules}
    judged = {rule.name for rule in ran if unfiltered or rule.check != rules_file.NAME}
    for entry in baseline.entries:
        if entry.rule in judged or (unfiltered and entry.rule not in declared):
            yield entry


def stale_problem(entry: Entry, path: str, config: Config) -> Problem:
    """An entry that is no longer true, as a fault of the rules. ``path`` is the baseline's."""
    about = " -> ".join(entry.of[:2])
    if any(rule.name == entry.rule for rule in config.rules):
        message = f"the baseline knows a finding of {entry.rule} that is there no more: {about}"
    else:
        message = f"the baseline knows a finding of {entry.rule}, and no rule is called so: {about}"
    location = Location(path, entry.line, 1, entry.line, 1)
    mend = "take the line out, or run layercheck baseline prune"
    return rules_file.problem(location, message, mend, "baseline", entry.fingerprint)


def known_finding(finding: Finding, entry: Entry) -> Suppressed:
    """A finding that the baseline takes out."""
    problem = finding.problem
    return Suppressed(
        rule=finding.rule,
        check=finding.check,
        by="baseline",
        reason=entry.reason,
        location=problem.location,
        importer=problem.importer,
        imported=problem.imported,
        name=problem.name,
    )
