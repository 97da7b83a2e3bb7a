"""Import statements rewritten: names taken out, taken from elsewhere, merged into a statement that is there already."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from layercheck.edits.lists import Stretch, added, without
from layercheck.edits.model import AddImport, DropImport, Redirect
from layercheck.edits.removal import Blocks, Start, start_of
from layercheck.edits.source import Edit, EditError, Source
from layercheck.extract.nesting import Nested
from layercheck.facts import Import, ModuleFacts, Span
from layercheck.names import resolve_relative

_FROM = re.compile(r"from(?P<before>[\s\\]*)(?P<module>.*?)(?P<after>[\s\\]*)\bimport\b(?=[\s\\(*])", re.DOTALL)


@dataclass(frozen=True)
class _Site:
    """One import statement with its aliases, by their positions among the file's imports."""

    span: Span
    positions: tuple[int, ...]

    @property
    def start(self) -> Start:
        return self.span.line, self.span.column


@dataclass
class _Insertion:
    """A new statement behind one that stays."""

    site: _Site
    written: str
    names: list[str]
    comments: list[str]


@dataclass
class Rewritten:
    """What is to be done to the statements of a file."""

    edits: list[Edit] = field(default_factory=list)
    gone: set[Start] = field(default_factory=set)
    """The statements of which nothing is left."""


def rewrite_imports(
    source: Source, facts: ModuleFacts, base: str, blocks: Blocks, changes: Iterable[DropImport | Redirect | AddImport]
) -> Rewritten:
    """What to do to the import statements of a file. ``base`` is the package against which relative imports resolve.

    Raises EditError where a statement is written in a way that cannot be taken apart.
    """
    changes = tuple(changes)
    by_position = {change.position: change for change in changes if not isinstance(change, AddImport)}
    additions = [change for change in changes if isinstance(change, AddImport)]
    rewriter = _Rewriter(source, facts, base, blocks, by_position)
    for site in rewriter.sites:
        if any(position in by_position for position in site.positions):
            rewriter.rewrite(site)
        rewriter.add(site, [one for one in additions if one.position in site.positions])
    rewriter.finish()
    return rewriter.done


class _Rewriter:
    def __init__(
        self,
        source: Source,
        facts: ModuleFacts,
        base: str,
        blocks: Blocks,
        changes: Mapping[int, DropImport | Redirect],
    ) -> None:
        self._source = source
        self._facts = facts
        self._base = base
        self._blocks = blocks
        self._changes = changes
        self.sites = [*_sites(facts)]
        self.done = Rewritten()
        self._merged: dict[Start, list[str]] = {}
        self._inserted: list[_Insertion] = []

    def rewrite(self, site: _Site) -> None:
        """Deal with one statement that something is to be done to."""
        kept = [p for p in site.positions if p not in self._changes]
        groups: dict[str, list[int]] = {}
        for position in site.positions:
            change = self._changes.get(position)
            if isinstance(change, Redirect) and not self._merges(site, position, change):
                groups.setdefault(change.written, []).append(position)
        leaving = [p for p in site.positions if p not in kept]
        if not kept and not groups:
            self.done.gone.add(site.start)
            return
        if not kept:
            written, staying = next(iter(groups.items()))
            del groups[written]
            leaving = [p for p in leaving if p not in staying]
            self._write_module(site, written)
            self._write_names(staying)
        if leaving:
            self._take_out(site, leaving)
        for written, positions in groups.items():
            self._insert(site, written, positions)

    def add(self, site: _Site, additions: Iterable[AddImport]) -> None:
        """Import more beside one statement, or in its place where it goes."""
        statements: dict[tuple[str, str], list[str]] = {}
        for one in additions:
            other = (site if self._takes_from(site, one.home) else self._beside(site, one.home)) if one.home else None
            if other is None:
                # Each module gets a statement of its own (PEP 8, "Imports").
                statements.setdefault((one.written, "") if one.home else ("", one.alias), []).append(one.alias)
            else:
                names = self._merged.setdefault(other.start, [])
                if one.alias not in names:
                    names.append(one.alias)
        if site.start in self.done.gone and statements:
            self.done.gone.discard(site.start)
            start, end = self._source.stretch(site.span)
            line = self._source.line_start(start)
            indent = self._source.text[line:start]
            between = "; " if indent.strip(" \t\f") else f"{self._source.newline(line)}{indent}"
            texts = [_statement(written, names) for (written, _), names in statements.items()]
            self.done.edits.append(Edit(start, end, between.join(texts)))
        else:
            self._inserted += [_Insertion(site, written, names, []) for (written, _), names in statements.items()]

    def _take_out(self, site: _Site, leaving: Collection[int]) -> None:
        items = self._items(site)
        self.done.edits += without(self._source, items, [site.positions.index(p) for p in leaving])

    def _items(self, site: _Site) -> list[Stretch]:
        return [self._source.stretch(self._facts.imports[position].span) for position in site.positions]

    def _alias(self, position: int) -> str:
        """What one alias is to be: what is taken, and under which name."""
        taken, change = self._facts.imports[position], self._changes[position]
        name = change.name if isinstance(change, Redirect) else taken.name
        return f"{name} as {taken.bound}" if name != taken.bound or _is_same_name(taken) else name

    def _write_names(self, positions: Iterable[int]) -> None:
        for position in positions:
            taken, change = self._facts.imports[position], self._changes[position]
            if isinstance(change, Redirect) and change.name != taken.name:
                self.done.edits.append(Edit(*self._source.stretch(taken.span), self._alias(position)))

    def _write_module(self, site: _Site, written: str) -> None:
        start, end = self._source.stretch(site.span)
        match = _FROM.match(self._source.text, start, end)
        if match is None:
            raise EditError("its module is written in a way that cannot be rewritten")
        before = "" if match["before"] else " "
        after = "" if match["after"] else " "
        self.done.edits.append(Edit(*match.span("module"), f"{before}{written}{after}"))

    def _insert(self, site: _Site, written: str, positions: Collection[int]) -> None:
        """Take names from a module behind a statement that stays, or where that is done already for others near by."""
        comments = [*dict.fromkeys(self._silencers(site, positions))]
        near = self._near(site)
        for other in self._inserted:
            if other.written == written and other.site.start in near and not (comments or other.comments):
                other.names += (self._alias(position) for position in positions)
                return
        self._inserted.append(_Insertion(site, written, [*map(self._alias, positions)], comments))

    def _write_insertion(self, insertion: _Insertion) -> Edit:
        source = self._source
        start, end = source.stretch(insertion.site.span)
        line = source.line_start(start)
        indent = source.text[line:start].lstrip("\f")
        rest = source.text[end : source.line_end(end)].strip(" \t")
        statement = _statement(insertion.written, insertion.names)
        if indent.strip(" \t") or (rest and not rest.startswith("#")):
            return Edit(end, end, f"; {statement}")
        place = source.line_end(end)
        comment = "".join(f"  {text}" for text in insertion.comments)
        return Edit(place, place, f"{source.newline(line)}{indent}{statement}{comment}")

    def _silencers(self, site: _Site, positions: Collection[int]) -> Iterator[str]:
        """The comments that silence another checker on the names that leave a statement, to go with them."""
        lines = {self._facts.imports[position].span.line for position in positions}
        told = set()
        for comment in self._facts.comments:
            span = comment.span
            inside = site.span.line <= span.line <= site.span.end_line
            if (
                comment.tool != "layercheck"
                and inside
                and any(comment.first <= line <= comment.last for line in lines)
                and span not in told
            ):
                told.add(span)
                start, end = self._source.stretch(span)
                yield self._source.text[start:end]

    # Merging

    def _merges(self, site: _Site, position: int, change: Redirect) -> bool:
        """Whether a name can go into a statement beside this one that takes names from its new home already."""
        taken = self._facts.imports[position]
        other = self._beside(site, change.home)
        if other is None or any(True for _ in self._silencers(site, (position,))):
            return False
        there = [self._facts.imports[p] for p in other.positions]
        if not any(one.name == change.name and one.bound == taken.bound for one in there):
            names = self._merged.setdefault(other.start, [])
            if self._alias(position) not in names:
                names.append(self._alias(position))
        return True

    def _beside(self, site: _Site, home: str) -> _Site | None:
        """An untouched import from a module in the same block, with nothing but imports between."""
        near = self._near(site)
        return next((other for other in self.sites if other.start in near and self._takes_from(other, home)), None)

    def _takes_from(self, site: _Site, home: str) -> bool:
        """Whether a statement takes names from a module, and nothing is done to those."""
        first = self._facts.imports[site.positions[0]]
        return (
            first.name not in ("", "*")
            and resolve_relative(first.module, first.level, self._base) == home
            and not any(position in self._changes for position in site.positions)
        )

    def _near(self, site: _Site) -> set[Start]:
        """Where the other statements of the same block begin that only imports part from this one."""
        block = self._blocks.around(site.start)
        starts = [start_of(statement) for statement in block]
        near = _run(block, starts.index(site.start)) if site.start in starts else []
        return {start for start, is_near in zip(starts, near, strict=False) if is_near}

    def finish(self) -> None:
        """Write the names that go into statements that were there, and the statements that are new."""
        for site in self.sites:
            names = self._merged.get(site.start)
            if names:
                self.done.edits += added(self._source, self._items(site), names)
        self.done.edits += map(self._write_insertion, self._inserted)


def _sites(facts: ModuleFacts) -> Iterator[_Site]:
    """The import statements of a file, in the order of the text. Dynamic imports are none."""
    table: dict[Span, list[int]] = {}
    for position, taken in enumerate(facts.imports):
        if "dynamic" not in taken.flags:
            table.setdefault(taken.statement, []).append(position)
    return (_Site(span, tuple(positions)) for span, positions in table.items())


def _statement(written: str, names: Sequence[str]) -> str:
    """An import statement; of modules, where it names none from which they are taken."""
    return f"from {written} import {', '.join(names)}" if written else f"import {', '.join(names)}"


def _run(block: Sequence[Nested], here: int) -> list[bool]:
    """Of each statement, whether only imports stand between it and the one here, itself included."""
    near = [statement.kind == "import" for statement in block]
    for index in range(here + 1, len(block)):
        near[index] = near[index] and near[index - 1]
    for index in range(here - 1, -1, -1):
        near[index] = near[index] and near[index + 1]
    near[here] = False
    return near


def _is_same_name(taken: Import) -> bool:
    """Whether it is written ``x as x``, which says that it is passed on."""
    return taken.aliased and taken.bound == taken.name
