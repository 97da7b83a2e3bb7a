"""The new home after a step: what moves, byte for byte, and the imports that it needs there. Changes no other file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from layercheck import names
from layercheck.edits import DropImport, EditError, Redirect, rewrite
from layercheck.edits.model import AddExport, AddImport, Change
from layercheck.edits.spelling import spelled
from layercheck.extract import extract, needs, outline
from layercheck.facts import Import
from layercheck.moves.cargo import Cargo, Luggage, luggage
from layercheck.moves.linework import Stretch, gathered, lines_of, merged, newline_of, put_in
from layercheck.moves.meaning import not_imported
from layercheck.outline import Outline, Statement
from layercheck.project import Member

_HEADER = ("docstring", "import", "pass", "exports", "constant")
"""What a module begins with, before it defines classes and functions."""


@dataclass(frozen=True, slots=True)
class _Fragment:
    """Imports and constants cut out of the old home, as a file that holds nothing else."""

    content: bytes
    outline: Outline


def new_file(cargo: Cargo, base: str) -> bytes:
    """A new home that holds nothing else. ``base`` is its package.

    Raises EditError where the imports that it needs cannot be written.
    """
    bags = luggage(cargo, ())
    fragment = _fragment(cargo, bags, base, head=True)
    body = gathered(cargo.content, _stretches(cargo.statements), _apart(cargo), newline_of(cargo.content))
    content = _with_more(fragment.content, fragment.outline, cargo, bags, base)
    return _with_definitions(content, body, cargo, cargo.statements)


def grown_file(cargo: Cargo, target: Member, content: bytes) -> bytes:
    """A new home that was there before.

    Raises EditError where the imports that it needs cannot be written.
    """
    bags = luggage(cargo, _bound_in(cargo, target))
    fragment = _fragment(cargo, bags, target.base, head=False)
    content = _with_imports(cargo, target, content, fragment, bags)
    content = _with_blocks(content, fragment)
    constants = [one for one in cargo.statements if _goes_to_head(cargo, one)]
    rest = [one for one in cargo.statements if one not in constants]
    newline = newline_of(content)
    if constants:
        text = gathered(cargo.content, _stretches(constants), (), newline)
        reader, place = first_reader(content, cargo.names), _end_of_header(outline(content))
        content = put_in(content, min(place, reader - 1) if reader else place, text, 1, 1)
    if rest:
        body = gathered(cargo.content, _stretches(rest), _apart(cargo), newline)
        content = _with_definitions(content, body, cargo, rest)
    return _declaring(cargo, target, _without_own(cargo, target, content))


_APART = 2


def _stretches(statements: Sequence[Statement]) -> list[Stretch]:
    return [(one.first, one.last) for one in statements]


def _apart(cargo: Cargo) -> list[Stretch]:
    return [(one.first, one.last) for one in cargo.statements if one.kind != "constant"]


def _bound_in(cargo: Cargo, target: Member) -> set[str]:
    """Of the names that moved code may need, those that its new home binds already."""
    resolver = cargo.side.project.resolver
    wanted = {name for one in cargo.outline.statements for name in one.names} | {one.name for one in cargo.reads}
    wanted -= {free.name for free in cargo.reads if not_imported(cargo.home, target, free)}
    return {name for name in wanted if name in target.bindings or resolver.find(target, name) == "bound"}


def _goes_to_head(cargo: Cargo, statement: Statement) -> bool:
    """Whether a constant can stand above the definitions of its new home: it reads none of those that move."""
    read = cargo.side.needs(cargo.home.path, [statement.start])[0].names
    return statement.kind == "constant" and (statement.literal or not read)


# What is cut out of the old home


def _fragment(cargo: Cargo, bags: Luggage, base: str, *, head: bool) -> _Fragment:
    """The imports, blocks of imports and constants that are needed, and no other names."""
    kept: list[Stretch] = [(one.start, one.last) for one in bags.imports]
    kept += [(block.first, block.last) for block in bags.blocks]
    kept += [(one.first, one.last) for one in bags.constants]
    if head:
        kept += _file_head(cargo)
    kept = merged(kept)
    alone = {line for first, last in kept for line in range(first, last + 1)}
    for one in cargo.outline.statements:
        if not one.alone and one.start in alone and one.kind != "import":
            raise EditError(f"{cargo.home.path}:{one.start}: the import that it needs shares a line with other code")
    content = gathered(cargo.content, kept, (), newline_of(cargo.content))
    facts = extract(content)
    changes = [
        change
        for position, taken in enumerate(facts.imports)
        for change in _adapted(cargo, bags, position, taken, base)
    ]
    if changes:
        content = rewrite(content, facts, cargo.home.base, changes)[0]
    return _Fragment(content, outline(content))


def _file_head(cargo: Cargo) -> Iterator[Stretch]:
    """What every part of a file begins with: comments at its head, and what it asks of ``__future__``."""
    first = min((one.first for one in cargo.outline.statements), default=1)
    lines = lines_of(cargo.content)
    for number, line in enumerate(lines[: first - 1], 1):
        if line.lstrip().startswith(b"#") and not line.startswith(b"#!"):
            yield number, number
    features = {taken.statement.line for taken in cargo.home.facts.imports if taken.module == "__future__"}
    yield from ((one.start, one.last) for one in cargo.outline.statements if one.start in features)


def _adapted(cargo: Cargo, bags: Luggage, position: int, taken: Import, base: str) -> Iterator[Change]:
    """What to do to an import of the old home for the new one."""
    if taken.module == "__future__":
        return
    if taken.place == "module" and taken.bound not in bags.names:
        yield DropImport(position)
    elif taken.level and base != cargo.home.base:
        home = names.resolve_relative(taken.module, taken.level, cargo.home.base)
        if home is None or not taken.name:
            raise EditError(f"{cargo.home.path}: the import of {taken.name} climbs beyond the top")
        yield Redirect(position, home, spelled(home, _level(taken, home, base), base), taken.name)


def _level(taken: Import, home: str, base: str) -> int:
    """How many dots lead from another package to the same module; 0 where none do."""
    for level in range(1, len(names.split(base)) + 1):
        package = names.resolve_relative("", level, base)
        if package and names.is_within(home, package):
            return level
    return 0


# What is put into the new home


def _with_more(content: bytes, now: Outline, cargo: Cargo, bags: Luggage, base: str) -> bytes:
    """A new file with imports of what the old home keeps, or has by a star import."""
    lines = [
        f"from {spelled(home, 0, base)} import {', '.join(taken)}"
        for home, taken in _from_elsewhere(cargo, bags).items()
    ]
    if not lines:
        return content
    newline = newline_of(cargo.content)
    text = b"".join(line.encode() + newline for line in lines)
    beside = any(one.kind == "import" and not set(one.names) <= now.futures for one in now.statements)
    return put_in(content, _last_import(now), text, 0 if beside else 1, 0)


def _from_elsewhere(cargo: Cargo, bags: Luggage) -> dict[str, list[str]]:
    """What is needed that no import of the old home names, by the module that has it."""
    found: dict[str, list[str]] = {}
    resolver = cargo.side.project.resolver
    for name in bags.starred:
        source = next(source for _, source in resolver.star_sources(cargo.home) if resolver.passes(source, name))
        found.setdefault(source.name, []).append(name)
    if bags.staying:
        found[cargo.home.name] = [*bags.staying]
    return found


def _with_definitions(content: bytes, body: bytes, cargo: Cargo, statements: Sequence[Statement]) -> bytes:
    """The file with statements at its end, or above the first statement that reads some of it at once."""
    reader = first_reader(content, cargo.names)
    if reader:
        return put_in(content, reader - 1, body, _APART, _APART)
    above = 1 if statements[0].kind == "constant" else _APART
    return put_in(content, len(lines_of(content)), body, above, 0)


def first_reader(content: bytes, wanted: Collection[str]) -> int:
    """The first line of the first statement, comment and block included, that reads some names at once; 0 where none
    does."""
    now = outline(content)
    starts = [one.start for one in now.statements if one.kind != "import"]
    found = needs(content, starts)
    for one in now.statements:
        if one.start in found and any(free.eager and free.name in wanted for free in found[one.start].names):
            return one.block or one.first
    return 0


def _with_imports(cargo: Cargo, target: Member, content: bytes, fragment: _Fragment, bags: Luggage) -> bytes:
    """The file with the plain imports of the fragment, and without its own imports of what comes."""
    facts = extract(fragment.content)
    there = {_spelt(taken) for taken in target.facts.imports}
    plain = {one.start for one in fragment.outline.statements if one.kind == "import" and not one.block}
    wanted = [
        (names.resolve_relative(taken.module, taken.level, target.base) or "" if taken.name else "", taken)
        for taken in facts.imports
        if taken.statement.line in plain and _spelt(taken) not in there
        if taken.name or taken.aliased or taken.module != target.name
    ]
    lines: list[tuple[str, str, str, str]] = []
    for home, taken in wanted:
        written = "." * taken.level + taken.module if taken.name else ""
        alias = taken.name or taken.module
        lines.append((home, written, f"{alias} as {taken.bound}" if taken.aliased else alias, taken.bound))
    for home, found in _from_elsewhere(cargo, bags).items():
        lines += [(home, home, name, name) for name in found]
    place = header_import(target, outline(content))
    if place is not None and lines:
        content = rewrite(content, target.facts, target.base, [AddImport(place, *line) for line in lines])[0]
    if place is None and lines:
        texts = [f"from {line[1]} import {line[2]}" if line[0] else f"import {line[2]}" for line in lines]
        newline = newline_of(content)
        text = b"".join(one.encode() + newline for one in texts)
        content = put_in(content, end_of_docstring(outline(content)), text, 1, 1)
    return content


def _spelt(taken: Import) -> tuple[str, ...]:
    """What tells an import from others that bind the same name."""
    return (taken.place, taken.kind, "." * taken.level + taken.module, taken.name, taken.bound)


def _without_own(cargo: Cargo, target: Member, content: bytes) -> bytes:
    """The file without the imports by which it took what it defines now."""
    facts = extract(content)
    changes: list[Change] = []
    for position, taken in enumerate(facts.imports):
        source = names.resolve_relative(taken.module, taken.level, target.base)
        if source != cargo.home.name or taken.name not in cargo.names:
            continue
        if taken.bound == taken.name:
            changes.append(DropImport(position))
        elif taken.place == "module":
            raise EditError(f"{target.path} takes {taken.name} as {taken.bound}; let it take it by its name first")
        else:
            changes.append(Redirect(position, target.name, spelled(target.name, taken.level, target.base), taken.name))
    return rewrite(content, facts, target.base, changes)[0] if changes else content


def header_import(member: Member, now: Outline, above: int = 0) -> int | None:
    """The position of the last import that stands plainly, and alone on its lines, at the head of a file, above a line
    where one is given; None where there is none."""
    starts: set[int] = set()
    for one in _head(now):
        if above and one.start >= above:
            break
        if one.kind == "import" and not one.block and one.alone:
            starts.add(one.start)
    found = [
        position
        for position, taken in enumerate(member.facts.imports)
        if taken.statement.line in starts and taken.module != "__future__" and "dynamic" not in taken.flags
    ]
    return found[-1] if found else None


def _with_blocks(content: bytes, fragment: _Fragment) -> bytes:
    """The file with the blocks and constants of the fragment below its imports; a block of the same test takes in what
    stands under it."""
    newline = newline_of(content)
    rest: list[Stretch] = []
    for block in fragment.outline.blocks:
        inside = [one for one in fragment.outline.statements if one.block == block.first]
        twin = _twin(outline(content), inside)
        if twin is None:
            rest.append((block.first, block.last))
            continue
        text = gathered(fragment.content, [(one.start, one.last) for one in inside], (), newline)
        content = put_in(content, twin, text, 0, 0)
    constants = [one for one in fragment.outline.statements if one.kind == "constant" and not one.block]
    rest += [(one.first, one.last) for one in constants]
    if not rest:
        return content
    text = gathered(fragment.content, rest, (), newline)
    return put_in(content, _last_import(outline(content)), text, 1, 1)


def _twin(now: Outline, inside: Sequence[Statement]) -> int | None:
    """The last line of a block that has one arm of imports with just the same header as these."""
    guards = {one.guards for one in inside}
    for block in now.blocks:
        others = [one for one in now.statements if one.block == block.first]
        if block.imports and guards == {one.guards for one in others} and len(guards) == 1:
            only = next(iter(guards))
            if len(only) == 1 and only[0].startswith("if "):
                return block.last
    return None


def _last_import(now: Outline) -> int:
    """The last line of what is imported at the head of a file, else of its docstring; 0 where it has neither."""
    return max([end_of_docstring(now), *(_whole(now, one) for one in _head(now) if one.kind == "import")])


def _end_of_header(now: Outline) -> int:
    """The last line of the imports and constants at the head of a file."""
    return max([_last_import(now), *(_whole(now, one) for one in _head(now))])


def _head(now: Outline) -> Iterator[Statement]:
    """The statements at the head of a file: imports, constants, and what stands in blocks among them."""
    return takewhile(lambda one: one.kind in _HEADER or one.block, now.statements)


def _whole(now: Outline, one: Statement) -> int:
    """The last line of a statement, or of the block that holds it."""
    blocks = [block for block in now.blocks if block.first == one.block]
    return blocks[0].last if blocks else one.last


def end_of_docstring(now: Outline) -> int:
    """The line behind which imports may stand: that of the docstring and of what is asked of ``__future__``."""
    line = 0
    for one in now.statements:
        if one.kind == "docstring" or (one.kind == "import" and set(one.names) <= now.futures):
            line = one.last
        else:
            break
    return line


def _declaring(cargo: Cargo, target: Member, content: bytes) -> bytes:
    """A new home whose ``__all__`` names, of what came, what a star import of the old home gave."""
    resolver = cargo.side.project.resolver
    exported = resolver.exports(target)
    given = sorted(name for name in cargo.names if resolver.passes(cargo.home, name))
    changes = [AddExport(name) for name in given if exported is not None and name not in exported]
    try:
        return rewrite(content, extract(content), target.base, changes)[0] if changes else content
    except EditError as error:
        raise EditError(f"{target.path}: {error}; write it as one, so that {given[0]} can be put into it") from None
