"""Texts that name the old home of what moved: patch targets, other dotted strings, and words in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.moves.model import SiteState, Target
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side


@dataclass(frozen=True, slots=True)
class _Text:
    path: str
    line: int
    text: str
    patch: bool


class Renaming:
    """How dotted texts are to be rewritten after the moves."""

    def __init__(self, change: Change, pairs: Sequence[Pair]) -> None:
        self._names: dict[str, tuple[str, str]] = {}
        homes: dict[str, set[str]] = {}
        for pair in pairs:
            (home, name), (new_home, new_name) = pair.before.key, pair.after.key
            self._names[names.join(home, name)] = (new_home, new_name)
            homes.setdefault(home, set()).add(new_home)
        self.homes: Mapping[str, frozenset[str]] = {home: frozenset(found) for home, found in homes.items()}
        self._read = {
            names.join(pair.before.member.name, free.name)
            for pair in pairs
            for free in change.old.needs(pair.before.member.path, [pair.before.statement.start])[0].names
        }

    def of(self, text: str) -> str | None:
        """What a dotted text becomes that names something that moved, or something below it; None for any other."""
        for prefix in names.lineage(text.replace(":", ".")):
            if prefix in self._names:
                separator = text[len(names.parent(prefix))]
                return separator.join(self._names[prefix]) + text[len(prefix) :]
        return None

    def may_be(self, before: str, after: str) -> bool:
        """Whether one text is another one rewritten: a moved name, a name that moved code reads, or a home itself."""
        if self.of(before) == after:
            return True
        if before.count(":") != after.count(":"):
            return False
        before, after = before.replace(":", "."), after.replace(":", ".")
        for prefix in names.lineage(before):
            for new_home in self.homes.get(prefix, ()):
                rest = names.relative(before, prefix)
                read = not rest or names.join(prefix, names.head(rest)) in self._read
                if read and names.join(new_home, rest) == after:
                    return True
        return False

    def concerns(self, text: str) -> bool:
        """Whether a patch target names what moved code reads from its old home, though that did not move itself."""
        return any(prefix in self._read for prefix in names.lineage(text))


def targets(change: Change, renaming: Renaming) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """The patch targets and the other dotted strings that name, or named, the old home of what moved."""
    found: tuple[list[Target], list[Target]] = ([], [])
    olds: dict[tuple[str, str], list[_Text]] = {}
    for old in _texts(change.old):
        if renaming.of(old.text) is not None or (old.patch and renaming.concerns(old.text)):
            olds.setdefault((old.path, old.text), []).append(old)
    news: dict[str, list[_Text]] = {}
    interesting = {path for path, _ in olds}
    for new in _texts(change.new):
        if new.path in interesting or renaming.of(new.text) is not None:
            news.setdefault(new.path, []).append(new)
    for (path, text), group in olds.items():
        here = news.get(path, [])
        same = [new for new in here if new.text == text]
        rewritten = [new for new in here if new.text != text and renaming.may_be(text, new.text)]
        for old in group:
            kept = found[0] if old.patch else found[1]
            if rewritten and len(same) < len(group):
                twin = rewritten.pop(0)
                here.remove(twin)
                kept.append(Target(path, old.line, twin.line, text, "redirected", twin.text))
            elif same:
                twin = same.pop(0)
                here.remove(twin)
                kept.append(_still(change.new, twin, old.line, renaming))
            else:
                kept.append(Target(path, old.line, None, text, "removed"))
    for here in news.values():
        for new in here:
            if renaming.of(new.text) is not None:
                (found[0] if new.patch else found[1]).append(_still(change.new, new, None, renaming))
    patches, strings = (
        tuple(sorted(part, key=lambda one: (one.path, one.old_line or one.new_line or 0))) for part in found
    )
    return patches, strings


def patching(side: Side, renaming: Renaming) -> Iterator[str]:
    """The files that patch what moved code reads from its old home."""
    return (text.path for text in _texts(side) if text.patch and renaming.concerns(text.text))


def entry_points(change: Change, pairs: Iterable[Pair]) -> tuple[Target, ...]:
    """What project files name of what moved, as entry points: in the new state by the old home, or by the new one."""
    found: list[Target] = []
    for pair in pairs:
        new = names.join(*pair.after.key)
        for home, name in (pair.before.key, pair.after.key):
            stale = (home, name) == pair.before.key
            for use in change.new.project.uses.takers(home, name):
                if use.how == "string" and use.path not in change.new.by_path:
                    shown = names.join(home, name)
                    state: SiteState = "still-old" if stale else "redirected"
                    found.append(Target(use.path, None, use.line, shown, state, new, broken=stale))
    return tuple(found)


def _still(side: Side, text: _Text, old_line: int | None, renaming: Renaming) -> Target:
    return Target(
        text.path, old_line, text.line, text.text, "still-old", renaming.of(text.text), _is_broken(side, text)
    )


def _is_broken(side: Side, text: _Text) -> bool:
    """Whether a dotted text begins in the project and leads to nothing."""
    index, dotted = side.project.index, text.text.replace(":", ".")
    missing = index.missing_below(dotted)
    if not missing:
        return False
    home = names.parent(missing)
    member = side.member(home)
    if member is None:
        return bool(home) and not index.open_submodules(home)
    return side.project.resolver.find(member, names.tail(missing)) == "missing"


def _texts(side: Side) -> Iterator[_Text]:
    tops, resolver = side.project.index.tops, side.project.resolver
    for member in side.project.members:
        for string in member.facts.strings:
            if names.head(string.text) in tops:
                yield _Text(member.path, string.span.line, string.text, patch=False)
        for patch in member.facts.patches:
            if patch.target:
                yield _Text(member.path, patch.span.line, patch.target, patch=True)
            for module in sorted(resolver.bound_modules(member, patch.scope, patch.name)) if patch.name else ():
                yield _Text(member.path, patch.span.line, names.join(module, patch.attributes), patch=True)


def words(
    change: Change, pairs: Iterable[Pair], prose: Mapping[str, str], known: Iterable[Target]
) -> tuple[Target, ...]:
    """Words in comments and in other files of the new state that still name the old home of what moved.

    ``prose``: the texts of other files, by path.
    """
    renamed: dict[str, str] = {}
    for pair in pairs:
        (home, name), new = pair.before.key, names.join(*pair.after.key)
        renamed[names.join(home, name)] = renamed[f"{home}:{name}"] = new
        if change.new.member(home) is None:
            renamed.setdefault(home, pair.after.member.name)
    if not renamed:
        return ()
    spelt = sorted(renamed, key=len, reverse=True)
    pattern = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, spelt)) + r")(?!\w)")
    told = {(one.path, one.new_line) for one in known}
    found: list[Target] = []
    for path, text in sorted({**_python(change.new), **prose}.items()):
        if not pattern.search(text):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            match = pattern.search(line)
            if match and (path, number) not in told and not line.lstrip().startswith(("import ", "from ")):
                found.append(Target(path, None, number, match.group(), "still-old", renamed[match.group()]))
    return tuple(found)


def _python(side: Side) -> dict[str, str]:
    return {path: content.decode("utf-8", "replace") for path, content in side.contents.items()}
