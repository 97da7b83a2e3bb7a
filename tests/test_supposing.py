"""``what-if "A -> B"``: what it foresees is what check finds once the import is really there."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.config import read_config
from layercheck.facts import Kind, ModuleFacts
from layercheck.finding import Finding
from layercheck.project.supposing import Supposed, with_import
from layercheck.run.judgement import judge
from tests.command import ROOT
from tests.test_cli import layercheck
from tests.tree import RULES, TODAY, build_project, write_tree

TREE = f"""
# file: {RULES}
[[rule]]
name = "floors"
check = "layers"
reason = "handlers may use the domain"
within = "app"
order = ["web", "orders", ["clock", "money"]]
# file: app/__init__.py
# file: app/web.py
import app.orders
# file: app/orders.py
\"\"\"Orders.\"\"\"
from app.clock import now
from app.money import Money

def order():
    return Money, now
# file: app/clock.py
now = 1
# file: app/money.py
class Money: ...
# file: tests/test_web.py
import app.web
"""


def what_if(folder: Path, text: str, *options: str) -> tuple[int, str, str]:
    done = layercheck("what-if", text, "--root", folder, "--no-cache", *options)
    return done.status, done.stdout, done.stderr


def test_what_breaks_is_told_with_its_rule(tmp_path: Path) -> None:
    assert what_if(write_tree(tmp_path, TREE), "app.clock -> app.money") == (
        1,
        "app.clock -> app.money (import-time) would break 1 rule:\n"
        "\n"
        "app/clock.py:1:1: error: layers [floors]\n"
        "    app.clock (layer clock) imports app.money (layer money), its independent\n"
        "    sibling\n"
        "    why: handlers may use the domain\n"
        "    help: siblings in a list do not import each other: move what is needed into\n"
        "    a layer below both, or pass it in\n",
        "",
    )


def test_the_page_shows_what_is_said(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "why.md").read_text(encoding="utf-8")
    told = what_if(write_tree(tmp_path, TREE), "app.clock -> app.money")[1]
    assert f'```console\n$ layercheck what-if "app.clock -> app.money"  # exit status 1\n{told}```\n' in page


def test_a_ring_is_shown_as_the_import_closes_it(tmp_path: Path) -> None:
    status, told, _ = what_if(write_tree(tmp_path, TREE), "app.money -> app.web")
    assert status == 1
    assert told.startswith("app.money -> app.web (import-time) would break 2 rules:\n")
    assert "error: layers [floors]" in told
    assert "warning: cycles\n    import ring of 3 modules: " in told
    assert told.endswith(
        "\nIt closes a ring: app.money -> app.web -> app.orders (app/web.py:1) -> app.money\n    (app/orders.py:3).\n"
    )


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("app.web -> app.money", ()),
        ("app.orders->app.clock.now", ()),
        ("app.web -> pandas", ()),
        ("tests/test_web.py -> app.clock", ()),
        ("app/web.py -> app.clock", ()),
    ],
)
def test_nothing_breaks(tmp_path: Path, text: str, options: tuple[str, ...]) -> None:
    status, told, _ = what_if(write_tree(tmp_path, TREE), text, *options)
    assert status == 0
    assert "would break none of 9 rules.\n" in told


def test_what_is_there_already_is_said(tmp_path: Path) -> None:
    told = what_if(write_tree(tmp_path, TREE), "app.orders -> app.clock")[1]
    assert told.endswith("\napp.orders imports app.clock already: app/orders.py:2 (import-time).\n")


def test_kinds(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    (tmp_path / RULES).write_text('[checks]\ncycles = "error"\n')
    assert what_if(tmp_path, "app.clock -> app.orders")[0] == 1
    assert what_if(tmp_path, "app.clock -> app.orders", "--kind", "deferred")[0] == 0
    assert what_if(tmp_path, "app.clock -> app.orders", "--kind", "typing")[0] == 0


@pytest.mark.parametrize("rules", ['[checks]\ncycles = "off"\nbroken-imports = "error"\n', ""])
def test_rings_are_always_looked_for(tmp_path: Path, rules: str) -> None:
    write_tree(tmp_path, TREE)
    (tmp_path / RULES).unlink()
    if rules:
        (tmp_path / RULES).write_text(rules)
    status, told, _ = what_if(tmp_path, "app.clock -> app.orders")
    assert status == 1
    assert "warning: cycles\n" in told


@pytest.mark.parametrize(
    ("options", "status", "found"),
    [
        ((), 1, {"floors", "cycles"}),
        (("--select", "floors"), 1, {"floors"}),
        (("--select", "cycles"), 1, {"cycles"}),
        (("--ignore", "floors"), 1, {"cycles"}),
        (("--ignore", "layers,cycles"), 0, set()),
        (("--select", "floors,cycles", "--ignore", "cycles"), 1, {"floors"}),
        (("--select", "broken-imports"), 0, set()),
    ],
)
def test_only_some_rules_are_asked(tmp_path: Path, options: tuple[str, ...], status: int, found: set[str]) -> None:
    write_tree(tmp_path, TREE)
    done = what_if(tmp_path, "app.money -> app.web", *options, "--format", "json")
    assert (done[0], {one["rule"] for one in json.loads(done[1])["findings"]}) == (status, found)
    told = what_if(tmp_path, "app.money -> app.web", *options)[1]
    assert ("It closes a ring" in told) is ("cycles" in found)


@pytest.mark.parametrize(
    ("target", "note"),
    [
        ("json", ""),
        ("pandas", "\npandas is taken for something outside the project; no file imports it yet.\n"),
        (
            "numpyy",
            "numpyy is taken for something outside the project; no file imports it yet. Did\n    you mean numpy?\n",
        ),
        ("numpy.linalg", "numpy.linalg is taken for something outside the project; no file imports it yet.\n"),
        ("numpy.random", ""),
    ],
)
def test_what_nobody_imports_yet_from_outside_is_said(tmp_path: Path, target: str, note: str) -> None:
    write_tree(tmp_path, TREE)
    (tmp_path / "app" / "money.py").write_text("import numpy\nfrom numpy import random\n")
    status, told, _ = what_if(tmp_path, f"app.web -> {target}")
    assert status == 0
    assert told.endswith(note)
    assert ("outside the project" in told) is bool(note)


def test_what_was_wrong_before_is_not_told(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    (tmp_path / "app" / "money.py").write_text("import app.web\nimport app.gone\n")
    assert what_if(tmp_path, "app.web -> app.clock")[0] == 0


class TestNewModules:
    def test_they_are_taken_for_empty_where_that_is_said(self, tmp_path: Path) -> None:
        write_tree(tmp_path, TREE)
        rules = (tmp_path / RULES).read_text().replace('"money"', '"money*"')
        (tmp_path / RULES).write_text(rules)
        status, told, _ = what_if(tmp_path, "app.clock -> app.moneys", "--new")
        assert status == 1
        assert "app.clock (layer clock) imports app.moneys (layer moneys), its independent" in told
        assert told.endswith("\napp.moneys is not there yet; it is taken for an empty module.\n")
        status, told, _ = what_if(tmp_path, "app.moneys -> app.web", "--new")
        assert status == 1
        assert "app/moneys.py:1:1: error: layers [floors]" in told

    @pytest.mark.parametrize("prefix", ["src/app", "app"])
    def test_they_lie_beside_the_others(self, tmp_path: Path, prefix: str) -> None:
        files = {f"{prefix}/deep/er/a.py": "import app", f"{prefix}/__init__.py": ""}
        write_tree(tmp_path, "".join(f"# file: {path}\n{text}\n" for path, text in files.items()))
        (tmp_path / RULES).write_text(
            '[[rule]]\nname = "x"\ncheck = "forbidden-imports"\nreason = "x"\nfrom = ["app", "b"]\nto = ["sys"]\n'
            "allow_empty = true\n"
        )
        for name, path in (("app.b", "b.py"), ("app.deep.b", "deep/b.py"), ("app.deep.er.b", "deep/er/b.py")):
            assert f"{prefix}/{path}:1:1: error: forbidden-imports" in what_if(tmp_path, f"{name} -> sys", "--new")[1]

    @pytest.mark.parametrize(
        ("text", "options", "lines"),
        [
            ("app.wed -> app.clock", (), ["there is no module app.wed; did you mean app.web? (--new takes it for"]),
            ("app.web -> app.clok", (), ["there is no module app.clok; did you mean app.clock? (--new takes it for"]),
            ("app.wed -> app.clok", (), ["there is no module app.wed", "there is no module app.clok"]),
            ("app.webs.a -> app.web", ("--new",), ["there is no package app.webs"]),
            ("app.web -> a/b.py", ("--new",), ["'a/b.py' is neither a name nor the path of a file of this project"]),
            (
                "app.web, app.clock",
                (),
                ["'app.web, app.clock' is no import; write it as in \"app.orders -> app.mail\""],
            ),
            ("app.web ->", (), ["'app.web ->' is no import"]),
            ("app.web -> app.* ", (), ["app.* is a pattern; name one module on each side"]),
            ("app.web.x -> app.clock", (), ["there is no module app.web.x"]),
            ("app.clock.now -> app.web", (), ["app.clock.now is a name in the module app.clock; name the module"]),
            (
                "app.bare -> app.web",
                (),
                ["app.bare has no __init__.py that could import anything; name a module in it"],
            ),
            ("json -> app.web", (), ["json is not of this project, so no import is written in it"]),
            ("app.web -> app.clock", ("--select", "flors"), ["--select: no check or rule is called 'flors'; did you"]),
            ("app.broken -> app.web", (), ["app/broken.py cannot be parsed, so nothing can be said of it"]),
        ],
    )
    def test_what_cannot_be_supposed(
        self, tmp_path: Path, text: str, options: tuple[str, ...], lines: list[str]
    ) -> None:
        write_tree(tmp_path, TREE)
        (tmp_path / "app" / "broken.py").write_text("(")
        (tmp_path / "app" / "bare").mkdir()
        (tmp_path / "app" / "bare" / "a.py").touch()
        status, told, errors = what_if(tmp_path, text, *options)
        assert (status, told) == (2, "")
        assert len(errors.splitlines()) == len(lines)
        assert all(part in line for part, line in zip(lines, errors.splitlines(), strict=True)), errors


def test_json_is_that_of_check(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    status, told, _ = what_if(tmp_path, "app.clock -> app.money", "--format", "json")
    report = json.loads(told)
    assert status == 1
    assert report["status"] == "findings"
    [found] = report["findings"]
    assert (found["check"], found["importer"], found["imported"]) == ("layers", "app.clock", "app.money")
    assert what_if(tmp_path, "app.clock -> app.money", "--format", "json", "--output", str(tmp_path / "x"))[1] == ""
    assert json.loads((tmp_path / "x").read_text())["findings"] == report["findings"]


NAMES = ["p", "p.a", "p.b", "p.c", "q", "q.d", "q.e", "f"]
PATHS = {"p": "p/__init__.py", "q": "q/__init__.py"} | {
    name: f"{name.replace('.', '/')}.py" for name in NAMES if name not in ("p", "q")
}
LAWS = """
[checks]
cycles = "error"
broken-imports = "error"
[[rule]]
name = "floors"
check = "layers"
reason = "x"
within = "p"
reach = "transitive"
order = ["a", ["b", "c"]]
[[rule]]
name = "packages"
check = "layers"
reason = "x"
order = ["q", "p"]
kinds = ["import-time", "deferred"]
ignore = [{ import = "p.b -> q.d", reason = "x", max = 1, optional = true }]
[[rule]]
name = "no-sys"
check = "forbidden-imports"
reason = "x"
from = ["p.c"]
to = ["sys", "q.e"]
reach = "transitive"
allow_empty = true
[[rule]]
name = "alone"
check = "dependent-siblings"
reason = "x"
modules = ["q.*"]
[[rule]]
name = "guarded"
check = "protected-modules"
reason = "x"
modules = ["f"]
importers = ["p"]
[[rule]]
name = "late"
check = "kinds-of-import"
reason = "x"
from = ["q"]
to = ["f"]
only = ["deferred"]
[[rule]]
name = "light"
check = "heavy-imports"
reason = "x"
entry = "f"
avoid = ["json", "sys"]
"""


def written(text: str, kind: Kind, target: str) -> str:
    """A text with an import put behind those that it begins with."""
    if kind == "deferred":
        return f"{text}def added():\n    import {target}\n    return {target}\n"
    head, tail = text.split("# end\n")
    if kind == "typing":
        return f"{head}if False:\n    import {target}\n# end\n{tail}"
    return f"{head}import {target}\n# end\n{tail}"


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_what_it_foresees_comes_about(data: st.DataObject) -> None:
    names = st.sampled_from(NAMES)
    pairs = data.draw(st.sets(st.tuples(names, names), max_size=10))
    late = data.draw(st.sets(st.tuples(names, names), max_size=4))
    files = {
        PATHS[name]: "".join(f"import {imported}\n" for importer, imported in sorted(pairs) if importer == name)
        + "# end\nx = 1\n"
        + "".join(
            f"def f{i}():\n    import {to}\n" for i, (importer, to) in enumerate(sorted(late)) if importer == name
        )
        for name in NAMES
    }
    importer, imported = data.draw(names), data.draw(st.sampled_from([*NAMES, "sys", "json.decoder", "p.x"]))
    kind: Kind = data.draw(st.sampled_from(["import-time", "deferred", "typing"]))
    path = PATHS[importer]
    config = read_config(LAWS, RULES)
    project = build_project(files, config)
    supposed = Supposed(path, "p", "x", kind) if imported == "p.x" else Supposed(path, imported, "", kind)
    target = "p" if imported == "p.x" else imported
    after = written(files[path], kind, target)
    if imported == "p.x":
        after = after.replace("import p\n", "from p import x\n") if "import p\n" not in files[path] else ""
    if not after:
        return

    def found(text: str | None, there: bool) -> dict[str, Finding]:
        changed = files if text is None else {**files, path: text}
        one = build_project(changed, config) if text is not None or not there else with_import(project, supposed)
        return {finding.fingerprint: finding for finding in judge(one, config, TODAY).findings}

    before = found(None, there=False)
    foreseen = {key: one for key, one in found(None, there=True).items() if key not in before}
    real = {key: one for key, one in found(after, there=True).items() if key not in before}
    real = {key: one for key, one in real.items() if one.check != "orphaned-imports"}
    assert foreseen.keys() == real.keys()
    for key, one in foreseen.items():
        assert (one.rule, one.severity) == (real[key].rule, real[key].severity)
        assert one.problem.location.path == real[key].problem.location.path


@pytest.mark.parametrize("kind", ["import-time", "deferred", "typing"])
@pytest.mark.parametrize("text", ["", '"""Doc."""\nimport os\n\nx = os\n'])
def test_a_supposed_import_is_a_fact_like_others(kind: Kind, text: str) -> None:
    project = with_import(build_project({"a.py": text, "b.py": ""}), Supposed("a.py", "b", "", kind))
    (facts,) = (member.facts for member in project.members if member.path == "a.py")
    assert msgspec.convert(msgspec.to_builtins(facts), ModuleFacts) == facts  # raises where a field is not of its type
    added = next(taken for taken in facts.imports if taken.module == "b")
    assert 1 <= added.span.line == added.span.end_line <= max(facts.lines, 1)
    assert 1 <= added.span.column == added.span.end_column
