"""Which ``except`` arms and ``with`` blocks catch an ImportError. Knows nothing of what stands in them."""

from __future__ import annotations

import ast

from layercheck import names
from layercheck.extract.calls import argument
from layercheck.extract.walk import BUILTIN, Walk

_CATCHING = frozenset(
    f"{BUILTIN}{name}" for name in ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
)
_EXPECTING = frozenset({"assertRaises", "assertRaisesRegex", "raises"})


def catches(walk: Walk, node: ast.expr | None) -> bool:
    """Whether an exception, or a tuple of some, takes in ImportError; a bare ``except`` does."""
    if node is None:
        return True
    if isinstance(node, ast.Tuple | ast.List):
        return any(catches(walk, part) for part in node.elts)
    if isinstance(node, ast.Starred):
        return catches(walk, node.value)
    if walk.canonical(node) in _CATCHING:
        return True
    if isinstance(node, ast.Name) and walk.scope.owner(node.id).parent is None:
        value = walk.only_value(node.id)
        return isinstance(value, ast.Tuple) and catches(walk, value)
    return False


def protects(walk: Walk, node: ast.expr) -> str:
    """How a context manager treats an ImportError: ``suppresses``, ``expects``, or empty where it does neither."""
    if not isinstance(node, ast.Call):
        return ""
    function = walk.canonical(node.func)
    word = names.tail(function) if function else ""
    if word == "suppress":
        return "suppresses" if any(catches(walk, part) for part in node.args) else ""
    if word not in _EXPECTING and function.lstrip(":") not in _EXPECTING:
        return ""
    expected = argument(node, 0, "expected_exception") or argument(node, 0, "exception")
    return "expects" if expected is not None and catches(walk, expected) else ""
