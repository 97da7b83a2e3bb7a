"""Two folders -> which of their files differ, whatever they hold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from filecmp import cmp
from pathlib import Path

_NO_PART = frozenset({".git", "__pycache__", ".hg", ".svn"})
_MADE = (".pyc", ".pyo")


def differing(old: Path, new: Path) -> dict[str, str]:
    """The paths, POSIX and relative, of the files that are not the same in two folders: ``added``, ``removed`` or
    ``changed``. What Python makes for itself and what belongs to version control is passed over."""
    before, after = set(all_files(old)), set(all_files(new))
    found = dict.fromkeys(before - after, "removed") | dict.fromkeys(after - before, "added")
    for path in before & after:
        if not _is_same(old / path, new / path):
            found[path] = "changed"
    return dict(sorted(found.items()))


def all_files(root: Path) -> Iterator[str]:
    """The paths, POSIX and relative, of all files below a folder but those that are passed over."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _NO_PART]
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in (*names, *links):
            if not name.endswith(_MADE):
                yield (Path(folder) / name).relative_to(root).as_posix()


def _is_same(one: Path, two: Path) -> bool:
    """Whether two files hold the same bytes, or two links lead to the same place."""
    try:
        if one.is_symlink() or two.is_symlink():
            return one.is_symlink() and two.is_symlink() and one.readlink() == two.readlink()
        return cmp(one, two, shallow=False)
    except OSError:
        return False
