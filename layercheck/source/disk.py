"""A folder -> which files there are (placed by layout), and what is in each.

Reads, never writes, never follows a link out of the root, never opens anything that is not a regular file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.layout import Entry, Listing
from layercheck.names import join
from layercheck.opening import is_inside, read_regular
from layercheck.source.git import ignored_paths
from layercheck.source.scan import scan
from layercheck.source.stamps import stamp_of

MAX_BYTES = 32 * 1024 * 1024
"""No file larger than this is read: none that a person or a generator wrote is, and memory must stay bounded."""
_TOO_LARGE = f"cannot be read: it is larger than {MAX_BYTES // 2**20} MiB"


def list_tree(
    root: Path, exclude: tuple[str, ...], unsaved: Mapping[str, SourceFile] = MappingProxyType({})
) -> Listing:
    """What there is below a folder, less what globs of ``[project] exclude`` name.

    ``unsaved`` are files, by path, that are listed and read as if they had been written: some may not be there yet.

    Raises LayercheckError if the root is no folder or cannot be listed.
    """
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "does not exist"
        raise LayercheckError(f"{root}: {what}; name the folder that holds the code")
    absent = frozenset(path for path in unsaved if not os.path.lexists(root / path))
    ignored, unknown = ignored_paths(root, absent)
    children = partial(_children, root, os.path.realpath(root), ignored)
    listed = _with_absent(children, root, absent, ignored) if absent else children
    entries, texts = scan(listed, lambda path: (unsaved.get(path) or read_file(root, path)).content, exclude)
    notes = (f"Which files git ignores is not known, so all are read: {unknown}",) if unknown else ()
    return Listing(tuple(entries), texts, package_of(root), notes)


def read_file(root: Path, path: str) -> SourceFile:
    """Read one file of a layout; what prevents it is said in the result and never raised. ``path`` as in ``Placed``."""
    full = f"{root}{os.sep}{path}"
    try:
        # Listing has seen to it; this is for a link that was put there since.
        if os.path.islink(full) and not is_inside(full, os.path.realpath(root)):  # noqa: PTH114
            return SourceFile(path, None, "cannot be read: it is a link that leads out of the root")
        content, status = read_regular(full, MAX_BYTES)
    except IsADirectoryError:
        return SourceFile(path, None, _folder_reason(full))
    except (OSError, ValueError) as error:
        return SourceFile(path, None, _reason(error))
    return SourceFile(path, content, stamp=stamp_of(status))


def as_read(path: str, content: bytes) -> SourceFile:
    """A file that holds this content, as if it had been read; ``path`` as in ``Placed``."""
    return SourceFile(path, content) if len(content) <= MAX_BYTES else SourceFile(path, None, _TOO_LARGE)


def _reason(error: OSError | ValueError) -> str:
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def _folder_reason(folder: str) -> str:
    try:
        with os.scandir(folder):
            return "cannot be read: it is a folder"
    except OSError as error:
        return f"the folder cannot be listed: {error.strerror or error}"


def _children(root: Path, real: str, ignored: frozenset[str], folder: str) -> dict[str, Entry] | None:
    """What a folder holds, by name; None where it cannot be listed."""
    try:
        with os.scandir(f"{root}{os.sep}{folder}") as iterator:
            return {
                child.name: _entry(child, f"{folder}/{child.name}" if folder else child.name, real, ignored)
                for child in iterator
            }
    except (OSError, ValueError) as error:
        if not folder:
            raise LayercheckError(f"{root}: cannot be listed: {_reason(error).partition(': ')[2]}") from None
        return None


def _with_absent(
    children: Callable[[str], dict[str, Entry] | None], root: Path, absent: frozenset[str], ignored: frozenset[str]
) -> Callable[[str], dict[str, Entry] | None]:
    """What folders hold, with files that are not there yet, and the folders that these need."""
    added: dict[str, dict[str, Entry]] = {}
    made: set[str] = set()
    for file in absent:
        path = file
        while path and not os.path.lexists(root / path):
            folder, _, name = path.rpartition("/")
            if path != file:
                made.add(path)
            added.setdefault(folder, {})[name] = Entry(path, "ignored" if path in ignored else "plain", path != file)
            path = folder

    def listed(folder: str) -> dict[str, Entry] | None:
        found = {} if folder in made else children(folder)
        return None if found is None else {**found, **added.get(folder, {})}

    return listed


def _entry(child: os.DirEntry[str], path: str, real: str, ignored: frozenset[str]) -> Entry:
    """What one name in a folder is."""
    try:
        if not child.is_symlink():
            folder = child.is_dir(follow_symlinks=False)
            return Entry(path, "ignored" if path in ignored else "plain", folder)
        if child.is_dir():
            return Entry(path, "link", folder=True)
        if child.is_file():
            if not is_inside(child.path, real):
                return Entry(path, "link")
            return Entry(path, "ignored" if path in ignored else "plain")
        # A link that leads nowhere, or in a circle: whoever reads it says so.
        return Entry(path)
    except OSError:
        return Entry(path)


def package_of(root: Path) -> str:
    """The name of the package that a folder is itself, as the nearest folder upwards without ``__init__.py`` sees it.

    A folder of its own project is none, even if an ``__init__.py`` has strayed there; nor is one whose name no import
    could spell. A folder without ``__init__.py`` right in a package is one (PEP 420).
    """
    folder = root.resolve()
    names: list[str] = []
    while folder.name.isidentifier() and not _is_top(folder):
        if not _has_init(folder) and (names or not _has_init(folder.parent) or _is_top(folder.parent)):
            break
        names.append(folder.name)
        folder = folder.parent
    return join(*reversed(names))


def _has_init(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


def _is_top(folder: Path) -> bool:
    return any((folder / name).exists() for name in ("pyproject.toml", "setup.py", "setup.cfg", ".git"))
