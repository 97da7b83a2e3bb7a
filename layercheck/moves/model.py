"""The nouns of moves: homes, moves, sites, residual lines and the verification as a whole. Frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DefinitionKind = Literal["class", "function", "constant"]
Body = Literal["identical", "reformatted", "re-indented", "changed"]
SiteState = Literal["redirected", "still-old", "removed", "via"]
Category = Literal["runtime", "test", "other"]
OldHome = Literal["clean", "shim", "facade", "typing-only", "still-uses-it", "gone"]
Verdict = Literal["PASS", "RESIDUAL", "UNSUPPORTED"]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence for people: a phrase with gaps (``layercheck.moves.phrases``) and what fills them."""

    phrase: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """The lines of a definition, decorators and the comment above included."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Site:
    """A place that takes a moved definition."""

    path: str
    """Where it stands in the new state; in the old one, where it is gone."""
    old_line: int | None
    new_line: int | None
    kind: Literal["module", "function", "typing", "attribute", "star"]
    category: Category
    state: SiteState
    through: str | None = None
    """The module it still goes through, where it does not go to the new home itself."""
    passage: Literal["shim", "facade", "accident"] | None = None
    """What that module is: a shim, a face that declares the name, or one that only happens to import it."""
    broken: bool = False
    """Whether it takes what is not there any more."""
    old_path: str | None = None
    """Where it stood, where that is another file: in a body that moved, or a file that is gone."""

    @property
    def is_open(self) -> bool:
        """Whether it keeps the change from being finished: a facade is meant to stay."""
        return self.broken or (self.state == "still-old" and self.passage != "facade")


@dataclass(frozen=True, slots=True)
class Move:
    """A definition whose home changed."""

    name: str
    kind: DefinitionKind
    old_home: str
    new_home: str
    new_name: str
    body: Body
    rebound: tuple[Reason, ...]
    """Why its body, though the same, does not mean the same in its new home."""
    diff: tuple[str, ...]
    old: Place
    new: Place
    sites: tuple[Site, ...]
    left: OldHome
    """What is left in the old home."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A name that left several modules or came to several, so that none can be said to be the other."""

    name: str
    old_homes: tuple[str, ...]
    new_homes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """A definition that is in both homes now."""

    name: str
    old_home: str
    new_home: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Target:
    """A text that names the old home of something that moved, or did."""

    path: str
    old_line: int | None
    new_line: int | None
    text: str
    state: SiteState
    new_text: str | None = None
    broken: bool = False
    """Whether it names what is not there any more."""


@dataclass(frozen=True, slots=True)
class Residual:
    """A line of the change that no move explains."""

    path: str
    line: int
    text: str
    """With ``-`` in front where it was removed, ``+`` where it was added."""
    why: Reason


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Something of which it cannot be told whether it only moved."""

    path: str
    line: int
    why: Reason


@dataclass(frozen=True, slots=True)
class LatentRing:
    """A new home that imports its old home."""

    old_home: str
    new_home: str
    path: str
    line: int
    kind: str
    names: tuple[str, ...]
    """What it takes."""
    ring: tuple[str, ...]
    """The ring at import time that this closes; empty where an import the other way would still have to be added."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """An import that the old home no longer needs and still has."""

    path: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Blame:
    """Which lines of the moved definitions ``git blame -C -C -C`` traces to before the change."""

    total: int = 0
    traced: int = 0
    untraced: tuple[tuple[str, int], ...] = ()
    unknown: str = ""
    """Why nothing can be said, where that is so."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What is to be said of one change."""

    moves: tuple[Move, ...] = ()
    ambiguous: tuple[Ambiguous, ...] = ()
    copies: tuple[Copy, ...] = ()
    patch_targets: tuple[Target, ...] = ()
    strings: tuple[Target, ...] = ()
    residual: tuple[Residual, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    latent_rings: tuple[LatentRing, ...] = ()
    leftovers: tuple[Leftover, ...] = ()
    blame: Blame | None = None

    @property
    def verdict(self) -> Verdict:
        """PASS only where there are moves and nothing is left to explain."""
        if self.residual or self.ambiguous or any(move.body == "changed" or move.rebound for move in self.moves):
            return "RESIDUAL"
        if any(site.is_open for move in self.moves for site in move.sites):
            return "RESIDUAL"
        if any(move.left == "shim" or move.new_name != move.name for move in self.moves):
            return "RESIDUAL"
        if any(ring.ring for ring in self.latent_rings) or any(not copy.accepted for copy in self.copies):
            return "RESIDUAL"
        if any(target.broken for target in (*self.patch_targets, *self.strings)):
            return "RESIDUAL"
        return "UNSUPPORTED" if self.unsupported or not self.moves else "PASS"
