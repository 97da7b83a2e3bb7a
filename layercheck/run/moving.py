"""The commands that plan moves and make them: a folder -> the text of a moves file, or what one would change. Only
``move`` writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from layercheck.edits import unified
from layercheck.errors import LayercheckError
from layercheck.extract import extract
from layercheck.finding import Finding
from layercheck.layout import Placed
from layercheck.layout.place import place
from layercheck.moves.movesfile import MovesFile, read_moves
from layercheck.moves.planfile import render
from layercheck.moves.planning import plan
from layercheck.moves.proof import objections, verified
from layercheck.moves.settings import NAMES
from layercheck.moves.side import Side
from layercheck.moves.step import Made, make, starting
from layercheck.names import is_dotted_name
from layercheck.opening import MAX_SETTINGS, read_named
from layercheck.project import Project
from layercheck.run.novelty import is_left_of_a_ring, new_findings
from layercheck.run.opened import Opened, open_check
from layercheck.run.request import CheckRequest
from layercheck.run.workers import Progress
from layercheck.source import as_read, list_tree, read_file
from layercheck.source.worktree import uncommitted
from layercheck.writing import Replacement, replace_files


@dataclass(frozen=True, slots=True)
class Target:
    """Where a plan may send what leaves a module; None: it chooses."""

    into: str | None = None
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """What steps change."""

    files: Mapping[str, Replacement]
    """By path, what each file must hold and is to hold."""
    names: int
    """How many names move."""

    @property
    def counts(self) -> tuple[tuple[int, str], tuple[int, str]]:
        """How much it is, with what to call it."""
        return (self.names, "definition"), (len(self.files), "file")

    @property
    def diff(self) -> bytes:
        """All of it."""
        return unified(self.files)


def plan_moves(request: CheckRequest, module: str, target: Target, progress: Progress) -> str:
    """The text of a moves file by which the families of a module can leave it.

    Raises LayercheckError as ``check`` does, and where there is no such module or nothing can leave it.
    """
    opened = open_check(request, progress)
    for option, name in (("--into", target.into), ("--base", target.base)):
        _demand_module(option, name)
    return render(plan(_side(opened), module, target.into, target.base))


def propose_moves(request: CheckRequest, file: Path, steps: Collection[int], progress: Progress) -> Moved:
    """What the steps of a moves file change; all of them where no numbers are given.

    Raises LayercheckError as ``check`` does, for every fault of the file, and where the steps cannot be made, would be
    more than a move, or leave findings that were not there.
    """
    moves = _chosen(_read_moves(file), steps)
    opened = open_check(request, progress)
    before = _side(opened)
    made = _all(before, moves, shims=False)
    complaints = [*_misplaced(opened, made)] or objections(
        verified(before, made, moves, _stubs(opened), _settings(opened))
    )
    complaints += _new(opened, made, moves)
    if complaints:
        raise LayercheckError(*(f"{one}; nothing was changed" for one in complaints))
    if any(step.shim for step in moves.steps):
        # What is asked for on purpose would be found fault with.
        made = _all(before, moves, shims=True)
    return Moved(dict(_files(before, made)), sum(len(step.names) for step in moves.steps))


def move(request: CheckRequest, file: Path, steps: Collection[int], progress: Progress) -> Moved:
    """Make the steps of a moves file, all or none.

    Raises LayercheckError as ``propose_moves`` does, where the checkout holds what is not committed, and, with nothing
    written, where a file cannot be or has changed meanwhile.
    """
    dirty = uncommitted(request.root.resolve())
    if dirty:
        more = f" and {len(dirty) - 1} more" if len(dirty) > 1 else ""
        raise LayercheckError(f"{dirty[0]}{more}: not committed; commit or stash first, so that a move can be undone")
    moved = propose_moves(request, file, steps, progress)
    replace_files(request.root.resolve(), moved.files)
    return moved


def _demand_module(option: str, name: str | None) -> None:
    if name is not None and not is_dotted_name(name):
        raise LayercheckError(f"{option}: {name!r} is no module's name; write it with dots, as Python imports it")


def _read_moves(file: Path) -> MovesFile:
    try:
        text = read_named(file, MAX_SETTINGS).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LayercheckError(f"{file}: is not UTF-8, as a moves file must be") from None
    except OSError as error:
        raise LayercheckError(f"{file}: cannot be read: {error.strerror or error}") from None
    return read_moves(text, str(file))


def _chosen(moves: MovesFile, steps: Collection[int]) -> MovesFile:
    """The file with these steps alone."""
    numbers = {step.number for step in moves.steps}
    wrong = sorted(set(steps) - numbers)
    if wrong:
        raise LayercheckError(*(f"--step: {moves.path} has no step {one}; it has {len(numbers)}" for one in wrong))
    return replace(moves, steps=tuple(step for step in moves.steps if step.number in steps)) if steps else moves


def _side(opened: Opened) -> Side:
    """The folder as moves want it; its files are read when they are asked for."""
    project = opened.side.project
    return Side(project, _Contents(opened.side.root, project))


def _stubs(opened: Opened) -> dict[str, bytes]:
    """The stubs that stand beside Python files of the project, by path. No move changes one."""
    root = opened.side.root
    paths = (f"{member.path}i" for member in opened.side.project.members if member.path.endswith(".py"))
    files = (read_file(root, path) for path in paths if (root / path).is_file())
    return {file.path: file.content for file in files if file.content is not None}


def _settings(opened: Opened) -> dict[str, bytes]:
    """The settings at the root of the project, by path. No move changes one."""
    root = opened.side.root
    files = (read_file(root, path) for path in NAMES if (root / path).is_file())
    return {file.path: file.content for file in files if file.content is not None}


class _Contents(Mapping[str, bytes]):
    """The bytes of the files of a project, as they were when it was read."""

    def __init__(self, root: Path, project: Project) -> None:
        self._root = root
        self._project = project
        self._read: dict[str, bytes] = {}

    def __getitem__(self, path: str) -> bytes:
        if path not in self._read:
            member = self._project.member(path)
            if member is None:
                raise KeyError(path)
            content = read_file(self._root, path).content
            if content is None and member.facts.failure is not None:
                raise KeyError(path)
            if content is None or extract(content) != member.facts:
                raise LayercheckError(f"{path}: it has changed since it was read; run again")
            self._read[path] = content
        return self._read[path]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._project.member(path) is not None

    def __iter__(self) -> Iterator[str]:
        return (member.path for member in self._project.members)

    def __len__(self) -> int:
        return len(self._project.members)


def _all(before: Side, moves: MovesFile, *, shims: bool) -> Made:
    made = starting(before)
    for step in moves.steps:
        made = make(made, moves, step, shim=shims)
    return made


def _misplaced(opened: Opened, made: Made) -> Iterator[str]:
    """What would not be the module that it was made for, or would make something else of a file that is there, a line
    for each: ``[project]``, git or the declarations of a build may leave the place out."""
    if not made.new:
        return
    root, settings = opened.side.root, opened.side.config.project
    files = {path: as_read(path, made.side.contents[path]) for path in made.new}
    expected = {one.path: one for one in made.side.project.layout.placed}
    found = {one.path: one for one in place(list_tree(root, settings.exclude, files), settings).placed}
    for path in sorted(expected.keys() | found.keys()):
        here, there = (_called(side.get(path)) for side in (expected, found))
        if here != there and path in made.new:
            yield f"{path}: it would be {there} there, not {here}; name another module"
        elif here != there:
            yield f"{path}: it would be {there} then, and is {here} now; name another module"


def _called(placed: Placed | None) -> str:
    """What a file is, in words."""
    if placed is None:
        return "no file that is read"
    mark = "vendored " if placed.vendored else "generated " if placed.generated else ""
    return f"{mark}{f'module {placed.module}' if placed.module else placed.role}"


def _files(before: Side, made: Made) -> Iterator[tuple[str, Replacement]]:
    for path in sorted(made.changed):
        old = None if path in made.new else before.contents[path]
        if old != made.side.contents[path]:
            yield path, (old, made.side.contents[path])


# What check finds


def _new(opened: Opened, made: Made, moves: MovesFile) -> list[str]:
    """What the rules find that they did not find before, a line for each."""
    before = opened.side.judge().findings
    after = replace(opened.side, project=made.side.project).judge().findings
    return [
        f"{one.problem.location.path}:{one.problem.location.line}: {one.check}: {one.problem.message}"
        for one in _beyond_moved(before, new_findings(before, after), after, made, moves)
    ]


def _beyond_moved(
    before: Collection[Finding], new: Iterable[Finding], after: Iterable[Finding], made: Made, moves: MovesFile
) -> Iterator[Finding]:
    """The new findings without those that moved along with the code that they are about."""
    paths = {name: member.path for name, member in made.side.project.modules.items()}
    went = {(paths[step.old_home], paths[step.new_home]) for step in moves.steps}
    came = {step.new_home: step.old_home for step in moves.steps}
    gone = Counter(map(_about, before))
    gone.subtract(map(_about, after))
    for finding in new:
        if finding.problem.ring and is_left_of_a_ring(before, finding, came):
            continue  # what left a module of a ring may be in it still
        rest = _about(finding)[1:]
        origins = [(old, *rest) for old, there in went if there == finding.problem.location.path]
        origin = next((one for one in origins if gone[one] > 0), None)
        if origin is None:
            yield finding
        else:
            gone[origin] -= 1


def _about(finding: Finding) -> tuple[str, str, str, str, str]:
    """Where a finding is and what it is about, as far as that stays the same when its code moves."""
    problem = finding.problem
    return (problem.location.path, finding.check, finding.rule, problem.imported or "", problem.name or "")
