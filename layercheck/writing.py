"""The only writer of code files: all of several files are replaced or made, each at one blow, or none is.

Never writes through a link, over a file that its owner made read-only, or over one that is not as it was read.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from layercheck.errors import LayercheckError
from layercheck.opening import leads_out
from layercheck.source import read_file

Replacement = tuple[bytes | None, bytes]
"""The bytes that a file must hold, and those that it is to hold; None where it must not be there yet."""


def unwritable(root: Path, path: str) -> str:
    """Why a file could not be replaced; empty where nothing speaks against it. ``path`` is relative to ``root``."""
    full = root / path
    try:
        status = full.lstat()
    except OSError as error:
        return f"it cannot be looked at: {error.strerror or error}"
    if stat.S_ISLNK(status.st_mode):
        return "it is a link; change the file that it leads to"
    if not status.st_mode & stat.S_IWUSR or not os.access(full, os.W_OK):
        return "it is read-only"
    if not os.access(full.parent, os.W_OK):
        return "its folder is read-only"
    return ""


def replace_files(root: Path, replacements: Mapping[str, Replacement]) -> None:
    """Replace files, by their paths relative to ``root``, and make new ones, with the folders that they need. The modes
    of those that were there stay.

    Raises LayercheckError, with every file as it was, where one cannot be written or has changed meanwhile.
    """
    complaints = [f"{path}: {why}" for path, one in replacements.items() for why in _complaints(root, path, one)]
    if complaints:
        raise LayercheckError(*(f"{complaint}; nothing was written" for complaint in complaints))
    done: list[str] = []
    with _folders(root, replacements) as keep, _beside(root, replacements) as written:
        try:
            for path, temporary in written.items():
                if replacements[path][0] is None:
                    os.link(temporary, root / path)  # it would replace what somebody has put there meanwhile
                else:
                    temporary.replace(root / path)
                done.append(path)
            keep()
        except OSError as error:
            _put_back(root, {path: replacements[path] for path in done})
            raise _failure(path, error) from None


def _complaints(root: Path, path: str, replacement: Replacement) -> Iterator[str]:
    if leads_out((root / path).parent, root):
        yield "its folder is a link that leads out of the root"
        return
    if replacement[0] is None:
        if os.path.lexists(root / path):
            yield "it is there already"
        return
    why = unwritable(root, path)
    if why:
        yield why
    elif read_file(root, path).content != replacement[0]:
        yield "it has changed since it was read; run again"


@contextmanager
def _folders(root: Path, replacements: Mapping[str, Replacement]) -> Iterator[Callable[[], None]]:
    """The folders that new files need; those made here go again, unless the function that this gives is called."""
    made: list[Path] = []
    kept: list[bool] = []
    path = ""
    try:
        for path, (old, _) in replacements.items():
            missing = [folder for folder in (root / path).parents if old is None and not folder.exists()]
            for folder in reversed(missing):
                folder.mkdir()
                made.append(folder)
        yield lambda: kept.append(True)
    except OSError as error:
        raise _failure(path, error) from None
    finally:
        for folder in () if kept else reversed(made):
            with suppress(OSError):
                folder.rmdir()


def _failure(path: str, error: OSError) -> LayercheckError:
    return LayercheckError(f"{path}: it cannot be written: {error.strerror or error}; nothing was written")


@contextmanager
def _beside(root: Path, replacements: Mapping[str, Replacement]) -> Iterator[Mapping[str, Path]]:
    """New files beside the old ones, with the new bytes and the old modes; those that are left over go in the end."""
    written: dict[str, Path] = {}
    path = ""
    try:
        for path, (old, content) in replacements.items():
            written[path] = _write_beside(root / path, content, None if old is None else (root / path).stat())
        yield written
    except OSError as error:
        raise _failure(path, error) from None
    finally:
        for temporary in written.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _write_beside(full: Path, content: bytes, like: os.stat_result | None) -> Path:
    """A new file beside a path, with the owner and mode of the file that it is to stand for; None: those of any new
    file."""
    descriptor, name = tempfile.mkstemp(prefix=f".{full.name[:64]}.", suffix=".tmp", dir=full.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if like is None:
            temporary.chmod(0o644)
        else:
            if hasattr(os, "chown"):
                with suppress(OSError):  # only the superuser may give files away
                    os.chown(temporary, like.st_uid, like.st_gid)
            temporary.chmod(stat.S_IMODE(like.st_mode))
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def _put_back(root: Path, replacements: Mapping[str, Replacement]) -> None:
    """Give files their old bytes again and take away new ones; what cannot be put back, the error that follows is about
    anyway."""
    for path, (old, _) in replacements.items():
        if old is None:
            with suppress(OSError):
                (root / path).unlink()
    before = {path: (new, old) for path, (old, new) in replacements.items() if old is not None}
    with _beside(root, before) as written:
        for path, temporary in written.items():
            with suppress(OSError):
                temporary.replace(root / path)
