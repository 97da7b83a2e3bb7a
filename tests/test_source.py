"""Source: real folders with everything that a file system can hold, and git beside them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.layout import Layout, ProjectSettings
from layercheck.source import disk, read_file
from layercheck.source.folder import list_files

DEFAULT = ProjectSettings()
posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")


def grow(root: Path, *paths: str) -> Path:
    """Make empty files."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return root


def modules(layout: Layout) -> set[str]:
    return {placed.module for placed in layout.placed if placed.module}


def unread(layout: Layout) -> dict[str, str]:
    return {one.module: one.why for one in layout.unread}


def paths(layout: Layout) -> list[str]:
    return [placed.path for placed in layout.placed]


def read(root: Path, settings: ProjectSettings) -> tuple[Layout, Iterator[SourceFile]]:
    """The layout of a folder, and its files, each read when it is asked for."""
    layout = list_files(root, settings)
    return layout, (read_file(root, path) for path in paths(layout))


# Listing --------------------------------------------------------------------------------------------------------------


def test_a_folder_is_listed_and_placed(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/__init__.py", "pkg/a.py", "tests/test_a.py", "setup.py", "README.md", "pkg/data.json")
    layout = list_files(tmp_path, DEFAULT)
    assert paths(layout) == ["pkg/__init__.py", "pkg/a.py", "setup.py", "tests/test_a.py"]
    assert modules(layout) == {"pkg", "pkg.a"}


def test_project_files_are_read(tmp_path: Path) -> None:
    grow(tmp_path, "lib/pkg/__init__.py")
    (tmp_path / "pyproject.toml").write_bytes(b"\xef\xbb\xbf[project]\n[tool.pdm.build]\npackage-dir = 'lib'\n")
    assert list_files(tmp_path, DEFAULT).roots == ("lib",)
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe not TOML")
    assert modules(list_files(tmp_path, DEFAULT)) == {"lib.pkg"}


def test_skipped_folders_are_not_even_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "pkg/__init__.py", "venv/pyvenv.cfg", "venv/lib/x.py", "node_modules/y.py", ".tox/z.py", "gone/q.py")
    listed: list[str] = []
    scan = os.scandir

    def spy(path: str) -> object:
        listed.append(Path(path).relative_to(tmp_path).as_posix())
        return scan(path)

    monkeypatch.setattr(os, "scandir", spy)
    layout = list_files(tmp_path, ProjectSettings(exclude=("gone",)))
    assert sorted(listed) == [".", "pkg", "venv"]
    assert paths(layout) == ["pkg/__init__.py"]
    assert unread(layout) == {"gone": "excluded"}
    assert layout.unmatched == ()


def test_a_root_that_is_no_folder_is_an_error(tmp_path: Path) -> None:
    grow(tmp_path, "file.py")
    with pytest.raises(LayercheckError, match="does not exist"):
        list_files(tmp_path / "absent", DEFAULT)
    with pytest.raises(LayercheckError, match="is not a folder"):
        list_files(tmp_path / "file.py", DEFAULT)


def test_a_root_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(LayercheckError, match=r"cannot be listed: Permission denied"):
        list_files(tmp_path, DEFAULT)


def refuse(*arguments: object, **keywords: object) -> NoReturn:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize(
    ("root", "name"),
    [
        ("outer/pkg", "outer.pkg.mod"),
        ("outer", "outer.pkg.mod"),
        ("outer/bare", "outer.bare.mod"),
        (".", "outer.pkg.mod"),
        ("project", "mod"),
        ("a-b", "mod"),
        ("outer/pkg/nested", "mod"),
    ],
)
def test_a_root_inside_a_package_keeps_its_names(tmp_path: Path, root: str, name: str) -> None:
    grow(tmp_path, "outer/__init__.py", "outer/pkg/__init__.py", "outer/pkg/mod.py", "outer/bare/mod.py")
    grow(tmp_path, "project/__init__.py", "project/pyproject.toml", "project/mod.py", "a-b/__init__.py", "a-b/mod.py")
    grow(tmp_path, "outer/pkg/nested/mod.py", "outer/pkg/nested/setup.py")
    assert name in modules(list_files(tmp_path / root, DEFAULT))


def test_a_relative_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "pkg/__init__.py", "pkg/mod.py")
    monkeypatch.chdir(tmp_path / "pkg")
    assert modules(list_files(Path(), DEFAULT)) == {"pkg", "pkg.mod"}
    assert modules(list_files(Path(".."), DEFAULT)) == {"pkg", "pkg.mod"}


# Odd files ------------------------------------------------------------------------------------------------------------


@posix
def test_links(tmp_path: Path) -> None:
    outside = grow(tmp_path / "outside", "secret.py", "folder/x.py")
    root = grow(tmp_path / "root", "pkg/__init__.py", "pkg/real.py", "pkg/sub/__init__.py")
    (root / "pkg/inside.py").symlink_to("real.py")
    (root / "pkg/leak.py").symlink_to(outside / "secret.py")
    (root / "pkg/dangling.py").symlink_to("absent.py")
    (root / "pkg/round.py").symlink_to("round.py")
    (root / "pkg/folder").symlink_to(outside / "folder")
    (root / "pkg/sub/loop").symlink_to(root / "pkg")
    (root / "pkg/dangling.txt").symlink_to("absent.txt")
    layout, files = read(root, DEFAULT)
    assert unread(layout) == dict.fromkeys(("pkg.leak", "pkg.folder", "pkg.sub.loop"), "behind a link")
    assert modules(layout) == {"pkg", "pkg.real", "pkg.sub", "pkg.inside", "pkg.dangling", "pkg.round"}
    errors = {file.path: file.error for file in files if file.content is None}
    assert errors["pkg/dangling.py"] == "cannot be read: No such file or directory"
    assert errors["pkg/round.py"].startswith("cannot be read: Too many levels of symbolic links")
    assert len(errors) == 2


@posix
def test_a_link_that_leads_out_is_not_followed_by_a_reader_either(tmp_path: Path) -> None:
    root = grow(tmp_path / "root", "mod.py")
    (tmp_path / "secret.py").write_text("secret = 1\n")
    layout = list_files(root, DEFAULT)
    (root / "mod.py").unlink()
    (root / "mod.py").symlink_to(tmp_path / "secret.py")
    file = read_file(root, paths(layout)[0])
    assert file.content is None
    assert file.error == "cannot be read: it is a link that leads out of the root"


@posix
def test_a_root_may_be_a_link_itself(tmp_path: Path) -> None:
    grow(tmp_path / "real", "pkg/__init__.py")
    (tmp_path / "real/pkg/same.py").symlink_to("__init__.py")
    (tmp_path / "root").symlink_to("real")
    assert modules(list_files(tmp_path / "root", DEFAULT)) == {"pkg", "pkg.same"}
    assert read_file(tmp_path / "root", "pkg/same.py").content == b""


@posix
def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/__init__.py")
    name = os.fsencode(tmp_path) + b"/pkg/caf\xe9.py"
    try:
        descriptor = os.open(name, os.O_CREAT | os.O_WRONLY)
    except OSError:
        pytest.skip("the file system takes UTF-8 only")
    os.write(descriptor, b"import pkg\n")
    os.close(descriptor)
    layout, files = read(tmp_path, DEFAULT)
    assert "pkg/caf\udce9.py" in paths(layout)
    assert SourceFile("pkg/caf\udce9.py", b"import pkg\n") in list(files)


def test_a_folder_named_like_a_file(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/__init__.py", "pkg/x.py/inner.py", "setup.py/a.py", "pyproject.toml/b.py")
    layout, files = read(tmp_path, DEFAULT)
    assert modules(layout) == {"pkg"}
    assert all(file.content == b"" for file in files)
    assert "pkg/x.py/inner.py" in paths(layout)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@posix
@pytest.mark.parametrize("make", [os.mkfifo, make_socket])
def test_pipes_and_sockets_do_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object]
) -> None:
    grow(tmp_path, "pkg/__init__.py")
    monkeypatch.chdir(tmp_path)
    make(Path("pkg/pipe.py"))
    make(Path("pyproject.toml"))
    layout, files = read(tmp_path, DEFAULT)
    assert modules(layout) == {"pkg", "pkg.pipe"}
    errors = {file.path: file.error for file in files if file.content is None}
    assert set(errors) == {"pkg/pipe.py"}
    assert errors["pkg/pipe.py"].startswith("cannot be read: ")


def test_unreadable_files_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "pkg/__init__.py", "pkg/a.py", "pyproject.toml")
    monkeypatch.setattr(os, "open", refuse)
    layout, files = read(tmp_path, DEFAULT)
    assert modules(layout) == {"pkg", "pkg.a"}
    assert {file.error for file in files} == {"cannot be read: Permission denied"}


def test_an_error_while_reading_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "a.py")

    def fail(*arguments: object) -> NoReturn:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", fail)
    assert read_file(tmp_path, "a.py").error == "cannot be read: Input/output error"


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with a folder that cannot be listed; whoever runs the tests, so also for root."""
    grow(tmp_path, "pkg/__init__.py", "pkg/secret/mod.py")
    scan = os.scandir

    def guarded(path: os.PathLike[str]) -> Iterator[os.DirEntry[str]]:
        return refuse() if Path(path).name == "secret" else scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    return tmp_path


def test_unlistable_folders_are_said(locked: Path) -> None:
    layout, files = read(locked, DEFAULT)
    assert unread(layout) == {"pkg.secret": "its folder cannot be listed"}
    errors = [(file.path, file.error) for file in files if file.content is None]
    assert errors == [("pkg/secret", "the folder cannot be listed: Permission denied")]


def test_files_that_vanish_are_said(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/__init__.py", "pkg/a.py")
    _, files = read(tmp_path, DEFAULT)
    shutil.rmtree(tmp_path / "pkg")
    assert [file.error for file in files] == ["cannot be read: No such file or directory"] * 2


def test_huge_files_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(disk.MAX_BYTES + 1)
    assert read_file(tmp_path, "huge.py") == SourceFile("huge.py", None, "cannot be read: it is larger than 32 MiB")


def test_a_name_that_no_file_can_have_is_said(tmp_path: Path) -> None:
    assert read_file(tmp_path, "a\0b.py").content is None
    assert read_file(tmp_path, "x" * 5000 + ".py").error.startswith("cannot be read: ")


@contextmanager
def nested(top: Path, name: str, depth: int) -> Iterator[None]:
    """Folders in folders with a module in the innermost; taken away again, for ``rmtree`` cannot everywhere."""
    here = Path.cwd()
    os.chdir(top)
    try:
        for _ in range(depth):
            Path(name).mkdir()
            os.chdir(name)
        Path("mod.py").touch()
        os.chdir(here)
        yield
        os.chdir(top)
        for _ in range(depth):
            os.chdir(name)
        Path("mod.py").unlink()
        for _ in range(depth):
            os.chdir("..")
            Path(name).rmdir()
    finally:
        os.chdir(here)


@posix
def test_folders_nested_deeper_than_a_path_may_be_long(tmp_path: Path) -> None:
    with nested(tmp_path, "d" * 200, 30):
        layout, files = read(tmp_path, DEFAULT)
        assert any(file.error for file in files)
        assert layout.unread


def test_folders_nested_deeper_than_the_stack(tmp_path: Path) -> None:
    depth = min(1100, (4000 - len(str(tmp_path))) // 2 - 10)
    with nested(tmp_path, "a", depth):
        assert modules(list_files(tmp_path, DEFAULT)) == {".".join(["a"] * depth) + ".mod"}


# git ------------------------------------------------------------------------------------------------------------------


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    grow(tmp_path, "pkg/__init__.py", "pkg/a.py", "pkg/made.py", "pkg/kept.py", "pkg/out/x.py", "scratch/y.py")
    (tmp_path / ".gitignore").write_text("made.py\nkept.py\nout/\n/scratch\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-f", "pkg/kept.py")
    return tmp_path


@needs_git
def test_untracked_files_that_gitignore_names_are_not_read(repository: Path) -> None:
    layout = list_files(repository, DEFAULT)
    assert modules(layout) == {"pkg", "pkg.a", "pkg.kept"}
    assert unread(layout) == dict.fromkeys(("pkg.made", "pkg.out", "scratch"), "ignored by git")


@needs_git
def test_a_root_below_the_top_of_the_repository(repository: Path) -> None:
    layout = list_files(repository / "pkg", DEFAULT)
    assert unread(layout) == dict.fromkeys(("pkg.made", "pkg.out"), "ignored by git")


@needs_git
@pytest.mark.parametrize("folder", ["scratch", "scratch/deep", "pkg/out"])
def test_in_a_root_that_is_ignored_itself_nothing_is(repository: Path, folder: str) -> None:
    grow(repository, "scratch/deep/z.py")
    layout = list_files(repository / folder, DEFAULT)
    assert modules(layout)
    assert not [why for why in unread(layout).values() if "git" in why]


@needs_git
def test_the_environment_of_a_hook_does_not_lead_elsewhere(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    assert "pkg.made" in unread(list_files(repository, DEFAULT))


@needs_git
@posix
def test_nothing_that_a_repository_configures_is_run(repository: Path) -> None:
    mark = repository / "was-run"
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "filter.x.clean", "filter.x.process", "core.pager", "alias.ls-files", "core.editor"):
        git(repository, "config", key, str(trap))
    (repository / ".git/hooks").mkdir(exist_ok=True)
    for hook in ("fsmonitor-watchman", "post-index-change"):
        shutil.copy(trap, repository / ".git/hooks" / hook)
    (repository / ".gitattributes").write_text("* filter=x\n")
    mark.unlink(missing_ok=True)
    assert "pkg.made" in unread(list_files(repository, DEFAULT))
    assert not mark.exists()


@needs_git
def test_without_git_nothing_is_ignored(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert modules(list_files(repository, DEFAULT)) >= {"pkg.made", "pkg.out.x"}


@needs_git
def test_a_git_that_does_not_end_ignores_nothing(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = repository.parent / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr("layercheck.source.git._SECONDS", 0.1)
    monkeypatch.setattr("layercheck.source.git._program", lambda: str(slow))
    assert "pkg.made" in modules(list_files(repository, DEFAULT))


def test_a_broken_repository_ignores_nothing(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/__init__.py", ".git")
    (tmp_path / ".gitignore").write_text("pkg\n")
    assert modules(list_files(tmp_path, DEFAULT)) == {"pkg"}


def test_where_git_cannot_say_what_it_ignores_that_is_said(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/__init__.py")
    assert list_files(tmp_path, DEFAULT).notes == ()
    (tmp_path / ".git").write_text("gitdir: nowhere\n", encoding="utf-8")
    (note,) = list_files(tmp_path, DEFAULT).notes
    assert note.startswith("Which files git ignores is not known, so all are read: fatal: not a git repository")
