"""Who takes what moved: each place before and after, and what of the old home is still in use."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from layercheck import names
from layercheck.facts import Import
from layercheck.moves.meaning import Meanings
from layercheck.moves.model import Category, OldHome, Reason, Site
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side
from layercheck.project import Member, Origin, Use

Key = tuple[str, str]
"""A home and a name in it."""
_SiteKind = Literal["module", "function", "typing"]


@dataclass(frozen=True, slots=True)
class Taken:
    """One import of something, in one state."""

    member: Member
    taken: Import
    module: str
    """The module it is asked from."""
    broken: bool

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.taken.span.line


class Takers:
    """The imports of one state that come to definitions of interest, or ask for them where they are no more."""

    def __init__(self, side: Side, wanted: Iterable[Key], homes: Iterable[Key] = ()) -> None:
        """``wanted``: where they are. ``homes``: where they would be asked for in vain."""
        self._table: dict[Key, list[Taken]] = defaultdict(list)
        wanted, homes = frozenset(wanted), frozenset(homes)
        spelt = {name for _, name in wanted | homes}
        resolver = side.project.resolver
        passing = self._passing(side, spelt)
        for member in side.project.members:
            for position, taken in enumerate(member.facts.imports):
                if not taken.name or taken.name == "*" or (taken.name not in spelt and taken.name not in passing):
                    continue
                target = resolver.target(member, position)
                asked = (target.module, target.name)
                if target.outcome in ("missing-module", "missing-name", "unknown"):
                    module = resolver.module_of(member, taken)
                    key = (module, taken.name) if isinstance(module, str) else None
                    if key in homes:
                        # A module with __getattr__ may still give it: then it is taken from there, and not in vain.
                        broken = target.outcome != "unknown"
                        self._table[key].append(Taken(member, taken, key[0], broken))
                elif target.outcome == "name":
                    for origin in resolver.import_origins(member, position):
                        if (origin.module, origin.name) in wanted:
                            broken = target.typing_only
                            self._table[origin.module, origin.name].append(Taken(member, taken, asked[0], broken))

    @staticmethod
    def _passing(side: Side, spelt: set[str]) -> set[str]:
        """The names under which others may take what is spelt so: ``from m import x as y`` makes it ``y``."""
        return {
            taken.bound
            for member in side.project.members
            for taken in member.facts.imports
            if taken.name in spelt and taken.aliased
        }

    def of(self, key: Key) -> list[Taken]:
        """The imports of a definition, in the order of paths and lines."""
        return sorted(self._table.get(key, ()), key=lambda one: (one.member.path, one.line))


class Sites:
    """Finds the sites of every move."""

    def __init__(self, change: Change, pairs: Iterable[Pair], meanings: Meanings) -> None:
        self._change = change
        self._meanings = meanings
        pairs = tuple(pairs)
        before = [pair.before.key for pair in pairs]
        after = [pair.after.key for pair in pairs]
        self.before = Takers(change.old, before)
        self.after = Takers(change.new, after, before)
        self._by_text = _imports_by_text(change.new)
        self._bodies: dict[str, list[Pair]] = defaultdict(list)
        for pair in pairs:
            self._bodies[pair.before.member.path].append(pair)

    def of(self, pair: Pair) -> tuple[Site, ...]:
        """Every place that takes a definition, or took it."""
        olds = self.before.of(pair.before.key)
        # In vain from the old home, or from wherever it is: both are looked up by what they come to.
        news = [*self.after.of(pair.after.key), *self.after.of(pair.before.key)]
        left = list(dict.fromkeys(news))
        found: list[Site] = []
        for old in olds:
            path = self._path_now(old)
            twin = _twin(old, [new for new in left if new.member.path == path])
            if twin is None:
                kind, category = _kind(self._change.old, old), _category(old.member)
                found.append(Site(old.member.path, old.line, None, kind, category, "removed"))
                continue
            left.remove(twin)
            found.append(self._site(pair, old, twin))
        found += [self._site(pair, None, new) for new in left]
        found += self._attributes(pair)
        return tuple(sorted(found, key=lambda one: (one.path, one.old_line or one.new_line or 0, one.kind)))

    def _path_now(self, old: Taken) -> str:
        """The file in which an import stands now: it goes where the definition around it goes, or most of
        its file."""
        for pair in self._bodies.get(old.member.path, ()):
            statement = pair.before.statement
            if statement.start <= old.line <= statement.last:
                return pair.after.member.path
        left = self._bodies.get(old.member.path)
        if left and old.member.path not in self._change.new.by_path:
            return Counter(pair.after.member.path for pair in left).most_common(1)[0][0]
        return old.member.path

    def _site(self, pair: Pair, old: Taken | None, new: Taken) -> Site:
        home, new_home = pair.before.member.name, pair.after.member.name
        through = None if new.module == new_home else new.module
        passage = None if through is None else self._passage(through, new.taken.name, pair)
        return Site(
            path=new.member.path,
            old_line=old.line if old is not None else None,
            new_line=new.line,
            kind=_kind(self._change.new, new),
            category=_category(new.member),
            state="redirected" if through is None else "still-old" if through == home else "via",
            through=through,
            passage=passage,
            broken=new.broken,
            old_path=old.member.path if old is not None and old.member.path != new.member.path else None,
        )

    def _passage(self, through: str, name: str, pair: Pair) -> Literal["shim", "facade", "accident"] | None:
        member = self._change.new.member(through)
        if member is None:
            return None
        return _passage(self._change.new, member, name, pair.after.member.name)

    def _attributes(self, pair: Pair) -> Iterator[Site]:
        """Reads by attribute and through star imports, which have no import of their own."""
        home, name = pair.before.key
        new_home, new_name = pair.after.key
        olds = _reads(self._change.old, home, name, ("attribute", "star"))
        stale = _reads(self._change.new, home, name, ("attribute",))
        news = _reads(self._change.new, new_home, new_name, ("attribute", "star"))
        for use in olds:
            twins = [one for one in news if (one.path, one.how) == (use.path, use.how)]
            still = [one for one in stale if one.path == use.path]
            kind: Literal["attribute", "star"] = "star" if use.how == "star" else "attribute"
            if twins:
                news.remove(twins[0])
                yield Site(use.path, use.line, twins[0].line, kind, _category_of(use), "redirected")
            elif not still:
                yield Site(use.path, use.line, None, kind, _category_of(use), "removed", broken=self._lost(use, pair))
        for use in stale:
            yield self._stale(use, pair)
        for use in news:
            kind = "star" if use.how == "star" else "attribute"
            yield Site(use.path, None, use.line, kind, _category_of(use), "redirected")

    def _lost(self, use: Use, pair: Pair) -> bool:
        """Whether a file that took a definition through a star import still reads its name and gets something else."""
        member = self._change.new.by_path.get(use.path)
        if use.how != "star" or member is None or pair.before.name not in member.facts.uses:
            return False
        found = self._meanings.origins(self._change.new, member, pair.before.name)
        return found != {Origin("defined", *pair.after.key)}

    def _stale(self, use: Use, pair: Pair) -> Site:
        home, name = pair.before.key
        member = self._change.new.member(home)
        bound = member is not None and self._change.new.project.resolver.find(member, name) in ("bound", "open")
        passage = None if member is None else _passage(self._change.new, member, name, pair.after.member.name)
        return Site(
            use.path, None, use.line, "attribute", _category_of(use), "still-old", home, passage, broken=not bound
        )

    def unclear(self, pair: Pair) -> Iterator[tuple[str, int, Reason]]:
        """Where it cannot be told whether a definition is taken from its old home: path, line and why."""
        home = pair.before.member.name
        member = self._change.new.member(home)
        if member is None:
            return
        for use in self._change.new.project.uses.whole(home):
            yield (
                use.path,
                use.line,
                Reason("{0} is used as a whole: what is taken from it cannot be told", (member.id,)),
            )
        for use in self._passed_on(home, pair.before.name):
            why = Reason("{0} is used as a whole: what is taken from it cannot be told", (names.head(home),))
            yield use.path, use.line, why
        for path, line in self._by_text.get(home, ()):
            yield path, line, Reason("{0} is imported by its text: what is taken from it cannot be told", (member.id,))
        if member.facts.reads_by_name:
            why = Reason("{0} may read any name of its own ({1})", (member.id, member.facts.reads_by_name))
            yield member.path, 1, why

    def _passed_on(self, home: str, name: str) -> Iterator[Use]:
        """Who hands on a package above a home, in a file that spells the way from such a package to the name."""
        way = (".", names.tail(home), ".", name)
        for package in names.lineage(names.parent(home)):
            for use in self._change.new.project.uses.whole(package):
                texts = [one.text for one in self._change.new.tokens(use.path) or ()]
                if any(tuple(texts[index : index + len(way)]) == way for index in range(len(texts))):
                    yield use

    def left(self, pair: Pair) -> OldHome:
        """What is left of a definition in its old home."""
        home, name = pair.before.key
        member = self._change.new.member(home)
        if member is None:
            return "gone"
        found = self._change.new.project.resolver.find(member, name)
        if found == "typing-only":
            return "typing-only"
        if Origin("defined", *pair.after.key) not in self._change.new.project.resolver.origins(home, name):
            return "clean"
        passage = _passage(self._change.new, member, name, pair.after.member.name)
        return "still-uses-it" if passage == "accident" else passage


def _imports_by_text(side: Side) -> Mapping[str, list[tuple[str, int]]]:
    """Where modules are imported by ``import_module("...")``: path and line, by module."""
    found: dict[str, list[tuple[str, int]]] = {}
    for member in side.project.members:
        for position, taken in enumerate(member.facts.imports):
            if "dynamic" in taken.flags:
                target = side.project.resolver.target(member, position)
                found.setdefault(target.module, []).append((member.path, taken.span.line))
    return found


def _reads(side: Side, home: str, name: str, how: tuple[str, ...]) -> list[Use]:
    """Who reads a name of a module in one of these ways. Those who may take any of its names are told apart."""
    uses = side.project.uses
    whole = frozenset(uses.whole(home))
    return [use for use in uses.takers(home, name) if use.how in how and use not in whole]


def _twin(old: Taken, candidates: list[Taken]) -> Taken | None:
    """The import of the new state that stands for one of the old state: alike in name and place, else the next one."""
    alike = [new for new in candidates if (new.taken.place, new.taken.bound) == (old.taken.place, old.taken.bound)]
    alike = alike or [new for new in candidates if new.taken.place == old.taken.place] or candidates
    return alike[0] if alike else None


def _passage(side: Side, member: Member, name: str, new_home: str) -> Literal["shim", "facade", "accident"]:
    """What a module is that passes on a name of another one."""
    exported = side.project.resolver.exports(member)
    if member.package and names.is_within(new_home, member.name) and exported is not None and name in exported:
        return "facade"
    if name in member.facts.uses:
        return "accident"
    return "shim"


def _kind(side: Side, one: Taken) -> _SiteKind:
    if side.project.resolver.guards.kind(one.member, one.taken) == "typing":
        return "typing"
    return "function" if one.taken.place == "function" else "module"


def _category(member: Member) -> Category:
    return "test" if member.test else "other" if member.consumer else "runtime"


def _category_of(use: Use) -> Category:
    return "test" if use.test else "other" if "/" in use.user else "runtime"
