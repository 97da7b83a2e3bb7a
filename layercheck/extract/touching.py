"""Which objects a statement may change when it runs, by the names that it spells them with. Knows no scopes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from layercheck.names import join

_LOOKING = frozenset(
    {"bool", "callable", "float", "getattr", "hasattr", "hash", "id", "int", "isinstance", "issubclass", "len"}
    | {"print", "repr", "str", "super", "type"}
)
"""Builtins that only look at what they are given."""


def touched(node: ast.stmt) -> frozenset[str]:
    """The names whose objects a statement may change when it runs: what it calls a method of, hands to a call or goes
    through, and what it sets parts of. The bodies of functions in it do not run."""
    found: set[str] = set()
    left: list[ast.AST] = [node]
    while left:
        part = left.pop()
        found.update(_touched(part))
        left += _that_run(part)
    return frozenset(found - {""})


def reset(node: ast.stmt) -> frozenset[str]:
    """The dotted names of what a statement sets, or sets an item of, when it runs."""
    found: set[str] = set()
    left: list[ast.AST] = [node]
    while left:
        part = left.pop()
        if isinstance(part, ast.Attribute | ast.Subscript) and not isinstance(part.ctx, ast.Load):
            found.add(_dotted(part))
        left += _that_run(part)
    return frozenset(found - {""})


def _dotted(node: ast.expr) -> str:
    """The name of a chain of attributes up to its first item; empty where it begins with no name."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        attributes = [] if isinstance(node, ast.Subscript) else [node.attr, *attributes]
        node = node.value
    return join(node.id, *attributes) if isinstance(node, ast.Name) else ""


def _touched(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        given = [*node.args, *(word.value for word in node.keywords)]
        if isinstance(node.func, ast.Name) and node.func.id in _LOOKING:
            given = []
        if isinstance(node.func, ast.Attribute):
            given.append(node.func.value)
        yield from map(_root, given)
    elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield _root(node)
    elif isinstance(node, ast.AugAssign):
        yield _root(node.target)
    elif isinstance(node, ast.For | ast.comprehension):
        yield _root(node.iter)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from (_root(decorator) for decorator in node.decorator_list)


def _that_run(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that run with it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from node.decorator_list
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield from node.args.defaults
        yield from (default for default in node.args.kw_defaults if default is not None)
        return
    yield from ast.iter_child_nodes(node)


def _root(node: ast.expr) -> str:
    """The name with which an expression begins that is a part of what the name stands for; else empty."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
