"""Which folders are roots: those of the settings, else of the projects' own files, else ``src``, else ROOT itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from layercheck.layout.declared import Declared, declared
from layercheck.layout.model import EntryPoint, ProjectSettings
from layercheck.layout.paths import (
    file_name,
    folder_of,
    folders_above,
    is_consumer_folder,
    is_consumer_script,
    is_project_file,
    is_vendored,
    join,
    matches_glob,
)
from layercheck.layout.tree import Folder, Tree
from layercheck.names import head
from layercheck.names import join as dotted


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that holds packages."""

    folder: str
    prefix: str = ""
    """The name of the package that the folder itself is; empty for an ordinary root."""
    flat: bool = False
    """Whether it is a project's own folder, where tests, docs and scripts lie beside the packages."""
    names: frozenset[str] = frozenset()
    """Top-level names that are packages whatever they sound like."""
    include: tuple[str, ...] = ()
    """Patterns of package names; of these, what stands before the first dot is about top-level ones."""
    exclude: tuple[str, ...] = ()

    def leaves_out(self, name: str, folder: bool) -> bool:
        """Whether a folder or file directly in this root is no package or module, by declaration or convention."""
        stem = head(name)
        if not self.flat:
            return not folder and stem in ("__init__", "__main__")
        if any(fnmatchcase(stem, pattern) for pattern in self.exclude):
            return True
        if stem in self.names:
            return False
        if folder and self.include and not any(fnmatchcase(stem, head(pattern)) for pattern in self.include):
            return True
        return is_consumer_folder(name) if folder else is_consumer_script(name)


@dataclass(frozen=True, slots=True)
class Roots:
    """The roots, and what was learnt on the way."""

    roots: tuple[Root, ...]
    projects: frozenset[str] = frozenset()
    """Folders of projects: what lies in one and in none of its roots belongs to no root further out."""
    built: tuple[str, ...] = ()
    """Names of modules that a build makes."""
    written: tuple[str, ...] = ()
    """Paths of files that a build writes."""
    entry_points: tuple[EntryPoint, ...] = ()
    """Scripts and plugins that the projects declare."""
    notes: tuple[str, ...] = ()
    unmatched: tuple[tuple[str, str], ...] = ()


def find_roots(tree: Tree, texts: Mapping[str, str], settings: ProjectSettings, prefix: str) -> Roots:
    """The roots of a tree. ``texts`` are those of project files by path.

    ``prefix`` is the package that the root of the run is, if it lies inside one: then that is the only root.
    """
    if prefix:
        return Roots((Root("", prefix),))
    found = _projects(tree, texts)
    result = _guessed(tree, found) if settings.roots is None else _settled(tree, settings.roots, found)
    named = frozenset(head(name) for name in settings.packages or ())
    return replace(result, roots=tuple(replace(root, names=root.names | named) for root in result.roots))


def _guessed(tree: Tree, found: Mapping[str, Declared]) -> Roots:
    roots: list[Root] = []
    for folder, said in sorted(found.items()):
        roots += _roots_of(tree, folder, said)
    outer = tree.root
    if "" not in found and (not roots or _has_packages(outer, found)):
        roots[:0] = _roots_of(tree, "", Declared())
    if not roots:
        roots = [Root("", flat=not tree.installed)]
    if tree.installed and "" not in found:
        roots = [replace(root, flat=False) if root.folder == "" else root for root in roots]
    return _learnt(Roots(_unique(roots), frozenset(found)), found)


def _unique(roots: Iterable[Root]) -> tuple[Root, ...]:
    merged: dict[tuple[str, str], Root] = {}
    for root in roots:
        merged.setdefault((root.folder, root.prefix), root)
    return tuple(merged.values())


def _learnt(roots: Roots, found: Mapping[str, Declared]) -> Roots:
    return replace(
        roots,
        built=tuple(name for said in found.values() for name in said.built if name),
        written=tuple(join(folder, path) for folder, said in found.items() for path in said.written),
        entry_points=tuple(
            replace(one, path=join(folder, one.path))
            for folder, said in sorted(found.items())
            for one in said.entry_points
        ),
        notes=tuple(note for said in found.values() for note in said.notes),
    )


def _settled(tree: Tree, globs: tuple[str, ...], found: Mapping[str, Declared]) -> Roots:
    """The roots that the settings name: of what a glob matches, the folders nearest to the root of the run."""
    roots: list[Root] = []
    unmatched: list[tuple[str, str]] = []
    for glob in globs:
        folders = [""]
        if glob.strip("./"):
            folders = [path for path in tree.folders if path and _is_nearest(path, glob)]
        if not any(tree.folders[folder].python for folder in folders):
            unmatched.append(("roots", glob))
        for path in folders:
            said = found.get(path, Declared())
            flat = path == "" or path in found
            roots.append(_finding(tree.folders[path], said, flat))
    return replace(_learnt(Roots(_unique(roots)), found), unmatched=tuple(unmatched))


def _is_nearest(path: str, glob: str) -> bool:
    """Whether a folder is what a glob matches, and none that it lies in is."""
    above = folder_of(path)
    return matches_glob(path, glob) and not (above and matches_glob(above, glob))


def _projects(tree: Tree, texts: Mapping[str, str]) -> dict[str, Declared]:
    """The folders that are projects, with what their files say.

    A project in a package (a template), in a folder that is left out by convention (an example, a test's data) or in
    vendored code is none of ours, unless a workspace names it.
    """
    said: dict[str, Declared] = {}
    by_folder: dict[str, dict[str, str]] = {}
    for path, text in texts.items():
        if is_project_file(file_name(path)) and folder_of(path) in tree.folders:
            by_folder.setdefault(folder_of(path), {})[file_name(path)] = text
    for folder, files in by_folder.items():
        said[folder] = declared(files, folder)
    members = {
        path
        for folder, one in said.items()
        for path in said
        if path != folder
        and any(matches_glob(path, join(folder, glob)) for glob in one.members)
        and not any(matches_glob(path, join(folder, glob)) for glob in one.not_members)
    }
    return {
        folder: one
        for folder, one in said.items()
        if one.project and (folder == "" or folder in members or not _is_foreign(tree, folder))
    }


def _is_foreign(tree: Tree, folder: str) -> bool:
    if is_vendored(join(folder, "x"), ()):
        return True
    chain = (folder, *folders_above(folder))
    return any(tree.folders[path].regular or is_consumer_folder(file_name(path)) for path in chain if path)


def _roots_of(tree: Tree, folder: str, said: Declared) -> list[Root]:
    roots = []
    for path, prefix in said.roots:
        place = join(folder, path)
        if place in tree.folders and tree.folders[place].python:
            flat = place == folder and not prefix
            roots.append(replace(_finding(tree.folders[place], said, flat), prefix=prefix))
    if roots:
        return roots
    source = tree.folders.get(join(folder, "src"))
    if source is not None and _holds_code(source):
        return [Root(source.path, names=said.names)]
    return [_finding(tree.folders[folder], said, flat=True)]


def _finding(folder: Folder, said: Declared, flat: bool) -> Root:
    """A root in which setuptools' finder looks for packages."""
    exclude = tuple(pattern for pattern in said.exclude if not _goes_on_below(folder, pattern, said.exclude))
    return Root(folder.path, "", flat, said.names, said.include, exclude)


def _goes_on_below(folder: Folder, name: str, exclude: tuple[str, ...]) -> bool:
    """Whether packages stay below a top-level one that is excluded by its name alone, as the finder has it: so the
    owners of one part of a namespace (``azure.storage.blob``) leave the rest of it to others."""
    top = folder.folders.get(name)
    stack = [] if top is None else [(name, top)]
    while stack:
        above, package = stack.pop()
        for below, child in package.folders.items():
            full = dotted(above, below)
            if child.regular and not any(fnmatchcase(full, pattern) for pattern in exclude):
                return True
            stack.append((full, child))
    return False


def _holds_code(folder: Folder) -> bool:
    """Whether a folder ``src`` is a root: it is no package itself, and packages or modules lie right in it."""
    return not folder.regular and folder.python


def _has_packages(folder: Folder, found: Mapping[str, Declared]) -> bool:
    """Whether regular packages lie right in a folder or its ``src``, outside all projects."""
    source = folder.folders.get("src")
    return any(
        child.regular and child.path not in found and not is_consumer_folder(file_name(child.path))
        for place in (folder, source)
        if place is not None and (place is folder or place.path not in found)
        for child in place.folders.values()
    )
