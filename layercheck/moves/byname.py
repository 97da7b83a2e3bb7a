"""Names that mean something by the module where they stand: Python and tools for tests look them up there, or somebody
asks what moved for its module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from layercheck.moves.model import Reason, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change
from layercheck.moves.sites import Taken

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


def asked(change: Change, takers: Iterable[Taken]) -> Iterator[Unsupported]:
    """Where a file that takes what moved reads the ``__module__`` of it, which is another one now.

    ``takers``: the imports of what moved, of the new state.
    """
    for path, name in dict.fromkeys((one.member.path, one.taken.bound) for one in takers):
        if b"__module__" not in change.new.contents.get(path, b""):
            continue
        tokens = change.new.tokens(path) or ()
        texts = [one.text for one in tokens]
        for index in range(len(texts) - 2):
            if texts[index : index + 3] == [name, ".", "__module__"] and texts[index - 1 : index] != ["."]:
                why = Reason("{0} is asked for its module, which is another one now", (name,))
                yield Unsupported(path, tokens[index].line, why)


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
