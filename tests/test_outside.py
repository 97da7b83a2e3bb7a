"""A run on a part of the project: what rules name elsewhere is told as such, and no part is read in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from layercheck.finding import Report
from layercheck.run import CheckRequest, check
from tests.tree import RULES, write_tree

CODE = """
# file: app/__init__.py
# file: app/a.py
import app.sub.y
# file: app/sub/__init__.py
# file: app/sub/x.py
import app.a
# file: app/sub/y.py
# file: lib/__init__.py
# file: lib/z.py
import app.a
"""

MEND = "give the folder of the rules file as ROOT, and --package app.sub to narrow what is shown"


def rule(check: str, options: str) -> str:
    return f'[[rule]]\nname = "r"\ncheck = "{check}"\nreason = "x"\n{options}\n'


def run(folder: Path, rules: str, root: str = "app/sub") -> Report:
    (folder / ".git").mkdir()
    write_tree(folder, f"# file: {RULES}\n{rules}{CODE}")
    return check(CheckRequest(folder / root, cache=False))


def told(report: Report) -> list[tuple[str, str]]:
    return [(one.severity, one.problem.message) for one in report.findings if one.check == "rules-file"]


LIB = "lib lies outside of what was read, which is only a part of what the rules are for"
OUTSIDE = "app.a lies outside app.sub, which is all that was read"

NAMES = {
    "a layer": ("layers", 'order = ["app.a", "app.sub"]', [("error", f"rule r: order[0]: {OUTSIDE}")]),
    "a layer that need not exist": (
        "layers",
        'order = [{ name = "app.a", optional = true }, "app.sub"]',
        [("warning", f"rule r: order[0].name: {OUTSIDE}")],
    ),
    "siblings that need not exist": (
        "layers",
        'order = [{ any = ["app.b", { name = "app.c.d" }], optional = true }, "app.sub"]',
        [
            ("warning", "rule r: order[0].any[0]: app.b lies outside app.sub, which is all that was read"),
            ("warning", "rule r: order[0].any[1].name: app.c.d lies outside app.sub, which is all that was read"),
        ],
    ),
    "layers within the package around": (
        "layers",
        'within = "app"\norder = ["a", "sub"]',
        [("error", f"rule r: order[0]: {OUTSIDE}")],
    ),
    "layers of a container": (
        "layers",
        'containers = ["app"]\norder = ["a", "sub"]',
        [("error", f"rule r: order[0]: {OUTSIDE}")],
    ),
    "another top-level package": (
        "layers",
        'order = ["lib", "app.sub"]',
        [
            (
                "error",
                f"rule r: order[0]: {LIB}",
            )
        ],
    ),
    "another top-level package that need not exist": (
        "layers",
        'order = [{ name = "lib", optional = true }, "app.sub"]',
        [
            (
                "warning",
                f"rule r: order[0].name: {LIB}",
            )
        ],
    ),
    "what is not a name of the project": ("forbidden-imports", 'from = ["app.sub"]\nto = ["torch.nn"]', []),
    "who may": (
        "protected-modules",
        'modules = ["app.sub.y"]\nimporters = ["app.a"]',
        [("error", f"rule r: importers[0]: {OUTSIDE}")],
    ),
    "a pattern": (
        "dependent-siblings",
        'modules = ["app.sub.*", "app.features.*"]',
        [("error", "rule r: modules[1]: app.features.* lies outside app.sub, which is all that was read")],
    ),
    "a pattern that could mean something here": (
        "dependent-siblings",
        'modules = ["app.sub.*", "app.*.deep"]',
        [("error", "rule r: modules[1]: no module fits the pattern app.*.deep")],
    ),
    "what a module defines": (
        "growing-modules",
        'within = "app"\nmodules = { a = ["C"], "sub.x" = [] }',
        [("error", f"rule r: modules.a: {OUTSIDE}")],
    ),
    "the children of the package around": (
        "growing-modules",
        'children_of = { app = ["b", "sub"] }',
        [("error", "rule r: children_of.app: only app.sub of app was read")],
    ),
    "what a package around offers": (
        "private-names",
        'interfaces = { app = ["a"], "app.sub" = ["x"] }',
        [("error", f"rule r: interfaces.app[0]: {OUTSIDE}")],
    ),
    "where a class is for now": (
        "misplaced-classes",
        'subclasses_of = ["threading.Thread"]\nhome = "app.sub"\nbut = { C = "app.a" }\nallow_empty = true',
        [],
    ),
    "a misspelt name": (
        "layers",
        'order = ["app.sub.x", "app.sub.yy"]',
        [("error", "rule r: order[1]: there is no module app.sub.yy; did you mean app.sub.y?")],
    ),
}


@pytest.mark.parametrize(("kind", "options", "expected"), NAMES.values(), ids=NAMES)
def test_what_rules_name_outside(tmp_path: Path, kind: str, options: str, expected: list[tuple[str, str]]) -> None:
    report = run(tmp_path, rule(kind, options))
    assert told(report) == expected
    outside = [one.problem.help for one in report.findings if "was read" in one.problem.message]
    assert set(outside) <= {MEND}


def test_what_to_do_where_the_rules_file_is_not_above(tmp_path: Path) -> None:
    write_tree(tmp_path, f"# file: rules/x.toml\n{rule('layers', NAMES['a layer'][1])}{CODE}")
    report = check(CheckRequest(tmp_path / "app/sub", rules=tmp_path / "rules/x.toml", cache=False))
    assert told(report) == NAMES["a layer"][2]
    helps = [one.problem.help for one in report.findings if one.check == "rules-file"]
    assert helps == [MEND.replace("the folder of the rules file", "a folder that holds it")]


def test_the_whole_project_gives_none_of_it(tmp_path: Path) -> None:
    report = run(tmp_path, rule("layers", 'order = [{ name = "lib", optional = true }, "app.a", "app.sub"]'), root=".")
    assert told(report) == []
    assert report.part == ""


def test_settings_that_name_what_is_outside(tmp_path: Path) -> None:
    report = run(tmp_path, '[project]\napi = ["app.a", "app.sub.x", "lib"]\npackages = ["app"]\n')
    assert told(report) == [
        ("error", f"project: api[0]: {OUTSIDE}"),
        ("error", f"project: api[2]: {LIB}"),
    ]


VERDICTS = {
    "from, to": (
        "forbidden-imports",
        'from = ["app.sub"]\nto = ["app.a"]',
        "app.sub.x imports app.a, which it may not import",
    ),
    "only_to": (
        "forbidden-imports",
        'from = ["app.sub"]\nonly_to = ["app.sub"]',
        "app.sub.x imports app.a, but may import only app.sub",
    ),
    "layers": (
        "layers",
        'order = ["app.a", "app.sub"]',
        "app.sub.x (layer app.sub) imports app.a (layer app.a), which is above it",
    ),
    "protected": (
        "protected-modules",
        'modules = ["app.a"]\nimporters = ["lib"]',
        "app.sub.x imports app.a, which only lib may import",
    ),
}


@pytest.mark.parametrize(("kind", "options", "message"), VERDICTS.values(), ids=VERDICTS)
@pytest.mark.parametrize("root", [".", "app/sub"])
def test_an_import_that_leads_outside_is_named_and_judged_as_it_stands(
    tmp_path: Path, root: str, kind: str, options: str, message: str
) -> None:
    report = run(tmp_path, rule(kind, options), root)
    assert [one.problem.message for one in report.findings if one.rule == "r"] == [message]


def test_ignores_and_exemptions_that_may_be_used_elsewhere(tmp_path: Path) -> None:
    options = (
        'order = ["app.sub.x", "app.sub.y"]\nexempt = ["app.sub.y"]\n'
        'ignore = [{ import = "app.a -> app.sub.y", reason = "x" }]'
    )
    assert told(run(tmp_path, rule("layers", options))) == []


@pytest.mark.parametrize(
    ("rules", "root", "part"),
    [
        ("[checks]\ncycles = 'error'\n", "app/sub", f"Only sub/ was read; the rules are those of ../../{RULES}."),
        ("[checks]\ncycles = 'error'\n", "lib", f"Only lib/ was read; the rules are those of ../{RULES}."),
        ("[checks]\ncycles = 'error'\n", ".", ""),
    ],
)
def test_a_part_is_said(tmp_path: Path, rules: str, root: str, part: str) -> None:
    report = run(tmp_path, rules, root)
    assert report.part == part
    assert not part or part in report.notes


def test_a_part_of_a_package_is_said_where_no_rules_file_says_it(tmp_path: Path) -> None:
    write_tree(tmp_path, CODE)
    assert (
        check(CheckRequest(tmp_path / "app/sub", cache=False)).part == "Only app.sub was read, which is a part of app."
    )
    assert check(CheckRequest(tmp_path / "app", cache=False)).part == ""
