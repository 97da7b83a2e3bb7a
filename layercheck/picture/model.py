"""A picture of a project: nodes, arrows, layers, rings and what breaks a rule, as frozen data. Knows no format."""

from __future__ import annotations

from dataclasses import dataclass

from layercheck.facts import KINDS, Kind
from layercheck.finding import Finding
from layercheck.graph import Edge
from layercheck.project import Link

NONE = -1
"""As an index: there is none."""

Place = tuple[tuple[int, int], ...]
"""Which layer of which order something is in, the order of the outermost package first; both are indices."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody wants to see of a project."""

    kinds: tuple[Kind, ...] = KINDS
    """Which imports are drawn."""
    ring_kinds: tuple[Kind, ...] = ("import-time",)
    """Which of them make a ring."""
    collapse: int | None = None
    """How many components names keep: what lies deeper is one node; None for modules."""
    focus: tuple[str, ...] = ()
    """Names or patterns: only these, with all below them, and what is near them; none for everything."""
    depth: int = 1
    """How many arrows away from the focus something may be."""
    rings_only: bool = False
    """Whether only rings are drawn."""
    foldable: bool = False
    """Whether the format can fold packages itself: then modules are drawn, and ``collapse`` says how it begins."""


@dataclass(frozen=True, slots=True)
class Order:
    """The layers of a rule in one package, which is empty for the top-level packages themselves."""

    rule: str
    package: str
    layers: tuple[str, ...]
    """What each of them is called, highest first."""


@dataclass(frozen=True, slots=True)
class Node:
    """A module; a package with all that is in it, where names are collapsed."""

    name: str
    path: str
    """Of its file, as in ``SourceFile``; empty where it has none."""
    package: bool
    modules: int
    """How many it stands for."""
    place: Place
    ring: int
    """Index into the rings of the picture."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """All links from one node to another."""

    importer: str
    imported: str
    links: tuple[Link, ...]
    """In the order of paths and places."""
    ring: int
    """The ring that it is part of: index into the rings of the picture."""
    violations: tuple[int, ...]
    """Indices into the violations of the picture."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Nodes that reach each other."""

    members: tuple[str, ...]
    message: str
    """What the check of rings says of it; empty where none was asked."""
    help: str
    """What it says to do."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding of a rule about imports, and the arrows that it is about."""

    finding: Finding
    arrows: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, sorted."""

    title: str
    """What it shows."""
    wishes: Wishes
    orders: tuple[Order, ...]
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    rings: tuple[Ring, ...]
    violations: tuple[Violation, ...]
