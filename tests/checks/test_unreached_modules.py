"""unreached-modules: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, text_fault
from tests.tree import check_tree

KIND = "unreached-modules"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "what cannot be read may import anything": """
# file: app/__init__.py
# file: app/__main__.py
import app.broken
# file: app/broken.py
from app.used import = 1
# file: app/used.py
x = 1
""",
    "where nothing reaches it it leads nowhere": """
# file: app/__init__.py
# file: app/__main__.py
# file: app/broken.py
from app.used import = 1  # problem: nothing reaches app.broken
# file: app/used.py
x = 1  # problem: nothing reaches app.used
# file: tests/broken.py
from app.used import = 1
""",
    "three states": """
# file: pyproject.toml
[project]
name = "app"
scripts = { app = "app.cli:main" }
# file: app/__init__.py
# file: app/cli.py
import app.used
# file: app/used.py
def later():
    import app.late
# file: app/late.py
# file: app/tested.py
import app.also  # problem: error: only tests reach app.tested
# file: app/also.py
x = 1  # problem: only tests reach app.also
# file: app/lost.py
import app.used  # problem: nothing reaches app.lost
# file: app/gone/__init__.py
import app.gone.a, app.gone.b  # problem: nothing reaches app.gone, nor any of the 3 modules of it
# file: app/gone/a.py
# file: app/gone/b.py
# file: tests/test_app.py
import app.tested
# file: tests/conftest.py
import app.used
""",
    "patchers import what they patch in": """
entry = ["app.cli"]
# file: app/__init__.py
# file: app/cli.py
def main(): ...
# file: app/texts.py
x = 1  # problem: only tests reach app.texts
# file: app/deep/__init__.py
x = 1  # problem: only tests reach app.deep
# file: app/deep/mapping.py
x = {}  # problem: only tests reach app.deep.mapping
# file: app/named.py
x = 1  # problem: only tests reach app.named
# file: app/replaced.py
x = 1  # problem: nothing reaches app.replaced
# file: tests/test_a.py
import sys
from unittest.mock import patch
import app
def test():
    with patch("app.texts.x"), patch.dict("app.deep.mapping.x"), patch(f"{app.__name__}.named.x"):
        with patch.dict("sys.modules", {"app.replaced": None}):
            ...
""",
    "a patch is a test's": """
entry = ["app.cli"]
reached_by_tests = false
# file: app/__init__.py
# file: app/cli.py
# file: app/patched.py
x = 1
# file: tests/test_a.py
from unittest.mock import patch
with patch("app.patched.x"): ...
""",
    "what only tests reach may be left out": """
reached_by_tests = false
entry = ["app.cli"]
# file: app/__init__.py
# file: app/cli.py
# file: app/tested.py
# file: app/lost.py
x = 1  # problem: nothing reaches app.lost
# file: tests/test_app.py
import app.tested
""",
    "the packages above what is reached are, and what lies in a package is not": """
entry = ["app.jobs.*"]
# file: app/__init__.py
import app.core
# file: app/core.py
# file: app/jobs/__init__.py
# file: app/jobs/one.py
import lib.deep.x
# file: lib/__init__.py
import lib.side
# file: lib/side.py
# file: lib/deep/__init__.py
# file: lib/deep/x.py
# file: lib/deep/y.py
x = 1  # problem: nothing reaches lib.deep.y
""",
    "scripts, programs, docs and tests in the package": """
# file: app/__init__.py
# file: app/__main__.py
import app.a
# file: app/a.py
# file: app/b.py
# file: app/c.py
x = 1  # problem: only tests reach app.c
# file: app/tests/__init__.py
# file: app/tests/test_c.py
import app.c
# file: scripts/run.py
from app import b
""",
    "strings that name a module, and packages that load what lies in them": """
entry = ["app.settings"]
# file: app/__init__.py
# file: app/settings.py
APPS = ["app.shop", "app.mail.apps:Config"]
import app.plugins
# file: app/shop/__init__.py
# file: app/shop/models.py
x = 1  # problem: nothing reaches app.shop.models
# file: app/mail/__init__.py
# file: app/mail/apps.py
# file: app/plugins/__init__.py
import pkgutil
for one in pkgutil.iter_modules(__path__): ...
# file: app/plugins/one.py
# file: app/plugins/deep/two.py
""",
    "kinds": """
entry = ["app"]
kinds = ["import-time"]
# file: app/__init__.py
import app.a
def later():
    import app.b
# file: app/a.py
# file: app/b.py
x = 1  # problem: nothing reaches app.b
""",
    "within": """
within = "app.core"
entry = ["app"]
# file: app/__init__.py
# file: app/a.py
# file: app/core/__init__.py
x = 1  # problem: nothing reaches app.core, nor any of the 2 modules of it
# file: app/core/b.py
""",
    "vendored and generated code is not judged, an ignore in the code silences": """
entry = ["app"]
# file: app/__init__.py
# file: app/_vendor/x.py
# file: app/x_pb2.py
# file: app/a.py
# layercheck: ignore[tested] loaded by a framework
""",
}
TEXT_FAULTS = {
    "kinds = []": "`kinds` is empty",
    'entry = ["a b"]': "`entry[0]`: 'a b' is neither a name nor a pattern",
}
CODE = "# file: app/__init__.py\n# file: app/a.py\n# file: tests/test_a.py\nimport app.a\n"
CODE_FAULTS = {
    "": [("", "nothing says where a run begins")],
    'entry = ["app.aa"]': [("entry[0]", "there is no module app.aa; did you mean app.a?")],
    'entry = ["app.x.*"]': [("entry[0]", "no module fits the pattern app.x.*")],
    'entry = ["app"]\nwithin = "apps"': [("within", "there is no package apps; did you mean app?")],
    'entry = ["app"]': [],
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


def test_modules_that_outside_code_may_import_are_reached() -> None:
    tree = """
[project]
api = ["app.face", "app.plugins.*"]
# file: app/__init__.py
# file: app/face.py
import app.a
# file: app/a.py
# file: app/plugins/one.py
# file: app/b.py
x = 1  # problem: nothing reaches app.b
"""
    check_tree(KIND, RULE + tree.lstrip("\n"))
