"""Which files are the modules of which names: CPython's path search, played over the folders of all roots at once.

The rules are those of ``importlib.machinery.FileFinder`` and PEP 420. For a name, the portions of its package are asked
in order; in each a regular package comes before a module file and that before a bare folder; the first package or
module ends the search, bare folders are collected on the way. Reads no files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from layercheck.layout.model import Entry, Shadowed
from layercheck.layout.paths import file_name
from layercheck.layout.roots import Root
from layercheck.layout.tree import Folder, Tree
from layercheck.names import head, join, parent, rest

_WHY = {
    "compiled": "compiled",
    "cython": "its source is Cython",
    "template": "made from a template",
    "native": "its source is not Python",
    "stub": "only a stub of it is there",
    "link": "behind a link",
    "ignored": "ignored by git",
    "excluded": "excluded",
    "locked": "its folder cannot be listed",
}


@dataclass(frozen=True, slots=True)
class Portion:
    """One folder that a package is made of; or, where ``folder`` is None, only the names of what lies below it."""

    folder: Folder | None
    root: Root | None = None
    """Set where the folder is a root itself."""
    below: tuple[tuple[str, Folder], ...] = ()
    """Roots that are a package below this one: the rest of the package's name, and the folder."""


@dataclass(slots=True)
class Claims:
    """What the search found."""

    modules: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """Path of each file that is a module: its name, and whether it is a package."""
    unread: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name of each module that is there and not read: the path, and why."""
    namespaces: set[str] = field(default_factory=set)
    shadowed: list[Shadowed] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    """Folders and files with the name of a package or module that Python finds elsewhere: where."""


@dataclass(frozen=True, slots=True)
class _Search:
    tree: Tree
    barred: Callable[[str], bool]
    """Whether a path is no part of the folder above it: another root, a project of its own, a consumer."""
    wanted: Callable[[str], bool]
    """Whether a module of this name is of the project."""
    claims: Claims


def claim(
    tree: Tree, roots: Sequence[Root], barred: Callable[[str], bool], wanted: Callable[[str], bool] = lambda name: True
) -> Claims:
    """All modules below the roots. Roots that are packages themselves (``prefix``) are portions of these packages."""
    claims = Claims()
    portions = [Portion(tree.folders[root.folder], root) for root in roots if not root.prefix]
    below = tuple((root.prefix, tree.folders[root.folder]) for root in roots if root.prefix)
    if below:
        portions.append(Portion(None, None, below))
    search = _Search(tree, barred, wanted, claims)
    # A stack and not a recursion: folders may be nested deeper than Python's stack.
    stack: list[tuple[str, list[Portion]]] = [("", portions)]
    order: list[str] = []
    while stack:
        package, portions = stack.pop()
        if package:
            order.append(package)
        for name in sorted(_names(portions)):
            full = join(package, name)
            if search.wanted(full):
                found = _find(search, full, name, portions)
                if found:
                    stack.append((full, found))
    _drop_empty(claims, order)
    return claims


def _names(portions: Sequence[Portion]) -> set[str]:
    names: set[str] = set()
    for portion in portions:
        if portion.folder is not None:
            names.update(portion.folder.by_module)
            names.update(name for name, child in portion.folder.folders.items() if child.python and name.isidentifier())
        names.update(head(name) for name, _ in portion.below)
    names.discard("__init__")
    return names


@dataclass(slots=True)
class _Candidates:
    """What one portion has of one name."""

    folder: Folder | None = None
    files: dict[str, Entry] = field(default_factory=dict)
    """By how each is a module; of several compiled ones the first."""


def _candidates(search: _Search, name: str, portion: Portion) -> _Candidates:
    found = _Candidates()
    if portion.folder is None:
        return found
    root = portion.root
    child = portion.folder.folders.get(name)
    if child is not None and not search.barred(child.path) and not (root and root.leaves_out(name, folder=True)):
        found.folder = child
    for how, entry in portion.folder.by_module.get(name, ()):
        left_out = root is not None and root.leaves_out(file_name(entry.path), folder=entry.folder)
        # A C file in a root, or where no Python is, is some program's; beside Python it is an extension module's.
        alien = how == "native" and (root is not None or not _has_source(portion.folder))
        if not left_out and not alien and not search.barred(entry.path):
            found.files.setdefault(how, entry)
    return found


def _has_source(folder: Folder) -> bool:
    return any(how == "source" for files in folder.by_module.values() for how, _ in files)


def _find(search: _Search, full: str, name: str, portions: Sequence[Portion]) -> list[Portion]:
    """Settle one name; what its own portions are, if it is a package."""
    claims = search.claims
    below = tuple(
        (rest(prefix), folder) for portion in portions for prefix, folder in portion.below if head(prefix) == name
    )
    direct = [folder for prefix, folder in below if not prefix]
    deeper = tuple((prefix, folder) for prefix, folder in below if prefix)
    virtual = [Portion(None, None, deeper)] if deeper else []
    candidates = [_candidates(search, name, portion) for portion in portions]
    candidates += [_Candidates(folder) for folder in direct]
    bare: list[Folder] = []
    winner = ""
    package: list[Portion] | None = None
    for candidate in candidates:
        folder, files = candidate.folder, candidate.files
        if winner:
            _hide(claims, folder, winner)
            if files.get("source"):
                claims.hidden[files["source"].path] = winner
        elif folder is not None and folder.regular:
            winner = _package(search, full, folder)
            if files.get("source"):
                claims.shadowed.append(Shadowed(files["source"].path, winner))
            package = [Portion(folder), *virtual]
        elif files.get("source") or files.get("compiled"):
            winner = _module(claims, full, files, package=False)
            _hide(claims, folder, winner)
            package = virtual
        elif folder is not None:
            bare.append(folder)
    if package is not None:
        for folder in bare:
            _hide(claims, folder, winner)
        return package
    if not bare:
        for candidate in candidates:
            if candidate.files and not winner:
                winner = _module(claims, full, candidate.files, package=False)
    elif any("folder" in candidate.files for candidate in candidates):
        entry = next(candidate.files["folder"] for candidate in candidates if "folder" in candidate.files)
        claims.unread[full] = (entry.path, _WHY[entry.kind])
    if bare or virtual:
        claims.namespaces.add(full)
        for folder in bare:
            if "__init__" in folder.by_module:
                # Only a stub, or a source that is not Python: a build makes the package.
                _package(search, full, folder)
    return [Portion(folder) for folder in bare] + virtual


def _package(search: _Search, full: str, folder: Folder) -> str:
    files: dict[str, Entry] = {}
    for how, entry in folder.by_module["__init__"]:
        if not search.barred(entry.path):
            files.setdefault(how, entry)
    return _module(search.claims, full, files, package=True) if files else folder.path


def _module(claims: Claims, full: str, files: dict[str, Entry], *, package: bool) -> str:
    """Take the file that says most of a module; its path."""
    source = files.get("source")
    if source is not None:
        return _take(claims, full, source, package)
    built = next((how for how in ("compiled", "cython", "native", "folder", "template") if how in files), None)
    stub = files.get("stub")
    if stub is not None and stub.kind == "plain" and built in ("compiled", "cython", "native"):
        return _take(claims, full, stub, package)
    how = built or "stub"
    entry = files[how]
    claims.unread[full] = (entry.path, _WHY[how if entry.kind == "plain" else entry.kind])
    return entry.path


def _take(claims: Claims, full: str, entry: Entry, package: bool) -> str:
    if entry.kind == "plain":
        claims.modules[entry.path] = (full, package)
    else:
        claims.unread[full] = (entry.path, _WHY[entry.kind])
    return entry.path


def _hide(claims: Claims, folder: Folder | None, winner: str) -> None:
    if folder is not None:
        claims.hidden[folder.path] = winner


def _drop_empty(claims: Claims, order: list[str]) -> None:
    """Forget the namespaces in which no module was found."""
    filled: set[str] = set()
    for name in [name for name, _ in claims.modules.values()] + list(claims.unread):
        while name and name not in filled:
            filled.add(name)
            name = parent(name)
    claims.namespaces &= filled
