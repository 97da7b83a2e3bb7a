"""``layercheck moves verify`` as its users run it: revisions, folders, formats, and what it says when it cannot."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from layercheck import moves
from layercheck.cli import cli
from layercheck.errors import LayercheckError
from layercheck.moves.formats import FORMATS
from layercheck.moves.phrases import LANGUAGES
from tests.test_moves import AFTER, BEFORE

KEYS = {
    "version",
    "verdict",
    "moves",
    "ambiguous",
    "copies",
    "patch_targets",
    "strings",
    "residual",
    "latent_rings",
    "blame",
}
MOVE = {"name", "kind", "from", "to", "new_name", "body", "rebound", "old", "new", "sites", "old_home"}
SITE = {"path", "old_line", "new_line", "kind", "category", "state", "through"}


def write(root: Path, files: dict[str, str]) -> Path:
    """Make a folder hold these files and no others, git's apart."""
    root.mkdir(exist_ok=True)
    for path in root.rglob("*.*"):
        if path.is_file() and ".git" not in path.parts:
            path.unlink()
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def git(root: Path, *arguments: str) -> str:
    """Run git as a person of no particular settings."""
    person = [
        "-c",
        "user.name=p",
        "-c",
        "user.email=p@example.org",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "init.defaultBranch=main",
    ]
    done = subprocess.run(["git", *person, *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(root: Path, files: dict[str, str], subject: str) -> str:
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", subject)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the move as its last commit; BASE is tagged."""
    root = write(tmp_path / "repository", {})
    git(root, "init", "-q")
    commit(root, BEFORE, "before")
    git(root, "tag", "base")
    commit(root, AFTER, "move A and CHUNK")
    return root


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["moves", "verify", "--no-cache", *map(str, arguments)], standalone_mode=False)


def error(*arguments: str | Path) -> str:
    found = run(*arguments).exception
    assert isinstance(found, LayercheckError), found
    (line,) = found.lines
    return line


def test_two_revisions(repository: Path) -> None:
    found = run("base", "--root", repository, "--format", "json")
    report = json.loads(found.output)
    assert (found.return_value, report["verdict"], report["version"]) == (0, "PASS", 1)
    assert report.keys() >= KEYS
    assert all(move.keys() >= MOVE and site.keys() >= SITE for move in report["moves"] for site in move["sites"])
    assert {move["name"] for move in report["moves"]} == {"A", "CHUNK"}
    blame = report["blame"]
    assert (blame["total"], blame["traced"] + len(blame["untraced"])) == (8, 8)
    assert blame["traced"] >= 6


def test_a_line_more_is_residual_and_comes_first(repository: Path) -> None:
    commit(repository, {**AFTER, "pkg/util.py": AFTER["pkg/util.py"] + "\n\nX = 1\n"}, "one line more")
    found = run("base", "HEAD", "--root", repository)
    assert found.return_value == 1
    lines = found.output.splitlines()
    assert lines[0] == "RESIDUAL: 2 definitions moved, and 1 thing not explained by that"
    assert lines[3] == "    pkg/util.py:12: +X = 1  -- X is new"


def test_each_commit_by_itself(repository: Path) -> None:
    commit(repository, {**AFTER, "pkg/util.py": AFTER["pkg/util.py"] + "\n\nX = 1\n"}, "one line more")
    found = run("base", "--root", repository, "--each", "--format", "json")
    report = json.loads(found.output)
    assert [(one["commit"][13:], one["verdict"]) for one in report["commits"]] == [
        ("move A and CHUNK", "PASS"),
        ("one line more", "RESIDUAL"),
    ]
    assert (report["verdict"], found.return_value) == ("RESIDUAL", 1)
    text = run("base", "HEAD~1", "--root", repository, "--each")
    assert text.return_value == 0
    assert text.output.splitlines()[0].endswith("move A and CHUNK")


def test_two_folders_and_a_package(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old", BEFORE), write(tmp_path / "new", {**AFTER, "notes.txt": "new"})
    assert run(old, new).return_value == 1
    found = run(old, new, "--package", "pkg")
    assert found.return_value == 0, found.output
    assert "--package pkg" in found.output.splitlines()[-1]
    assert "did you mean pkg.pools?" in error(old, new, "--package", "pkg.pool")
    assert "these are two folders" in error(old, new, "--each")
    assert "no such folder" in error(old, tmp_path / "nowhere") or "is a folder" in error(old, tmp_path / "nowhere")


@pytest.mark.parametrize("format_", [*FORMATS])
@pytest.mark.parametrize("language", [*LANGUAGES])
def test_every_format_says_everything_in_every_language(tmp_path: Path, format_: str, language: str) -> None:
    after = {**AFTER, "pkg/user.py": AFTER["pkg/user.py"].replace("    from pkg.base", "    from pkg.pools")}
    old, new = write(tmp_path / "old", BEFORE), write(tmp_path / "new", after)
    found = run(old, new, "--format", format_, "--lang", language)
    assert found.return_value == 1
    assert "pkg.base" in found.output
    assert "pkg/user.py" in found.output
    chinese = any("\u4e00" <= one <= "\u9fff" for one in found.output)
    assert chinese == (language == "zh" and format_ != "json")


def test_markdown_is_a_block_for_a_pull_request(repository: Path) -> None:
    found = run("base", "--root", repository, "--format", "markdown")
    lines = found.output.splitlines()
    assert lines[0] == "**PASS: 2 definitions moved, and nothing else changed**"
    assert "| Symbol | From | To | Body | Old home |" in lines
    assert "| A | pkg.pools | pkg.base | identical | still-uses-it |" in lines
    assert "layercheck moves verify base HEAD" in lines
    assert "### Patch targets" in lines
    assert "### Lines traced by git blame -C -C -C" in lines


def test_phrases_have_the_same_gaps_in_every_language() -> None:
    for language, table in LANGUAGES.items():
        for phrase, said in table.items():
            gaps = [[gap for gap in ("{0}", "{1}", "{2}") if gap in text] for text in (phrase, said)]
            assert gaps[0] == gaps[1], (language, phrase)


def test_every_phrase_that_the_code_says_is_in_the_table() -> None:
    import ast

    folder = Path(moves.__file__).parent
    said = {
        node.args[0].value
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("say", "Reason")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(said) > 40
    assert said - LANGUAGES["zh"].keys() == set()


def test_every_phrase_in_the_table_is_said_somewhere() -> None:
    import ast

    texts = {
        node.value
        for path in Path(moves.__file__).parent.parent.rglob("*.py")
        if path.name != "phrases.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert LANGUAGES["zh"].keys() - texts == set()


# What it says when it cannot


def test_a_base_that_is_not_there(repository: Path) -> None:
    assert error("nowhere", "--root", repository) == (
        "nowhere: git knows no such commit here; give a branch, a tag or a commit"
    )
    assert "is no revision" in error("--root", repository, "--", "--output=x", "HEAD")


def test_a_base_on_another_branch_names_the_fork(repository: Path) -> None:
    fork = git(repository, "rev-parse", "base")
    git(repository, "checkout", "-q", "-b", "side", "base")
    commit(repository, {**BEFORE, "pkg/more.py": "x = 1\n"}, "side")
    assert error("main", "side", "--root", repository).endswith(f"run: layercheck moves verify {fork[:12]} side")


def test_a_shallow_clone_says_what_to_fetch(repository: Path, tmp_path: Path) -> None:
    base = git(repository, "rev-parse", "base")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    assert error(base, "--root", tmp_path / "shallow").endswith(f"fetch it with: git fetch --depth=1 origin {base}")


def test_a_merge_says_what_to_run(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "side", "base")
    commit(repository, {**BEFORE, "pkg/more.py": "x = 1\n"}, "side")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "side")
    line = error("base", "--root", repository, "--each")
    assert "is a merge" in line
    assert line.endswith("run: git rebase base")
    assert run("base", "--root", repository).return_value == 1


def test_no_checkout_and_no_commit(tmp_path: Path, repository: Path) -> None:
    assert "is in no git checkout" in error("HEAD", "--root", write(tmp_path / "plain", BEFORE))
    assert error("HEAD", "--root", repository, "--each") == "HEAD..HEAD: there is no commit between them"
    assert run("HEAD", "--root", repository).return_value == 1


def test_programs_that_a_repository_names_are_not_run(repository: Path, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    (repository / ".gitattributes").write_text("*.py diff=evil filter=evil\n", encoding="utf-8")
    for key in ("diff.evil.textconv", "filter.evil.smudge", "filter.evil.clean", "core.fsmonitor", "diff.external"):
        git(repository, "config", key, f"touch {witness}; cat")
    (tmp_path / "ignored").write_text(git(repository, "rev-parse", "HEAD"), encoding="utf-8")
    git(repository, "config", "blame.ignoreRevsFile", str(tmp_path / "ignored"))
    report = json.loads(run("base", "--root", repository, "--format", "json").output)
    assert report["blame"]["total"] == 8
    assert not witness.exists()


def test_names_that_are_no_text_are_escaped(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old", BEFORE), write(tmp_path / "new", AFTER)
    try:
        (new / os.fsdecode(b"\xff\x1b.txt")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    for format_ in FORMATS:
        found = run(old, new, "--format", format_)
        assert found.return_value == 1
        assert r"\xff" in found.output
        assert "\x1b" not in found.output
