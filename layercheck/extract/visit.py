"""The order of a walk: which function visits which node, module level first and bodies of functions last."""

from __future__ import annotations

import ast

from layercheck.extract.blocks import BLOCKS
from layercheck.extract.calls import SPECIAL
from layercheck.extract.definitions import DEFINITIONS, enter_function
from layercheck.extract.expressions import EXPRESSIONS, generic
from layercheck.extract.imports import IMPORTS
from layercheck.extract.parse import Parsed
from layercheck.extract.patches import PATCHES
from layercheck.extract.statements import STATEMENTS
from layercheck.extract.walk import Visitor, Walk


class _Visitors(dict[type[ast.AST], Visitor]):
    """Visitors by the kind of node; a kind without one of its own is walked generically."""

    def __missing__(self, kind: type[ast.AST]) -> Visitor:
        self[kind] = generic
        return generic


_VISITORS = _Visitors({**EXPRESSIONS, **STATEMENTS, **IMPORTS, **DEFINITIONS, **BLOCKS})


def walk_all(parsed: Parsed) -> Walk:
    """Walk a module, then the bodies of its functions, when everything around them is known."""
    return walk_part(parsed, parsed.tree.body)


def walk_part(parsed: Parsed, body: list[ast.stmt]) -> Walk:
    """Walk some statements of a module's top level as if it held no others."""
    walk = Walk(_VISITORS, {**SPECIAL, **PATCHES}, _postpones(parsed.tree), parsed.typed)
    walk.block(body)
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
