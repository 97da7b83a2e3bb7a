"""Private names: what ``__x`` in a class body is called (language reference 6.2.1, "Private name mangling")."""

from __future__ import annotations

import ast

from layercheck.extract.scopes import Scope
from layercheck.extract.walk import Walk, lineage


def mangled(name: str, around: str) -> str:
    """What a name in the body of a class called ``around`` is called."""
    bare = around.lstrip("_")
    is_private = name.startswith("__") and not name.endswith("__") and bare
    return f"_{bare}{name}" if is_private else name


def mangled_in(walk: Walk, scope: Scope, name: str) -> str:
    """What a name is called that a scope reads, of the innermost class around it."""
    if not name.startswith("__"):
        return name
    around = (walk.nodes.get(outer.index) for outer in lineage(scope) if outer.kind == "class")
    return mangled(name, next((node.name for node in around if isinstance(node, ast.ClassDef)), ""))
