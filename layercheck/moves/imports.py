"""Which changes of imports the moves explain: those needed in the new home, no longer needed in the old, redirected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.facts import MODULE_SCOPE, Import
from layercheck.moves.lines import Element
from layercheck.moves.model import Reason
from layercheck.moves.side import Change, Side
from layercheck.project import Member, Origin

_TWICE = Reason("a second import of the same")
REORDERED = Reason("the import only changed its place or its form")


@dataclass(frozen=True, slots=True)
class Traffic:
    """What came to a file and what left it."""

    departed: frozenset[str] = frozenset()
    """The names that what left it reads."""
    arrived: frozenset[str] = frozenset()
    """The names that what came to it reads."""
    took: bool = False
    """Whether the file took what moved, by whatever way."""
    sources: tuple[str, ...] = ()
    """The paths of the files that what came to it left."""
    old_home: bool = False
    """Whether something left it."""


@dataclass(frozen=True, slots=True)
class _Alias:
    """One imported name, or one constant that stands in for it, and all that tells it from others of its file."""

    element: Element
    taken: Import | None
    bound: str
    key: tuple[object, ...]


def unexplained(
    change: Change,
    path: str,
    removed: Sequence[Element],
    added: Sequence[Element],
    traffic: Traffic,
    keys: Mapping[str, Collection[tuple[str, str]]],
) -> Iterator[tuple[bool, int, str, Reason]]:
    """The changed imports of a file that nothing explains: whether added, line, text, and why.

    ``keys``: the homes and names of what moved, ``old`` and ``new``.
    """
    gone = _Aliases(change.old, path, removed)
    come = _Aliases(change.new, path, added)
    common = gone.count() & come.count()
    for mine, other, is_added in ((gone, come, False), (come, gone, True)):
        left = Counter(common)
        explained: set[tuple[object, ...]] = set()
        rest: list[_Alias] = []
        for alias in mine.aliases:
            if left[alias.key] > 0:
                left[alias.key] -= 1
            else:
                rest.append(alias)
        judge = _judge_added if is_added else _judge_removed
        for alias in rest:
            before = sum(_is_at_place_of(alias, one) for one in other.aliases)
            twice = is_added and mine.rank(alias) >= max(before, 1)
            why = _TWICE if twice else judge(change, path, alias, traffic, keys, other)
            if why is not None:
                line = alias.taken.span.line if alias.taken is not None else alias.element.line
                yield is_added, line, mine.text(line), why
            explained.add(alias.key)
        alive = mine.partners(explained) | other.partners(other.keys_beyond(common))
        for element in mine.elements:
            own = [alias for alias in mine.aliases if alias.element is element]
            settled = own and all(alias.key in common and alias.key not in explained for alias in own)
            if settled and not any(alias.key in alive for alias in own):
                yield is_added, element.line, mine.text(element.line), REORDERED


def _is_at_place_of(alias: _Alias, other: _Alias) -> bool:
    """Whether two imports bind one name in one place: a body may import the same several times."""
    return alias.bound == other.bound and alias.key[:2] == other.key[:2]


def new_comments(
    change: Change, path: str, removed: Sequence[Element], added: Sequence[Element], traffic: Traffic
) -> Iterator[tuple[int, str, Reason]]:
    """Comments beside new imports that stood beside no import before, here or where what came here was."""
    known = {comment for element in removed for comment in _comments(element)}
    for source in traffic.sources:
        known.update(line[line.index("#") :].strip() for line in change.old.outline(source).lines if "#" in line)
    for element in added:
        for comment in _comments(element):
            if comment not in known:
                yield element.line, comment, Reason("a comment that was not there")


def _comments(element: Element) -> list[str]:
    """The comments of an import statement, which holds no text with a hash in it."""
    return [line[line.index("#") :].strip() for line in element.text.split("\n") if "#" in line]


class _Aliases:
    def __init__(self, side: Side, path: str, elements: Sequence[Element]) -> None:
        self._side = side
        self._path = path
        self.elements = elements
        self.member = side.by_path.get(path)
        self.aliases = [alias for element in elements for alias in self._of(element)]

    def text(self, line: int) -> str:
        """A line of the file."""
        return self._side.outline(self._path).lines[line - 1]

    def count(self) -> Counter[tuple[object, ...]]:
        """How often each alias is there."""
        return Counter(alias.key for alias in self.aliases)

    def keys_beyond(self, common: Counter[tuple[object, ...]]) -> set[tuple[object, ...]]:
        """The aliases of which this side has more than both have."""
        return {key for key, number in self.count().items() if number > common[key]}

    def rank(self, alias: _Alias) -> int:
        """How many of the same stand before an import in its scope."""
        scope = alias.taken.scope if alias.taken is not None else MODULE_SCOPE
        same = [
            one
            for one in self.aliases
            if one.key == alias.key and (one.taken.scope if one.taken is not None else MODULE_SCOPE) == scope
        ]
        return next(index for index, one in enumerate(same) if one is alias)

    def partners(self, keys: Collection[tuple[object, ...]]) -> set[tuple[object, ...]]:
        """The aliases in one statement with any of these."""
        elements = {id(alias.element) for alias in self.aliases if alias.key in keys}
        return {alias.key for alias in self.aliases if id(alias.element) in elements}

    def _of(self, element: Element) -> Iterator[_Alias]:
        statement = element.statement
        if element.kind == "stand-in" and statement is not None:
            for name in statement.names:
                yield _Alias(element, None, name, ("=", statement.guards, element.text.strip()))
        for taken in element.imports:
            around: tuple[object, ...] = ()
            if statement is not None:
                around = statement.guards if statement.kind == "import" else (statement.kind, *statement.names)
            module = names.resolve_relative(taken.module, taken.level, self.member.base) if self.member else None
            key = (taken.place, around, module or taken.module, taken.name, taken.bound, taken.kind)
            yield _Alias(element, taken, taken.bound, key)


def _judge_removed(
    change: Change,
    path: str,
    alias: _Alias,
    traffic: Traffic,
    keys: Mapping[str, Collection[tuple[str, str]]],
    other: _Aliases,
) -> Reason | None:
    """Why an import that is gone is not explained; None where it is. What still reads its name is asked elsewhere."""
    after = change.new.by_path.get(path)
    taken = alias.taken
    if taken is not None and taken.module == "__future__":
        return None if after is None else Reason("the feature holds for the whole file")
    still_read = after is not None and alias.bound in after.facts.uses and alias.bound in _bound_by(other, alias)
    if taken is not None and (
        _comes_to_moved(change.old, path, taken, keys["old"]) or _is_home(change.old, path, taken, keys["old"])
    ):
        return None
    if taken is not None and taken.place == "function":
        return Reason("nothing that moved needed this import")
    if alias.bound in traffic.departed and (still_read or after is None or alias.bound not in after.facts.uses):
        return None
    if alias.bound in traffic.arrived and still_read:
        return None
    return Reason("nothing that moved needed this import")


def _bound_by(other: _Aliases, alias: _Alias) -> set[str]:
    return {one.bound for one in other.aliases if one.bound == alias.bound}


def _judge_added(
    change: Change,
    path: str,
    alias: _Alias,
    traffic: Traffic,
    keys: Mapping[str, Collection[tuple[str, str]]],
    other: _Aliases,
) -> Reason | None:
    """Why a new import is not explained; None where it is."""
    taken = alias.taken
    member = change.new.by_path.get(path)
    if taken is None:
        return None if alias.bound in traffic.arrived else Reason("nothing that moved here needs it")
    if taken.module == "__future__":
        asked = {feature for source in traffic.sources for feature in change.old.outline(source).futures}
        is_new = path not in change.old.by_path or _holds_nothing(change.old, path)
        return None if is_new and taken.name in asked else Reason("the feature holds for the whole file")
    if taken.place == "module" and alias.bound in traffic.arrived:
        return None
    if _comes_to_moved(change.new, path, taken, keys["new"]):
        stands_for = any(one.bound == alias.bound and one.taken is not None for one in other.aliases)
        stands_for = stands_for or _had_by_star(change, path, alias.bound, keys["old"])
        if not stands_for and not _is_read(change.new, member, taken):
            return Reason("a shim: it takes {0}, which moved, and does not use it", (alias.bound,))
        if traffic.old_home:
            return None
        if not traffic.took:
            return Reason("it takes {0}, which it did not take before", (alias.bound,))
        return _changed_kind(change, path, taken, other, keys["old"])
    if _is_home(change.new, path, taken, keys["new"]) and traffic.took and _is_read(change.new, member, taken):
        return _changed_kind(change, path, taken, other, keys["old"])
    return Reason("nothing that moved here needs this import")


def _holds_nothing(side: Side, path: str) -> bool:
    """Whether a file has no code but imports, so that a feature of ``__future__`` changes nothing in it."""
    outline = side.outline(path)
    kinds = {one.kind for one in outline.statements}
    return (
        not outline.failure and kinds <= {"docstring", "import", "pass"} and all(one.imports for one in outline.blocks)
    )


def _had_by_star(change: Change, path: str, name: str, keys: Collection[tuple[str, str]]) -> bool:
    """Whether a file had what moved by a star import, and so passed it on."""
    member = change.old.by_path.get(path)
    if member is None or name in member.bindings:
        return False
    return any((one.module, one.name) in keys for one in change.old.project.resolver.origins(member.name, name))


def _is_read(side: Side, member: Member | None, taken: Import) -> bool:
    """Whether the file reads what it imports, or declares it."""
    if taken.used or member is None:
        return taken.used
    exported = side.project.resolver.exports(member)
    return member.package and exported is not None and taken.bound in exported


def _changed_kind(
    change: Change, path: str, taken: Import, other: _Aliases, keys: Collection[tuple[str, str]]
) -> Reason | None:
    """Why a redirected import is not where the one was that it stands for, or one that it stands beside now."""
    old = change.old.by_path.get(path)
    for one in old.facts.imports if old is not None else ():
        if (one.place, one.kind) == (taken.place, taken.kind) and _is_home(change.old, path, one, keys):
            return None
    alike = [one.taken for one in other.aliases if one.taken is not None]
    before = [one for one in alike if one.bound == taken.bound] or alike
    if not before or any((one.place, one.kind) == (taken.place, taken.kind) for one in before):
        return None
    return Reason("the import now runs at another time: {0} there, {1} here", (before[0].kind, taken.kind))


def _origins(side: Side, path: str, taken: Import) -> frozenset[Origin]:
    member = side.by_path[path]
    return side.project.resolver.import_origins(member, member.facts.imports.index(taken))


def _comes_to_moved(side: Side, path: str, taken: Import, keys: Collection[tuple[str, str]]) -> bool:
    return any((one.module, one.name) in keys for one in _origins(side, path, taken))


def _is_home(side: Side, path: str, taken: Import, keys: Collection[tuple[str, str]]) -> bool:
    """Whether an import takes a home itself as a module, or a package on the way to it by its dotted name."""
    member = side.by_path[path]
    target = side.project.resolver.target(member, member.facts.imports.index(taken))
    return target.outcome == "module" and any(home == target.module for home, _ in keys)
