"""The check ``cycles``: rings of imports, how dangerous each is, and a small set of imports that opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from layercheck import graph, names
from layercheck.checks import Check, Coverage, Fault, Options, Undeclared, absences, faults_of_names
from layercheck.facts import Kind
from layercheck.finding import Problem, Related
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of, location, run_by, step
from layercheck.project.running import first_failure, not_yet_bound


class CyclesOptions(Options, frozen=True, kw_only=True):
    """Which links make a ring."""

    kinds: tuple[Kind, ...] = ("import-time",)
    """Which imports count."""
    within: str = ""
    """A package: rings that lie wholly in it."""
    level: Literal["module", "package"] = "module"
    """Rings of modules, or of the packages and modules beside each other at each level of the tree."""
    implicit: bool = False
    """Whether importing ``a.b.c`` counts as importing ``a`` and ``a.b`` too, whose ``__init__`` it runs."""
    packages: tuple[str, ...] = ()
    """For ``level = "package"``: names or patterns, absolute; only levels in these packages."""
    depth: int | None = None
    """How many levels below each of ``packages`` are looked at beside the one directly in it."""
    skip: tuple[str, ...] = ()
    """Packages below ``packages``, names or patterns, absolute, in which no level is looked at."""

    def faults(self) -> Iterator[str]:
        if not self.kinds:
            yield '`kinds` is empty: name at least one, such as "import-time"'
        if self.packages and self.level != "package":
            yield '`packages` says at which levels rings are looked for: it needs `level = "package"`'
        if (self.depth is not None or self.skip) and not self.packages:
            yield f"`{'skip' if self.depth is None else 'depth'}` is counted from `packages`: name some"
        if self.depth is not None and self.depth < 0:
            yield "`depth` must be 0 or more"
        yield from faults_of_names(self, "packages", "skip")


Sites = dict[graph.Edge, list[Link]]


@lru_cache(maxsize=8)
def _levels(project: Project, options: CyclesOptions) -> tuple[tuple[str, Sites], ...]:
    """The edges to look for rings among, each with its links; for ``package``, of each level of the tree by itself."""
    if options.level == "module":
        return (("", _module_edges(project, options)),)
    levels: dict[str, Sites] = {}
    asked = _asked(project, options)
    for (importer, imported), links in _module_edges(project, options).items():
        package = _common(importer, imported)
        if package in (importer, imported) or not names.is_within(package, options.within):
            continue
        if asked is not None and package not in asked:
            continue
        edge = (names.below(importer, package), names.below(imported, package))
        levels.setdefault(package, {}).setdefault(edge, []).extend(links)
    for sites in levels.values():
        for links in sites.values():
            links.sort(key=lambda link: (link.path, link.span.line, link.span.column))
    return tuple(sorted(levels.items()))


@lru_cache(maxsize=8)
def _asked(project: Project, options: CyclesOptions) -> frozenset[str] | None:
    """The packages at whose level rings are looked for; None for all."""
    if not options.packages:
        return None
    tops = {name for name in project.packages for text in options.packages if names.matches(name, text)}
    skipped = {name for name in project.packages for text in options.skip if names.matches(name, text)}
    return frozenset(
        name for name in project.packages if any(_is_asked(name, top, skipped, options.depth) for top in tops)
    )


def _is_asked(name: str, top: str, skipped: AbstractSet[str], depth: int | None) -> bool:
    if not names.is_within(name, top):
        return False
    between = [above for above in names.lineage(name) if above != top and names.is_within(above, top)]
    return skipped.isdisjoint(between) and (depth is None or len(between) <= depth)


def _common(one: str, other: str) -> str:
    """The innermost package that both names are within; either may be it."""
    return next((name for name in names.lineage(one) if names.is_within(other, name)), "")


def _module_edges(project: Project, options: CyclesOptions) -> Sites:
    sites: Sites = {}
    for importer, links in imports_of(project).items():
        if not names.is_within(importer, options.within):
            continue
        for link in links:
            if link.kind in options.kinds:
                for imported in run_by(link) if options.implicit else (link.imported,):
                    if imported in project.modules and names.is_within(imported, options.within):
                        sites.setdefault((importer, imported), []).append(link)
    return sites


@dataclass(frozen=True, slots=True, eq=False)
class _Knot:
    """Modules that reach each other, with the imports among them."""

    package: str
    members: tuple[str, ...]
    sites: Sites


@lru_cache(maxsize=8)
def _knots(project: Project, options: CyclesOptions) -> tuple[_Knot, ...]:
    """Every component that holds a ring and is not wholly of vendored code."""
    found = []
    for package, sites in _levels(project, options):
        home: dict[str, int] = {}
        rings = graph.rings(sites)
        for number, ring in enumerate(rings):
            home.update(dict.fromkeys(ring, number))
        inside: list[Sites] = [{} for _ in rings]
        for (importer, imported), links in sites.items():
            number = home.get(importer, -1)
            if number >= 0 and number == home.get(imported):
                inside[number][importer, imported] = links
        found += [
            _Knot(package, ring, edges)
            for ring, edges in zip(rings, inside, strict=True)
            if not all(project.modules[link.importer].vendored for links in edges.values() for link in links)
        ]
    return tuple(found)


def _find(project: Project, options: CyclesOptions) -> Iterator[Problem]:
    for knot in _knots(project, options):
        yield _problem(project, options, knot)


def _problem(project: Project, options: CyclesOptions, knot: _Knot) -> Problem:
    # Of two cuts of one cost the better is the one that leaves a package free to import what is in it.
    order = sorted(knot.sites, key=lambda edge: (not names.is_within(edge[0], edge[1]), edge))
    cut = graph.cut({edge: len(knot.sites[edge]) for edge in order})
    several = len(knot.members) > 1
    ring = graph.shortest_ring(edge for edge in knot.sites if not several or edge[0] != edge[1])
    around = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    # Every ring loses an edge to the cut: the finding stands where the ring shown is opened.
    first = min(set(around) & set(cut.edges))
    turn = around.index(first)
    around = around[turn:] + around[:turn]
    edges = [first, *sorted(set(cut.edges) - {first})]
    sites = [link for edge in edges for link in knot.sites[edge]]
    shown = " -> ".join([*(importer for importer, _ in around), around[0][0]])
    opening = knot.sites[first][0]
    grade, told = _grade(project, knot) if options.level == "module" else (0, "")
    return Problem(
        message=f"{_size(knot, options)}: {shown}{told}",
        help=_help(sites, cut),
        location=location(opening),
        importer=opening.importer,
        imported=opening.imported,
        name=opening.name or None,
        kind=opening.kind,
        flags=opening.flags,
        chain=tuple(step(knot.sites[edge][0]) for edge in around),
        ring=knot.members,
        related=tuple(Related(link.path, link.span.line, f"to cut: {_taken(link)}") for link in sites),
        key=(*([f"in {knot.package}"] if options.level == "package" else []), *knot.members),
        fails=max(grade - _HARMLESS, 0),
    )


def _size(knot: _Knot, options: CyclesOptions) -> str:
    size = len(knot.members)
    if size == 1:
        return "a module imports itself"
    if options.level == "module":
        return f"import ring of {size} modules"
    return f"import ring of {size} siblings" + (f" in {knot.package}" if knot.package else "")


def _taken(link: Link) -> str:
    return f"{link.name} from {link.imported}" if link.name else link.imported


def _help(sites: Sequence[Link], cut: graph.Cut) -> str:
    if len(sites) == 1:
        what = "taking out this import opens every ring"
    else:
        what = f"taking out these {len(sites)} imports opens every ring"
    if not cut.exact:
        what += " (a small cut, perhaps not the smallest)"
    elif cut.several:
        what += " (one of several smallest cuts)"
    return f"{what}: move what is taken to a module that both sides may import, or import it where it is used"


Grade = tuple[int, str]
"""How dangerous a ring is, and the end of a sentence that says so."""
_HARMLESS = 4
"""The worst grade of one in which nothing is known to fail."""


def _grade(project: Project, knot: _Knot) -> Grade:
    """The grade of a ring: that of the most dangerous of its imports."""
    edges = {
        edge: [link for link in links if link.kind == "import-time"]
        for edge, links in knot.sites.items()
        if any(link.kind == "import-time" for link in links)
    }
    held = sorted({name for ring in graph.rings(edges) for name in ring})
    if not held:
        return 0, "; not at import time"
    if failing := _failing(project, knot, held):
        return failing
    grades: list[Grade] = [(0, "")]
    for entered in held:
        back = _ways_back(entered, edges)
        for (importer, imported), links in sorted(edges.items()):
            # A module above the importer has always begun to run before it; one below it never has.
            if imported == entered and importer in back and not _starts_before(importer, entered):
                grades += [_grade_of(project, link, back[importer]) for link in links if link.imported == entered]
    return max(grades, key=lambda grade: grade[0])


_TRIED = 32
"""How many modules of a ring are tried as the one imported first: each try walks through all that it imports."""


def _failing(project: Project, knot: _Knot, held: Sequence[str]) -> Grade | None:
    """What fails inside the ring when one of its modules is imported first; None where nothing does."""
    members = frozenset(knot.members)
    doubtful: Grade | None = None
    for entered in held[:_TRIED]:
        failure = first_failure(project, entered)
        if failure and {failure.link.importer, failure.link.imported} <= members:
            link = failure.link
            told = (
                f"when {entered} is imported first: line {link.span.line} of {link.importer} takes {link.name} from "
                f"{link.imported}, which has then run only as far as its line {failure.reached.line}"
            )
            if failure.certain:
                return _HARMLESS + 2, f"; fails {told}"
            doubtful = doubtful or (_HARMLESS + 1, f"; may fail {told}")
    return doubtful


def _starts_before(importer: str, imported: str) -> bool:
    return importer != imported and names.is_within(imported, importer)


def _ways_back(entered: str, edges: Mapping[graph.Edge, Sequence[Link]]) -> dict[str, Link]:
    """For each module that a module reaches, the first of its imports by which it does, in the order of the text."""
    successors = graph.successors_of(edge for edge in edges if edge[1] != entered)
    starts = sorted(
        ((links[0], imported) for (importer, imported), links in edges.items() if importer == entered),
        key=lambda start: (start[0].span.line, start[0].span.column),
    )
    back: dict[str, Link] = {}
    for link, imported in starts:
        if imported == entered:
            back.setdefault(entered, link)
        elif imported not in back:
            for name in graph.reach(successors, [imported]) - back.keys():
                back[name] = link
    return back


def _grade_of(project: Project, link: Link, closing: Link) -> Grade:
    """The grade of an import of a half-made module, which has come as far as the import that leads back here."""
    taken = link.name if link.name != "*" else ""
    if "optional" not in link.flags and not_yet_bound(project, link, closing.statement):
        return (
            4,
            f"; works only as long as {link.imported} is never the first of them to be imported: line {link.span.line} "
            f"of {link.importer} takes {taken} from {link.imported}, which binds it only after line "
            f"{closing.span.line}, its own import that leads back",
        )
    if _starts_before(link.imported, link.importer):
        return 1, "; a module imports from its own package"
    if link.name:
        return 3, f"; {link.importer} takes {taken or 'names'} from {link.imported} while that may be half made"
    return 2, "; whole modules are imported, which works until one is used too early"


def _coverage(project: Project, options: CyclesOptions) -> Coverage:
    if options.within and options.within not in project.packages:
        near = names.nearest(options.within, project.packages)
        hint = f"; did you mean {near}?" if near else ""
        return Coverage(0, 0, (Fault("within", f"there is no package {options.within}{hint}"),))
    faults = (
        *absences("packages", options.packages, project.packages),
        *absences("skip", options.skip, project.packages),
    )
    modules = [name for name in project.modules if names.is_within(name, options.within)]
    if options.packages:
        asked = _asked(project, options) or frozenset()
        modules = [name for name in modules if not asked.isdisjoint(names.ancestors(name))]
    links = imports_of(project)
    return Coverage(
        len(modules),
        sum(
            link.kind in options.kinds and names.is_within(link.imported, options.within)
            for link in _all(links, modules)
        ),
        faults,
    )


def _all(links: Mapping[str, Sequence[Link]], modules: Iterable[str]) -> Iterator[Link]:
    for name in modules:
        yield from links.get(name, ())


def _counts(project: Project, options: CyclesOptions) -> Callable[[Link], bool]:
    on_rings = {
        (link.path, link.index) for knot in _knots(project, options) for links in knot.sites.values() for link in links
    }
    return lambda link: (link.path, link.index) in on_rings


CHECK = Check(
    summary="Rings of imports: modules that reach each other",
    options=CyclesOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
    undeclared=Undeclared("warning"),
)
