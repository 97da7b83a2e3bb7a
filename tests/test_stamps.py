"""Stamps: whatever is done to the times of a file, it is never taken for one that holds something else."""

from __future__ import annotations

import mmap
import os
import shutil
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from layercheck.finding import Report, Stats
from layercheck.run import CheckRequest, check
from layercheck.source import stamp_of, stamps
from tests.tree import write_tree

linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all files are read")

OLD = 1_700_000_000


def state(changed: float, modified: float = OLD, device: int = 7) -> os.stat_result:
    times = {"st_mtime_ns": int(modified) * 1_000_000_000, "st_ctime_ns": int(changed) * 1_000_000_000}
    return cast("os.stat_result", SimpleNamespace(st_size=5, st_ino=11, st_dev=device, **times))


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(stamps, "_keepers", lambda: frozenset({7}))
    return time.time()


@linux
def test_a_file_that_has_long_been_as_it_is(now: float) -> None:
    assert stamp_of(state(now - 100)) == stamp_of(state(now - 100)) != ()
    assert stamp_of(state(now - 100)) != stamp_of(state(now - 101))
    assert stamp_of(state(now - 100)) != stamp_of(state(now - 100, OLD + 1))


@linux
@pytest.mark.parametrize(
    ("changed", "modified", "device"),
    [(-50, -50, 7), (-100, -50, 7), (100, -100, 7), (-100, 100, 7), (-100, -100, 8)],
    ids=["just now", "its content just now", "in the future", "its content in the future", "a file system of others"],
)
def test_where_nothing_can_be_told(now: float, changed: float, modified: float, device: int) -> None:
    assert stamp_of(state(now + changed, now + modified, device)) == ()


@linux
@pytest.mark.parametrize("seconds", [-7200, -2, 2, 7200])
def test_a_clock_that_has_been_set(now: float, seconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamp_of(state(now - 10_000))
    then = time.time_ns() + seconds * 1_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: then)
    assert stamp_of(state(now - 10_000)) not in (before, ())


@linux
def test_which_file_systems_keep_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mountinfo"
    lines = (
        b"1 0 8:1 / / rw - ext4 /dev/sda1 rw",
        b"2 1 8:2 / /stick rw shared:1 - vfat /dev/sdb rw",
        b"3 1 0:9 / /net rw - nfs4 x",
        b"4 1 0:5 / /mem rw - tmpfs none",
        b"5 1 0:77 / %s rw master:1 - btrfs x" % os.fsencode(tmp_path),
        b"odd - ext4",
    )
    table.write_bytes(b"\n".join(lines))
    monkeypatch.setattr(stamps, "Path", lambda place: table if place == "/proc/self/mountinfo" else Path(place))
    stamps._keepers.cache_clear()
    assert stamps._keepers() == {os.makedev(8, 1), os.makedev(0, 77), tmp_path.stat().st_dev}
    stamps._keepers.cache_clear()


# Whole runs ----------------------------------------------------------------------------------------------------------

TREE = """
# file: pkg/__init__.py
# file: pkg/a.py
x = 1
# file: pkg/b.py
from pkg.a import x
# file: other/__init__.py
# file: other/a.py
y = 1
"""


def in_place(root: Path) -> None:
    with (root / "pkg" / "a.py").open("r+b") as file:
        file.write(b"y")


def by_name(root: Path) -> None:
    other = root / "pkg" / "new"
    other.write_bytes(b"y = 1\n")
    shutil.copystat(root / "pkg" / "a.py", other)
    other.replace(root / "pkg" / "a.py")


def by_hard_link(root: Path) -> None:
    os.link(root / "pkg" / "a.py", root.parent / "outside.py")
    with (root.parent / "outside.py").open("r+b") as file:
        file.write(b"y")


def by_memory(root: Path) -> None:
    with (root / "pkg" / "a.py").open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0:1] = b"y"


def by_folders(root: Path) -> None:
    (root / "pkg").rename(root / "p")
    (root / "other").rename(root / "pkg")
    shutil.copy2(root / "p" / "b.py", root / "pkg" / "b.py")
    (root / "p" / "b.py").unlink()
    (root / "p").rename(root / "other")


def by_link(root: Path) -> None:
    (root / "pkg" / "a.py").unlink()
    (root / "pkg" / "a.py").symlink_to("../other/a.py")


def by_same_name(root: Path) -> None:
    (root / "pkg" / "a.py").unlink()
    (root / "pkg" / "a.py").write_bytes(b"y = 1\n")


def by_content(root: Path) -> None:
    status = (root / "other" / "a.py").stat()
    (root / "pkg" / "a.py").write_bytes((root / "other" / "a.py").read_bytes())
    os.utime(root / "pkg" / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))


WAYS = (in_place, by_name, by_hard_link, by_memory, by_folders, by_link, by_same_name, by_content)


def said(root: Path, *, cache: bool = True) -> Report:
    return msgspec.structs.replace(
        check(CheckRequest(root, jobs=1, cache=cache, today=date(2026, 6, 1))), stats=Stats()
    )


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path / "cache"))
    root = write_tree(tmp_path / "project", TREE)
    for path in root.rglob("*.py"):
        os.utime(path, (OLD, OLD))
    return root


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX links")
@pytest.mark.parametrize("settled", [0, 60])
@pytest.mark.parametrize("change", WAYS)
def test_as_many_bytes_and_the_same_times(
    root: Path, change: Callable[[Path], None], settled: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "_SETTLED", settled)
    before = said(root)
    assert said(root) == before == said(root, cache=False)
    assert not before.findings
    change(root)
    for path in root.rglob("*.py"):
        os.utime(path, (OLD, OLD))
    after = said(root)
    assert [finding.check for finding in after.findings] == ["broken-imports"]
    assert after == said(root, cache=False)


def test_memory_that_is_written_again_while_it_is_mapped(root: Path) -> None:
    with (root / "pkg" / "a.py").open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        for letter, findings in ((b"x", 0), (b"y", 1), (b"x", 0), (b"z", 1)):
            memory[0:1] = letter
            assert len(said(root).findings) == findings
