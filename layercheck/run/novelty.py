"""Two judgements of a project, before and after -> which findings the later one has that the earlier had not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from layercheck.finding import Finding, identity

Key = tuple[str, ...]


def key_of(finding: Finding) -> Key:
    """What tells a finding from others, whatever its line is; equals share it."""
    return (finding.check, finding.rule, finding.problem.location.path, *identity(finding.problem))


def new_findings(before: Iterable[Finding], after: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that were not there before. What is left of a ring is not new."""
    known = Counter(map(key_of, before))
    rings = [(one.rule, frozenset(one.problem.key)) for one in before if one.check == "cycles"]
    for finding in after:
        key = key_of(finding)
        known[key] -= 1
        left = frozenset(finding.problem.key)
        if known[key] < 0 and not any(finding.rule == rule and left <= ring for rule, ring in rings):
            yield finding
