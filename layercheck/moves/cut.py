"""The old home after a step: without what moved and the imports that only this needed. Changes no other file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from layercheck.edits import DropImport, EditError, Redirect, rewrite
from layercheck.edits.model import AddImport, DropExport
from layercheck.edits.spelling import spelled
from layercheck.edits.style import width_of
from layercheck.extract import extract, outline
from layercheck.facts import Import, ModuleFacts
from layercheck.moves.cargo import Cargo
from layercheck.moves.importing import beside, with_imports
from layercheck.moves.linework import Stretch, without
from layercheck.moves.paste import first_reader
from layercheck.names import is_within, resolve_relative

_BREAKS = b"\r\n"


def old_file(cargo: Cargo, shim: bool) -> bytes:
    """The old home after a step; with ``shim`` it goes on offering all that moved.

    Raises EditError where its imports cannot be rewritten.
    """
    content = without(cargo.content, [(one.first, one.last) for one in cargo.statements])
    content = _lightened(cargo, _turned(cargo, content))
    facts = extract(content)
    facade = _declared(cargo) if _is_facade(cargo) else frozenset()
    declared = sorted(_declared(cargo) - facade)
    if declared and not shim:
        content = rewrite(content, facts, cargo.home.base, [DropExport(name) for name in declared])[0]
    target, base = cargo.step.new_home, cargo.home.base
    wanted = sorted((cargo.names & set(facts.uses)) | facade | (cargo.names if shim else frozenset()))
    aliases = [f"{name} as {name}" if shim and name not in facts.uses else name for name in wanted]
    reader = first_reader(content, wanted)
    place = beside(extract(content), outline(content), reader)
    written = spelled(target, facts.imports[place].level if place is not None else 0, base)
    added = [AddImport(0, target, written, alias, name) for alias, name in zip(aliases, wanted, strict=True)]
    return with_imports(content, base, added, width_of(cargo.outline.lines), reader)


def _turned(cargo: Cargo, content: bytes) -> bytes:
    """The rest of the old home where it imports from itself what moved: it takes that from the new home."""
    facts, base, target = extract(content), cargo.home.base, cargo.step.new_home
    changes = [
        Redirect(position, target, spelled(target, taken.level, base), taken.name)
        for position, taken in enumerate(facts.imports)
        if taken.name in cargo.names and resolve_relative(taken.module, taken.level, base) == cargo.home.name
    ]
    return rewrite(content, facts, base, changes)[0] if changes else content


def _lightened(cargo: Cargo, content: bytes) -> bytes:
    """The rest of the old home without the imports that it needs no more; one may be why another is there."""
    while True:
        facts = extract(content)
        blocks = [*_idle_blocks(cargo, content, facts)]
        idle = [*_idle(cargo, facts)]
        if blocks:
            content = without(content, blocks)
        elif idle:
            _demand_own_lines(cargo, {facts.imports[position].bound for position in idle})
            content = rewrite(content, facts, cargo.home.base, [DropImport(position) for position in idle])[0]
        else:
            return content if cargo.content[:1] in _BREAKS else content.lstrip(_BREAKS)


def _demand_own_lines(cargo: Cargo, names: Iterable[str]) -> None:
    """What is left of a line that loses an import would be another line, and be taken for more than a move."""
    for name in sorted(names):
        for one in cargo.binders(name):
            if one.kind == "import" and not one.alone:
                raise EditError(
                    f"{cargo.home.path}:{one.start}: the import of {name}, which nothing would need any more, shares a "
                    "line with other code; give it lines of its own"
                )


def departed(cargo: Cargo, facts: ModuleFacts) -> frozenset[str]:
    """The names that what moved reads and the rest of the old home does not. ``facts`` are those of the rest."""
    return frozenset(free.name for free in cargo.reads) - set(facts.uses)


def _declared(cargo: Cargo) -> frozenset[str]:
    """What moves of what the old home's ``__all__`` names."""
    return cargo.names & (cargo.side.project.resolver.exports(cargo.home) or frozenset())


def _is_facade(cargo: Cargo) -> bool:
    """Whether the old home is a package from which others take what now lies below it."""
    return cargo.home.package and is_within(cargo.step.new_home, cargo.home.name)


def _is_idle(cargo: Cargo, facts: ModuleFacts, name: str) -> bool:
    """Whether nobody needs a name of the old home any more that moved code did need."""
    if name in facts.uses or facts.reads_by_name:
        return False
    exported = cargo.side.project.resolver.exports(cargo.home)
    if name in (exported or ()) or (cargo.home.facts.exports is not None and exported is None):
        return False
    takers = cargo.side.project.uses.takers(cargo.home.name, name)
    # Patches are let follow what reads the name.
    return all(use.how == "patch" for use in takers)


def _wanted_by_cargo(cargo: Cargo) -> set[str]:
    """What moved code reads, and what the conditions read under which the old home imports that."""
    found = {free.name for free in cargo.reads}
    for name in tuple(found):
        for block in cargo.blocks_binding(name):
            found |= {*cargo.read_by_block(block)}
    return found


def _idle_blocks(cargo: Cargo, content: bytes, facts: ModuleFacts) -> Iterator[Stretch]:
    """The blocks of imports of which only what moved had any need."""
    now = outline(content)
    read = _wanted_by_cargo(cargo)
    for block in now.blocks:
        names = frozenset(name for one in now.statements if one.block == block.first for name in one.names)
        if block.imports and _all_idle(cargo, facts, names, read):
            yield block.first, block.last


def _all_idle(cargo: Cargo, facts: ModuleFacts, names: frozenset[str], read: set[str]) -> bool:
    return bool(names) and names <= read and all(_is_idle(cargo, facts, name) for name in names)


def _idle(cargo: Cargo, facts: ModuleFacts) -> Iterator[int]:
    """The positions of the imports that only what moved had any need of."""
    read = _wanted_by_cargo(cargo)
    for position, taken in enumerate(facts.imports):
        wanted = taken.place == "module" and taken.bound in read and _may_go(taken)
        if wanted and _is_idle(cargo, facts, taken.bound):
            yield position


def _may_go(taken: Import) -> bool:
    """Whether an import is there only for the code of its module."""
    if taken.module == "__future__" or taken.handler or "optional" in taken.flags or "dynamic" in taken.flags:
        return False
    return not (taken.aliased and taken.bound == taken.name)
