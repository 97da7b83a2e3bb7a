"""Every place at which an attribute chain that begins with some name is written: the facts hold the first of each."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import NamedTuple

from layercheck.extract.parse import Parsed
from layercheck.extract.positions import Text
from layercheck.extract.reading import read
from layercheck.extract.scopes import Scope
from layercheck.extract.visit import walk_all
from layercheck.extract.walk import chain
from layercheck.facts import Span


class Occurrence(NamedTuple):
    """A chain as it is written: ``a.b.c`` is name ``a``, attributes ``b.c``."""

    name: str
    attributes: str
    scope: int
    """The scope that binds the name, as in ``Access``."""
    span: Span


def occurrences(content: bytes, wanted: Collection[str]) -> tuple[Occurrence, ...]:
    """The chains that begin with one of these names, in the order of the text; none in a file that cannot be parsed.

    Those in texts (annotations in quotes) are left out.
    """
    return read(content, lambda source, parsed: _all(source, parsed, wanted), lambda failure: (), too_deep=())


def _all(source: str, parsed: Parsed, wanted: Collection[str]) -> tuple[Occurrence, ...]:
    walk = walk_all(parsed)
    scopes = {id(node): walk.scopes[index] for index, node in walk.nodes.items()}
    text = Text(source)
    found = [
        Occurrence(root.id, attributes, scope.owner(root.id).index, text.span(node))
        for node, scope in _expressions(parsed.tree, walk.scope.module, scopes)
        for root, attributes in (chain(node) or (None, ""),)
        if root is not None and root.id in wanted
    ]
    return tuple(sorted(found, key=lambda one: (one.span.line, one.span.column)))


def _expressions(tree: ast.Module, module: Scope, scopes: dict[int, Scope]) -> Iterator[tuple[ast.expr, Scope]]:
    """The longest chains of a tree, each with the scope that it stands in."""
    stack: list[tuple[ast.AST, Scope]] = [(tree, module)]
    while stack:
        node, scope = stack.pop()
        if isinstance(node, ast.Attribute | ast.Name) and chain(node) is not None:
            yield node, scope
            continue
        inner = scopes.get(id(node), scope)
        outside = {id(part) for part in _outside(node)}
        stack += [(child, scope if id(child) in outside else inner) for child in _children(node)]


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What a node holds; of a generator, its parts by themselves, for the first of them stands outside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension | ast.arguments):
            yield from ast.iter_child_nodes(child)
        else:
            yield child


def _outside(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that opens a scope which are evaluated around it (language reference 8.7, 8.8, 6.2.4)."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        parts: list[ast.AST | None] = [*node.args.defaults, *node.args.kw_defaults]
        if not isinstance(node, ast.Lambda):
            parts += [*node.decorator_list, node.returns]
        return [part for part in parts if part is not None]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return [node.generators[0].iter]
    return []
