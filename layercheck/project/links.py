"""Every import of the project as a link: who imports what, where, when. Keeps every import, judges none."""

from __future__ import annotations

from collections.abc import Iterator

from layercheck.facts import Flag, Import, Kind
from layercheck.project.model import Link, Member, Target
from layercheck.project.resolve import Resolver


def all_links(resolver: Resolver) -> tuple[Link, ...]:
    """The links of all members, in the order of paths and places. A link to a module that is not there is none."""
    read = _eagerly_read(resolver)
    links = [
        link
        for member in resolver.index.members
        for position, taken in enumerate(member.facts.imports)
        if (link := _link(resolver, member, position, taken, read))
    ]
    links.sort(key=lambda link: (link.path, link.span.line, link.span.column, link.index))
    return tuple(links)


def _link(
    resolver: Resolver, member: Member, position: int, taken: Import, read: frozenset[tuple[str, str]]
) -> Link | None:
    target = resolver.target(member, position)
    if target.outcome in ("missing-module", "beyond-top"):
        return None
    if target.outcome in ("missing-name", "unknown") and target.module == member.name:
        return None  # a package that asks itself for a submodule that is not there, or not seen, imports nothing
    return Link(
        importer=member.id,
        imported=_called(resolver, target),
        name=_taken_name(taken, target),
        path=member.path,
        span=taken.span,
        statement=taken.statement,
        kind=_kind(resolver, member, taken, read),
        flags=_flags(resolver, member, taken),
        external=target.outcome == "external",
        consumer=member.consumer,
        index=position,
    )


def _flags(resolver: Resolver, member: Member, taken: Import) -> tuple[Flag, ...]:
    """The flags of the text, and ``conditional`` where a name that is tested may hold or not."""
    if taken.guard < 0 or "conditional" in taken.flags or resolver.guards.holds(member, taken.guard) is not None:
        return taken.flags
    return (*taken.flags, "conditional")


def _called(resolver: Resolver, target: Target) -> str:
    member = resolver.index.by_name.get(target.module)
    return member.id if member and target.outcome != "external" else target.module


def _taken_name(taken: Import, target: Target) -> str:
    return "*" if taken.name == "*" else target.name if target.outcome != "module" else ""


def _kind(resolver: Resolver, member: Member, taken: Import, read: frozenset[tuple[str, str]]) -> Kind:
    kind = resolver.guards.kind(member, taken)
    # PEP 810: a lazy import runs when its name is first read, be it by another module's top level.
    if kind == "deferred" and "lazy" in taken.flags and (member.name, taken.bound) in read:
        return "import-time"
    return kind


def _eagerly_read(resolver: Resolver) -> frozenset[tuple[str, str]]:
    """(module, name) pairs that some module's top level reads from a module with lazy imports."""
    lazy = {
        member.name for member in resolver.index.members if any("lazy" in taken.flags for taken in member.facts.imports)
    }
    return frozenset(_eager_reads(resolver, lazy)) if lazy else frozenset()


def _eager_reads(resolver: Resolver, lazy: set[str]) -> Iterator[tuple[str, str]]:
    for member in resolver.index.members:
        if member.consumer:
            continue
        for taken in member.facts.imports:
            module = resolver.module_of(member, taken)
            if module in lazy and taken.name and resolver.guards.kind(member, taken) == "import-time":
                yield str(module), taken.name
        for access in member.facts.accesses:
            if access.eager:
                for module in resolver.bound_modules(member, access.scope, access.name):
                    yield from (pair for pair in resolver.walk(module, access.attributes) if pair[0] in lazy)
