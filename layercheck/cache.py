"""Facts kept between runs, by content. One file for each project, in the user's cache folder and never in the project.

A cache never changes what a run says: whatever is odd about it (cut short, of another version, of another user, no
file at all) makes it empty. It is msgpack, checked against the types of the facts, so nothing in it can be executed.
Facts decide verdicts, and without a secret no checksum can tell who wrote them: against strangers stands the owner of
the file and of its folder (on POSIX), against accidents a checksum.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from layercheck import __version__
from layercheck.facts import FORMAT, ModuleFacts

_MAGIC = b"layercheck facts\n"
_CHECK_SIZE = 16
_MAX_BYTES = 512 * 1024 * 1024
_FILE = "facts.msgpack"

_encoder = msgspec.msgpack.Encoder()
_facts_decoder = msgspec.msgpack.Decoder(ModuleFacts)


class _Stored(msgspec.Struct, array_like=True, frozen=True):
    """What the file holds behind its magic and its checksum. Facts stay encoded until somebody asks for them."""

    key: str
    entries: dict[bytes, msgspec.Raw]


_stored_decoder = msgspec.msgpack.Decoder(_Stored)


def digest(content: bytes) -> bytes:
    """The name under which the facts of a file are kept: facts are a function of its bytes and of ``version_key``."""
    return hashlib.blake2b(content, digest_size=16).digest()


def version_key() -> str:
    """What facts depend on beside a file: the versions of layercheck, of the facts and of Python, and the very code."""
    python = f"{sys.implementation.name} {sys.version}"
    return "\0".join((__version__, str(FORMAT), python, _code()))


def _code() -> str:
    """A digest of the code that makes facts, so that a changed checkout never takes the facts of an older one."""
    here = Path(__file__).parent
    state = hashlib.blake2b(digest_size=16)
    try:
        for path in (here / "facts.py", here / "names.py", *sorted((here / "extract").glob("*.py"))):
            state.update(path.read_bytes())
    except OSError:
        return ""
    return state.hexdigest()


def default_folder(root: Path, environment: Mapping[str, str]) -> Path | None:
    """Where the facts of a project are kept; None where the user has no folder for such things.

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


@dataclass(slots=True)
class Cache:
    """Facts by the digest of their file. Not for use by several threads; several processes do not harm each other."""

    folder: Path | None
    key: str
    note: str = ""
    """Why it is empty or could not be kept, where that is odd; for a run that tells more."""
    entries: dict[bytes, msgspec.Raw] = field(default_factory=dict)
    """Encoded facts; for this module's use."""
    _seen: set[bytes] = field(default_factory=set)
    _changed: bool = False

    @property
    def filled(self) -> bool:
        """Whether there is anything in it at all."""
        return bool(self.entries)

    def get(self, name: bytes) -> ModuleFacts | None:
        """The facts kept under a digest; None where there are none that are sound."""
        raw = self.entries.get(name)
        if raw is None:
            return None
        try:
            facts = _facts_decoder.decode(raw)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        if not _is_sound(facts):
            return None
        self._seen.add(name)
        return facts

    def put(self, name: bytes, facts: ModuleFacts) -> None:
        """Keep facts. What cannot be encoded is not kept."""
        try:
            raw = msgspec.Raw(_encoder.encode(facts))
        except (ValueError, TypeError, OverflowError, RecursionError):
            return
        self.entries[name] = raw
        self._seen.add(name)
        self._changed = True

    def save(self, *, whole: bool = True) -> None:
        """Write it, if anything changed. After a ``whole`` run what nobody asked for is dropped.

        The new file takes the old one's place at once; of two runs that end together the last one's stays.
        """
        if self.folder is None:
            return
        kept = {name: raw for name, raw in self.entries.items() if not whole or name in self._seen}
        if not self._changed and len(kept) == len(self.entries):
            return
        payload = _encoder.encode(_Stored(self.key, kept))
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(self.folder, _MAGIC + _checksum(payload) + payload)
        except OSError as error:
            self.note = f"the cache could not be written: {self.folder}: {error.strerror or error}"
            return
        self.entries = kept
        self._changed = False


def open_cache(root: Path) -> Cache:
    """The facts kept of a project, for the layercheck and the Python that run. Never raises."""
    return load(default_folder(root, os.environ), version_key())


def load(folder: Path | None, key: str) -> Cache:
    """The facts kept in a folder under this key; an empty cache where there are none to be trusted. Never raises.

    With None as its folder a cache keeps nothing.
    """
    cache = Cache(folder, key)
    if folder is None:
        return cache
    try:
        content = _read(folder)
    except FileNotFoundError:
        return cache
    except (OSError, ValueError) as error:
        cache.note = f"the cache is not used: {folder}: {getattr(error, 'strerror', None) or error}"
        return cache
    head = len(_MAGIC) + _CHECK_SIZE
    payload = memoryview(content)[head:]
    if content[: len(_MAGIC)] != _MAGIC or content[len(_MAGIC) : head] != _checksum(payload):
        cache.note = f"the cache is not used: {folder}: it is damaged"
        return cache
    try:
        stored = _stored_decoder.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        cache.note = f"the cache is not used: {folder}: it is not of this program"
        return cache
    if stored.key == key:
        cache.entries = stored.entries
    return cache


def _checksum(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_CHECK_SIZE).digest()


def _read(folder: Path) -> bytes:
    """The file's bytes. Raises OSError, or ValueError where somebody else may have written it."""
    _refuse_strangers(os.lstat(folder), stat.S_ISDIR)
    # O_NOFOLLOW: a link planted under this name must not make us read another file; O_NONBLOCK: nor a pipe wait.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(folder / _FILE, flags), "rb") as file:
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


def _is_sound(facts: ModuleFacts) -> bool:
    """Whether every index in the facts points at something."""
    guards, imports = len(facts.guards), len(facts.imports)
    return (
        all(-1 <= one.guard < guards for one in facts.imports)
        and all(-1 <= one.guard < guards and -1 <= one.imported < imports for one in facts.bindings)
        and _has_sound_patches(facts)
    )


def _has_sound_patches(facts: ModuleFacts) -> bool:
    codes, accesses = len(facts.patched_code), len(facts.accesses)
    return all(0 <= one.code < codes for one in facts.patches) and all(
        0 <= at < accesses for code in facts.patched_code for at in code.reads
    )


def _write(folder: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=".facts-", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).replace(folder / _FILE)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
