"""The new home after a step: what moves, byte for byte, and the imports that it needs there. Changes no other file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.edits import DropImport, EditError, Redirect, rewrite
from layercheck.edits.model import AddExport, AddImport, Change
from layercheck.edits.spelling import spelled
from layercheck.edits.style import width_of
from layercheck.extract import extract, needs, outline
from layercheck.facts import Import
from layercheck.moves.cargo import Cargo, Luggage, luggage
from layercheck.moves.importing import end_of_docstring, head_of, with_imports
from layercheck.moves.linework import Stretch, gathered, lines_of, merged, newline_of, put_in
from layercheck.moves.meaning import not_imported
from layercheck.outline import Outline, Statement
from layercheck.project import Member


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
    content = with_imports(fragment.content, base, _more(cargo, bags, base), width_of(cargo.outline.lines))
    return _with_definitions(content, body, cargo, cargo.statements)


def grown_file(cargo: Cargo, target: Member, content: bytes) -> bytes:
    """A new home that was there before.

    Raises EditError where the imports that it needs cannot be written.
    """
    bags = luggage(cargo, _bound_in(cargo, target))
    fragment = _fragment(cargo, bags, target.base, head=False)
    content = _with_imports(cargo, target, content, fragment, bags)
    content = _with_blocks(content, fragment, target.base)
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
        content = rewrite(content, facts, cargo.home.base, changes, width=width_of(cargo.outline.lines))[0]
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
        taken
        for taken in facts.imports
        if taken.statement.line in plain and _spelt(taken) not in there
        if taken.name or taken.aliased or taken.module != target.name
    ]
    added = [_added(taken, target.base) for taken in wanted] + _more(cargo, bags, target.base)
    return with_imports(content, target.base, added, width_of(cargo.outline.lines))


def _added(taken: Import, base: str, beside: int = 0) -> AddImport:
    """An import like another one."""
    home = names.resolve_relative(taken.module, taken.level, base) or "" if taken.name else ""
    written = "." * taken.level + taken.module if taken.name else ""
    alias = taken.name or taken.module
    return AddImport(beside, home, written, f"{alias} as {taken.bound}" if taken.aliased else alias, taken.bound)


def _more(cargo: Cargo, bags: Luggage, base: str) -> list[AddImport]:
    """The imports of what the old home keeps, or has by a star import."""
    found = _from_elsewhere(cargo, bags).items()
    return [AddImport(0, home, spelled(home, 0, base), name, name) for home, taken in found for name in taken]


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


def _with_blocks(content: bytes, fragment: _Fragment, base: str) -> bytes:
    """The file with the blocks and constants of the fragment below its imports; a block of the same test takes in what
    stands under it."""
    newline = newline_of(content)
    rest: list[Stretch] = []
    imports = extract(fragment.content).imports
    for block in fragment.outline.blocks:
        inside = [one for one in fragment.outline.statements if one.block == block.first]
        twin = _twin(outline(content), inside)
        if twin is None:
            rest.append((block.first, block.last))
            continue
        lines = {one.start for one in inside}
        facts = extract(content)
        beside = max(at for at, taken in enumerate(facts.imports) if taken.statement.line in twin)
        taken_there = [_added(taken, base, beside) for taken in imports if taken.statement.line in lines]
        content = rewrite(content, facts, base, taken_there)[0]
    constants = [one for one in fragment.outline.statements if one.kind == "constant" and not one.block]
    rest += [(one.first, one.last) for one in constants]
    if not rest:
        return content
    text = gathered(fragment.content, rest, (), newline)
    return put_in(content, _last_import(outline(content)), text, 1, 1)


def _twin(now: Outline, inside: Sequence[Statement]) -> set[int] | None:
    """The lines on which the imports begin of a block that has one arm of imports with just the same header as these;
    None where there is none."""
    guards = {one.guards for one in inside}
    for block in now.blocks:
        others = [one for one in now.statements if one.block == block.first]
        if block.imports and guards == {one.guards for one in others} and len(guards) == 1:
            only = next(iter(guards))
            if len(only) == 1 and only[0].startswith("if "):
                return {one.start for one in others if one.kind == "import"} or None
    return None


def _last_import(now: Outline) -> int:
    """The last line of what is imported at the head of a file, else of its docstring; 0 where it has neither."""
    return max([end_of_docstring(now), *(_whole(now, one) for one in head_of(now) if one.kind == "import")])


def _end_of_header(now: Outline) -> int:
    """The last line of the imports and constants at the head of a file."""
    return max([_last_import(now), *(_whole(now, one) for one in head_of(now))])


def _whole(now: Outline, one: Statement) -> int:
    """The last line of a statement, or of the block that holds it."""
    blocks = [block for block in now.blocks if block.first == one.block]
    return blocks[0].last if blocks else one.last


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
