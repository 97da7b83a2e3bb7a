"""A listing as a tree of folders, without those that hold no code of the project. Pure data and its making."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from layercheck.layout.model import Entry
from layercheck.layout.paths import (
    file_name,
    folder_of,
    folders_above,
    is_environment,
    is_installed_mark,
    is_junk,
    is_skipped,
    matches_glob,
    module_of,
)


@dataclass(slots=True)
class Folder:
    """One folder: what lies in it by name. ``python`` says whether a module lies in it, at any depth; C is none."""

    path: str
    files: dict[str, Entry] = field(default_factory=dict)
    """Files, and folders into which the listing does not look."""
    folders: dict[str, Folder] = field(default_factory=dict)
    python: bool = False
    by_module: dict[str, list[tuple[str, Entry]]] = field(default_factory=dict)
    """For each name of a module, its candidate files: how each is one, and which."""

    @property
    def regular(self) -> bool:
        """Whether Python takes it for a regular package: it has an ``__init__``, in source or compiled."""
        return any(how in ("source", "compiled") for how, _ in self.by_module.get("__init__", ()))


@dataclass(frozen=True, slots=True)
class Tree:
    """All folders by path; the root of the run has the empty path."""

    folders: Mapping[str, Folder]
    installed: bool
    """Whether distributions are installed in the root itself, as in a ``site-packages`` folder."""

    @property
    def root(self) -> Folder:
        return self.folders[""]


def walk(folder: Folder) -> Iterator[Folder]:
    """A folder and all below it, each before what lies in it."""
    stack = [folder]
    while stack:
        folder = stack.pop()
        yield folder
        stack.extend(folder.folders[name] for name in sorted(folder.folders, reverse=True))


def make_tree(entries: Iterable[Entry], exclude: Iterable[str]) -> Tree:
    """The tree of a listing; what a glob of ``exclude`` names becomes ``excluded``. The order does not matter."""
    folders = {"": Folder("")}
    globs = tuple(exclude)
    for entry in sorted(entries, key=lambda entry: entry.path):
        if not entry.folder and is_junk(file_name(entry.path)):
            continue
        if entry.kind == "plain" and any(matches_glob(entry.path, glob) for glob in globs):
            entry = replace(entry, kind="excluded")
        _folder(folders, folder_of(entry.path)).files[file_name(entry.path)] = entry
    root = folders[""]
    installed = any(is_installed_mark(name) for name in root.folders)
    _prune(root)
    kept = {folder.path: folder for folder in walk(root)}
    for folder in kept.values():
        _index(folder)
    for folder in kept.values():
        if any(how != "native" for files in folder.by_module.values() for how, _ in files):
            for path in (folder.path, *folders_above(folder.path)):
                kept[path].python = True
    return Tree(kept, installed)


def _folder(folders: dict[str, Folder], path: str) -> Folder:
    missing = []
    while path not in folders:
        missing.append(path)
        path = folder_of(path)
    folder = folders[path]
    for path in reversed(missing):
        folder.folders[file_name(path)] = folders[path] = Folder(path)
        folder = folders[path]
    return folder


def _prune(root: Folder) -> None:
    stack = [root]
    while stack:
        folder = stack.pop()
        beside = folder.files.keys() | folder.folders.keys()
        for name, child in list(folder.folders.items()):
            if is_skipped(name, beside) or is_environment(child.files.keys() | child.folders.keys()):
                del folder.folders[name]
        for name, entry in list(folder.files.items()):
            if entry.folder and is_skipped(name, beside):
                del folder.files[name]
        stack.extend(folder.folders.values())


def _index(folder: Folder) -> None:
    for name, entry in folder.files.items():
        if entry.folder:
            if name.isidentifier():
                folder.by_module.setdefault(name, []).append(("folder", entry))
        elif (module := module_of(name)) is not None:
            folder.by_module.setdefault(module[0], []).append((module[1], entry))
