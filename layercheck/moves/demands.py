"""Whether a step can be made at all: what is wrong with it against the code, all of it at once. Changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from layercheck import names
from layercheck.errors import LayercheckError
from layercheck.facts import MODULE_SCOPE
from layercheck.moves.cargo import Cargo, definitions_of
from layercheck.moves.movesfile import MovesFile, Step
from layercheck.moves.side import Side
from layercheck.outline import DEFINING, Statement
from layercheck.project import Member, Target


def cargo_of(side: Side, file: MovesFile, step: Step) -> tuple[Cargo, Member | None]:
    """What a step moves, and the new home where that is there already.

    Raises LayercheckError with a line for each thing that is wrong: place, key, what, and what was likely meant.
    """
    home = side.project.modules.get(step.old_home)
    target = side.project.modules.get(step.new_home)
    complaints: list[str] = []

    def complain(key: str, what: str) -> None:
        complaints.append(f"{step.place(file.path, key)}{what}")

    if home is None:
        complain("from", _no_module(side, step.old_home))
    elif why := _untouchable(side, home):
        complain("from", why)
    if target is not None and (why := _untouchable(side, target)):
        complain("to", why)
    if target is None and side.project.index.exists(step.new_home):
        complain("to", f"{step.new_home} is there, and is no Python file that was read; name another module")
    elif target is None and (why := _hidden_by(side, step.new_home)):
        complain("to", f"{why}; name another module")
    if home is None or complaints:
        raise LayercheckError(*complaints)
    statements: dict[int, Statement] = {}
    for index, name in enumerate(step.names):
        for what in _faults(side, home, target, step, name):
            complain(f"names[{index}]", what)
        for one in definitions_of(side.outline(home.path), name):
            statements[one.start] = one
    if complaints:
        raise LayercheckError(*complaints)
    ordered = tuple(statements[line] for line in sorted(statements))
    return Cargo(side, step, home, ordered, frozenset(file.recomputed)), target


def _no_module(side: Side, name: str) -> str:
    near = names.nearest(name, side.project.modules)
    return f"there is no module {name}" + (f"; did you mean {near}?" if near else "")


def _hidden_by(side: Side, module: str) -> str:
    """Which code from elsewhere a new module, or the package above it, would stand before; empty for none."""
    top = names.head(module)
    if side.project.index.exists(top):
        return ""
    if top in sys.stdlib_module_names:
        return f"{top} is a module of the standard library, which {module} would stand before"
    link = next((one for one in side.project.links if one.external and names.head(one.imported) == top), None)
    return f"{top} is imported from elsewhere ({link.path}:{link.span.line})" if link is not None else ""


def _untouchable(side: Side, member: Member) -> str:
    """Why a module cannot be changed; empty where it can."""
    if member.facts.failure is not None:
        return f"{member.path}:{member.facts.failure.line}: it cannot be parsed: {member.facts.failure.message}"
    if member.generated or member.vendored:
        return f"{member.path} is {'generated' if member.generated else 'vendored'}: it is not changed by hand"
    if side.outline(member.path).failure:
        return f"{member.path}: {side.outline(member.path).failure}"
    return ""


def _faults(side: Side, home: Member, target: Member | None, step: Step, name: str) -> Iterator[str]:
    """What is wrong with moving one name."""
    outline = side.outline(home.path)
    found = definitions_of(outline, name)
    if not found:
        yield _not_defined(side, home, name)
        return
    first = found[0]
    where = f"{home.path}:{first.start}: {name}"
    bindings = home.bindings.get(name, [])
    if len(found) > 1 or len(bindings) > 1:
        lines = sorted({*(one.start for one in found), *(one.span.line for one in bindings)})
        yield f"{where} is bound several times (lines {', '.join(map(str, lines))}); leave one definition of it"
        return
    if not bindings:
        yield f"{where} is deleted again; it is not there to be taken"
    if first.guards:
        yield f"{where} is defined under `{' / '.join(first.guards)}`; move that decision out of the module's top level"
    if not first.alone:
        yield f"{where} shares a line with other code; give it lines of its own"
    others = [other for other in first.names if other not in step.names]
    if others:
        yield f"{where} is assigned together with {', '.join(others)}; move them together"
    for why in side.needs(home.path, [first.start])[0].unclear:
        yield f"{where} cannot be moved: {why}"
    if target is not None:
        yield from _taken(side, home, target, name)
        yield from _own_home(side, home, target, first)


def _taken(side: Side, home: Member, target: Member, name: str) -> Iterator[str]:
    """Why a name is not free in a module that is there."""
    for binding in target.bindings.get(name, ()):
        taken = target.facts.imports[binding.imported] if binding.imported >= 0 else None
        found = side.project.resolver.target(target, binding.imported) if taken is not None else None
        if found is None or (found.module, found.name) != (home.name, name):
            yield f"{target.id} binds {name} already ({target.path}:{binding.span.line}); rename one of them first"
            return


def _own_home(side: Side, home: Member, target: Member, statement: Statement) -> Iterator[str]:
    """Where a definition reads its new home as a module, by an import that this would need of itself."""
    resolver = side.project.resolver
    for free in side.needs(home.path, [statement.start])[0].names:
        positions = home.bound_imports.get((MODULE_SCOPE, free.name), ())
        own = [one for one in positions if resolver.target(home, one) == Target("module", target.name)]
        modules = {origin.module for one in own for origin in resolver.import_origins(home, one)}
        for module, chain in sorted((module, chain) for module in modules for chain in free.chains):
            if target.name in (module, *(holder for holder, _ in resolver.walk(module, chain))):
                line = home.facts.imports[own[0]].span.line
                yield (
                    f"{home.path}:{statement.start}: {statement.names[0]} reads {names.join(free.name, chain)} of "
                    f"{target.id}, its own new home, which would import itself; take that by its name first, with "
                    f"`from {target.name} import ...` ({home.path}:{line})"
                )
                return


def _not_defined(side: Side, home: Member, name: str) -> str:
    defined = [one for statement in side.outline(home.path).statements for one in statement.names]
    for statement in side.outline(home.path).statements:
        if name in statement.names and statement.kind not in DEFINING:
            return f"{home.id} does not define {name}, it imports it ({home.path}:{statement.start})"
    near = names.nearest(name, defined)
    return f"{home.id} defines no {name} at its top level" + (f"; did you mean {near}?" if near else "")
