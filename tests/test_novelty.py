"""Which findings a later state of a project has that an earlier one had not."""

from __future__ import annotations

import pytest

from layercheck.config import default_config
from layercheck.run.judgement import judge
from layercheck.run.novelty import new_findings
from tests.tree import TODAY, build_project, parse_tree

LATE = """
# file: a/__init__.py
# file: a/b.py
def f():
    from a.c import x
    return x
y = 1
# file: a/c.py
from a.b import y
x = y
"""
MILD = """
# file: a/__init__.py
# file: a/b.py
import a.c
y = a
# file: a/c.py
import a.b
x = a
"""
FAILS = """
# file: a/__init__.py
# file: a/b.py
from a.c import x
y = x
# file: a/c.py
from a.b import y
x = y
"""
WIDER = """
# file: a/__init__.py
# file: a/b.py
import a.c
y = a
# file: a/c.py
import a.b
import a.d
x = a
# file: a/d.py
import a.b
"""
OTHER = MILD.replace("a.c", "a.e").replace("a/c", "a/e")


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        (MILD, MILD, 0),
        (FAILS, FAILS, 0),
        (FAILS, MILD, 0),
        (MILD, FAILS, 1),
        (LATE, FAILS, 1),
        (LATE, MILD, 1),
        (WIDER, MILD, 0),
        (WIDER, FAILS, 1),
        (MILD, WIDER, 1),
        (MILD, OTHER, 1),
        ("# file: a/__init__.py\n", MILD, 1),
    ],
)
def test_a_ring_is_new_where_it_is_wider_or_fails_now(before: str, after: str, new: int) -> None:
    olds, news = (
        judge(build_project(dict(parse_tree(text).files)), default_config(), TODAY).findings for text in (before, after)
    )
    assert sum(one.check == "cycles" for one in new_findings(olds, news)) == new
