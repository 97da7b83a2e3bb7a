"""The rules file: what its text says, and every way in which the text can be wrong."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from layercheck.checks import all_checks
from layercheck.checks.cycles import CyclesOptions
from layercheck.config import Config, default_config, find_rules, read_config, read_rules_file
from layercheck.config.foreign import find_foreign, foreign_ignores, parse_flake8
from layercheck.config.places import line_of, places
from layercheck.errors import LayercheckError

FILE = "layercheck.toml"


def read(text: str) -> Config:
    return read_config(text, FILE)


def test_all_that_a_rule_may_say() -> None:
    config = read("""
[project]
api = ["pkg"]
roots = ["python"]

[[rule]]
name = "no-rings"
check = "cycles"
reason = "rings cannot be taken apart later"
help = "move it down"
docs = "docs/rings.md"
severity = "warning"
within = "pkg"
kinds = ["import-time", "deferred"]
allow_empty = true
ignore = [
    { import = "pkg.a -> pkg.b", reason = "#1", max = 2, until = 2027-01-31 },
    { import = "pkg.**  ->  pkg.c", reason = "#2" },
]
""")
    rule = config.rules[0]
    assert (rule.name, rule.check, rule.severity, rule.reason) == (
        "no-rings",
        "cycles",
        "warning",
        "rings cannot be taken apart later",
    )
    assert (rule.help, rule.docs, rule.allow_empty, rule.declared) == ("move it down", "docs/rings.md", True, True)
    assert rule.options == CyclesOptions(within="pkg", kinds=("import-time", "deferred"))
    first, second = rule.ignore
    assert (first.importer, first.imported, first.max, first.until) == ("pkg.a", "pkg.b", 2, date(2027, 1, 31))
    assert (second.importer, second.imported, second.max, second.until) == ("pkg.**", "pkg.c", None, None)
    assert (rule.line, first.line, second.line) == (6, 17, 18)
    assert (rule.line_of("kinds[1]"), rule.line_of("within"), rule.line_of("order[3].any")) == (14, 13, 6)
    assert config.project.api == ("pkg",)
    assert config.project.roots == ("python",)


def test_checks_by_name() -> None:
    rules = {
        rule.name: rule
        for rule in read("""
[checks]
cycles = "warning"
broken-imports = "off"
unreadable-files = { consumers = "off" }
indirect-imports = {}
""").rules
    }
    assert rules["cycles"].severity == "warning"
    assert rules["broken-imports"].severity == "off"
    assert rules["unreadable-files"].severity == "error"
    assert rules["indirect-imports"].severity == all_checks()["indirect-imports"].declared
    assert all(rules[name].declared for name in ("cycles", "broken-imports", "unreadable-files", "indirect-imports"))


def test_a_check_that_is_not_named_runs_as_without_a_rules_file() -> None:
    without = {rule.name: rule for rule in default_config().rules}
    rules = {rule.name: rule for rule in read('[checks]\ncycles = "error"').rules}
    assert rules.keys() == without.keys()
    assert {name for name in rules if rules[name] != without[name]} == {"cycles"}
    assert not any(rule.declared for rule in without.values())


def test_only_project_is_enough() -> None:
    assert read('[project]\napi = ["a"]').rules == default_config().rules


RULE = '[[rule]]\nname = "r"\ncheck = "cycles"\nreason = "x"\n'

FAULTS = {
    "an empty file": ("", ["1: declares nothing; write [project], [checks] or [[rule]], or remove the file"]),
    "only a comment": ("# later\n", ["1: declares nothing"]),
    "only the header of checks": ("[checks]\n", ["1: declares nothing"]),
    "only the header of project": ("[project]\n", ["1: declares nothing"]),
    "only the header of a rule": (
        "\n[[rule]]\n",
        ["2: rule[0].check: missing", "2: rule[0].name: missing", "2: rule[0].reason: missing"],
    ),
    "an unknown key at the top": (
        '[rules]\nx = 1\n[project]\napi = ["a"]',
        ["1: rules: unknown key; did you mean 'rule'?"],
    ),
    "an unknown key in project": ('[project]\nroot = ["a"]', ["2: project.root: unknown key; did you mean 'roots'?"]),
    "an unknown key in a rule": (RULE + "witin = 'a'\n", ["5: rule r, witin: unknown key; did you mean 'within'?"]),
    "an unknown key of a check": (
        "[checks]\ncycles = { severity = 'error', levle = 'module' }",
        ["2: checks.cycles.levle: unknown key; did you mean 'level'?"],
    ),
    "an unknown key of an ignore": (
        RULE + "ignore = [{ import = 'a -> b', reson = 'x' }]",
        ["5: rule r, ignore[0].reason: missing", "5: rule r, ignore[0].reson: unknown key; did you mean 'reason'?"],
    ),
    "a key of another check": (
        "[checks]\nrules-file = { within = 'a' }",
        ["2: checks.rules-file.within: unknown key; known keys: allow_empty, docs, help, ignore, reason, severity"],
    ),
    "an unknown check in checks": (
        '[checks]\ncycels = "error"',
        ["2: checks.cycels: no check is called 'cycels'; did you mean 'cycles'?"],
    ),
    "an unknown check in a rule": (
        RULE.replace("cycles", "zzz"),
        ["3: rule r, check: no check is called 'zzz'; the checks are broken-imports, cycles"],
    ),
    "a check that needs a rule": (
        '[checks]\nlayers = "error"',
        ["2: checks.layers: layers has to be told what to look at; write it as a [[rule]]"],
    ),
    "no reason": ('[[rule]]\nname = "r"\ncheck = "cycles"\n', ["1: rule r, reason: missing; add reason = ..."]),
    "an empty reason": (RULE.replace('"x"', '"  "'), ["4: rule r, reason: empty"]),
    "a severity that is none": (
        RULE + "severity = 'eror'",
        ["5: rule r, severity: 'eror' is not allowed here; did you mean 'error'?"],
    ),
    "a severity of the wrong type": (
        RULE + "severity = 3",
        ["5: rule r, severity: 3 is not allowed here; it is one of error, off, warning"],
    ),
    "a severity in checks": (
        "[checks]\ncycles = 'fatal'",
        ["2: checks.cycles.severity: 'fatal' is not allowed here; it is one of error, off, warning"],
    ),
    "a check that is switched by a boolean": (
        "[checks]\ncycles = true",
        ["2: checks.cycles.severity: True is not allowed here"],
    ),
    "a text where a list belongs": (
        "[project]\nroots = 'src'",
        ['2: project.roots: expected a list, got text; write ["src"]'],
    ),
    "a number in a list of texts": (
        "[project]\nroots = [\n  'src',\n  3,\n]",
        ["4: project.roots[1]: expected text, got a whole number"],
    ),
    "a wrong type in a rule": (RULE + "within = 3", ["5: rule r, within: expected text, got a whole number"]),
    "a kind that is none": (
        RULE + "kinds = ['import-time', 'defered']",
        ["5: rule r, kinds[1]: 'defered' is not allowed here; did you mean 'deferred'?"],
    ),
    "one rule in single brackets": (
        RULE.replace("[[rule]]", "[rule]"),
        ["1: rule: expected a list of tables; write [[rule]]"],
    ),
    "checks is no table": ("checks = 3", ["1: checks: expected a table; write [checks]"]),
    "project is no table": ("project = 3", ["1: project: expected a table; write [project]"]),
    "two rules of one name": (RULE + RULE, ["6: rule r, name: 'r' is already the name of the rule on line 1"]),
    "a rule named like a check": (
        RULE.replace('"r"', '"broken-imports"'),
        ["2: rule broken-imports, name: 'broken-imports' is the name of a check"],
    ),
    "a rule named like its check, which also runs by itself": (
        RULE.replace('"r"', '"cycles"'),
        ["2: rule cycles, name: 'cycles' is the name of a check"],
    ),
    "a name that cannot be selected": (RULE.replace('"r"', '"a,b"'), ["2: rule[0].name: 'a,b' cannot be a name"]),
    "an import that is none": (
        RULE + "ignore = [{ import = 'a, b', reason = 'x' }]",
        ["5: rule r, ignore[0].import: 'a, b' is no import; write \"importer -> imported\""],
    ),
    "an ignore without a reason": (RULE + "ignore = [{ import = 'a -> b' }]", ["5: rule r, ignore[0].reason: missing"]),
    "an ignore with an empty reason": (
        RULE + "ignore = [{ import = 'a -> b', reason = '' }]",
        ["5: rule r, ignore[0].reason: empty"],
    ),
    "an ignore that is a text": (RULE + "ignore = ['a -> b']", ["5: rule r, ignore[0]: expected a table, got text"]),
    "a bad date": (
        RULE + "ignore = [{ import = 'a -> b', reason = 'x', until = 'May' }]",
        ["5: rule r, ignore[0].until: expected a date such as 2027-01-31"],
    ),
    "a number for a date": (
        RULE + "ignore = [{ import = 'a -> b', reason = 'x', until = 2027 }]",
        ["5: rule r, ignore[0].until: expected a date, got a whole number"],
    ),
    "a max of none": (
        RULE + "ignore = [{ import = 'a -> b', reason = 'x', max = 0 }]",
        ["5: rule r, ignore[0].max: must be 1 or more"],
    ),
    "an empty order": (RULE.replace("cycles", "layers") + "order = []", ["5: rule r, order: "]),
    "a single layer": (
        RULE.replace("cycles", "layers") + "order = ['a']",
        ["5: rule r, order: has a single layer"],
    ),
    "no order": (RULE.replace("cycles", "layers"), ["1: rule r, order: missing; add order = ..."]),
    "no roots": ("[project]\nroots = []", ["2: project.roots: empty; leave it out to have them found"]),
    "a date that is none": ("a = 2027-02-31", ["1:5: not valid TOML: "]),
    "a syntax error": ("[checks]\ncycles = \n", ["2:10: not valid TOML: Invalid value"]),
    "a key twice": (
        "[checks]\ncycles = 'off'\ncycles = 'error'\n",
        ["3:17: not valid TOML: the key cycles is given twice"],
    ),
    "a key twice, its value on several lines": (
        "[project]\napi = ['a']\napi = [\n 'b',\n 'c=d',\n]\n",
        ["6:2: not valid TOML: the key api is given twice"],
    ),
    "a table where a value is": (
        "[checks]\ncycles = 'off'\n[checks.cycles]\n",
        ["3:15: not valid TOML: the key checks.cycles is given twice"],
    ),
    "a key twice in an inline table": (
        "[checks]\ncycles = { level = 'module', level = 'module' }\n",
        ["2:46: not valid TOML: the key level is given twice"],
    ),
    "a number of very many digits": (
        f"[project]\nroots = {'1' * 5000}\n",
        [": holds a number of more digits than Python reads"],
    ),
    "the table of pyproject.toml": (
        "[tool.layercheck.checks]\ncycles = 'off'",
        ["1: tool: [tool.layercheck] belongs in pyproject.toml; here write [checks], [[rule]]"],
    ),
    "misspelt keys of every rule, check among them": (
        "[[rule]]\nname = 'r'\nchek = 'layers'\nreasn = 'x'\norder = ['a', 'b']",
        [
            "1: rule r, check: missing",
            "1: rule r, reason: missing",
            "3: rule r, chek: unknown key; did you mean 'check'?",
            "4: rule r, reasn: unknown key; did you mean 'reason'?",
        ],
    ),
    "several faults of one rule": (
        RULE.replace("cycles", "layers")
        + "order = ['a', 'b', 'a', 'c d']\nclosed = ['z']\noutside = ['y']\nkinds = []",
        [
            "5: rule r, order[2]: a is listed twice",
            "5: rule r, order[3]: 'c d' is neither a name nor a pattern",
            "6: rule r, closed: names z, which is not in order",
            "7: rule r, outside: says which modules need no layer",
            "8: rule r, kinds: is empty",
        ],
    ),
    "several faults of a rule of forbidden imports": (
        RULE.replace("cycles", "forbidden-imports") + "from = ['a']\nonly_from = ['b']\nwithin = 'c'",
        [
            "1: rule r, to: say what may not be imported",
            "5: rule r, from: from and only_from exclude each other",
            "7: rule r, within: has no meaning here",
        ],
    ),
    "an unknown key inside an option": (
        RULE.replace("cycles", "layers") + "order = ['a', { any = ['b', 'c'], independant = false }]",
        ["5: rule r, order[1].independant: unknown key; did you mean 'independent'?"],
    ),
    "a table without a key in a list of them": (
        RULE.replace("cycles", "undeclared-imports")
        + "modules = [{ may = 3 }, { nmae = 'a' }, { name = 'b', layer = ['c'] }]\n"
        "interfaces = [{ of = 'x' }]\nrest = { may = 'y' }\nkinds = ['typing', 'tping']",
        [
            "5: rule r, modules[0].may: expected a list, got a whole number",
            "5: rule r, modules[0].name: missing; add name = ...",
            "5: rule r, modules[1].name: missing; add name = ...",
            "5: rule r, modules[1].nmae: unknown key; did you mean 'name'?",
            "5: rule r, modules[2].layer: expected text, got a list",
            '6: rule r, interfaces[0].of: expected a list, got text; write ["x"]',
            "6: rule r, interfaces[0].offers: missing; add offers = ...",
            "7: rule r, rest.may: expected a list",
            "8: rule r, kinds[1]: 'tping' is not allowed here; did you mean 'typing'?",
        ],
    ),
    "texts that can be no names": (
        "[project]\napi = ['a', 'a pp', 'a.*']\npackages = ['a.']\n"
        + RULE.replace("cycles", "layers")
        + "order = ['a', 'b']\nexempt = ['a.']\nexhaustive = true\noutside = ['a b']\ncontainers = ['.c']\n"
        "ignore = [{ import = 'a pp -> b.', reason = 'x' }, { import = 'a b/c.py -> .d', reason = 'x' }]",
        [
            "2: project.api[1]: 'a pp' is neither a name nor a pattern",
            "3: project.packages[0]: 'a.' is neither a name nor a pattern",
            "9: rule r, exempt[0]: 'a.' is neither",
            "11: rule r, outside[0]: 'a b' is neither",
            "12: rule r, containers[0]: '.c' is neither",
            "13: rule r, ignore[0].import: 'a pp' is neither a name, a pattern nor the path of a file",
            "13: rule r, ignore[0].import: 'b.' is neither",
            "13: rule r, ignore[1].import: '.d' is neither",
        ],
    ),
    "a layer with an unknown key in place of its name": (
        RULE.replace("cycles", "layers") + "order = ['a', { nmae = 'b' }]",
        ["5: rule r, order[1].nmae: unknown key; did you mean 'name'?"],
    ),
    "what else is wrong where tables lack keys": (
        RULE.replace("cycles", "undeclared-imports")
        + "modules = [{ may = ['a b'] }, { nmae = 'x', layer = 'lo' }, { name = 'c', may_not = ['/'] }]\n"
        "layers = ['low', 'high']\ninterfaces = [{ of = ['('] }]",
        [
            "5: rule r, modules[0].may[0]: 'a b' is neither a name nor a pattern",
            "5: rule r, modules[0].name: missing; add name = ...",
            "5: rule r, modules[1].layer: lo is not in layers; did you mean low?",
            "5: rule r, modules[1].name: missing",
            "5: rule r, modules[1].nmae: unknown key",
            "5: rule r, modules[2].may_not[0]: '/' is neither",
            "7: rule r, interfaces[0].of[0]: '(' is no regular expression",
            "7: rule r, interfaces[0].offers: missing",
        ],
    ),
    "each of several values under keys that are names": (
        RULE.replace("cycles", "growing-modules") + "[rule.modules]\na = 'X'\n'b.c' = [1, 2]",
        [
            '6: rule r, modules.a: expected a list, got text; write ["X"]',
            "7: rule r, modules.'b.c'[0]: expected text, got a whole number",
            "7: rule r, modules.'b.c'[1]: expected text, got a whole number",
        ],
    ),
    "an empty reason beside other faults": (
        RULE.replace("cycles", "forbidden-imports").replace("'x'", '" "').replace('"x"', '" "')
        + "from = []\nto = ['a']",
        ["4: rule r, reason: empty; say why the rule is there", "5: rule r, from: say who may not import"],
    ),
    "all that is wrong with an ignore": (
        RULE + "ignore = [{ import = 'a', reason = '', max = -1 }, { reason = ' ', max = 0, until = 3 }]",
        [
            "5: rule r, ignore[0].import: 'a' is no import",
            "5: rule r, ignore[0].max: must be 1 or more",
            "5: rule r, ignore[0].reason: empty; say why the import may stay",
            "5: rule r, ignore[1].import: missing",
            "5: rule r, ignore[1].max: must be 1 or more",
            "5: rule r, ignore[1].reason: empty",
            "5: rule r, ignore[1].until: expected a date",
        ],
    ),
    **{
        f"within {text!r} for {check}": (
            RULE.replace("cycles", check) + f"{more}\nwithin = '{text}'",
            [f"{5 + bool(more)}: rule r, within: {text!r} is no name of a package"],
        )
        for check, more, text in (
            ("cycles", "kinds = ['typing']", "app."),
            ("layers", "order = ['a', 'b']", ".app"),
            ("uncovered-modules", "outside = ['a']", "a pp"),
            ("unreached-modules", "entry = ['a']", "app.*"),
        )
    },
    "an empty reason of a check": (
        "[checks]\ncycles = { severity = 'error', reason = '' }",
        ["2: checks.cycles.reason: empty; say why, or leave it out"],
    ),
    "an ignore twice": (
        RULE + "ignore = [\n{ import = 'a->b', reason = 'x' },\n{ import = 'a -> b', reason = 'y', max = 1 },\n]",
        ["7: rule r, ignore[1].import: a -> b is ignored twice; take one of them out"],
    ),
    "a table twice": ("[checks]\n[checks]\n", ["2:8: not valid TOML: [checks] is written twice"]),
    "nested without end": ("a = " + "[" * 5000, [": "]),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS)
def test_each_fault_says_what_and_where(text: str, expected: list[str]) -> None:
    with pytest.raises(LayercheckError) as caught:
        read(text)
    lines = caught.value.lines
    assert len(lines) == len(expected), lines
    for line, start in zip(lines, expected, strict=True):
        assert line.startswith(f"{FILE}:{start}" if start[0] != ":" else FILE + start), line
        assert "\n" not in line
        assert "`" not in line


def test_all_faults_are_told_at_once() -> None:
    together = "\n".join(
        [
            "[project]",
            "rots = ['a']",
            "api = 'a'",
            "[checks]",
            "cycels = 'error'",
            "broken-imports = 'x'",
            "[[rule]]",
            "name = 'a'",
            "check = 'cycles'",
            "kinds = ['x']",
            "ignore = [{ import = 'a' }]",
            "[[rule]]",
            "name = 'a'",
            "check = 'layers'",
            "reason = 'x'",
            "order = []",
        ]
    )
    with pytest.raises(LayercheckError) as caught:
        read(together)
    told = [re.sub(r"^layercheck\.toml:(\d+): ([^:]+): .*", r"\1 \2", line) for line in caught.value.lines]
    assert told == [
        "2 project.rots",
        "3 project.api",
        "5 checks.cycels",
        "6 checks.broken-imports.severity",
        "7 rule a, reason",
        "10 rule a, kinds[0]",
        "11 rule a, ignore[0].reason",
        "13 rule a, name",
        "16 rule a, order",
    ]


def test_in_pyproject_the_same_below_tool() -> None:
    text = '[project]\nname = "x"\n[tool.layercheck.checks]\ncycles = "eror"\n[[tool.layercheck.rule]]\n'
    with pytest.raises(LayercheckError) as caught:
        read_config(text, "pyproject.toml", table=("tool", "layercheck"))
    assert caught.value.lines[0].startswith("pyproject.toml:4: checks.cycles.severity: 'eror'")
    assert caught.value.lines[1].startswith("pyproject.toml:5: rule[0].check: missing")
    fine = read_config('[tool.layercheck.checks]\ncycles = "off"', "pyproject.toml", table=("tool", "layercheck"))
    assert fine.rules[0].severity == "off"


@pytest.mark.parametrize(
    ("folder", "root", "glob", "expected"),
    [
        ("/a", "/a", "src", ("src",)),
        ("/a", "/a", "./src/", ("src",)),
        ("/a/rules", "/a", "../docs/**", ("docs/**",)),
        ("/a/rules", "/a", "x", ("rules/x",)),
        ("/a", "/a/b", "b/c", ("c",)),
        ("/a", "/a/b", "c", ()),
        ("/a", "/a/b", "*/c", ("c",)),
        ("/a", "/a/b", "**/c", ("**/c",)),
        ("/a", "/a/b/d", "b/**/c", ("**/c",)),
        ("/a", "/a/b", "b", ()),
    ],
)
def test_paths_are_relative_to_the_rules_file(folder: str, root: str, glob: str, expected: tuple[str, ...]) -> None:
    config = read_config(f"[project]\nexclude = ['{glob}']", FILE, folder=folder, root=root)
    assert config.project.exclude == expected


def test_a_root_inside_a_consumer_is_all_consumer() -> None:
    config = read_config("[project]\nconsumers = ['test']\nroots = ['test']", FILE, folder="/a", root="/a/test/unit")
    assert config.project.consumers == ("**",)
    assert config.project.roots is None


def test_names_at_any_depth_stay_names() -> None:
    config = read_config("[project]\nvendored = ['_ext']\ngenerated = ['*_gen.py']", FILE, folder="/a", root="/a/b")
    assert (config.project.vendored, config.project.generated) == (("_ext",), ("*_gen.py",))


class TestFinding:
    def test_upwards_to_the_top_of_the_checkout(self, tmp_path: Path) -> None:
        (tmp_path / FILE).write_text("[checks]")
        top = tmp_path / "top"
        inner = top / "a" / "b"
        inner.mkdir(parents=True)
        (top / ".git").mkdir()
        assert find_rules(inner) is None
        (top / FILE).write_text("# top")
        found = find_rules(inner)
        assert found is not None
        assert (found.path, found.text, found.table) == (top / FILE, "# top", ())
        (top / "a" / "pyproject.toml").write_text("[tool.ruff]\n")
        assert find_rules(inner) == found
        (top / "a" / "pyproject.toml").write_text("[tool.layercheck]\n")
        nearer = find_rules(inner)
        assert nearer is not None
        assert (nearer.path, nearer.table) == (top / "a" / "pyproject.toml", ("tool", "layercheck"))
        (top / "a" / FILE).write_text("# own comes first")
        own = find_rules(inner)
        assert own is not None
        assert own.path == top / "a" / FILE

    def test_outside_a_checkout_nothing_above_is_believed(self, tmp_path: Path) -> None:
        (tmp_path / FILE).write_text("[checks]")
        (tmp_path / "a").mkdir()
        if any((folder / ".git").exists() for folder in tmp_path.parents):
            pytest.skip("the folder of temporary files lies in a checkout")
        assert find_rules(tmp_path / "a") is None

    def test_a_broken_pyproject_that_speaks_of_layercheck_is_the_rules_file(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.layercheck.checks]\ncycles = \n")
        assert find_rules(tmp_path) is not None
        (tmp_path / "pyproject.toml").write_text("[tool.other]\nlayercheck = \n")
        assert find_rules(tmp_path) is None

    def test_a_byte_order_mark_and_windows_lines(self, tmp_path: Path) -> None:
        (tmp_path / FILE).write_bytes(b"\xef\xbb\xbf[checks]\r\ncycles = 'off'\r\n")
        found = find_rules(tmp_path)
        assert found is not None
        assert read(found.text).rules[0].severity == "off"

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(LayercheckError, match=r"x\.toml: the rules file cannot be read: No such file"):
            read_rules_file(tmp_path / "x.toml")
        with pytest.raises(LayercheckError, match="the rules file cannot be read: Is a directory"):
            read_rules_file(tmp_path)
        (tmp_path / "latin.toml").write_bytes("a = 1\n# \xe9".encode("latin-1"))
        with pytest.raises(LayercheckError, match=r"latin\.toml:2: the rules file is not UTF-8"):
            read_rules_file(tmp_path / "latin.toml")


def _leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        return [path, *(leaf for key, one in value.items() for leaf in _leaves(one, (*path, key)))]
    if isinstance(value, list):
        return [path, *(leaf for index, one in enumerate(value) for leaf in _leaves(one, (*path, index)))]
    return [path]


ODD_TOML = r'''
"quoted.key" = 1
a.b.c = [1, [2, 3], { x = "}", y = ']' }]  # ] }
s = """
[not.a.table]
key = 1 \""" still \\"""
t = """ends in quotes"""""
u = \'\'\'
[[neither]] \' \'\'\'
d = 1979-05-27 07:32:00
e = 1979-05-27T07:32:00Z
[table]
"x" = { "inner.key" = 'a', z.w = [ "a" ,
  # in between
  "b", ] }
[[many]]
n = -1.5e3
[[many.more]]
[[many.more]]
v = true
[many.sub]
w = inf
[[many]]
'''.replace("\\'", "'")


def test_every_key_has_a_place() -> None:
    found = places(ODD_TOML)
    wanted = set(_leaves(tomli.loads(ODD_TOML))) - {()}
    # Lists of tables have the lines of their entries; a table that only its children write has none of its own.
    assert wanted - found.keys() <= {("many",), ("many", 0, "more")} | {("many",)}
    lines = ODD_TOML.split("\n")
    assert lines[found[("table", "x", "z", "w", 1)] - 1].strip() == '"b", ] }'
    assert lines[found[("many", 0, "more", 1, "v")] - 1] == "v = true"
    assert lines[found[("many", 0, "sub", "w")] - 1] == "w = inf"
    assert found[("many", 1)] == len(lines) - 1
    assert line_of(found, ("many", 1, "n", 3)) == found[("many", 1)]


_SCALARS = st.one_of(
    st.integers(-5, 5).map(str),
    st.text("ab#[]{}=,'. ", max_size=5).map(lambda text: f'"{text}"'),
    st.text('ab#[]{}=,". ', max_size=5).map(lambda text: f"'{text}'"),
    st.sampled_from(["true", "2027-01-31", "2027-01-31 10:00:00", '"""a\n[b]\n"""', "'''a\nb = 1'''"]),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[\n" + " ,# c ]\n".join(items) + "\n]"),
        st.lists(inner, max_size=3).map(
            lambda items: "{ " + ", ".join(f"k{index} = {item}" for index, item in enumerate(items)) + " }"
        ),
    ),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.sampled_from(["", "[t{}]", "[[u]]", '["q.{}".r]']), _VALUES), max_size=6))
def test_places_agree_with_tomli(parts: list[tuple[str, str]]) -> None:
    lines = [f"{header.format(index)}\nkey{index} = {value}" for index, (header, value) in enumerate(parts)]
    text = "\n".join(lines)
    found = places(text)
    for path in _leaves(tomli.loads(text)):
        if path and path != ("u",):
            assert path in found
            assert found[path] <= text.count("\n") + 1
            if isinstance(path[-1], str) and path[-1].startswith("k"):
                assert path[-1] in text.split("\n")[found[path] - 1]


def refusals(text: str) -> tuple[str, ...]:
    """What is wrong with a text; nothing where it is read."""
    try:
        read(text)
    except LayercheckError as error:
        return error.lines
    return ()


_KEYS = st.sampled_from(
    [
        '"a\\nb"',
        "project",
        "checks",
        "rule",
        "name",
        "check",
        "reason",
        "ignore",
        "order",
        "kinds",
        "severity",
        "cycles",
        "layers",
    ]
)
_ANY = st.recursive(
    st.sampled_from(
        ["1", "true", "2027-01-31", "''", "'layers'", "'cycles'", "'a -> b'", "'error'", "1.5", "00:00:00"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(_KEYS, inner, max_size=3).map(
            lambda table: "{" + ", ".join(f"{key} = {value}" for key, value in table.items()) + "}"
        ),
    ),
    max_leaves=8,
)


@given(
    st.lists(st.tuples(st.sampled_from(["", "[project]", "[checks]", "[[rule]]", "[rule]"]), _KEYS, _ANY), max_size=5)
)
def test_any_toml_is_read_or_refused(parts: list[tuple[str, str, str]]) -> None:
    text = "\n".join(f"{header}\n{key} = {value}" for header, key, value in parts)
    assert all(line.startswith(f"{FILE}:") and line.isprintable() for line in refusals(text))


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert all(line.startswith(f"{FILE}:") and line.isprintable() for line in refusals(text))


class TestForeign:
    @pytest.mark.parametrize(
        ("pattern", "path", "covered"),
        [
            ("__init__.py", "pkg/__init__.py", True),
            ("__init__.py", "pkg/a.py", False),
            ("tests/*", "tests/deep/a.py", True),
            ("tests/**/*.py", "tests/a.py", True),
            ("tests/**/*.py", "pkg/tests/a.py", False),
            ("**/tests/*.py", "pkg/tests/a.py", True),
            ("{a,b}.py", "pkg/b.py", True),
            ("!pkg/*", "pkg/a.py", False),
            ("!pkg/*", "other.py", True),
            ("[ab].py", "a.py", True),
            ("[z-a].py", "a.py", False),
        ],
    )
    def test_patterns(self, pattern: str, path: str, covered: bool) -> None:
        assert foreign_ignores(pattern, ("F401",)).covers(path) is covered

    def test_flake8_writes_them_in_many_ways(self) -> None:
        assert parse_flake8("\n  a.py,b.py: F401, E501\n  # c\n  c/*: F\n  d.py:E1 e.py:W6\n") == [
            ("a.py", ("F401", "E501")),
            ("b.py", ("F401", "E501")),
            ("c/*", ("F",)),
            ("d.py", ("E1",)),
            ("e.py", ("W6",)),
        ]

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("pyproject.toml", '[tool.ruff.lint.per-file-ignores]\n"a.py" = ["F401"]'),
            ("pyproject.toml", '[tool.ruff.per-file-ignores]\n"a.py" = ["F401"]'),
            ("ruff.toml", '[lint.extend-per-file-ignores]\n"a.py" = ["F401"]'),
            (".ruff.toml", '[per-file-ignores]\n"a.py" = ["F401"]'),
            (".flake8", "[flake8]\nper-file-ignores = a.py: F401"),
            ("setup.cfg", "[flake8]\nper-file-ignores =\n  a.py: F401"),
            ("tox.ini", "[flake8]\nper-file-ignores =\n  a.py: F401"),
        ],
    )
    def test_where_they_are_written(self, tmp_path: Path, name: str, text: str) -> None:
        (tmp_path / name).write_text(text)
        (found,) = find_foreign(tmp_path)
        assert found.codes == ("F401",)
        assert found.covers("a.py")
        assert not found.covers("b.py")

    def test_the_first_of_several_of_one_tool_counts(self, tmp_path: Path) -> None:
        for name, file in (("pyproject.toml", "a.py"), ("ruff.toml", "b.py"), (".ruff.toml", "c.py")):
            head = "tool.ruff.lint" if name == "pyproject.toml" else "lint"
            (tmp_path / name).write_text(f'[{head}.per-file-ignores]\n"{file}" = ["F401"]\n')
            (found,) = find_foreign(tmp_path)
            assert found.covers(file), name

    def test_seen_from_a_folder_below(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        (tmp_path / "src").mkdir()
        (tmp_path / "ruff.toml").write_text('[lint.per-file-ignores]\n"src/a.py" = ["F401"]\n"docs/a.py" = ["F401"]')
        inside, outside = find_foreign(tmp_path / "src")
        assert inside.covers("a.py")
        assert not outside.covers("a.py")

    @pytest.mark.parametrize(
        "text", ["[", "[lint]\nper-file-ignores = 3", "lint = 3", '[lint.per-file-ignores]\na = "x"']
    )
    def test_faults_in_them_are_not_ours(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "ruff.toml").write_text(text)
        (tmp_path / ".flake8").write_text(text)
        assert find_foreign(tmp_path) == ()
