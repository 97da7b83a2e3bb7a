"""Links between modules as tables and chains, for checks of the graph. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from layercheck import names
from layercheck.facts import Kind
from layercheck.finding import Location, Step
from layercheck.graph import Successors, successors_of
from layercheck.project.model import Link
from layercheck.project.project import Project


@lru_cache(maxsize=4)
def imports_of(project: Project) -> Mapping[str, Sequence[Link]]:
    """The links of each module to modules of the project, in the order of the text. Modules without any are left out.

    What consumers import is not among them: nobody can import a consumer, so none is part of a chain.
    """
    table: dict[str, list[Link]] = {}
    for link in project.links:
        if not link.external and not link.consumer:
            table.setdefault(link.importer, []).append(link)
    return table


@lru_cache(maxsize=4)
def links_by_path(project: Project) -> Mapping[str, Sequence[Link]]:
    """All links, those of consumers too, by the file that they stand in, in the order of the text."""
    table: dict[str, list[Link]] = {}
    for link in project.links:
        table.setdefault(link.path, []).append(link)
    return table


@lru_cache(maxsize=4)
def importers_of(project: Project) -> Mapping[str, Sequence[Link]]:
    """The links of modules to each module of the project. Modules that none imports are left out."""
    table: dict[str, list[Link]] = {}
    for links in imports_of(project).values():
        for link in links:
            table.setdefault(link.imported, []).append(link)
    return table


@lru_cache(maxsize=4)
def outside_imports_of(project: Project) -> Mapping[str, Sequence[Link]]:
    """The links of each module to what is outside the project, in the order of the text."""
    table: dict[str, list[Link]] = {}
    for link in project.links:
        if link.external and not link.consumer:
            table.setdefault(link.importer, []).append(link)
    return table


def taken_name(link: Link) -> str:
    """The full name of what a link takes: outside the project that may be a module or a name of one."""
    return link.imported if link.name == "*" else names.join(link.imported, link.name)


def shown(link: Link) -> str:
    """What people call that which a link goes to, behind "imports": from outside, a name with where it comes from."""
    if link.external and link.name and link.name != "*":
        return f"{link.name} from {link.imported}"
    return link.imported


def run_by(link: Link) -> Iterator[str]:
    """The module that a link goes to and the packages above it whose ``__init__`` it runs.

    Those above the importer run already (language reference, "Searching"), so they are not run by this import.
    """
    yield link.imported
    for package in names.ancestors(link.imported):
        if not names.is_within(link.importer, package):
            yield package


@lru_cache(maxsize=4)
def outside_names(project: Project) -> frozenset[str]:
    """The full names of all that modules take from outside the project."""
    return frozenset(taken_name(link) for links in outside_imports_of(project).values() for link in links)


@lru_cache(maxsize=8)
def successors(project: Project, kinds: tuple[Kind, ...]) -> Successors:
    """What each module imports by links of these kinds."""
    return successors_of(
        (link.importer, link.imported) for links in imports_of(project).values() for link in links if link.kind in kinds
    )


@lru_cache(maxsize=4)
def running_successors(project: Project) -> Successors:
    """What each module runs by its imports at import time, the packages above what it imports included."""
    return successors_of(
        (importer, imported)
        for importer, links in imports_of(project).items()
        for link in links
        if link.kind == "import-time"
        for imported in run_by(link)
    )


def first_import(
    project: Project, importer: str, imported: str, kinds: Iterable[Kind], *, implicit: bool = False
) -> Link:
    """The first place at which a module imports another, or takes a name from outside, by a link of these kinds.

    ``implicit``: running a package's ``__init__`` by importing what is below it counts. Raises LookupError where
    there is none.
    """
    for link in imports_of(project).get(importer, ()):
        if link.kind in kinds and imported in (run_by(link) if implicit else (link.imported,)):
            return link
    for link in outside_imports_of(project).get(importer, ()):
        if taken_name(link) == imported and link.kind in kinds:
            return link
    raise LookupError(f"{importer} does not import {imported}")


def location(link: Link) -> Location:
    """Where the import stands."""
    span = link.span
    return Location(link.path, span.line, span.column, span.end_line, span.end_column)


def step(link: Link) -> Step:
    """The import as a step of a chain."""
    return Step(link.importer, link.imported, link.path, link.span.line, link.kind)


def chain_links(project: Project, chain: Sequence[str], kinds: Iterable[Kind], *, implicit: bool = False) -> list[Link]:
    """The first import for each step of a chain of modules; ``implicit`` as in ``first_import``."""
    return [
        first_import(project, importer, imported, kinds, implicit=implicit) for importer, imported in pairwise(chain)
    ]
