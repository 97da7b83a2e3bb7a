"""What of a change the moves do not explain, line by line, and what it broke elsewhere."""

from __future__ import annotations

import builtins
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from layercheck import names
from layercheck.facts import MODULE_SCOPE
from layercheck.moves.body import changed_lines, compare
from layercheck.moves.imports import Traffic, new_comments, unexplained
from layercheck.moves.lines import Element, Region, differences, elements, text_lines
from layercheck.moves.meaning import UNCLEAR, Meanings, bound_below
from layercheck.moves.model import Reason, Residual
from layercheck.moves.pairing import Pair, Pairing
from layercheck.moves.redirect import Redirects, spellings
from layercheck.moves.side import Change, Definition, Side
from layercheck.moves.strings import Renaming, patching
from layercheck.outline import DEFINING, FreeName
from layercheck.project import Member

_Key = tuple[str, str]
_BUILTINS = frozenset(dir(builtins))


class Leftovers:
    """Goes through the files of a change and gathers what is left."""

    def __init__(self, change: Change, pairing: Pairing, meanings: Meanings, renaming: Renaming) -> None:
        self._change = change
        self._pairing = pairing
        self._meanings = meanings
        self._renaming = renaming
        self._moved = {pair.before.key: pair.after.key for pair in pairing.pairs}
        self._spelt = {name for _, name in self._moved}
        self._spellings = spellings(self._moved, renaming)
        self._accepted = [found for copy, found in pairing.copies if copy.accepted]
        self._leaving: dict[str, list[Pair]] = defaultdict(list)
        self._coming: dict[str, list[Pair]] = defaultdict(list)
        for pair in pairing.pairs:
            self._leaving[pair.before.member.path].append(pair)
            self._coming[pair.after.member.path].append(pair)
        self._takers = self._paths_that_took()
        self.participants = frozenset({*self._leaving, *self._coming, *self._takers})
        """The files that what moved left, came to, or is taken by, and those that patch what it reads."""

    def _paths_that_took(self) -> frozenset[str]:
        found: set[str] = set()
        for side, keys in ((self._change.old, self._moved.keys()), (self._change.new, self._moved.values())):
            for home, name in keys:
                found.update(use.path for use in side.project.uses.takers(home, name))
        found.update(self._indirect())
        found.update(patching(self._change.old, self._renaming))
        return frozenset(found)

    def _indirect(self) -> Iterator[str]:
        """The files that take what moved through another module."""
        spelt = {name for _, name in self._moved}
        for side, keys in ((self._change.old, set(self._moved)), (self._change.new, set(self._moved.values()))):
            for member in side.project.members:
                for position, taken in enumerate(member.facts.imports):
                    if taken.name in spelt or taken.bound in spelt:
                        origins = side.project.resolver.import_origins(member, position)
                        if any((one.module, one.name) in keys for one in origins):
                            yield member.path

    def residual(self) -> Iterator[Residual]:
        """Every line that is left, file by file; then what the change broke in files that it did not touch."""
        for path in self._change.changed:
            yield from self._file(path)
        for path, how in self._change.others:
            yield Residual(path, 0, "", Reason("{0}: no Python file of the project, so no move explains it", (how,)))
        yield from self._broken()
        yield from self._elsewhere()

    # One file

    def _file(self, path: str) -> Iterator[Residual]:
        old, new = self._change.old, self._change.new
        took_part = path in self.participants
        first = elements(old, path, self._cut(old, path, took_part))
        second = elements(new, path, self._cut(new, path, took_part))
        regions = [*differences(first, second, exact=took_part)]
        for pair in self._coming.get(path, ()):
            yield from self._inside(pair)
        if not took_part:
            for region in regions:
                yield from self._lines(path, region.removed, old, "-")
                yield from self._lines(path, region.added, new, "+")
            return
        removed = [one for region in regions for one in region.removed if one.kind in ("import", "stand-in")]
        added = [one for region in regions for one in region.added if one.kind in ("import", "stand-in")]
        keys = {"old": frozenset(self._moved), "new": frozenset(self._moved.values())}
        for is_added, line, text, why in unexplained(self._change, path, removed, added, self._traffic(path), keys):
            yield Residual(path, line, f"{'+' if is_added else '-'}{text}", why)
        for line, text, why in new_comments(self._change, path, removed, added, self._traffic(path)):
            yield Residual(path, line, f"+{text}", why)
        redirects = Redirects(self._change, path, self._spellings, self._renaming)
        for region in regions:
            yield from self._region(path, region, redirects)
        yield from self._exports(path)
        yield from self._rest(path)
        yield from self._too_late(path)

    def _cut(self, side: Side, path: str, took_part: bool) -> set[int]:
        """The lines that are compared by themselves: of what moved, and of ``__all__``."""
        pairs = self._leaving if side is self._change.old else self._coming
        moved = [pair.before if side is self._change.old else pair.after for pair in pairs.get(path, ())]
        if side is self._change.new:
            moved += [found for found in self._accepted if found.member.path == path]
        cut = {line for one in moved for line in range(one.statement.first, one.statement.last + 1)}
        if took_part and self._known_exports(side, path) is not None:
            exports = [one for one in side.outline(path).statements if one.kind == "exports" and not one.guards]
            cut |= {line for one in exports for line in range(one.start, one.last + 1)}
        return cut

    @staticmethod
    def _known_exports(side: Side, path: str) -> frozenset[str] | None:
        member = side.by_path.get(path)
        return side.project.resolver.exports(member) if member is not None else None

    def _inside(self, pair: Pair) -> Iterator[Residual]:
        """The lines of a moved definition that did not stay the same."""
        before, after = pair.before, pair.after
        if before.name != after.name:
            text = text_lines(self._change.new, after.member.path)[after.statement.start - 1]
            yield Residual(
                after.member.path,
                after.statement.start,
                f"+{text}",
                Reason("{0} is called {1} now", (before.name, after.name)),
            )
        if compare(self._change.old, before, self._change.new, after) != "changed":
            return
        why = Reason("{0} changed on its way", (before.name,))
        for old_line, new_line, text in changed_lines(self._change.old, before, self._change.new, after):
            yield Residual((before if old_line else after).member.path, old_line or new_line, text, why)

    def _traffic(self, path: str) -> Traffic:
        old, new = self._change.old, self._change.new
        departed: set[str] = set()
        arrived: set[str] = set()
        for pair in self._leaving.get(path, ()):
            departed |= self._read_by(old, pair.before)
        for pair in self._coming.get(path, ()):
            arrived |= self._read_by(new, pair.after)
        for found in self._accepted:
            if found.member.path == path:
                arrived |= self._read_by(new, found)
        return Traffic(
            departed=frozenset(departed),
            arrived=frozenset(arrived),
            took=path in self._takers,
            sources=tuple(dict.fromkeys(pair.before.member.path for pair in self._coming.get(path, ()))),
            old_home=path in self._leaving,
        )

    @staticmethod
    def _read_by(side: Side, definition: Definition) -> set[str]:
        """The names that a definition reads, and those that the conditions read under which they are bound."""
        path = definition.member.path
        read = {one.name for one in side.needs(path, [definition.statement.start])[0].names}
        outline = side.outline(path)
        blocks = {one.block for one in outline.statements if one.block and not read.isdisjoint(one.names)}
        for needs in side.needs(path, sorted(blocks)):
            read |= {one.name for one in needs.names}
        return read

    def _region(self, path: str, region: Region, redirects: Redirects) -> Iterator[Residual]:
        imports = any(one.kind == "import" for one in (*region.removed, *region.added))
        removed = [one for one in region.removed if self._counts(one, imports)]
        added = [one for one in region.added if self._counts(one, imports)]
        removed = [one for one in removed if not self._is_taken_along(path, one)]
        added = [one for one in added if not self._is_brought(path, one)]
        if redirects.explain(Region(tuple(removed), tuple(added))):
            return
        yield from self._lines(path, removed, self._change.old, "-")
        yield from self._lines(path, added, self._change.new, "+")

    @staticmethod
    def _counts(one: Element, imports: bool) -> bool:
        """Whether an element is no import, and no blank line beside one."""
        return one.kind not in ("import", "stand-in") and not (one.kind == "blank" and imports)

    def _is_taken_along(self, path: str, one: Element) -> bool:
        """Whether a comment, or the text at the head of a file that is gone, stands in a new home now."""
        is_head = (
            one.statement is not None and one.statement.kind == "docstring" and path not in self._change.new.by_path
        )
        if one.kind != "comment" and not is_head:
            return False
        homes = {pair.after.member.path for pair in self._leaving.get(path, ())}
        return any(one.text in line for home in homes for line in text_lines(self._change.new, home))

    def _is_brought(self, path: str, one: Element) -> bool:
        """Whether a comment stood in a file that something came from, or a text at the head of one that is gone."""
        homes = {pair.before.member.path for pair in self._coming.get(path, ())}
        if one.statement is not None and one.statement.kind == "docstring":
            homes = {home for home in homes if home not in self._change.new.by_path}
        elif one.kind != "comment":
            return False
        return any(one.text in line for home in homes for line in text_lines(self._change.old, home))

    def _lines(self, path: str, left: Iterable[Element], side: Side, sign: str) -> Iterator[Residual]:
        for one in left:
            why = self._why(side, path, one)
            for offset, text in enumerate(one.text.split("\n")):
                yield Residual(path, one.line + offset, f"{sign}{text}", why)

    def _why(self, side: Side, path: str, one: Element) -> Reason:
        statement = one.statement
        if one.kind == "import":
            return Reason("an import that has nothing to do with what moved")
        if statement is None or statement.kind not in DEFINING:
            return Reason("part of no definition that moved")
        name = statement.names[0]
        if any(copy.name == name and found.member.path == path for copy, found in self._pairing.copies):
            return Reason("{0} is a copy: its old home still has it", (name,))
        if any(found.name == name for found in self._pairing.ambiguous):
            return Reason("{0} may have moved, but several places are possible", (name,))
        other = self._change.new if side is self._change.old else self._change.old
        if name in (each for two in other.outline(path).statements for each in two.names):
            return Reason("{0} did not move, and is not the same any more", (name,))
        return Reason("{0} is gone" if side is self._change.old else "{0} is new", (name,))

    # What a file declares, and what its other code reads

    def _exports(self, path: str) -> Iterator[Residual]:
        before, after = (self._known_exports(side, path) for side in (self._change.old, self._change.new))
        if before is None and after is None:
            return
        left = {pair.before.name for pair in self._leaving.get(path, ())}
        come = {pair.after.name for pair in self._coming.get(path, ())}
        for side, sign, names_, explained in (
            (self._change.old, "-", (before or frozenset()) - (after or frozenset()), left),
            (self._change.new, "+", (after or frozenset()) - (before or frozenset()), come),
        ):
            if side.by_path.get(path) is None:
                continue
            for name in sorted(names_ - explained):
                line = _first_line(side, path, "__all__")
                yield Residual(path, line, f"{sign}{name}", Reason("{0} in __all__ is not what moved", (name,)))

    def _rest(self, path: str) -> Iterator[Residual]:
        """Names that the code which stayed reads, where they are something else now."""
        before, after = self._change.old.by_path.get(path), self._change.new.by_path.get(path)
        if before is None or after is None:
            return
        arrived = self._traffic(path).arrived
        known, moved = frozenset(before.facts.uses), frozenset(self._moved.values())
        for name in after.facts.uses:
            if name in known:
                free = FreeName(name, _chains(after, name), eager=False)
                reason = self._meanings.of_name(before, after, free)
                if reason is not None and reason.phrase not in UNCLEAR:
                    yield Residual(path, _first_use(self._change.new, path, name), "", reason)
            elif name not in arrived and not self._is_builtin(name):
                origins = self._meanings.origins(self._change.new, after, name)
                line = _first_use(self._change.new, path, name)
                if not origins:
                    if self._is_read_by_the_rest(path, name):
                        yield Residual(path, line, "", Reason("{0} is read here and not bound any more", (name,)))
                elif name in self._spelt and any((one.module, one.name) not in moved for one in origins):
                    yield Residual(path, line, "", Reason("{0} is read here and is not what moved", (name,)))

    def _is_read_by_the_rest(self, path: str, name: str) -> bool:
        """Whether something reads a name that did not come here. What came is judged by itself: a name that its class
        body binds (``@f.setter``) is none of the module's."""
        came = {pair.after.statement.start for pair in self._coming.get(path, ())}
        starts = [one.start for one in self._change.new.outline(path).statements if one.start not in came]
        reads = self._change.new.needs(path, starts)
        return any(free.name == name for needs in reads for free in needs.names)

    def _too_late(self, path: str) -> Iterator[Residual]:
        """Names that moved away and that their old home reads at once, above the import that brings them back; names
        that came and that the rest of their new home reads at once above them."""
        member, outline = self._change.new.by_path.get(path), self._change.new.outline(path)
        if member is None:
            return
        gone = {pair.before.name for pair in self._leaving.get(path, ())}
        came = {pair.after.name for pair in self._coming.get(path, ())}
        for name in sorted((gone | came).intersection(member.facts.eager_uses)):
            bound = min((one.start for one in outline.statements if name in one.names), default=0)
            starts = sorted({one.start for one in outline.statements if one.start < bound and one.kind != "import"})
            for start, needs in zip(starts, self._change.new.needs(path, starts), strict=True):
                if any(free.name == name and free.eager for free in needs.names):
                    yield Residual(path, start, "", bound_below(name, member.id))

    def _is_builtin(self, name: str) -> bool:
        """Whether a name that nothing binds may be meant so: nothing that moved is called like it."""
        return name in _BUILTINS and name not in self._spelt

    # Files that did not change

    def _broken(self) -> Iterator[Residual]:
        """Imports that lead to nothing now and did lead somewhere."""
        before = Counter(_missing(self._change.old))
        for path, shown, line in _missing_with_lines(self._change.new):
            # What was broken already may have come here with the body that it is in.
            sources = (path, *(pair.before.member.path for pair in self._coming.get(path, ())))
            source = next((one for one in sources if before[one, shown] > 0), None)
            if source is not None:
                before[source, shown] -= 1
            else:
                yield Residual(path, line, "", Reason("the import of {0} leads to nothing any more", (shown,)))

    def _elsewhere(self) -> Iterator[Residual]:
        """Imports of files that did not change, of modules that did, where they come to something else now."""
        changed = set(self._change.changed)
        old, new = self._change.old, self._change.new
        homes = {side.by_path[path].name for side in (old, new) for path in changed if path in side.by_path}
        for member in new.project.members:
            before = old.by_path.get(member.path)
            if before is None or member.path in changed or before.facts.imports != member.facts.imports:
                continue  # with --package, what changed outside of it is not looked at
            for position, taken in enumerate(member.facts.imports):
                target = new.project.resolver.target(member, position)
                earlier = old.project.resolver.target(before, position)
                if not taken.name or homes.isdisjoint((target.module, names.parent(target.module), earlier.module)):
                    continue
                if target.outcome not in ("name", "module"):
                    continue
                was = self._meanings.follow(old.project.resolver.import_origins(before, position))
                now = new.project.resolver.import_origins(member, position)
                if was != now and not any(one.kind == "unknown" for one in (*was, *now)):
                    shown = names.join(target.module, target.name)
                    yield Residual(
                        member.path,
                        taken.span.line,
                        "",
                        Reason("the import of {0} comes to something else now", (shown,)),
                    )
            if member.stars and not homes.isdisjoint(_star_homes(new, member)):
                yield from self._rest(member.path)


def _chains(member: Member, name: str) -> frozenset[str]:
    """The attributes that a file reads from a name of its top level, as ``FreeName.chains``."""
    found = {one.attributes for one in member.facts.accesses if one.scope == MODULE_SCOPE and one.name == name}
    return frozenset(found or {""})


def _star_homes(side: Side, member: Member) -> set[str]:
    """The modules that a file star-imports, directly or by chain."""
    seen: set[str] = set()
    queue = [member]
    while queue:
        for _, source in side.project.resolver.star_sources(queue.pop()):
            if source.name not in seen:
                seen.add(source.name)
                queue.append(source)
    return seen


def _missing(side: Side) -> Iterator[tuple[str, str]]:
    for path, shown, _ in _missing_with_lines(side):
        yield path, shown


def _missing_with_lines(side: Side) -> Iterator[tuple[str, str, int]]:
    for member in side.project.members:
        for position, taken in enumerate(member.facts.imports):
            target = side.project.resolver.target(member, position)
            if target.outcome in ("missing-module", "missing-name", "beyond-top"):
                shown = "." * taken.level + names.join(taken.module, taken.name)
                yield member.path, shown, taken.span.line


def _first_line(side: Side, path: str, name: str) -> int:
    """The line of the first statement that binds a name."""
    found = [one.start for one in side.outline(path).statements if one.kind == "exports" or name in one.names]
    return found[0] if found else 1


def _first_use(side: Side, path: str, name: str) -> int:
    """The first line that spells a name outside of imports."""
    member = side.by_path[path]
    imports = {line for one in member.facts.imports for line in range(one.statement.line, one.statement.end_line + 1)}
    for token in side.tokens(path) or ():
        if token.text == name and token.line not in imports:
            return token.line
    return 1
