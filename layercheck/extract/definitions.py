"""Functions, classes, type parameters and what moves a name to another scope: the statements that open scopes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from layercheck.extract import hints
from layercheck.extract.conditions import Conditions
from layercheck.extract.expressions import bind_parameters
from layercheck.extract.positions import start
from layercheck.extract.scopes import Scope
from layercheck.extract.walk import Visitor, Walk

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _function(walk: Walk, node: _Function) -> None:
    _decorators(walk, node)
    outer, reads = walk.scope, walk.reads
    walk.bind(node.name, start(node), node, "function")
    _note_fixtures(walk, node)
    _enter_type_parameters(walk, node)
    inner = walk.nested("function")
    walk.nodes[inner.index] = node
    if walk.scope is not outer:
        parameters, walk.scope, walk.reads = walk.scope, outer, reads
        bind_parameters(walk, inner, node.args)
        walk.scope, walk.reads = parameters, parameters.late if reads is outer.late else parameters.eager
    else:
        bind_parameters(walk, inner, node.args)
    _signature(walk, node)
    walk.scope, walk.reads = outer, reads
    walk.queue.append((inner, node, walk.conditions.called_later()))


def _decorators(walk: Walk, node: _Function | ast.ClassDef) -> None:
    if not node.decorator_list:
        return
    before, walk.decorated = walk.decorated, node
    visit = walk.visit
    for decorator in node.decorator_list:
        visit[decorator.__class__](walk, decorator)
    walk.decorated = before


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
    _decorators(walk, node)
    outer, reads = walk.scope, walk.reads
    _enter_type_parameters(walk, node)
    visit = walk.visit
    for base in node.bases:
        visit[base.__class__](walk, base)
    for keyword in node.keywords:
        visit[keyword.value.__class__](walk, keyword.value)
    walk.stand(walk.nested("class"), walk.conditions)
    walk.nodes[walk.scope.index] = node
    walk.block(node.body)
    walk.scope, walk.reads = outer, reads
    walk.bind(node.name, start(node), node, "class")


def _global(walk: Walk, node: ast.Global) -> None:
    if walk.scope.parent is not None:
        walk.scope.global_names.update(node.names)


def _nonlocal(walk: Walk, node: ast.Nonlocal) -> None:
    walk.scope.nonlocal_names.update(node.names)


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


def enter_function(walk: Walk, scope: Scope, node: _Function | ast.Lambda, conditions: Conditions) -> None:
    """Walk the body of a function that was met before."""
    walk.stand(scope, conditions)
    if isinstance(node, ast.Lambda):
        walk.statement = None
        walk.visit[node.body.__class__](walk, node.body)
    else:
        walk.block(node.body)


DEFINITIONS: dict[type[ast.AST], Visitor] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
}
if hasattr(ast, "TypeAlias"):  # Python 3.12 and later
    DEFINITIONS[ast.TypeAlias] = _type_alias
