"""The stub of a compiled module: what it binds is known, what it does not bind may be there, and it imports nothing."""

from __future__ import annotations

from tests.tree import build_project, check_tree

TREE = """\
# file: pkg/__init__.py
# file: pkg/_x.cpython-311-darwin.so
# file: pkg/_x.pyi
from pkg.user import Shape
def listed(shape: Shape) -> None: ...
# file: pkg/user.py
from pkg._x import listed, not_listed
from pkg.absent import z  # problem: pkg.absent
class Shape: ...
print(listed, not_listed, z)
"""


def test_a_name_that_a_stub_does_not_list_is_not_missing() -> None:
    check_tree("broken-imports", TREE)


def test_the_imports_of_a_stub_close_no_ring() -> None:
    check_tree("cycles", TREE.replace("from pkg.absent import z  # problem: pkg.absent\n", ""))


def test_a_stub_uses_what_it_imports() -> None:
    files = {"pkg/_x.pyi": "from pkg.user import Shape\n", "pkg/_x.so": "", "pkg/user.py": "class Shape: ...\n"}
    (link,) = build_project(files).links
    assert (link.importer, link.imported, link.name, link.kind) == ("pkg._x", "pkg.user", "Shape", "typing")
