"""Ignores: what entries, in-line comments and other linters' comments take out, and of what they are asked."""

from __future__ import annotations

import re
from datetime import date

import pytest

from layercheck.config import ForeignIgnores, read_config
from layercheck.finding import Suppressed
from layercheck.run import Selection
from layercheck.run.judgement import Judgement, judge
from tests.tree import RULES, build_project, check_tree, parse_tree

RULE = """
# file: layercheck.toml
[[rule]]
name = "no-c"
check = "forbidden-imports"
reason = "c goes away"
from = ["a"]
to = ["a.c", "json"]
"""

ENTRIES = {
    "an exact entry takes out exactly that import": f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x" }}]
# file: a/__init__.py
# file: a/b.py
import a.c
from a.c import x
# file: a/c.py
# file: a/b2.py
import a.c  # problem: a.b2
""",
    "a name is no prefix": f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x" }}]
# file: a/__init__.py
# file: a/b/__init__.py
# file: a/b/d.py
import a.c  # problem: a.b.d
# file: a/c.py
""",
    "one component": f"""{RULE}
ignore = [{{ import = "a.* -> a.c", reason = "x" }}]
# file: a/__init__.py
# file: a/b/__init__.py
import a.c
# file: a/b/d.py
import a.c  # problem: a.b.d
# file: a/c.py
""",
    "any number of components": f"""{RULE}
ignore = [{{ import = "a.** -> a.*", reason = "x" }}]
# file: a/__init__.py
# file: a/b/__init__.py
import a.c
# file: a/b/d.py
import a.c
# file: a/c.py
""",
    "a name taken from the module": f"""{RULE}
ignore = [{{ import = "a.b -> a.c.x", reason = "x" }}]
# file: a/__init__.py
# file: a/b.py
from a.c import x
from a.c import y  # problem: a.b
# file: a/c.py
x = y = 1
""",
    "a pattern below a module does not take in its names": f"""{RULE}
ignore = [{{ import = "a.b -> a.c.*", reason = "x" }}]
# file: a/__init__.py
# file: a/b.py
from a.c import x  # problem: a.b
# file: a/c.py
x = 1
""",
    "an outside module": f"""{RULE}
ignore = [{{ import = "a.b -> json.**", reason = "x" }}]
# file: a/__init__.py
# file: a/b.py
import json.decoder
from json import dumps
import json
# file: a/d.py
import json  # problem: a.d
""",
    "an expired entry takes nothing out": f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x", until = 2026-05-31 }}]
# file: a/__init__.py
# file: a/b.py
import a.c  # problem: a.b
# file: a/c.py
""",
    "an entry over its max still takes out": f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x", max = 1 }}]
# file: a/__init__.py
# file: a/b.py
import a.c
from a import c
# file: a/c.py
""",
}


@pytest.mark.parametrize("tree", ENTRIES.values(), ids=ENTRIES)
def test_entries(tree: str) -> None:
    check_tree("forbidden-imports", tree)


def test_of_other_checks_the_finding_is_taken_away() -> None:
    check_tree(
        "broken-imports",
        """
# file: layercheck.toml
[checks]
broken-imports = { ignore = [
    { import = "a.b -> a.gone", reason = "x" },
    { import = "tests/test_a.py -> a.gone", reason = "x", max = 1 },
] }
# file: a/__init__.py
# file: a/b.py
import a.gone
import a.lost  # problem: a.lost
# file: tests/test_a.py
import a.gone
import a.lost  # problem: a.lost
""",
    )


COMMENTS = {
    "by check, by rule, by none": f"""{RULE}
# file: a/__init__.py
# file: a/b.py
import a.c  # layercheck: ignore[forbidden-imports] x
import a.c  # layercheck: ignore[no-c] x
import a.c  # layercheck: ignore x
import a.c  # layercheck: ignore[cycles] x  # problem: a.b
import a.c  # problem: a.b
# file: a/c.py
""",
    "one name of several": f"""{RULE}
# file: a/__init__.py
# file: a/b.py
from a.c import (
    x,  # layercheck: ignore[no-c] x
    y,  # problem: a.b
)
# file: a/c.py
x = y = 1
""",
    "the first line of a statement": f"""{RULE}
# file: a/__init__.py
# file: a/b.py
from a.c import (  # layercheck: ignore[no-c] x
    x,
    y,
)
# file: a/c.py
x = y = 1
""",
    "the last line of a statement": f"""{RULE}
# file: a/__init__.py
# file: a/b.py
from a.c import (
    x,
    y,
)  # layercheck: ignore[no-c] x
# file: a/c.py
x = y = 1
""",
    "inside a text it is no comment": f"""{RULE}
# file: a/__init__.py
# file: a/b.py
import a.c; t = "# layercheck: ignore[no-c] x"  # problem: a.b
# file: a/c.py
""",
}


@pytest.mark.parametrize("tree", COMMENTS.values(), ids=COMMENTS)
def test_comments(tree: str) -> None:
    check_tree("forbidden-imports", tree)


def test_for_the_graph_the_import_is_not_there() -> None:
    check_tree(
        "cycles",
        """
# file: a/__init__.py
# file: a/b.py
import a.c  # layercheck: ignore[cycles] taken apart next week
# file: a/c.py
import a.b
# file: a/d.py
import a.e  # problem: a.d
# file: a/e.py
import a.d
""",
    )


FOREIGN = {
    ("orphaned-imports", "import os  # noqa: F401"): False,
    ("orphaned-imports", "import os  # noqa: E501,F401"): False,
    ("orphaned-imports", "import os  # NOQA"): False,
    ("orphaned-imports", "import os  # noqa: F"): False,
    ("orphaned-imports", "import os  # noqa: E501"): True,
    ("orphaned-imports", "import os  # noqa: F4011"): True,
    ("orphaned-imports", "import os  # pylint: disable=unused-import"): False,
    ("orphaned-imports", "import os  # pylint: disable=W0611"): False,
    ("orphaned-imports", "import os  # pylint: disable=cyclic-import"): True,
    ("orphaned-imports", "# ruff: noqa: F401\nimport os"): False,
    ("orphaned-imports", "# flake8: noqa: F401\nimport os"): False,
    ("orphaned-imports", "# ruff: noqa\nimport os"): False,
    ("orphaned-imports", "import os"): True,
    ("broken-imports", "import a.x  # pylint: disable=import-error"): False,
    ("broken-imports", "import a.x  # pylint: disable=E0401"): False,
    ("broken-imports", "from a.c import x  # pylint: disable=no-name-in-module"): False,
    ("broken-imports", "import a.x  # noqa: F401"): True,
    ("broken-imports", "import a.x  # noqa"): True,
    ("cycles", "import a.c  # pylint: disable=cyclic-import"): False,
    ("cycles", "import a.c  # pylint: disable=R0401"): False,
    ("orphaned-imports", "import os  # pylint: disable=all"): False,
    ("orphaned-imports", "# pylint: skip-file\nimport os"): False,
    ("broken-imports", "import a.x  # pylint: disable=all"): False,
    ("broken-imports", "# pylint: skip-file\nimport a.x"): False,
    ("cycles", "# pylint: disable=all\nimport a.c"): False,
    ("cycles", "# pylint: skip-file\nimport a.c"): False,
    ("cycles", "import a.c  # noqa: F401"): True,
    ("cycles", "import a.c"): True,
}


@pytest.mark.parametrize(("kind", "text"), FOREIGN)
def test_comments_for_other_linters(kind: str, text: str) -> None:
    files = {"a/__init__.py": "", "a/b.py": f"{text}\ny = 1\n", "a/c.py": "import a.b\nz = 1\n"}
    found = _judge(files, select=(kind,))
    assert bool([one for one in found.findings if one.check == kind]) is FOREIGN[kind, text]
    assert found.suppressed == ()


@pytest.mark.parametrize(
    ("codes", "silent"), [(("F401",), True), (("F",), True), (("ALL",), True), (("E501",), False), ((), False)]
)
def test_per_file_ignores(codes: tuple[str, ...], silent: bool) -> None:
    files = {"a/__init__.py": "", "a/b.py": "import os\ny = 1\n"}
    foreign = ForeignIgnores(re.compile("b"), inverted=False, codes=codes)
    found = judge(
        build_project(files), read_config("[checks]\norphaned-imports = 'error'", RULES), TODAY, foreign=[foreign]
    )
    assert [one.check for one in found.findings] == ([] if silent else ["orphaned-imports"])


def test_per_file_ignores_of_a_check_of_the_graph() -> None:
    project = build_project({"a/__init__.py": "", "a/b.py": "import a.c\n", "a/c.py": "import a.b\n"})
    foreign = ForeignIgnores(re.compile("b"), inverted=False, codes=("R0401",))
    config = read_config("[checks]\ncycles = 'error'", RULES)
    assert [one.check for one in judge(project, config, TODAY).findings] == ["cycles"]
    assert judge(project, config, TODAY, foreign=[foreign]).findings == ()


TODAY = date(2026, 6, 1)

UNUSED = f"""{RULE}
ignore = [{{ import = "a.d -> a.c", reason = "x" }}]
# file: a/__init__.py
# file: a/b.py
import a.c  # layercheck: ignore[no-c] a reason
import os  # layercheck: ignore[orphaned-imports] it is not
import re  # layercheck: ignore it is not
print(a, os, re)
# file: a/c.py
# file: a/d.py
"""


def _judge(files: dict[str, str], **selection: tuple[str, ...]) -> Judgement:
    config = read_config(files.get(RULES, "[checks]\norphaned-imports = 'error'"), RULES)
    return judge(build_project(files, config), config, TODAY, Selection(**selection))


@pytest.mark.parametrize(
    ("selection", "unused"),
    [
        ({}, [("a/b.py", 2), ("a/b.py", 3), (RULES, 8)]),
        ({"select": ("no-c",)}, [(RULES, 8)]),
        ({"select": ("orphaned-imports",)}, [("a/b.py", 2)]),
        ({"ignore": ("no-c",)}, [("a/b.py", 2)]),
        ({"ignore": ("orphaned-imports", "cycles")}, [(RULES, 8)]),
        ({"ignore": ("rules-file",)}, []),
        ({"packages": ("a.d",)}, []),
    ],
)
def test_use_is_judged_only_where_the_rule_ran_unfiltered(
    selection: dict[str, tuple[str, ...]], unused: list[tuple[str, int]]
) -> None:
    found = _judge(dict(parse_tree(UNUSED).files), **selection)
    places = [one.problem.location for one in found.findings if "is not used" in one.problem.message]
    assert [(place.path, place.line) for place in places] == unused


def test_what_was_taken_out_is_told_with_its_reason() -> None:
    tree = UNUSED.replace('"a.d -> a.c"', '"a.d -> a.c.x"').replace(
        "# file: a/d.py\n", "# file: a/d.py\nfrom a.c import x\n"
    )
    found = _judge(dict(parse_tree(tree).files), select=("no-c",))
    assert [(one.by, one.reason, one.importer, one.imported, one.name) for one in found.suppressed] == [
        ("comment", "a reason", "a.b", "a.c", None),
        ("entry", "x", "a.d", "a.c", "x"),
    ]
    assert [one.suppressed for one in found.rules if one.name == "no-c"] == [2]
    assert all(isinstance(one, Suppressed) for one in found.suppressed)


def test_a_rule_also_ignored_by_a_comment_uses_both() -> None:
    tree = f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x" }}]
# file: a/__init__.py
# file: a/b.py
import a.c  # layercheck: ignore[no-c, forbidden-imports] y
# file: a/c.py
"""
    check_tree("rules-file", tree)
    check_tree("forbidden-imports", tree)
