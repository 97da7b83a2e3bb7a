"""Where among the imports of a file another one belongs, and whether one that changes can stay where it is. Writes
nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from layercheck.edits.removal import Blocks, Start, start_of
from layercheck.edits.source import Source
from layercheck.edits.style import Spelling, orders_of, place_in
from layercheck.extract.nesting import Nested
from layercheck.facts import ModuleFacts, Span


@dataclass(frozen=True)
class Site:
    """One import statement with its aliases, by their positions among the file's imports."""

    span: Span
    positions: tuple[int, ...]
    spelling: Spelling

    @property
    def start(self) -> Start:
        """Where it begins."""
        return self.span.line, self.span.column


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement goes: on a line of its own above or below one that is there."""

    beside: Site
    above: bool = False
    apart: bool = False
    """Whether a blank line belongs between the two."""


def sites_of(facts: ModuleFacts) -> Iterator[Site]:
    """The import statements of a file, in the order of the text. Dynamic imports are none."""
    table: dict[Span, list[int]] = {}
    for position, taken in enumerate(facts.imports):
        if "dynamic" not in taken.flags:
            table.setdefault(taken.statement, []).append(position)
    for span, positions in table.items():
        first = facts.imports[positions[0]]
        yield Site(span, tuple(positions), Spelling(first.level, first.module, plain=not first.name))


@dataclass
class Placing:
    """The import statements of a file as they come to be."""

    source: Source
    blocks: Blocks
    sites: Sequence[Site]
    turned: dict[Start, Spelling] = field(default_factory=dict)
    """What statements name that name something else than before, and stay where they are."""

    def near(self, site: Site) -> list[Site]:
        """The statements of the same block that only imports part from one, and itself, in the order of the text."""
        block = self.blocks.around(site.start)
        starts = [start_of(statement) for statement in block]
        run = _run(block, starts.index(site.start)) if site.start in starts else []
        near = {start for start, is_near in zip(starts, run, strict=False) if is_near}
        return [one for one in self.sites if one.start in near]

    def stays(self, site: Site, new: Spelling) -> bool:
        """Whether a statement can name something else where it is, in the order that those around it have."""
        section = next((one for one in self._sections(self.near(site)) if site in one), [site])
        before = [*map(self._spelling, section)]
        after = [new if one is site else self._spelling(one) for one in section]
        known, now = orders_of(before), orders_of(after)
        same = new.kind == site.spelling.kind or len(section) == 1
        return not known or (same and any(order in now for order in known))

    def place(self, site: Site, new: Spelling, gone: Collection[Start]) -> Place | None:
        """Where a new statement belongs beside others that stay; None where none does."""
        whole = self._sections(self.near(site))
        sections = [[one for one in section if one.start not in gone and self.is_alone(one)] for section in whole]
        sections = [section for section in sections if section]
        if not sections:
            return None
        near = [one for section in sections for one in section]
        section = self._section(sections, site, new)
        if section is None:
            below = [one for one in near if self._spelling(one).kind <= new.kind]
            return Place(below[-1], apart=True) if below else Place(near[-1], apart=True)
        index = place_in([*map(self._spelling, section)], new)
        if index is None:
            return Place(site if site in section else section[-1])
        if index:
            return Place(section[index - 1])
        return Place(section[0], above=not self._is_below_comment(section[0]))

    def _section(self, sections: Sequence[list[Site]], site: Site, new: Spelling) -> list[Site] | None:
        """The section to which a statement belongs: that of what it shares most of its name with; else one of its kind;
        None where it makes one of its own."""
        own = next((one for one in sections if site in one), sections[-1])
        if site.span.column > 1:
            return own
        best = max(max(new.shared(self._spelling(one)) for one in section) for section in sections)
        alike = [section for section in sections if max(new.shared(self._spelling(one)) for one in section) == best]
        if not best:
            alike = [section for section in sections if any(self._spelling(one).kind == new.kind for one in section)]
        if own in alike:
            return own
        return alike[-1] if alike else None

    def _sections(self, near: Sequence[Site]) -> list[list[Site]]:
        """Statements that follow each other line by line."""
        found: list[list[Site]] = []
        for one in near:
            if found and found[-1][-1].span.end_line + 1 >= one.span.line:
                found[-1].append(one)
            else:
                found.append([one])
        return found

    def _spelling(self, site: Site) -> Spelling:
        return self.turned.get(site.start, site.spelling)

    def is_alone(self, site: Site) -> bool:
        """Whether nothing but a comment stands beside a statement on its lines."""
        start, end = self.source.stretch(site.span)
        before = self.source.text[self.source.line_start(start) : start]
        behind = self.source.text[end : self.source.line_end(end)].strip(" \t")
        return not before.strip(" \t\f") and behind[:1] in ("", "#")

    def _is_below_comment(self, site: Site) -> bool:
        start = self.source.line_start(self.source.stretch(site.span)[0])
        return start > 0 and self.source.text[self.source.line_start(start - 1) : start].lstrip().startswith("#")

    def is_plain(self, site: Site) -> bool:
        """Whether a statement stands on one line, in no brackets, with no comment beside or above it."""
        start, end = self.source.stretch(site.span)
        text = self.source.text[start:end]
        line = self.source.text[self.source.line_start(start) : self.source.line_end(end)]
        is_short = not {"(", "\\", ";", "\n", "\r"} & {*text}
        return line.strip(" \t") == text and is_short and not self._is_below_comment(site)


def _run(block: Sequence[Nested], here: int) -> list[bool]:
    """Of each statement, whether only imports stand between it and the one here."""
    near = [statement.kind == "import" for statement in block]
    for index in range(here + 1, len(block)):
        near[index] = near[index] and near[index - 1]
    for index in range(here - 1, -1, -1):
        near[index] = near[index] and near[index + 1]
    return near
