"""The nouns of a migration: rules as they will be written, and what could not be carried over. Frozen data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the source settings, with the comments that stand above and behind it there."""

    text: str
    comments: tuple[str, ...] = ()
    line: int = 1


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry that is more than a text, with the comments that stand above and behind it in the source settings."""

    value: Any
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftIgnore:
    """An entry of ``ignore``."""

    importer: str
    imported: str
    reason: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class DraftRule:
    """One ``[[rule]]``."""

    name: str
    check: str
    reason: str
    options: Mapping[str, Any]
    """The check's own keys: text, numbers, booleans, lists, tables; ``Text`` and ``Noted`` for what has comments."""
    help: str = ""
    ignore: tuple[DraftIgnore, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A rules file to be written."""

    source: str
    """The settings that it is made from."""
    tool: str
    """Whose settings they are."""
    rules: tuple[DraftRule, ...]
    project: Mapping[str, Any] = field(default_factory=dict)
    comments: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    """A sentence for each thing that could not be carried over, with its place."""
    notes: tuple[str, ...] = ()
    """All comments of the source settings; those that stand nowhere else are written at the end."""
