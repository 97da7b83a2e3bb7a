"""The fetcher of releases: what it refuses, and that a release is there whole or not at all."""

from __future__ import annotations

import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests import corpus


def _wheel(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("name", ["../outside.py", "a/../../outside.py", "/outside.py", "C:/outside.py", "a\\..\\b.py"])
def test_a_path_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    archive = _wheel(tmp_path / "a.whl", {name: "x = 1\n"})
    (tmp_path / "to").mkdir()
    with pytest.raises(ValueError, match="outside"):
        corpus.unpack(archive, tmp_path / "to")
    assert not (tmp_path / "outside.py").exists()


def test_links_in_a_source_distribution_are_left_out(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    with tarfile.open(archive, "w:gz") as opened:
        link = tarfile.TarInfo("a/link.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hosts"
        opened.addfile(link)
        plain = tarfile.TarInfo("a/plain.py")
        plain.size = 6
        opened.addfile(plain, io.BytesIO(b"x = 1\n"))
    corpus.unpack(archive, tmp_path / "to")
    assert [path.relative_to(tmp_path / "to").as_posix() for path in (tmp_path / "to").rglob("*.py")] == ["a/plain.py"]


def test_a_release_that_cannot_be_had_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAYERCHECK_CORPUS", str(tmp_path / "kept"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    with pytest.raises(corpus.UnavailableError, match=r"^demo==1\.0: pip download failed: ERROR"):
        corpus.release("demo", "1.0")
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_release_is_downloaded_once_and_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tmp_path / "index"
    found.mkdir()
    tag = "cp311-cp311-manylinux_2_34_x86_64"
    wheel = {
        "demo/__init__.py": "",
        "demo-1.0.dist-info/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n",
        "demo-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n",
        "demo-1.0.dist-info/RECORD": "",
    }
    archive = _wheel(found / f"demo-1.0-{tag}.whl", wheel)
    monkeypatch.setenv("LAYERCHECK_CORPUS", str(tmp_path / "kept"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(found))
    first = corpus.release("demo", "1.0")
    assert (first / "demo" / "__init__.py").is_file()
    archive.unlink()
    assert corpus.release("demo", "1.0") == first
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["demo-1.0"]


def test_a_copy_can_be_changed_without_its_original(tmp_path: Path) -> None:
    original = tmp_path / "tree" / "a.py"
    original.parent.mkdir()
    original.write_text("x = 1\n", encoding=sys.getdefaultencoding())
    corpus.replace(corpus.copy(tmp_path / "tree", tmp_path / "copy") / "a.py", "x = 2\n")
    assert original.read_text(encoding="utf-8") == "x = 1\n"
    assert (tmp_path / "copy" / "a.py").read_text(encoding="utf-8") == "x = 2\n"
