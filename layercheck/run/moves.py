"""The commands about moves: two states of a project -> their verification. Prints nothing."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from layercheck import names
from layercheck.cache import Cache, open_cache
from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.layout import Layout
from layercheck.moves.formats import FORMATS, render_each, worst
from layercheck.moves.model import Blame, Verification
from layercheck.moves.settings import is_settings
from layercheck.moves.side import Change, Side
from layercheck.moves.verify import Wishes, verify
from layercheck.project import Project
from layercheck.run.request import demand_folder
from layercheck.run.survey import find_config
from layercheck.run.workers import default_jobs, gather_files
from layercheck.source import read_file
from layercheck.source.compare import all_files, differing
from layercheck.source.folder import list_files
from layercheck.source.history import demand_line, new_lines, steps
from layercheck.source.revision import open_revision

_PROSE = (".md", ".rst", ".txt", ".toml", ".cfg", ".ini", ".yaml", ".yml", ".json")
"""Other files in which words that name an old home are looked for."""


@dataclass(frozen=True, slots=True)
class MovesRequest:
    """What somebody wants to have verified."""

    base: str
    head: str = "HEAD"
    root: Path = Path()
    """The folder of the project, where the two are revisions."""
    package: str | None = None
    """The package whose files are the change; None: every file."""
    recomputed: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    strings: bool = False
    jobs: int | None = None
    cache: bool = True

    @property
    def is_of_folders(self) -> bool:
        """Whether it is two folders that are compared."""
        return _is_folder(self.base) and _is_folder(self.head)


@dataclass(frozen=True, slots=True)
class Verified:
    """What comes of it."""

    text: str
    passed: bool


def verify_moves(request: MovesRequest, *, each: bool = False, format_: str = "text", language: str = "en") -> Verified:
    """The report on the change between two revisions, or two folders; with ``each``, on each commit between them.

    Raises LayercheckError where there is no such revision or folder, or where they cannot be compared.
    """
    command = _command(request, each)
    if each:
        found = _each(request)
        return Verified(render_each(found, format_, command, language), worst(one for _, one in found) == "PASS")
    verification = verify_change(request)
    return Verified(FORMATS[format_](verification, command, language), verification.verdict == "PASS")


def _command(request: MovesRequest, each: bool) -> str:
    """What makes this report again."""
    words = ["layercheck", "moves", "verify", request.base, request.head]
    words += ["--package", request.package] if request.package else []
    words += ["--each"] if each else []
    words += ["--strings"] if request.strings else []
    words += ["--recomputed", ",".join(request.recomputed)] if request.recomputed else []
    words += ["--harmless", ",".join(request.harmless)] if request.harmless else []
    return shlex.join(words)


def verify_change(request: MovesRequest) -> Verification:
    """What is to be said of the change between two revisions, or two folders.

    Raises LayercheckError where there is no such revision or folder, or where they cannot be compared.
    """
    if request.is_of_folders:
        return _verify_folders(request)
    _demand_no_folder(request)
    root = demand_folder(request.root)
    demand_line(root, request.base, request.head)
    return _verify_revisions(request, root, request.base, request.head)


def _each(request: MovesRequest) -> list[tuple[str, Verification]]:
    """The same, for each commit between two revisions by itself, oldest first, with what it is called."""
    if request.is_of_folders:
        raise LayercheckError("--each walks the commits between two revisions; these are two folders")
    _demand_no_folder(request)
    root = demand_folder(request.root)
    demand_line(root, request.base, request.head)
    found = steps(root, request.base, request.head)
    return [
        (f"{step.commit[:12]} {step.subject}", _verify_revisions(request, root, step.parent, step.commit))
        for step in found
    ]


def _is_folder(text: str) -> bool:
    """Whether a text, which may as well be a revision, is the path of a folder."""
    try:
        return bool(text) and Path(text).is_dir()
    except OSError:
        return False


def _demand_no_folder(request: MovesRequest) -> None:
    for text, other in ((request.base, request.head), (request.head, request.base)):
        if "/" in text and _is_folder(text) and not _is_folder(other):
            raise LayercheckError(f"{text} is a folder and {other} is none; give two revisions or two folders")


def _verify_revisions(request: MovesRequest, root: Path, base: str, head: str) -> Verification:
    settings = find_config(root, None).project
    cache = open_cache(root) if request.cache else Cache(None, "")
    before, after = (open_revision(root, text, settings, option="") for text in (base, head))
    old, new = (_side(one.layout, one.files(), request, cache) for one in (before, after))
    cache.save(whole=False)
    differ = {
        path: "removed" if path not in after.blobs else "added" if path not in before.blobs else "changed"
        for path in sorted({*before.blobs, *after.blobs})
        if before.blobs.get(path) != after.blobs.get(path)
    }
    others = [path for path in after.blobs if path.endswith(_PROSE)] if request.strings else []
    beside = after.read(_beside(new, after.blobs))
    found = verify(_change(request, old, new, differ, beside), _wishes(request, after.read(others)))
    return replace(found, blame=_blame(root, base, head, found))


def _verify_folders(request: MovesRequest) -> Verification:
    before, after = (demand_folder(Path(text)) for text in (request.base, request.head))
    cache = Cache(None, "")
    old, new = (_folder(root, request, cache) for root in (before, after))
    others = [path for path in all_files(after) if path.endswith(_PROSE)] if request.strings else []
    beside = (read_file(after, path) for path in _beside(new, all_files(after)))
    change = _change(request, old, new, differing(before, after), beside)
    return verify(change, _wishes(request, (read_file(after, path) for path in others)))


def _folder(root: Path, request: MovesRequest, cache: Cache) -> Side:
    layout = list_files(root, find_config(root, None).project)
    return _side(layout, (read_file(root, placed.path) for placed in layout.placed), request, cache)


def _side(layout: Layout, files: Iterable[SourceFile], request: MovesRequest, cache: Cache) -> Side:
    """One state; facts of files that both states have are extracted once, for the cache keeps them in memory."""
    read = list(files)
    if not read:
        raise LayercheckError(f"{request.base} {request.head}: no Python files to compare in one of them")
    facts = gather_files(read, jobs=request.jobs or default_jobs(), cache=cache)
    return Side(Project(layout, facts), {file.path: file.content for file in read if file.content is not None})


def _beside(side: Side, paths: Iterable[str]) -> list[str]:
    """The settings among files, and the stubs that stand beside Python files of the same name."""
    return [
        path
        for path in paths
        if is_settings(path) or (path.endswith(".pyi") and path.removesuffix("i") in side.by_path)
    ]


def _change(
    request: MovesRequest, old: Side, new: Side, differ: Mapping[str, str], beside: Iterable[SourceFile]
) -> Change:
    """The files that count, and which of them are Python files of the project."""
    package = request.package
    python = {*old.by_path, *new.by_path}
    if package is None:
        inside = set(differ)
    else:
        folders = {folder for side in (old, new) for folder in _folders(side, package)}
        if not folders:
            raise LayercheckError(_no_package(package, old, new))
        inside = {path for path in differ if any(path == folder or path.startswith(f"{folder}/") for folder in folders)}
    changed = tuple(sorted(inside & python))
    others = tuple((path, differ[path]) for path in sorted(inside - python))
    read = {one.path: one.content for one in beside if one.content is not None}
    stubs = {path: content for path, content in read.items() if path.endswith(".pyi")}
    return Change(old, new, changed, others, stubs, {path: read[path] for path in read.keys() - stubs.keys()})


def _folders(side: Side, package: str) -> Iterator[str]:
    """The folders, or the file, that a package is."""
    for name, member in side.project.modules.items():
        if name == package:
            yield member.path.removesuffix("/__init__.py")
        elif names.is_within(name, package):
            below = len(names.split(names.relative(name, package))) - (0 if member.package else 1)
            folder = member.path.rpartition("/")[0]
            for _ in range(below):
                folder = folder.rpartition("/")[0]
            yield folder


def _no_package(package: str, old: Side, new: Side) -> str:
    near = names.nearest(package, {*old.project.modules, *new.project.modules})
    return f"--package: there is no package or module {package}" + (f"; did you mean {near}?" if near else "")


def _wishes(request: MovesRequest, prose: Iterable[SourceFile]) -> Wishes:
    texts = {file.path: file.content.decode("utf-8", "replace") for file in prose if file.content is not None}
    return Wishes(request.recomputed, request.harmless, request.strings, texts)


def _blame(root: Path, base: str, head: str, found: Verification) -> Blame:
    """Where git says that the lines of what moved come from."""
    lines: dict[str, set[int]] = {}
    for move in found.moves:
        lines.setdefault(move.new.path, set()).update(range(move.new.first, move.new.last + 1))
    untraced: list[tuple[str, int]] = []
    for path, wanted in sorted(lines.items()):
        new = new_lines(root, base, head, path)
        if new is None:
            return Blame(unknown=path)
        untraced += [(path, line) for line in sorted(wanted & new)]
    total = sum(map(len, lines.values()))
    return Blame(total, total - len(untraced), tuple(untraced))
