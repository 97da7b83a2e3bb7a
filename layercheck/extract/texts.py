"""String constants that read as dotted names, and texts that are constant once the module's constants are known."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from layercheck.extract.walk import Candidate, Walk

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+(?::[^\W\d]\w*(?:\.[^\W\d]\w*)*)?")
_MOST = 4096
"""Characters: no path is longer, and so no module's name."""
Value = Callable[[ast.Name], "str | None"]


def is_dotted(text: str) -> bool:
    """Whether a text reads as a dotted name of two parts or more, or as an entry point ``a.b:c.d``."""
    return "." in text and len(text) <= _MOST and _DOTTED.fullmatch(text) is not None


def constant(node: ast.expr | None) -> str | None:
    """The text of a string literal; None for any other expression."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def note(walk: Walk, node: ast.expr) -> None:
    """Write down an expression whose text may turn out constant; patch targets are not among them."""
    if id(node) not in walk.patched:
        walk.candidates.append(Candidate(node, walk.scope))


def evaluate(node: ast.expr, value: Value) -> str | None:
    """The text that an expression makes of literals and names, ``value`` giving the text of each name.

    Literals, ``+``, f-strings without format specifications and ``%s`` are followed; None for anything else.
    """
    literal = constant(node)
    if literal is not None:
        return literal
    if isinstance(node, ast.Name):
        return value(node)
    if isinstance(node, ast.JoinedStr):
        return _joined([evaluate(part, value) for part in node.values])
    if isinstance(node, ast.FormattedValue):
        plain = node.conversion == -1 and node.format_spec is None
        return evaluate(node.value, value) if plain else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined([evaluate(node.left, value), evaluate(node.right, value)])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        pattern = constant(node.left)
        arguments = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        pieces = pattern.split("%s") if pattern is not None else []
        if len(pieces) != len(arguments) + 1 or "%" in "".join(pieces):
            return None
        filled = [evaluate(argument, value) for argument in arguments]
        return _joined([part for pair in zip(pieces, [*filled, ""], strict=True) for part in pair])
    return None


def _joined(parts: list[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None
