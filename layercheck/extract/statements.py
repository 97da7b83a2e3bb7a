"""Simple statements: assignments in every form, and what else holds only expressions."""

from __future__ import annotations

import ast

from layercheck.extract import hints, namespaces
from layercheck.extract.expressions import generic, nothing
from layercheck.extract.walk import ExportOp, ExportWrite, Visitor, Walk, chain

_NAMES = (ast.Name, ast.Attribute)
_SEQUENCES = (ast.Tuple, ast.List)


def _expression(walk: Walk, node: ast.Expr) -> None:
    value = node.value
    if not isinstance(value, ast.Constant):  # a docstring, or a string that serves as a comment
        walk.visit[value.__class__](walk, value)


def _optional(walk: Walk, node: ast.Return) -> None:
    value = node.value
    if value is not None:
        walk.visit[value.__class__](walk, value)


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
            namespaces.named(walk, target.id, value)
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


def _delete(walk: Walk, node: ast.Delete) -> None:
    for target in node.targets:
        walk.visit[target.__class__](walk, target)


STATEMENTS: dict[type[ast.AST], Visitor] = {
    ast.Expr: _expression,
    ast.Return: _optional,
    ast.Assign: _assign,
    ast.AnnAssign: _assign_annotated,
    ast.AugAssign: _assign_augmented,
    ast.Delete: _delete,
    ast.Pass: nothing,
    ast.Break: nothing,
    ast.Continue: nothing,
}
