"""rules-file: a table of small trees with the expected lines marked in place."""

from __future__ import annotations

import pytest

from tests.tree import check_tree

RULE = """
# file: layercheck.toml
[[rule]]
name = "no-c"
check = "forbidden-imports"
reason = "c goes away"
from = ["a"]
to = ["a.c"]
"""

CODE = """
# file: a/__init__.py
# file: a/b.py
import a.c
# file: a/c.py
# file: a/d.py
from a import c
from a.c import x
"""

NEWLINE = "\n"

TREES = {
    "a rule naming a module that is not there": """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "x"
within = "a"
order = [
    "hihg",  # problem: did you mean
    "low",
]
# file: a/__init__.py
# file: a/high.py
# file: a/low.py
""",
    "a pattern that matches nothing": """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "x"
within = "a"
order = [
    "high",
    "low_*",  # problem: low_*
]
# file: a/__init__.py
# file: a/high.py
# file: a/low.py
""",
    "a rule whose package is not there": """
# file: layercheck.toml
[[rule]]
name = "order"
check = "layers"
reason = "x"
within = "b"  # problem: no
order = ["high", "low"]
# file: a/__init__.py
""",
    "an unused ignore": f"""{RULE}
ignore = [
    {{ import = "a.b -> a.c", reason = "x" }},
    {{ import = "a.c -> a.b", reason = "x" }},  # problem: is not used: the rule counts no such import
    {{ import = "a.x -> a.c", reason = "x" }},  # problem: no module is called a.x
    {{ import = "a.** -> a.c", reason = "x" }},
    {{ import = "a.y -> a.c", reason = "x", optional = true }},
    {{ import = "a.** -> a.d.*", reason = "x" }},  # problem: the ignore of a.** -> a.d.* in rule no-c is not used
]
{CODE}""",
    "an unused ignore whose imported side is not there": f"""{RULE}
ignore = [
    {{ import = "a.b -> c", reason = "x" }},  # problem: is not used: no module is called c; did you mean a.c?
    {{ import = "a.b -> a.gone", reason = "x" }},  # problem: is not used: no module is called a.gone
    {{ import = "a.b -> torch", reason = "x" }},  # problem: is not used: the rule counts no such import
    {{ import = "a.** -> a.c", reason = "x" }},
]
{CODE}""",
    "an exemption that is not needed": f"""{RULE}
exempt = [
    "a.b",
    "a.e",  # problem: exempt[1]: a.e imports nothing that this rule would count, so it needs no exemption
]
{CODE}
# file: a/e.py
import a.b
""",
    "an exemption from chains": f"""{RULE}
reach = "transitive"
exempt = [
    "a.e",
    "a.f",  # problem: exempt[1]: a.f imports nothing that this rule would count
]
ignore = [{{ import = "a.** -> a.c", reason = "x" }}]
{CODE}
# file: a/e.py
import other
# file: a/f.py
# file: other.py
import a.c
""",
    "paths of the project that match nothing": """
# file: layercheck.toml
[project]
roots = [
    ".",
    "lib",  # problem: error: project: roots[1]: no folder with Python code matches lib
]
consumers = [
    "checks",  # problem: error: project: consumers[0]: nothing that would be read matches checks
    "a.py",
]
exclude = [
    "old",  # problem: warning: project: exclude[0]: nothing that would be read matches old
]
vendored = [
    "theirs",  # problem: error: project: vendored[0]: nothing that would be read matches theirs
]
generated = [
    "made.py",  # problem: warning: project: generated[0]: nothing that would be read matches made.py
]
# file: a.py
# file: b/__init__.py
""",
    "settings that leave nothing to judge": """
# file: layercheck.toml
[project]
vendored = ["p"]  # problem: error: project: vendored: nothing is left to judge: every module is left out
# file: p/__init__.py
import p.gone
""",
    "an import that is there but that the rule does not count": f"""{RULE}
ignore = [{{ import = "a.c -> a.b", reason = "x" }}]  # problem: the rule counts no such import
{CODE.replace("# file: a/c.py", "# file: a/c.py" + NEWLINE + "import a.b")}""",
    "expired yesterday": f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x", until = 2026-05-31 }}]  # problem: ended on 2026-05-31
{CODE}""",
    "expires today": f"""{RULE}
ignore = [{{ import = "a.b -> a.c", reason = "x", until = 2026-06-01 }}]
{CODE}""",
    "over its max": f"""{RULE}
ignore = [{{ import = "a.d -> a.c", reason = "x", max = 1 }}]  # problem: matches 2 imports, and max is 1
{CODE}""",
    "just its max": f"""{RULE}
ignore = [{{ import = "a.d -> a.c", reason = "x", max = 2 }}]
{CODE}""",
    "a rule that looks at nothing may say so": """
# file: layercheck.toml
[[rule]]
name = "order"
check = "forbidden-imports"
reason = "x"
from = ["a.plugins.*"]
to = ["a.core"]
allow_empty = true
# file: a/__init__.py
# file: a/core.py
""",
    "api and packages that are not there": """
# file: layercheck.toml
[project]
api = [
    "a",
    "a.facade",  # problem: project: api[1]: no module is called a.facade; did you mean a.facades?
    "a.x*",  # problem: no module matches a.x*
]
# file: a/__init__.py
# file: a/facades.py
""",
    "an ignore of what cannot be read may be used": """
# file: layercheck.toml
[[rule]]
name = "no-c"
check = "forbidden-imports"
reason = "x"
from = ["a.**"]
to = ["a.c"]
ignore = [
    { import = "a.b -> a.c", reason = "x" },
    { import = "a.d -> a.c", reason = "x" },  # problem: is not used: the rule counts no such import
]
# file: a/__init__.py
# file: a/b.py
from a.c import = 1
# file: a/c.py
# file: a/d.py
""",
    "an in-line ignore of what cannot be read may be used": """
# file: a/__init__.py
# file: a/b.py
from a.c import x  # layercheck: ignore[broken-imports] made by the build
from a.d import y  # layercheck: ignore[broken-imports] built  # problem: this ignore of broken-imports is not used
print(x, y)
# file: a/c.py
from a.c import = 1
# file: a/d.py
y = 1
""",
    "in-line ignores": """
# file: layercheck.toml
[checks]
orphaned-imports = "error"
# file: a/__init__.py
# file: a/b.py
import os  # layercheck: ignore[orphaned-imports] for its side effects
import re  # layercheck: ignore[orphaned-imports]  # problem: this ignore gives no reason
import sys  # layercheck: ignore[orphaned-imports] why  # problem: this ignore of orphaned-imports is not used
import json  # layercheck: ignore[orfaned-imports] why  # problem: did you mean 'orphaned-imports'?
import abc  # layercheck: ignore why  # problem: this ignore names no check and no rule
import csv  # layercheck: disable[orphaned-imports] why  # problem: layercheck knows no comment disable
import ast  # layercheck: ignore why  # problem: this ignore is not used
print(sys, ast, csv)
""",
    "an in-line ignore of two checks, one of them not needed": """
# file: a/__init__.py
# file: a/b.py
import os  # layercheck: ignore[orphaned-imports, cycles] why  # problem: this ignore of cycles is not used
x = 1
""",
    "a check that is off cannot be judged": """
# file: layercheck.toml
[checks]
cycles = "off"
# file: a/__init__.py
# file: a/b.py
import os  # layercheck: ignore[cycles] why
print(os)
""",
    "ignores for other linters are never judged": """
# file: a/__init__.py
# file: a/b.py
import os  # noqa: F401
import re  # pylint: disable=unused-import
print(os, re)
""",
    "vendored code may say what it likes": """
# file: a/__init__.py
# file: a/_vendor/b.py
import os  # layercheck: ignore[anything]
""",
    "nothing wrong": f"{RULE}{CODE}",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_tree(tree: str) -> None:
    check_tree("rules-file", tree)
