"""Placing: a listing, the texts of project files and the settings -> Layout. Pure; reads no files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from layercheck.layout.claim import Claims, claim
from layercheck.layout.model import Entry, Layout, Listing, Placed, ProjectSettings, Unread
from layercheck.layout.paths import (
    SCRIPT_SUFFIXES,
    SOURCE,
    STUB,
    folder_of,
    is_below,
    is_generated,
    is_vendored,
    matches_glob,
    matches_name,
)
from layercheck.layout.roots import Root, Roots, find_roots
from layercheck.layout.tree import Tree, make_tree, walk
from layercheck.names import ancestors, is_within, join

_MOST = 5
"""How many paths a note names."""


def place(listing: Listing, settings: ProjectSettings) -> Layout:
    """Say of every file of a listing what it is. The order of its entries does not matter.

    Whoever reads the disk finds the listing's prefix by looking at the folders above, so that ``mypkg/`` given as the
    root has the same names as its parent would give: a module's name comes from where Python would import it.
    """
    prefix = listing.prefix
    tree = make_tree(listing.entries, settings.exclude)
    roots = find_roots(tree, listing.texts, settings, prefix)
    barred = _barred(tree, roots, settings)
    wanted = _wanted(settings)
    used = roots.roots
    claims = claim(tree, used, barred, wanted)
    if not claims.modules and not claims.unread and not settings.packages:
        # Everything has a name that tests, examples and scripts have: then that is the project.
        used = tuple(_bare(root) for root in used)
        claims = claim(tree, used, barred, wanted)
    _declare(claims, roots, used, prefix)
    placed = _placed(tree, roots, used, claims, settings)
    return Layout(
        roots=tuple(dict.fromkeys(root.folder for root in roots.roots)),
        placed=placed,
        namespaces=frozenset(claims.namespaces),
        unread=tuple(Unread(name, path, why) for name, (path, why) in sorted(claims.unread.items())),
        shadowed=tuple(sorted(claims.shadowed, key=lambda one: one.path)),
        notes=(*listing.notes, *_links(listing.entries), *_notes(roots, claims)),
        unmatched=roots.unmatched + _unmatched(listing.entries, claims, placed, settings),
        entry_points=roots.entry_points,
        owned=settings.packages or (),
        prefix=prefix,
    )


def _bare(root: Root) -> Root:
    return replace(root, flat=False, include=(), exclude=())


def _is_consumer(path: str, settings: ProjectSettings) -> bool:
    return any(matches_glob(path, glob) for glob in settings.consumers or ())


def _barred(tree: Tree, roots: Roots, settings: ProjectSettings) -> Callable[[str], bool]:
    own = {root.folder for root in roots.roots}
    if settings.roots is None:
        own |= roots.projects
    own.discard("")
    if settings.consumers:
        return lambda path: path in own or _is_consumer(path, settings)
    return own.__contains__


def _wanted(settings: ProjectSettings) -> Callable[[str], bool]:
    packages = settings.packages
    if packages is None:
        return lambda name: True
    return lambda name: any(is_within(name, package) or is_within(package, name) for package in packages)


def _declare(claims: Claims, roots: Roots, used: tuple[Root, ...], prefix: str) -> None:
    """Add the modules that are not in the listing: what a build makes, and the packages around the root of the run."""
    known = {name for name, _ in claims.modules.values()} | claims.unread.keys() | claims.namespaces
    for path in roots.written:
        owner = max((root for root in used if is_below(path, root.folder)), key=_depth, default=None)
        if owner is None or not path.endswith(SOURCE):
            continue
        below = path[len(owner.folder) :].strip("/").removesuffix(SOURCE)
        name = join(owner.prefix, *below.split("/"))
        if name not in known:
            claims.unread[name] = (path, "written by the build")
    for name in roots.built:
        if name not in known and any(package in known for package in ancestors(name)):
            claims.unread[name] = ("", "made by the build")
    for name in ancestors(prefix):
        claims.unread[name] = ("", "outside the root of the run")


def _placed(
    tree: Tree, roots: Roots, used: tuple[Root, ...], claims: Claims, settings: ProjectSettings
) -> tuple[Placed, ...]:
    placed = []
    for folder in walk(tree.root):
        hidden = any(is_below(folder.path, path) for path in claims.hidden)
        default = _role(folder.path, roots, used, settings)
        for name, entry in folder.files.items():
            path = entry.path
            if entry.folder:
                if entry.kind == "locked":
                    placed.append(Placed(path, "file"))
                continue
            if entry.kind != "plain" or (path not in claims.modules and not name.endswith(SCRIPT_SUFFIXES)):
                continue
            vendored = is_vendored(path, settings.vendored)
            generated = is_generated(path, settings.generated) or name.endswith(STUB)
            if path in claims.modules:
                module, package = claims.modules[path]
                placed.append(Placed(path, "module", module, package, vendored, generated))
            elif settings.consumers is not None and _is_consumer(path, settings):
                placed.append(Placed(path, "consumer", vendored=vendored, generated=generated))
            else:
                role = default(name)
                placed.append(
                    Placed(path, role, vendored=vendored or hidden or path in claims.hidden, generated=generated)
                )
    return tuple(sorted(placed, key=lambda one: one.path))


def _role(
    folder: str, roots: Roots, used: tuple[Root, ...], settings: ProjectSettings
) -> Callable[[str], Literal["consumer", "file"]]:
    """What a file directly in a folder is that is no module: a function of the file's name."""
    outside: Literal["consumer", "file"] = "consumer" if settings.consumers is None else "file"
    owner = max((root for root in used if is_below(folder, root.folder)), key=_depth, default=None)
    if owner is None or (settings.roots is None and _in_other_project(folder, owner, roots)):
        return lambda name: outside
    below = folder[len(owner.folder) :].strip("/")
    if not below:
        top = owner
        return lambda name: outside if top.flat and top.leaves_out(name, folder=False) else "file"
    first = below.partition("/")[0]
    beside = owner.leaves_out(first, folder=True) or (settings.packages is not None and first not in owner.names)
    return lambda name: outside if beside else "file"


def _depth(root: Root) -> int:
    return len(root.folder)


def _in_other_project(folder: str, owner: Root, roots: Roots) -> bool:
    """Whether a folder lies in a project that lies deeper than the root: then it is beside that project's roots."""
    return any(
        path != owner.folder and is_below(path, owner.folder) and is_below(folder, path) for path in roots.projects
    )


def _links(entries: tuple[Entry, ...]) -> Iterator[str]:
    """That nothing is read behind links to folders."""
    links = sorted(entry.path for entry in entries if entry.kind == "link" and entry.folder)
    if links:
        more = f" and {len(links) - _MOST:,} more" if len(links) > _MOST else ""
        yield f"Nothing is read behind links to folders: {', '.join(links[:_MOST])}{more}"


def _notes(roots: Roots, claims: Claims) -> Iterator[str]:
    yield from roots.notes
    for path, winner in sorted(claims.hidden.items()):
        if folder_of(path) not in (folder_of(winner), folder_of(folder_of(winner))):
            yield f"{path} is not judged: Python finds a module of this name in {winner}"


def _unmatched(
    entries: tuple[Entry, ...], claims: Claims, placed: tuple[Placed, ...], settings: ProjectSettings
) -> tuple[tuple[str, str], ...]:
    """The settings that match nothing; a rules file that says such a thing is out of date or misspelt."""
    consumers = [one.path for one in placed if one.role == "consumer"]
    paths = [entry.path for entry in entries]
    modules = [name for name, _ in claims.modules.values()] + list(claims.unread)
    found: list[tuple[str, str]] = []
    for key, globs, candidates, fits in (
        ("packages", settings.packages or (), modules, is_within),
        ("consumers", settings.consumers or (), consumers, matches_glob),
        ("exclude", settings.exclude, paths, matches_glob),
        ("vendored", settings.vendored, paths, matches_name),
        ("generated", settings.generated, paths, matches_name),
    ):
        found += [(key, glob) for glob in globs if not any(fits(candidate, glob) for candidate in candidates)]
    return tuple(found)
