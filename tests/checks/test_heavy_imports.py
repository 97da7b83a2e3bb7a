"""heavy-imports: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, counted, text_fault
from tests.tree import check_tree, judge_tree, parse_tree

KIND = "heavy-imports"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "by itself, and by chains": """
entry = "app.cli"
avoid = ["pandas", "torch"]
# file: app/__init__.py
# file: app/cli.py
import app.frames  # problem: app.cli loads pandas when it is imported, through app.frames
import torch.nn  # problem: app.cli loads torch.nn when it is imported
import app.light
# file: app/frames.py
import pandas
# file: app/light.py
def later():
    import pandas
# file: app/other.py
import torch
""",
    "the packages above the entry run first": """
entry = "app.tools.cli"
avoid = ["pandas"]
# file: app/__init__.py
import app.frames  # problem: app.tools.cli, with its package app, loads pandas when it is imported, through app.frames
# file: app/tools/__init__.py
import pandas  # problem: app.tools.cli, with its package app.tools, loads pandas when it is imported
# file: app/tools/cli.py
# file: app/frames.py
import pandas
""",
    "the packages above what is imported run too": """
entry = "cli"
avoid = ["pandas"]
# file: cli.py
from lib.light import x  # problem: cli loads pandas.io when it is imported, through lib
# file: lib/__init__.py
from pandas import io
# file: lib/light.py
x = 1
""",
    "modules of the project": """
entry = ["cli", "jobs.*"]
avoid = ["lib.heavy"]
# file: cli.py
import lib.heavy.deep  # problem: cli loads lib.heavy.deep when it is imported  # problem: through lib
# file: jobs/one.py
import lib  # problem: jobs.one loads lib.heavy when it is imported, through lib
# file: jobs/two.py
# file: lib/__init__.py
import lib.heavy
# file: lib/heavy/__init__.py
# file: lib/heavy/deep.py
""",
    "what runs later or never does not count": """
entry = "cli"
avoid = ["pandas"]
# file: cli.py
import lib
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import pandas
def later():
    import pandas, other
# file: other.py
import pandas
# file: lib/__init__.py
# file: lib/sub.py
import pandas
""",
    "an ignored import is not there": """
entry = "cli"
avoid = ["pandas"]
ignore = [{ import = "b -> pandas", reason = "known" }, { import = "cli -> c.d", reason = "known" }]
# file: cli.py
import b
import c.d
import e  # problem: cli loads pandas when it is imported, through e
# file: b.py
import pandas
# file: c/__init__.py
import pandas
# file: c/d.py
# file: e.py
import pandas
""",
}
TEXT_FAULTS = {
    'entry = ""\navoid = ["b"]': "`entry` is empty",
    'entry = []\navoid = ["b"]': "`entry` is empty",
    'entry = "a"\navoid = []': "`avoid` is empty",
    'entry = ["a", "b c"]\navoid = ["b"]': "`entry`: 'b c' is neither a name nor a pattern",
    'entry = "a"\navoid = ["b."]': "`avoid[0]`: 'b.' is neither",
}
CODE = "# file: app/__init__.py\n# file: app/cli.py\n# file: app/b.py\n"
CODE_FAULTS = {
    'entry = "app.clii"\navoid = ["torch"]': [("entry", "there is no module app.clii; did you mean app.cli?")],
    'entry = ["app", "app.x.*"]\navoid = ["torch"]': [("entry[1]", "no module fits the pattern app.x.*")],
    'entry = "app.cli"\navoid = ["app.gone"]': [("avoid[0]", "there is no module app.gone")],
    'entry = "app.cli"\navoid = ["torch", "**.gone"]': [("avoid[1]", "no module fits the pattern **.gone")],
    'entry = "app.cli"\navoid = ["app.cli"]': [("avoid[0]", "app.cli is an entry")],
    'entry = "app.cli"\navoid = ["app.b", "torch"]': [],
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree(KIND, RULE + tree.lstrip("\n"))


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    assert fault in text_fault(KIND, text)


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    code_faults(RULE + text + "\n" + CODE, faults)


def test_a_chain_has_every_step_with_its_place() -> None:
    tree = RULE + TREES["the packages above what is imported run too"].lstrip("\n")
    (finding,) = judge_tree(KIND, parse_tree(tree).files).findings
    assert [(step.importer, step.imported, step.path, step.line) for step in finding.problem.chain] == [
        ("cli", "lib.light", "cli.py", 1),
        ("lib", "pandas", "lib/__init__.py", 1),
    ]


def test_a_rule_counts_the_links_that_break_it_and_no_others() -> None:
    tree = "# file: a.py\nimport b.c, os, d, torch\ndef f():\n    import torch\n# file: b/__init__.py\nimport torch\n"
    tree += (
        "# file: b/c.py\nimport d\n# file: d.py\n# file: e.py\nimport torch\n# file: tests/test_a.py\nimport torch\n"
    )
    found = counted(RULE + 'entry = "a"\navoid = ["torch"]\n' + tree)
    assert found == {("a", "torch"), ("a", "b.c"), ("b", "torch")}
