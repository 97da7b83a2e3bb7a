"""Guards: tests of ``if`` statements as trees of names, simplified; and their value, in three values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from layercheck.facts import Guard

TRUE = Guard("true")
FALSE = Guard("false")
UNKNOWN = Guard("unknown")

Reader = Callable[[ast.expr], Guard]


def negate(guard: Guard) -> Guard:
    """The guard that holds where this one does not."""
    if guard.test == "true":
        return FALSE
    if guard.test == "false":
        return TRUE
    if guard.test == "unknown":
        return UNKNOWN
    if guard.test == "not":
        return guard.parts[0]
    return Guard("not", parts=(guard,))


def both(guards: Iterable[Guard]) -> Guard:
    """The guard that holds where all of these do."""
    parts: dict[Guard, None] = {}
    for guard in guards:
        if guard.test == "false":
            return FALSE
        if guard.test != "true":
            parts.update(dict.fromkeys(guard.parts if guard.test == "and" else (guard,)))
    return _joined("and", tuple(parts), TRUE)


def either(guards: Iterable[Guard]) -> Guard:
    """The guard that holds where any of these does."""
    parts: dict[Guard, None] = {}
    for guard in guards:
        if guard.test == "true":
            return TRUE
        if guard.test != "false":
            parts.update(dict.fromkeys(guard.parts if guard.test == "or" else (guard,)))
    return _joined("or", tuple(parts), FALSE)


def _joined(test: str, parts: tuple[Guard, ...], empty: Guard) -> Guard:
    if not parts:
        return empty
    if len(parts) == 1:
        return parts[0]
    return Guard("and" if test == "and" else "or", parts=parts)


def decided(guard: Guard) -> tuple[Guard, bool]:
    """A conjunction without its undecidable parts, and whether it had any."""
    if guard.test == "unknown":
        return TRUE, True
    if guard.test == "and" and UNKNOWN in guard.parts:
        return both(part for part in guard.parts if part.test != "unknown"), True
    return guard, False


def evaluate(guard: Guard, truth: Callable[[str], bool | None]) -> bool | None:
    """The value of a guard, ``truth`` giving that of each name; None where it is not decided (Kleene's logic)."""
    test = guard.test
    if test == "name":
        return truth(guard.name)
    if test == "not":
        value = evaluate(guard.parts[0], truth)
        return None if value is None else not value
    if test in ("and", "or"):
        deciding = test == "or"
        values = [evaluate(part, truth) for part in guard.parts]
        if deciding in values:
            return deciding
        return None if None in values else not deciding
    return {"true": True, "false": False}.get(test)


def is_main_test(node: ast.expr) -> bool | None:
    """True for ``__name__ == "__main__"``, False for ``!=``, None for any other expression."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return None
    sides = (node.left, node.comparators[0])
    if not any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides):
        return None
    if not any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides):
        return None
    return isinstance(node.ops[0], ast.Eq)


def tests_main(node: ast.expr) -> bool:
    """Whether a test depends on whether the module runs as a program."""
    if isinstance(node, ast.BoolOp):
        return any(map(tests_main, node.values))
    if isinstance(node, ast.UnaryOp):
        return tests_main(node.operand)
    return is_main_test(node) is not None


def read(node: ast.expr, name: Reader, main: bool) -> Guard:
    """The guard that a test makes.

    ``name`` reads a name or an attribute; ``main`` is the value of ``__name__ == "__main__"``.
    """
    if isinstance(node, ast.Name | ast.Attribute):
        return name(node)
    if isinstance(node, ast.Constant):
        return TRUE if node.value else FALSE
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return negate(read(node.operand, name, main))
    if isinstance(node, ast.BoolOp):
        join = both if isinstance(node.op, ast.And) else either
        return join([read(value, name, main) for value in node.values])
    is_main = is_main_test(node)
    if is_main is not None:
        return TRUE if is_main == main else FALSE
    compared = _compared_to_constant(node)
    if compared is not None:
        operand, equal = compared
        return read(operand, name, main) if equal else negate(read(operand, name, main))
    return UNKNOWN


def _compared_to_constant(node: ast.expr) -> tuple[ast.expr, bool] | None:
    """What ``x is True``, ``x == False``, ``x is not True`` and ``bool(x)`` test, and whether for truth."""
    if isinstance(node, ast.Call):
        is_bool = isinstance(node.func, ast.Name) and node.func.id == "bool"
        return (node.args[0], True) if is_bool and len(node.args) == 1 and not node.keywords else None
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    right = node.comparators[0]
    if not isinstance(right, ast.Constant) or not isinstance(right.value, bool):
        return None
    if isinstance(node.ops[0], ast.Is | ast.Eq):
        return node.left, right.value
    if isinstance(node.ops[0], ast.IsNot | ast.NotEq):
        return node.left, not right.value
    return None
