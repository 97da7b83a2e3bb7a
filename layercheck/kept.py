"""Files that are kept between runs in the user's cache folder, never in the project. Knows nothing of what is in them.

What is kept decides verdicts, and without a secret no checksum can tell who wrote it: against strangers stands the
owner of the file and of its folder (on POSIX), against accidents a checksum.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from layercheck import __version__

MAGIC = b"layercheck kept\n"
_CHECK_SIZE = 16
_LEFT = 3600
"""Seconds: no run writes for so long."""
_MAX_BYTES = 512 * 1024 * 1024


def default_folder(root: Path, environment: Mapping[str, str]) -> Path | None:
    """Where things of a project are kept; None where the user has no folder for such things.

    ``LAYERCHECK_CACHE_DIR``, else ``layercheck`` in ``XDG_CACHE_HOME`` (XDG base directory specification: a relative
    one is ignored), ``LOCALAPPDATA`` on Windows, or ``~/.cache``; in it one folder for each root.
    """
    name = hashlib.blake2b(os.fsencode(root.resolve()), digest_size=12).hexdigest()
    if own := environment.get("LAYERCHECK_CACHE_DIR"):
        return Path(own) / name
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    base = Path(environment.get(variable, ""))
    if not base.is_absolute():
        home = environment.get("USERPROFILE" if os.name == "nt" else "HOME", "")
        if not Path(home).is_absolute():
            return None
        base = Path(home) / ".cache"
    return base / "layercheck" / name


def made_by(code: Iterable[bytes]) -> str:
    """What things depend on beside the input: the versions of layercheck and of Python, and the code itself."""
    state = hashlib.blake2b(digest_size=16)
    for part in code:
        state.update(part)
    return "\0".join((__version__, f"{sys.implementation.name} {sys.version}", state.hexdigest()))


def read(folder: Path, name: str) -> memoryview | None:
    """What is kept in a file; None where there is no file.

    Raises ValueError with a reason in words where there is something that is not to be trusted.
    """
    try:
        content = _read(folder, name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
    head = len(MAGIC) + _CHECK_SIZE
    payload = memoryview(content)[head:]
    if content[: len(MAGIC)] != MAGIC or content[len(MAGIC) : head] != checksum(payload):
        raise ValueError("it is damaged")
    return payload


def write(folder: Path, name: str, payload: bytes) -> None:
    """Keep this in a file, which takes the old one's place at once.

    Raises OSError, also where nobody would trust what lies in the folder.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        _refuse_strangers(os.lstat(folder), stat.S_ISDIR)
    except ValueError as error:
        raise OSError(errno.EPERM, str(error)) from None
    _clear(folder, f".{name}-*")
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}-", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(MAGIC + checksum(payload))
            file.write(payload)
        Path(temporary).replace(folder / name)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _clear(folder: Path, pattern: str) -> None:
    """Take away what runs have left that were ended while they wrote."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.lstat().st_mtime < time.time() - _LEFT:
                path.unlink()


def checksum(payload: bytes | memoryview) -> bytes:
    """What tells that a payload came to harm."""
    return hashlib.blake2b(payload, digest_size=_CHECK_SIZE).digest()


def _read(folder: Path, name: str) -> bytes:
    """The file's bytes. Raises OSError, or ValueError where somebody else may have written it."""
    _refuse_strangers(os.lstat(folder), stat.S_ISDIR)
    # O_NOFOLLOW: a link planted under this name must not make us read another file; O_NONBLOCK: nor a pipe wait.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(folder / name, flags), "rb") as file:
        status = os.fstat(file.fileno())
        _refuse_strangers(status, stat.S_ISREG)
        if status.st_size > _MAX_BYTES:
            raise ValueError("it is too large")
        return file.read()


def _refuse_strangers(status: os.stat_result, is_expected: Callable[[int], bool]) -> None:
    """Raise ValueError unless it is what it should be, ours, and nobody else may write to it."""
    if not is_expected(status.st_mode):
        raise ValueError("something else lies in its place")
    if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        raise ValueError("another user owns it or may write to it")
