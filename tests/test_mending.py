"""Findings mended in whole trees: what the files become, what is left, and why it is left."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.mending import DECLARED, mend_files
from tests.tree import RULES, parse_tree

BASE = """
# file: a/__init__.py
# file: a/base.py
class Base: ...
CHUNK = 1
def helper(): ...
# file: a/loud.py
NAMES = []
print("running")
def speak(): ...
"""

MENDED = {
    "an orphan goes, with the last name the statement": (
        """
# file: a/b.py
from a.base import Base, CHUNK
import os
x = Base
""",
        """
# file: a/b.py
from a.base import Base
x = Base
""",
    ),
    "what is left over by one goes with it": (
        """
# file: a/b.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a.base import Base
x = 1
""",
        """
# file: a/b.py
x = 1
""",
    ),
    "a name passed on for one who no longer takes it": (
        """
# file: a/b.py
from a.base import Base, helper
x = Base
# file: a/c.py
from a.b import helper, x
y = x
""",
        """
# file: a/b.py
from a.base import Base
x = Base
# file: a/c.py
from a.b import x
y = x
""",
    ),
    "an indirect import goes to the home, and the orphan that it leaves goes too": (
        """
# file: a/b.py
from a.base import Base, helper
x = Base
# file: a/c.py
from .b import helper as h, x
y = x, h
""",
        """
# file: a/b.py
from a.base import Base
x = Base
# file: a/c.py
from .b import x
from .base import helper as h
y = x, h
""",
    ),
    "a broken import goes to the one home": (
        """
# file: a/b.py
def f():
    from a.gone import helper
    return helper
# file: tests/test_b.py
from a.b import Base
def test_f():
    assert Base
""",
        """
# file: a/b.py
def f():
    from a.base import helper
    return helper
# file: tests/test_b.py
from a.base import Base
def test_f():
    assert Base
""",
    ),
    "a stale re-export goes, from __all__ too": (
        """
# file: a/p/__init__.py
from a.base import Base, helper
from a.p.q import x
__all__ = ["helper", "Base"]
# file: a/p/q.py
x = 1
# file: a/user.py
from a.p import Base
y = Base
""",
        """
# file: a/p/__init__.py
from a.base import Base
__all__ = ["Base"]
# file: a/p/q.py
x = 1
# file: a/user.py
from a.p import Base
y = Base
""",
    ),
    "a name that the module reads itself only goes from __all__": (
        """
# file: a/b.py
from a.base import helper
__all__ = ["helper", "x"]
x = helper()
# file: a/user.py
from a.b import x
y = x
""",
        """
# file: a/b.py
from a.base import helper
__all__ = ["x"]
x = helper()
# file: a/user.py
from a.b import x
y = x
""",
    ),
    "an ignore that is not used": (
        """
# file: a/b.py
from a.base import Base  # layercheck: ignore[cycles, orphaned-imports] for now
x = 1
""",
        """
# file: a/b.py
from a.base import Base  # layercheck: ignore[orphaned-imports] for now
x = 1
""",
    ),
    "a module that only defines things need not run": (
        """
# file: a/b.py
from a.base import helper
x = 1
""",
        """
# file: a/b.py
x = 1
""",
    ),
    "a module that does something still runs": (
        """
# file: a/b.py
from a.loud import NAMES, speak
x = NAMES
""",
        """
# file: a/b.py
from a.loud import NAMES
x = NAMES
""",
    ),
    "a module that does something still runs by another way": (
        """
# file: a/b.py
import a.c
from a.loud import speak
x = a.c.y
# file: a/c.py
from a.loud import NAMES
y = NAMES
""",
        """
# file: a/b.py
import a.c
x = a.c.y
# file: a/c.py
from a.loud import NAMES
y = NAMES
""",
    ),
    "a module that does something never ran for types": (
        """
# file: a/b.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a.loud import speak
    from a.base import Base
x: "Base"
""",
        """
# file: a/b.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a.base import Base
x: "Base"
""",
    ),
    "a ring that gets smaller is no new one": (
        """
# file: a/b.py
from a.c import one
from a.d import two, unused
def three(): return one, two
# file: a/c.py
import a.b
def one(): return a.b.three
# file: a/d.py
import a.b
def two(): return a.b.three
unused = 1
# file: a/e.py
from a.f import nothing, seven
eight = seven
# file: a/f.py
from a.g import nine
nothing = seven = nine
# file: a/g.py
from a.f import nothing
nine = 9
""",
        """
# file: a/b.py
from a.c import one
from a.d import two
def three(): return one, two
# file: a/c.py
import a.b
def one(): return a.b.three
# file: a/d.py
import a.b
def two(): return a.b.three
unused = 1
# file: a/e.py
from a.f import seven
eight = seven
# file: a/f.py
from a.g import nine
nothing = seven = nine
# file: a/g.py
nine = 9
""",
    ),
}


def tree(text: str) -> Mapping[str, str]:
    return {**parse_tree(BASE).files, **parse_tree(text).files}


@pytest.mark.parametrize(("before", "after"), MENDED.values(), ids=MENDED)
def test_what_is_mended(before: str, after: str) -> None:
    outcome = mend_files(tree(before))
    assert dict(outcome.files) == dict(tree(after)), outcome.diff
    again = mend_files(outcome.files)
    assert not again.mended.files
    assert again.findings == outcome.findings


LEFT = {
    "a probe": (
        "try:\n    from a.gone import helper\nexcept ImportError:\n    helper = None\nx = helper\n",
        "it is part of a try that expects it to fail",
    ),
    "the other arm of a probe": (
        "try:\n    import fast\nexcept ImportError:\n    from a.gone import helper as fast\nx = fast\n",
        "it is part of a try that expects it to fail",
    ),
    "a module whose __all__ cannot be read": (
        "from a.gone import helper\n__all__ = [name for name in ('x',)]\nx = helper\n",
        "the __all__ of a.b cannot be read",
    ),
    "a module that does something": ("from a.loud import speak\nx = 1\n", "a/loud.py:2 might not run any more"),
    "a module of somebody else": (
        "from torch import nn\nx = 1\n",
        "torch, which is not of this project, might not be imported any more",
    ),
    "an import in a function of a module that does something": (
        "def f():\n    from a.loud import speak\n",
        "a/loud.py:2 might not run any more",
    ),
    "a block whose test does something": ("def f(): ...\nif f():\n    pass\n", "its test may do something"),
    "a name of several homes": ("from a.gone import twice\nx = twice\n", None),
    "a name without a home": ("from a.base import nowhere\nx = nowhere\n", None),
    "a module without a home": ("import a.gone\nx = a.gone\n", None),
}


@pytest.mark.parametrize("second", ["base", "also"])
def test_two_ways_to_one_thing_stay_two_in_a_test(second: str) -> None:
    also = (
        "# file: a/also.py\nfrom a.base import Base\nx = Base\n# file: a/face.py\nfrom a.base import Base\ny = Base\n"
    )
    text = (
        f"from a.face import Base\nfrom a.{second} import Base as Other\n\n\ndef test_it():\n    assert Base is Other\n"
    )
    outcome = mend_files(tree(f"{also}# file: tests/test_b.py\n{text}"))
    assert not outcome.mended.files, outcome.diff
    assert outcome.refusals
    assert all("it may be there to compare the two" in one for one in outcome.refusals)
    outcome = mend_files(tree(f"{also}# file: tests/test_b.py\n{text.replace(' as Other', '').replace('Other', '1')}"))
    assert outcome.mended.files


@pytest.mark.parametrize(("text", "why"), LEFT.values(), ids=LEFT)
def test_what_is_left(text: str, why: str | None) -> None:
    twice = "# file: a/one.py\ndef twice(): ...\n# file: a/two.py\ndef twice(): ...\n"
    outcome = mend_files(tree(f"{twice}# file: a/b.py\n{text}"))
    assert not outcome.mended.files, outcome.diff
    assert outcome.findings
    if why is None:
        assert outcome.refusals == []
    else:
        assert [why in one for one in outcome.refusals] == [True]


UNSAFE = {
    "a module that does something": ("from a.loud import speak\nx = 1\n", "x = 1\n"),
    "a module of somebody else": ("import torch\nx = 1\n", "x = 1\n"),
    "a block whose test does something": ("def f(): ...\nif f():\n    pass\n", "def f(): ...\n"),
}


@pytest.mark.parametrize(("before", "after"), UNSAFE.values(), ids=UNSAFE)
def test_what_only_unsafe_mends(before: str, after: str) -> None:
    files = tree(f"# file: a/b.py\n{before}")
    assert mend_files(files).files["a/b.py"] == before
    assert mend_files(files, unsafe=True).files["a/b.py"] == after


EFFECTS = {
    "a call": "register('x')\n",
    "a decorator of its own": "def mark(f): return f\n@mark\ndef speak2(): ...\n",
    "an attribute set": "import os\nos.environ['X'] = '1'\n",
    "a class below one of somebody else": "from django.db.models import Model\nclass A(Model): ...\n",
    "a class that is told of those below it": "class A:\n    def __init_subclass__(cls): ...\n",
    "a class of a metaclass": "from a.base import Base\nclass A(metaclass=Base): ...\n",
    "a loop": "for x in range(3): ...\n",
    "an import of another that does something": "import a.loud\n",
    "an outside module": "import torch\n",
    "an import for what it does": "import readline\n",
    "a call in a default": "def f(x=print()): ...\n",
    "a walrus of a call": "x = [y := print()]\n",
}

ABSTRACT = """
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def f(self): ...
    @property
    def g(self): ...
    @g.setter
    def g(self, value): ...
"""

DATACLASS = """
from dataclasses import dataclass, field
@dataclass(frozen=True)
class A:
    x: list = field(default_factory=list)
"""

NO_EFFECTS = {
    "a docstring": "'''Of it.'''\n",
    "constants": "X: int = 1\nY = {'a': [X, 2], **{}}\nX += 1\n",
    "a logger": "import logging\nlogger = logging.getLogger(__name__)\n",
    "a type variable": "from typing import TypeVar\nT = TypeVar('T')\n",
    "a dataclass": DATACLASS,
    "an exception": "class A(ValueError):\n    '''Of it.'''\n",
    "an enum": "import enum\nclass A(enum.Enum):\n    X = enum.auto()\n",
    "an abstract class": ABSTRACT,
    "a class below one of the project": "from a.base import Base\nclass A(Base):\n    x = 1\n",
    "guards": "import sys\nif sys.platform == 'win32':\n    X = 1\nelse:\n    X = 2\n",
    "a lambda": "f = lambda: print()\n",
    "a probe": "try:\n    import json\nexcept ImportError:\n    json = None\n",
}


@pytest.mark.parametrize("text", EFFECTS.values(), ids=EFFECTS)
def test_a_module_that_does_something_is_not_lost(text: str) -> None:
    files = tree(f"# file: a/c.py\n{text}def speak(): ...\n# file: a/b.py\nfrom a.c import speak\nx = 1\n")
    assert mend_files(files).files["a/b.py"] == files["a/b.py"]
    assert mend_files(files, unsafe=True).files["a/b.py"] == "x = 1\n"


@pytest.mark.parametrize("text", NO_EFFECTS.values(), ids=NO_EFFECTS)
def test_a_module_that_only_defines_may_be_lost(text: str) -> None:
    files = tree(f"# file: a/c.py\n{text}def speak(): ...\n# file: a/b.py\nfrom a.c import speak\nx = 1\n")
    assert mend_files(files).files["a/b.py"] == "x = 1\n"


MOVED = """
# file: a/__init__.py
# file: a/old.py
def stays(): ...
def reads_stays(): return stays()
# file: a/new.py
def gone(): ...
def reads_gone(): return gone()
class Moved:
    def method(self): ...
# file: a/both.py
def shared(): ...
def reads(): return shared()
# file: a/other.py
from a.both import shared
def reads(): return shared()
# file: a/quiet.py
def silent(): ...
# file: tests/test_a.py
from unittest.mock import patch
"""

TARGETS = {
    "a text": ("""patch("a.old.gone")\n""", """patch("a.new.gone")\n"""),
    "a text in other quotes": ("""patch('''a.old.gone''', x)\n""", """patch('''a.new.gone''', x)\n"""),
    "a decorator": ("@patch('a.old.gone')\ndef test(m): ...\n", "@patch('a.new.gone')\ndef test(m): ...\n"),
    "something of what moved": ("patch('a.old.Moved.method')\n", "patch('a.new.Moved.method')\n"),
    "a module that moved": ("patch('a.old.new.gone')\n", "patch('a.new.gone')\n"),
    "a constant": ("OLD = 'a.old'\npatch(f'{OLD}.gone')\n", "OLD = 'a.new'\npatch(f'{OLD}.gone')\n"),
    "a constant that all move with": (
        "OLD = 'a.old'\npatch(OLD + '.gone')\npatch(OLD + '.Moved')\n",
        "OLD = 'a.new'\npatch(OLD + '.gone')\npatch(OLD + '.Moved')\n",
    ),
}

STAYING = {
    "a constant that not all move with": (
        "OLD = 'a.old'\npatch(OLD + '.gone')\npatch(OLD + '.stays')\n",
        "other targets are made of the same text",
    ),
    "a constant that others read": ("OLD = 'a.old'\npatch(OLD + '.gone')\nprint(OLD)\n", "OLD is read elsewhere too"),
    "what several modules read": ("patch('a.old.shared')\n", "a.other may read shared too"),
    "what nothing reads": ("patch('a.old.silent')\n", "nothing in a.quiet reads silent"),
    "what lives nowhere": ("patch('a.old.nowhere')\n", None),
    "an object": ("import a.old\npatch.object(a.old, 'gone')\n", None),
}


@pytest.mark.parametrize(("before", "after"), TARGETS.values(), ids=TARGETS)
def test_a_target_follows_what_moved(before: str, after: str) -> None:
    files = dict(parse_tree(MOVED).files)
    head = files["tests/test_a.py"]
    outcome = mend_files({**files, "tests/test_a.py": head + before})
    assert outcome.files["tests/test_a.py"] == head + after, outcome.refusals
    assert outcome.findings == ()


@pytest.mark.parametrize(("text", "why"), STAYING.values(), ids=STAYING)
def test_a_target_that_is_left(text: str, why: str | None) -> None:
    files = dict(parse_tree(MOVED).files)
    files["tests/test_a.py"] += text
    outcome = mend_files(files)
    assert not outcome.mended.files, outcome.diff
    assert outcome.findings
    assert [why is not None and why in one for one in outcome.refusals] == ([] if why is None else [True])


class TestNothingNew:
    def test_a_submodule_that_outside_code_may_read_from_its_package_stays_bound(self) -> None:
        package = "# file: a/__init__.py\nfrom a.q import helper\nx = helper\n"
        text = f"{package}# file: a/q.py\nfrom a.base import helper\ny = helper\n"
        open_ = tree(text + "# file: layercheck.toml\n" + DECLARED.replace("api = []", 'api = ["a"]'))
        outcome = mend_files(open_)
        assert outcome.files["a/__init__.py"] == open_["a/__init__.py"]
        assert outcome.refusals == [
            "a.q might not be there any more for who only imports a; --unsafe does it all the same"
        ]
        closed = tree(text)
        assert mend_files(closed).files["a/__init__.py"] == "from a.base import helper\nx = helper\n"

    def test_a_fix_that_would_close_a_ring_is_left_out(self) -> None:
        files = tree(
            """
# file: a/b.py
from a.c import helper2
def one(): return helper2
# file: a/c.py
from a.gone import two
def helper2(): return two
# file: a/d.py
from a.b import one
def two(): return one
"""
        )
        outcome = mend_files(files)
        assert not outcome.mended.files, outcome.diff
        assert [one.partition(": ")[0] for one in outcome.refusals] == ["it would leave a/b.py:1"]

    def test_a_fix_against_the_layers_is_left_out(self) -> None:
        rule = '[[rule]]\nname = "floors"\ncheck = "layers"\nreason = "so"\nwithin = "a"\norder = ["top", "low"]\n'
        files = tree(
            f"""
# file: {RULES}
{DECLARED}
{rule}
# file: a/low.py
from a.gone import two
from a.gone import helper
x = two, helper
# file: a/top.py
def two(): ...
"""
        )
        outcome = mend_files(files)
        assert outcome.files["a/low.py"] == "from a.base import helper\nfrom a.gone import two\nx = two, helper\n"
        assert ["layers" in one for one in outcome.refusals] == [True]

    def test_an_ignore_entry_that_would_not_be_used_any_more(self) -> None:
        ignore = (
            '[[rule]]\nname = "no-base"\ncheck = "forbidden-imports"\nreason = "so"\nfrom = ["a.b"]\nto = ["a.base"]\n'
        )
        entry = 'ignore = [{ import = "a.b -> a.base", reason = "for now" }]\n'
        files = tree(
            f"# file: {RULES}\n{DECLARED}\n{ignore}{entry}\n# file: a/b.py\nfrom a.base import helper\nx = 1\n"
        )
        outcome = mend_files(files)
        assert not outcome.mended.files
        assert ["is not used" in one for one in outcome.refusals] == [True]

    def test_a_package_is_not_emptied(self) -> None:
        files = tree("# file: a/_p/__init__.py\n'''Of it.'''\nfrom a.base import helper\n# file: a/_p/q.py\nx = 1\n")
        outcome = mend_files(files)
        assert not outcome.mended.files, outcome.diff
        assert outcome.refusals == ["nothing would be left of the file"]


def test_a_file_that_changed_meanwhile_is_left_alone() -> None:
    outcome = mend_files(
        tree("# file: a/b.py\nimport os\nx = 1\n"), on_disk={"a/b.py": "import os\nimport sys\nx = 1\n"}
    )
    assert not outcome.mended.files
    assert outcome.refusals == ["the file has changed since it was read; run again"]


def test_what_it_takes_away_are_the_findings_that_are_gone() -> None:
    files = tree("# file: a/b.py\nimport os\nimport os\nfrom torch import nn\nx = 1\n")
    outcome = mend_files(files)
    assert outcome.files["a/b.py"] == "from torch import nn\nx = 1\n"
    fixed, left = outcome.mended.fixes, outcome.mended.refusals
    findings = [*(one.finding for one in fixed), *(one.finding for one in left)]
    assert outcome.mended.takes_away(findings) == {one.finding.fingerprint for one in outcome.mended.fixes}
    assert len(outcome.mended.fixes) == 2
