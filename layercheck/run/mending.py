"""Findings -> edits that mend them, each proved on the mended project before anything is written. Writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from layercheck.edits import DropImport, EditError, Fix, Redirect, Refusal, fix, lost, rewrite
from layercheck.extract import extract
from layercheck.extract.effects import first_effect
from layercheck.facts import ModuleFacts
from layercheck.finding import Finding
from layercheck.project import Project
from layercheck.run.novelty import Key, key_of, new_findings

_ROUNDS = 12
"""How often what the last edits left is looked at again: a chain of modules that pass a name on takes a round each."""

Judge = Callable[[Project], tuple[Finding, ...]]
Read = Callable[[str], bytes | str]
"""The bytes of the file at a path; or why it is not to be changed."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of some findings. The files on disk are as they were."""

    project: Project
    """With the edits made."""
    files: Mapping[str, tuple[bytes, bytes]]
    """By path, what each file that changes held and is to hold."""
    fixes: tuple[Fix, ...]
    refusals: tuple[Refusal, ...]
    """Findings that a fixer knows and that are still there, and why."""
    left: Counter[Key]
    """How many findings there are of each key once the edits are made."""

    def takes_away(self, findings: Iterable[Finding]) -> frozenset[str]:
        """Of the findings before the edits, the fingerprints of those that are there no more."""
        direct = {one.finding.fingerprint for one in self.fixes}
        findings = sorted(findings, key=lambda finding: finding.fingerprint not in direct)
        spare = Counter(map(key_of, findings)) - self.left
        gone = set()
        for finding in findings:
            key = key_of(finding)
            if spare[key] > 0:
                spare[key] -= 1
                gone.add(finding.fingerprint)
        return frozenset(gone)


def mend(project: Project, shown: Judge, every: Judge, read: Read, *, unsafe: bool) -> Mended:
    """Mend what can be mended of the findings that are ``shown``, without any new one among ``every``.

    Edits are made in rounds, for what one leaves over another may take away. A fix after which something new is found
    is left out, and all is done again without it.
    """
    before = every(project)
    refused: dict[Key, str] = {}
    files = _Files(project, read)
    while True:
        attempt = _Attempt(project, shown, files, unsafe, refused)
        attempt.run()
        culprits = _culprits(attempt, before, every)
        if not culprits:
            return attempt.mended(shown)
        refused |= culprits


def _culprits(attempt: _Attempt, before: tuple[Finding, ...], every: Judge) -> dict[Key, str]:
    """The fixes that left their finding or brought something new, and what."""
    if not attempt.fixes:
        return {}
    after = every(attempt.project)
    was, left, mended = (Counter(map(key_of, ones)) for ones in (before, after, _findings(attempt.fixes)))
    found = {key: "the finding would still be there" for key in mended if left[key] > max(was[key] - mended[key], 0)}
    for new in new_findings(before, after):
        place = new.problem.location
        why = f"it would leave {place.path}:{place.line}: {new.check}: {new.problem.message}"
        for one in _suspects(attempt.fixes, new):
            found.setdefault(key_of(one.finding), why)
    return found


def _suspects(fixes: Collection[Fix], new: Finding) -> list[Fix]:
    """The fixes that may have led to a finding: the nearest there are."""
    problem = new.problem
    here = [one for one in fixes if one.path == problem.location.path]
    about = {*problem.key, problem.importer, problem.imported}
    ways: tuple[list[Fix], ...] = (
        [one for one in here if problem.name and one.finding.problem.name == problem.name],
        here,
        [one for one in fixes if one.finding.problem.imported in about or one.finding.problem.importer in about],
    )
    return next((way for way in ways if way), [*fixes][-1:])


class _Files:
    """The files as they were judged, each read once."""

    def __init__(self, project: Project, read: Read) -> None:
        self._project = project
        self._read = read
        self._contents: dict[str, bytes | str] = {}
        self._effects: dict[str, int] = {}

    def content(self, path: str) -> bytes | str:
        """The bytes of a file; or why it is not to be changed."""
        if path not in self._contents:
            content = self._read(path)
            member = self._project.member(path)
            if isinstance(content, bytes) and (member is None or extract(content) != member.facts):
                content = "the file has changed since it was read; run again"
            self._contents[path] = content
        return self._contents[path]

    def effect(self, path: str) -> int:
        """The line at which a file does something when it is imported. Fixes take none out and put none in."""
        if path not in self._effects:
            content = self._read(path)
            self._effects[path] = 1 if isinstance(content, str) else first_effect(content)
        return self._effects[path]


@dataclass
class _Attempt:
    """Rounds of fixes, each made and proved before the next."""

    project: Project
    shown: Judge
    files: _Files
    unsafe: bool
    refused: dict[Key, str]
    """By finding, why it is left alone; grows."""
    fixes: list[Fix] = field(default_factory=list)
    refusals: dict[Key, Refusal] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    """Files as they are after the last round."""

    def run(self) -> None:
        """Make rounds of fixes until there is nothing left to do."""
        for _ in range(_ROUNDS):
            proposed = [*self._proposed(self.shown(self.project))]
            losses = self._losses(proposed) if proposed and not self.unsafe else {}
            self.refused |= losses
            safe = [one for one in proposed if key_of(one.finding) not in losses]
            contents, facts, made = self._rewritten(safe)
            if made:
                self.fixes += made
                self.contents |= contents
                self.project = self._with(facts)
            self._note(one.finding for one in proposed)
            if not made:
                return

    def _note(self, findings: Iterable[Finding]) -> None:
        """Write down which of them were refused."""
        for finding in findings:
            key = key_of(finding)
            if key in self.refused:
                self.refusals.setdefault(key, Refusal(finding, self.refused[key]))

    def mended(self, shown: Judge) -> Mended:
        """The outcome."""
        files: dict[str, tuple[bytes, bytes]] = {}
        for path, new in self.contents.items():
            old = self.files.content(path)
            if isinstance(old, bytes) and old != new:
                files[path] = (old, new)
        left = Counter(map(key_of, shown(self.project)))
        refusals = tuple(refusal for key, refusal in self.refusals.items() if left[key])
        return Mended(self.project, files, tuple(self.fixes), refusals, left)

    def _proposed(self, findings: tuple[Finding, ...]) -> Iterator[Fix]:
        for finding in findings:
            key = key_of(finding)
            answer = fix(self.project, finding, unsafe=self.unsafe)
            if isinstance(answer, Fix):
                content = self._content(answer.path)
                why = self.refused.get(key) or (content if isinstance(content, str) else "")
                if not why:
                    yield answer
                    continue
                answer = Refusal(finding, why)
            if answer is not None:
                self.refusals.setdefault(key, answer)

    def _content(self, path: str) -> bytes | str:
        return self.contents.get(path) or self.files.content(path)

    def _rewritten(self, fixes: list[Fix]) -> tuple[dict[str, bytes], dict[str, ModuleFacts], list[Fix]]:
        """The files with the fixes made that can be made together; the others are refused."""
        contents: dict[str, bytes] = {}
        facts: dict[str, ModuleFacts] = {}
        made: list[Fix] = []
        by_path: dict[str, list[Fix]] = {}
        for one in fixes:
            by_path.setdefault(one.path, []).append(one)
        for path, wanted in by_path.items():
            try:
                contents[path], facts[path] = self._rewrite(path, wanted)
            except EditError:
                wanted = self._one_by_one(path, wanted)
                if not wanted:
                    continue
                contents[path], facts[path] = self._rewrite(path, wanted)
            made += wanted
        return contents, facts, made

    def _one_by_one(self, path: str, fixes: list[Fix]) -> list[Fix]:
        """Those of the fixes of a file that can be made, each with those before it."""
        made: list[Fix] = []
        for one in fixes:
            why = self._prevents(path, [*made, one])
            if why:
                self.refused[key_of(one.finding)] = why
            else:
                made.append(one)
        return made

    def _prevents(self, path: str, fixes: list[Fix]) -> str:
        """Why these fixes cannot be made together; empty where they can."""
        try:
            self._rewrite(path, fixes)
        except EditError as error:
            return str(error)
        return ""

    def _rewrite(self, path: str, fixes: list[Fix]) -> tuple[bytes, ModuleFacts]:
        content, member = self._content(path), self.project.member(path)
        if isinstance(content, str) or member is None:
            raise EditError(str(content))
        changes = [change for one in fixes for change in one.changes]
        return rewrite(content, member.facts, member.base, changes, keep_something=member.package)

    def _with(self, facts: Mapping[str, ModuleFacts]) -> Project:
        project = self.project
        known = {member.path: facts.get(member.path, member.facts) for member in project.members}
        return Project(project.layout, known, project.api)

    def _losses(self, fixes: list[Fix]) -> dict[Key, str]:
        """The fixes with which something is lost that an import does."""
        links = {(link.path, link.index): link for link in self.project.all_links}
        goes = [
            (one, links[one.path, change.position], change.home if isinstance(change, Redirect) else "")
            for one in fixes
            for change in one.changes
            if isinstance(change, DropImport | Redirect) and (one.path, change.position) in links
        ]
        left = self.project.without([link for _, link, _ in goes])
        told = ((one, lost(self.project, left, link, home, self.files.effect)) for one, link, home in goes)
        return {key_of(one.finding): f"{why}; --unsafe does it all the same" for one, why in told if why}


def _findings(fixes: Iterable[Fix]) -> Iterator[Finding]:
    return (one.finding for one in fixes)
