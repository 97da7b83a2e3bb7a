"""Reports that are kept: a run says the same with them and without, and only an unchanged folder is not read again."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck import kept
from layercheck.finding import Report, Stats
from layercheck.run import CheckRequest, Selection, check, fixing, opened, recall, recording
from layercheck.run.survey import Survey
from layercheck.run.workers import Progress
from tests.tree import write_tree

TREE = """
# file: pkg/__init__.py
# file: pkg/base.py
def pay(): ...
# file: pkg/till.py
from pkg.base import pay
from pkg.base import gone
# file: tests/test_till.py
import pkg.till
# file: layercheck.toml
extends = ["more.toml"]
include = ["*/layercheck.toml"]
[project]
exclude = ["build"]
[[rule]]
name = "r"
check = "forbidden-imports"
reason = "it is so"
from = ["pkg.till"]
to = ["pkg.base"]
ignore = [{ import = "pkg.till -> pkg.base", reason = "for now", until = 2026-12-31 }]
# file: more.toml
[checks]
cycles = "warning"
# file: pkg/layercheck.toml
[[rule]]
name = "s"
check = "forbidden-imports"
reason = "it is so"
from = [".base"]
to = [".till"]
# file: ruff.toml
[lint.per-file-ignores]
"other.py" = ["F401"]
"""

NEW = """
# file: lib/__init__.py
# file: lib/layercheck.toml
[[rule]]
name = "t"
check = "private-names"
reason = "it is so"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, all of whose files are an hour old, with a cache of its own."""
    monkeypatch.setenv("LAYERCHECK_CACHE_DIR", str(tmp_path / "cache"))
    root = write_tree(tmp_path / "project", TREE)
    (tmp_path / ".git").mkdir()
    age(root)
    return root


def age(root: Path) -> None:
    """Let a clock tick: nobody can set back when a file's state last changed."""
    for path in root.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.fixture(autouse=True)
def _coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests cannot wait for a minute; the clock of this file system is fine enough."""
    monkeypatch.setattr("layercheck.source.stamps._SETTLED", 0)


@pytest.fixture(autouse=True)
def _same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever works on layercheck while its tests run."""
    monkeypatch.setattr(recall, "_code", lambda: "this")


def said(report: Report) -> Report:
    """A report without what every run says differently."""
    return msgspec.structs.replace(report, stats=Stats())


def request(root: Path) -> CheckRequest:
    return CheckRequest(root, jobs=1, today=date(2026, 11, 30))


def is_recalled(asked: CheckRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a run reads no code, having said what one without a cache says."""
    read: list[Survey] = []
    open_at = opened.open_at

    def told(seen: Survey, progress: Progress) -> opened.Opened:
        read.append(seen)
        return open_at(seen, progress)

    with monkeypatch.context() as patch:
        patch.setattr(opened, "open_at", told)
        report = check(asked)
    assert said(report) == said(check(replace(asked, cache=False)))
    return not read


def test_nothing_changed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_recalled(request(root), monkeypatch)
    assert is_recalled(request(root), monkeypatch)
    report = check(request(root))
    assert len(report.findings) == 2
    assert report.stats.cached == report.stats.modules + report.stats.consumers == 4


def edit(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        file = root / path
        before = file.stat()
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    return change


def create(path: str, text: str = "") -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")

    return change


def relink(root: Path, name: str, *beside: str) -> None:
    """Let a file be a link to itself in another folder, beside copies of others."""
    for other in (name, *beside):
        (root / "kept" / other).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / other, root / "kept" / other)
    (root / name).unlink()
    (root / name).symlink_to(root / "kept" / name)


CHANGES: dict[str, Callable[[Path], object]] = {
    "as many bytes, and the old time set again": edit("pkg/base.py", "pay", "gon"),
    "a consumer": edit("tests/test_till.py", "pkg.till", "pkg.nill"),
    "a new module": create("pkg/gone.py"),
    "a new folder": create("pkg/gone/x.py"),
    "a module less": lambda root: (root / "pkg" / "base.py").unlink(),
    "a folder less": lambda root: shutil.rmtree(root / "tests"),
    "a file replaced by another one": lambda root: (root / "pkg" / "base.py").replace(root / "pkg" / "till.py"),
    "a compiled module": create("pkg/base.cpython-311-x86_64-linux-gnu.so"),
    "the rules": edit("layercheck.toml", "for now", "for ever"),
    "a fragment": edit("pkg/layercheck.toml", '"s"', '"t"'),
    "a new fragment": lambda root: write_tree(root, NEW),
    "a new fragment beside no code": lambda root: create("more/layercheck.toml", NEW.partition("layercheck.toml\n")[2])(
        root
    ),
    "what the rules extend": edit("more.toml", "warning", "error"),
    "rules that lie elsewhere": lambda root: relink(root, "layercheck.toml", "more.toml", "pkg/layercheck.toml"),
    "what another linter leaves alone": edit("ruff.toml", "other.py", "till.py"),
    "what another linter leaves alone, in a nearer file": create("setup.cfg", "[flake8]\n"),
    "a checkout that ends above": lambda root: shutil.rmtree(root.parent / ".git"),
    "project files": create("pyproject.toml", '[project]\nname = "x"\n[project.scripts]\nx = "pkg.base:go"\n'),
    "layercheck itself": lambda root: None,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_something_changed(change: Callable[[Path], object], root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(request(root))
    assert is_recalled(request(root), monkeypatch)
    if change is CHANGES["layercheck itself"]:
        monkeypatch.setattr(recall, "_code", lambda: "another")
    change(root)
    assert not is_recalled(request(root), monkeypatch)


@pytest.mark.skipif(sys.platform != "linux", reason="file names are UTF-8 elsewhere")
@pytest.mark.parametrize("name", [b"pkg/caf\xe9.py", b"pkg/caf\xe9.so", b"tests/caf\xe9.py"])
def test_a_file_name_that_is_no_utf_8(root: Path, name: bytes) -> None:
    path = Path(os.fsdecode(os.fsencode(root) + b"/" + name))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"import gone" if name.startswith(b"tests") else b"")
    found = [check(request(root)).findings for _ in range(2)]
    assert found[0] == found[1]


def test_rules_where_there_were_none(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "layercheck.toml").unlink()
    create("../layercheck.toml", '[checks]\ncycles = "warning"\n')(root)
    check(request(root))
    assert is_recalled(request(root), monkeypatch)
    create("layercheck.toml", '[checks]\ncycles = "error"\n')(root)
    assert not is_recalled(request(root), monkeypatch)


WIDE = """
# file: app/__init__.py
# file: app/base.py
import os
import torch

LIMIT = 3


def pay(x):
    return os.path.join(x, torch.one(LIMIT))
# file: app/till.py
'''What it is.'''
from app.base import pay  # noqa: F401
from app.base import gone
import json


def go():
    from app import shop
    return shop.open()
# file: app/shop.py
import app.till


def open():
    return app.till.go()
# file: tests/test_till.py
from unittest import mock
import app.till


def test_it():
    with mock.patch("app.till.nothing"):
        app.till.go()
# file: layercheck.toml
[[rule]]
name = "up"
check = "layers"
reason = "it is so"
within = "app"
reach = "transitive"
order = ["shop", "till", "base"]
"""


@pytest.fixture
def wide(root: Path) -> Path:
    shutil.rmtree(root)
    write_tree(root, WIDE)
    age(root)
    return root


MOVED: dict[str, Callable[[Path], object]] = {
    "a line above imports": edit("app/till.py", "from app.base import pay", "\n# more\n\nfrom app.base import pay"),
    "a line between imports": edit("app/till.py", "from app.base import gone", "\nfrom app.base import gone"),
    "lines in a function": edit("app/till.py", "    from app", "    x = 1\n    y = x\n    from app"),
    "more of what lies outside": edit("app/base.py", "    return os", "    torch.two(os.sep)\n    return os"),
    "a consumer": edit("tests/test_till.py", "def test", "\ndef test"),
    "a comment": edit("app/shop.py", "app.till.go()", "app.till.go()  # goes"),
    "a docstring on more lines": edit("app/till.py", "What it is.", "What\nit\nis."),
}

OTHERWISE: dict[str, Callable[[Path], object]] = {
    "an import more": edit("app/base.py", "LIMIT = 3", "import app.shop\nLIMIT = 3"),
    "an import less": edit("app/till.py", "from app.base import gone", ""),
    "in another column": edit("app/till.py", "    from app", "    if 1:\n     from app"),
    "two imports on one line": edit("app/base.py", "import os\nimport torch", "import os; import torch"),
    "in another order": edit("app/base.py", "import os\nimport torch", "import torch\nimport os"),
    "a use less": edit("app/till.py", "shop.open()", "1"),
    "another attribute of a module": edit("app/shop.py", "app.till.go()", "app.till.gone"),
    "a name more": edit("app/base.py", "LIMIT = 3", "LIMIT = 3\nMORE = 4"),
    "a comment that is an ignore": edit("app/till.py", "import gone", "import gone  # layercheck: ignore[cycles] x"),
    "a comment that is none any more": edit("app/till.py", "  # noqa: F401", ""),
    "another target of a patch": edit("tests/test_till.py", "app.till.nothing", "app.till.go"),
    "no Python": edit("app/base.py", "LIMIT = 3", "LIMIT ="),
}


@pytest.mark.parametrize("change", MOVED.values(), ids=MOVED)
def test_where_only_lines_move_nothing_is_judged_again(
    change: Callable[[Path], object], wide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(check(request(wide)).findings) >= 4
    change(wide)
    assert is_recalled(request(wide), monkeypatch)
    assert is_recalled(request(wide), monkeypatch)
    assert edit("app/till.py", "def go", "\n\ndef go")(wide) is None
    assert is_recalled(request(wide), monkeypatch)


@pytest.mark.parametrize("change", OTHERWISE.values(), ids=OTHERWISE)
def test_where_more_changes_all_is_judged_again(
    change: Callable[[Path], object], wide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(request(wide))
    change(wide)
    assert not is_recalled(request(wide), monkeypatch)


def test_how_many_lines_there_are_matters_to_some_rules(wide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (wide / "layercheck.toml").open("a") as file:
        file.write('[[rule]]\nname = "b"\ncheck = "oversized-modules"\nreason = "x"\nmax_lines = 12\n')
    check(request(wide))
    edit("app/base.py", "torch.one", "torch.two")(wide)
    assert is_recalled(request(wide), monkeypatch)
    edit("app/base.py", "    return", "\n" * 6 + "    return")(wide)
    assert not is_recalled(request(wide), monkeypatch)


RING = """
# file: app/__init__.py
# file: app/a.py
from app.b import y
x = 1
# file: app/b.py
from app.a import x
y = 1
# file: lib/__init__.py
# file: lib/a.py
z = 1
"""


@pytest.mark.parametrize(("path", "same"), [("lib/a.py", True), ("app/a.py", False)])
def test_a_message_that_tells_lines_is_of_the_modules_that_it_names(
    path: str, same: bool, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(root)
    write_tree(root, RING)
    assert "run only as far as its line 1" in check(request(root)).findings[0].problem.message
    (root / path).write_text("\n" + (root / path).read_text("utf-8"), "utf-8")
    assert is_recalled(request(root), monkeypatch) is same


TEXT = """
# x
x = 1
import os
import json
json.loads
from app.base import pay
pay()
import app.shop
def f():
    import app.till
    app.till.go()
    x = app.base.LIMIT
os.sep
if x:
    pass
from app.base import gone  # layercheck: ignore[broken-imports] so
__all__ = ["pay"]
class A(pay):
"""


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["app/base.py", "app/till.py", "app/shop.py", "tests/test_till.py"]),
            st.integers(0, 9),
            st.booleans(),
            st.sampled_from(TEXT.splitlines()),
        ),
        min_size=1,
        max_size=8,
    )
)
@settings(deadline=None, max_examples=30)
def test_whatever_line_is_edited_a_run_says_the_same(steps: list[tuple[str, int, bool, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        write_tree(root, WIDE)
        patch.setenv("LAYERCHECK_CACHE_DIR", str(root.parent / "cache"))
        patch.setattr("layercheck.source.stamps._SETTLED", 0)
        check(request(root))
        for path, at, instead, line in steps:
            lines = (root / path).read_text("utf-8").split("\n")
            lines[at : at + instead] = [line]
            (root / path).write_text("\n".join(lines), "utf-8")
            assert said(check(request(root))) == said(check(replace(request(root), cache=False)))


def test_asked_otherwise(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    baseline = root.parent / "known.jsonl"
    baseline.write_text(recording.write_baseline(request(root), baseline).text, "utf-8")
    other = root.parent / "other.toml"
    other.write_text('[checks]\ncycles = "error"\n', "utf-8")
    for asked in (
        request(root),
        replace(request(root), selection=Selection(select=("cycles",))),
        replace(request(root), selection=Selection(packages=("pkg.base",))),
        replace(request(root), today=date(2027, 1, 1)),
        replace(request(root), baseline=baseline),
        replace(request(root), rules=other),
    ):
        assert not is_recalled(asked, monkeypatch), asked
        assert is_recalled(asked, monkeypatch), asked
    baseline.write_text(baseline.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    assert not is_recalled(replace(request(root), baseline=baseline), monkeypatch)
    assert not is_recalled(replace(request(root), cache=False), monkeypatch)


def test_touched_files_are_read_and_the_report_stays(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(request(root))
    (root / "pkg" / "base.py").touch()
    assert is_recalled(request(root), monkeypatch)


def test_a_file_that_has_just_changed_is_not_taken_by_its_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layercheck.source.stamps._SETTLED", 3600)
    check(request(root))
    monkeypatch.setattr(recall, "stamp_of", lambda status: pytest.fail("its time was looked at"))
    assert is_recalled(request(root), monkeypatch)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")
def test_a_file_that_cannot_be_read_is_looked_at_each_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "pkg" / "nowhere.py").symlink_to("nothing")
    check(request(root))
    assert not is_recalled(request(root), monkeypatch)


ODD = [b"", b"\xc1", *map(msgspec.msgpack.encode, (None, [], [[b"k", 1]], [["k", 1]], {"k": 1}, [[b"k", [{}, {}]]]))]


@pytest.mark.parametrize("payload", ODD, ids=range(len(ODD)))
def test_odd_files_are_not_trusted(payload: bytes, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(request(root))
    folder = kept.default_folder(root, os.environ)
    assert folder is not None
    kept.write(folder, "reports.msgpack", payload)
    assert not is_recalled(request(root), monkeypatch)
    assert is_recalled(request(root), monkeypatch)


def test_what_can_be_mended_depends_on_what_can_be_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "pkg" / "till.py").write_text("import os\n\ndef go(): ...\n", "utf-8")
    assert sum(finding.problem.fixable for finding in fixing.mark(request(root)).findings) == 1
    monkeypatch.setattr(fixing, "unwritable", lambda root, path: "it is read-only")
    assert not any(finding.problem.fixable for finding in fixing.mark(request(root)).findings)


def test_what_could_be_mended_is_another_report(root: Path) -> None:
    (root / "pkg" / "till.py").write_text("import os\n\ndef go(): ...\n", "utf-8")
    for ask, fixable in ((check, 0), (fixing.mark, 1), (check, 0), (fixing.mark, 1)):
        assert sum(finding.problem.fixable for finding in ask(request(root)).findings) == fixable


def test_only_so_many_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [replace(request(root), today=date(2026, 1, day)) for day in range(1, 20)]
    for asked in days:
        check(asked)
    assert not is_recalled(days[0], monkeypatch)
    assert is_recalled(days[-1], monkeypatch)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["pkg/a.py", "pkg/b.py", "tests/test_a.py"]),
            st.sampled_from(["import pkg.a\n", "import pkg.b\n", "from pkg.b import x\n", "x = 1\n", None]),
        ),
        max_size=6,
    )
)
@settings(deadline=None, max_examples=60)
def test_whatever_is_edited_a_run_says_the_same(edits: list[tuple[str, str | None]]) -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        patch.setenv("LAYERCHECK_CACHE_DIR", str(root.parent / "cache"))
        patch.setattr("layercheck.source.stamps._SETTLED", 0)
        for path, text in [("pkg/__init__.py", ""), *edits]:
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True) if text is None else file.write_text(text, "utf-8")
            assert said(check(request(root))) == said(check(replace(request(root), cache=False)))


def test_a_change_of_layercheck_itself_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    copy = shutil.copytree(Path(recall.__file__).parents[1], tmp_path / "layercheck")
    monkeypatch.setattr(recall, "__file__", str(copy / "run" / "recall.py"))
    before = recall._code()
    assert recall._code() == before
    with (copy / "checks" / "cycles.py").open("a") as file:
        file.write("# another\n")
    assert recall._code() != before
