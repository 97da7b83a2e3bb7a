"""Strangers: whatever a repository holds, layercheck runs none of it, reads and writes nothing outside, and ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from layercheck.cli import cli
from layercheck.config.foreign import foreign_ignores
from layercheck.errors import LayercheckError
from layercheck.layout import ProjectSettings, matches_glob
from layercheck.names import matches
from layercheck.opening import MAX_SETTINGS, leads_out
from layercheck.run import CheckRequest, check
from layercheck.source.history import steps
from layercheck.source.revision import open_revision
from layercheck.source.worktree import uncommitted
from layercheck.writing import replace_files
from tests.tree import write_tree

posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

PACKAGE = """
# file: pkg/__init__.py
# file: pkg/a.py
import pkg.b
# file: pkg/b.py
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "project", PACKAGE)


def layercheck(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program as somebody would; it has a minute."""
    program = Path(sys.executable).with_name("layercheck")
    return subprocess.run(
        [program, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "LAYERCHECK_CACHE_DIR": str(cwd.parent / "cache"), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(root: Path) -> Path:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    return root


def trap(root: Path) -> tuple[Path, Path]:
    """A program, and the file that is there once it has run."""
    mark = root.parent / "was-run"
    program = root.parent / "trap.sh"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    return program, mark


# Nothing of it is run ------------------------------------------------------------------------------------------------


SHADOWED = ("ast", "click", "json", "msgspec", "multiprocessing", "selectors", "signal", "socket", "struct", "tomli")


def test_modules_of_the_current_folder_are_not_imported(root: Path) -> None:
    mark = root.parent / "was-run"
    for name in SHADOWED:
        (root / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    for number in range(70):  # so many that workers are started
        (root / "pkg" / f"m{number}.py").write_text("import pkg\n")
    run = layercheck("check", ".", "--jobs", "2", "--no-cache", cwd=root)
    assert run.returncode in (0, 1), run.stderr
    assert not run.stderr
    assert not mark.exists()


@posix
@needs_git
@pytest.mark.parametrize("name", ["x", "x=y"])
def test_no_filter_is_run(checkout: Path, name: str) -> None:
    program, mark = trap(checkout)
    git(checkout, "config", f"filter.{name}.clean", str(program))
    git(checkout, "config", f"filter.{name}.process", str(program))
    (checkout / ".gitattributes").write_text(f"* filter={name}\n")
    (checkout / "pkg" / "a.py").write_text("import pkg.c\n")
    os.utime(checkout / "pkg" / "b.py", (1, 1))
    if name == "x":
        assert uncommitted(checkout) == ("pkg/a.py",)
    else:
        with pytest.raises(LayercheckError, match=r"filter\.x=y\.clean, which git would run"):
            uncommitted(checkout)
    assert not mark.exists()


@posix
@needs_git
def test_no_command_runs_what_the_configuration_names(checkout: Path) -> None:
    program, mark = trap(checkout)
    keys = (
        "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy",
        "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean", "filter.x.smudge", "filter.x.process",
        "alias.ls-files", "alias.status", "alias.log", "alias.blame", "pager.log", "pager.status", "credential.helper",
        "interactive.diffFilter", "remote.origin.uploadpack", "uploadpack.packObjectsHook", "core.alternateRefsCommand",
        "sequence.editor", "gpg.program", "log.showSignature", "merge.x.driver", "remote.origin.vcs",
    )  # fmt: skip
    for key in keys:
        git(checkout, "config", key, "true" if key == "log.showSignature" else str(program))
    git(checkout, "config", "core.hooksPath", str(checkout / "hooks"))
    (checkout / "hooks").mkdir()
    for hook in ("post-index-change", "post-checkout", "reference-transaction", "pre-commit", "fsmonitor-watchman"):
        shutil.copy(program, checkout / "hooks" / hook)
        shutil.copy(program, checkout / ".git" / "hooks" / hook)
    (checkout / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    (checkout / "pkg" / "a.py").write_text("import pkg\n")
    mark.unlink(missing_ok=True)
    for arguments in (
        ("check", "."),
        ("check", ".", "--since", "HEAD"),
        ("check", ".", "--fix"),
        ("moves", "verify", "HEAD", "HEAD"),
        ("why", "pkg.a", "pkg.b"),
    ):
        run = layercheck(*arguments, cwd=checkout)
        assert "Traceback" not in run.stderr
        assert not mark.exists(), arguments


@posix
@needs_git
def test_no_git_of_the_repository_is_run(checkout: Path) -> None:
    program, mark = trap(checkout)
    shutil.copy(program, checkout / "git")
    run = layercheck("check", ".", cwd=checkout, PATH=os.pathsep.join((".", "", os.environ["PATH"])))
    assert run.returncode == 0, run.stdout + run.stderr
    assert not mark.exists()


@posix
@needs_git
def test_a_partial_clone_fetches_nothing(checkout: Path) -> None:
    program, mark = trap(checkout)
    commit = "0123456789012345678901234567890123456789"
    git(checkout, "config", "core.repositoryFormatVersion", "1")
    git(checkout, "config", "extensions.partialClone", "origin")
    git(checkout, "config", "remote.origin.promisor", "true")
    git(checkout, "config", "remote.origin.url", f"ext::{program}")
    git(checkout, "config", "protocol.ext.allow", "always")
    with pytest.raises(LayercheckError):
        open_revision(checkout, commit, ProjectSettings())
    assert not mark.exists()


# Nothing outside is read ---------------------------------------------------------------------------------------------


SECRET = "[checks]\nsecret-of-somebody = 1\n"


def rules(root: Path, text: str) -> Callable[[], object]:
    (root / "layercheck.toml").write_text(text)
    return lambda: check(CheckRequest(root, cache=False))


@posix
def test_a_rules_file_that_leads_out_is_not_read(root: Path) -> None:
    (root.parent / "secret.toml").write_text(SECRET)
    (root / "layercheck.toml").symlink_to("../secret.toml")
    with pytest.raises(LayercheckError, match=r"leads out of .*; if you trust it, name") as caught:
        check(CheckRequest(root, cache=False))
    assert "secret-of" not in str(caught.value)
    with pytest.raises(LayercheckError, match="secret-of-somebody"):
        check(CheckRequest(root, rules=root / "layercheck.toml", cache=False))


@posix
@pytest.mark.parametrize("path", ["../secret.toml", "link.toml", "folder/secret.toml", "pkg/../../secret.toml"])
def test_what_a_found_rules_file_extends_lies_inside(root: Path, path: str) -> None:
    (root.parent / "secret.toml").write_text(SECRET)
    (root / "link.toml").symlink_to("../secret.toml")
    (root / "folder").symlink_to("..")
    (root / "layercheck.toml").write_text(f'extends = ["{path}"]\n')
    with pytest.raises(LayercheckError, match=r"layercheck\.toml:1: extends\[0\]: .* leads out of"):
        check(CheckRequest(root, cache=False))
    with pytest.raises(LayercheckError, match="secret-of-somebody"):
        check(CheckRequest(root, rules=root / "layercheck.toml", cache=False))


@needs_git
def test_in_a_checkout_all_of_it_is_inside(checkout: Path) -> None:
    (checkout / "shared.toml").write_text('[checks]\ncycles = "error"\n')
    (checkout / "pkg" / "layercheck.toml").write_text('extends = ["../shared.toml"]\n')
    assert check(CheckRequest(checkout / "pkg", cache=False)).rules_file == "layercheck.toml"


@pytest.mark.parametrize(
    "text",
    [
        'include = ["/etc/*.toml"]',
        'include = ["../**/*.toml"]',
        'include = ["pkg/../../*.toml"]',
        'extends = ["/etc/secret.toml"]',
        '[project]\nroots = ["../other"]',
        '[project]\nroots = ["/etc"]',
    ],
)
def test_paths_that_lead_out_are_faults(root: Path, text: str) -> None:
    run = rules(root, text)
    with pytest.raises(LayercheckError):
        run()


@posix
def test_folders_outside_hold_no_code_of_it(root: Path) -> None:
    outside = write_tree(
        root.parent / "outside", "# file: lib/__init__.py\n# file: lib/secret.py\nimport nothing_here\n"
    )
    for name in ("lib", "src", "tests"):
        (root / name).symlink_to(outside / "lib")
    (root / "secret.py").symlink_to(outside / "lib" / "secret.py")
    (root / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[tool.setuptools]\npackage-dir = {"" = "../outside", "lib" = "../outside/lib"}\n'
        '[tool.setuptools.packages.find]\nwhere = ["../outside", "/", "lib"]\n'
        '[tool.uv.workspace]\nmembers = ["../outside", "/"]\n'
    )
    (root / "setup.cfg").write_text("[options]\npackage_dir =\n    = ../outside\n[options.packages.find]\nwhere = ..\n")
    (root / "setup.py").write_text("from setuptools import setup\nsetup(package_dir={'': '../outside', 'lib': '/'})\n")
    report = check(CheckRequest(root, cache=False))
    assert report.stats.modules == 3
    assert "nothing_here" not in repr(report)


# Nothing outside is written ------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", ".", "--output", "FILE"),
        ("check", ".", "--diff", "--output", "FILE"),
        ("check", "pkg", "--show-settings", "--output", "FILE"),
        ("why", "pkg.a", "pkg.b", "--output", "FILE"),
        ("what-if", "pkg.b -> pkg.a", "--output", "FILE"),
        ("graph", ".", "--output", "FILE"),
        ("baseline", "write", ".", "--baseline", "FILE"),
        ("baseline", "prune", ".", "--baseline", "FILE"),
        ("migrate", ".", "--from", "tach.toml", "--output", "FILE"),
        ("moves", "plan", "pkg.a", "--output", "FILE"),
        ("moves", "verify", "HEAD", "--output", "FILE"),
    ],
    ids=lambda arguments: " ".join(arguments[:3]),
)
def test_what_is_named_inside_is_written_inside(
    root: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".git").mkdir()
    (root / "tach.toml").write_text('modules = []\nsource_roots = ["."]\n')
    other = root.parent / "other"
    other.mkdir()
    (other / "there.txt").write_text('{"layercheck-baseline": 1}\n')
    (root / "there.txt").symlink_to(other / "there.txt")
    (root / "absent.txt").symlink_to(other / "absent.txt")
    (root / "folder").symlink_to(other)
    monkeypatch.chdir(root)
    for name in ("there.txt", "absent.txt", "folder/there.txt", "folder/absent.txt"):
        with pytest.raises(LayercheckError, match="leads out of"):
            cli.main([name if one == "FILE" else one for one in arguments], standalone_mode=False)
    assert [path.name for path in other.iterdir()] == ["there.txt"]
    assert (other / "there.txt").read_text() == '{"layercheck-baseline": 1}\n'


@posix
def test_what_leads_out(root: Path) -> None:
    (root / "inner").symlink_to("pkg")
    (root / "link").symlink_to("../elsewhere")
    (root.parent / "alias").symlink_to("project")
    for path in (root / "x", root / "inner" / "x", root / ".." / "x", root.parent / "x", root.parent / "alias" / "x"):
        assert not leads_out(path, root), path
    for path in (root / "link", root / "link" / "x", root.parent / "alias" / "link" / "x"):
        assert leads_out(path, root), path


@posix
def test_no_file_outside_is_replaced_or_made(root: Path) -> None:
    other = write_tree(root.parent / "other", "# file: a.py\nx = 1\n")
    (root / "out").symlink_to(other)
    (root / "link.py").symlink_to(other / "a.py")
    for path, old in (
        ("out/a.py", b"x = 1\n"),
        ("out/new.py", None),
        ("out/deep/new.py", None),
        ("link.py", b"x = 1\n"),
    ):
        with pytest.raises(LayercheckError, match="link"):
            replace_files(root, {path: (old, b"x = 2\n")})
    assert {path.name: path.read_bytes() for path in other.iterdir()} == {"a.py": b"x = 1\n"}


@posix
def test_a_fix_changes_no_other_name_of_a_file(root: Path) -> None:
    (root / "pkg" / "b.py").write_text("import os\n\ndef go(): ...\n")
    other = root.parent / "other.py"
    os.link(root / "pkg" / "b.py", other)
    run = layercheck("check", ".", "--fix", cwd=root)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "import os" not in (root / "pkg" / "b.py").read_text()
    assert other.read_text() == "import os\n\ndef go(): ...\n"


@posix
@needs_git
def test_moves_do_not_lead_out(checkout: Path) -> None:
    other = write_tree(checkout.parent / "other", "# file: there.py\n")
    (checkout / "pkg" / "b.py").write_text("def go(): ...\n")
    (checkout / "pkg" / "out").symlink_to(other)
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "two")
    for home in ("pkg.out.new", "pkg.out.deep.new", "pkg.out.there"):
        (checkout / "moves.toml").write_text(f'version = 1\n[[step]]\nfrom = "pkg.b"\nto = "{home}"\nnames = ["go"]\n')
        run = layercheck("moves", "apply", "moves.toml", "--write", cwd=checkout)
        assert run.returncode == 2, run.stdout
        assert "Traceback" not in run.stderr
    assert [path.name for path in other.iterdir()] == ["there.py"]
    assert (other / "there.py").read_text() == ""


@posix
def test_a_run_leaves_nothing_in_the_project(root: Path) -> None:
    before = sorted(root.rglob("*"))
    assert layercheck("check", ".", cwd=root).returncode == 0
    assert sorted(root.rglob("*")) == before


# Nothing waits, nothing is without bound ----------------------------------------------------------------------------


SETTINGS = (
    "layercheck.toml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "ruff.toml",
    ".ruff.toml",
    ".flake8",
    "tox.ini",
)


@posix
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_settings_that_are_no_ordinary_files(root: Path, name: str, kind: str) -> None:
    path = root / name
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(MAX_SETTINGS + 1)
    if kind == "huge" and name in ("layercheck.toml", "pyproject.toml"):
        with pytest.raises(LayercheckError, match="cannot be read: it is larger than 4 MiB"):
            check(CheckRequest(root, cache=False))
    else:
        assert check(CheckRequest(root, cache=False)).stats.modules >= 3


@posix
@pytest.mark.parametrize("option", ["--rules", "--baseline"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_files_that_are_named_in_the_repository(root: Path, option: str, make: Callable[[Path], object]) -> None:
    make(root / "named")
    run = layercheck("check", ".", option, "named", cwd=root)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "not a regular file" in run.stderr


@posix
@pytest.mark.parametrize("option", ["--rules", "--baseline"])
def test_what_a_shell_pipes_is_read(root: Path, option: str) -> None:
    command = f"printf '%s' '{{\"layercheck-baseline\": 1}}' | {Path(sys.executable).with_name('layercheck')} check . "
    command += f"{option} /dev/stdin"
    run = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=False, timeout=60)
    assert "not a regular file" not in run.stderr
    assert run.returncode == (0 if option == "--baseline" else 2), run.stderr


LONG = 3000
PATTERNS: dict[str, Callable[[], bool]] = {
    "a name": lambda: matches("a" * LONG, "*a" * 30 + "*b"),
    "packages": lambda: matches(".".join("a" * LONG), ".".join(["**", "a"] * 30 + ["b"])),
    "both": lambda: matches(".".join(["aa"] * LONG), ".".join(["**", "*a*"] * 30 + ["b"])),
    "a path": lambda: matches_glob("/".join(["a" * 50] * 60), "/".join(["**", "*a*a*"] * 30 + ["b"])),
    "a file": lambda: matches_glob("a" * LONG, "*a" * 30 + "*b"),
    "another linter's": lambda: foreign_ignores("*a" * 30 + "*b", ("F401",)).covers("a" * LONG),
    "its choices": lambda: foreign_ignores("{a,b}" * 30, ("F401",)).covers("a" * LONG),
}


@pytest.mark.parametrize("match", PATTERNS.values(), ids=PATTERNS)
def test_patterns_that_could_be_tried_in_many_ways(match: Callable[[], bool]) -> None:
    assert not match()


CHAINS = {
    "a name that is handed on": ("from pkg.m{next} import x as x\n", "x = 1\n"),
    "lists of names": ("from pkg import m{next}\n__all__ = [*m{next}.__all__]\n", "__all__ = []\n"),
    "a flag": ("from pkg.m{next} import FLAG\nif FLAG:\n    import os\n", "FLAG = False\n"),
    "classes": ("from pkg.m{next} import C as B\nclass C(B): ...\n", "class C: ...\n"),
}


@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_chains_of_modules_that_are_deeper_than_the_stack(root: Path, chain: tuple[str, str]) -> None:
    link, last = chain
    for number in range(500):
        (root / "pkg" / f"m{number}.py").write_text(link.replace("{next}", str(number + 1)) if number < 499 else last)
    (root / "tests").mkdir()
    (root / "tests" / "test_a.py").write_text(
        'from unittest.mock import patch\nimport pkg.m0\npatch("pkg.m0.C.x")\npatch("pkg.m0.x")\n'
    )
    limit = sys.getrecursionlimit()
    assert check(CheckRequest(root, jobs=1, cache=False)).stats.modules == 503
    assert sys.getrecursionlimit() == limit


def test_patterns_warn_of_nothing(recwarn: pytest.WarningsRecorder) -> None:
    for text in ("[a--b]", "[--0]", "[a&&b]", "[a||b]", "[a~~b]", "[[a]"):
        foreign_ignores(text, ("F401",))
        matches_glob("b", text)
    assert not recwarn.list


@needs_git
def test_subjects_with_odd_line_breaks(checkout: Path) -> None:
    (checkout / "pkg" / "c.py").write_text("x = 1\n")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "one\x0ctwo\u2028three\x85four")
    assert [step.subject for step in steps(checkout, "HEAD~1", "HEAD")] == ["one\x0ctwo\u2028three\x85four"]
