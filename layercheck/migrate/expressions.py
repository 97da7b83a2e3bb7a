"""import-linter's module expressions -> patterns, and how two of them lie to each other. Knows no code."""

from __future__ import annotations

from itertools import pairwise

from layercheck import names

_ANY, _MANY = "*", "**"


def fault_of(expression: str) -> str:
    """Why an expression is none; empty where it is one.

    import-linter 2.17, "Wildcards": ``*`` and ``**`` stand for whole components, and no two with a ``**`` among them
    follow each other.
    """
    parts = names.split(expression)
    if not parts or not all(part in (_ANY, _MANY) or part.isidentifier() for part in parts):
        return f"{expression!r} is neither a module's name nor an expression of names, * and **"
    for part, following in pairwise(parts):
        if _MANY in (part, following) and {part, following} <= {_ANY, _MANY}:
            return f"{expression!r}: {part} cannot be followed by {following}"
    return ""


def pattern(expression: str) -> str:
    """The expression as a pattern: its ``**`` stands for one component or more, that of a pattern for any number."""
    return names.join(*("*.**" if part == _MANY else part for part in names.split(expression)))


def nests(expression: str) -> bool:
    """Whether one name that fits may lie below another that fits."""
    return _MANY in names.split(expression)


def may_lie_within(inner: str, outer: str) -> bool:
    """Whether a name that fits ``inner`` may be, or lie below, one that fits ``outer``."""
    one, other = names.split(inner), names.split(outer)
    seen = set()
    todo = [(0, 0)]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        left, right = here
        if right == len(other):
            return True
        if left < len(one) and (_ANY in one[left] or _ANY in other[right] or one[left] == other[right]):
            todo += [(ahead, after) for ahead in _steps(one, left) for after in _steps(other, right)]
    return False


def _steps(parts: list[str], index: int) -> tuple[int, ...]:
    """Where one may stand when the component at ``index`` has taken one component of a name."""
    return (index, index + 1) if parts[index] == _MANY else (index + 1,)
