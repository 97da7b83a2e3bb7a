"""Facts kept between runs, by content. One file for each project.

A cache never changes what a run says: whatever is odd about it (cut short, of another version, of another user, no
file at all) makes it empty. It is msgpack, checked against the types of the facts, so nothing in it can be executed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from layercheck import kept
from layercheck.facts import FORMAT, ModuleFacts
from layercheck.kept import default_folder, made_by

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
    return f"{FORMAT}\0{made_by(_code())}"


def _code() -> Iterator[bytes]:
    """The code that makes facts, so that a changed checkout never takes the facts of an older one."""
    here = Path(__file__).parent
    for path in (here / "facts.py", here / "names.py", *sorted((here / "extract").glob("*.py"))):
        with suppress(OSError):
            yield path.read_bytes()


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
        left = {name: raw for name, raw in self.entries.items() if not whole or name in self._seen}
        if not self._changed and len(left) == len(self.entries):
            return
        payload = _encoder.encode(_Stored(self.key, left))
        try:
            kept.write(self.folder, _FILE, payload)
        except OSError as error:
            self.note = f"the cache could not be written: {self.folder}: {error.strerror or error}"
            return
        self.entries = left
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
        payload = kept.read(folder, _FILE)
    except ValueError as error:
        cache.note = f"the cache is not used: {folder}: {error}"
        return cache
    if payload is None:
        return cache
    try:
        stored = _stored_decoder.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        cache.note = f"the cache is not used: {folder}: it is not of this program"
        return cache
    if stored.key == key:
        cache.entries = stored.entries
    return cache


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
