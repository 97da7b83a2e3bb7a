"""Cache: whatever lies where the cache should be, a run says the same."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck import cache as cache_module
from layercheck import kept
from layercheck.cache import Cache, digest, load, open_cache, version_key
from layercheck.facts import Binding, Guard, Import, ModuleFacts, ParseFailure, Span
from layercheck.kept import default_folder

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")

SPAN = Span(1, 2, 3, 4)
FACTS = ModuleFacts(
    lines=3,
    imports=(Import(SPAN, SPAN, "a.b", 1, "c", "d", True, "module", 0, "typing", ("optional", "star"), 0, False),),
    bindings=(Binding("d", SPAN, "import", -1, True, 0),),
    uses=("x", "\u00e9"),
    guards=(Guard("not", "", (Guard("name", "t.TYPE_CHECKING"),)),),
)
OTHER = ModuleFacts(failure=ParseFailure("does not parse", 1, 1))
ONE, TWO = digest(b"one"), digest(b"two")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a cache that holds ``FACTS`` as ``ONE``."""
    cache = load(tmp_path / "cache", "key")
    cache.put(ONE, FACTS)
    cache.save()
    return tmp_path / "cache"


def stored(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_facts_come_back(folder: Path) -> None:
    cache = load(folder, "key")
    assert cache.filled
    assert cache.get(ONE) == FACTS
    assert cache.get(TWO) is None
    assert cache.note == ""


def test_content_decides() -> None:
    assert digest(b"a") == digest(b"a") != digest(b"b")


def test_an_empty_cache(tmp_path: Path) -> None:
    cache = load(tmp_path / "absent", "key")
    assert not cache.filled
    assert cache.get(ONE) is None
    assert cache.note == ""
    assert not (tmp_path / "absent").exists()


def test_no_folder_keeps_nothing() -> None:
    cache = load(None, "key")
    cache.put(ONE, FACTS)
    cache.save()
    assert cache.get(ONE) == FACTS


def test_another_key_is_another_cache(folder: Path) -> None:
    cache = load(folder, "other key")
    assert not cache.filled
    cache.put(TWO, OTHER)
    cache.save()
    assert load(folder, "key").get(ONE) is None
    assert load(folder, "other key").get(TWO) == OTHER


def test_after_a_whole_run_only_what_was_asked_for_stays(folder: Path) -> None:
    cache = load(folder, "key")
    cache.put(TWO, OTHER)
    cache.save(whole=False)
    cache = load(folder, "key")
    assert (cache.get(ONE), cache.get(TWO)) == (FACTS, OTHER)
    cache = load(folder, "key")
    cache.get(TWO)
    cache.save()
    cache = load(folder, "key")
    assert (cache.get(ONE), cache.get(TWO)) == (None, OTHER)


def test_nothing_is_written_where_nothing_changed(folder: Path) -> None:
    before = stored(folder).stat().st_ino
    cache = load(folder, "key")
    cache.get(ONE)
    cache.save()
    assert stored(folder).stat().st_ino == before


def test_every_cut_and_every_flipped_bit_is_noticed(folder: Path) -> None:
    content = stored(folder).read_bytes()
    for size in range(len(content)):
        stored(folder).write_bytes(content[:size])
        assert not load(folder, "key").filled, size
    for index in range(len(content)):
        stored(folder).write_bytes(content[:index] + bytes([content[index] ^ 1]) + content[index + 1 :])
        cache = load(folder, "key")
        assert not cache.filled, index
        assert "damaged" in cache.note
    stored(folder).write_bytes(content + b"\0")
    assert not load(folder, "key").filled


def forge(folder: Path, payload: bytes) -> None:
    """Write a file with a right checksum."""
    stored(folder).write_bytes(kept.MAGIC + kept.checksum(payload) + payload)


ODD = [
    b"",
    b"\xc1",
    msgspec.msgpack.encode(None),
    msgspec.msgpack.encode(["key"]),
    msgspec.msgpack.encode(["key", []]),
    msgspec.msgpack.encode(["key", {"text": 1}]),
    msgspec.msgpack.encode([1, {ONE: 1}]),
    b"\x91" * 100_000,
]


@pytest.mark.parametrize("payload", ODD, ids=range(len(ODD)))
def test_a_file_of_other_types_is_not_trusted(folder: Path, payload: bytes) -> None:
    forge(folder, payload)
    cache = load(folder, "key")
    assert cache.get(ONE) is None
    cache.put(ONE, FACTS)
    cache.save()
    assert load(folder, "key").get(ONE) == FACTS


def swapped(facts: ModuleFacts, **changes: object) -> list[object]:
    values = [getattr(facts, name) for name in facts.__struct_fields__]
    for name, value in changes.items():
        values[facts.__struct_fields__.index(name)] = value
    return values


@pytest.mark.parametrize(
    "entry",
    [
        None,
        "text",
        [1, 2, 3],
        swapped(FACTS, lines="three"),
        swapped(FACTS, uses=[1]),
        swapped(FACTS, guards=[]),
        swapped(FACTS, imports=[]),
        swapped(FACTS, bindings=[["d", [1, 2, 3, 4], "import", -1, True, -2]]),
        swapped(FACTS, bindings=[["d", [1, 2, 3, 4], "import", 7, True]]),
    ],
)
def test_facts_of_other_types_or_with_loose_ends_are_not_trusted(folder: Path, entry: object) -> None:
    forge(folder, msgspec.msgpack.encode(["key", {ONE: entry}]))
    cache = load(folder, "key")
    assert cache.filled
    assert cache.get(ONE) is None


@given(st.binary(max_size=200), st.booleans())
@settings(deadline=None)
def test_no_bytes_do_harm(content: bytes, signed: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        load(folder, "key").save()
        cache = load(folder, "key")
        cache.put(ONE, FACTS)
        cache.save()
        if signed:
            forge(folder, content)
        else:
            stored(folder).write_bytes(content)
        assert load(folder, "key").get(ONE) is None


# Other users and odd places -------------------------------------------------------------------------------------------


@posix
def test_only_the_owner_may_read_and_write(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert stored(folder).stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("mode", [0o660, 0o602])
def test_a_file_that_others_may_write_is_not_trusted(folder: Path, mode: int) -> None:
    stored(folder).chmod(mode)
    cache = load(folder, "key")
    assert not cache.filled
    assert "another user" in cache.note


@posix
def test_a_folder_that_others_may_write_is_not_trusted(folder: Path) -> None:
    folder.chmod(0o777)
    assert not load(folder, "key").filled
    folder.chmod(0o755)
    assert load(folder, "key").filled


@posix
def test_the_file_of_another_user_is_not_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    cache = load(folder, "key")
    assert not cache.filled
    assert "another user" in cache.note


@posix
def test_a_planted_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    stored(folder).rename(target)
    (folder / "facts.msgpack").symlink_to(target)
    content = target.read_bytes()
    cache = load(folder, "key")
    assert not cache.filled
    cache.put(TWO, OTHER)
    cache.save()
    assert target.read_bytes() == content
    assert load(folder, "key").get(TWO) == OTHER


@posix
def test_a_folder_that_is_a_link_is_not_trusted(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    assert not load(tmp_path / "link", "key").filled


@posix
def test_a_pipe_does_not_block(folder: Path) -> None:
    stored(folder).unlink()
    os.mkfifo(folder / "facts.msgpack", 0o600)
    assert "something else" in load(folder, "key").note


def test_a_folder_where_the_file_should_be(folder: Path) -> None:
    stored(folder).unlink()
    (folder / "facts.msgpack").mkdir(mode=0o700)
    cache = load(folder, "key")
    assert not cache.filled
    cache.put(ONE, FACTS)
    cache.save()
    assert "could not be written" in cache.note
    assert [path.name for path in folder.iterdir()] == ["facts.msgpack"]


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    cache = load(tmp_path / "cache" / "deeper", "key")
    cache.put(ONE, FACTS)
    cache.save()
    assert "could not be written" in cache.note


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object, **keywords: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    cache = load(folder, "key")
    cache.put(TWO, OTHER)
    monkeypatch.setattr(Path, "replace", full)
    cache.save()
    assert "No space left" in cache.note
    assert [path.name for path in folder.iterdir()] == ["facts.msgpack"]
    assert load(folder, "key").get(ONE) == FACTS


def test_what_killed_runs_have_left_goes(folder: Path) -> None:
    for name, age in ((".facts.msgpack-old", 7200), (".facts.msgpack-new", 60)):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age,) * 2)
    cache = load(folder, "key")
    cache.put(TWO, OTHER)
    cache.save()
    assert sorted(path.name for path in folder.iterdir()) == [".facts.msgpack-new", "facts.msgpack"]


def test_two_runs_at_once(folder: Path) -> None:
    caches = [load(folder, "key"), load(folder, "key")]
    for cache, name in zip(caches, (ONE, TWO), strict=True):
        cache.put(name, OTHER)
    for cache in caches:
        cache.save()
    assert load(folder, "key").get(TWO) == OTHER
    assert len(list(folder.iterdir())) == 1


def test_what_cannot_be_encoded_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "key")
    cache.put(ONE, ModuleFacts(uses=("\udce9",)))
    cache.put(TWO, FACTS)
    cache.save()
    assert load(tmp_path, "key").get(TWO) == FACTS
    assert load(tmp_path, "key").get(ONE) is None


# Place and key --------------------------------------------------------------------------------------------------------


@posix
def test_where_it_lies(tmp_path: Path) -> None:
    def of(**environment: str) -> Path | None:
        folder = default_folder(tmp_path, environment)
        return folder and folder.parent

    assert of(HOME="/home/me") == Path("/home/me/.cache/layercheck")
    assert of(HOME="/home/me", XDG_CACHE_HOME="/var/c") == Path("/var/c/layercheck")
    assert of(HOME="/home/me", XDG_CACHE_HOME="relative") == Path("/home/me/.cache/layercheck")
    assert of(HOME="/home/me", LAYERCHECK_CACHE_DIR="/mine") == Path("/mine")
    assert of() is None
    names = {default_folder(root, {"HOME": "/home/me"}) for root in (tmp_path, tmp_path / "a", tmp_path / "a" / "..")}
    assert len(names) == 2


def test_a_project_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path / "caches"))
    cache = open_cache(tmp_path / "project")
    cache.put(ONE, FACTS)
    cache.save()
    assert open_cache(tmp_path / "project").get(ONE) == FACTS
    assert not open_cache(tmp_path / "other").filled
    monkeypatch.setattr(cache_module, "FORMAT", -1)
    assert not open_cache(tmp_path / "project").filled


def test_the_key_changes_with_all_that_facts_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {version_key()}
    for owner, name, value in (
        (kept, "__version__", "x"),
        (cache_module, "FORMAT", -1),
        (cache_module, "_code", lambda: [b"x"]),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            keys.add(version_key())
    with monkeypatch.context() as patch:
        patch.setattr("sys.version", "2.7")
        keys.add(version_key())
    assert len(keys) == 5
    assert version_key() in keys
