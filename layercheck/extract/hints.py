"""Annotations: expressions in which strings, and comments after ``# type:``, are read as types."""

from __future__ import annotations

import ast

from layercheck.extract.positions import Placed
from layercheck.extract.walk import Walk

_GENERIC = frozenset({"list", "dict", "tuple", "set", "frozenset", "type", "deque", "defaultdict"})


def annotation(walk: Walk, node: ast.expr) -> None:
    """Walk an annotation; one that is postponed (PEP 563) is not evaluated while the module is imported."""
    if walk.postponed:
        as_late_type(walk, node)
    else:
        as_type(walk, node)


def as_type(walk: Walk, node: ast.expr) -> None:
    """Walk an expression in which strings are types."""
    before, walk.in_type = walk.in_type, True
    walk.visit[node.__class__](walk, node)
    walk.in_type = before


def as_value(walk: Walk, node: ast.expr) -> None:
    """Walk an expression in which strings are only strings."""
    before, walk.in_type = walk.in_type, False
    walk.visit[node.__class__](walk, node)
    walk.in_type = before


def as_late_type(walk: Walk, node: ast.expr) -> None:
    """Walk a type that is not evaluated while the module is imported."""
    before = walk.reads
    walk.reads = walk.scope.late
    as_type(walk, node)
    walk.reads = before


def type_text(walk: Walk, text: str, node: Placed) -> None:
    """Walk a type written in a string at ``node``; a text that is no expression is passed over."""
    text = text.strip()
    if text.isidentifier():
        walk.scope.late.bare.setdefault(text, node)
        return
    try:
        tree = ast.parse(f"({text}\n)", mode="eval")
    except (SyntaxError, ValueError):
        return
    as_late_type(walk, moved(tree.body, node))


def type_comment(walk: Walk, text: str | None, node: Placed) -> None:
    """Walk the type in a comment after an assignment, a ``for``, a ``with`` or a parameter (PEP 484)."""
    if text is not None:
        type_text(walk, text, node)


def function_type_comment(walk: Walk, text: str | None, node: Placed) -> None:
    """Walk the type in the comment below the header of a function: ``# type: (int) -> str`` (PEP 484)."""
    if text is None:
        return
    try:
        tree = ast.parse(text, mode="func_type")
    except (SyntaxError, ValueError):
        return
    for part in [*tree.argtypes, tree.returns]:
        as_late_type(walk, moved(part, node))


def moved(tree: ast.expr, node: Placed) -> ast.expr:
    """The same tree with every part of it standing at ``node``."""
    for part in ast.walk(tree):
        if isinstance(part, ast.expr | ast.keyword | ast.arg):
            part.lineno, part.col_offset = node.lineno, node.col_offset
            part.end_lineno, part.end_col_offset = node.end_lineno, node.end_col_offset
    return tree


def subscript(walk: Walk, node: ast.Subscript) -> None:
    """Walk what a subscript holds: types, where the thing subscripted looks like a generic type."""
    value = node.value
    word = value.id if isinstance(value, ast.Name) else value.attr if isinstance(value, ast.Attribute) else ""
    if walk.in_type:
        if word == "Literal":
            as_value(walk, node.slice)
            return
        if word == "Annotated" and isinstance(node.slice, ast.Tuple) and node.slice.elts:
            as_type(walk, node.slice.elts[0])
            for extra in node.slice.elts[1:]:
                as_value(walk, extra)
            return
    elif word in _GENERIC or (word[:1].isupper() and not word.isupper() and word != "Literal"):
        as_type(walk, node.slice)
        return
    walk.visit[node.slice.__class__](walk, node.slice)
