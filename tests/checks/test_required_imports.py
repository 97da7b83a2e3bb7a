"""required-imports: small trees with the expected lines marked in place, and what is wrong with a rule by itself."""

from __future__ import annotations

import pytest

from tests.checks.rules import code_faults, text_fault
from tests.tree import check_tree

KIND = "required-imports"
RULE = f"""# file: layercheck.toml
[[rule]]
name = "tested"
check = "{KIND}"
reason = "a test"
"""


TREES = {
    "a module or package, or what is below it": """
from = ["app.plugins.*"]
to = ["app.registry"]
# file: app/__init__.py
# file: app/registry/__init__.py
# file: app/registry/inner.py
# file: app/plugins/__init__.py
x = 1
# file: app/plugins/one.py
import app.registry
# file: app/plugins/two.py
from app import registry
# file: app/plugins/three.py
from app.registry.inner import x
# file: app/plugins/four.py
import app  # problem: app.plugins.four does not import app.registry at import time
# file: app/plugins/five/__init__.py
x = 1  # problem: app.plugins.five does not import app.registry
# file: app/plugins/five/helpers.py
x = 1
""",
    "a name of a module": """
from = ["app.plugins.*"]
to = ["app.registry.register"]
# file: app/registry.py
def register(): ...
def other(): ...
# file: app/plugins/one.py
from app.registry import register as r
# file: app/plugins/two.py
from app.registry import other  # problem: app.plugins.two does not import app.registry.register
""",
    "each of several, from outside too": """
from = ["app.**"]
to = ["__future__.annotations", "logging"]
exempt = ["app.gen"]
# file: app/__init__.py
# file: app/empty.py
# file: app/text.py
'''Only a text.'''
# file: app/gen.py
x = 1
# file: app/a.py
from __future__ import annotations
import logging
# file: app/b.py
from __future__ import division, annotations  # problem: app.b does not import logging
# file: app/c.py
import logging.handlers  # problem: app.c does not import __future__.annotations
""",
    "through a star": """
from = ["app.*.*"]
to = ["app.reg.register"]
# file: app/__init__.py
# file: app/reg.py
def register(): ...
# file: app/again.py
from app.reg import *
# file: app/open.py
from elsewhere import *
# file: app/chosen.py
__all__ = ["other"]
from app.reg import *
other = 1
# file: app/in_/plain.py
from app.reg import *
register()
# file: app/in_/late.py
def f():  # problem: app.in_.late does not import app.reg.register at import time
    from app.reg import register
# file: app/in_/elsewhere.py
from app.again import *  # problem: app.in_.elsewhere does not import app.reg.register
""",
    "through a star of what cannot be told, by a pattern, of a submodule, and not of what it leaves out": """
from = ["app.in_.*"]
to = ["elsewhere.register", "app.open.register", "app.chosen.*er", "app.sub.reg", "app.hidden.register"]
# file: app/__init__.py
# file: app/open.py
from elsewhere import *
# file: app/chosen.py
__all__ = ["other"]
other = 1
# file: app/sub/__init__.py
__all__ = ["reg"]
# file: app/sub/reg.py
# file: app/hidden.py
__all__ = []
def register(): ...
# file: app/in_/plain.py
from elsewhere import *  # problem: app.in_.plain does not import app.hidden.register
from app.open import *
from app.chosen import *
from app.sub import *
from app.hidden import *
""",
    "kinds": """
from = ["app.*"]
to = ["app.a"]
kinds = ["deferred", "typing"]
# file: app/a.py
x = 1
# file: app/b.py
import app.a  # problem: app.b does not import app.a
# file: app/c.py
def later():
    import app.a
""",
    "an import in a function registers nothing": """
from = ["app.*"]
to = ["registry"]
# file: registry.py
# file: app/b.py
def later():  # problem: app.b does not import registry at import time
    import registry
""",
    "what cannot be read and vendored code are not judged, an ignore silences": """
from = ["app.**"]
to = ["registry"]
ignore = [{ import = "app.old -> registry", reason = "goes away" }]
# file: registry.py
# file: app/broken.py
def
# file: app/_vendor/x.py
x = 1
# file: app/old.py
x = 1
""",
}
TEXT_FAULTS = {
    'from = []\nto = ["b"]': "`from` is empty",
    'from = ["a"]\nto = []': "`to` is empty",
    'from = ["a"]\nto = ["b"]\nkinds = []': "`kinds` is empty",
    'from = ["a b"]\nto = ["b"]': "`from[0]`: 'a b' is neither a name nor a pattern",
    'from = ["a"]\nto = ["b."]': "`to[0]`: 'b.' is neither",
    'from = ["a"]\nto = ["b"]\nexempt = ["/"]': "`exempt[0]`: '/' is neither",
}
CODE = "# file: app/__init__.py\n# file: app/a.py\nx = 1\n# file: app/b.py\n"
CODE_FAULTS = {
    'from = ["app.aa"]\nto = ["app.b"]': [("from[0]", "there is no module app.aa; did you mean app.a?")],
    'from = ["app.x.*"]\nto = ["app.b"]': [("from[0]", "no module fits the pattern app.x.*")],
    'from = ["app.b"]\nto = ["app.a.y"]': [("to[0]", "there is no module or name app.a.y")],
    'from = ["app.b"]\nto = ["app.gone"]': [("to[0]", "there is no module or name app.gone")],
    'from = ["app.b"]\nto = ["app.a.x", "app.a", "torch"]': [],
    'from = ["app.b"]\nto = ["app.a"]\nexempt = ["app.c"]': [("exempt[0]", "there is no module app.c")],
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
