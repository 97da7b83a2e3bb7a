"""What single statements of the top level take from around them, by the same scope analysis as the facts."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from layercheck.extract.mangling import mangled_in
from layercheck.extract.parse import Parsed
from layercheck.extract.positions import Placed, start
from layercheck.extract.reading import read
from layercheck.extract.scopes import Reads, Scope
from layercheck.extract.touching import reset, touched
from layercheck.extract.visit import walk_part
from layercheck.extract.walk import Walk, chain
from layercheck.outline import FreeName, Needs, TakenImport

_IMPLICIT_IN_CLASSES = frozenset({"__qualname__"})
"""What a class body has without reading it from anywhere (language reference 3.3.3.6); ``__module__`` is read."""

_NAMESPACES = frozenset({"__globals__", "f_globals"})
"""The attributes of functions and of frames that hold all names of a module (language reference 3.2)."""


def needs(content: bytes, starts: Collection[int]) -> Mapping[int, Needs]:
    """What the statements that begin on these lines (``Statement.start``) take, by that line.

    Lines on which no statement begins are left out; all are, where the file cannot be parsed.
    """
    too_deep = {line: Needs(unclear=("it nests too deeply for this Python to parse",)) for line in starts}
    return read(content, lambda source, parsed: _needs(parsed, starts), lambda failure: {}, too_deep=too_deep)


def _needs(parsed: Parsed, starts: Collection[int]) -> dict[int, Needs]:
    found: dict[int, Needs] = {}
    for node in _top_level(parsed.tree.body):
        line = start(node).lineno
        if line in starts and line not in found:
            found[line] = _read(node, parsed)
    return found


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of the top level, those in blocks after the block itself."""
    for node in body:
        yield node
        for name in ("body", "orelse", "handlers", "finalbody"):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for part in getattr(node, name, ()):
                    yield from _top_level(part.body if isinstance(part, ast.ExceptHandler) else [part])


def _read(node: ast.stmt, parsed: Parsed) -> Needs:
    walk = walk_part(parsed, [node])
    chains: dict[str, set[str]] = {}
    eager: set[str] = set()
    for scope in walk.scopes:
        for name, attributes, is_eager, place in _all_reads(scope):
            if name not in _IMPLICIT_IN_CLASSES and _reaches_module(walk, scope, name, place):
                name = mangled_in(walk, scope, name)
                chains.setdefault(name, set()).add(attributes)
                if is_eager:
                    eager.add(name)
    for call in walk.patch_calls:
        target = chain(call.target)
        if target is not None and _reaches_module(walk, call.scope, target[0].id, target[0]):
            chains.setdefault(target[0].id, set()).add(target[1])
    parts = tuple(ast.walk(node))
    more = _more_than_tested(parts)
    return Needs(
        names=tuple(
            FreeName(name, frozenset(chains[name]), name in eager, tested=name not in more) for name in sorted(chains)
        ),
        imports=tuple(
            TakenImport(site.module, site.level, site.name, site.bound, site.statement.lineno) for site in walk.sites
        ),
        unclear=(*_unclear(walk), *_looks_around(parts)),
        annotated=any(
            isinstance(part, ast.AnnAssign)
            or (isinstance(part, ast.arg) and part.annotation is not None)
            or (isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.returns is not None)
            for part in parts
        ),
        reset=reset(node),
        touched=touched(node),
    )


def _all_reads(scope: Scope) -> Iterator[tuple[str, str, bool, Placed]]:
    """Name, attributes, whether it is read while the module is imported, and the first place, of all that a scope
    reads."""
    pairs: tuple[tuple[Reads, bool], ...] = ((scope.eager, True), (scope.late, False))
    for reads, is_eager in pairs:
        for name, node in reads.bare.items():
            yield name, "", is_eager, node
        for (name, attributes), node in reads.chains.items():
            yield name, attributes, is_eager, node
    for (name, attributes, _), touch in scope.touches.items():
        yield name, attributes, touch.eager, touch.node


def _reaches_module(walk: Walk, scope: Scope, name: str, first: Placed) -> bool:
    """Whether a name that a scope reads may be the module's: a class body reads it there until it binds its own."""
    owner = scope.owner(name)
    if owner is scope and scope.kind == "class" and scope.parent is not None:
        node = walk.nodes.get(scope.index)
        body = node.body if isinstance(node, ast.ClassDef) else []
        deletes = any(isinstance(part, ast.Delete) for part in body)
        if not deletes and any(_surely_binds(part, name, first) for part in body):
            return False
        owner = scope.parent.owner(name)
    return owner.parent is None


def _surely_binds(node: ast.stmt, name: str, before: Placed) -> bool:
    """Whether a statement of a class body binds a name, come what may, and ends before a place."""
    if (node.end_lineno or node.lineno, node.end_col_offset or 0) > (before.lineno, before.col_offset):
        return False
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name == name
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _more_than_tested(parts: Sequence[ast.AST]) -> set[str]:
    """The names that a statement reads somewhere for more than to know whether they are true, whatever their scope."""
    tests = {id(part) for inner in parts for test in _tests(inner) for part in _asked(test)}
    return {part.id for part in parts if isinstance(part, ast.Name) and id(part) not in tests}


def _tests(node: ast.AST) -> list[ast.expr]:
    """The expressions in a node of which only the truth value counts."""
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return node.ifs
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    return node.values[:-1] if isinstance(node, ast.BoolOp) else []


def _asked(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a test that are tests themselves."""
    yield test
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _asked(part)


def _looks_around(parts: Sequence[ast.AST]) -> Iterator[str]:
    """Attributes by which a definition comes at its module, whatever they are read from."""
    receivers = {
        argument.arg
        for outer in parts
        if isinstance(outer, ast.ClassDef)
        for method in outer.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        for argument in (*method.args.posonlyargs, *method.args.args)[:1]
    }
    for part in parts:
        if not isinstance(part, ast.Attribute) or not isinstance(part.ctx, ast.Load):
            continue
        if part.attr in _NAMESPACES:
            yield f"it may read any name of its module ({part.attr})"
        elif part.attr == "__module__" and _root(part.value) in receivers:
            yield f"it reads which module its class is in ({ast.unparse(part)})"


def _root(node: ast.expr) -> str:
    """The name that an attribute chain, or ``type(...)`` of one, begins with; empty for any other expression."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and node.args:
        node = node.args[0]
    found = chain(node)
    return found[0].id if found else ""


def _unclear(walk: Walk) -> Iterator[str]:
    written = sorted({name for scope in walk.scopes for name in scope.global_names})
    if written:
        yield f"it uses `global {', '.join(written)}`, which binds names of its module"
    if walk.reads_by_name:
        yield f"it may read any name of its module ({walk.reads_by_name})"
    if walk.open:
        yield f"it {walk.open}"
    if walk.registered or walk.open_submodules or walk.sets_elsewhere:
        yield "it changes what can be imported (sys.modules, __path__)"
