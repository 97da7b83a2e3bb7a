"""Scopes: which names each binds and reads, and where a name that is read is bound. Knows nothing of syntax trees."""

from __future__ import annotations

from typing import Literal

from layercheck.extract.positions import Placed

ScopeKind = Literal["module", "class", "function", "comprehension", "types"]


class Reads:
    """What a scope reads: bare names, and attribute chains that begin with one; each at its first place."""

    __slots__ = ("bare", "chains")

    def __init__(self) -> None:
        self.bare: dict[str, Placed] = {}
        self.chains: dict[tuple[str, str], Placed] = {}


class Touch:
    """A use of an attribute that is not plainly read: stored, or named by a string."""

    __slots__ = ("eager", "node")

    def __init__(self, node: Placed, eager: bool) -> None:
        self.node = node
        self.eager = eager


class Scope:
    """One block of the program (language reference 4.2.2); comprehensions and type parameters have their own."""

    __slots__ = (
        "aliases",
        "bound",
        "eager",
        "global_names",
        "imports",
        "index",
        "kind",
        "late",
        "nonlocal_names",
        "others",
        "parent",
        "reads_locals",
        "touches",
    )

    def __init__(self, index: int, kind: ScopeKind, parent: Scope | None) -> None:
        self.index = index
        self.kind = kind
        self.parent = parent
        self.bound: set[str] = set()
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()
        self.eager = Reads()
        """What is read while the module is imported."""
        self.late = Reads()
        self.touches: dict[tuple[str, str, bool], Touch] = {}
        """By name, attributes and store."""
        self.imports: set[str] = set()
        """The names that imports bind here."""
        self.others: set[str] = set()
        """The names that anything else binds, or may bind, here."""
        self.aliases: dict[str, str] = {}
        """What names stand for, as far as imports and plain assignments say: ``np`` -> ``numpy``."""
        self.reads_locals = False
        """Whether it may read any of its names: ``locals()``, ``eval`` ..."""

    def owner(self, name: str) -> Scope:
        """The scope in which ``name``, read here, is bound; the module where none binds it.

        Language reference 4.2.2, "Resolution of names": class scopes are seen by nothing nested in them, except
        by type parameter scopes directly in them (PEP 695).
        """
        here, sees_class = self, True
        while here.parent is not None:
            if sees_class or here.kind != "class":
                if name in here.global_names:
                    return here.module
                if name in here.bound and name not in here.nonlocal_names:
                    return here
            if here.kind != "types":
                sees_class = False
            here = here.parent
        return here

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        here = self
        while here.parent is not None:
            here = here.parent
        return here

    @property
    def block(self) -> Scope:
        """The nearest module, class or function scope, itself included."""
        here = self
        while here.kind in ("comprehension", "types") and here.parent is not None:
            here = here.parent
        return here
