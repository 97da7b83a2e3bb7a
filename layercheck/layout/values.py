"""What is inside parsed settings, whatever their shape: a value that is not of the expected kind is none. Pure."""

from __future__ import annotations


def dig(table: object, *keys: str) -> object:
    """The value at a path of keys; None where there is none."""
    for key in keys:
        if not isinstance(table, dict):
            return None
        table = table.get(key)
    return table


def as_text(value: object) -> str:
    """A text; empty for anything else."""
    return value if isinstance(value, str) else ""


def as_texts(value: object) -> tuple[str, ...]:
    """A text, or the texts of a list."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()


def values_of(table: object) -> list[object]:
    """The values of a table."""
    return list(table.values()) if isinstance(table, dict) else []
