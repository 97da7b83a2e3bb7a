"""The chains by which one part of a project imports another. Asks the project; judges nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise

from layercheck import names
from layercheck.errors import LayercheckError
from layercheck.facts import KINDS, Kind
from layercheck.project import Link, Project
from layercheck.project.imports import outside_names, run_by, taken_name
from layercheck.project.naming import absent, all_within, foreign, is_bound, is_inside, known_names, not_taken
from layercheck.shortest import shortest, through
from layercheck.why.model import Answer, Chain, Hop, Site, Ways

_Edges = Mapping[tuple[str, str], list[Link]]


def why(
    project: Project,
    importer: str,
    imported: str,
    kinds: tuple[Kind, ...] = KINDS,
    *,
    implicit: bool = False,
    limit: int = 0,
    packages: Collection[str] = (),
) -> Answer:
    """All shortest chains of imports from one part of a project to another, which may lie outside.

    A part is a name or pattern, with all that lies below it, or the path of a file. ``implicit``: whether importing
    ``a.b.c`` counts as importing ``a`` and ``a.b`` too, whose ``__init__`` it runs. ``limit``: how many chains are
    written out; 0 for all of them, of which there may be very many. ``packages``: of the shortest chains only those
    that run through one of them.

    Raises LayercheckError for names that are not there, with the nearest.
    """
    starts, ends = _parts(project, importer, imported)
    edges = _edges(project, kinds, implicit=implicit)
    ways = _ways(importer, imported, edges, starts, ends, limit, packages)
    if ways.count or ways.others:
        return Answer(ways, kinds, packages=tuple(packages))
    wider = None
    if set(kinds) != set(KINDS):
        wider = _ways(importer, imported, _edges(project, KINDS, implicit=implicit), starts, ends, limit)
    back = _ways(imported, importer, edges, ends, starts, limit)
    return Answer(
        ways,
        kinds,
        wider if wider is not None and wider.count else None,
        back if back.count else None,
        notes=tuple(_notes(project, starts)),
    )


def _parts(project: Project, importer: str, imported: str) -> tuple[set[str], set[str]]:
    """The names that each side stands for. Where one side lies within the other, that one is all but it."""
    starts, ends, faults = set[str](), set[str](), []
    for text, found, outside in ((importer, starts, False), (imported, ends, True)):
        found |= _part(project, text, outside=outside)
        if not found:
            faults.append(_unknown(project, text, outside=outside))
    if faults:
        raise LayercheckError(*dict.fromkeys(faults))
    if ends <= starts:
        starts -= ends
    else:
        ends -= starts
    if not starts or not ends:
        raise LayercheckError(
            f"{importer} and {imported} are the same; import rings are found by layercheck check --select cycles"
        )
    return starts, ends


def _part(project: Project, text: str, *, outside: bool) -> set[str]:
    member = project.member(text.removeprefix("./"))
    if member is not None:
        return {member.id}
    if not names.is_name_or_pattern(text):
        return set()
    found = all_within(known_names(project), text)
    if not found and outside:
        found = {name for name in outside_names(project) if names.matches_within(name, text)}
    return found


def _unknown(project: Project, text: str, *, outside: bool) -> str:
    if not names.is_name_or_pattern(text):
        return f"{text!r} is neither a name, a pattern nor the path of a file of this project"
    if not outside and foreign(project, text):
        return f"{text} is not of this project, so what it imports is not known"
    if names.parent(text) in project.modules and is_bound(project, text):
        return f"{text} is a name in the module {names.parent(text)}; ask for the module"
    return not_taken(project, text) if outside and not is_inside(project, text) else absent(text, known_names(project))


def _notes(project: Project, starts: Collection[str]) -> Iterator[str]:
    unread = sorted(name for name in starts if name in project.index.unread)
    if unread:
        yield f"{unread[0]} was not read ({project.index.unread[unread[0]].why}), so what it imports is not known"
    failed = [member.id for member in project.members if member.facts.failure is not None]
    if failed:
        more = f" and {len(failed) - 1:,} more" if len(failed) > 1 else ""
        yield f"{failed[0]}{more} cannot be parsed, so what it imports is not known"


def _edges(project: Project, kinds: Collection[Kind], *, implicit: bool) -> _Edges:
    """Who imports whom, and where; outside the project, of what."""
    table: dict[tuple[str, str], list[Link]] = {}
    for link in project.links:
        if link.kind in kinds:
            for imported in _reached(link, implicit=implicit):
                table.setdefault((link.importer, imported), []).append(link)
    return table


def _reached(link: Link, *, implicit: bool) -> Iterable[str]:
    if link.external:
        return (taken_name(link),)
    return run_by(link) if implicit else (link.imported,)


def _ways(
    importer: str,
    imported: str,
    edges: _Edges,
    starts: set[str],
    ends: set[str],
    limit: int,
    packages: Collection[str] = (),
) -> Ways:
    found = shortest(_successors(edges), starts, ends)
    count, chains = found.count, found.chains()
    if packages:
        every = {name for edge in edges for name in edge}
        inside = {name for name in every if any(names.is_within(name, package) for package in packages)}
        narrowed = through(found, inside)
        count, chains = narrowed.count, (tuple(name for name, _ in chain) for chain in narrowed.chains())
    written = tuple(_chain(chain, edges) for chain in islice(chains, limit or None))
    return Ways(importer, imported, found.length, count, found.count - count, written)


def _successors(edges: _Edges) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for importer, imported in edges:
        table.setdefault(importer, []).append(imported)
    return table


def _chain(chain: Sequence[str], edges: _Edges) -> Chain:
    return tuple(Hop(*edge, tuple(map(_site, edges[edge]))) for edge in pairwise(chain))


def _site(link: Link) -> Site:
    span = link.span
    return Site(link.path, span.line, span.column, link.statement.line, link.kind, link.name, link.flags)
