"""Two judgements of a project, before and after -> which findings the later one has that the earlier had not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from layercheck.finding import Finding, identity

Key = tuple[str, ...]


def key_of(finding: Finding) -> Key:
    """What tells a finding from others, whatever its line is; equals share it."""
    return (finding.check, finding.rule, finding.problem.location.path, *identity(finding.problem))


def new_findings(before: Iterable[Finding], after: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that were not there before. What is left of a ring is not new, unless it fails now and did not."""
    before = tuple(before)
    known = Counter(map(key_of, before))
    for finding in after:
        key = key_of(finding)
        known[key] -= 1
        if finding.problem.ring:
            if not is_left_of_a_ring(before, finding):
                yield finding
        elif known[key] < 0:
            yield finding


def is_left_of_a_ring(before: Iterable[Finding], finding: Finding, called: Mapping[str, str] | None = None) -> bool:
    """Whether a ring is what is left of one that was there, and fails no more surely than that. ``called``: what its
    members were called before, where that was otherwise."""
    left = frozenset((called or {}).get(name, name) for name in finding.problem.key)
    return any(
        finding.rule == one.rule and left <= frozenset(one.problem.key) and finding.problem.fails <= one.problem.fails
        for one in before
        if one.problem.ring
    )
