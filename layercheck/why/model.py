"""The answer to why one part of a project imports another. Frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from layercheck.facts import KINDS, Flag, Kind


@dataclass(frozen=True, slots=True)
class Site:
    """One place at which an import stands."""

    path: str
    line: int
    column: int
    statement: int
    """The line at which its statement begins."""
    kind: Kind
    name: str
    """What is taken; empty where the module itself is imported, ``*`` for all names."""
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a chain, with every place at which its import stands, in the order of the text."""

    importer: str
    imported: str
    sites: tuple[Site, ...]


Chain = tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Ways:
    """The shortest chains from one part to another: how many there are, and those that were asked for."""

    importer: str
    """As it was asked for."""
    imported: str
    length: int
    """How many imports each has; 0 where there is no chain."""
    count: int
    others: int
    """How many more there are that run through none of the packages that were asked for."""
    chains: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The chains asked for; where there is none, what there is instead."""

    ways: Ways
    kinds: tuple[Kind, ...]
    """Which imports a chain may run through."""
    wider: Ways | None = None
    """With imports of all kinds, where there is no chain with those asked for and there is one then."""
    back: Ways | None = None
    """The other way round, where there is no chain and there is one there."""
    packages: tuple[str, ...] = ()
    """Only chains through one of these were asked for; none where all were."""
    notes: tuple[str, ...] = ()
    """Where there is no chain: what was not seen, so that one may be missing."""

    @property
    def kinds_are_all(self) -> bool:
        """Whether no kind of import was left out."""
        return set(self.kinds) == set(KINDS)
