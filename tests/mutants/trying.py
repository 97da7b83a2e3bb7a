"""Runs the tests that reach a mutant, each mutant in a process of its own; makes no mutants and prints nothing."""

from __future__ import annotations

import ast
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.making import Mutant
from tests.mutants.planting import Planted, PlantedFirst, forget, swap

MEMORY = 4 << 30
"""Bytes of address space that a mutant may have."""

HEAVY = re.compile("standard_library|deep")
"""Tests by name."""

Verdict = str
"""``killed``, ``survived``, ``timeout`` or ``unreached``."""

Tell = Callable[[Mutant, Verdict, int], None]
"""Takes a mutant, what became of it, and by how many tests it is reached."""


class Trial:
    """A pytest plugin: learns which lines each test runs, then forks a process for each mutant."""

    def __init__(self, mutants: Sequence[Mutant], known: Path, tell: Tell) -> None:
        self.mutants = mutants
        self.known = known
        self.tell = tell
        self.failed = False
        self.seconds: dict[str, float] = {}
        self.reached: dict[str, dict[int, Collection[str]]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Whether something failed."""
        self.failed = self.failed or report.failed

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what draws its examples, which is slow and notices by luck, and what is heavy."""
        items[:] = [one for one in items if not (one.get_closest_marker("hypothesis") or HEAVY.search(one.nodeid))]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own: all tests as they are, then the mutants."""
        self.learn(session)
        items = {item.nodeid: item for item in session.items}
        for mutant in self.mutants:
            tests = [one for one in self.tests_of(mutant) if one in items]
            if tests:
                self.tell(mutant, self.verdict(mutant, [items[one] for one in tests]), len(tests))
            else:
                self.tell(mutant, "unreached", 0)
        return True

    def learn(self, session: pytest.Session) -> None:
        """Run all tests once, unchanged, and keep who runs which line of the files to be changed.

        That too is done in a process of its own: threads that a library starts in it (grimp does) would not be there in
        the processes forked from this one, which would then wait for them for ever.
        """
        if not self.known.exists():
            child = os.fork()
            if not child:
                os._exit(self.measure(session))
            if os.waitpid(child, 0)[1]:
                pytest.exit("tests fail without any change", returncode=2)
        self.seconds, reached = json.loads(self.known.read_text(encoding="utf-8"))
        self.reached = {path: {int(line): tests for line, tests in lines.items()} for path, lines in reached.items()}

    def measure(self, session: pytest.Session) -> int:
        """In the child: run the tests, and write down what was learnt. Returns 0 where all pass."""
        coverage: Any = import_module("coverage").Coverage(data_file=None, include=["layercheck/*"], config_file=False)
        coverage.start()
        for item, after in zip(session.items, [*session.items[1:], None], strict=True):
            coverage.switch_context(item.nodeid)
            started = time.process_time()
            run(item, after)
            self.seconds[item.nodeid] = time.process_time() - started
            if self.failed:
                print(f"{item.nodeid} fails", file=sys.stderr)
                return 1
        coverage.stop()
        data, root = coverage.get_data(), Path.cwd()
        reached = {
            Path(one).relative_to(root).as_posix(): data.contexts_by_lineno(one) for one in data.measured_files()
        }
        self.known.write_text(json.dumps([self.seconds, reached]), encoding="utf-8")
        return 0

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that run the statement in which the mutant stands, the fastest first.

        Where it runs when its file is imported, these are the tests that run anything of that file.
        """
        lines = _statement(Path(mutant.path).read_text(encoding="utf-8"), mutant.line)
        reached = self.reached.get(mutant.path, {})
        contexts = {one for line in lines or reached for one in reached.get(line, ())}
        return sorted(contexts, key=lambda one: (self.seconds[one], one))

    def verdict(self, mutant: Mutant, items: Sequence[pytest.Item]) -> Verdict:
        """What becomes of a mutant."""
        child = os.fork()
        if not child:
            os._exit(self.trial(mutant, items))
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return "timeout" if os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM) else "killed"
        return "killed" if os.WEXITSTATUS(status) else "survived"

    def trial(self, mutant: Mutant, items: Sequence[pytest.Item]) -> int:
        """In the child: plant the mutant and run the tests up to the first that fails. Returns 0 where none does."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        limit(sum(self.seconds[item.nodeid] for item in items))
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        try:
            if not swap(mutant.path, Path(mutant.path).read_text(encoding="utf-8"), mutant.text):
                return anew(mutant, items)
            for item, after in zip(items, [*items[1:], None], strict=True):
                limit(self.seconds[item.nodeid])
                run(item, after)
                if self.failed:
                    return 1
        except BaseException:  # whatever it is, the mutant made it
            return 1
        return 0


def limit(usual: float) -> None:
    """End this process if it takes much longer than the usual seconds of the processor, or does nothing for long."""
    signal.setitimer(signal.ITIMER_PROF, 3 + 10 * usual)
    signal.setitimer(signal.ITIMER_REAL, 60 + 100 * usual)


def run(item: pytest.Item, after: pytest.Item | None) -> None:
    """One test with its fixtures."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)


def anew(mutant: Mutant, items: Sequence[pytest.Item]) -> int:
    """Import everything again, with the mutant in its place, and let pytest run the tests."""
    name = ".".join(Path(mutant.path).with_suffix("").parts).removesuffix(".__init__")
    sys.meta_path.insert(0, PlantedFirst(Planted(name, mutant.path, mutant.text)))
    forget("layercheck", "tests")
    wanted = {item.nodeid for item in items}
    files = sorted({item.nodeid.split("::")[0] for item in items})
    return int(pytest.main([*options(), "-x", *files], plugins=[Only(wanted)]))


class Only:
    """A pytest plugin: of the tests that are there, some."""

    def __init__(self, wanted: Collection[str]) -> None:
        self.wanted = wanted

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Take out the others."""
        items[:] = [item for item in items if item.nodeid in self.wanted]


def options() -> list[str]:
    """How pytest is called."""
    folder = tempfile.mkdtemp(prefix="mutants-")
    plugins = ["-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return ["-q", "-s", *plugins, f"--basetemp={folder}"]


def attempt(mutants: Sequence[Mutant], tests: Sequence[str], known: Path | None, tell: Tell) -> int:
    """Try mutants, one after the other, and tell what becomes of each. Returns pytest's exit status."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as tempfile.tempdir:
        learnt = known or Path(tempfile.tempdir, "known.json")
        return int(pytest.main([*options(), *tests], plugins=[Trial(mutants, learnt, tell)]))


def _statement(text: str, line: int) -> range:
    """The lines of the smallest statement around a line, of a compound one its head; none outside of functions."""
    best, inside = range(0), False
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            head = range(node.lineno, max((body[0].lineno if body else (node.end_lineno or 0) + 1), node.lineno + 1))
            if line in head:
                best = head if not best or len(head) < len(best) else best
            elif isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
                inside = True
    return best if inside else range(0)
