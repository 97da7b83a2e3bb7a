"""What a module consists of as a whole: whether it only imports."""

from __future__ import annotations

import ast


def only_imports(body: list[ast.stmt]) -> bool:
    """Whether a module imports something and, beside a docstring, ``__all__`` and guards, does nothing else."""
    return _imports(body) and all(map(_is_bare, body))


def _imports(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.If) and _imports([*node.body, *node.orelse]))
        or (isinstance(node, ast.Try) and _imports(node.body))
        for node in body
    )


def _is_bare(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Pass):
        return True
    if isinstance(node, ast.If):
        return all(map(_is_bare, [*node.body, *node.orelse]))
    if isinstance(node, ast.Try):
        arms = [part for handler in node.handlers for part in handler.body]
        rest = [*node.body, *node.orelse, *node.finalbody]
        return all(map(_is_bare, rest)) and all(_is_bare(part) or _is_fallback(part) for part in arms)
    if isinstance(node, ast.Assign):
        return all(map(_is_exports, node.targets))
    if isinstance(node, ast.AnnAssign | ast.AugAssign):
        return _is_exports(node.target)
    if isinstance(node, ast.Expr):
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            return _is_exports(value.func.value)
        return isinstance(value, ast.Constant)
    return False


def _is_fallback(node: ast.stmt) -> bool:
    """``json = None`` in an ``except`` arm."""
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))


def _is_exports(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"
