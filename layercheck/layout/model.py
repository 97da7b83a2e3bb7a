"""From a listing of paths to which file is what: modules of which root, consumers, namespaces. Reads no files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a file was put, before its facts are known."""

    path: str
    role: Literal["module", "consumer", "file"]
    """``file``: Python that nobody can import and that is no consumer; it is read, and its imports are uses."""
    module: str = ""
    """The module's dotted name; empty unless its role is ``module``."""
    package: bool = False
    """Whether it is an ``__init__.py``."""
    vendored: bool = False
    """Resolved, never judged."""
    generated: bool = False
    """Its names are whatever the generator of the day writes: open."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A module that is on disk but was not read: it exists and is open."""

    module: str
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A file that Python never imports because another one has its module's name."""

    path: str
    by: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Which file is what."""

    roots: tuple[str, ...] = ("",)
    """Folders, POSIX, relative to the root of the run; empty for the root itself."""
    placed: tuple[Placed, ...] = ()
    namespaces: frozenset[str] = frozenset()
    """Packages that are folders without ``__init__.py`` (PEP 420) and hold, at any depth, a module."""
    unread: tuple[Unread, ...] = ()
    shadowed: tuple[Shadowed, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know about how the code was found."""
