"""Files replaced all at once or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from layercheck.errors import LayercheckError
from layercheck.writing import replace_files, unwritable

OLD, NEW = b"old\r\n", b"new\xff"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_bytes(OLD)
    return tmp_path


def test_every_file_is_replaced_and_keeps_its_mode(folder: Path) -> None:
    (folder / "a.py").chmod(0o755)
    (folder / "b.py").chmod(0o640)
    replace_files(folder, {"a.py": (OLD, NEW), "b.py": (OLD, NEW)})
    assert files(folder) == {"a.py": NEW, "b.py": NEW}
    assert [(folder / name).stat().st_mode & 0o777 for name in ("a.py", "b.py")] == [0o755, 0o640]


def read_only(path: Path) -> None:
    path.chmod(0o444)


def link(path: Path) -> None:
    path.rename(path.with_name("real.py"))
    path.symlink_to("real.py")


def change(path: Path) -> None:
    path.write_bytes(OLD + b"more")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (read_only, "b.py: it is read-only; nothing was written"),
        (link, "b.py: it is a link; change the file that it leads to; nothing was written"),
        (change, "b.py: it has changed since it was read; run again; nothing was written"),
        (Path.unlink, "b.py: it cannot be looked at: No such file or directory; nothing was written"),
    ],
    ids=["read-only", "link", "changed", "gone"],
)
def test_one_that_cannot_be_replaced_keeps_all_as_they_were(folder: Path, spoil: object, why: str) -> None:
    assert callable(spoil)
    spoil(folder / "b.py")
    before = files(folder)
    with pytest.raises(LayercheckError) as raised:
        replace_files(folder, {"a.py": (OLD, NEW), "b.py": (OLD, NEW)})
    assert raised.value.lines == (why,)
    assert files(folder) == before


def test_all_that_is_in_the_way_is_said_at_once(folder: Path) -> None:
    for name in ("a.py", "b.py"):
        (folder / name).chmod(0o444)
    with pytest.raises(LayercheckError) as raised:
        replace_files(folder, {"a.py": (OLD, NEW), "b.py": (OLD, NEW)})
    assert len(raised.value.lines) == 2


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_half_way_puts_back_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    owner, name = (os, "fsync") if step == "fsync" else (Path, "replace")
    real, calls = getattr(owner, name), []

    def fails_once(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(*arguments)

    monkeypatch.setattr(owner, name, fails_once)
    with pytest.raises(LayercheckError, match=r"b\.py: it cannot be written: No space left on device; nothing was"):
        replace_files(folder, {"a.py": (OLD, NEW), "b.py": (OLD, NEW)})
    assert files(folder) == {"a.py": OLD, "b.py": OLD}


def test_what_can_be_written_is_said_to_be(folder: Path) -> None:
    assert unwritable(folder, "a.py") == ""
