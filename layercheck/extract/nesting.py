"""The statements of a file, block in block, for whoever takes some out. Says where they stand, not what they mean."""

from __future__ import annotations

import ast
from typing import Literal, NamedTuple

from layercheck.extract.parse import Parsed
from layercheck.extract.positions import Text, start
from layercheck.extract.reading import read
from layercheck.facts import Span

_LOOKS = (
    ast.Attribute,
    ast.BoolOp,
    ast.Compare,
    ast.Constant,
    ast.List,
    ast.Name,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    ast.unaryop,
)
"""What a test may be made of that only looks and does nothing."""


class Nested(NamedTuple):
    """One statement with the statements inside it."""

    span: Span
    """From the first decorator to the end of its last block."""
    kind: Literal["import", "pass", "other"]
    blocks: tuple[tuple[Nested, ...], ...]
    looks: bool
    """Whether it is an ``if`` (no ``elif``) without ``else`` whose test calls nothing, outside of definitions."""


def nesting(content: bytes) -> tuple[Nested, ...] | None:
    """The statements at the top level of a file; None where it cannot be parsed."""
    return read(content, _nesting, lambda failure: None, too_deep=None)


def _nesting(source: str, parsed: Parsed) -> tuple[Nested, ...] | None:
    return _block(parsed.tree.body, Text(source), top=True)


def _block(body: list[ast.stmt], text: Text, *, top: bool) -> tuple[Nested, ...]:
    return tuple(_statement(node, text, top=top) for node in body)


def _statement(node: ast.stmt, text: Text, *, top: bool) -> Nested:
    inside = top and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    blocks = tuple(_block(body, text, top=inside) for body in _bodies(node))
    span = text.between(start(node), node)
    if isinstance(node, ast.Import | ast.ImportFrom):
        return Nested(span, "import", blocks, looks=False)
    if isinstance(node, ast.Pass):
        return Nested(span, "pass", blocks, looks=False)
    looks = (
        top
        and isinstance(node, ast.If)
        and not node.orelse
        and text.lines[span.line - 1].startswith("if", span.column - 1)
        and all(isinstance(part, _LOOKS) for part in ast.walk(node.test))
    )
    return Nested(span, "other", blocks, looks=looks)


def _bodies(node: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement, in the order of the text; none for a simple one."""
    bodies = [getattr(node, "body", [])]
    for arms in ("handlers", "cases"):
        bodies += [arm.body for arm in getattr(node, arms, ())]
    bodies += [getattr(node, "orelse", []), getattr(node, "finalbody", [])]
    return [body for body in bodies if body]
