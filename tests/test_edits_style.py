"""Imports that are written into a file: where they go, in which order their names stand, when they are wrapped."""

from __future__ import annotations

import pytest

from layercheck.edits import Redirect, rewrite
from layercheck.edits.model import AddImport, Change
from layercheck.extract import extract


def changed(text: str, *changes: Change, width: int = 0) -> str:
    content = text.encode()
    return rewrite(content, extract(content), "p", changes, width=width)[0].decode()


def to(position: int, home: str, name: str) -> Redirect:
    return Redirect(position, home, home, name)


def more(position: int, home: str, *names: str) -> list[AddImport]:
    return [AddImport(position, home, home, name, name) for name in names]


PLACES = [
    # the order that is there: plain imports first, or among the others, or none
    (
        "import c\nfrom p.a import x, y\nfrom p.d import z\n",
        "import c\nfrom p.a import x\nfrom p.b import y\nfrom p.d import z\n",
    ),
    ("import c\nfrom p.d import x, y\n", "import c\nfrom p.b import y\nfrom p.d import x\n"),
    ("from p.d import x, y\nimport p.z\n", "from p.b import y\nfrom p.d import x\nimport p.z\n"),
    ("from p.d import x, y\nfrom p.a import z\n", "from p.d import x\nfrom p.b import y\nfrom p.a import z\n"),
    ("from P.A import w\nfrom p.a import x, y\n", "from P.A import w\nfrom p.a import x\nfrom p.b import y\n"),
    # the section of its package, or of its kind, or one of its own
    (
        "import os\n\nimport q\n\nfrom p.c import x, y\n",
        "import os\n\nimport q\n\nfrom p.b import y\nfrom p.c import x\n",
    ),
    ("from q import x, y\n\nfrom p.c import z\n", "from q import x\n\nfrom p.b import y\nfrom p.c import z\n"),
    ("import os\n\nfrom q import x, y\n", "import os\n\nfrom p.b import y\nfrom q import x\n"),
    ("from os import x, y\n\nz = 1\n", "from os import x\n\nfrom p.b import y\n\nz = 1\n"),
    ("from . import x, y\n", "from . import x\n\nfrom p.b import y\n"),
    # below a comment, beside other code
    ("# all of p\nfrom p.c import x, y\n", "# all of p\nfrom p.c import x\nfrom p.b import y\n"),
    (
        "if T:\n    from p.c import x, y\n    from p.d import z\n",
        "if T:\n    from p.b import y\n    from p.c import x\n    from p.d import z\n",
    ),
    (
        "import os\nif T: from p.c import x, y; import z\n",
        "import os\nif T: from p.c import x; from p.b import y; import z\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), PLACES)
def test_a_new_statement_stands_in_the_order_that_is_there(before: str, after: str) -> None:
    (position,) = [at for at, taken in enumerate(extract(before.encode()).imports) if taken.bound == "y"]
    assert changed(before, to(position, "p.b", "y")) == after


TURNS = [
    ("from p.a import x\nfrom p.c import y\n", "z", "from p.a import x\nfrom p.z import y\n"),
    ("from p.c import y\nfrom p.d import x\n", "z", "from p.d import x\nfrom p.z import y\n"),
    ("from p.d import x\nfrom p.c import y\n", "z", "from p.d import x\nfrom p.z import y\n"),
    ("from p.c import y  # why\nfrom p.d import x\n", "z", "from p.z import y  # why\nfrom p.d import x\n"),
    ("# why\nfrom p.c import y\nfrom p.d import x\n", "z", "# why\nfrom p.z import y\nfrom p.d import x\n"),
    ("from p.c import y\n\nfrom p.d import x\n", "z", "from p.z import y\n\nfrom p.d import x\n"),
    ("from p.c import y\n", "z", "from p.z import y\n"),
]


@pytest.mark.parametrize(("before", "home", "after"), TURNS)
def test_a_statement_that_breaks_the_order_goes_where_it_belongs(before: str, home: str, after: str) -> None:
    (position,) = [at for at, taken in enumerate(extract(before.encode()).imports) if taken.bound == "y"]
    assert changed(before, to(position, f"p.{home}", "y")) == after


WRAPS = [
    ("from p.a import aaa\n", [to(0, "p.bbbbbbb", "aaa")], "from p.bbbbbbb import (\n    aaa,\n)\n"),
    ("from p.a import (aaa)\n", [to(0, "p.bbbbbbb", "aaa")], "from p.bbbbbbb import (aaa)\n"),
    ("from p.a import aa  # b\n", [to(0, "p.bbbbbbb", "aa")], "from p.bbbbbbb import aa  # b\n"),
    ("from p.a import aa\n", more(0, "p.a", "CC", "Bb"), "from p.a import (\n    CC,\n    Bb,\n    aa,\n)\n"),
    ("from p.a import aa\n", more(0, "p.a", "b"), "from p.a import aa, b\n"),
    (
        "def f():\n\tfrom p.a import aa\n",
        more(0, "p.b", "aaa", "bb"),
        "def f():\n\tfrom p.a import aa\n\tfrom p.b import (\n\t\taaa,\n\t\tbb,\n\t)\n",
    ),
    ("import p.a\n", [AddImport(0, "", "", "p.bbbbbbbbbbbbbbbbbb", "p")], "import p.a\nimport p.bbbbbbbbbbbbbbbbbb\n"),
]


@pytest.mark.parametrize(("before", "changes", "after"), WRAPS)
def test_what_does_not_fit_on_a_line_is_wrapped(before: str, changes: list[Change], after: str) -> None:
    assert changed(before, *changes, width=22) == after


@pytest.mark.parametrize(("longest", "is_wrapped"), [(79, True), (80, False)])
def test_the_lines_of_a_file_say_how_long_they_may_be(longest: int, is_wrapped: bool) -> None:
    """79 and 88 are usual, and the statement has 85 characters."""
    text = f"from p.a import x\nz = '{'a' * (longest - 6)}'\n"
    name = "a" * (85 - len("from p.a import , x"))
    assert ("(" in changed(text, *more(0, "p.a", name))) is is_wrapped
    assert "(" not in changed("from p.a import x\n", *more(0, "p.a", name), width=85)
