"""protected-modules: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, counted, text_fault
from tests.tree import check_tree

KIND = "protected-modules"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""

TREES = {
    "only the named importers, with all below them": """
modules = ["app.db"]
importers = ["app.store"]
# file: app/__init__.py
# file: app/db/__init__.py
import app.db.tables
# file: app/db/tables.py
import app.db, app.web
# file: app/store/__init__.py
# file: app/store/sql.py
from app.db.tables import one
# file: app/web.py
import app.db.tables  # problem: app.web imports app.db.tables, which only app.store may import
from app.db import two  # problem: app.web imports app.db, which only app.store may import
def later():
    import app.db  # problem: app.web imports app.db
import app.store.sql
# file: tests/test_db.py
import app.db
""",
    "exact names leave what is below them out, on both sides": """
modules = ["app.db"]
importers = ["app.store"]
exact = true
# file: app/__init__.py
# file: app/db/__init__.py
# file: app/db/tables.py
import app.db  # problem: app.db.tables imports app.db, which only app.store may import
# file: app/store/__init__.py
import app.db
# file: app/store/sql.py
import app.db  # problem: app.store.sql imports app.db, which only app.store may import
import app.db.tables
""",
    "what is protected inside what is protected": """
modules = ["app", "app.a"]
importers = []
# file: app/__init__.py
import app.c
# file: app/a/__init__.py
# file: app/a/x.py
import app.a, app.c
# file: app/c.py
import app.a.x  # problem: app.c imports app.a.x, which nobody outside it may import
# file: other.py
import app.c  # problem: other imports app.c
""",
    "names relative to within, and patterns": """
within = "app"
modules = ["*.models"]
importers = ["app.*.views"]
# file: models.py
# file: app/one/models.py
import app.two.models  # problem: app.one.models imports app.two.models, which only app.*.views may import
# file: app/two/models.py
import models
# file: app/two/views.py
import app.one.models
# file: app/two/other.py
import app.two.models  # problem: app.two.other imports app.two.models
""",
    "nobody outside it": """
modules = ["app.old"]
importers = []
# file: app/__init__.py
# file: app/a.py
import app.old  # problem: app.a imports app.old, which nobody outside it may import
# file: app/old.py
""",
    "long lists are cut": """
modules = ["lib"]
importers = ["a", "b", "c", "d"]
# file: lib.py
# file: a.py
import lib
# file: b.py
# file: c.py
# file: d.py
# file: e.py
import lib  # problem: e imports lib, which only a, b and 2 more may import
""",
    "kinds and exempt": """
modules = ["lib"]
importers = ["a"]
kinds = ["typing"]
exempt = ["b"]
# file: lib.py
# file: a.py
# file: b.py
import lib
# file: c.py
import lib
import typing
if typing.TYPE_CHECKING:
    import lib  # problem: c imports lib
""",
    "vendored code is not judged, an ignored import is not there": """
modules = ["lib"]
importers = ["a"]
ignore = [{ import = "b -> lib", reason = "known" }]
# file: lib.py
# file: a.py
# file: b.py
import lib
# file: c.py
import lib  # problem: c imports lib
# file: app/_vendor/x.py
import lib
""",
}
TEXT_FAULTS = {
    "modules = []\nimporters = []": "`modules` is empty",
    'modules = ["a"]': "missing required field `importers`",
    'modules = ["a b"]\nimporters = []': "`modules[0]`: 'a b' is neither a name nor a pattern",
    'modules = ["a"]\nimporters = ["/"]': "`importers[0]`: '/' is neither",
    'modules = ["a"]\nimporters = []\nkinds = []': "`kinds` is empty",
    'modules = ["a"]\nimporters = []\nreach = "transitive"': "unknown field `reach`",
}
CODE = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "a", "b"))
CODE_FAULTS = {
    'modules = ["app.aa"]\nimporters = ["app.b"]': [("modules[0]", "there is no module app.aa; did you mean app.a?")],
    'modules = ["app.a.*"]\nimporters = ["app.b"]': [("modules[0]", "no module fits the pattern app.a.*")],
    'modules = ["app.a"]\nimporters = ["torch"]': [("importers[0]", "there is no module torch")],
    'modules = ["a"]\nimporters = []\nwithin = "apps"': [("within", "there is no package apps; did you mean app?")],
    'modules = ["a"]\nimporters = []\nwithin = "app"\nexempt = ["b"]': [("exempt[0]", "there is no module b")],
    'modules = ["a"]\nimporters = ["app.*"]\nwithin = "app"': [],
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
    tree = "# file: lib.py\nimport b\n# file: a.py\nimport lib\n# file: b.py\nimport lib, os\n"
    tree += "# file: tests/test_a.py\nimport lib\n"
    assert counted(RULE + 'modules = ["lib"]\nimporters = ["a"]\n' + tree) == {("b", "lib")}
