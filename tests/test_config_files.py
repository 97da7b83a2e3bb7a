"""Rules in several files: what extends and include mean, and every way in which they can be wrong."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

import pytest

from layercheck.checks import Options, all_checks
from layercheck.checks.forbidden_imports import ForbiddenImportsOptions
from layercheck.checks.layers import LayersOptions
from layercheck.config import Config, find_rules, on_disk, read_config, settle
from layercheck.config.shelf import shelf_of
from layercheck.errors import LayercheckError
from layercheck.finding import Finding
from layercheck.run import CheckRequest, check
from layercheck.run.judgement import judge
from tests.tree import RULES, TODAY, build_project, parse_tree, write_tree


def rule(name: str, more: str = "", check: str = "cycles") -> str:
    return f'[[rule]]\nname = "{name}"\ncheck = "{check}"\nreason = "x"\n{more}\n'


def read(files: dict[str, str], path: str = RULES, root: str = "") -> Config:
    folder = path.rpartition("/")[0]
    return read_config(files[path], path, folder=folder, root=root, shelf=shelf_of(files))


def faults(files: dict[str, str]) -> list[str]:
    with pytest.raises(LayercheckError) as caught:
        read(files)
    assert not any("\n" in line for line in caught.value.lines)
    return list(caught.value.lines)


class TestExtends:
    def test_rules_are_added_and_those_extended_come_first(self) -> None:
        config = read({RULES: "extends = ['rules/x.toml']\n" + rule("own"), "rules/x.toml": rule("theirs")})
        declared = [(one.name, one.file, one.line) for one in config.rules if one.declared]
        assert declared == [("theirs", "rules/x.toml", 1), ("own", RULES, 2)]
        assert config.files == (RULES, "rules/x.toml")

    def test_project_keys_and_checks_are_overridden_one_by_one(self) -> None:
        config = read(
            {
                RULES: "extends = ['a.toml', 'b.toml']\n[project]\napi = ['own']\n[checks]\ncycles = 'off'",
                "a.toml": "[project]\napi = ['a']\npackages = ['a']\n"
                "[checks]\ncycles = 'error'\nbroken-imports = 'off'",
                "b.toml": "[project]\npackages = ['b']\n[checks]\norphaned-imports = { severity = 'error' }",
            }
        )
        assert (config.project.api, config.project.packages) == (("own",), ("b",))
        severities = {one.name: (one.severity, one.file) for one in config.rules if one.declared}
        assert severities == {
            "cycles": ("off", RULES),
            "broken-imports": ("off", "a.toml"),
            "orphaned-imports": ("error", "b.toml"),
        }
        assert (config.places["packages[0]"].path, config.places["packages[0]"].line) == ("b.toml", 2)
        assert config.places["api"].path == RULES

    def test_paths_are_relative_to_the_file_they_stand_in(self) -> None:
        config = read({RULES: "extends = ['rules/x.toml']", "rules/x.toml": "[project]\nexclude = ['../a', 'b']"})
        assert config.project.exclude == ("a", "rules/b")

    def test_a_file_that_two_extend_is_read_once(self) -> None:
        config = read(
            {
                RULES: "extends = ['a.toml', 'b.toml']",
                "a.toml": "extends = ['sub/c.toml']\n" + rule("a"),
                "b.toml": "extends = ['./sub/../sub/c.toml']\n" + rule("b"),
                "sub/c.toml": rule("c"),
            }
        )
        assert [one.name for one in config.rules if one.declared] == ["c", "a", "b"]

    def test_a_pyproject_is_extended_by_its_table(self) -> None:
        config = read(
            {RULES: "extends = ['x/pyproject.toml']", "x/pyproject.toml": "[tool.layercheck.checks]\ncycles = 'off'"}
        )
        assert config.rules[0].severity == "off"

    def test_an_ignore_that_is_not_used_is_told_in_its_file(self, tmp_path: Path) -> None:
        write_tree(
            tmp_path,
            f"# file: {RULES}\nextends = ['rules/x.toml']\n# file: a.py\nx = 1\n# file: rules/x.toml\n"
            + rule(
                "r",
                "from = ['a']\nto = ['torch']\nignore = [{ import = 'a -> torch', reason = 'x' }]",
                "forbidden-imports",
            ),
        )
        found = check(CheckRequest(tmp_path, cache=False)).findings
        assert [(one.check, one.problem.location.path, one.problem.location.line) for one in found] == [
            ("rules-file", "rules/x.toml", 7)
        ]


EXTENDS_FAULTS: dict[str, tuple[dict[str, str], list[str]]] = {
    "a missing file": (
        {RULES: "\nextends = [\n  'gone.toml',\n]"},
        [f"{RULES}:3: extends[0]: there is no file gone.toml"],
    ),
    "a misspelt file": (
        {RULES: "extends = ['rules/shard.toml']", "rules/shared.toml": rule("r"), "x/y.toml": ""},
        [f"{RULES}:1: extends[0]: there is no file rules/shard.toml; did you mean 'rules/shared.toml'?"],
    ),
    "a misspelt include": (
        {RULES: "include = ['pgk/*.toml', 'pgk/rules.toml']", "pkg/rules.toml": rule("r")},
        [
            f"{RULES}:1: include[0]: no file matches 'pgk/*.toml'",
            f"{RULES}:1: include[1]: no file matches 'pgk/rules.toml'; did you mean 'pkg/rules.toml'?",
        ],
    ),
    "itself": (
        {RULES: "extends = ['layercheck.toml']"},
        [f"{RULES}:1: extends[0]: a file that extends itself: {RULES} -> {RULES}; take one of these out"],
    ),
    "in a circle": (
        {RULES: "extends = ['a/x.toml']", "a/x.toml": "# x\nextends = ['y.toml']", "a/y.toml": "extends = ['x.toml']"},
        ["a/y.toml:1: extends[0]: a file that extends itself: a/x.toml -> a/y.toml -> a/x.toml; take one of these out"],
    ),
    "an absolute path": (
        {RULES: "extends = ['/etc/passwd']"},
        [f"{RULES}:1: extends[0]: '/etc/passwd': write a path relative to this file, with slashes"],
    ),
    "an empty path": ({RULES: "extends = ['']"}, [f"{RULES}:1: extends[0]: '': write a path relative"]),
    "no list": ({RULES: "extends = 'x.toml'"}, [f"{RULES}:1: extends: expected a list, got text"]),
    "two rules of one name in two files": (
        {RULES: "extends = ['x.toml']\n" + rule("r"), "x.toml": "#\n" + rule("r")},
        [f"{RULES}:3: rule r, name: 'r' is already the name of the rule at x.toml:2"],
    ),
    "the text of an extended file": (
        {RULES: "extends = ['x.toml', 'y.toml']\n[cheks]", "x.toml": "[checks]\ncycels = 'off'", "y.toml": "["},
        [
            f"{RULES}:2: cheks: unknown key; did you mean 'checks'?",
            "x.toml:2: checks.cycels: no check is called 'cycels'; did you mean 'cycles'?",
            "y.toml:1:2: not valid TOML",
        ],
    ),
    "an extended file that declares nothing": (
        {RULES: "extends = ['x.toml']", "x.toml": ""},
        ["x.toml:1: declares nothing"],
    ),
    "an include that matches nothing": (
        {RULES: "include = ['*/gone.toml']\n[checks]\ncycles = 'off'"},
        [f"{RULES}:1: include[0]: no file matches '*/gone.toml'"],
    ),
    "an include from the root": (
        {RULES: "include = ['/etc/*.toml', '../x.toml', 'a/../../x.toml', 'C:/x.toml', '']"},
        [f"{RULES}:1: include[{index}]: " for index in range(5)],
    ),
    "an include of what is no rules file": (
        {RULES: "include = ['**']"},
        [f"{RULES}:1: include[0]: '**' names no .toml"],
    ),
    "a fragment that says more than rules": (
        {RULES: "include = ['*/x.toml']", "a/x.toml": "extends = ['y']\n[project]\napi = ['a']\n[chekcs]\n"},
        [
            "a/x.toml:1: extends: only [[rule]] may stand in a file that another one includes",
            "a/x.toml:2: project: only [[rule]] may stand in a file that another one includes",
            "a/x.toml:4: chekcs: unknown key; known keys: rule",
        ],
    ),
    "a fragment with the name of a rule elsewhere": (
        {RULES: "include = ['*/x.toml']\n" + rule("r"), "a/x.toml": rule("r")},
        [f"a/x.toml:2: rule r, name: 'r' is already the name of the rule at {RULES}:2"],
    ),
    "a rule of a fragment that is about everything": (
        {RULES: "include = ['*/x.toml']", "a/x.toml": rule("r", check="orphaned-imports")},
        ["a/x.toml:1: rule r: orphaned-imports looks beyond the package of this file"],
    ),
    "a rule of a fragment without a relative name": (
        {RULES: "include = ['*/x.toml']", "a/x.toml": rule("r", "from = ['b']\nto = ['c']", "forbidden-imports")},
        ["a/x.toml:1: rule r: forbidden-imports looks beyond the package of this file"],
    ),
    "the options of a fragment's rule": (
        {RULES: "include = ['*/x.toml']", "a/x.toml": rule("r", "order = ['b', 'b c']", "layers")},
        ["a/x.toml:5: rule r, order[1]: 'b c' is neither a name nor a pattern"],
    ),
}


@pytest.mark.parametrize(("files", "expected"), EXTENDS_FAULTS.values(), ids=EXTENDS_FAULTS)
def test_what_is_wrong_between_files(files: dict[str, str], expected: list[str]) -> None:
    lines = faults(files)
    assert len(lines) == len(expected), lines
    for line, start in zip(lines, expected, strict=True):
        assert line.startswith(start), line


def judged(text: str) -> tuple[Finding, ...]:
    files = parse_tree(text).files
    config = read_config(files[RULES], RULES, shelf=shelf_of(files))
    return judge(build_project(files, config), config, TODAY).findings


def tree(rules: str, at: str = "src/shop/pay/layercheck.toml", include: str = "**/layercheck.toml") -> str:
    return f"""
# file: {RULES}
include = ["{include}"]
[checks]
stale-reexports = "off"
# file: src/shop/__init__.py
# file: src/shop/pay/__init__.py
# file: src/shop/pay/cash.py
import shop.pay.card
import shop.till
# file: src/shop/pay/card.py
# file: src/shop/till.py
# file: {at}
{rules}
"""


RELATIVE = [
    (
        "layers",
        "order = ['.card', ['.a', '.b'], { any = ['.c', { name = '.d' }] }, { name = '.cash', optional = true }]\n"
        "closed = ['.card']\nexhaustive = true\noutside = ['.x*']\ncontainers = ['.', '.in.*']",
        "order = ['card', ['a', 'b'], { any = ['c', { name = 'd' }] }, { name = 'cash', optional = true }]\n"
        "closed = ['card']\nexhaustive = true\noutside = ['x*']\ncontainers = ['', 'in.*']",
    ),
    (
        "dependent-siblings",
        "modules = ['.card', '.*']\nthrough = ['.cash']",
        "modules = ['card', '*']\nthrough = ['shop.pay.cash']",
    ),
    (
        "protected-modules",
        "modules = ['.card']\nimporters = ['.cash']",
        "modules = ['card']\nimporters = ['shop.pay.cash']",
    ),
    ("uncovered-modules", "outside = ['.card']\nlayers = ['.cash']", "outside = ['card']\nlayers = ['shop.pay.cash']"),
    (
        "growing-modules",
        "children_of = { '.' = ['a'], '.card' = ['b'] }\nmodules = { '.cash' = ['C'] }",
        "children_of = { '' = ['a'], card = ['b'] }\nmodules = { cash = ['C'] }",
    ),
    (
        "oversized-modules",
        "max_lines = { '.' = 1, '.card' = 2 }\nmax_definitions = { '.**' = 3 }",
        "max_lines = { '' = 1, card = 2 }\nmax_definitions = { '**' = 3 }",
    ),
    (
        "misplaced-classes",
        "subclasses_of = ['.base.Base']\nhome = '.homes'\nbut = { A = '.card', B = ['.card', 'cash'] }",
        "subclasses_of = ['shop.pay.base.Base']\nhome = 'homes'\nbut = { A = 'card', B = ['card', 'cash'] }",
    ),
    (
        "private-names",
        "interfaces = { '.' = ['.card'], '.deep.sub' = ['.deep.sub.x', 'y'] }",
        "interfaces = { '' = ['card'], 'deep.sub' = ['x', 'y'] }",
    ),
    (
        "undeclared-imports",
        "modules = [{ name = '.card', may = ['.cash'] }, { name = 'cash' }]",
        "modules = [{ name = 'card', may = ['shop.pay.cash'] }, { name = 'cash' }]",
    ),
]
"""Of each check whose names are relative to ``within``: the same options with leading dots and without."""


def settled(text: str) -> Options:
    files = parse_tree(tree(text)).files
    config = read_config(files[RULES], RULES, shelf=shelf_of(files))
    return next(one.options for one in settle(config, build_project(files, config).package_at).rules if one.name == "r")


class TestInclude:
    def test_within_is_the_package_of_the_fragment(self) -> None:
        found = judged(tree(rule("r", "order = ['card', 'cash']", "layers")))
        assert [(one.rule, one.problem.location.path, one.problem.imported) for one in found] == [
            ("r", "src/shop/pay/cash.py", "shop.pay.card")
        ]

    def test_a_leading_dot_is_relative_to_the_package_and_other_names_are_absolute(self) -> None:
        found = judged(tree(rule("r", "from = ['.cash']\nto = ['..till']", "forbidden-imports")))
        assert [(one.problem.importer, one.problem.imported) for one in found] == [("shop.pay.cash", "shop.till")]
        found = judged(tree(rule("r", "from = ['.']\nto = ['shop.till']", "forbidden-imports")))
        assert [(one.problem.importer, one.problem.imported) for one in found] == [("shop.pay.cash", "shop.till")]

    @pytest.mark.parametrize(("check", "dotted", "plain"), RELATIVE, ids=[one[0] for one in RELATIVE])
    def test_a_leading_dot_in_a_key_that_is_relative_to_within(self, check: str, dotted: str, plain: str) -> None:
        options = [settled(rule("r", text, check)) for text in (dotted, plain, f"within = '.'\n{dotted}")]
        assert options == [settled(rule("r", f"within = 'shop.pay'\n{plain}", check))] * 3

    def test_each_key_that_is_relative_to_within_is_in_the_table(self) -> None:
        shown = {check: dotted for check, dotted, _ in RELATIVE}
        relative = {name: [*chain(*one.options.relative)] for name, one in all_checks().items()}
        relative = {name: keys for name, keys in relative.items() if keys}
        assert shown.keys() == relative.keys()
        for name, keys in relative.items():
            assert all(key.partition(".")[0] in shown[name] for key in keys), name

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("order = ['card', '..till']", r"\.\.till is shop\.till, and here only names below shop\.pay can stand"),
            ("within = '.card'\norder = ['.card.x', '.cash']", r"\.cash is shop\.pay\.cash, and here only names below"),
        ],
    )
    def test_a_leading_dot_that_leaves_within(self, text: str, message: str) -> None:
        with pytest.raises(LayercheckError, match=rf"^src/shop/pay/layercheck.toml:1: rule r: {message}"):
            judged(tree(rule("r", text, "layers")))

    def test_ignores_are_seen_from_the_package_too(self) -> None:
        ignore = "ignore = [{ import = '.cash -> ..till', reason = 'x' }]"
        assert judged(tree(rule("r", f"from = ['.cash']\nto = ['..till']\n{ignore}", "forbidden-imports"))) == ()

    def test_faults_are_told_in_the_fragment(self) -> None:
        found = judged(tree(rule("r", "order = ['card', 'chash']", "layers")))
        assert [(one.check, one.problem.location.path, one.problem.location.line) for one in found] == [
            ("rules-file", "src/shop/pay/layercheck.toml", 5)
        ]

    def test_a_fragment_in_no_package_is_a_finding(self) -> None:
        found = judged(tree(rule("r", "order = ['card', 'cash']", "layers"), at="docs/layercheck.toml"))
        assert [(one.check, one.severity, one.problem.location.path) for one in found] == [
            ("rules-file", "error", "docs/layercheck.toml")
        ]

    @pytest.mark.parametrize(("root", "found"), [("src/shop/pay", 1), ("src/shop/pay/deep", 0), ("src/other", 0)])
    def test_a_run_on_a_part_of_the_code(self, tmp_path: Path, root: str, found: int) -> None:
        text = tree(rule("r", "from = ['.cash']\nto = ['.card']", "forbidden-imports"))
        write_tree(tmp_path, text + "# file: src/shop/pay/deep/__init__.py\n# file: src/other/__init__.py\n")
        (tmp_path / ".git").mkdir()
        report = check(CheckRequest(tmp_path / root, cache=False))
        assert [one.rule for one in report.findings if one.problem.location.path.endswith(".py")] == ["r"] * found
        assert "lies in no package" not in "".join(one.problem.message for one in report.findings)

    def test_a_fragment_in_a_root_speaks_of_top_level_names(self) -> None:
        found = judged(
            tree(rule("r", "from = ['.shop.pay']\nto = ['.shop.till']", "forbidden-imports"), "src/x.toml", "*/x.toml")
        )
        assert [one.problem.imported for one in found] == ["shop.till"]

    def test_a_name_that_climbs_past_the_top(self) -> None:
        with pytest.raises(
            LayercheckError, match=r"^src/shop/pay/layercheck.toml:1: rule r: \.{4}x climbs past the top"
        ):
            judged(tree(rule("r", "from = ['.']\nto = ['....x']", "forbidden-imports")))

    def test_a_name_that_its_package_makes_wrong(self) -> None:
        text = rule("r", "within = '.'\norder = ['a']\nclosed = []\ncontainers = []\nexempt = []\n", "layers")
        with pytest.raises(LayercheckError, match="single layer"):
            judged(tree(text))

    def test_a_file_that_is_included_twice_is_read_once_and_no_file_includes_itself(self) -> None:
        files = {
            RULES: "include = ['**/layercheck.toml', 'a/*.toml']",
            "a/layercheck.toml": rule("r", "order = ['x', 'y']", "layers"),
        }
        assert read(files).files == (RULES, "a/layercheck.toml")

    def test_package_and_options_once_settled(self) -> None:
        files = {
            RULES: "include = ['*/x.toml']",
            "a/x.toml": rule("l", "order = ['x', 'y']", "layers")
            + rule("f", "from = ['.x', 'b']\nto = ['.']", "forbidden-imports")
            + rule("w", "within = '.inner'\norder = ['x', 'y']", "layers"),
        }
        config = settle(read(files), {"a": "top.a"}.get)
        options = {one.name: one.options for one in config.rules if one.declared}
        assert options == {
            "l": LayersOptions(within="top.a", order=("x", "y")),
            "f": ForbiddenImportsOptions(from_=("top.a.x", "b"), to=("top.a",)),
            "w": LayersOptions(within="top.a.inner", order=("x", "y")),
        }


class TestOnDisk:
    def write(self, root: Path, *paths: str) -> None:
        for path in paths:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("")

    @pytest.mark.parametrize(
        ("glob", "expected"),
        [
            ("*/layercheck.toml", ["a/layercheck.toml", "b/layercheck.toml"]),
            (
                "**/layercheck.toml",
                ["a/deep/layercheck.toml", "a/layercheck.toml", "b/layercheck.toml", "layercheck.toml"],
            ),
            ("a/**/layercheck.toml", ["a/deep/layercheck.toml", "a/layercheck.toml"]),
            ("[ab]/*.toml", ["a/layercheck.toml", "a/other.toml", "b/layercheck.toml"]),
            ("c/*.toml", []),
        ],
    )
    def test_what_a_glob_names(self, tmp_path: Path, glob: str, expected: list[str]) -> None:
        self.write(
            tmp_path,
            "layercheck.toml",
            "a/layercheck.toml",
            "a/other.toml",
            "a/deep/layercheck.toml",
            "b/layercheck.toml",
            "b/x.toml/layercheck.txt",
            ".hidden/layercheck.toml",
            "node_modules/a/layercheck.toml",
            "env/pyvenv.cfg",
            "env/layercheck.toml",
        )
        found = on_disk(None).find(tmp_path.as_posix(), glob)
        assert list(found) == [f"{tmp_path.as_posix()}/{path}" for path in expected]
        texts = shelf_of(dict.fromkeys(["layercheck.toml", *expected], ""))
        assert [path for path in texts.find("", glob) if path in expected] == expected

    @pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
    def test_no_link_is_followed(self, tmp_path: Path) -> None:
        self.write(tmp_path, "outside/layercheck.toml", "root/a/x.toml")
        (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
        (tmp_path / "root" / "a" / "layercheck.toml").symlink_to(tmp_path / "outside" / "layercheck.toml")
        assert on_disk(None).find((tmp_path / "root").as_posix(), "**/layercheck.toml") == ()

    def test_a_fragment_is_not_taken_for_the_rules_of_its_folder(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        self.write(tmp_path, "a/layercheck.toml", "b/layercheck.toml")
        (tmp_path / RULES).write_text("include = ['a/layercheck.toml']")
        found, other = find_rules(tmp_path / "a"), find_rules(tmp_path / "b")
        assert found is not None
        assert other is not None
        assert (found.path, other.path) == (tmp_path / RULES, tmp_path / "b" / RULES)

    def test_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / RULES).write_text("extends = ['x.toml', 'y.toml']")
        (tmp_path / "x.toml").write_bytes(b"# \xff")
        (tmp_path / "y.toml").mkdir()
        (tmp_path / "a.py").touch()
        with pytest.raises(LayercheckError) as caught:
            check(CheckRequest(tmp_path, cache=False))
        told = [line.replace(tmp_path.as_posix() + "/", "") for line in caught.value.lines]
        assert told == [
            f"{RULES}:1: extends[0]: x.toml:1: the rules file is not UTF-8; TOML has to be",
            f"{RULES}:1: extends[1]: y.toml: the rules file cannot be read: Is a directory",
        ]


class TestPathsThatMatchNothing:
    def found(self, tmp_path: Path, project: str) -> list[tuple[str, int, str]]:
        write_tree(tmp_path, f"# file: {RULES}\n[project]\n{project}\n# file: a/__init__.py\n# file: t/x.py\n")
        findings = check(CheckRequest(tmp_path, cache=False)).findings
        return [(one.severity, one.problem.location.line, one.problem.message) for one in findings]

    def test_consumers(self, tmp_path: Path) -> None:
        assert self.found(tmp_path, "consumers = [\n  't',\n  'test']") == [
            ("error", 4, "project: consumers[1]: nothing that would be read matches test")
        ]

    def test_what_is_excluded_may_be_made_by_a_build(self, tmp_path: Path) -> None:
        assert self.found(tmp_path, "exclude = ['t', 'made']") == [
            ("warning", 2, "project: exclude[1]: nothing that would be read matches made")
        ]

    def test_a_part_of_the_code_does_not_judge_them(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        assert len(self.found(tmp_path, "exclude = ['**/made']")) == 1
        assert check(CheckRequest(tmp_path / "a", cache=False)).findings == ()
