"""migrate: what becomes of settings, their comments and their faults; tests/verdicts compares what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from layercheck import names
from layercheck.cli import cli
from layercheck.config import read_config
from layercheck.config.spell import spell
from layercheck.errors import LayercheckError
from layercheck.migrate import import_linter, tach
from layercheck.migrate.expressions import fault_of, may_lie_within, nests, pattern
from layercheck.migrate.write import write

ALL = ["import-time", "deferred", "typing"]
CHAINS = {"kinds": ALL, "reach": "transitive", "chain_kinds": ALL}
TOP = "[importlinter]\nroot_packages =\n    app\n    lib\ninclude_external_packages = true\n"
IT = "[importlinter:contract:1]\nname = It\ntype = "


def rules_of(settings: str, path: str = ".importlinter") -> list[dict[str, Any]]:
    """The rules that settings become, which the reader of rules files must take."""
    draft = tach.draft(settings, path, {}) if "tach" in path else import_linter.draft(settings, path)
    assert draft.left == ()
    text = write(draft)
    read_config(text, "layercheck.toml")
    return list(tomli.loads(text)["rule"])


def contract(kind: str, options: str) -> dict[str, Any]:
    """The keys of the one rule that a contract becomes, less those that all rules have."""
    (rule,) = rules_of(f"{TOP}[importlinter:contract:1]\nname = It\ntype = {kind}\n{options}")
    assert (rule.pop("name"), rule.pop("reason")) == ("It", "contract 1 of .importlinter")
    return rule


CONTRACTS = {
    "layers": (
        "layers",
        "layers =\n  app.a\n  (app.b)\n  app.c | app.d\n  app.e : app.f\n  app.g|(app.h)",
        {
            "check": "layers",
            **CHAINS,
            "order": [
                "app.a",
                {"name": "app.b", "optional": True},
                ["app.c", "app.d"],
                {"any": ["app.e", "app.f"], "independent": False},
                {"any": ["app.g", {"name": "app.h", "optional": True}]},
            ],
        },
    ),
    "layers in containers": (
        "layers",
        "layers =\n  a\n  b\ncontainers =\n  app\n  lib.*\n  app.**\nexhaustive = True\nexhaustive_ignores = c",
        {
            "check": "layers",
            **CHAINS,
            "order": ["a", "b"],
            "containers": ["app", "lib.*", "app.*.**"],
            "exhaustive": True,
            "outside": ["c"],
        },
    ),
    "forbidden": (
        "forbidden",
        "source_modules =\n  app.a\n  app.b\nforbidden_modules =\n  lib\n  django",
        {"check": "forbidden-imports", **CHAINS, "from": ["app.a", "app.b"], "to": ["lib", "django"]},
    ),
    "forbidden, direct and exact": (
        "forbidden",
        "source_modules = app\nforbidden_modules = app.a\nallow_indirect_imports = true\nas_packages = False",
        {"check": "forbidden-imports", **CHAINS, "reach": "direct", "from": ["app"], "to": ["app.a"], "exact": True},
    ),
    "forbidden to what fits a pattern and may hold the source": (
        "forbidden",
        "source_modules = app.a.x\nforbidden_modules = app.*",
        {"check": "forbidden-imports", **CHAINS, "from": ["app.a.x"], "to": ["app.*"]},
    ),
    "forbidden to what fits a pattern and may lie in the source": (
        "forbidden",
        "source_modules = app.a\nforbidden_modules = app.*.x",
        {"check": "forbidden-imports", **CHAINS, "from": ["app.a"], "to": ["app.*.x"], "own": True},
    ),
    "forbidden, with a wildcard for the top": (
        "forbidden",
        "source_modules = app.a\nforbidden_modules = *.b",
        {"check": "forbidden-imports", **CHAINS, "from": ["app.a"], "to": ["app.b", "lib.b"]},
    ),
    "independence": (
        "independence",
        "modules =\n  app.a\n  app.b\nignore_imports =\n  app.a -> app.**\n  app.b -> django",
        {
            "check": "dependent-siblings",
            **CHAINS,
            "modules": ["app.a", "app.b"],
            "ignore": [
                {"import": "app.a -> app.*.**", "reason": "ignore_imports of .importlinter, which gives no reason"},
                {"import": "app.b -> django.**", "reason": "ignore_imports of .importlinter, which gives no reason"},
            ],
        },
    ),
    "protected": (
        "protected",
        "protected_modules = app.a\nallowed_importers =\nas_packages = false",
        {"check": "protected-modules", "kinds": ALL, "modules": ["app.a"], "importers": [], "exact": True},
    ),
    "acyclic siblings": (
        "acyclic_siblings",
        "ancestors =\n  app\n  lib.*\nskip_descendants = app.a",
        {
            "check": "cycles",
            "kinds": ALL,
            "level": "package",
            "packages": ["app", "lib.*"],
            "depth": 10,
            "skip": ["app.a"],
        },
    ),
    "what all contracts have": (
        "independence",
        "modules = app.*\nbroken_contract_guidance =\n  Ask us,\n  at the desk.\n"
        "unmatched_ignore_imports_alerting = none\nignore_imports = app.a -> app.b",
        {
            "check": "dependent-siblings",
            "help": "Ask us, at the desk.",
            **CHAINS,
            "modules": ["app.*"],
            "ignore": [
                {
                    "import": "app.a -> app.b",
                    "reason": "ignore_imports of .importlinter, which gives no reason",
                    "optional": True,
                }
            ],
        },
    ),
}


@pytest.mark.parametrize(("kind", "options", "rule"), CONTRACTS.values(), ids=CONTRACTS.keys())
def test_a_contract_becomes_a_rule(kind: str, options: str, rule: dict[str, Any]) -> None:
    assert contract(kind, options) == rule


def test_type_checking_imports_may_be_left_out() -> None:
    settings = TOP + "exclude_type_checking_imports = True\n[importlinter:contract:1]\nname = It\ntype = independence\n"
    (rule,) = rules_of(settings + "modules = app.*")
    assert rule["kinds"] == rule["chain_kinds"] == ["import-time", "deferred"]


def test_sources_that_differ_in_what_they_may_become_rules_of_their_own() -> None:
    settings = f"{TOP}[importlinter:contract:1]\nname = It\ntype = forbidden\n"
    rules = rules_of(f"{settings}source_modules =\n  app.a\n  app.b\nforbidden_modules =\n  app.b\n  lib")
    assert [(rule["name"], rule["from"], rule["to"]) for rule in rules] == [
        ("It (part 1)", ["app.a"], ["app.b", "lib"]),
        ("It (part 2)", ["app.b"], ["lib"]),
    ]


def test_names_are_kept_as_far_as_rules_can_have_them() -> None:
    wanted = ["a, [b]", "layers", "same", "same", "Ünï"]
    sections = "".join(
        f"[importlinter:contract:{index}]\nname = {name}\ntype = independence\nmodules = app.*\n"
        for index, name in enumerate(wanted)
    )
    names_ = [rule["name"] for rule in rules_of(TOP + sections)]
    assert names_ == ["a b", "layers contract", "same", "same (2)", "Ünï"]


INI = """\
# The house and
; its rules.
[importlinter]
root_package = app

# Why this is so.
[importlinter:contract:one]
name = One
type = layers
layers =
    # the face
    app.a
    app.b
# the kernel, too
ignore_imports =
    ; until the summer
    app.b -> app.a
"""
TOML = """\
# The house and
# its rules.
[tool.importlinter]
root_package = "app"

# Why this is so.
[[tool.importlinter.contracts]]
id = "one"
name = "One"
type = "layers"
layers = [
    "app.a",  # the face
    "app.b",
]
# the kernel, too
ignore_imports = [
    # until the summer
    "app.b -> app.a",
]
"""


@pytest.mark.parametrize(("path", "text"), [(".importlinter", INI), ("setup.cfg", INI), ("pyproject.toml", TOML)])
def test_comments_are_kept(path: str, text: str) -> None:
    written = write(import_linter.draft(text, path))
    head, _, rule = written.partition("# Why this is so.\n# the kernel, too\n[[rule]]\n")
    assert "# The house and\n# its rules.\n" in head
    assert 'order = [\n    # the face\n    "app.a",\n    "app.b",\n]\n' in rule
    assert '{ import = "app.b -> app.a", reason = "until the summer" },' in rule
    assert f'reason = "contract one of {path}"' in rule


def test_comments_stand_at_their_layers() -> None:
    layers = "# one\n a\n ; several\n b | c\n # and\n # more\n d : e\n# perhaps\n (f)\n"
    written = write(import_linter.draft(f"{TOP}{IT}layers\nlayers =\n {layers}", ".importlinter"))
    assert (
        "order = [\n"
        '    # one\n    "a",\n'
        '    # several\n    ["b", "c"],\n'
        '    # and\n    # more\n    { any = ["d", "e"], independent = false },\n'
        '    # perhaps\n    { name = "f", optional = true },\n]'
    ) in written


ALL_TYPES = """\
[importlinter]
root_packages =
    app
    lib
include_external_packages = true

[importlinter:contract:own]
name = Own
type = private_modules
packages_with_private_modules =
    app

[importlinter:contract:layers]
name = Layers
type = layers
containers =
    app
layers =
    a
    b | c
exhaustive = true
exhaustive_ignores =
    d

[importlinter:contract:loose]
name = Loose
type = layers
layers =
    app.a
    app.b
exhaustive_ignores =
    d

[importlinter:contract:forbidden]
name = Forbidden
type = forbidden
source_modules =
    app
    app.b
forbidden_modules =
    app.a
    lib
ignore_imports =
    app -> lib
"""
ALL_TYPES_TOML = """\
[tool.black]
line-length = 100

[tool.importlinter]
root_packages = [
    "app",
    "lib",
]

[[tool.importlinter.contracts]]
id = "layers"
name = "Layers"
type = "layers"
layers = [
    "app.a",
    "app.b | app.c",
]
broken_contract_guidance = \"\"\"
Move it, # 1
says "he".
\"\"\"

[[tool.importlinter.contracts]]
id = "independent"
name = "Independent"
type = "independence"
modules = ["app.a", "app.b"]

[tool.mypy]
strict = true
"""
"""With what is not carried over, and with tables of other tools."""


@pytest.mark.parametrize(("path", "text"), [(".importlinter", ALL_TYPES), ("setup.cfg", INI), ("pyproject.toml", TOML)])
def test_no_comment_is_lost_wherever_it_stands(path: str, text: str) -> None:
    lines = text.splitlines()
    top = next(at for at, line in enumerate(lines) if line.endswith("importlinter]"))
    for at in range(top + 1, len(lines) + 1):
        for note in (["# a note"], ["# a note", ""], ["", "# a note"]):
            noted = "\n".join([*lines[:at], *note, *lines[at:], ""])
            written = write(import_linter.draft(noted, path)).splitlines()
            assert any("a note" in line for line in written), noted
            tomli.loads("\n".join(written))


def test_comments_of_other_tools_are_left_to_them() -> None:
    lines = ALL_TYPES_TOML.splitlines()
    texts = range(lines.index('broken_contract_guidance = """'), lines.index('says "he".') + 2)
    ours = range(lines.index("[tool.importlinter]"), lines.index("[tool.mypy]") - 1)
    for at, line in enumerate(lines):
        if at in texts:
            continue
        behind = [*lines[:at], f"{line}  # a note" if line else "", *lines[at + 1 :]]
        written = write(import_linter.draft("\n".join(behind), "a.toml"))
        assert ("# a note\n" in written) == (at in ours and bool(line)), line
        written = write(import_linter.draft("\n".join([*lines[:at], "# a note", *lines[at:]]), "a.toml"))
        assert ("# a note\n" in written) == (at in ours or at == ours.stop), line
        assert "# 1\n" not in written


def test_checks_that_need_no_rule_are_off() -> None:
    config = read_config(write(import_linter.draft(INI, ".importlinter")), "layercheck.toml")
    assert {rule.check for rule in config.rules if rule.severity != "off"} == {
        "layers",
        "rules-file",
        "unreadable-files",
    }
    assert config.project.packages == ("app",)


LEFT = {
    f"contract_types = own: app.contracts.Own\n{IT}own\nanything = 1": "own",
    f"{IT}private_modules": "private_modules",
    f"{IT}layers\nlayers = app.a": "single layer",
    f"{IT}layers\nlayers = app.a : app.b": "single layer",
    f"{IT}independence\nmodules = app.a": "single module",
    f"{IT}forbidden\nsource_modules = app\nforbidden_modules = app.a": "nothing",
    f"{IT}forbidden\nsource_modules = app.*\nforbidden_modules = app.*.x": "one by",
    f"{IT}forbidden\nsource_modules = app.a\nforbidden_modules = app.**": "alike",
    f"{IT}independence\nmodules = app.*\nignore_imports = app -> lib\n"
    "unmatched_ignore_imports_alerting = warn": "no longer warned of",
}


@pytest.mark.parametrize(("settings", "words"), LEFT.items())
def test_what_cannot_be_carried_over_is_listed_with_its_place(settings: str, words: str) -> None:
    draft = import_linter.draft(TOP + settings, ".importlinter")
    assert len(draft.left) == 1
    assert draft.left[0].startswith(".importlinter:")
    assert "contract 'It': " in draft.left[0]
    assert words in draft.left[0]
    assert f"# - {draft.left[0]}\n" in write(draft)


FAULTS = {
    "": [".importlinter: has no section [importlinter]"],
    "[importlinter\n": [".importlinter:1: not valid INI"],
    "[importlinter]\na = %(b)s\n": [".importlinter: not valid INI"],
    "[importlinter]\nroot_package = app\n": [".importlinter:1: no contracts"],
    "[importlinter]\n[importlinter:contract:1]\nname = x\ntype = independence\nmodules = app.*": [
        ".importlinter:1: root_package: missing"
    ],
    "[importlinter]\nroot_package = my-app\n": ["2: root_package: 'my-app' is no package's name", "no contracts"],
    f"{TOP}[importlinter:contract:1]\ntype = layers\nlayers =\n  app.a\n  app.a": [
        ".importlinter:6: contract '1': name: missing",
    ],
    f"{TOP}{IT}layer": [
        ".importlinter:8: contract 'It': type: no contract type is called 'layer'; did you mean 'layers'?"
    ],
    f"{TOP}{IT}layers\nexhaustiv = true": [
        "exhaustiv: unknown option; did you mean 'exhaustive'?",
        "layers: missing",
    ],
    f"{TOP}{IT}layers\nexhaustive = yes\nlayers =\n  app.a | b : c\n  app.b": [
        "exhaustive: 'yes' is neither true nor false",
    ],
    f"{TOP}{IT}layers\nexhaustive = true\nlayers =\n  a | b : c\n  app.b\n  app.b.x\n  app.b": [
        "exhaustive: needs containers",
        ":11: contract 'It': layers: 'a | b : c' mixes | and :",
        "13: contract 'It': layers: app.b.x lies inside app.b",
        "contract 'It': layers: app.b is there twice",
    ],
    f"{TOP}{IT}independence\nmodules =\n  app.a*\n  app.**.*\nignore_imports =\n  app.a\n  app -> a-b": [
        ":10: contract 'It': modules: 'app.a*' is neither a module's name nor an expression",
        ":11: contract 'It': modules: 'app.**.*': ** cannot be followed by *",
        ":13: contract 'It': ignore_imports: 'app.a': write importer -> imported",
        ":14: contract 'It': ignore_imports: 'app -> a-b': 'a-b' is neither",
    ],
    f"{TOP}{IT}independence\nmodules =\n  app.a.x\n  app.b\n  app.a": [
        ":10: contract 'It': modules: app.a.x lies inside app.a, which is to be independent too",
    ],
    f"{TOP}{IT}forbidden\nsource_modules = app\nforbidden_modules = django.db": [
        "django.db is part of an external package"
    ],
    f"{TOP.replace('true', 'false')}{IT}forbidden\nsource_modules = app\nforbidden_modules = django": [
        "django is in no root package, which needs include_external_packages"
    ],
    f"{TOP}{IT}acyclic_siblings\nancestors = app\ndepth = deep\nunmatched_ignore_imports_alerting = loud": [
        "'deep' is no whole number",
        "'loud' is not one of none, warn, error",
    ],
}


@pytest.mark.parametrize(("text", "lines"), FAULTS.items())
def test_faults_of_settings_are_told_all_at_once(text: str, lines: list[str]) -> None:
    with pytest.raises(LayercheckError) as raised:
        import_linter.draft(text, ".importlinter")
    for line in lines:
        assert any(line in said for said in raised.value.lines), raised.value.lines
    assert all(said.startswith(".importlinter") and "\n" not in said for said in raised.value.lines)


TOML_FAULTS = {
    "[tool": ["pyproject.toml:1:6: not valid TOML"],
    "[tool.black]": ["pyproject.toml: has no table [tool.importlinter]"],
    '[tool.importlinter]\nroot_package = ["app", 1]': [
        "pyproject.toml:1: no contracts: there is nothing to carry over",
        "pyproject.toml:2: root_package: expected a text or a list",
    ],
    '[tool.importlinter]\nroot_package = "app"\ncontracts = 1': ["pyproject.toml:3: contracts is no list of tables"],
    "[tool.importlinter]\nroot_package = 1.5\ncontracts = 1": [
        "pyproject.toml:2: root_package: expected a text or a list",
        "pyproject.toml:3: contracts is no list of tables",
    ],
    """\
[tool.importlinter]
root_packages = ["app", "a-b", 2]
[[tool.importlinter.contracts]]
name = 1.5
type = "layers"
layers = ["app.a", 3]
exhaustiv = true
[[tool.importlinter.contracts]]
name = "two"
type = "acyclic_siblings"
ancestors = ["app"]
depth = 2.5
[[tool.importlinter.contracts]]
name = "three"
type = "layer"
""": [
        "pyproject.toml:2: root_package: 'a-b' is no package's name",
        "pyproject.toml:2: root_packages: expected a text or a list",
        "pyproject.toml:4: name: expected a text or a list",
        "pyproject.toml:6: layers: expected a text or a list",
        "pyproject.toml:7: contract '1': exhaustiv: unknown option; did you mean 'exhaustive'?",
        "pyproject.toml:12: depth: expected a text or a list",
        "pyproject.toml:15: contract 'three': type: no contract type is called 'layer'",
    ],
}


@pytest.mark.parametrize(("text", "lines"), TOML_FAULTS.items())
def test_faults_of_toml(text: str, lines: list[str]) -> None:
    with pytest.raises(LayercheckError) as raised:
        import_linter.draft(text, "pyproject.toml")
    assert [line in said for line, said in zip(lines, raised.value.lines, strict=True)] == [True] * len(lines)


PARTS = st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=4).map(".".join)
NAMES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5).map(".".join)


@given(PARTS, NAMES)
def test_a_pattern_fits_what_the_expression_fits(expression: str, name: str) -> None:
    """The oracle is the definition: ``*`` one component, ``**`` one or more."""
    if fault_of(expression):
        return
    assert names.matches(name, pattern(expression)) == _fits(names.split(name), names.split(expression))


def _fits(name: list[str], parts: list[str]) -> bool:
    if not parts:
        return not name
    if not name:
        return False
    if parts[0] == "**":
        return any(_fits(name[index:], parts[1:]) for index in range(1, len(name) + 1))
    return parts[0] in ("*", name[0]) and _fits(name[1:], parts[1:])


@given(PARTS, PARTS, NAMES)
def test_expressions_that_cannot_lie_in_each_other_never_do(inner: str, outer: str, name: str) -> None:
    if fault_of(inner) or fault_of(outer):
        return
    fits = _fits(names.split(name), names.split(inner))
    within = any(_fits(names.split(above), names.split(outer)) for above in names.lineage(name))
    if fits and within:
        assert may_lie_within(inner, outer)
    if fits and any(_fits(names.split(above), names.split(inner)) for above in names.ancestors(name)):
        assert nests(inner)


@given(
    st.recursive(
        st.text() | st.integers() | st.booleans(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_what_is_spelled_reads_back(value: Any) -> None:
    try:
        str(value).encode("utf-8")
    except UnicodeEncodeError:
        return
    assert tomli.loads(f"key = {spell(value)}")["key"] == value


TACH = """\
# The parts.
layers = ["top", { name = "low", closed = true }]
exclude = ["**/tests", "build/"]
source_roots = ["src"]

# the face
[[modules]]
path = "app"
depends_on = ["lib.**", { path = "<root>" }]
cannot_depend_on = ["lib.old"]
layer = "top"

[[modules]]
paths = ["lib", "lib.old"]
layer = "low"
utility = true
unchecked = true

[[interfaces]]
expose = ["open_.*"]
from = ["lib"]
visibility = ["app"]
exclusive = true

[[interfaces]]
expose = ["one"]
"""


def test_tach() -> None:
    (rule,) = rules_of(TACH, "tach.toml")
    assert rule == {
        "name": "tach",
        "check": "undeclared-imports",
        "reason": "the modules of tach.toml",
        "kinds": ["import-time", "deferred"],
        "layers": ["top", {"name": "low", "closed": True}],
        "modules": [
            {"name": "app", "may": ["lib.**", "<rest>"], "may_not": ["lib.old"], "layer": "top"},
            {"name": "lib", "layer": "low", "shared": True, "unchecked": True},
            {"name": "lib.old", "layer": "low", "shared": True, "unchecked": True},
        ],
        "interfaces": [{"of": ["lib"], "offers": ["open_.*"], "to": ["app"], "only": True}, {"offers": ["one"]}],
    }
    draft = tach.draft(TACH, "tach.toml", {})
    assert draft.project == {"roots": ["src"], "exclude": ["**/tests", "build"]}
    assert "# The parts.\n" in write(draft)
    assert "# the face\n[[rule]]\n" in write(draft)


def test_tach_in_pyproject_and_its_other_switches() -> None:
    text = """
[tool.tach]
ignore_type_checking_imports = false
layers_explicit_depends_on = true
root_module = "allow"
[[tool.tach.modules]]
path = "<root>"
depends_on = ["app"]
[[tool.tach.modules]]
path = "app"
"""
    assert tach.has_settings(text, "pyproject.toml")
    draft = tach.draft(text, "pyproject.toml", {})
    assert draft.left == ()
    (rule,) = draft.rules
    assert rule.options == {
        "kinds": ALL,
        "say_layers": True,
        "rest": {"may": ["app"]},
        "modules": [{"name": "app"}],
    }


def test_domain_files_of_tach() -> None:
    domain = """
[root]
depends_on = ["//other", "part"]
[[modules]]
path = "part"
depends_on = ["<domain_root>"]
[[interfaces]]
expose = ["a"]
from = ["<domain_root>", "part"]
"""
    text = 'source_roots = ["src"]\n[[modules]]\npath = "other"\n'
    domains = {"src/app/one/tach.domain.toml": domain, "elsewhere/tach.domain.toml": domain}
    (rule,) = tach.draft(text, "tach.toml", domains).rules
    assert rule.options["modules"] == [
        {"name": "other"},
        {"name": "app.one", "may": ["other", "app.one.part"]},
        {"name": "app.one.part", "may": ["app.one"]},
    ]
    assert rule.options["interfaces"] == [{"of": ["app.one", "app.one.part"], "offers": ["a"]}]


MODULE = '[[modules]]\npath = "app"\n'
TACH_LEFT = {
    f"exact = true\n{MODULE}": "1: exact: ",
    f"include_string_imports = true\n{MODULE}": "include_string_imports",
    f"forbid_circular_dependencies = true\n{MODULE}": "forbid_circular_dependencies",
    f"respect_gitignore = false\n{MODULE}": "respect_gitignore",
    f'source_roots = ["a", "b"]\n{MODULE}': "source_roots",
    f'{MODULE}[rules]\nlocal_imports = "off"': "local_imports",
    f"{MODULE}[external]\nexclude = ['x']": "external",
    f"{MODULE}[plugins.django]\nsettings_module = 'x'": "plugins",
    f"{MODULE}visibility = []": "3: module app: visibility"[3:],
    f"{MODULE}strict = true": "strict",
    f"{MODULE}depends_on_external = []": "depends_on_external",
    f"{MODULE}depends_on = [{{ path = 'b', deprecated = true }}]": "deprecated",
    f"{MODULE}[[interfaces]]\nexpose = ['a']\ndata_types = 'primitive'": "data_types",
}


@pytest.mark.parametrize(("text", "words"), TACH_LEFT.items())
def test_what_of_tach_cannot_be_carried_over_is_listed(text: str, words: str) -> None:
    (left,) = tach.draft(text, "tach.toml", {}).left
    assert left.startswith("tach.toml:")
    assert words in left


TACH_FAULTS = {
    "modules = 1": "tach.toml:1: modules: expected a list, got a whole number",
    '"" = 1': "tach.toml:1: unknown key; known keys: ",
    "[[": "tach.toml:1:3: not valid TOML",
    "layers = []": "tach.toml: configures no modules",
    "[[modules]]\ndepends_on = []": "tach.toml:1: modules[0]: needs either path or paths",
    f"{MODULE}depnds_on = []": "tach.toml:3: modules[0].depnds_on: unknown key; did you mean 'depends_on'?",
    f"{MODULE}layer = 'top'": "layer 'top' is not in layers",
    "[[modules]]\npath = 'a-b'": "'a-b' is neither a module's name nor a pattern",
    f"{MODULE}depends_on = ['[ab]']": "dependency '[ab]' is neither",
    f"{MODULE}depends_on = [{{ deprecated = true }}]": "a dependency without a path",
    f"{MODULE}[[interfaces]]\nexpose = ['(']": "'(' is no regular expression",
    f"root_module = 'maybe'\n{MODULE}": "root_module: 'maybe' is not one of",
    f"{MODULE}depends_on = ['b']\n[[modules]]\npath = 'b'\nvisibility = ['c']": "tach.toml:3: module app depends on b,",
}


@pytest.mark.parametrize(("text", "words"), TACH_FAULTS.items())
def test_faults_of_tach_settings(text: str, words: str) -> None:
    with pytest.raises(LayercheckError) as raised:
        tach.draft(text, "tach.toml", {})
    assert any(words in line for line in raised.value.lines), raised.value.lines


def test_a_dependency_that_is_not_visible_is_told_where_it_is_declared() -> None:
    domain = "[root]\ndepends_on = [\n    '//app',\n    '//lib',\n]\n[[modules]]\npath = 'c'\ndepends_on = ['//lib']\n"
    with pytest.raises(LayercheckError) as raised:
        tach.draft(f"{MODULE}[[modules]]\npath = 'lib'\nvisibility = []\n", "tach.toml", {"a/tach.domain.toml": domain})
    assert raised.value.lines == (
        "a/tach.domain.toml:4: module a depends on lib, which is not visible to it",
        "a/tach.domain.toml:8: module a.c depends on lib, which is not visible to it",
    )


def test_no_comment_of_tach_settings_is_lost_wherever_it_stands() -> None:
    domain = "[root]\ndepends_on = []\n\n[[modules]]\npath = 'y'\n"
    lines = [*TACH.splitlines(), "", "[cache]", "file_dependencies = []"]
    for at in range(len(lines) + 1):
        written = write(tach.draft("\n".join([*lines[:at], "# a note", *lines[at:]]), "tach.toml", {}))
        assert "# a note\n" in written, at
    for at in range(len(domain.splitlines()) + 1):
        noted = "\n".join([*domain.splitlines()[:at], "# a note", *domain.splitlines()[at:]])
        assert "# a note\n" in write(tach.draft(TACH, "tach.toml", {"src/a/tach.domain.toml": noted})), at


def test_all_faults_of_tach_settings_are_told_at_once() -> None:
    text = """\
root_module = "maybe"
foo = 1
exat = true
exclude = "x"
layers = ["top"]
[[modules]]
path = "a"
layer = "low"
utility = 3
depends_on = ["b", { deprecated = true }]
[[modules]]
paths = ["b-c", "d"]
depnds_on = []
visibility = [1, "x", 2]
[[modules]]
depends_on = []
[[interfaces]]
expse = ["x"]
[[interfaces]]
expose = ["("]
data_types = []
"""
    domain = "[root]\nlayer = 'x'\nbar = 1\n[[modules]]\npath = 'y'\nstrict = 2\n"
    with pytest.raises(LayercheckError) as raised:
        tach.draft(text, "tach.toml", {"a/tach.domain.toml": domain})
    starts = (
        "tach.toml:1: root_module: 'maybe' is not one of",
        "tach.toml:2: foo: unknown key",
        "tach.toml:3: exat: unknown key; did you mean 'exact'?",
        'tach.toml:4: exclude: expected a list, got text; write ["x"]',
        "tach.toml:6: a dependency without a path",
        "tach.toml:6: layer 'low' is not in layers",
        "tach.toml:9: modules[0].utility: expected true or false, got a whole number",
        "tach.toml:11: 'b-c' is neither a module's name nor a pattern",
        "tach.toml:13: modules[1].depnds_on: unknown key",
        "tach.toml:14: modules[1].visibility[0]: expected text, got a whole number",
        "tach.toml:14: modules[1].visibility[2]: expected text, got a whole number",
        "tach.toml:15: modules[2]: needs either path or paths",
        "tach.toml:17: interfaces[0].expose: missing",
        "tach.toml:18: interfaces[0].expse: unknown key",
        "tach.toml:19: '(' is no regular expression",
        "tach.toml:21: interfaces[1].data_types: expected text, got a list",
        "a/tach.domain.toml:1: layer 'x' is not in layers",
        "a/tach.domain.toml:3: root.bar: unknown key",
        "a/tach.domain.toml:6: modules[0].strict: expected true or false",
    )
    told = sorted(raised.value.lines)
    assert len(told) == len(starts), told
    assert [line for line, start in zip(told, sorted(starts), strict=True) if not line.startswith(start)] == []


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["migrate", *map(str, arguments)], catch_exceptions=True, standalone_mode=False)


def test_the_command_writes_once_and_touches_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".importlinter").write_text(INI, encoding="utf-8")
    first = run(tmp_path)
    assert (first.return_value, first.stderr) == (0, "")
    written = (tmp_path / "layercheck.toml").read_text(encoding="utf-8")
    assert written == write(import_linter.draft(INI, ".importlinter"))
    (tmp_path / "layercheck.toml").write_text("mine", encoding="utf-8")
    assert "the rules of this file hold here already" in str(run(tmp_path).exception)
    assert (tmp_path / "layercheck.toml").read_text(encoding="utf-8") == "mine"
    assert run(tmp_path, "--output", "-").stdout == written
    other = tmp_path / "other.toml"
    assert run(tmp_path, "--output", other).return_value == 0
    assert other.read_text(encoding="utf-8") == written
    assert (tmp_path / ".importlinter").read_text(encoding="utf-8") == INI


@pytest.mark.parametrize(
    ("path", "root"),
    [("pyproject.toml", "."), ("layercheck.toml", "."), ("pyproject.toml", "sub"), ("layercheck.toml", "sub")],
)
def test_rules_that_hold_already_stay(tmp_path: Path, path: str, root: str) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / root
    folder.mkdir(exist_ok=True)
    (folder / ".importlinter").write_text(INI, encoding="utf-8")
    table = "tool.layercheck." if path == "pyproject.toml" else ""
    (tmp_path / path).write_text(f"[{table}checks]\ncycles = 'error'\n", encoding="utf-8")
    for options in ((), ("--output", folder / "layercheck.toml")):
        assert str(run(folder, *options).exception) == (
            f"{tmp_path / path}: the rules of this file hold here already; edit them, or move it away"
        )
    assert path == "layercheck.toml" or not [*tmp_path.rglob("layercheck.toml")]
    assert run(folder, "--output", "-").return_value == 0
    assert run(folder, "--output", folder / "other.toml").return_value == 0


def test_the_status_says_whether_all_was_carried_over(tmp_path: Path) -> None:
    text = f"{TOP}[importlinter:contract:1]\nname = It\ntype = private_modules\n"
    (tmp_path / "setup.cfg").write_text(text, encoding="utf-8")
    result = run(tmp_path)
    assert result.return_value == 1
    assert result.stderr.startswith("layercheck: not carried over: setup.cfg:6: contract 'It': ")
    assert (tmp_path / "layercheck.toml").exists()


def test_where_no_rule_is_left_the_checks_that_need_none_stay_on() -> None:
    draft = import_linter.draft(f"{TOP}{IT}private_modules\n", ".importlinter")
    assert "[checks]" not in write(draft)
    assert read_config(write(draft), "layercheck.toml").project.packages == ("app", "lib")


def test_nothing_is_written_where_the_settings_are_faulty(tmp_path: Path) -> None:
    (tmp_path / ".importlinter").write_text("[importlinter]\n", encoding="utf-8")
    assert isinstance(run(tmp_path).exception, LayercheckError)
    assert not (tmp_path / "layercheck.toml").exists()


def test_where_settings_are_looked_for(tmp_path: Path) -> None:
    assert "no settings of import-linter" in str(run(tmp_path).exception)
    assert "no such folder" in str(run(tmp_path / "gone").exception)
    (tmp_path / "setup.cfg").write_text("[metadata]\nname = importlinter\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(TOML, encoding="utf-8")
    assert "pyproject.toml" in run(tmp_path, "--output", "-").stdout
    (tmp_path / ".importlinter").write_text(INI, encoding="utf-8")
    assert "from .importlinter," in run(tmp_path, "--output", "-").stdout
    (tmp_path / "tach.toml").write_text(TACH, encoding="utf-8")
    assert "both import-linter and tach have settings here" in str(run(tmp_path).exception)
    assert "from tach.toml," in run(tmp_path, "--from", tmp_path / "tach.toml", "--output", "-").stdout
    assert "cannot be read" in str(run(tmp_path, "--from", tmp_path / "gone.toml").exception)
    (tmp_path / ".importlinter").write_bytes(b"[importlinter]\n\xff")
    assert ".importlinter:2: not UTF-8" in str(run(tmp_path, "--from", tmp_path / ".importlinter").exception)


def test_names_that_are_not_there_are_findings(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / ".importlinter").write_text(INI, encoding="utf-8")
    assert run(tmp_path).return_value == 0
    checked = CliRunner().invoke(cli, ["check", str(tmp_path), "--no-cache"], standalone_mode=False)
    assert checked.return_value == 1
    assert "there is no module app.a" in checked.stdout
