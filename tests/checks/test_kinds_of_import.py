"""kinds-of-import: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, counted, text_fault
from tests.tree import check_tree

KIND = "kinds-of-import"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""

TREES = {
    "deferred only": """
from = ["app"]
to = ["torch", "app.heavy"]
only = ["deferred"]
# file: app/__init__.py
import torch.nn  # problem: app imports torch.nn at import time, but may import it only in a function
from torch import nn  # problem: app imports nn from torch at import time
import torchvision
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import torch  # problem: app imports torch for type checkers alone
# file: app/a.py
from app.heavy import deep  # problem: app.a imports app.heavy.deep at import time
def later():
    import app.heavy, torch
# file: app/heavy/__init__.py
import app.heavy.deep
# file: app/heavy/deep.py
import app.heavy
# file: tests/test_app.py
import torch, app.heavy
""",
    "import time only, or for type checkers": """
from = ["app.*"]
to = ["app.base"]
only = ["import-time", "typing"]
# file: app/__init__.py
def later():
    import app.base
# file: app/base.py
# file: app/a.py
import app.base
def later():
    import app.base  # problem: imports app.base in a function, but may import it only at import time or for type
""",
    "the same pattern on both sides": """
from = ["parts.*"]
to = ["parts.*"]
only = ["deferred"]
# file: parts/one/__init__.py
import parts.one.deep
# file: parts/one/deep.py
import parts.two  # problem: parts.one.deep imports parts.two
def later():
    import parts.two
# file: parts/two.py
""",
    "exempt": """
from = ["app"]
to = ["torch"]
only = ["deferred"]
exempt = ["app.gpu"]
# file: app/__init__.py
# file: app/gpu.py
import torch
# file: app/cpu.py
import torch  # problem: app.cpu imports torch
""",
    "vendored code is not judged, an ignored import is not there": """
from = ["app"]
to = ["torch"]
only = ["deferred"]
ignore = [{ import = "app.gpu -> torch", reason = "known" }]
# file: app/__init__.py
# file: app/gpu.py
import torch
# file: app/_vendor/x.py
import torch
# file: app/cpu.py
import torch  # problem: app.cpu imports torch
""",
}
TEXT_FAULTS = {
    'from = []\nto = ["b"]\nonly = ["typing"]': "`from` is empty",
    'from = ["a"]\nto = []\nonly = ["typing"]': "`to` is empty",
    'from = ["a"]\nto = ["b"]\nonly = []': "`only` is empty",
    'from = ["a"]\nto = ["b"]\nonly = ["typing", "deferred", "import-time"]': "`only` names every kind",
    'from = ["a."]\nto = ["b"]\nonly = ["typing"]': "`from[0]`: 'a.' is neither a name nor a pattern",
    'from = ["a"]\nto = ["b c"]\nonly = ["typing"]': "`to[0]`: 'b c' is neither",
    'from = ["a"]\nto = ["b"]\nonly = ["typing"]\nexempt = [""]': "`exempt[0]`: '' is neither",
}
CODE = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "a", "b"))
ONLY = 'only = ["deferred"]'
CODE_FAULTS = {
    f'{ONLY}\nfrom = ["app.aa"]\nto = ["app.b"]': [("from[0]", "there is no module app.aa; did you mean app.a?")],
    f'{ONLY}\nfrom = ["app.a"]\nto = ["app.gone"]': [("to[0]", "there is no module app.gone")],
    f'{ONLY}\nfrom = ["app.a"]\nto = ["torch", "**.gone"]': [("to[1]", "no module fits the pattern **.gone")],
    f'{ONLY}\nfrom = ["app.a"]\nto = ["torch"]\nexempt = ["b"]': [("exempt[0]", "there is no module b")],
    f'{ONLY}\nfrom = ["app.*"]\nto = ["torch", "app.b"]': [],
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


def test_a_rule_counts_the_links_that_break_it_and_no_others() -> None:
    tree = "# file: a.py\nimport b, torch, os\n# file: b.py\nimport a, torch\ndef f():\n    import torch\n"
    tree += "# file: tests/test_a.py\nimport b, torch\n"
    rule = 'from = ["a"]\nto = ["b", "torch"]\nonly = ["deferred"]\n'
    assert counted(RULE + rule + tree) == {("a", "b"), ("a", "torch")}
