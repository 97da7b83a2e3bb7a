"""Statements: what each binds, under what it stands, and which scopes it opens. One function for each kind of node."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from layercheck import names
from layercheck.extract import guards, hints, namespaces
from layercheck.extract.catching import catches, protects
from layercheck.extract.conditions import Conditions
from layercheck.extract.expressions import bind_parameters, generic, nothing
from layercheck.extract.positions import start
from layercheck.extract.scopes import Scope
from layercheck.extract.walk import ExportOp, ExportWrite, Site, Visitor, Walk, chain
from layercheck.facts import Guard

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NAMES = (ast.Name, ast.Attribute)
_SEQUENCES = (ast.Tuple, ast.List)
_With = ast.With | ast.AsyncWith
_For = ast.For | ast.AsyncFor


def _expression(walk: Walk, node: ast.Expr) -> None:
    value = node.value
    if not isinstance(value, ast.Constant):  # a docstring, or a string that serves as a comment
        walk.visit[value.__class__](walk, value)


def _optional(walk: Walk, node: ast.Return) -> None:
    value = node.value
    if value is not None:
        walk.visit[value.__class__](walk, value)


# Assignments


def _target(walk: Walk, target: ast.expr, end: ast.stmt, value: ast.expr | None) -> None:
    walk.target_kind, walk.target_end = "assignment", end
    walk.target_value = value if isinstance(target, ast.Name) else None
    walk.visit[target.__class__](walk, target)
    walk.target_kind, walk.target_end, walk.target_value = "other", None, None


def _assign(walk: Walk, node: ast.Assign) -> None:
    value = node.value
    walk.visit[value.__class__](walk, value)
    if walk.typed:
        hints.type_comment(walk, node.type_comment, node)
    for target in node.targets:
        _target(walk, target, node, value)
        if isinstance(target, ast.Name):
            _alias(walk, target.id, value)
            _write_exports(walk, target.id, "=", node, value)
        elif isinstance(target, _SEQUENCES) and _unpacks_exports(target):
            _write_exports(walk, "__all__", "?", node, None)


def _unpacks_exports(target: ast.Tuple | ast.List) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "__all__" for part in ast.walk(target))


def _alias(walk: Walk, name: str, value: ast.expr) -> None:
    """``patch = mock.patch``: the new name means what the old one does to the calls that are looked out for."""
    if isinstance(value, _NAMES):
        word = value.id if isinstance(value, ast.Name) else value.attr
        special = walk.special.get(word)
        if special is not None:
            walk.scope.aliases[name] = walk.canonical(value)
            walk.special[name] = special


def _write_exports(walk: Walk, name: str, op: ExportOp, node: ast.stmt, value: ast.expr | None) -> None:
    if name == "__all__" and walk.at_module:
        walk.exports.append(ExportWrite(op, node, value, walk.certain))


def _assign_annotated(walk: Walk, node: ast.AnnAssign) -> None:
    hints.annotation(walk, node.annotation)
    value, target = node.value, node.target
    if value is not None:
        alias = isinstance(node.annotation, ast.Name | ast.Attribute) and ast.unparse(node.annotation).endswith(
            "TypeAlias"
        )
        (hints.as_type if alias else walk.visit[value.__class__])(walk, value)
        _target(walk, target, node, value)
        if isinstance(target, ast.Name):
            _write_exports(walk, target.id, "=", node, value)
    elif isinstance(target, ast.Name):
        if walk.scope.parent is not None and target.id not in walk.scope.global_names:
            walk.scope.bound.add(target.id)  # it makes the name local, though it binds none (PEP 526)
    else:
        generic(walk, target)


def _assign_augmented(walk: Walk, node: ast.AugAssign) -> None:
    value, target = node.value, node.target
    walk.visit[value.__class__](walk, value)
    if isinstance(target, ast.Name):
        walk.reads.bare.setdefault(target.id, target)
        _write_exports(walk, target.id, "+=" if isinstance(node.op, ast.Add) else "?", node, value)
    elif isinstance(target, ast.Attribute):
        found = chain(target)
        if found is not None:
            walk.reads.chains.setdefault((found[0].id, found[1]), target)
    _target(walk, target, node, None)


def _type_alias(walk: Walk, node: ast.AST) -> None:
    """``type X = ...`` (PEP 695): its value is evaluated on demand, in a scope that knows its type parameters."""
    name, value = getattr(node, "name", None), getattr(node, "value", None)
    if isinstance(name, ast.Name) and isinstance(value, ast.expr) and isinstance(node, ast.stmt):
        walk.bind(name.id, name, node, "assignment", value=value)
        outer, reads = walk.scope, walk.reads
        _enter_type_parameters(walk, node)
        hints.as_late_type(walk, value)
        walk.scope, walk.reads = outer, reads


def _enter_type_parameters(walk: Walk, node: ast.AST) -> None:
    """Go into the scope of type parameters, where a definition has some."""
    parameters: Sequence[ast.AST] = getattr(node, "type_params", ())
    if not parameters:
        return
    late = walk.reads is walk.scope.late
    scope = walk.nested("types")
    scope.bound.update(getattr(parameter, "name", "") for parameter in parameters)
    walk.scope, walk.reads = scope, scope.late if late else scope.eager
    for parameter in parameters:
        for part in ("bound", "default_value"):
            value = getattr(parameter, part, None)
            if isinstance(value, ast.expr):
                hints.as_late_type(walk, value)


def _delete(walk: Walk, node: ast.Delete) -> None:
    for target in node.targets:
        walk.visit[target.__class__](walk, target)


# Definitions


def _function(walk: Walk, node: _Function) -> None:
    visit = walk.visit
    for decorator in node.decorator_list:
        visit[decorator.__class__](walk, decorator)
    outer, reads = walk.scope, walk.reads
    walk.bind(node.name, start(node), node, "function")
    _note_fixtures(walk, node)
    _enter_type_parameters(walk, node)
    inner = walk.nested("function")
    if walk.scope is not outer:
        parameters, walk.scope, walk.reads = walk.scope, outer, reads
        bind_parameters(walk, inner, node.args)
        walk.scope, walk.reads = parameters, parameters.late if reads is outer.late else parameters.eager
    else:
        bind_parameters(walk, inner, node.args)
    _signature(walk, node)
    walk.scope, walk.reads = outer, reads
    walk.queue.append((inner, node, walk.conditions.called_later()))


def _signature(walk: Walk, node: _Function) -> None:
    arguments = node.args
    for part in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if part is not None:
            if part.annotation is not None:
                hints.annotation(walk, part.annotation)
            if walk.typed:
                hints.type_comment(walk, part.type_comment, part)
    if node.returns is not None:
        hints.annotation(walk, node.returns)
    if walk.typed:
        hints.function_type_comment(walk, node.type_comment, node)


def _note_fixtures(walk: Walk, node: _Function) -> None:
    """pytest looks up as fixtures the parameters of tests and fixtures that have no default."""
    if walk.scope.kind not in ("module", "class"):
        return
    if not node.name.startswith("test") and not any(map(_is_fixture, node.decorator_list)):
        return
    positional = [*node.args.posonlyargs, *node.args.args]
    required = positional[: len(positional) - len(node.args.defaults)]
    required += [part for part, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value is None]
    walk.parameters.update(part.arg for part in required if part.arg not in ("self", "cls"))


def _is_fixture(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else node
    word = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return word in ("fixture", "yield_fixture")


def _class(walk: Walk, node: ast.ClassDef) -> None:
    visit = walk.visit
    for decorator in node.decorator_list:
        visit[decorator.__class__](walk, decorator)
    outer, reads = walk.scope, walk.reads
    _enter_type_parameters(walk, node)
    for base in node.bases:
        visit[base.__class__](walk, base)
    for keyword in node.keywords:
        visit[keyword.value.__class__](walk, keyword.value)
    walk.stand(walk.nested("class"), walk.conditions)
    walk.block(node.body)
    walk.scope, walk.reads = outer, reads
    walk.bind(node.name, start(node), node, "class")


def _global(walk: Walk, node: ast.Global) -> None:
    if walk.scope.parent is not None:
        walk.scope.global_names.update(node.names)


def _nonlocal(walk: Walk, node: ast.Nonlocal) -> None:
    walk.scope.nonlocal_names.update(node.names)


# Imports


def _import(walk: Walk, node: ast.Import) -> None:
    for alias in node.names:
        bound = alias.asname or names.head(alias.name)
        walk.scope.aliases[bound] = alias.name if alias.asname else bound
        _site(walk, node, alias, alias.name, 0, "", bound)


def _import_from(walk: Walk, node: ast.ImportFrom) -> None:
    module, level = node.module or "", node.level
    for alias in node.names:
        bound = "" if alias.name == "*" else alias.asname or alias.name
        if bound:
            walk.scope.aliases[bound] = "." * level + names.join(module, alias.name)
            if alias.asname and alias.name in walk.special:
                walk.special[alias.asname] = walk.special[alias.name]
        _site(walk, node, alias, module, level, alias.name, bound)


def _site(
    walk: Walk, node: ast.Import | ast.ImportFrom, alias: ast.alias, module: str, level: int, name: str, bound: str
) -> None:
    site = Site(
        node=alias,
        statement=node,
        module=module,
        level=level,
        name=name,
        bound=bound,
        aliased=alias.asname is not None,
        scope=walk.scope,
        conditions=walk.conditions,
        guard=walk.guard_index(),
        lazy=bool(getattr(node, "is_lazy", False)),
    )
    if bound:
        walk.bind(bound, alias, alias, "import", site=len(walk.sites))
    walk.sites.append(site)


# Statements that hold others


def _tests(walk: Walk, test: ast.expr) -> tuple[Conditions, Conditions]:
    """The conditions under which a test's body and its ``else`` run."""
    guard = guards.read(test, walk.guard_of_name, main=False)
    as_program = guards.read(test, walk.guard_of_name, main=True) if guards.tests_main(test) else guard
    return _branch(walk, guard, as_program), _branch(walk, guards.negate(guard), guards.negate(as_program))


def _branch(walk: Walk, guard: Guard, as_program: Guard) -> Conditions:
    """The conditions under one guard; ``as_program`` is the same guard where the module runs as a program."""
    if guard.test == "false" and as_program.test != "false":
        return walk.conditions.under(as_program, True)._replace(main=True, runs=False)
    return walk.conditions.under(guard, guards.evaluate(guard, walk.typing_value))


def _if(walk: Walk, node: ast.If) -> None:
    test = node.test
    walk.visit[test.__class__](walk, test)
    body, orelse = _tests(walk, test)
    if walk.scope.parent is None and not node.orelse and all(isinstance(part, ast.Pass) for part in node.body):
        walk.hollow.append(node)
    walk.block(node.body, body)
    if node.orelse:
        walk.block(node.orelse, orelse)
        if walk.hollow and walk.hollow[-1] is node.orelse[0]:
            walk.hollow.pop()  # an ``elif`` is no statement of its own


def _while(walk: Walk, node: ast.While) -> None:
    test = node.test
    walk.visit[test.__class__](walk, test)
    body, _ = _tests(walk, test)
    walk.block(node.body, body)
    walk.block(node.orelse, walk.conditions.maybe())


def _for(walk: Walk, node: _For) -> None:
    iterable, target = node.iter, node.target
    if not namespaces.reads_whole(walk, iterable):
        walk.visit[iterable.__class__](walk, iterable)
    if walk.typed:
        hints.type_comment(walk, node.type_comment, node)
    before = walk.conditions
    runs = isinstance(iterable, ast.Tuple | ast.List) and any(not isinstance(p, ast.Starred) for p in iterable.elts)
    inside = before if runs else before.maybe()
    walk.stand(walk.scope, inside)
    walk.visit[target.__class__](walk, target)
    walk.stand(walk.scope, before)
    walk.block(node.body, inside)
    walk.block(node.orelse, before.maybe())


def _with(walk: Walk, node: _With) -> None:
    conditions = walk.conditions
    for item in node.items:
        manager, target = item.context_expr, item.optional_vars
        walk.visit[manager.__class__](walk, manager)
        if target is not None:
            walk.visit[target.__class__](walk, target)
        how = protects(walk, manager)
        if how:
            conditions = conditions._replace(optional=True, fragile=True, raises=conditions.raises or how == "expects")
    if walk.typed:
        hints.type_comment(walk, node.type_comment, node)
    walk.block(node.body, conditions)


def _try(walk: Walk, node: ast.Try) -> None:
    """A statement with ``except`` or ``except*`` arms, ``else`` and ``finally``."""
    outer = walk.conditions
    before = outer._replace(trying=True)
    catching = [handler for handler in node.handlers if catches(walk, handler.type)]
    swallowed = any(not _leaves(handler.body) for handler in node.handlers)
    body = before._replace(fragile=before.fragile or swallowed, optional=before.optional or bool(catching))
    walk.block(node.body, body)
    for handler in node.handlers:
        if handler.type is not None:
            walk.visit[handler.type.__class__](walk, handler.type)
        inside = before.maybe()._replace(handler=before.handler or handler in catching)
        if handler.name is not None:
            walk.stand(walk.scope, inside)
            walk.bind(handler.name, handler, handler.type or handler, "other")
            walk.stand(walk.scope, before)
        walk.block(handler.body, inside)
    orelse = before.maybe() if swallowed else before
    walk.stand(walk.scope, before)
    walk.block(node.orelse, orelse._replace(handler=before.handler or bool(catching)))
    walk.block(node.finalbody, before)
    walk.stand(walk.scope, outer)


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a block surely does not run to its end into what follows."""
    return isinstance(body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)


def _match(walk: Walk, node: ast.Match) -> None:
    subject = node.subject
    walk.visit[subject.__class__](walk, subject)
    inside = walk.conditions.maybe()
    before = walk.conditions
    for case in node.cases:
        walk.stand(walk.scope, inside)
        walk.visit[case.pattern.__class__](walk, case.pattern)
        if case.guard is not None:
            walk.visit[case.guard.__class__](walk, case.guard)
        walk.stand(walk.scope, before)
        walk.block(case.body, inside)


def _pattern(walk: Walk, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
    name = node.rest if isinstance(node, ast.MatchMapping) else node.name
    if name is not None:
        walk.bind(name, node, node, "other")
    generic(walk, node)


def enter_function(walk: Walk, scope: Scope, node: _Function | ast.Lambda, conditions: Conditions) -> None:
    """Walk the body of a function that was met before."""
    walk.stand(scope, conditions)
    if isinstance(node, ast.Lambda):
        walk.statement = None
        walk.visit[node.body.__class__](walk, node.body)
    else:
        walk.block(node.body)


STATEMENTS: dict[type[ast.AST], Visitor] = {
    ast.Expr: _expression,
    ast.Return: _optional,
    ast.Assign: _assign,
    ast.AnnAssign: _assign_annotated,
    ast.AugAssign: _assign_augmented,
    ast.Delete: _delete,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.MatchAs: _pattern,
    ast.MatchStar: _pattern,
    ast.MatchMapping: _pattern,
    ast.Pass: nothing,
    ast.Break: nothing,
    ast.Continue: nothing,
}
"""Kinds that only some Pythons know are added below."""
for _kind, _visitor in (("TryStar", _try), ("TypeAlias", _type_alias)):
    if hasattr(ast, _kind):
        STATEMENTS[getattr(ast, _kind)] = _visitor
