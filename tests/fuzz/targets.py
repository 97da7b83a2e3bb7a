"""What is fuzzed: each a function of bytes that must end without an exception, and inputs to begin with."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import click
import msgspec

from layercheck import baseline, extract, kept
from layercheck.cli import cli
from layercheck.config import read_config
from layercheck.config.foreign import foreign_ignores, parse_flake8
from layercheck.config.shelf import shelf_of
from layercheck.errors import LayercheckError
from layercheck.extract.nesting import nesting
from layercheck.layout import ProjectSettings
from layercheck.layout.declared import PYPROJECT, SETUP_CFG, SETUP_PY, declared
from layercheck.migrate import import_linter, tach
from layercheck.moves.movesfile import read_moves
from layercheck.report import FORMATS, renderer
from layercheck.run import CheckRequest, check
from layercheck.run.deep import deeply
from layercheck.run.judgement import judge
from layercheck.run.request import Selection
from layercheck.source.git import Answer, ignored_paths
from layercheck.source.history import new_lines, steps
from layercheck.source.revision import open_revision
from layercheck.source.worktree import uncommitted
from tests.tree import RULES, TODAY, build_project, parse_tree, write_tree

HERE = Path(__file__).parent
FOUND = HERE / "found"
"""Inputs that have once been too much, in a folder for each target."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes bytes from strangers."""

    run: Callable[[bytes], object]
    seeds: Callable[[], Sequence[bytes]]


# Seeds: what the tests and docs of the project hold


@lru_cache(maxsize=1)
def _trees() -> tuple[dict[str, str], ...]:
    """The small trees that tests and pages are made of."""
    found = []
    pages = (*HERE.parent.rglob("test_*.py"), *(HERE.parents[1] / "docs").rglob("*.md"))
    for page in sorted(pages):
        for text in re.findall(r'(?:"""|```\w*)\n(# file: .*?)(?:"""|```)', page.read_text("utf-8"), re.DOTALL):
            with suppress(ValueError):
                found.append(dict(parse_tree(text).files))
    return tuple(found)


def _of_trees(*suffixes: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [text.encode() for files in _trees() for path, text in files.items() if path.endswith(suffixes)]


def _own(target: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [path.read_bytes() for path in sorted((HERE / "seeds" / target).iterdir())]


def _whole_trees() -> Sequence[bytes]:
    return ["".join(f"# file: {path}\n{text}" for path, text in files.items()).encode() for files in _trees()]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


# Targets


def _extract(data: bytes) -> None:
    facts = extract.extract(data)
    msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=type(facts))
    extract.outline(data)
    nesting(data)


def _rules(data: bytes) -> None:
    with suppress(LayercheckError):
        read_config(_text(data), RULES, shelf=shelf_of({"a/layercheck.toml": _text(data)}))


_LONGEST_PATH = 4096
"""Bytes: none is longer (Linux, ``PATH_MAX``)."""


def _tree(data: bytes) -> None:
    """A whole project: its layout, its rules, all checks, all formats."""
    try:
        files = dict(parse_tree(_text(data)).files)
    except ValueError:
        return
    if any(len(path) > _LONGEST_PATH for path in files):
        return
    try:
        config = read_config(files.get(RULES, '[checks]\ncycles = "error"\n'), RULES, shelf=shelf_of(files))
    except LayercheckError:
        config = read_config('[checks]\nindirect-imports = "error"\nstale-reexports = "error"\n', RULES)
    with suppress(LayercheckError):
        deeply(lambda: judge(build_project(files, config), config, TODAY, Selection()))


def _settings(data: bytes) -> None:
    text = _text(data)
    for name in (PYPROJECT, SETUP_CFG, SETUP_PY):
        declared({name: text}, "")


def _baseline(data: bytes) -> None:
    with suppress(LayercheckError):
        baseline.render(baseline.parse(data.decode("utf-8-sig", "replace"), "b").entries)


def _moves(data: bytes) -> None:
    with suppress(LayercheckError):
        read_moves(_text(data), "moves.toml")


def _migrate(data: bytes) -> None:
    text = _text(data)
    for name in ("setup.cfg", "pyproject.toml"):
        with suppress(LayercheckError):
            import_linter.draft(text, name)
    with suppress(LayercheckError):
        tach.draft(text, "tach.toml", {"a/tach.domain.toml": text})


def _foreign(data: bytes) -> None:
    for pattern, codes in parse_flake8(_text(data)):
        foreign_ignores(pattern, codes, "a").covers("a/b/test_c.py")
    foreign_ignores(_text(data), ("F401",)).covers("a/b/test_c.py" * 20)


@lru_cache(maxsize=1)
def _project() -> Path:
    """A small project on disk, with a cache beside it."""
    top = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    os.environ["LAYERCHECK_CACHE_DIR"] = str(top / "cache")
    return write_tree(top / "project", _PROJECT)


_PROJECT = """
# file: pkg/__init__.py
from pkg.base import pay as pay
# file: pkg/base.py
import os
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from pkg.till import Till
def pay(): ...
# file: pkg/till.py
from pkg.base import pay, gone
from pkg import *
class Till:
    x = pay
# file: tests/test_till.py
from unittest.mock import patch
import pkg.till
with patch("pkg.till.pay"), patch("pkg.till.nothing"):
    pkg.till.Till()
# file: layercheck.toml
[checks]
cycles = "error"
indirect-imports = "error"
[[rule]]
name = "r"
check = "layers"
reason = "so"
within = "pkg"
order = ["till", "base"]
"""


def _kept(name: str) -> Target:
    """A file in the cache, whose head is right: nobody but its owner can write it, and yet it may hold anything."""

    def folder() -> Path:
        found = kept.default_folder(_project(), os.environ)
        assert found is not None
        return found

    def request() -> CheckRequest:
        return CheckRequest(_project(), jobs=1, today=TODAY)

    def run(data: bytes) -> None:
        for other in ("facts.msgpack", "reports.msgpack"):
            (folder() / other).unlink(missing_ok=True)
        kept.write(folder(), name, data)
        report = check(request())
        for form in FORMATS:
            renderer(form)(report)

    def seeds() -> Sequence[bytes]:
        shutil.rmtree(folder(), ignore_errors=True)
        check(request())
        payload = kept.read(folder(), name)
        assert payload is not None
        return [bytes(payload)]

    return Target(run, seeds)


def _git(data: bytes) -> None:
    """What git says, whatever it says: an answer for each call, divided by lines of their own."""
    said = iter([*data.split(b"\n----\n")] * 3)

    def answer(root: Path, *arguments: str, feed: bytes = b"") -> Answer:
        output = next(said, b"")
        return Answer(not output.startswith(b"no"), output, "it is so")

    root = _project()
    questions: tuple[Callable[[], object], ...] = (
        lambda: ignored_paths(root),
        lambda: uncommitted(root),
        lambda: list(open_revision(root, "HEAD", ProjectSettings()).files()),
        lambda: steps(root, "a", "b"),
        lambda: new_lines(root, "a", "b", "c"),
    )
    with ExitStack() as stack:
        for module in ("git", "revision", "history", "worktree"):
            stack.enter_context(patch(f"layercheck.source.{module}.git", answer))
        for module in ("git", "revision", "worktree"):
            stack.enter_context(patch(f"layercheck.source.{module}.in_checkout", lambda root: True))
        for ask in questions:
            with suppress(LayercheckError):
                ask()


def _arguments(data: bytes) -> None:
    """Texts on a command line, which stand for names, patterns and revisions."""
    words = [word or "x" for word in os.fsdecode(data).replace("\0", "").split("\n")]
    one, two = (words * 2)[:2]
    root = str(_project())
    for command in (
        ["why", "--root", root, "--", one, two],
        ["what-if", "--root", root, "--", one],
        ["what-if", "--root", root, "--new", "--", f"{one} -> {two}"],
        ["check", root, "--no-cache", f"--select={one}", f"--package={two}"],
        ["check", root, f"--ignore={one}", "--format", "json"],
        ["check", root, f"--since={one}"],
        ["graph", root, f"--package={one}"],
        ["moves", "plan", "--root", root, "--", one],
        ["moves", "verify", "--root", root, "--", one, two],
        ["explain", "--", one],
    ):
        with _quiet(), suppress(LayercheckError, click.ClickException, click.Abort, SystemExit):
            cli.main(command, standalone_mode=False)


@contextmanager
def _quiet() -> Iterator[None]:
    with redirect_stdout(TextIOWrapper(BytesIO())), redirect_stderr(TextIOWrapper(BytesIO())):
        yield


TARGETS = {
    "extract": Target(_extract, _of_trees(".py", ".pyi")),
    "tree": Target(_tree, _whole_trees),
    "rules": Target(_rules, _of_trees(".toml")),
    "settings": Target(_settings, _own("settings")),
    "facts": _kept("facts.msgpack"),
    "reports": _kept("reports.msgpack"),
    "git": Target(_git, _own("git")),
    "moves": Target(_moves, _own("moves")),
    "baseline": Target(_baseline, _own("baseline")),
    "migrate": Target(_migrate, _own("migrate")),
    "foreign": Target(_foreign, _own("foreign")),
    "arguments": Target(_arguments, _own("arguments")),
}
