"""Faults: disks that are full, folders that cannot be written, runs that are killed or go on at once. The next run is
right, and says what one without a cache says."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from layercheck import kept, writing
from layercheck.cache import load, version_key
from layercheck.cli import cli
from layercheck.errors import LayercheckError
from layercheck.facts import ModuleFacts
from layercheck.source import disk, read_file
from layercheck.writing import replace_files
from tests.tree import write_tree

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals and permissions")

TREE = """
# file: pkg/__init__.py
# file: pkg/base.py
import os
def pay(): ...
# file: pkg/till.py
from pkg.base import pay, gone
import pkg.base
# file: pkg/bank.py
import sys
from pkg.till import nothing
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "project", TREE)


def command(root: Path, *arguments: str | Path) -> list[str]:
    return [str(Path(sys.executable).with_name("layercheck")), "check", str(root), *map(str, arguments)]


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "LAYERCHECK_CACHE_DIR": str(cache)}


def report(root: Path, cache: Path, *arguments: str) -> dict[str, Any]:
    """What a run says, without what every run says differently."""
    run = subprocess.run(
        command(root, "--format", "json", *arguments),
        env=environment(cache),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    said: dict[str, Any] = json.loads(run.stdout)
    said["stats"].pop("seconds")
    said["stats"].pop("cached")
    return said


# A full disk, and folders that cannot be written -------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=0700", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a file system cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> None:
    """Leave no room."""
    with (place / "filler").open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            return


@posix
def test_a_full_disk_under_the_cache(root: Path, small: Path) -> None:
    without = report(root, small, "--no-cache")["findings"]
    fill(small)
    assert report(root, small)["findings"] == report(root, small)["findings"] == without
    run = subprocess.run(command(root, "-v"), env=environment(small), capture_output=True, text=True, check=False)
    assert "the cache could not be written" in run.stdout
    assert "No space left" in run.stdout
    assert [path.name for path in small.rglob("*") if path.is_file()] == ["filler"]


@posix
def test_a_full_disk_under_the_output(root: Path, small: Path) -> None:
    fill(small)
    run = subprocess.run(
        command(root, "--no-cache", "--format", "json", "--output", small / "out"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr == f"layercheck: --output: {small / 'out'} cannot be written: No space left on device\n"


@posix
def test_a_full_disk_under_the_code(small: Path, tmp_path: Path) -> None:
    root = write_tree(small / "project", TREE)
    before = {path: path.read_bytes() for path in root.rglob("*.py")}
    fill(small)
    run = subprocess.run(command(root, "--fix"), env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "No space left on device; nothing was written" in run.stderr
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


@posix
def test_a_full_disk_under_a_baseline(root: Path, small: Path) -> None:
    baseline = small / "known.jsonl"
    arguments = ["baseline", "write", str(root), "--baseline", str(baseline), "--no-cache"]
    cli.main(arguments, standalone_mode=False)
    before = baseline.read_bytes()
    (root / "pkg" / "new.py").write_text("".join(f"import pkg.gone{number}\n" for number in range(500)))
    fill(small)
    with pytest.raises(LayercheckError, match="No space left"):
        cli.main(arguments, standalone_mode=False)
    assert baseline.read_bytes() == before
    assert sorted(path.name for path in small.iterdir()) == ["filler", "known.jsonl"]


def test_a_disk_that_is_full_half_way(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of two files cannot be written: the first is as it was."""
    made: list[Path] = []
    write_beside = writing._write_beside

    def full(path: Path, content: bytes, like: os.stat_result | None) -> Path:
        if made:
            raise OSError(28, "No space left on device")
        made.append(write_beside(path, content, like))
        return made[-1]

    monkeypatch.setattr(writing, "_write_beside", full)
    before = {path: path.read_bytes() for path in root.rglob("*.py")}
    changes = {path.relative_to(root).as_posix(): (content, b"x = 1\n") for path, content in before.items()}
    with pytest.raises(LayercheckError, match="nothing was written"):
        replace_files(root, changes)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


@posix
@pytest.mark.parametrize("kind", ["of another user", "a link", "open to all", "a file"])
def test_a_cache_folder_that_is_not_to_be_trusted_is_left_alone(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    if kind == "of another user":
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    elif kind == "a link":
        (tmp_path / "link").symlink_to(folder)
    elif kind == "open to all":
        folder.chmod(0o777)
    else:
        (tmp_path / "file").touch()
    place = {"a link": tmp_path / "link", "a file": tmp_path / "file"}.get(kind, folder)
    with pytest.raises(OSError, match=r"own|place|exists"):
        kept.write(place, "facts.msgpack", b"x")
    assert not list(folder.iterdir())


@posix
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_a_read_only_cache_folder(root: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o500)
    assert report(root, tmp_path / "cache") == report(root, tmp_path / "cache", "--no-cache")


def test_a_cache_folder_on_which_nothing_can_be_done(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **keywords: object) -> NoReturn:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    cache = load(tmp_path / "cache", "key")
    cache.put(b"x", ModuleFacts(lines=1))
    cache.save()
    assert "Read-only file system" in cache.note


# Killed at any moment ------------------------------------------------------------------------------------------------

KILLS = int(os.environ.get("LAYERCHECK_KILLS", "8"))


@posix
def test_runs_that_are_killed(root: Path, tmp_path: Path) -> None:
    """Killed while reading, while keeping and while mending: no file is half written, and the next run is right."""
    cache = tmp_path / "cache"
    allowed: dict[str, set[bytes]] = {path.name: {path.read_bytes()} for path in root.rglob("*.py")}
    mended = write_tree(tmp_path / "mended", TREE)
    start = time.monotonic()
    subprocess.run(command(mended, "--fix"), env=environment(tmp_path / "other"), capture_output=True, check=False)
    usual = time.monotonic() - start
    for path in mended.rglob("*.py"):
        allowed[path.name].add(path.read_bytes())
    for number in range(KILLS):
        for path in root.rglob("*"):
            if path.is_file():
                path.unlink()
        write_tree(root, TREE)
        if number % 3 == 0:
            shutil.rmtree(cache, ignore_errors=True)
        arguments = ("--fix",) if number % 2 else ()
        run = subprocess.Popen(
            command(root, *arguments), env=environment(cache), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # Mostly towards the end, where files are written.
        time.sleep(usual * (0.3 + 0.8 * (number + 0.5) / KILLS))
        run.send_signal(signal.SIGKILL)
        run.wait()
        for path in root.rglob("*.py"):
            if not path.name.startswith("."):
                assert path.read_bytes() in allowed[path.name], number
        assert {path.name for path in root.rglob("*.py") if not path.name.startswith(".")} == set(allowed)
        assert report(root, cache) == report(root, cache) == report(root, cache, "--no-cache"), number


# Several at once, and code that changes meanwhile -------------------------------------------------------------------


@posix
@pytest.mark.parametrize("runs", [2, 4, 8])
def test_runs_at_once_on_one_cache(root: Path, tmp_path: Path, runs: int) -> None:
    cache = tmp_path / "cache"
    others = [
        subprocess.Popen(
            command(root, "--format", "json"), env=environment(cache), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(runs)
    ]
    said = []
    for run in others:
        output, complaint = run.communicate(timeout=60)
        assert (run.returncode, complaint) == (1, b"")
        said.append(json.loads(output)["findings"])
    expected = report(root, cache, "--no-cache")
    assert all(findings == expected["findings"] for findings in said)
    assert report(root, cache) == expected
    assert not [path for path in cache.rglob(".*") if path.is_file()]


@posix
def test_code_that_changes_while_it_is_read(root: Path, tmp_path: Path) -> None:
    """Deleted, changed, replaced by a folder or a link, made unreadable: no traceback, and the next run is right."""
    cache = tmp_path / "cache"
    target = root / "pkg" / "till.py"
    run = subprocess.Popen(
        command(root, "--format", "json"), env=environment(cache), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    states = 0
    while run.poll() is None:
        if target.is_dir() and not target.is_symlink():
            target.rmdir()
        else:
            target.unlink(missing_ok=True)
        match states % 5:
            case 0:
                target.write_text("import pkg.base\n")
            case 1:
                target.mkdir()
            case 2:
                target.symlink_to("/etc/passwd")
            case 3:
                target.write_text("import pkg.gone\n")
                target.chmod(0)
        states += 1
    output, complaint = run.communicate()
    assert run.returncode in (0, 1), complaint
    assert complaint == b""
    assert json.loads(output)
    assert states > 1
    if target.is_dir() and not target.is_symlink():
        target.rmdir()
    target.unlink(missing_ok=True)
    write_tree(root, TREE)
    assert report(root, cache) == report(root, cache, "--no-cache")


def test_a_file_that_grows_while_it_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_BYTES", 100)
    read = os.read

    def growing(descriptor: int, size: int) -> bytes:
        with (root / "pkg" / "base.py").open("ab") as file:
            file.write(b"# more\n" * 10)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", growing)
    file = read_file(root, "pkg/base.py")
    assert file.content is None
    assert "larger than" in file.error


# A cache of others --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["another Python", "another layercheck"])
def test_a_cache_made_by_another(tmp_path: Path, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = version_key()
    with monkeypatch.context() as patch:
        if other == "another Python":
            patch.setattr("sys.version", "3.99.0 (main)")
        else:
            patch.setattr(kept, "__version__", "99.0")
        theirs = version_key()
        cache = load(tmp_path / "cache", theirs)
        cache.put(b"x", ModuleFacts(lines=1))
        cache.save()
    assert ours != theirs
    assert not load(tmp_path / "cache", ours).filled
    assert load(tmp_path / "cache", theirs).filled
