"""check --stdin-filename: a file is judged as if it were saved, what others have of it is told, nothing is kept."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from layercheck.errors import LayercheckError
from layercheck.finding import Report, Stats
from layercheck.run import CheckRequest, Selection, check, recall
from layercheck.run.novelty import new_findings
from layercheck.run.unsaved import check_unsaved, mark_unsaved, propose_unsaved, unsaved_file
from tests.test_cli import Done, layercheck
from tests.tree import write_tree

TREE = """
# file: app/__init__.py
# file: app/db.py
def query(): ...
def stop(): ...
# file: app/web.py
import os
from app.db import query
from app.db import gone
def run(): return query(), gone()
# file: app/made/old.py
# file: tests/test_web.py
import app.web
# file: pyproject.toml
[project]
name = "app"
[tool.layercheck.project]
exclude = ["app/made"]
[tool.layercheck.checks]
orphaned-imports = "error"
broken-imports = "error"
cycles = "error"
[[tool.layercheck.rule]]
name = "floors"
check = "forbidden-imports"
reason = "the base knows nobody"
from = ["app.db"]
to = ["app.web"]
allow_empty = true
"""

OLD = [
    ("app/web.py", 1, "orphaned-imports"),
    ("app/web.py", 3, "broken-imports"),
]
"""What is wrong on disk."""

CASES = {
    "as it is on disk": ("app/db.py", "def query(): ...\ndef stop(): ...\n", []),
    "as it is on disk, with findings": (
        "app/web.py",
        "import os\nfrom app.db import query\nfrom app.db import gone\ndef run(): return query(), gone()\n",
        OLD,
    ),
    "only lines have moved": ("app/db.py", "# base\ndef query(): ...\ndef stop(): ...\n", []),
    "a finding more": ("app/db.py", "import sys\ndef query(): ...\n", [("app/db.py", 1, "orphaned-imports")]),
    "mended": ("app/web.py", "from app.db import query\ndef run(): return query()\n", []),
    "breaks another": ("app/db.py", "def stop(): ...\n", [("app/web.py", 2, "broken-imports")]),
    "mends another, which is not told": ("app/db.py", "def query(): ...\ndef gone(): ...\n", []),
    "breaks a rule and closes a ring": (
        "app/db.py",
        "from app.web import run\ndef query(): run()\n",
        [("app/db.py", 1, "cycles"), ("app/db.py", 1, "forbidden-imports")],
    ),
    "does not parse": ("app/db.py", "def query(:\n", [("app/db.py", 1, "unreadable-files")]),
    "not decodable": ("app/db.py", "x = '\udcff'\n", [("app/db.py", 1, "unreadable-files")]),
    "empty": ("app/db.py", "", [("app/web.py", 2, "broken-imports")]),
    "a new module": ("app/new.py", "import app.nobody\n", [("app/new.py", 1, "broken-imports")]),
    "a new module that others miss": ("app/gone.py", "", []),
    "a new package": ("app/sub/deep/new.py", "from .old import x\n", [("app/sub/deep/new.py", 1, "broken-imports")]),
    "a package in the place of a module": (
        "app/db/__init__.py",
        "",
        [("app/db.py", 1, "unreadable-files"), ("app/web.py", 2, "broken-imports")],
    ),
    "a consumer": ("tests/test_web.py", "import app.none\n", [("tests/test_web.py", 1, "broken-imports")]),
    "a project file": ("setup.py", "import app.none\n", [("setup.py", 1, "broken-imports")]),
}
"""By what they are: a path, what it holds, and what is told of it."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(recall, "_code", lambda: "this")
    return write_tree(tmp_path / "project", TREE)


def request(root: Path, path: str | Path = "", text: str = "", *, cache: bool = True) -> CheckRequest:
    asked = CheckRequest(root, jobs=1, cache=cache)
    if not path:
        return asked
    return replace(asked, unsaved=(unsaved_file(root, root / path, text.encode("utf-8", "surrogateescape")),))


def places(report: Report) -> list[tuple[str, int, str]]:
    return sorted((one.problem.location.path, one.problem.location.line, one.check) for one in report.findings)


def said(report: Report) -> Report:
    """A report without what every run says differently, and without what is shown of it."""
    return msgspec.structs.replace(report, stats=Stats(), notes=())


@pytest.mark.parametrize("checked_before", [False, True], ids=["first", "later"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_told(root: Path, case: str, checked_before: bool) -> None:
    path, text, expected = CASES[case]
    if checked_before:
        check(request(root))
    told = check_unsaved(request(root, path, text))
    assert places(told) == sorted(expected)


@pytest.mark.parametrize("case", CASES)
def test_it_is_as_if_the_file_had_been_saved(root: Path, case: str) -> None:
    path, text, _ = CASES[case]
    before = check(request(root))
    told = check_unsaved(request(root, path, text))
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(text.encode("utf-8", "surrogateescape"))
    after = check(request(root, cache=False))
    new = [id(one) for one in new_findings(before.findings, after.findings)]
    assert [*told.findings] == [one for one in after.findings if one.problem.location.path == path or id(one) in new]
    assert {rule.name: rule.findings for rule in told.rules} == {
        rule.name: sum(one.rule == rule.name for one in told.findings) for rule in after.rules
    }


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_kept_of_what_is_not_saved(root: Path, case: str) -> None:
    path, text, _ = CASES[case]
    check(request(root))
    kept = {file: file.read_bytes() for file in root.parent.glob("cache/*/*")}
    files = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    check_unsaved(request(root, path, text))
    mark_unsaved(request(root, path, text))
    assert kept.keys() == {*root.parent.glob("cache/*/*")}
    assert {file.name for file in kept if file.read_bytes() != kept[file]} <= {"reports.msgpack"}  # files have aged
    assert files == {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    assert said(check(request(root))) == said(check(request(root, cache=False)))


def test_a_first_run_keeps_what_it_learned_of_the_disk(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layercheck.source.stamps._SETTLED", 0)
    check_unsaved(request(root, "app/db.py", "import sys\ndef query(): ...\n"))
    report = check(request(root))
    assert (report.stats.cached, places(report)) == (4, sorted(OLD))


REFUSED = {
    "outside": ("../other.py", "lies outside of"),
    "excluded": ("app/made/x.py", "[project] exclude leaves it out; take it out of there"),
    "no Python": ("app/data.json", "it is no Python file; give one whose name ends in .py"),
    "an extension module": ("app/fast.so", "it is no Python file"),
    "hidden": ("app/.hidden/x.py", "it lies in a folder that is never read"),
    "an editor's lock": ("app/.#db.py", "it is no Python file"),
    "a stub beside its module": ("app/db.pyi", "it is a stub, and the module itself is read"),
    "behind a link": ("linked/x.py", "lies outside of"),
    "a link": ("app/link.py", "it lies behind a link that leads elsewhere"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_read_is_refused(root: Path, case: str) -> None:
    path, why = REFUSED[case]
    (root.parent / "elsewhere").mkdir()
    (root.parent / "elsewhere" / "x.py").touch()
    (root / "linked").symlink_to(root.parent / "elsewhere")
    (root / "app" / "link.py").symlink_to(root.parent / "elsewhere" / "x.py")
    with pytest.raises(LayercheckError) as raised:
        check_unsaved(request(root, path))
    assert why in str(raised.value)
    assert len(raised.value.lines) == 1


@pytest.mark.parametrize("path", ["app/ignored.py", "app/local/x.py"])
def test_what_git_would_ignore_is_refused(root: Path, path: str) -> None:
    (root / ".gitignore").write_text("ignored.py\nlocal/\n")
    subprocess.run(["git", "init", "-q", root], check=True)
    with pytest.raises(LayercheckError, match="git ignores it, so it is no part of the project"):
        check_unsaved(request(root, path))
    assert places(check_unsaved(request(root, "app/other.py"))) == []


def test_a_path_through_a_link_within_the_root(root: Path) -> None:
    (root / "short").symlink_to(root / "app")
    assert places(check_unsaved(request(root, "short/db.py", "import sys\ndef query(): ...\n"))) == [
        ("app/db.py", 1, "orphaned-imports")
    ]


def test_the_first_file_of_a_folder(tmp_path: Path) -> None:
    assert places(check_unsaved(request(tmp_path, "one.py", "import one.two\n", cache=False))) == [
        ("one.py", 1, "broken-imports")
    ]


def test_a_file_that_is_too_large(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layercheck.source.disk.MAX_BYTES", 10)
    (finding,) = (one for one in check_unsaved(request(root, "app/new.py", "x = 123456\n")).findings)
    assert "cannot be read: it is larger than" in finding.problem.message


def test_what_could_be_mended_in_the_text(root: Path) -> None:
    text = "import sys\nimport os\ndef query(): ...\n"
    marked = mark_unsaved(request(root, "app/db.py", text))
    assert [(one.problem.location.line, one.problem.fixable) for one in marked.findings] == [(1, True), (2, True)]
    edits = [one.mending.replacements[0] for one in marked.findings if one.mending]
    assert [(one.location.line, one.location.end_line, one.text) for one in edits] == [(1, 2, ""), (2, 3, "")]
    proposal = propose_unsaved(request(root, "app/db.py", text))
    assert proposal.diff.decode().splitlines()[2:] == [
        "@@ -1,3 +1 @@", "-import sys", "-import os", " def query(): ..."
    ]  # fmt: skip
    assert (proposal.fixable, [*proposal.files]) == (2, ["app/db.py"])


def test_what_is_wrong_elsewhere_is_not_mended(root: Path) -> None:
    proposal = propose_unsaved(request(root, "app/db.py", "def stop(): ...\n"))
    assert (proposal.diff, proposal.fixable, proposal.files) == (b"", 0, {})


def test_a_read_only_file_and_one_that_is_not_there_can_be_mended(root: Path) -> None:
    (root / "app/db.py").chmod(0o444)
    for path in ("app/db.py", "app/new.py"):
        assert propose_unsaved(request(root, path, "import sys\ndef query(): ...\n")).fixable == 1


def test_packages_narrow_what_is_told_further(root: Path) -> None:
    asked = request(root, "app/db.py", "import sys\n")
    assert places(check_unsaved(replace(asked, selection=Selection(packages=("app.web",))))) == [
        ("app/web.py", 2, "broken-imports")
    ]


# ------------------------------------------------------------------------------------------------- the command line


def command(root: Path, path: str | Path, text: str, *options: str | Path) -> Done:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return layercheck("check", "--stdin-filename", path, *options, cwd=root)


ORPHAN = "import sys\ndef query(): ...\n"


def test_the_command_says_what_is_shown(root: Path) -> None:
    done = command(root, "app/db.py", ORPHAN)
    assert (done.status, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["app/db.py:1:8: error: orphaned-imports", "    sys is imported and not used in app.db"]
    assert lines[-2:] == [
        "Shown: what stands in app/db.py, and what its text would bring elsewhere.",
        "1 error in 3 modules, 1 consumer, 5 imports.",
    ]


@pytest.mark.parametrize("format_", ["text", "json", "github", "gitlab", "junit", "markdown", "sarif"])
def test_every_format(root: Path, format_: str) -> None:
    done = command(root, "app/db.py", ORPHAN, "--format", format_)
    assert (done.status, done.stderr) == (1, "")
    assert "sys is imported" in done.stdout
    assert "app/web.py" not in done.stdout


def test_json_says_how_to_mend_it(root: Path) -> None:
    (finding,) = json.loads(command(root, "app/db.py", ORPHAN, "--format", "json").stdout)["findings"]
    assert (finding["path"], finding["fixable"]) == ("app/db.py", True)


def test_diff(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "layercheck", "check", "--no-cache", "--diff", "--stdin-filename", root / "app/db.py"],
        cwd=root,
        input=ORPHAN.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (1, [b"-import sys", b" def query(): ..."])
    assert done.stderr == b"layercheck: --fix would mend 1 of 1 findings, in 1 file\n"


@pytest.mark.parametrize(
    ("path", "options", "said"),
    [
        ("app/db.py", ("--fix",), "Error: --fix writes files, and an unsaved text is in none: --diff shows what"),
        ("../x.py", (), "layercheck: ../x.py lies outside of .; give the folder that holds it as ROOT"),
        ("x.txt", (), "layercheck: x.txt is not checked: it is no Python file"),
        ("", (), "layercheck: --stdin-filename is empty; name a path, or leave it out"),
    ],
)
def test_what_cannot_be(root: Path, path: str, options: tuple[str, ...], said: str) -> None:
    done = command(root, path, ORPHAN, *options)
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(said)
    assert (root / "app/db.py").read_text() == "def query(): ...\ndef stop(): ...\n"


def test_standard_input_may_be_closed(root: Path) -> None:
    line = '"$0" -m layercheck check --stdin-filename app/db.py <&-'
    done = subprocess.run(["sh", "-c", line, sys.executable], cwd=root, capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "layercheck: --stdin-filename: standard input is closed; give it the text of app/db.py\n"
    )


def test_since_and_baseline(root: Path) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=nobody", "-c", "user.email=nobody"]
    (root / "app/db.py").write_text(ORPHAN)
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *arguments], check=True)
    done = command(root, "app/db.py", ORPHAN + "import json\n", "--since", "HEAD", "-q")
    assert [line.split(": ")[0] for line in done.stdout.splitlines() if line[0] != " "] == ["app/db.py:3:8"]
    written = [sys.executable, "-m", "layercheck", "baseline", "write", ".", "--baseline", "known.toml"]
    shutil.rmtree(root / ".git")
    subprocess.run(written, cwd=root, check=True, capture_output=True, timeout=60)
    done = command(root, "app/db.py", ORPHAN + "import json\n", "--baseline", "known.toml", "-q")
    assert [line.split(": ")[0] for line in done.stdout.splitlines() if line[0] != " "] == ["app/db.py:3:8"]
