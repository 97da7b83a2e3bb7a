"""One step made: the project with what moves in its new home and everybody taking it from there. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from layercheck import names
from layercheck.edits import EditError, rewrite
from layercheck.edits.model import Change
from layercheck.errors import LayercheckError
from layercheck.extract import extract
from layercheck.extract.decode import encoding_of
from layercheck.layout.model import Placed
from layercheck.moves.callers import Redirection, changes_at_home, changes_in
from layercheck.moves.cargo import Cargo
from layercheck.moves.cut import departed, old_file
from layercheck.moves.demands import cargo_of
from layercheck.moves.destination import path_of, with_files
from layercheck.moves.linework import is_blank
from layercheck.moves.movesfile import MovesFile, Step
from layercheck.moves.paste import grown_file, new_file
from layercheck.moves.side import Side
from layercheck.project import Member


@dataclass(frozen=True, slots=True)
class Made:
    """A project after some steps."""

    side: Side
    changed: frozenset[str]
    """The paths of files that are not as they were before, new ones included."""
    new: frozenset[str]
    """The paths of those that were not there."""


def make(made: Made, file: MovesFile, step: Step, *, shim: bool = False) -> Made:
    """Make one step. With ``shim`` the old home goes on offering what moved, where the step asks for that.

    Raises LayercheckError, one line for each reason, where the step is not possible or cannot be written.
    """
    cargo, target = cargo_of(made.side, file, step)
    try:
        placed = {} if target is not None else path_of(made.side, step.new_home, cargo.home)
        if target is None and not placed:
            raise EditError(f"{step.new_home} cannot be made: what is above it is no package")
        files = _files(cargo, target, placed, keep=shim and step.shim)
    except EditError as error:
        raise LayercheckError(f"{step.place(file.path, 'names')}{error}") from None
    side = with_files(made.side, files, placed)
    return Made(side, made.changed | files.keys(), made.new | placed.keys())


def _files(cargo: Cargo, target: Member | None, placed: dict[str, Placed], *, keep: bool) -> dict[str, bytes]:
    """All files that change, as they are afterwards."""
    side, home = cargo.side, cargo.home
    files = dict.fromkeys(placed, b"")
    if target is None:
        path = [*placed][-1]
        files[path] = new_file(cargo, names.parent(cargo.step.new_home))
    else:
        path = target.path
        content = side.contents[path]
        _demand_one_encoding(cargo, content)
        files[path] = new_file(cargo, target.base) if is_blank(content) else grown_file(cargo, target, content)
    files[home.path] = old_file(cargo, keep)
    redirection = _redirection(cargo, files[home.path], files[path])
    for member in side.project.members:
        if member.path in (home.path, path):
            facts = extract(files[member.path])
            _apply(files, replace(member, facts=facts), changes_at_home(replace(member, facts=facts), redirection))
        else:
            _apply(files, member, changes_in(member, redirection), side)
    return files


def _apply(files: dict[str, bytes], member: Member, changes: tuple[Change, ...], side: Side | None = None) -> None:
    if changes:
        content = files[member.path] if side is None else side.contents[member.path]
        try:
            files[member.path] = rewrite(content, member.facts, member.base, changes)[0]
        except EditError as error:
            raise EditError(f"{member.path}: it cannot be rewritten: {error}") from None


def _redirection(cargo: Cargo, old: bytes, new: bytes) -> Redirection:
    """What others have to take from elsewhere, by both homes as they will be."""
    rest, there = extract(old), extract(new)
    bound = {binding.name for binding in there.bindings}
    project = cargo.side.project
    read = {free.name for free in cargo.reads} & cargo.home.bindings.keys() & bound
    alone = frozenset(
        name
        for name in read & departed(cargo, rest)
        if all(use.how == "patch" for use in project.uses.takers(cargo.home.name, name))
    )
    divided = frozenset() if cargo.step.patches == "stay" else frozenset(read - alone)
    return Redirection(cargo.side, cargo.home.name, cargo.step.new_home, cargo.names, alone, divided)


def _demand_one_encoding(cargo: Cargo, content: bytes) -> None:
    """What moves is copied byte for byte, and must mean the same characters in the file it comes to."""
    one, two = encoding_of(cargo.content)[1], encoding_of(content)[1]
    if one != two and not cargo.content.isascii():
        raise EditError(f"{cargo.home.path} is written in {one} and {cargo.step.new_home} in {two}")


def starting(side: Side) -> Made:
    """A project before any step."""
    return Made(side, frozenset(), frozenset())


def all_steps(side: Side, file: MovesFile, *, shim: bool = False) -> Iterator[Made]:
    """The project after each of the steps of a file, one after the other; raises as ``make``."""
    made = starting(side)
    for step in file.steps:
        made = make(made, file, step, shim=shim)
        yield made
