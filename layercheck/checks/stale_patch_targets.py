"""stale-patch-targets: a patch of something that is not there."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import lru_cache

from layercheck import names
from layercheck.checks import Check, Coverage, Options, Undeclared, at
from layercheck.facts import Patch
from layercheck.finding import Problem
from layercheck.project import Member, Project
from layercheck.project.readers import is_seen, listed, own_readers, readers_of
from layercheck.project.things import Landing, Thing, things_of


class StalePatchTargets(Options, frozen=True, kw_only=True):
    """The keys of stale-patch-targets: it has none of its own."""


def find(project: Project, options: StalePatchTargets) -> Iterator[Problem]:
    """A problem for each target whose way ends at a name that is not there."""
    for member in project.members:
        if not member.vendored:
            for patch in member.facts.patches:
                problem = _of_key(project, member, patch) if patch.kind == "module" else _of(project, member, patch)
                if problem is not None:
                    yield problem


def _of(project: Project, member: Member, patch: Patch) -> Problem | None:
    landing = things_of(project).landing(member, patch)
    if landing.outcome != "missing" or (not landing.rest and _may_be_missing(patch, landing)):
        return None
    if _is_skipped(member, landing):
        return None
    message, help_ = _told(project, member, patch, landing)
    return Problem(
        message=message,
        help=help_,
        location=at(member.path, patch.span),
        importer=member.id,
        imported=_called(project, landing.holders[0]),
        name=landing.name,
        flags=("string",) if patch.target else (),
        cap="warning" if landing.doubtful else None,
    )


def _may_be_missing(patch: Patch, landing: Landing) -> bool:
    """Whether a patch may put its last name where there is none: it was told to, or the name is a builtin
    (unittest.mock documentation, "Patching Builtins")."""
    if patch.kind != "attribute":
        return False
    on_module = all(holder.kind == "module" for holder in landing.holders)
    return patch.lenient or (on_module and hasattr(builtins, landing.name))


def _is_skipped(member: Member, landing: Landing) -> bool:
    """Whether the file demands by ``importorskip`` what is missing, and so what patches it does not run."""
    missing = names.join(landing.holders[0].module, landing.name)
    return any(
        {"dynamic", "raises"} <= {*taken.flags} and names.is_within(taken.module, missing)
        for taken in member.facts.imports
    )


def _called(project: Project, thing: Thing) -> str:
    """What people call a module, or a class with its module."""
    member = project.index.by_name.get(thing.module)
    return names.join(member.id, thing.name) if member is not None else thing.full


def _told(project: Project, member: Member, patch: Patch, landing: Landing) -> tuple[str, str]:
    """What is wrong with a target and what to do."""
    holder, name = landing.holders[0], landing.name
    called = _called(project, holder)
    if holder.kind == "class":
        near = names.nearest(name, sorted(_members(project, holder)))
        instead = f"did you mean {near}?" if near else "patch where it lives now, or drop the patch"
        return f"class {called} has no attribute {name} to patch", instead
    if landing.typing_only:
        return (
            f"{called} binds {name} only for type checking, so there is nothing to patch",
            "patch it where it is read at run time, or drop the patch",
        )
    module = names.join(holder.module, name)
    what = (
        f"there is no {module} to patch in"
        if landing.rest
        else f"{called} does not bind {name}, so it cannot be patched"
    )
    return what, _instead(project, member, patch, landing) or "patch where it lives now, or drop the patch"


def _members(project: Project, thing: Thing) -> Iterator[str]:
    for body in things_of(project).bodies(thing):
        yield from body.members


def _instead(project: Project, member: Member, patch: Patch, landing: Landing) -> str:
    """Where what a target names lives now, if one place is known; else the nearest spelling."""
    holder, home = landing.holders[0], moved_to(project, landing)
    if home:
        return _where_to_patch(project, member, patch, home, landing.rest)
    there = project.index.by_name.get(holder.module)
    known = set(there.bindings) if there is not None else set()
    known.update(map(names.tail, project.children.get(holder.module, ())))
    near = names.nearest(landing.name, sorted(known))
    return f"did you mean {names.join(holder.module, near)}?" if near else ""


def _where_to_patch(project: Project, member: Member, patch: Patch, home: str, rest: str) -> str:
    """What to do where something lives elsewhere now: a patch of it there may change nothing for some who read it."""
    module, name = names.parent(names.join(home, rest)), names.tail(names.join(home, rest))
    there = project.modules.get(module)
    if patch.kind != "attribute" or there is None or project.index.exists(names.join(module, name)):
        return f"moved to {home}?"
    readers = readers_of(project, module, name)
    if is_seen(project, there, name, member):
        return f"moved to {home}? There are other copies of it: {listed(readers)}" if readers else f"moved to {home}?"
    if readers:
        return f"moved to {home}, where nothing reads it: patch it where it is read: {listed(readers)}"
    return f"moved to {home}, and nothing reads it there: drop the patch, or patch what the test runs"


def moved_to(project: Project, landing: Landing) -> str:
    """The full name, as far as ``landing`` was followed, under which what it names lives now; empty where no one
    place is known: a module of the same name that has the next one, the module that defines the name, or the only one
    that binds and reads it."""
    holder, name, rest = landing.holders[0], landing.name, landing.rest
    if rest:
        things = things_of(project)
        alike = [module for module in project.by_tail.get(name, ()) if module != holder.module]
        alike = [module for module in alike if things.follow((Thing("module", module),), rest).outcome == "there"]
        if len(alike) == 1:
            return alike[0]
    home = project.only_definer(name, holder.module)
    if home is None and not rest:
        readers = own_readers(project).get(name, ())
        home = readers[0] if len(readers) == 1 else None
    return names.join(home, name) if home else ""


def _of_key(project: Project, member: Member, patch: Patch) -> Problem | None:
    """A key of ``sys.modules`` that is no module of the project, and that nothing imports.

    A fake may be put under any name; it is only said to be wrong where a module of that name lives elsewhere.
    """
    index = project.index
    missing = index.missing_below(patch.target) if names.head(patch.target) in index.tops else ""
    above = names.parent(missing)
    if not missing or not above or index.open_submodules(above) or _is_imported(project, patch.target):
        return None
    alike = project.by_tail.get(names.tail(patch.target), ())
    if patch.lenient and len(alike) != 1:
        return None
    return Problem(
        message=f"there is no module {patch.target}, so nothing is replaced under that name",
        help=f"moved to {alike[0]}?" if len(alike) == 1 else "name a module that is there, or drop it",
        location=at(member.path, patch.span),
        importer=member.id,
        imported=patch.target,
        flags=("string",),
        cap="warning",
    )


def _is_imported(project: Project, name: str) -> bool:
    """Whether some file imports a name, or something below it, that is no module of the project."""
    return name in _asked_for(project)


@lru_cache(maxsize=2)
def _asked_for(project: Project) -> frozenset[str]:
    """The names that files import and that are no modules of the project, with all above them."""
    asked: set[str] = set()
    for member in project.members:
        for position, taken in enumerate(member.facts.imports):
            if project.resolver.target(member, position).outcome in ("missing-module", "missing-name", "unknown"):
                module = names.resolve_relative(taken.module, taken.level, member.base) or ""
                asked.update(names.lineage(names.join(module, taken.name)))
    return frozenset(asked)


def coverage(project: Project, options: StalePatchTargets) -> Coverage:
    """Every target of a patch, with those that are not constant."""
    constant = sum(len(member.facts.patches) for member in project.members if not member.vendored)
    unknown = sum(member.facts.unknown_patches for member in project.members if not member.vendored)
    more = f", {unknown:,} of them made up at run time" if unknown else ""
    return Coverage(0, 0, noun=f"{constant + unknown:,} patch targets{more}")


CHECK = Check(
    summary="A patch of something that is not there",
    options=StalePatchTargets,
    find=find,
    coverage=coverage,
    undeclared=Undeclared("error"),
)
