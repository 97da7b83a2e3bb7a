"""Real releases as test input: downloads a pinned release and unpacks it outside the tree. Nothing of it is run.

The folder is ``$LAYERCHECK_CORPUS``, else ``layercheck-corpus`` in the user's cache folder; it may be deleted at any
time. Downloads go through ``pip download``, with whatever index pip is configured for.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_PLATFORMS = ("manylinux_2_34_x86_64", "manylinux_2_28_x86_64", "manylinux2014_x86_64", "any")
_ABIS = ("abi3", "none")
_PYTHON = "3.11"
_NEWER = {"django": "3.12"}
"""The CPython whose wheel is taken; of those that the first has none of, another one."""
_DOWNLOAD_SECONDS = 600


class UnavailableError(Exception):
    """A release could not be had; the message says which and why. Tests skip with it."""


def folder() -> Path:
    """Where releases are kept."""
    own = os.environ.get("LAYERCHECK_CORPUS")
    if own:
        return Path(own)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "layercheck-corpus"


def release(name: str, version: str) -> Path:
    """The folder into which the wheel of a release is unpacked.

    The wheel is the one for one CPython on Linux, whatever Python and machine this runs on, so that the input is
    everywhere the same. Raises UnavailableError.
    """
    python = _NEWER.get(name, _PYTHON)
    abi = "cp" + python.replace(".", "")
    options = ["--only-binary", ":all:", "--python-version", python, "--implementation", "cp"]
    for platform in _PLATFORMS:
        options += ["--platform", platform]
    for each in (abi, *_ABIS):
        options += ["--abi", each]
    return _kept(f"{name}-{version}", name, version, options)


def sdist(name: str, version: str) -> Path:
    """The folder into which the source distribution of a release is unpacked. Raises UnavailableError.

    pip asks a source distribution's build backend for its metadata, in an environment of its own.
    """
    return _kept(f"{name}-{version}.sdist", name, version, ["--no-binary", name])


def _kept(key: str, name: str, version: str, options: list[str]) -> Path:
    """The folder ``key``, made if it is not there: whole or not at all, also when two processes make it at once."""
    target = folder() / key
    if target.is_dir():
        return target
    folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder(), prefix=".making-") as scratch:
        archive = _download(f"{name}=={version}", options, Path(scratch) / "download")
        unpacked = Path(scratch) / "unpacked"
        unpacked.mkdir()
        unpack(archive, unpacked)
        try:
            unpacked.rename(target)
        except OSError:
            if not target.is_dir():  # another process was first: its copy is as good
                raise
    return target


def _download(requirement: str, options: list[str], to: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    command += ["--dest", str(to), *options, requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UnavailableError(f"{requirement}: pip download took more than {_DOWNLOAD_SECONDS} s") from None
    archives = sorted(to.glob("*")) if to.is_dir() else []
    if done.returncode or len(archives) != 1:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise UnavailableError(f"{requirement}: pip download failed: {lines[-1] if lines else 'it says nothing'}")
    return archives[0]


def unpack(archive: Path, to: Path) -> None:
    """Unpack a wheel or a source distribution: plain files and folders only, and none outside ``to``.

    Raises ValueError for an archive with a path that leads outside.
    """
    if archive.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if not info.is_dir() and not stat.S_ISLNK(info.external_attr >> 16):
                    _write(to, info.filename, opened.read(info))
        return
    with tarfile.open(archive) as opened_tar:
        for member in opened_tar:
            stream = opened_tar.extractfile(member) if member.isfile() else None
            if stream is not None:
                _write(to, member.name, stream.read())


def _write(to: Path, name: str, content: bytes) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:|.*\\", name):
        raise ValueError(f"{name!r} would be unpacked outside {to}")
    target = to / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def copy(tree: Path, to: Path) -> Path:
    """A copy of a tree that costs little: files are hard links where the file system allows it.

    A file of the copy must be replaced, never written to: see ``replace``.
    """
    shutil.copytree(tree, to, copy_function=_link)
    return to


def _link(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
    return target


def replace(path: Path, text: str) -> None:
    """Write a file of a copy without touching the original that it may share its bytes with."""
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def folders_without_init(tree: Path) -> Iterator[Path]:
    """The folders below ``tree`` that hold Python files, or folders that do, and no ``__init__.py``."""
    for path in sorted(tree.rglob("*")):
        if path.is_dir() and not (path / "__init__.py").exists() and next(path.rglob("*.py"), None):
            yield path
