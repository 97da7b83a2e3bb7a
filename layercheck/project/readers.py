"""Who reads a name when it runs: where a patch of it is seen, and where the same object is read under other names.

A name that an import binds is a copy: what replaces it in one module changes nothing for a module that has its own.
In doubt a name is read. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from layercheck import names
from layercheck.facts import Access, Kind, Patch
from layercheck.graph import reach, successors_of
from layercheck.project.model import Member
from layercheck.project.project import Project
from layercheck.project.resolve import ANY

_MOST = 3
"""How many places are named in a sentence."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A module that binds an object and reads it."""

    member: Member
    name: str
    """What it calls the object."""
    line: int
    """Where it binds it."""

    @property
    def full(self) -> str:
        """What to patch, to replace what it reads."""
        return f"{self.member.id}.{self.name}"


def is_seen(project: Project, patched: Member, name: str, test: Member) -> bool:
    """Whether what replaces a name in a module may be seen by anybody, while a test runs."""
    if name in patched.facts.uses or patched.facts.reads_by_name or project.resolver.opened(patched):
        return True
    copied = False
    for use in project.uses.takers(patched.name, name):
        if use.how == "patch":
            continue
        taker = project.member(use.path)
        if use.how != "import" or taker is None or _takes_late(project, taker, name, use.line):
            return True
        copied = True
    return copied and _imports_late(project, test)


def _takes_late(project: Project, taker: Member, name: str, line: int) -> bool:
    """Whether the import of a name that stands on a line runs later than its module does."""
    return any(
        project.resolver.guards.kind(taker, taken) == "deferred"
        for taken in taker.facts.imports
        if taken.name == name and taken.span.line == line
    )


def _imports_late(project: Project, test: Member) -> bool:
    """Whether a file may import modules of the project while a test runs, which then copy what is patched."""
    for position, taken in enumerate(test.facts.imports):
        if names.head(taken.module) == "importlib" or "dynamic" in taken.flags:
            return True
        if taken.kind == "deferred" and project.resolver.target(test, position).outcome != "external":
            return True
    return False


def readers_of(project: Project, module: str, name: str) -> list[Reader]:
    """The other modules that read the object which a module binds to a name, in their order."""
    origins = frozenset(
        origin for origin in project.resolver.origins(module, name) if origin.kind in ("defined", "external")
    )
    return [
        reader
        for origin in sorted(origins, key=lambda origin: (origin.module, origin.name))
        for reader in _candidates(project).get(origin.name or names.tail(origin.module), ())
        if reader.member.name != module and origin in project.resolver.origins(reader.member.name, reader.name)
    ]


def listed(readers: Sequence[Reader]) -> str:
    """What to patch, for a sentence: the first few."""
    more = f" and {len(readers) - _MOST} more" if len(readers) > _MOST else ""
    return f"{', '.join(reader.full for reader in readers[:_MOST])}{more}"


@lru_cache(maxsize=2)
def _candidates(project: Project) -> Mapping[str, Sequence[Reader]]:
    """The modules that bind and read something that is defined under a name, perhaps, by that name."""
    table: dict[str, list[Reader]] = {}
    for member in project.modules.values():
        seen: set[str] = set()
        for binding in member.facts.bindings:
            if binding.name not in member.facts.uses or binding.name in seen or member.test:
                continue
            seen.add(binding.name)
            taken = member.facts.imports[binding.imported] if binding.imported >= 0 else None
            defined = taken.name or names.tail(taken.module) if taken is not None else binding.name
            table.setdefault(defined, []).append(Reader(member, binding.name, binding.span.line))
    return table


@lru_cache(maxsize=2)
def own_readers(project: Project) -> Mapping[str, Sequence[str]]:
    """By name, the modules that bind it and read it, tests apart, in their order."""
    table: dict[str, list[str]] = {}
    for module, member in project.modules.items():
        if not member.test:
            for name in member.bindings.keys() & member.facts.uses:
                table.setdefault(name, []).append(module)
    return table


@dataclass(frozen=True, slots=True)
class Taken:
    """Something of the project that a test reads."""

    module: str
    """Where it is defined."""
    name: str


def taken_by(project: Project, test: Member, patch: Patch) -> list[Taken] | None:
    """What of the project the code under a patch reads, if it surely runs nothing of the patched module by that.

    None where that cannot be told: something that it reads is not known, or leads to the patched module by imports.
    """
    code = test.facts.patched_code[patch.code]
    if code.whole:
        return None
    found: list[Taken] = []
    for at in code.reads:
        taken = _taken(project, test, test.facts.accesses[at])
        if taken is None:
            return None
        found += taken
    return found


def _taken(project: Project, test: Member, access: Access) -> list[Taken] | None:
    resolver = project.resolver
    found: list[Taken] = []
    for position in test.bound_imports.get((access.scope, access.name), ()):
        for origin in resolver.import_origins(test, position):
            if origin.kind == "module":
                steps = [*resolver.walk(origin.module, access.attributes)]
                if not steps or steps[-1][1] == ANY:
                    return None
                ends = resolver.origins(*steps[-1])
            else:
                ends = frozenset({origin})
            for end in ends:
                if end.kind == "defined":
                    found.append(Taken(end.module, end.name))
                elif end.kind != "external":
                    return None
    return found


def runs_into(project: Project, homes: Sequence[str], module: Member) -> bool:
    """Whether what modules do may run another: they import it, themselves at any time or through others at import time,
    or a string names it.

    What others import when they are called is left out: in a large project that leads from everywhere to everywhere.
    """
    above, tail = names.parent(module.name), names.tail(module.name)
    if any(use.how == "string" for use in project.uses.takers(above, tail)):
        return True
    starts = {member.id for home in homes if (member := project.index.by_name.get(home)) is not None}
    own = {imported for start in starts for imported in _imports(project, ("import-time", "deferred")).get(start, ())}
    return module.id in reach(_imports(project, ("import-time",)), starts | own) | starts | own


@lru_cache(maxsize=4)
def _imports(project: Project, kinds: tuple[Kind, ...]) -> Mapping[str, Sequence[str]]:
    """What each file imports by links of these kinds, consumers too."""
    return successors_of(
        (link.importer, link.imported) for link in project.all_links if link.kind in kinds and not link.external
    )
