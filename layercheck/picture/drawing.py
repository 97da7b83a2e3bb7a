"""Project, layers and findings -> picture: what is drawn of the imports, and what of it is lit. Judges nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import takewhile

from layercheck import graph, names
from layercheck.checks import Order as Layering
from layercheck.errors import LayercheckError
from layercheck.finding import Finding
from layercheck.graph import Edge
from layercheck.picture.model import NONE, Arrow, Node, Order, Picture, Place, Ring, Violation, Wishes
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of

Links = Mapping[Edge, Sequence[Link]]


def draw(
    project: Project,
    wishes: Wishes,
    layerings: Iterable[tuple[str, Layering]] = (),
    findings: Iterable[Finding] = (),
    title: str = "",
) -> Picture:
    """Draw the imports between the modules of a project.

    ``layerings``: how the layers of rules fall on the project, each with the name of its rule. ``findings``: what rules
    about imports say of it. Rings are those of what is drawn before the focus narrows it, so that a focus hides none.

    Raises LayercheckError where the focus is on nothing.
    """
    called = {module: _called(module, None if wishes.foldable else wishes.collapse) for module in project.modules}
    links = _links(project, wishes, called)
    rings = graph.rings(edge for edge, sites in links.items() if any(one.kind in wishes.ring_kinds for one in sites))
    home = {name: index for index, ring in enumerate(rings) for name in ring}
    edges = set(links)
    kept = set(called.values())
    if wishes.focus:
        kept, edges = _near(_focus(called, wishes.focus), edges, wishes.depth)
    if wishes.rings_only:
        edges = {edge for edge in edges if _ring_of(edge, links[edge], home, wishes) != NONE}
        kept &= home.keys()
    shown = sorted({home[name] for name in kept if name in home})
    ring_at = {ring: index for index, ring in enumerate(shown)}
    findings = sorted(findings, key=lambda one: (one.problem.location.path, one.problem.location.line, one.rule))
    violations = [one for one in _violations(findings, called, wishes) if _is_shown(one, called, kept, edges, wishes)]
    lit: dict[Edge, list[int]] = defaultdict(list)
    for index, violation in enumerate(violations):
        for edge in violation.arrows:
            lit[edge].append(index)
    orders, places = _places(project, layerings)
    return Picture(
        title,
        wishes,
        orders,
        tuple(_nodes(project, called, places, kept, {name: ring_at.get(ring, NONE) for name, ring in home.items()})),
        tuple(
            Arrow(
                *edge,
                tuple(links[edge]),
                ring_at.get(_ring_of(edge, links[edge], home, wishes), NONE),
                tuple(lit.get(edge, ())),
            )
            for edge in sorted(edges)
        ),
        tuple(_rings([rings[ring] for ring in shown], findings)),
        tuple(violations),
    )


def _called(module: str, collapse: int | None) -> str:
    """The node that a module is drawn as."""
    return module if collapse is None else names.join(*names.split(module)[:collapse])


def _links(project: Project, wishes: Wishes, called: Mapping[str, str]) -> Links:
    """The links by their arrow. Inside of what is collapsed there are none."""
    table: dict[Edge, list[Link]] = defaultdict(list)
    for importer, links in imports_of(project).items():
        for link in links:
            if link.kind not in wishes.kinds or link.imported not in called:
                continue
            edge = (called[importer], called[link.imported])
            if edge[0] != edge[1] or (importer, link.imported) == edge:
                table[edge].append(link)
    return {
        edge: sorted(links, key=lambda link: (link.path, link.span.line, link.span.column))
        for edge, links in table.items()
    }


def _focus(called: Mapping[str, str], patterns: Sequence[str]) -> set[str]:
    """The nodes that hold what the patterns name."""
    found: set[str] = set()
    complaints = []
    for pattern in patterns:
        fitting = {name for module, name in called.items() if names.matches_within(module, pattern)}
        if not fitting:
            near = names.nearest(pattern, {above for module in called for above in names.lineage(module)})
            hint = f"did you mean {near}?" if near else "give the dotted name of a module or package, or a pattern"
            complaints.append(f"--focus: no module is or fits {pattern!r}; {hint}")
        found |= fitting
    if complaints:
        raise LayercheckError(*complaints)
    return found


def _near(focus: AbstractSet[str], edges: AbstractSet[Edge], depth: int) -> tuple[set[str], set[Edge]]:
    """The nodes at most ``depth`` arrows away, whichever way these point, and the arrows on the way there."""
    beside: dict[str, set[str]] = defaultdict(set)
    for importer, imported in edges:
        beside[importer].add(imported)
        beside[imported].add(importer)
    away = dict.fromkeys(focus, 0)
    level = set(focus)
    for distance in range(1, depth + 1):
        level = {other for name in level for other in beside[name]} - away.keys()
        away.update(dict.fromkeys(level, distance))
    inside = {edge for edge in edges if edge[0] in away and edge[1] in away}
    return set(away), {
        edge for edge in inside if min(away[edge[0]], away[edge[1]]) < depth or {away[end] for end in edge} == {0}
    }


def _ring_of(edge: Edge, links: Sequence[Link], home: Mapping[str, int], wishes: Wishes) -> int:
    ring = home.get(edge[0], NONE)
    if ring != home.get(edge[1], NONE) or not any(link.kind in wishes.ring_kinds for link in links):
        return NONE
    return ring


def _violations(findings: Iterable[Finding], called: Mapping[str, str], wishes: Wishes) -> Iterator[Violation]:
    """What is to be lit: each finding that is about imports of the kinds that are drawn, but for rings."""
    for finding in findings:
        problem = finding.problem
        if problem.ring:
            continue
        steps = [(step.importer, step.imported, step.kind) for step in problem.chain]
        if not steps:
            steps = [(problem.importer or "", problem.imported or "", problem.kind or "")]
        if all(kind in wishes.kinds for _, _, kind in steps):
            edges = (
                (called[importer], called[imported])
                for importer, imported, _ in steps
                if importer in called and imported in called
            )
            yield Violation(finding, tuple(dict.fromkeys(edges)))


def _is_shown(
    violation: Violation,
    called: Mapping[str, str],
    kept: AbstractSet[str],
    edges: AbstractSet[Edge],
    wishes: Wishes,
) -> bool:
    """Whether anything that a violation is about is drawn; where nothing is narrowed, all are."""
    if not (wishes.focus or wishes.rings_only):
        return True
    if violation.arrows:
        return not edges.isdisjoint(violation.arrows)
    return called.get(violation.finding.problem.importer or "", "") in kept


def _places(
    project: Project, layerings: Iterable[tuple[str, Layering]]
) -> tuple[tuple[Order, ...], Mapping[str, Place]]:
    """The orders, those of outer packages first, and which of their layers each module is in."""
    found = sorted(layerings, key=lambda one: len(names.split(one[1].package)))
    orders = tuple(Order(rule, order.package, order.layers) for rule, order in found)
    places = {
        module: tuple((index, order.place[module]) for index, (_, order) in enumerate(found) if module in order.place)
        for module in project.modules
    }
    return orders, places


def _nodes(
    project: Project,
    called: Mapping[str, str],
    places: Mapping[str, Place],
    kept: AbstractSet[str],
    ring_of: Mapping[str, int],
) -> Iterator[Node]:
    held: dict[str, list[str]] = defaultdict(list)
    for module, name in called.items():
        if name in kept:
            held[name].append(module)
    for name, modules in sorted(held.items()):
        member = project.modules.get(name)
        yield Node(
            name,
            member.path if member else "",
            name in project.packages,
            len(modules),
            shared_place(places[module] for module in modules),
            ring_of.get(name, NONE),
        )


def shared_place(places: Iterable[Place]) -> Place:
    """What all places have in common, from the outermost order on."""
    steps = zip(*places, strict=False)
    return tuple(step[0] for step in takewhile(lambda step: len(set(step)) == 1, steps))


def _rings(rings: Iterable[tuple[str, ...]], findings: Iterable[Finding]) -> Iterator[Ring]:
    told = {finding.problem.ring: finding.problem for finding in findings if finding.problem.ring}
    for members in rings:
        problem = told.get(members)
        yield Ring(members, problem.message if problem else "", problem.help if problem else "")
