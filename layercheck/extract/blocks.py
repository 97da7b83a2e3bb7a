"""Statements that hold others: under which conditions each of their blocks runs."""

from __future__ import annotations

import ast

from layercheck.extract import guards, hints, namespaces
from layercheck.extract.catching import catches, protects
from layercheck.extract.conditions import Conditions
from layercheck.extract.expressions import generic
from layercheck.extract.walk import Visitor, Walk
from layercheck.facts import Guard

_With = ast.With | ast.AsyncWith
_For = ast.For | ast.AsyncFor


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
    body = before._replace(
        fragile=before.fragile or swallowed,
        optional=before.optional or any(not _raises(handler.body) for handler in catching),
        handler=before.handler or bool(catching),
    )
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


def _raises(body: list[ast.stmt]) -> bool:
    """Whether a block surely ends in an exception: there is no going on without what was imported."""
    return isinstance(body[-1], ast.Raise)


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


BLOCKS: dict[type[ast.AST], Visitor] = {
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
}
if hasattr(ast, "TryStar"):  # Python 3.11 and later
    BLOCKS[ast.TryStar] = _try
