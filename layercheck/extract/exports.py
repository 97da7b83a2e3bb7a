"""``__all__``: from the statements that make it to the steps that anyone can follow. Unknown is never empty."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from layercheck.extract.positions import Text
from layercheck.extract.texts import constant
from layercheck.extract.walk import ExportWrite, chain
from layercheck.facts import Exports, ExportStep

_COPIES = frozenset({"list", "tuple", "sorted", "set", "frozenset"})
Lists = Callable[[str], "ast.expr | None"]


def exports(writes: Sequence[ExportWrite], lists: Lists, text: Text) -> Exports | None:
    """What a module says it exports; None where it does not say.

    ``lists`` gives the value of a module-level name that is assigned exactly once.
    """
    if not writes:
        return None
    steps: list[ExportStep] = []
    known = True
    for write in writes:
        value = write.value
        if write.op == "=" and write.certain and value is not None and not _mentions_itself(value):
            steps, known = [], True
        if value is None:
            known = known and write.op != "?"
        elif write.op in ("=", "+="):
            known = _items(value, lists, text, steps) and known
        else:
            name = constant(value)
            if name is None:
                known = False
            elif write.op == "append":
                steps.append(ExportStep("add", name, text.span(value)))
            elif write.certain:  # a removal that may not happen is none
                steps.append(ExportStep("remove", name, text.span(value)))
    return Exports(known, tuple(steps), text.span(writes[0].node))


def _mentions_itself(value: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "__all__" for node in ast.walk(value))


def _items(node: ast.expr, lists: Lists, text: Text, steps: list[ExportStep]) -> bool:
    """Append the steps that a value stands for; whether all of it could be read."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        known = [_element(part, lists, text, steps) for part in node.elts]
        return all(known)  # after all of them were read: what is known stays
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        known = [_items(part, lists, text, steps) for part in (node.left, node.right)]
        return all(known)
    if isinstance(node, ast.Call):
        return _call(node, lists, text, steps)
    if isinstance(node, ast.Attribute):
        found = chain(node.value)
        if node.attr != "__all__" or found is None:
            return False
        steps.append(ExportStep("splice", ast.unparse(node.value), text.span(node)))
        return True
    if isinstance(node, ast.Name):
        if node.id == "__all__":
            return True
        value = lists(node.id)
        return value is not None and not isinstance(value, ast.Name) and _items(value, lists, text, steps)
    return False


def _element(node: ast.expr, lists: Lists, text: Text, steps: list[ExportStep]) -> bool:
    if isinstance(node, ast.Starred):
        return _items(node.value, lists, text, steps)
    name = constant(node)
    if name is None:
        return False
    steps.append(ExportStep("add", name, text.span(node)))
    return True


def _call(node: ast.Call, lists: Lists, text: Text, steps: list[ExportStep]) -> bool:
    """``list(other.__all__)`` and ``"a b".split()``."""
    function = node.func
    if isinstance(function, ast.Name) and function.id in _COPIES and not node.keywords:
        return not node.args or (len(node.args) == 1 and _items(node.args[0], lists, text, steps))
    if isinstance(function, ast.Attribute) and function.attr == "split" and not node.args and not node.keywords:
        names = constant(function.value)
        if names is not None:
            steps.extend(ExportStep("add", name, text.span(node)) for name in names.split())
            return True
    return False
