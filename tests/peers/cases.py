"""Rows of the table in README.md: two trees that differ in one thing, and settings with which each tool could see it.

A tool sees a thing where it fails on the tree that has it and passes on the one that has not. Where a tool has settings
for such a thing they are here; else it runs with its settings for layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.tree import parse_tree

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A row: ``wrong`` and ``right`` are files beside the common ones, ``settings`` take the place of common ones."""

    wrong: Files
    right: Files
    settings: Files = field(default_factory=dict)

    def files(self, *, wrong: bool) -> dict[str, str]:
        """The whole of one of the two trees."""
        return {**COMMON, **self.settings, **(self.wrong if wrong else self.right)}


def case(wrong: str, right: str, settings: str = "") -> Case:
    """A case of trees as text."""
    return Case(*(parse_tree(text).files if text else {} for text in (wrong, right, settings)))


COMMON = parse_tree("""\
# file: app/__init__.py
# file: app/high.py
def top():
    return 1
# file: app/low.py
def base():
    return 1
# file: tests/test_app.py
from app.high import top
from app.low import base


def test_it():
    assert top() == base()
# file: layercheck.toml
[[rule]]
name = "floors"
check = "layers"
reason = "low knows nobody"
within = "app"
reach = "transitive"
order = ["high", "low"]
# file: .importlinter
[importlinter]
root_package = app

[importlinter:contract:floors]
name = floors
type = layers
layers =
    app.high
    app.low
# file: tach.toml
source_roots = ["."]
exclude = ["tests"]
layers = ["high", "low"]

[rules]
unused_ignore_directives = "error"

[[modules]]
path = "app.high"
layer = "high"

[[modules]]
path = "app.low"
layer = "low"
# file: deply.yaml
deply:
  paths:
    - app
  layers:
    - name: high
      collectors:
        - type: file_regex
          regex: ".*high.py"
    - name: low
      collectors:
        - type: file_regex
          regex: ".*low.py"
  ruleset:
    low:
      disallow_layer_dependencies:
        - high
# file: ruff.toml
[lint]
select = ["E9", "F", "TID", "RUF100"]
# file: pylintrc
[MAIN]
persistent = no
fail-on = useless-suppression
[MESSAGES CONTROL]
disable = all
enable = E, F, cyclic-import, unused-import, useless-suppression
""").files

_UP = "from app.high import top\n\n\ndef base():\n    return top()\n"
_DOWN = "def base():\n    return 1\n"
_PARTS = "".join(
    f"# file: {name}\n{COMMON[name].replace(old, new)}"
    for name, old, new in (
        ("layercheck.toml", '"low"', '"parts.low"'),
        (".importlinter", "app.low", "app.parts.low"),
        ("tach.toml", "app.low", "app.parts.low"),
    )
)


_LATE = """
[[rule]]
name = "late"
check = "kinds-of-import"
reason = "it is slow to load"
from = ["app"]
to = ["sqlite3"]
only = ["deferred"]
"""
_BANNED = """
[lint.flake8-tidy-imports]
banned-module-level-imports = ["sqlite3"]
"""


def _also(name: str, text: str) -> str:
    """Common settings and some more."""
    return f"# file: {name}\n{COMMON[name]}{text}"


CASES: dict[str, Case] = {
    "an import that goes up the layers": case(f"# file: app/low.py\n{_UP}", f"# file: app/low.py\n{_DOWN}"),
    "a chain that goes up, through a module of no layer": case(
        f"""\
# file: app/low.py
from app.between import middle


def base():
    return middle()
# file: app/between.py
{_UP.replace("base", "middle")}""",
        f"""\
# file: app/low.py
from app.between import middle


def base():
    return middle()
# file: app/between.py
{_DOWN.replace("base", "middle")}""",
    ),
    "an import that goes up, in a folder without `__init__.py`": case(
        f"# file: app/parts/low.py\n{_UP}",
        f"# file: app/parts/low.py\n{_DOWN}",
        _PARTS,
    ),
    "an import ring, without being told an order": case(
        """\
# file: app/one.py
from app.two import b


def a():
    return b()
# file: app/two.py
import app.one


def b():
    return app.one
""",
        """\
# file: app/one.py
from app.two import b


def a():
    return b()
# file: app/two.py
def b():
    return 1
""",
        _also(
            ".importlinter",
            "\n[importlinter:contract:rings]\nname = rings\ntype = acyclic_siblings\nancestors =\n    app\n",
        ),
    ),
    "an import of a name that is not there": case(
        "# file: app/high.py\nfrom app.low import gone\n\n\ndef top():\n    return gone()\n",
        "# file: app/high.py\nfrom app.low import base\n\n\ndef top():\n    return base()\n",
    ),
    "an unused import, but not one that others take from there": case(
        """\
# file: app/low.py
from app.basis import unit


def base():
    return 1
# file: app/basis.py
unit = 1
""",
        """\
# file: app/low.py
from app.basis import unit


def base():
    return 1
# file: app/basis.py
unit = 1
# file: app/high.py
from app.low import unit


def top():
    return unit
""",
    ),
    "a name that a package passes on and nobody takes": case(
        '# file: app/__init__.py\nfrom app.low import base\n\n__all__ = ["base"]\n',
        """\
# file: app/__init__.py
from app.low import base

__all__ = ["base"]
# file: app/user.py
from app import base

print(base)
""",
        _also("layercheck.toml", '[project]\napi = ["app.high"]\n[checks]\nstale-reexports = "error"\n'),
    ),
    "a `mock.patch` of what is not there": case(
        """\
# file: tests/test_app.py
from unittest.mock import patch


def test_it():
    with patch("app.low.gone"):
        pass
""",
        """\
# file: tests/test_app.py
from unittest.mock import patch


def test_it():
    with patch("app.low.base"):
        pass
""",
    ),
    "a `mock.patch` that changes nothing": case(
        """\
# file: app/old.py
from app.low import base  # noqa: F401  # pylint: disable=unused-import
# file: app/high.py
from app.low import base


def top():
    return base()
# file: tests/test_app.py
from unittest.mock import patch

from app.high import top


def test_it():
    with patch("app.old.base"):
        assert top()
""",
        """\
# file: app/old.py
from app.low import base  # noqa: F401  # pylint: disable=unused-import
# file: app/high.py
from app.low import base


def top():
    return base()
# file: tests/test_app.py
from unittest.mock import patch

from app.high import top


def test_it():
    with patch("app.high.base"):
        assert top()
""",
    ),
    "an import that may only stand in functions": case(
        "# file: app/high.py\nimport sqlite3\n\n\ndef top():\n    return sqlite3\n",
        "# file: app/high.py\ndef top():\n    import sqlite3\n\n    return sqlite3\n",
        _also("layercheck.toml", _LATE) + _also("ruff.toml", _BANNED),
    ),
    "an ignore that is needed no more": case(
        """\
# file: app/low.py
import os  # noqa: F401  # pylint: disable=unused-import


def base():
    return os.name
# file: app/high.py
# deply:ignore-file
from app.low import base  # tach-ignore


def top():
    return base()
""",
        """\
# file: app/low.py
# deply:ignore-file
import os  # noqa: F401  # pylint: disable=unused-import

from app.high import top  # tach-ignore


def base():
    return top()
""",
        _also("layercheck.toml", 'ignore = [{ import = "app.low -> app.high", reason = "for now" }]\n')
        + _also(".importlinter", "ignore_imports =\n    app.low -> app.high\n"),
    ),
    "a file that does not parse": case(
        "# file: app/extra.py\ndef (:\n", "# file: app/extra.py\ndef extra():\n    ...\n"
    ),
}
