"""What the owner of a project should be told of how its code was found. Sentences for people, no findings."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from layercheck import names
from layercheck.project.index import Index
from layercheck.project.model import Member
from layercheck.project.resolve import Resolver

MANY = 5
"""From how many files on, imports that look first-party and resolve to nothing are worth a word."""


def missing_roots(resolver: Resolver) -> Iterator[str]:
    """A sentence for each folder that is likely a root but is not one.

    Such a folder holds a module or package that files of the project import by its bare name.
    """
    importers = Counter(
        head for member in resolver.index.members if not member.consumer for head in _external_heads(resolver, member)
    )
    wanted = {head for head, files in importers.items() if files >= MANY} - sys.stdlib_module_names
    homes = dict(_homes(resolver.index, wanted))
    for head in sorted(homes):
        yield (
            f"{importers[head]} files import {head!r}, which resolves to nothing, and {homes[head]}/ holds it:"
            f" add {homes[head]!r} to [project] roots"
        )


def open_namespaces(resolver: Resolver) -> Iterator[str]:
    """A sentence for each top-level folder without ``__init__.py`` from which something is imported that is not there,
    and that another distribution may have."""
    wanted: dict[str, str] = {}
    for member in resolver.index.members:
        for position, taken in enumerate(member.facts.imports):
            target = resolver.target(member, position)
            top = names.head(target.module)
            if (
                target.outcome == "unknown"
                and target.module in resolver.index.namespaces
                and top in resolver.index.tops
            ):
                wanted.setdefault(top, f"{member.path}:{taken.span.line}")
    for top, place in sorted(wanted.items()):
        yield (
            f"{top} has no __init__.py, so other distributions may hold parts of it: what is imported from {top} and is"
            f" not here may be there, and is not called missing ({place} is the first such import). If all of {top} is"
            f' here, write packages = ["{top}"] under [project]'
        )


def _external_heads(resolver: Resolver, member: Member) -> set[str]:
    """The first components of what a file imports from outside the project."""
    targets = (resolver.target(member, position) for position in range(len(member.facts.imports)))
    return {names.head(target.module) for target in targets if target.outcome == "external"}


def _homes(index: Index, wanted: set[str]) -> Iterator[tuple[str, str]]:
    """For each name wanted, the folders that hold it, in order; what lies in a package is none: that is no root."""
    packages = {member.path.rpartition("/")[0] for member in index.members if member.package}
    for member in index.members:
        folders = member.path.split("/")
        for depth, part in enumerate(folders):
            folder = "/".join(folders[:depth])
            if folder in packages:
                break
            if part.removesuffix(".py") in wanted and depth:
                yield names.head(part), folder
