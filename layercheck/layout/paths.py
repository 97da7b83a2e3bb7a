"""What the names of files and folders mean by themselves: globs, skipped folders, tests, suffixes. Pure text.

Paths are POSIX and relative to the root of the run; the empty path is the root itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache

from layercheck.wildcards import Wildcards

SOURCE = ".py"
STUB = ".pyi"
SCRIPT_SUFFIXES = (".py", ".pyw")
"""What is read as Python wherever it lies."""

_COMPILED = (".so", ".pyd", ".pyc")
_BUILT_FROM = (".c", ".cc", ".cpp", ".cxx", ".rs")
_PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py")

_CONSUMER_FOLDERS = frozenset(
    (
        "ci",
        "bin",
        "debian",
        "doc",
        "docs",
        "documentation",
        "manpages",
        "news",
        "newsfragments",
        "changelog",
        "test",
        "tests",
        "unit_test",
        "unit_tests",
        "example",
        "examples",
        "scripts",
        "tools",
        "build",
        "dist",
        "venv",
        "env",
        "requirements",
        "fabfile",
        "site_scons",
        "benchmark",
        "benchmarks",
        "exercise",
        "exercises",
        "htmlcov",
    )
)
_CONSUMER_SCRIPTS = frozenset(
    (
        "setup",
        "conftest",
        "conf",
        "test",
        "tests",
        "example",
        "examples",
        "build",
        "toxfile",
        "noxfile",
        "pavement",
        "dodo",
        "tasks",
        "fabfile",
        "conanfile",
        "manage",
        "benchmark",
        "benchmarks",
        "exercise",
        "exercises",
    )
)
_VENDOR_FOLDERS = frozenset(("_vendor", "_vendored", "vendor", "vendored", "extern", "third_party"))
_GENERATED_FILES = ("_version.py", "*_pb2.py", "*_pb2_grpc.py", "*_pb2.pyi", "*_pb2_grpc.pyi")
_INSTALLED = (".dist-info", ".egg-info")


def folder_of(path: str) -> str:
    """The folder that a path lies in; empty for the root of the run."""
    return path.rpartition("/")[0]


def file_name(path: str) -> str:
    """The last component of a path."""
    return path.rpartition("/")[2]


def join(folder: str, name: str) -> str:
    """A path below a folder, either of which may be the root."""
    return f"{folder}/{name}" if folder and name else folder or name


def is_below(path: str, folder: str) -> bool:
    """Whether a path is the folder or anything in it."""
    return not folder or path == folder or path.startswith(folder + "/")


def folders_above(path: str) -> Iterator[str]:
    """The folders that a path lies in, nearest first, down to the root of the run."""
    while path:
        path = folder_of(path)
        yield path


def _component(pattern: str) -> list[str]:
    """What stands between the stars of a component, each as an expression."""
    pieces = [""]
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "*":
            pieces.append("")
        elif char == "?":
            pieces[-1] += "[^/]"
        elif char == "[" and (end := pattern.find("]", index + 1 + (pattern[index : index + 1] == "!"))) > 0:
            body = pattern[index:end].replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
            body = body.replace("&", r"\&").replace("~", r"\~").replace("|", r"\|").replace("--", r"-\-")
            pieces[-1] += f"(?!/)[{'^' + body[1:] if body.startswith('!') else body}]"
            index = end + 1
        else:
            pieces[-1] += re.escape(char)
    return pieces


@lru_cache(maxsize=1024)
def _expression(pattern: str) -> re.Pattern[str] | None:
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    if parts and parts[-1] == "**":
        parts.append("?*")
    expression = Wildcards().components((None if part == "**" else _component(part) for part in parts), "/")
    try:
        return re.compile(rf"(?s:{expression}(?:/.*)?)\Z") if parts else re.compile("")
    except re.error:
        # A class such as [z-a]: a glob that is no glob matches nothing, and that is said like any other.
        return None


def matches_glob(path: str, pattern: str) -> bool:
    """Whether a path, or a folder that it lies in, is what the glob names, seen from the root of the run.

    ``*``, ``?`` and ``[...]`` stay within one component; ``**`` is any number of them. ``.`` is everything.
    """
    expression = _expression(pattern)
    return expression is not None and expression.match("/" + path) is not None


def matches_name(path: str, pattern: str) -> bool:
    """As ``matches_glob``, but a glob without a slash may be any component of the path."""
    if "/" in pattern:
        return matches_glob(path, pattern)
    return any(fnmatchcase(part, pattern) for part in path.split("/"))


def is_skipped(name: str, beside: Collection[str]) -> bool:
    """Whether a folder holds no code of the project whatever is in it.

    ``beside`` are the names of everything in the same folder: ``build`` and ``dist`` are left out only where they
    lie beside a project file, and never inside a package. ``site-packages`` is what an environment installed.
    """
    if name.startswith(".") or name in ("__pycache__", "node_modules", "site-packages", "dist-packages"):
        return True
    if name in ("build", "dist"):
        return any(file in beside for file in _PROJECT_FILES) and "__init__.py" not in beside
    return False


def is_environment(names: Collection[str]) -> bool:
    """Whether a folder that holds these names is a virtual environment (PEP 405) or one of conda's."""
    return "pyvenv.cfg" in names or "conda-meta" in names


def is_project_file(name: str) -> bool:
    """Whether a file of this name may say where a project's packages are."""
    return name in _PROJECT_FILES


def is_junk(name: str) -> bool:
    """Whether a file only looks like Python: an Emacs lock (``.#x.py``), a resource fork of macOS (``._x.py``)."""
    return name.startswith((".#", "._"))


def is_installed_mark(folder: str) -> bool:
    """Whether a folder's name says that a distribution is installed beside it."""
    return folder.endswith(_INSTALLED)


def is_relevant(name: str) -> bool:
    """Whether a file of this name can matter to layout at all."""
    if is_junk(name):
        return False
    return (
        module_of(name) is not None
        or name.endswith(SCRIPT_SUFFIXES)
        or is_project_file(name)
        or name in ("METADATA", "PKG-INFO")
    )


def module_of(name: str) -> tuple[str, str] | None:
    """The name of the module that a file would be, and how: None where it would be none.

    How: ``source``, ``stub``, ``compiled``, ``cython`` (also a template of one), ``template`` (``x.py.in``) or
    ``native`` (the source of an extension module). The name is what stands before the first dot, as in
    ``_x.cpython-311-x86_64-linux-gnu.so``; a dotted ``a.b.py`` is no module.
    """
    stem, dot, suffix = name.partition(".")
    if not stem.isidentifier() or not dot:
        return None
    suffix = dot + suffix
    if suffix == SOURCE:
        return stem, "source"
    if suffix == STUB:
        return stem, "stub"
    if suffix.endswith(_COMPILED):
        return stem, "compiled"
    if suffix == ".pyx" or suffix.startswith(".pyx."):
        return stem, "cython"
    if suffix.startswith(".py.") or suffix == ".pyi.in":
        return stem, "template"
    if suffix in _BUILT_FROM:
        return stem, "native"
    return None


def is_consumer_folder(name: str) -> bool:
    """Whether a folder beside the packages holds no package by convention.

    The names that setuptools' FlatLayoutPackageFinder leaves out, but for ``util``, ``utils``, ``tasks`` and
    ``python``: an application that is not packaged has packages of these names; to lose them would be a false pass.
    """
    return name in _CONSUMER_FOLDERS


def is_consumer_script(name: str) -> bool:
    """Whether a file beside the packages is a script or a test by convention: setuptools' FlatLayoutModuleFinder's
    names, Sphinx' ``conf.py``, and what pytest collects."""
    stem = name.partition(".")[0]
    return stem in _CONSUMER_SCRIPTS or stem in ("__main__", "__init__") or _is_test_file(name)


def is_vendored(path: str, extra: Collection[str]) -> bool:
    """Whether a file lies in a folder of other people's code, by convention or by the globs given."""
    return any(part in _VENDOR_FOLDERS for part in path.split("/")[:-1]) or any(
        matches_name(path, pattern) for pattern in extra
    )


def is_generated(path: str, extra: Collection[str]) -> bool:
    """Whether a file is written by a program, by convention or by the globs given."""
    return any(fnmatchcase(file_name(path), pattern) for pattern in _GENERATED_FILES) or any(
        matches_name(path, pattern) for pattern in extra
    )


def _is_test_file(name: str) -> bool:
    # test_*.py and *_test.py: pytest's python_files; tests.py: Django's and unittest's habit.
    return name.endswith(SOURCE) and (
        name in ("conftest.py", "tests.py", "test.py") or name.startswith("test_") or name.endswith("_test.py")
    )


def is_test(path: str) -> bool:
    """Whether a file is a test or helps tests: by its name as pytest collects it, or by a folder of tests above it.

    A folder of tests is ``test``, ``tests``, or named ``test_*``, ``tests_*``, ``*_test`` or ``*_tests``. A folder
    ``testing`` is not: what it holds is usually offered to the tests of others.
    """
    folders = path.split("/")[:-1]
    return _is_test_file(file_name(path)) or any(
        part in ("test", "tests") or part.startswith(("test_", "tests_")) or part.endswith(("_test", "_tests"))
        for part in folders
    )
