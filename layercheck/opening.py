"""How a file is opened that a stranger may have put there: it must be regular, of bounded size, and where it seems to
be. Knows nothing of what is in it.

A device can do something when it is opened, a pipe can wait for ever, and a link can lead anywhere.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MAX_SETTINGS = 4 * 1024 * 1024
"""Bytes: no settings that a person or a program wrote are larger."""
MAX_BASELINE = 256 * 1024 * 1024
"""Bytes: one that knows a million findings is smaller."""
_SYSTEM = ("/dev/", "/proc/")
"""Where no repository can put anything, and where a shell has what it pipes."""


class LeadsOutError(OSError):
    """A file lies elsewhere than below the folder in which it was looked for."""


def read_regular(path: str | Path, most: int) -> tuple[bytes, os.stat_result]:
    """The content of a file, and its state when it was opened.

    Raises OSError, whose ``strerror`` says so in words, for one that is not regular or holds more than ``most`` bytes;
    and ValueError for a path that no file can have.
    """
    _demand_regular(os.stat(path))  # noqa: PTH116
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        _demand_regular(status)
        # One byte more than there should be tells the end of the file, and whether it grows.
        content = os.read(descriptor, min(status.st_size, most) + 1)
        while len(content) <= most and (more := os.read(descriptor, 1 << 20)):
            content += more
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 2**20} MiB")
    return content, status


def read_settings(path: Path, top: Path | None = None) -> bytes:
    """The content of a file of settings that lies below ``top``, also where it is a link; None: wherever it lies.

    Raises OSError and ValueError as ``read_regular`` does.
    """
    if top is not None and not is_inside(path, os.path.realpath(top)):
        raise LeadsOutError(errno.EPERM, f"it leads out of {top}")
    return read_regular(path, MAX_SETTINGS)[0]


def read_named(path: Path, most: int) -> bytes:
    """The content of a file that somebody asked for by name, who may have a shell pipe it.

    Raises OSError and ValueError as ``read_regular`` does.
    """
    if not os.path.normpath(path.absolute()).startswith(_SYSTEM):
        return read_regular(path, most)[0]
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it holds more than {most // 2**20} MiB")
    return content


def is_inside(path: str | Path, real: str) -> bool:
    """Whether a path, its links followed, is a folder or below it, whose own path holds no link. One that leads nowhere
    may be."""
    found = os.path.realpath(path)
    return found == real or found.startswith(real.rstrip(os.sep) + os.sep)


def leads_out(path: Path, top: Path) -> bool:
    """Whether a path goes through ``top`` and, by a link there, out of it."""
    real = os.path.realpath(top)
    full = Path(os.path.normpath(path.absolute()))
    return not is_inside(full, real) and any(is_inside(above, real) for above in full.parents)


def _demand_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
