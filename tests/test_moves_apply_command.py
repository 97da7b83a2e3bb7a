"""``layercheck moves plan`` and ``moves apply`` as their users run them: what is printed, written and refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from layercheck import writing
from layercheck.cli import cli
from layercheck.errors import LayercheckError
from layercheck.moves.movesfile import MovesFile, Step
from layercheck.moves.step import Made, make
from layercheck.run import moving
from tests.test_moves_apply import SMALL, step
from tests.test_moves_command import commit, git, write

MOVES = f"version = 1\n{step('A')}"
FILES = {**SMALL, "pkg/user.py": "from pkg.pools import A\n\nprint(A)\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a small project, and a moves file that is not committed."""
    made = write(tmp_path / "repository", {})
    git(made, "init", "-q")
    commit(made, FILES, "before")
    (made / "moves.toml").write_text(MOVES, encoding="utf-8")
    return made


def run(command: str, *arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["moves", command, "--no-cache", *map(str, arguments)], standalone_mode=False)


def lines(command: str, *arguments: str | Path) -> tuple[str, ...]:
    """Why a command is refused."""
    found = run(command, *arguments).exception
    assert isinstance(found, LayercheckError), found
    return found.lines


def status(root: Path) -> list[str]:
    return git(root, "status", "--porcelain").splitlines()


def test_a_dry_run_prints_a_diff_that_git_takes(root: Path) -> None:
    found = run("apply", root / "moves.toml", "--root", root)
    assert found.exception is None, found.exception
    assert found.stderr == (
        "layercheck: --write would move 1 definition, in 3 files; moves verify: PASS, and check finds nothing new\n"
    )
    assert status(root) == ["?? moves.toml"]
    subprocess.run(["git", "apply", "-"], cwd=root, input=found.stdout_bytes, check=True)
    assert status(root) == ["M pkg/pools.py", " M pkg/user.py", "?? moves.toml", "?? pkg/base.py"]


def test_write_makes_what_verify_passes(root: Path) -> None:
    found = run("apply", root / "moves.toml", "--root", root, "--write")
    assert found.exception is None, found.exception
    assert found.stdout == ""
    assert found.stderr.startswith("layercheck: moved 1 definition, in 3 files; ")
    assert (root / "pkg/user.py").read_text(encoding="utf-8") == "from pkg.base import A\n\nprint(A)\n"
    assert (root / "pkg/base.py").stat().st_mode & 0o777 == 0o644
    git(root, "add", "pkg")
    git(root, "commit", "-q", "-m", "move")
    assert run("verify", "HEAD~1", "--root", root).return_value == 0


def test_a_plan_is_printed_or_written_and_applied(root: Path) -> None:
    printed = run("plan", "pkg.pools", "--root", root)
    assert printed.exception is None, printed.exception
    target = root / "plan.toml"
    written = run("plan", "pkg.pools", "--root", root, "-o", target)
    assert written.stdout == f"{target}: written\n"
    assert target.read_text(encoding="utf-8") == printed.stdout
    assert lines("plan", "pkg.pools", "--root", root, "-o", target) == (
        f"{target} is there already; move it away first",
    )
    assert run("apply", target, "--root", root, "--step", "1", "--step", "3").stderr.startswith(
        "layercheck: --write would move 2 definitions"
    )
    assert lines("apply", target, "--root", root, "--step", "4", "--step", "0") == (
        f"--step: {target} has no step 0; it has 3",
        f"--step: {target} has no step 4; it has 3",
    )
    assert run("apply", target, "--root", root, "--write").exception is None
    assert (root / "pkg/pools.py").read_text(encoding="utf-8") == ""
    assert lines("plan", "pkg.pools", "--root", root, "--into", "a-b") == (
        "--into: 'a-b' is no module's name; write it with dots, as Python imports it",
    )


# Nothing is changed where something is wrong


def test_what_a_stub_still_declares_is_refused(root: Path) -> None:
    (root / "pkg/pools.pyi").write_text("class A: ...\n", encoding="utf-8")
    assert lines("apply", root / "moves.toml", "--root", root) == (
        "pkg/pools.pyi:1: the stub still declares A, which moved; nothing was changed",
    )


def demand_unchanged(root: Path, before: list[str]) -> None:
    assert status(root) == before
    assert not (root / "pkg/base.py").exists()
    assert [path.name for path in root.rglob("*.tmp")] == []


def test_a_dirty_work_tree_is_refused(root: Path) -> None:
    (root / "pkg/util.py").write_text("x = 1\n", encoding="utf-8")
    before = status(root)
    assert lines("apply", root / "moves.toml", "--root", root, "--write") == (
        "pkg/util.py: not committed; commit or stash first, so that a move can be undone",
    )
    git(root, "rm", "-q", "--cached", "pkg/user.py")
    assert lines("apply", root / "moves.toml", "--root", root / "pkg", "--write") == (
        "pkg/user.py and 1 more: not committed; commit or stash first, so that a move can be undone",
    )
    git(root, "reset", "-q")
    demand_unchanged(root, before)


def test_without_git_it_is_written_too(tmp_path: Path) -> None:
    root = write(tmp_path / "folder", {**FILES, "moves.toml": MOVES})
    assert run("apply", root / "moves.toml", "--root", root, "--write").exception is None
    assert (root / "pkg/user.py").read_text(encoding="utf-8") == "from pkg.base import A\n\nprint(A)\n"


def test_a_file_that_is_read_only_is_refused_and_nothing_written(root: Path) -> None:
    (root / "pkg/user.py").chmod(0o444)
    assert lines("apply", root / "moves.toml", "--root", root, "--write") == (
        "pkg/user.py: it is read-only; nothing was written",
    )
    demand_unchanged(root, ["?? moves.toml"])


PLACES: dict[str, tuple[dict[str, str], list[str]]] = {
    "pkg.base": (
        {"pkg/base.py/x.txt": ""},
        ["pkg/base.py: it would be no file that is read there, not module pkg.base"],
    ),
    "pkg.base ": (
        {".gitignore": "/pkg/base.py\n"},
        ["pkg/base.py: it would be no file that is read there, not module pkg.base"],
    ),
    "tests.base": (
        {},
        [
            "tests/__init__.py: it would be consumer there, not module tests",
            "tests/base.py: it would be consumer there, not module tests.base",
        ],
    ),
    "pkg.vendor.base": (
        {},
        [
            "pkg/vendor/__init__.py: it would be vendored module pkg.vendor there, not module pkg.vendor",
            "pkg/vendor/base.py: it would be vendored module pkg.vendor.base there, not module pkg.vendor.base",
        ],
    ),
    "new.base": (
        {"layercheck.toml": '[project]\npackages = ["pkg"]\n', "new/a.txt": ""},
        [
            "new/__init__.py: it would be consumer there, not module new",
            "new/base.py: it would be consumer there, not module new.base",
        ],
    ),
}


@pytest.mark.parametrize("new", [*PLACES])
def test_a_place_where_no_module_would_be_found_is_refused(root: Path, new: str) -> None:
    files, said = PLACES[new]
    write(root, {**FILES, **files, "moves.toml": f"version = 1\n{step('A', new=new.strip())}"})
    assert lines("apply", root / "moves.toml", "--root", root) == tuple(
        f"{one}; name another module; nothing was changed" for one in said
    )


def test_programs_of_the_repository_are_not_run_to_see_whether_it_is_dirty(root: Path, tmp_path: Path) -> None:
    (root / ".gitattributes").write_text("*.py filter=evil\n", encoding="utf-8")
    witness = tmp_path / "ran"
    git(root, "config", "filter.evil.clean", f"touch {witness}; cat")
    git(root, "config", "filter.evil.required", "true")
    (root / "pkg/util.py").write_text("x = 1\n", encoding="utf-8")
    assert "not committed" in lines("apply", root / "moves.toml", "--root", root, "--write")[0]
    assert not witness.exists()


def test_a_file_that_changed_meanwhile_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(made: Made, file: MovesFile, step: Step, *, shim: bool = False) -> Made:
        (root / "pkg/user.py").write_text("import os\n\nprint(os)\n", encoding="utf-8")
        return make(made, file, step, shim=shim)

    monkeypatch.setattr(moving, "make", meanwhile)
    assert lines("apply", root / "moves.toml", "--root", root, "--write") == (
        "pkg/user.py: it has changed since it was read; run again",
    )
    demand_unchanged(root, ["M pkg/user.py", "?? moves.toml"])


def test_what_was_written_is_put_back_where_a_write_fails(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.name == "user.py":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    moves = root / "moves.toml"
    moves.write_text(f"version = 1\n{step('A', new='pkg.parts.base')}", encoding="utf-8")
    assert lines("apply", moves, "--root", root, "--write") == (
        "pkg/user.py: it cannot be written: No space left on device; nothing was written",
    )
    demand_unchanged(root, ["?? moves.toml"])
    assert not (root / "pkg/parts").exists()


def test_a_new_file_that_is_there_is_not_overwritten(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "pkg/base.py").write_text("text of somebody else\n", encoding="utf-8")
    (root / ".gitignore").write_text("base.py\n", encoding="utf-8")
    (line,) = lines("apply", root / "moves.toml", "--root", root, "--write")
    assert "pkg.base is there, and is no Python file that was read" in line
    with pytest.raises(LayercheckError, match=r"pkg/base\.py: it is there already; nothing was written"):
        writing.replace_files(root, {"pkg/base.py": (None, b"")})
    assert (root / "pkg/base.py").read_text(encoding="utf-8") == "text of somebody else\n"


def test_what_check_would_find_is_refused(root: Path) -> None:
    (root / "layercheck.toml").write_text(
        '[[rule]]\nname = "low"\ncheck = "forbidden-imports"\nreason = "r"\nfrom = ["pkg.user"]\nto = ["pkg.base"]\n',
        encoding="utf-8",
    )
    (root / "pkg/base.py").write_text("def x():\n    return 1\n", encoding="utf-8")
    (line,) = lines("apply", root / "moves.toml", "--root", root)
    assert line.startswith("pkg/user.py:1: forbidden-imports: pkg.user imports pkg.base")
    assert line.endswith("; nothing was changed")


def test_a_finding_that_moves_along_is_not_new(root: Path) -> None:
    bad = "class A:\n    def f(self):\n        import pkg.nowhere\n\n        return helper(), pkg.nowhere"
    pools = SMALL["pkg/pools.py"].replace("class A:\n    def f(self):\n        return helper()", bad)
    write(root, {**FILES, "pkg/pools.py": pools, "moves.toml": MOVES})
    assert run("apply", root / "moves.toml", "--root", root).exception is None


def test_a_ring_is_refused_with_its_names(root: Path) -> None:
    pools = "class B:\n    pass\n\n\nclass A(B):\n    pass\n\n\nclass C(A):\n    pass\n"
    write(root, {**FILES, "pkg/pools.py": pools, "moves.toml": MOVES})
    found = lines("apply", root / "moves.toml", "--root", root)
    assert "pkg/base.py:1: a ring would close: pkg.base -> pkg.pools -> pkg.base; nothing was changed" in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version = 1\nstep = 3\n", "m.toml:2: step: expected a list, got a whole number"),
        ("version = 1\n[[step]\n", "m.toml:2:7: not valid TOML: "),
        ("version = 2\n" + step("A"), "m.toml:1: version: this layercheck reads version 1, not 2"),
        ("version = 1\nstep = []\n", "m.toml:2: step: no step; write [[step]] with from, to and names"),
        ("version = 1\nrecompute = []\n" + step("A"), "m.toml:2: recompute: unknown key; did you mean 'recomputed'?"),
        ("version = 1\n" + step("A").replace("to =", "too ="), "m.toml:2: step 1, to: missing; add to = ..."),
        ("version = 1\n" + step("A", new="pkg.pools"), "m.toml:4: step 1, to: pkg.pools is where they are already"),
        ("version = 1\n" + step(), "m.toml:5: step 1, names: empty; name what is to move"),
        ("version = 1\n" + step("A", "A"), "m.toml:5: step 1, names[1]: A is moved by step 1 already"),
        ("version = 1\n" + step("A") + step("A"), "m.toml:9: step 2, names[0]: A is moved by step 1 already"),
        (
            "version = 1\n" + step("a.b"),
            "m.toml:5: step 1, names[0]: 'a.b' is no name of a definition at the top level",
        ),
        ("version = 1\n" + step("A", old="x y"), "m.toml:3: step 1, from: 'x y' is no module's name; "),
        (
            "version = 1\n" + step("A", new="pkg.class.base"),
            "m.toml:4: step 1, to: 'class' is a word of Python's own, so that no import can name pkg.class.base; ",
        ),
        (
            "version = 1\n" + step("A", new="pkg.__init__"),
            "m.toml:4: step 1, to: a package is called by its own name; write pkg",
        ),
        ("\xff", "m.toml: is not UTF-8, as a moves file must be"),
    ],
)
def test_faults_of_a_moves_file(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_bytes(text.encode("latin-1"))
    assert lines("apply", "m.toml", "--root", root)[0].startswith(said)


def test_all_faults_of_a_moves_file_are_told_at_once(tmp_path: Path, root: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(
        "version = 1\nx = 1\n[[step]]\nfrom = 'a'\nnames = [1]\n[[step]]\nfrom = 'a'\nto = 'a'\nnames = []\n"
    )
    assert [line.partition(": ")[0][len(str(file)) :] for line in lines("apply", file, "--root", root)] == [
        ":2",
        ":3",
        ":5",
        ":8",
        ":9",
    ]


def test_no_such_file(tmp_path: Path, root: Path) -> None:
    (line,) = lines("apply", tmp_path / "no.toml", "--root", root)
    assert line == f"{tmp_path / 'no.toml'}: cannot be read: No such file or directory"
