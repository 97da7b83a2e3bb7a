"""What goes from one module to another in one step, and what it needs to take along. Pure; changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from layercheck.moves.movesfile import Step
from layercheck.moves.side import Side
from layercheck.outline import DEFINING, Block, FreeName, Outline, Statement
from layercheck.project import Member


@dataclass(frozen=True)
class Cargo:
    """One step, with the statements that it is about."""

    side: Side
    """The project as it is before the step."""
    step: Step
    home: Member
    """The module that they leave."""
    statements: tuple[Statement, ...]
    """In the order of the text."""
    recomputed: frozenset[str]
    """Names of constants that every module computes for itself."""

    @cached_property
    def names(self) -> frozenset[str]:
        """What moves."""
        return frozenset(self.step.names)

    @property
    def outline(self) -> Outline:
        """The top level of the old home."""
        return self.side.outline(self.home.path)

    @property
    def content(self) -> bytes:
        """The old home."""
        return self.side.contents[self.home.path]

    @cached_property
    def reads(self) -> tuple[FreeName, ...]:
        """What moves reads from its module or the builtins, besides itself; a name may be there several times."""
        needs = self.side.needs(self.home.path, [one.start for one in self.statements])
        return tuple(free for one in needs for free in one.names if free.name not in self.names)

    def blocks_binding(self, name: str) -> list[Block]:
        """The blocks of imports in which the old home binds a name."""
        firsts = {one.block for one in self.outline.statements if one.block and name in one.names}
        return [block for block in self.outline.blocks if block.first in firsts and block.imports]

    def binders(self, name: str) -> list[Statement]:
        """The statements of the old home's top level that bind a name, those in blocks of imports apart."""
        inside = {block.first for block in self.outline.blocks if block.imports}
        return [one for one in self.outline.statements if name in one.names and one.block not in inside]

    def read_by_block(self, block: Block) -> Iterator[str]:
        """What a block's conditions read."""
        bound = {name for one in self.outline.statements if one.block == block.first for name in one.names}
        needs = self.side.needs(self.home.path, [block.first])[0]
        return (free.name for free in needs.names if free.name not in bound)


@dataclass(frozen=True, slots=True)
class Luggage:
    """What a new home has to have for what comes to it."""

    imports: tuple[Statement, ...]
    """Import statements of the old home that stand under no condition."""
    blocks: tuple[Block, ...]
    """Blocks of imports of the old home."""
    constants: tuple[Statement, ...]
    """Constants that the new home computes for itself."""
    staying: tuple[str, ...]
    """What stays in the old home, from where the new one has to take it."""
    starred: tuple[str, ...]
    """What the old home has by a star import."""
    names: frozenset[str]
    """All names for which this is."""


def luggage(cargo: Cargo, there: Collection[str]) -> Luggage:
    """What has to come along with what moves. ``there`` are the names that the new home binds already."""
    imports: dict[int, Statement] = {}
    blocks: dict[int, Block] = {}
    constants: dict[int, Statement] = {}
    staying: set[str] = set()
    starred: set[str] = set()
    seen: set[str] = set()
    queue = [free.name for free in cargo.reads]
    while queue:
        name = queue.pop()
        if name in seen or name in there or name in cargo.names:
            continue
        seen.add(name)
        inside, binders = cargo.blocks_binding(name), cargo.binders(name)
        for block in inside:
            if block.first not in blocks:
                blocks[block.first] = block
                queue += cargo.read_by_block(block)
        for one in binders:
            if one.kind == "import" and not one.block:
                imports[one.start] = one
            elif name in cargo.recomputed and one.kind == "constant" and not one.block:
                if one.start not in constants:
                    constants[one.start] = one
                    needs = cargo.side.needs(cargo.home.path, [one.start])[0]
                    queue += (free.name for free in needs.names)
            else:
                staying.add(name)
        if not inside and not binders and name in cargo.home.bindings:
            staying.add(name)  # a loop binds it, or a function by ``global``
        elif not inside and not binders and name in _star_names(cargo):
            starred.add(name)
    return Luggage(
        tuple(imports[line] for line in sorted(imports)),
        tuple(blocks[line] for line in sorted(blocks)),
        tuple(constants[line] for line in sorted(constants)),
        tuple(sorted(staying)),
        tuple(sorted(starred)),
        frozenset(seen),
    )


def _star_names(cargo: Cargo) -> set[str]:
    """Of the names that moved code reads, those that a star import of the old home brings."""
    resolver, home = cargo.side.project.resolver, cargo.home
    sources = [source for _, source in resolver.star_sources(home)]
    return {free.name for free in cargo.reads if any(resolver.passes(source, free.name) for source in sources)}


def definitions_of(outline: Outline, name: str) -> list[Statement]:
    """The statements that define a name at the top level."""
    return [one for one in outline.statements if one.kind in DEFINING and name in one.names]
