"""Import statements rewritten: names taken out, taken from elsewhere, merged into a statement that is there already."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from layercheck.edits.lists import Stretch, inserted, without
from layercheck.edits.model import AddImport, DropImport, Redirect
from layercheck.edits.placing import Placing, Site, sites_of
from layercheck.edits.removal import Blocks, Start
from layercheck.edits.source import Edit, EditError, Source
from layercheck.edits.style import Spelling, in_lines, order_of, places_of, spelling_of, statement
from layercheck.facts import Import, ModuleFacts
from layercheck.names import resolve_relative

_FROM = re.compile(r"from(?P<before>[\s\\]*)(?P<module>.*?)(?P<after>[\s\\]*)\bimport\b(?=[\s\\(*])", re.DOTALL)


@dataclass
class _Insertion:
    """A new statement in the block of another one, or in the place of that where nothing is left of it."""

    site: Site
    written: str
    names: list[str]
    comments: list[str]


@dataclass(frozen=True, slots=True)
class _Turning:
    """A statement all of whose names that stay in it are taken from another module."""

    site: Site
    written: str
    staying: list[int]
    leaving: list[int]


@dataclass
class Rewritten:
    """What is to be done to the statements of a file."""

    edits: list[Edit] = field(default_factory=list)
    gone: set[Start] = field(default_factory=set)
    """The statements of which nothing is left."""


def rewrite_imports(
    source: Source,
    facts: ModuleFacts,
    base: str,
    blocks: Blocks,
    changes: Iterable[DropImport | Redirect | AddImport],
    width: int,
) -> Rewritten:
    """What to do to the import statements of a file. ``base`` is the package against which relative imports resolve,
    ``width`` how many characters a line may have.

    Raises EditError where a statement is written in a way that cannot be taken apart.
    """
    changes = tuple(changes)
    by_position = {change.position: change for change in changes if not isinstance(change, AddImport)}
    additions = [change for change in changes if isinstance(change, AddImport)]
    rewriter = _Rewriter(source, facts, base, blocks, by_position, width)
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
        width: int,
    ) -> None:
        self._source = source
        self._facts = facts
        self._base = base
        self._changes = changes
        self._width = width
        self.sites = [*sites_of(facts)]
        self.done = Rewritten()
        self._placing = Placing(source, blocks, self.sites)
        self._turned: list[_Turning] = []
        self._leaving: dict[Start, list[int]] = {}
        self._merged: dict[Start, list[str]] = {}
        self._inserted: list[_Insertion] = []

    def rewrite(self, site: Site) -> None:
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
            self._turned.append(_Turning(site, written, staying, [p for p in leaving if p not in staying]))
        else:
            self._leaving[site.start] = leaving
        for written, positions in groups.items():
            self._insert(site, written, positions)

    def add(self, site: Site, additions: Iterable[AddImport]) -> None:
        """Import more beside one statement, or in its place where it goes."""
        statements: dict[tuple[str, str], list[str]] = {}
        for one in additions:
            other = self._taking(site, one.home) if one.home else None
            if other is None:
                # Each module gets a statement of its own (PEP 8, "Imports").
                statements.setdefault((one.written, "") if one.home else ("", one.alias), []).append(one.alias)
            else:
                names = self._merged.setdefault(other.start, [])
                if one.alias not in names:
                    names.append(one.alias)
        self._inserted += [_Insertion(site, written, names, []) for (written, _), names in statements.items()]

    def _taking(self, site: Site, home: str) -> Site | None:
        """The statement, this one or one beside it, that can take more from a module."""
        keeps = any(position not in self._changes for position in site.positions)
        swaps = keeps and self._placing.is_plain(site) and self._is_from(site, home)
        return site if swaps or self._takes_from(site, home) else self._beside(site, home)

    def _turn(self, one: _Turning) -> None:
        """Let a statement take its names from another module: where it is, or, where that breaks the order of those
        around it, where it belongs then."""
        source, site = self._source, one.site
        whole = _Insertion(site, one.written, [*map(self._alias, one.staying)], [])
        plain, new = self._placing.is_plain(site), spelling_of(one.written)
        if plain and not self._placing.stays(site, new):
            self.done.gone.add(site.start)
            self._inserted.append(whole)
            return
        self._placing.turned[site.start] = new
        text = self._statement(site, whole)
        if plain and "(" in text:
            self.done.edits.append(Edit(*source.stretch(site.span), text))
            return
        self._write_module(site, one.written)
        self._write_names(one.staying)
        self._take_out(site, one.leaving)

    def _take_out(self, site: Site, leaving: Collection[int]) -> None:
        if leaving:
            gone = [site.positions.index(position) for position in leaving]
            self.done.edits += without(self._source, self._items(site), gone)

    def _items(self, site: Site) -> list[Stretch]:
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

    def _write_module(self, site: Site, written: str) -> None:
        start, end = self._source.stretch(site.span)
        match = _FROM.match(self._source.text, start, end)
        if match is None:
            raise EditError("its module is written in a way that cannot be rewritten")
        before = "" if match["before"] else " "
        after = "" if match["after"] else " "
        self.done.edits.append(Edit(*match.span("module"), f"{before}{written}{after}"))

    def _insert(self, site: Site, written: str, positions: Collection[int]) -> None:
        """Take names from a module behind a statement that stays, or where that is done already for others near by."""
        comments = [*dict.fromkeys(self._silencers(site, positions))]
        near = self._near(site)
        for other in self._inserted:
            if other.written == written and other.site.start in near and not (comments or other.comments):
                other.names += (self._alias(position) for position in positions)
                return
        self._inserted.append(_Insertion(site, written, [*map(self._alias, positions)], comments))

    def _write_insertions(self) -> Iterator[Edit]:
        """The statements that are new: where nothing is left of the one beside which they go, in its place; else where
        they belong."""
        source, gone = self._source, frozenset(self.done.gone)
        instead: dict[Start, list[str]] = {}
        rows: dict[tuple[Start, bool], list[tuple[bool, Spelling, str]]] = {}
        for one in self._inserted:
            site, new = one.site, spelling_of(one.written, one.names[0])
            place = self._placing.place(site, new, gone)
            if site.start in gone and (place is None or self._placing.stays(site, new)):
                instead.setdefault(site.start, []).append(self._statement(site, one))
            elif place is None or not self._placing.is_alone(site):
                end = source.stretch(site.span)[1]
                yield Edit(end, end, f"; {_on_one_line(one.written, one.names)}")
            else:
                row = rows.setdefault((place.beside.start, place.above), [])
                row.append((place.apart, new, self._statement(place.beside, one)))
        for site in self.sites:
            texts = instead.get(site.start)
            if texts:
                self.done.gone.discard(site.start)
                yield Edit(*source.stretch(site.span), self._joined(site, texts))
            for above in (True, False):
                row = sorted(rows.get((site.start, above), ()), key=lambda one: (one[0], order_of(one[1])))
                if row:
                    yield self._row(site, row, above=above)

    def _joined(self, site: Site, texts: Sequence[str]) -> str:
        line, indent = self._line(site)
        return ("; " if indent.strip(" \t") else f"{self._source.newline(line)}{indent}").join(texts)

    def _row(self, site: Site, row: Sequence[tuple[bool, Spelling, str]], *, above: bool) -> Edit:
        """New statements on lines of their own; those that are to be apart come last, behind a blank line."""
        line, indent = self._line(site)
        newline = self._source.newline(line)
        if above:
            return Edit(line, line, "".join(f"{indent}{text}{newline}" for _, _, text in row))
        place = self._source.line_end(self._source.stretch(site.span)[1])
        gaps = [one[0] and not (index and row[index - 1][0]) for index, one in enumerate(row)]
        texts = (f"{newline * (2 if gap else 1)}{indent}{text}" for gap, (_, _, text) in zip(gaps, row, strict=True))
        return Edit(place, place, "".join(texts))

    def _line(self, site: Site) -> tuple[int, str]:
        """Where the line of a statement begins, and what stands there before it."""
        start = self._source.stretch(site.span)[0]
        line = self._source.line_start(start)
        return line, self._source.text[line:start].lstrip("\f")

    def _statement(self, site: Site, one: _Insertion) -> str:
        """A statement as it is written on the line of another one, or beside that."""
        line, indent = self._line(site)
        if one.comments:
            return "  ".join([_on_one_line(one.written, one.names), *one.comments])
        return statement(one.written, one.names, indent, self._width, self._source.newline(line))

    def _silencers(self, site: Site, positions: Collection[int]) -> Iterator[str]:
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

    def _merges(self, site: Site, position: int, change: Redirect) -> bool:
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

    def _beside(self, site: Site, home: str) -> Site | None:
        """An untouched import from a module in the same block, with nothing but imports between."""
        near = self._near(site)
        return next((other for other in self.sites if other.start in near and self._takes_from(other, home)), None)

    def _takes_from(self, site: Site, home: str) -> bool:
        """Whether a statement takes names from a module, and nothing is done to those."""
        return self._is_from(site, home) and not any(position in self._changes for position in site.positions)

    def _is_from(self, site: Site, home: str) -> bool:
        first = self._facts.imports[site.positions[0]]
        return first.name not in ("", "*") and resolve_relative(first.module, first.level, self._base) == home

    def _near(self, site: Site) -> set[Start]:
        """Where the other statements of the same block begin that only imports part from this one."""
        return {one.start for one in self._placing.near(site) if one is not site}

    def finish(self) -> None:
        """Write the names that go into statements that were there, and the statements that are new."""
        for one in self._turned:
            self._turn(one)
        for site in self.sites:
            names, leaving = self._merged.get(site.start, ()), self._leaving.get(site.start, ())
            if names:
                self.done.edits += self._with_names(site, names, leaving)
            else:
                self._take_out(site, leaving)
        self.done.edits += [*self._write_insertions()]

    def _with_names(self, site: Site, new: Sequence[str], leaving: Collection[int]) -> Iterator[Edit]:
        """The edits that put names into a statement, in the order of those that it has, in the place of some."""
        source = self._source
        items = self._items(site)
        kept = [item for item, position in zip(items, site.positions, strict=True) if position not in leaving]
        there = [source.text[start:end] for start, end in kept]
        places = places_of(there, new)
        ordered = [name for at in range(len(there) + 1) for name in (*places.get(at, ()), *there[at : at + 1])]
        line, indent = self._line(site)
        length = items[0][0] - line + len(", ".join(ordered))
        if self._placing.is_plain(site) and length > self._width:
            yield Edit(items[0][0], items[-1][1], in_lines(ordered, indent, source.newline(line)))
        elif leaving:
            yield Edit(items[0][0], items[-1][1], ", ".join(ordered))
        else:
            yield from inserted(source, items, places)


def _on_one_line(written: str, names: Sequence[str]) -> str:
    return statement(written, names, "", sys.maxsize, "")


def _is_same_name(taken: Import) -> bool:
    """Whether it is written ``x as x``, which says that it is passed on."""
    return taken.aliased and taken.bound == taken.name
