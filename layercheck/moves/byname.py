"""Names that Python and tools for tests look up in the module where they stand: there they mean something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from layercheck.moves.model import Reason, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change

_OF_PYTHON = frozenset({"__getattr__", "__dir__", "__path__", "__all__"})
"""Language reference 3.3.2.1, "Customizing module attribute access", and the import system."""
_OF_TESTS = frozenset(
    {"load_tests", "setUpModule", "tearDownModule"}  # unittest
    | {"setup_module", "teardown_module", "setup_function", "teardown_function"}  # pytest, "xunit-style setup"
    | {"pytestmark", "pytest_plugins", "collect_ignore", "collect_ignore_glob"}
)
_FILES = ("test_*.py", "*_test.py")
"""The files in which pytest looks for tests (``python_files``), unless it is told otherwise."""


def by_name(change: Change, pairs: Iterable[Pair]) -> Iterator[Unsupported]:
    """What moved and does in its new home what it did not do, or no more what it did, since it is found by its name."""
    conftests = {str(PurePosixPath(path).parent) for path in change.new.by_path if path.endswith("conftest.py")}
    for pair in pairs:
        why = _why(pair, conftests)
        if why is not None:
            yield Unsupported(pair.after.member.path, pair.after.statement.start, why)


def _why(pair: Pair, conftests: set[str]) -> Reason | None:
    name, old, new = pair.before.name, *(PurePosixPath(one.member.path) for one in (pair.before, pair.after))
    hook = name in _OF_PYTHON
    if _is_for_tests(old) or _is_for_tests(new):
        hook = hook or name in _OF_TESTS or name.startswith("pytest_")
    if hook:
        return Reason("{0} is looked up by its name in the module where it is", (name,))
    collected = [_collects(path) and name.startswith(("test", "Test")) for path in (old, new)]
    if collected[0] != collected[1]:
        return Reason("{0} is a test in one of the two homes only, by the name of the file", (name,))
    if all(collected) and old.parent != new.parent:
        here, there = ({str(one) for one in path.parents} for path in (old, new))
        if (here ^ there) & conftests:
            return Reason("which fixtures {0} gets cannot be told: other conftest.py files are above it now", (name,))
    return None


def _is_for_tests(path: PurePosixPath) -> bool:
    return path.name == "conftest.py" or _collects(path)


def _collects(path: PurePosixPath) -> bool:
    return any(fnmatchcase(path.name, pattern) for pattern in _FILES)
