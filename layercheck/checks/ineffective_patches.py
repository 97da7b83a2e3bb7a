"""ineffective-patches: a patch of a name that nothing reads where it is patched, so that the test passes falsely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from layercheck import names
from layercheck.checks import Check, Coverage, Options, Undeclared, at, is_same_name
from layercheck.facts import Patch
from layercheck.finding import Problem, Related, Severity
from layercheck.project import Member, Project
from layercheck.project.readers import Reader, Taken, is_seen, listed, readers_of, runs_into, taken_by
from layercheck.project.things import Landing, things_of


class IneffectivePatches(Options, frozen=True, kw_only=True):
    """The keys of ineffective-patches."""

    elsewhere: Severity | Literal["off"] = "warning"
    """How bad it is where the patched module reads the name, but what the test runs lives elsewhere."""


def find(project: Project, options: IneffectivePatches) -> Iterator[Problem]:
    """A problem for each patch of a binding that nothing under the test reads."""
    for member in project.members:
        if member.vendored:
            continue
        for patch in member.facts.patches:
            if patch.kind == "attribute":
                problem = _of(project, options, member, patch)
                if problem is not None:
                    yield problem


def _of(project: Project, options: IneffectivePatches, member: Member, patch: Patch) -> Problem | None:
    landing = things_of(project).landing(member, patch)
    patched = _patched(project, landing)
    if patched is None:
        return None
    name = landing.name
    if not is_seen(project, patched, name, member):
        if not _is_imported(patched, name) or _is_offered(project, patched, name):
            return None
        return _unread(project, member, patch, patched, name)
    if options.elsewhere != "off" and name in patched.facts.uses:
        return _read_elsewhere(project, options, member, patch, patched, name)
    return None


def _patched(project: Project, landing: Landing) -> Member | None:
    """The module on which a patch replaces a name; None where it replaces something else, or a module."""
    if landing.outcome != "there" or len(landing.holders) != 1:
        return None
    holder = landing.holders[0]
    patched = project.index.by_name.get(holder.module)
    if holder.kind != "module" or patched is None or project.index.exists(names.join(holder.module, landing.name)):
        return None
    return None if any(thing.kind == "module" for thing in landing.things) else patched


def _is_imported(patched: Member, name: str) -> bool:
    """Whether imports of names, and nothing else, bind a name in a module."""
    bound = patched.bindings.get(name, ())
    return bool(bound) and all(one.imported >= 0 and patched.facts.imports[one.imported].name for one in bound)


def _is_offered(project: Project, patched: Member, name: str) -> bool:
    """Whether a module names it as something for others to read, who may be code that is not here."""
    if patched.facts.exports is not None:
        exported = project.resolver.exports(patched)
        if exported is None or name in exported:
            return True
    return any(is_same_name(patched.facts.imports[one.imported]) for one in patched.bindings[name])


def _unread(project: Project, member: Member, patch: Patch, patched: Member, name: str) -> Problem:
    readers = readers_of(project, patched.name, name)
    return Problem(
        message=f"{patched.id} only imports {name} and nothing reads it there, so this patch changes nothing",
        help=_instead(readers) or "nothing in the project reads it: drop the patch",
        location=at(member.path, patch.span),
        importer=member.id,
        imported=patched.id,
        name=name,
        flags=("string",) if patch.target else (),
        related=_places(readers),
    )


def _read_elsewhere(
    project: Project, options: IneffectivePatches, member: Member, patch: Patch, patched: Member, name: str
) -> Problem | None:
    taken = taken_by(project, member, patch)
    if not taken or runs_into(project, [one.module for one in taken], patched):
        return None
    homes: dict[str, Taken] = {one.module: one for one in reversed(taken)}
    readers = [reader for reader in readers_of(project, patched.name, name) if reader.member.name in homes]
    if not readers:
        return None
    one = homes[readers[0].member.name]
    return Problem(
        message=(
            f"{patched.id}.{name} is patched, but {one.name}, which runs here, lives in {readers[0].member.id},"
            f" which reads its own {readers[0].name}"
        ),
        help=_instead(readers),
        location=at(member.path, patch.span),
        importer=member.id,
        imported=patched.id,
        name=name,
        flags=("string",) if patch.target else (),
        related=_places(readers),
        cap="warning" if options.elsewhere == "warning" else None,
    )


def _instead(readers: list[Reader]) -> str:
    if not readers:
        return ""
    return f"patch {readers[0].full} instead" if len(readers) == 1 else f"patch it where it is read: {listed(readers)}"


def _places(readers: list[Reader]) -> tuple[Related, ...]:
    return tuple(
        Related(reader.member.path, reader.line, f"{reader.member.id} reads it as {reader.name}") for reader in readers
    )


def coverage(project: Project, options: IneffectivePatches) -> Coverage:
    """Every patch of an attribute whose target is constant."""
    judged = sum(
        patch.kind == "attribute" for member in project.members if not member.vendored for patch in member.facts.patches
    )
    return Coverage(0, 0, noun=f"{judged:,} patch targets")


CHECK = Check(
    summary="A patch of a name that nothing reads where it is patched",
    options=IneffectivePatches,
    find=find,
    coverage=coverage,
    undeclared=Undeclared("warning", IneffectivePatches(elsewhere="off")),
)
