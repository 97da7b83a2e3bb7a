"""Text -> facts, as a pure function of one file: the face of the only readers of syntax trees."""

from __future__ import annotations

import ast

from layercheck.extract.blocks import BLOCKS
from layercheck.extract.calls import SPECIAL
from layercheck.extract.comments import comments
from layercheck.extract.decode import decode
from layercheck.extract.definitions import DEFINITIONS, enter_function
from layercheck.extract.expressions import EXPRESSIONS, generic
from layercheck.extract.imports import IMPORTS
from layercheck.extract.parse import Parsed, needs_deep_stack, parse, with_deep_stack
from layercheck.extract.positions import Text
from layercheck.extract.resolve import facts
from layercheck.extract.statements import STATEMENTS
from layercheck.extract.walk import Visitor, Walk
from layercheck.facts import ModuleFacts, ParseFailure

__all__ = ["extract"]

_TOO_DEEP = ModuleFacts(failure=ParseFailure("nests too deeply for this Python to parse; break it up", 1, 1))


class _Visitors(dict[type[ast.AST], Visitor]):
    """Visitors by the kind of node; a kind without one of its own is walked generically."""

    def __missing__(self, kind: type[ast.AST]) -> Visitor:
        self[kind] = generic
        return generic


_VISITORS = _Visitors({**EXPRESSIONS, **STATEMENTS, **IMPORTS, **DEFINITIONS, **BLOCKS})


def extract(content: bytes) -> ModuleFacts:
    """All facts of one Python file, from its bytes alone.

    Raises nothing, whatever the bytes: a file that cannot be decoded or parsed has a ``failure`` that says why.
    """
    if not needs_deep_stack(len(content)):
        try:
            return _extract(content)
        except (RecursionError, MemoryError):
            pass
    return with_deep_stack(lambda: _extract(content), _TOO_DEEP, len(content))


def _extract(content: bytes) -> ModuleFacts:
    source = decode(content)
    if isinstance(source, ParseFailure):
        return ModuleFacts(failure=source)
    parsed = parse(source)
    if isinstance(parsed, ParseFailure):
        return ModuleFacts(failure=parsed)
    walk = _walk(parsed)
    text = Text(source)
    return facts(walk, parsed, text, comments(text, parsed.tree))


def _walk(parsed: Parsed) -> Walk:
    """Walk a module, then the bodies of its functions, when everything around them is known."""
    walk = Walk(_VISITORS, dict(SPECIAL), _postpones(parsed.tree), parsed.typed)
    walk.block(parsed.tree.body)
    while walk.queue:
        enter_function(walk, *walk.queue.popleft())
    return walk


def _postpones(tree: ast.Module) -> bool:
    """Whether annotations are not evaluated: ``from __future__ import annotations`` (PEP 563)."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )
