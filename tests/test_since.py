"""Only what is new against a git revision: both sides are run, and what cannot be compared is an error."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from layercheck.layout import ProjectSettings
from layercheck.source import read_file
from layercheck.source.folder import list_files
from layercheck.source.revision import open_revision
from tests import corpus
from tests.test_cli import Done, layercheck
from tests.test_source import git, posix
from tests.tree import RULES, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

TREE = f"""
# file: {RULES}
[checks]
orphaned-imports = "error"
[[rule]]
name = "no-os"
check = "forbidden-imports"
reason = "x"
from = ["a"]
to = ["os"]
# file: a/__init__.py
# file: a/b.py
import os
print(os)
# file: a/c.py
x = 1
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = write_tree(tmp_path / "work", TREE)
    git(root, "init", "-q")
    commit(root)
    git(root, "tag", "v1")
    return root


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "x")


def since(root: Path, revision: str, *arguments: str | Path) -> Done:
    return layercheck("check", root, f"--since={revision}", *arguments)


def new(root: Path, revision: str, *arguments: str | Path) -> list[tuple[str, str, int]]:
    done = since(root, revision, "--format", "json", *arguments)
    assert all(line.startswith("layercheck: Only ") for line in done.stderr.splitlines())
    found = json.loads(done.stdout)["findings"]
    return [(one["rule"], one["path"], one["line"]) for one in found]


class TestNew:
    def test_what_was_there_before_is_not_shown(self, repository: Path) -> None:
        assert layercheck("check", repository).status == 1
        done = since(repository, "HEAD")
        assert (done.status, done.stderr) == (0, "")
        assert "Since HEAD: findings that were there before are not shown (1)." in done.stdout

    def test_what_is_not_committed_counts(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "c.py", "import os\nprint(os)\n")
        corpus.replace(repository / "a" / "d.py", "import os\nprint(os)\n")
        assert new(repository, "v1") == [("no-os", "a/c.py", 1), ("no-os", "a/d.py", 1)]
        commit(repository)
        assert new(repository, "v1") == [("no-os", "a/c.py", 1), ("no-os", "a/d.py", 1)]
        assert new(repository, "HEAD") == []

    def test_lines_that_moved_are_not_new(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "b.py", "\n\n\n" + (repository / "a" / "b.py").read_text())
        assert new(repository, "v1") == []

    def test_what_is_left_of_a_ring_is_not_new(self, repository: Path) -> None:
        corpus.replace(repository / RULES, "[checks]\ncycles = 'error'\n")
        corpus.replace(repository / "a" / "b.py", "import a.c\nprint(a.c)\n")
        corpus.replace(repository / "a" / "c.py", "import a.b, a.d\nprint(a.b, a.d)\n")
        corpus.replace(repository / "a" / "d.py", "import a.b\nprint(a.b)\n")
        commit(repository)
        corpus.replace(repository / "a" / "c.py", "import a.b\nprint(a.b)\n")
        commit(repository)
        assert new(repository, "HEAD~1") == []
        corpus.replace(repository / "a" / "c.py", "import a.b, a.d\nprint(a.b, a.d)\n")
        assert len(new(repository, "HEAD")) == 1

    def test_of_equals_as_many_as_were_added(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "b.py", "import os\nprint(os)\ndef f():\n    import os\n    print(os)\n")
        assert new(repository, "v1") == [("no-os", "a/b.py", 4)]

    def test_the_rules_of_today_hold_on_both_sides(self, repository: Path) -> None:
        corpus.replace(repository / RULES, "[checks]\norphaned-imports = 'error'\n" + _rule("no-print", "a", "sys"))
        corpus.replace(repository / "a" / "c.py", "import sys\nprint(sys)\n")
        assert new(repository, "v1") == [("no-print", "a/c.py", 1)]

    def test_faults_of_the_rules_are_always_shown(self, repository: Path) -> None:
        corpus.replace(repository / RULES, _rule("r", "a.gone", "os"))
        assert new(repository, "v1") == [("rules-file", RULES, 5)]

    def test_a_file_that_git_ignores_by_now_is_no_pass(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "_version.py", "")
        commit(repository)
        corpus.replace(repository / ".gitignore", "/a/b.py\n/a/_version.py\n/scratch.py\n")
        (repository / "scratch.py").touch()
        git(repository, "rm", "-q", "--cached", "a/b.py", "a/_version.py")
        commit(repository)
        corpus.replace(repository / "a" / "b.py", "import a.gone\n")
        assert new(repository, "HEAD~1") == [("rules-file", "a/b.py", 1)]
        assert new(repository, "HEAD") == []
        done = since(repository, "HEAD~1", "-v")
        assert done.status == 1
        assert "Not read, since git ignores them: 3 Python files." in done.stdout
        assert "Git ignores: a/_version.py, a/b.py, scratch.py." in done.stdout
        corpus.replace(repository / RULES, f"[project]\nexclude = ['a/b.py']\n{_rule('no-os', 'a', 'os')}")
        assert new(repository, "HEAD~1") == []

    def test_a_folder_that_git_ignores_by_now_is_no_pass(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "sub" / "x.py", "")
        corpus.replace(repository / "a" / "sub" / "gone.py", "")
        commit(repository)
        corpus.replace(repository / ".gitignore", "/a/sub/\n")
        git(repository, "rm", "-rq", "--cached", "a/sub")
        (repository / "a" / "sub" / "gone.py").unlink()
        commit(repository)
        assert new(repository, "HEAD~1") == [("rules-file", "a/sub/x.py", 1)]

    def test_where_an_ignore_is_over_its_max_the_new_imports_are_named(self, repository: Path) -> None:
        ignore = "ignore = [{ import = 'a.* -> os', reason = 'x', max = 1 }]\n"
        (repository / RULES).write_text((repository / RULES).read_text() + ignore)
        corpus.replace(repository / "a" / "c.py", "def f():\n    import os\n    import os\n    print(os)\n")
        done = since(repository, "v1", "--select", "no-os", "--format", "json")
        (finding,) = json.loads(done.stdout)["findings"]
        assert finding["message"] == "the ignore of a.* -> os in rule no-os matches 3 imports, and max is 1"
        assert finding["related"] == [
            {"path": "a/c.py", "line": line, "message": "new: a.c imports os"} for line in (2, 3)
        ]
        found = json.loads(layercheck("check", repository, "--select", "no-os", "--format", "json").stdout)["findings"]
        assert [(one["path"], one["line"], one["message"]) for one in found[0]["related"]] == [
            ("a/b.py", 1, "a.b imports os"),
            ("a/c.py", 2, "a.c imports os"),
            ("a/c.py", 3, "a.c imports os"),
        ]
        commit(repository)
        corpus.replace(
            repository / "a" / "c.py", "def f():\n    import os\n    import os\n    import os\n    print(os)\n"
        )
        (finding,) = json.loads(since(repository, "HEAD", "--select", "no-os", "--format", "json").stdout)["findings"]
        assert [(one["line"], one["message"]) for one in finding["related"]] == [(4, "new: a.c imports os")]

    def test_a_comment_that_was_taken_out_makes_its_finding_new(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "c.py", "import os  # layercheck: ignore[no-os] x\nprint(os)\n")
        commit(repository)
        corpus.replace(repository / "a" / "c.py", "import os\nprint(os)\n")
        assert new(repository, "HEAD") == [("no-os", "a/c.py", 1)]

    def test_a_renamed_module_is_a_new_one(self, repository: Path) -> None:
        (repository / "a" / "b.py").rename(repository / "a" / "renamed.py")
        assert new(repository, "v1") == [("no-os", "a/renamed.py", 1)]

    def test_a_revision_without_code(self, repository: Path) -> None:
        git(repository, "rm", "-rq", "--cached", "a")
        git(repository, "commit", "-q", "-m", "x")
        assert new(repository, "HEAD") == [("no-os", "a/b.py", 1)]

    def test_a_root_below_the_top_of_the_repository(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "c.py", "import os\nprint(os)\n")
        assert new(repository / "a", "HEAD") == [("no-os", "c.py", 1)]

    def test_a_selection_and_a_package(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "new" / "__init__.py", "import os\nimport re\nx = 1\n")
        assert new(repository, "v1", "--package", "a.new", "--select", "no-os") == [("no-os", "a/new/__init__.py", 1)]

    def test_with_a_baseline(self, repository: Path) -> None:
        corpus.replace(repository / "a" / "c.py", "import os\nprint(os)\n")
        known = repository.parent / "known.jsonl"
        assert layercheck("baseline", "write", repository, "--baseline", known).status == 0
        corpus.replace(repository / "a" / "d.py", "import os\nprint(os)\n")
        assert new(repository, "v1", "--baseline", known) == [("no-os", "a/d.py", 1)]

    def test_a_large_tree_in_a_pool(self, repository: Path) -> None:
        for index in range(80):
            corpus.replace(repository / "a" / f"m{index}.py", f"import os\nprint(os, {index})\n")
        commit(repository)
        for index in range(80):
            corpus.replace(repository / "a" / f"m{index}.py", f"import os\nprint({index}, os)\n")
        corpus.replace(repository / "a" / "c.py", "import os\nprint(os)\n")
        assert new(repository, "HEAD", "--jobs", "2") == [("no-os", "a/c.py", 1)]


def _rule(name: str, importer: str, imported: str) -> str:
    return (
        f'[[rule]]\nname = "{name}"\ncheck = "forbidden-imports"\nreason = "x"\n'
        f'from = ["{importer}"]\nto = ["{imported}"]\n'
    )


class TestErrors:
    @pytest.mark.parametrize(
        ("revision", "line"),
        [
            ("gone", "--since gone: git knows no such commit here; give a branch, a tag or a commit"),
            ("HEAD:a", "--since HEAD:a: git knows no such commit here"),
            ("HEAD^{tree}", "--since HEAD^{tree}: git knows no such commit here"),
            ("v1..HEAD", "--since v1..HEAD: git knows no such commit here"),
            ("0" * 40, f"--since {'0' * 40}: git knows no such commit here"),
            ("", "--since: '' is no revision"),
            ("--output=x", "--since: '--output=x' is no revision; give a branch, a tag or a commit"),
            ("-", "--since: '-' is no revision"),
            ("HEAD\n--output=x", "--since: 'HEAD\\n--output=x' is no revision"),
        ],
    )
    def test_what_is_no_revision(self, repository: Path, revision: str, line: str) -> None:
        before = sorted(path.name for path in repository.iterdir())
        done = since(repository, revision)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.startswith(f"layercheck: {line}")
        assert done.stderr.count("\n") == 1
        assert sorted(path.name for path in repository.iterdir()) == before

    def test_no_checkout(self, tmp_path: Path) -> None:
        done = since(write_tree(tmp_path, TREE), "HEAD")
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr == (
            f"layercheck: --since HEAD: {tmp_path.resolve()} is in no git checkout, "
            "so there is nothing to compare with\n"
        )

    def test_no_commit_yet(self, tmp_path: Path) -> None:
        git(write_tree(tmp_path, TREE), "init", "-q")
        assert "git knows no such commit here" in since(tmp_path, "HEAD").stderr

    def test_no_git(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        done = since(repository, "HEAD")
        assert (done.status, done.stdout) == (2, "")
        assert "git cannot read the checkout" in done.stderr
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize("revision", ["v1", "HEAD~2", "origin/other", "hash"])
    def test_a_shallow_clone_says_how_to_fetch(self, repository: Path, tmp_path: Path, revision: str) -> None:
        git(repository, "branch", "other")
        first = _output(repository, "rev-parse", "HEAD")
        for _ in range(2):
            commit(repository)
        clone = tmp_path / "clone"
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", str(clone))
        revision = first if revision == "hash" else revision
        git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
        done = since(clone, revision)
        assert (done.status, done.stdout) == (2, "")
        told, _, command = done.stderr.strip().partition("; fetch it with: ")
        assert told == f"layercheck: --since {revision}: this is a shallow clone that lacks it"
        subprocess.run(shlex.split(command), cwd=clone, check=True, capture_output=True)
        assert new(clone, revision) == []

    def test_a_clone_without_all_files_says_how_to_fetch(self, repository: Path, tmp_path: Path) -> None:
        git(repository, "config", "uploadpack.allowFilter", "true")
        commit(repository)
        corpus.replace(repository / "a" / "b.py", "x = 1\n")
        commit(repository)
        clone = tmp_path / "clone"
        git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{repository}", str(clone))
        done = since(clone, "HEAD~1")
        assert (done.status, done.stdout) == (2, "")
        told, _, command = done.stderr.strip().partition("; fetch them with: ")
        assert told == "layercheck: --since HEAD~1: this clone lacks files of it"
        subprocess.run(shlex.split(command), cwd=clone, check=True, capture_output=True)
        assert new(clone, "HEAD~1") == []


def _output(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def test_without_the_program_git(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    done = since(repository, "HEAD")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == (
        f"layercheck: --since HEAD: git cannot read the checkout of {repository}: there is no program git on PATH; "
        "install it, or add its folder to PATH\n"
    )
    assert layercheck("check", repository, "--ignore", "no-os").status == 0


class TestReading:
    """A revision of which the work tree is an exact copy has the same layout and the same contents."""

    def same(self, root: Path) -> None:
        revision = open_revision(root, "HEAD", ProjectSettings())
        layout = list_files(root, ProjectSettings())
        assert revision.layout == layout
        contents = {file.path: file.content for file in revision.files()}
        assert contents == {one.path: read_file(root, one.path).content for one in layout.placed}

    def test_a_tree(self, repository: Path) -> None:
        self.same(repository)
        self.same(repository / "a")

    def test_this_repository(self) -> None:
        revision = open_revision(Path(__file__).parent.parent, "HEAD", ProjectSettings())
        assert "layercheck.names" in {placed.module for placed in revision.layout.placed}
        assert all(file.content is not None for file in revision.files())

    @posix
    def test_odd_files(self, repository: Path) -> None:
        (repository / "pyproject.toml").write_text("[tool.setuptools]\npackages = ['a']\n")
        (repository / "a" / "sub").mkdir()
        (repository / "a" / "sub" / "x.py").write_bytes(b"\xff\r\n\x00")
        (repository / "a" / "empty.py").touch()
        (repository / "a" / "with space.py").touch()
        (repository / "a" / "gr\u00fc\u00dfe.py").touch()
        (repository / "a" / os.fsdecode(b"bytes\xff.py")).touch()
        (repository / "a" / "new\nline.py").touch()
        (repository / "a" / "link.py").symlink_to("sub/x.py")
        (repository / "a" / "chain.py").symlink_to("link.py")
        (repository / "a" / "folder").symlink_to("sub")
        (repository / "node_modules").mkdir()
        (repository / "node_modules" / "x.py").touch()
        (repository / "build").mkdir()
        (repository / "build" / "x.py").touch()
        git(repository, "add", "-Af")
        commit(repository)
        self.same(repository)

    @posix
    def test_what_git_ignores_is_there_as_it_is_today(self, repository: Path) -> None:
        (repository / ".gitignore").write_text("_version.py\nmade/\n")
        corpus.replace(repository / "a" / "b.py", "from a import _version, made\nprint(_version, made)\n")
        commit(repository)
        corpus.replace(repository / "a" / "_version.py", "")
        corpus.replace(repository / "a" / "made" / "x.py", "")
        self.same(repository)

    @posix
    def test_no_link_leads_out(self, repository: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.py").write_text("import os\n")
        (repository / "a" / "out.py").symlink_to("../../secret.py")
        (repository / "a" / "absolute.py").symlink_to(tmp_path / "secret.py")
        (repository / "a" / "round.py").symlink_to("round.py")
        commit(repository)
        revision = open_revision(repository, "HEAD", ProjectSettings())
        assert {unread.module: unread.why for unread in revision.layout.unread} == dict.fromkeys(
            ("a.absolute", "a.out", "a.round"), "behind a link"
        )

    @posix
    def test_nothing_that_the_repository_configures_is_run(self, repository: Path, tmp_path: Path) -> None:
        mark = tmp_path / "was-run"
        trap = tmp_path / "trap.sh"
        trap.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
        trap.chmod(0o755)
        (repository / ".gitattributes").write_text("* filter=x diff=x\n")
        commit(repository)
        for key in (
            "core.fsmonitor",
            "filter.x.smudge",
            "filter.x.clean",
            "filter.x.process",
            "diff.x.textconv",
            "core.pager",
            "core.sshCommand",
            "alias.ls-tree",
            "core.alternateRefsCommand",
        ):
            git(repository, "config", key, str(trap))
        mark.unlink(missing_ok=True)
        self.same(repository)
        assert since(repository, "HEAD").status == 0
        assert not mark.exists()

    def test_a_submodule_is_of_another_repository(self, repository: Path, tmp_path: Path) -> None:
        inner = write_tree(tmp_path / "inner", "# file: b.py\nimport os\n")
        git(inner, "init", "-q")
        commit(inner)
        git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "a/inner")
        commit(repository)
        revision = open_revision(repository, "HEAD", ProjectSettings())
        assert "a.inner.b" not in {placed.module for placed in revision.layout.placed}
        assert new(repository, "HEAD", "--select", "no-os") == [("no-os", "a/inner/b.py", 1)]
