"""The project itself: the tables made once from facts and layout, and the questions that checks ask of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from layercheck.facts import ModuleFacts
from layercheck.layout import Layout
from layercheck.project.model import Link, Member


class Project:
    """All files of a code base, resolved. Immutable once made; tables that cost something are made on first use."""

    layout: Layout
    modules: Mapping[str, Member]
    """Modules by name, sorted by name."""
    consumers: Mapping[str, Member]
    """Consumers and other files by path, sorted by path."""
    packages: frozenset[str]
    """Names that may have modules below them: regular packages and namespace folders."""
    api: tuple[str, ...] | None
    """The modules whose names outside code may import (``[project] api``); None where it is not declared."""

    def __init__(self, layout: Layout, facts: Mapping[str, ModuleFacts], api: Sequence[str] | None = None) -> None:
        raise NotImplementedError

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every import of every module and consumer, sorted by path and place. Vendored importers included."""
        raise NotImplementedError

    def without(self, links: Collection[Link]) -> Project:
        """The same project, as if these links were not there (for the graph; uses stay)."""
        raise NotImplementedError
