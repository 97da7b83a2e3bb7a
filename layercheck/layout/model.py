"""The nouns of layout: what a listing says, what the settings say, which file is what. Frozen data, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """What ``[project]`` of the rules file says. Paths and globs are POSIX, relative to the root of the run.

    In ``roots``, ``consumers`` and ``exclude`` a glob is anchored at the root of the run and stands for what it
    names and for everything below it: ``*`` and ``?`` stay within one component, ``**`` is any number of them. In
    ``vendored`` and ``generated`` a glob without a slash is the name of a file or folder at any depth.
    """

    roots: tuple[str, ...] | None = None
    """None: found by themselves."""
    packages: tuple[str, ...] | None = None
    """Names of the packages that are the project; None: all found. Others under the roots are consumers."""
    consumers: tuple[str, ...] | None = None
    """None: found by themselves. Else what lies outside the roots and is not named here is a ``file``."""
    exclude: tuple[str, ...] = ()
    vendored: tuple[str, ...] = ()
    """In addition to the names that always mean vendored code."""
    generated: tuple[str, ...] = ()
    """In addition to the names that always mean generated code."""
    api: tuple[str, ...] | None = None
    """The modules whose names outside code may import; None where that is not declared. Layout does not read it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a listing: a file, or a folder into which the listing does not look."""

    path: str
    """POSIX, relative to the root of the run."""
    kind: Literal["plain", "link", "ignored", "excluded", "locked"] = "plain"
    """``link``: it leads out of the root, or to a folder. ``ignored``: by git. ``locked``: a folder that cannot be
    listed. Only ``plain`` files and ``locked`` folders are handed on to be read."""
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """What there is below the root of a run, in so far as it can matter."""

    entries: tuple[Entry, ...]
    texts: Mapping[str, str]
    """Those of pyproject.toml, setup.cfg and setup.py files, by path."""
    prefix: str = ""
    """The package that the root of the run itself is, where it lies inside one: every name then starts with it."""
    notes: tuple[str, ...] = ()
    """What a person should know about how it was made."""


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
    """Resolved, never judged. Also a ``file`` that Python can never import because another root, or a module
    beside its folder, has its package's name."""
    generated: bool = False
    """Its names are whatever the generator of the day writes: open. Also a stub: it says what a compiled module has,
    but no stub need list everything."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A module that is on disk but was not read: it exists and is open, and so is everything below it."""

    module: str
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A file that Python never imports because another one has its module's name."""

    path: str
    by: str


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Where a program or a plugin begins, as a project's own files declare it."""

    target: str
    """A module, or a name of one: ``pkg.mod:func``."""
    path: str
    """The file that says so."""
    line: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Which file is what."""

    roots: tuple[str, ...] = ("",)
    """Folders, POSIX, relative to the root of the run; empty for the root itself."""
    placed: tuple[Placed, ...] = ()
    """Sorted by path."""
    namespaces: frozenset[str] = frozenset()
    """Packages that are folders without ``__init__.py`` (PEP 420) and hold, at any depth, a module."""
    unread: tuple[Unread, ...] = ()
    """Sorted by module."""
    shadowed: tuple[Shadowed, ...] = ()
    """Sorted by path."""
    notes: tuple[str, ...] = ()
    """What a person should know about how the code was found."""
    unmatched: tuple[tuple[str, str], ...] = ()
    """Settings that match nothing: the key under ``[project]``, and the glob or name."""
    entry_points: tuple[EntryPoint, ...] = ()
    """In the order of paths and lines."""
    owned: tuple[str, ...] = ()
    """The packages that the settings say are the project: all of each is here."""
    prefix: str = ""
    """Where the root of the run lies inside a package: that package's name, which every module's name starts with."""
