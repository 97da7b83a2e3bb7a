"""Ignores: which problems and imports an entry, an in-line comment or another linter's comment takes out, and which
of them are not used. Judges no import itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import msgspec

from layercheck.checks import Check, rules_file
from layercheck.config import ForeignIgnores, IgnoreEntry, Rule
from layercheck.extract.comments import MISSPELT
from layercheck.facts import Comment
from layercheck.finding import Location, Problem, Related, Suppressed, fingerprint
from layercheck.names import head, is_pattern, join, matches, nearest
from layercheck.project import Link, Project
from layercheck.project.imports import links_by_path

_MEANINGS: Mapping[str, tuple[str, ...]] = {
    "orphaned-imports": ("F401", "W0611", "unused-import"),
    "broken-imports": ("E0401", "import-error", "E0611", "no-name-in-module"),
    "cycles": ("R0401", "cyclic-import"),
}
"""The codes of pyflakes and pylint that mean the same as a check."""

_BLANKET_NOQA = "orphaned-imports"
"""The only check that means what a linter that reads a bare ``# noqa`` also says."""

Used = tuple[str, int, str]
"""An in-line ignore that took something out: path, index among its file's comments, code (empty for none)."""


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of all files that may silence something."""

    own: Mapping[str, tuple[tuple[int, Comment], ...]]
    """layercheck's, by path, each with its index among its file's comments."""
    foreign: Mapping[str, tuple[Comment, ...]]
    """Those for other linters, by path."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """What is left of one rule's problems, and what its ignores did."""

    problems: tuple[Problem, ...]
    suppressed: tuple[Suppressed, ...] = ()
    matched: Mapping[int, Sequence[Suppressed]] = field(default_factory=dict)
    """The sites that each ignore entry matched, by its index."""
    used: frozenset[Used] = frozenset()


@dataclass(frozen=True, slots=True)
class _Site:
    """An import or a problem, as ignores see it."""

    location: Location
    importer: str | None
    imported: str | None
    name: str | None
    external: bool = False


def gather_comments(project: Project) -> Comments:
    """The silencing comments of a project; in vendored code only those for other linters."""
    own: dict[str, tuple[tuple[int, Comment], ...]] = {}
    foreign: dict[str, tuple[Comment, ...]] = {}
    for member in project.members:
        if not member.facts.comments:
            continue
        numbered = tuple(enumerate(member.facts.comments))
        mine = tuple((index, comment) for index, comment in numbered if comment.tool == "layercheck")
        others = tuple(comment for _, comment in numbered if comment.tool != "layercheck")
        if mine and not member.vendored:
            own[member.path] = mine
        if others:
            foreign[member.path] = others
    return Comments(own, foreign)


def sift(
    rule: Rule,
    check: Check,
    project: Project,
    comments: Comments,
    foreign: Iterable[ForeignIgnores],
    today: date,
) -> Sifted:
    """The problems of one rule, without what its ignores take out.

    A check of the graph never sees an ignored import; of other checks, the problem is taken away. An entry that
    ended before ``today`` takes nothing out.
    """
    sieve = _Sieve(rule, comments, tuple(foreign), today)
    if check.counts is None:
        problems = tuple(
            problem for problem in check.find(project, rule.options) if not sieve.takes(_problem_site(problem))
        )
    else:
        taken: list[Link] = []
        if candidates := sieve.candidates(project):
            counted = check.counts(project, rule.options)
            taken = [link for link in candidates if counted(link) and sieve.takes(_link_site(link))]
        problems = tuple(check.find(project.without(taken) if taken else project, rule.options))
    return Sifted(problems, tuple(sieve.suppressed), sieve.matched, frozenset(sieve.used))


class _Sieve:
    def __init__(self, rule: Rule, comments: Comments, foreign: tuple[ForeignIgnores, ...], today: date) -> None:
        self._rule = rule
        self._comments = comments
        self._codes = _MEANINGS.get(rule.check, ())
        self._foreign = tuple(
            ignores for ignores in foreign if any(_is_code(code, self._codes) for code in ignores.codes)
        )
        self._exact: dict[tuple[str, str], list[int]] = {}
        self._patterns: list[int] = []
        for index, entry in enumerate(rule.ignore):
            if is_expired(entry, today):
                continue
            if is_pattern(entry.importer) or is_pattern(entry.imported):
                self._patterns.append(index)
            else:
                self._exact.setdefault((entry.importer, entry.imported), []).append(index)
        self.suppressed: list[Suppressed] = []
        self.matched: dict[int, list[Suppressed]] = {}
        self.used: set[Used] = set()

    def candidates(self, project: Project) -> Sequence[Link]:
        """The links that an ignore may take out, in order: of others nobody need ask whether the rule counts them."""
        if self._patterns or self._foreign or (self._codes and self._comments.foreign):
            return project.links
        own = (self._rule.name, self._rule.check)
        paths = {
            path
            for path, numbered in self._comments.own.items()
            if any(not comment.codes or not set(own).isdisjoint(comment.codes) for _, comment in numbered)
        }
        importers = {importer for importer, _ in self._exact}
        if importers:
            paths.update(member.path for member in project.members if member.id in importers)
        table = links_by_path(project)
        return [link for path in sorted(paths) for link in table.get(path, ())]

    def takes(self, site: _Site) -> bool:
        """Whether an ignore takes it out; keeps account of which."""
        by_entry = [self._by_entry(index, site) for index in self._entries(site)]
        found = [*by_entry, *self._by_comment(site)]
        self.suppressed += found[:1]
        return bool(found) or self._by_foreign(site)

    def _entries(self, site: _Site) -> Iterator[int]:
        if site.importer is None or site.imported is None:
            return
        whole = join(site.imported, site.name or "")
        for imported in dict.fromkeys((site.imported, whole)):
            yield from self._exact.get((site.importer, imported), ())
        for index in self._patterns:
            entry = self._rule.ignore[index]
            if matches(site.importer, entry.importer) and _matches_imported(site, whole, entry.imported):
                yield index

    def _by_entry(self, index: int, site: _Site) -> Suppressed:
        taken = self._suppressed("entry", self._rule.ignore[index].reason, site)
        self.matched.setdefault(index, []).append(taken)
        return taken

    def _by_comment(self, site: _Site) -> Iterator[Suppressed]:
        for index, comment in self._comments.own.get(site.location.path, ()):
            codes = [code for code in comment.codes if code in (self._rule.name, self._rule.check)]
            if _covers(comment, site) and (codes or not comment.codes):
                self.used.update((site.location.path, index, code) for code in codes or [""])
                yield self._suppressed("comment", comment.reason, site)

    def _by_foreign(self, site: _Site) -> bool:
        if not self._codes:
            return False
        if any(ignores.covers(site.location.path) for ignores in self._foreign):
            return True
        return any(
            _covers(comment, site) and self._means(comment)
            for comment in self._comments.foreign.get(site.location.path, ())
        )

    def _means(self, comment: Comment) -> bool:
        if not comment.codes:
            return comment.tool == "pylint" or self._rule.check == _BLANKET_NOQA
        return any(_is_code(code, self._codes) for code in comment.codes)

    def _suppressed(self, by: str, reason: str, site: _Site) -> Suppressed:
        return Suppressed(
            rule=self._rule.name,
            check=self._rule.check,
            by="entry" if by == "entry" else "comment",
            reason=reason,
            location=site.location,
            importer=site.importer,
            imported=site.imported,
            name=site.name,
        )


def is_expired(entry: IgnoreEntry, today: date) -> bool:
    """Whether the last day of an entry is over."""
    return entry.until is not None and entry.until < today


def _covers(comment: Comment, site: _Site) -> bool:
    return comment.first <= site.location.line <= comment.last


def _is_code(code: str, meanings: Collection[str]) -> bool:
    """Whether a code, as written for another linter, takes one of the meanings in: ``F`` takes in ``F401``."""
    if code.lower() == "all":
        return bool(meanings)
    upper = code.upper()
    return any(
        code == one or (upper[:1] == one[:1] and one.startswith(upper)) for one in meanings if one[0].isupper()
    ) or (code in meanings)


def _matches_imported(site: _Site, whole: str, wanted: str) -> bool:
    # A pattern of modules must not take in the names of the module above them; an outside name may be either.
    if matches(site.imported or "", wanted):
        return True
    return (site.external or not is_pattern(wanted)) and matches(whole, wanted)


def _link_site(link: Link) -> _Site:
    span = link.span
    location = Location(link.path, span.line, span.column, span.end_line, span.end_column)
    return _Site(location, link.importer, link.imported, link.name or None, link.external)


def _problem_site(problem: Problem) -> _Site:
    return _Site(problem.location, problem.importer, problem.imported, problem.name)


def fingerprinted(taken: Iterable[Suppressed]) -> Iterator[tuple[str, Suppressed]]:
    """What ignores took out, by place, each with a fingerprint; no finding has the same."""
    equals: Counter[str] = Counter()
    for one in sorted(taken, key=lambda one: (one.location.path, one.location.line, one.location.column)):
        about = Problem(message="", location=one.location, importer=one.importer, imported=one.imported, name=one.name)
        first = fingerprint("ignored", one.rule, about, 0)
        yield fingerprint("ignored", one.rule, about, equals[first]), one
        equals[first] += 1


def _matches(taken: Sequence[Suppressed], before: Collection[str]) -> tuple[Related, ...]:
    """The imports that an entry matched; of those that were there before, none where others were not."""
    numbered = [*fingerprinted(taken)]
    new = [one for name, one in numbered if name not in before] if before else []
    word = "new: " if new else ""
    return tuple(
        Related(
            one.location.path,
            one.location.line,
            f"{word}{one.importer} imports {join(one.imported or '', one.name or '')}",
        )
        for one in new or [one for _, one in numbered]
    )


def judge_entries(
    rule: Rule,
    sifted: Sifted,
    project: Project,
    today: date,
    *,
    whole: bool,
    partial: bool = False,
    before: Collection[str] = (),
) -> Iterator[Problem]:
    """What is wrong with the ignore entries of a rule that has run: expired, over ``max``, or matching nothing.

    ``whole``: whether the rule ran unfiltered, so that use can be judged. ``partial``: whether only a part of the code
    was read, so that an entry may be used elsewhere. ``before``: the fingerprints of what was there before.
    """
    for index, entry in enumerate(rule.ignore):
        location = Location(rule.file, entry.line, 1, entry.line, 1)
        shown = f"{entry.importer} -> {entry.imported}"
        taken = sifted.matched.get(index, ())
        count = len(taken)
        if is_expired(entry, today):
            yield rules_file.problem(
                location,
                f"the ignore of {shown} in rule {rule.name} ended on {entry.until}, so the import counts again",
                "mend the import and remove the entry, or give it a later date",
                rule.name,
                shown,
                "expired",
            )
        elif whole and not partial and not count and not entry.optional and not _may_be_used(entry, project):
            yield rules_file.problem(
                location,
                f"the ignore of {shown} in rule {rule.name} is not used: {_why_unused(entry, project)}",
                "remove the entry",
                rule.name,
                shown,
                "unused",
            )
        elif whole and entry.max is not None and count > entry.max:
            over = rules_file.problem(
                location,
                f"the ignore of {shown} in rule {rule.name} matches {count} imports, and max is {entry.max}",
                "mend the imports that are too many",
                rule.name,
                shown,
                "max",
            )
            yield msgspec.structs.replace(over, related=_matches(taken, before))


def _may_be_used(entry: IgnoreEntry, project: Project) -> bool:
    """Whether a file on either side cannot be read, so that its imports and names are not known."""
    return any(
        member.facts.failure and (matches(member.id, entry.importer) or matches(member.id, entry.imported))
        for member in project.members
    )


def _why_unused(entry: IgnoreEntry, project: Project) -> str:
    importers = {member.id for member in project.members}
    imported = {one for link in project.all_links for one in (link.imported, join(link.imported, link.name))}
    for side, known in ((entry.importer, importers), (entry.imported, importers | imported | project.packages)):
        if not is_pattern(side) and side not in known:
            close = nearest(side, known)
            # What is outside the project need not be imported by anybody.
            if close or side == entry.importer or head(side) in project.index.tops:
                return f"no module is called {side}" + (f"; did you mean {close}?" if close else "")
    return "the rule counts no such import"


def doubtful_lines(project: Project) -> frozenset[tuple[str, int]]:
    """The places, by path and line, of imports of what cannot be read, of which nobody knows what they would bring."""
    unread = {member.name for member in project.members if member.facts.failure}
    links = project.links if unread else ()
    return frozenset((link.path, link.span.line) for link in links if link.imported in unread)


def judge_comments(
    comments: Comments,
    used: Collection[Used],
    known: Collection[str],
    judged: Collection[str],
    whole: bool,
    doubtful: Collection[tuple[str, int]] = (),
) -> Iterator[Problem]:
    """What is wrong with the in-line ignores: no reason, no name or an unknown one, or nothing that they took out.

    ``known``: the names of all checks and rules. ``judged``: those of them that ran unfiltered. ``whole``: whether
    all of them did, so that an ignore that names none can be judged. ``doubtful``: the lines on which one may be needed
    though nothing is found.
    """
    for path, numbered in comments.own.items():
        for index, comment in numbered:
            span = comment.span
            covered = range(comment.first, comment.last + 1)
            may_be_needed = bool(doubtful) and any(place == path and line in covered for place, line in doubtful)
            location = Location(path, span.line, span.column, span.end_line, span.end_column)
            meant = [code.removeprefix(MISSPELT) for code in comment.codes if code.startswith(MISSPELT)]
            if meant:
                yield rules_file.problem(
                    location,
                    f"layercheck knows no comment {meant[0]}, so this one silences nothing",
                    "write ignore, the names of checks or rules in brackets and a reason, or remove it",
                    meant[0],
                    "misspelt",
                )
                continue
            if not comment.reason.strip():
                yield rules_file.problem(
                    location, "this ignore gives no reason", "write the reason behind the brackets", "reason"
                )
            if not comment.codes and whole and (path, index, "") not in used and not may_be_needed:
                yield rules_file.problem(location, "this ignore is not used", "remove it", "unused")
            elif not comment.codes:
                yield rules_file.problem(
                    location,
                    "this ignore names no check and no rule, so it hides whatever comes up here",
                    "name what it is for, in brackets right behind ignore",
                    "blanket",
                )
            for code in comment.codes:
                if code not in known:
                    close = nearest(code, known)
                    yield rules_file.problem(
                        location,
                        f"no check or rule is called {code!r}" + (f"; did you mean {close!r}?" if close else ""),
                        "name a check or a rule, or remove it",
                        code,
                        "unknown",
                    )
                elif code in judged and (path, index, code) not in used and not may_be_needed:
                    yield rules_file.problem(
                        location, f"this ignore of {code} is not used", "remove it", code, "unused"
                    )
