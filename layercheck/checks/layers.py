"""The check ``layers``: imports that go back up a declared order, between siblings, or past a closed layer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from layercheck import graph, names
from layercheck.checks import (
    Check,
    Coverage,
    Fault,
    LinkOptions,
    Options,
    Order,
    Relative,
    chain_problems,
    faults_of_names,
    link_problem,
)
from layercheck.finding import LayerPair, Location, Problem
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of, successors
from layercheck.project.naming import absent, absent_absolute, fitting, known_names, unplaced


class Sibling(Options, frozen=True, kw_only=True):
    """One of several siblings, written as a table."""

    name: str
    optional: bool = False
    """Whether it need not exist."""


class LayerTable(Options, frozen=True, kw_only=True):
    """One layer written as a table."""

    name: str = ""
    """A module, a package or a pattern."""
    any: tuple[str | Sibling, ...] = ()
    """Siblings on one level."""
    independent: bool = True
    """Whether the siblings may not import each other."""
    optional: bool = False
    """Whether it need not exist."""

    def faults(self) -> Iterator[str]:
        if bool(self.name) == bool(self.any):
            yield 'a layer has either a `name` or siblings: `any = ["a", "b"]`'
        if self.name and not self.independent:
            yield "`independent` is said of siblings: write them as `any`"


class LayersOptions(LinkOptions, frozen=True, kw_only=True):
    """The order, highest first, and what it is judged by."""

    relative = Relative(("order", "closed", "outside", "containers"))

    order: tuple[str | tuple[str, ...] | LayerTable, ...]
    """Names and patterns relative to ``within``, or to each container."""
    closed: tuple[str, ...] = ()
    """Layers that no import from above may pass over."""
    exhaustive: bool = False
    """Whether every module within must be in a layer."""
    outside: tuple[str, ...] = ()
    """Those that need not, relative as in ``order``."""
    containers: tuple[str, ...] = ()
    """Packages or patterns, relative to ``within``: the same order holds in each by itself."""

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        yield from faults_of_names(self, "exempt", "outside")
        for index, text in enumerate(self.containers):
            if text and not names.is_name_or_pattern(text):
                yield f"`containers[{index}]`: {text!r} is neither a name nor a pattern"
        yield from _faults_of_text(self)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One name or pattern of the order."""

    text: str
    key: str
    level: int
    listed: bool
    """Whether it is one of several siblings; then each name that a pattern matches is a sibling."""
    independent: bool
    optional: bool


def _entries(options: LayersOptions) -> list[_Entry]:
    entries = []
    for level, layer in enumerate(options.order):
        key = f"order[{level}]"
        if isinstance(layer, str):
            entries.append(_Entry(layer, key, level, listed=False, independent=False, optional=False))
        elif isinstance(layer, LayerTable):
            if layer.name:
                entries.append(_Entry(layer.name, f"{key}.name", level, False, False, layer.optional))
            for index, one in enumerate(layer.any):
                sibling = Sibling(name=one) if isinstance(one, str) else one
                optional = layer.optional or sibling.optional
                entries.append(_Entry(sibling.name, f"{key}.any[{index}]", level, True, layer.independent, optional))
        else:
            entries += [_Entry(text, f"{key}[{index}]", level, True, True, False) for index, text in enumerate(layer)]
    return entries


def _faults_of_text(options: LayersOptions) -> Iterator[str]:
    """What is wrong with a layers rule whatever the code."""
    if not options.order:
        yield "`order` is empty: name at least two layers, highest first"
        return
    entries = _entries(options)
    for level in range(len(options.order)):
        if not any(entry.level == level for entry in entries):
            yield f"`order[{level}]` is an empty list: name the siblings, or take it out"
    for entry in entries:
        if not entry.text:
            yield f"`{entry.key}` is an empty name"
        elif not names.is_name_or_pattern(entry.text):
            yield f"`{entry.key}`: {entry.text!r} is neither a name nor a pattern"
    alone = len(options.order) == 1 and not options.exhaustive
    if alone and not any(entry.independent and (len(entries) > 1 or names.is_pattern(entry.text)) for entry in entries):
        yield "`order` has a single layer, which nothing can be above or below: name at least two, highest first"
    seen: dict[str, str] = {}
    for entry in entries:
        if entry.text in seen:
            yield f"`{entry.key}`: {entry.text} is listed twice"
        seen.setdefault(entry.text, entry.key)
    for entry in entries:
        for above in names.ancestors(entry.text):
            if above in seen and not names.is_pattern(entry.text) and not names.is_pattern(above):
                yield (
                    f"`{entry.key}`: {entry.text} lies inside {above} (`{seen[above]}`), so it would be in two layers"
                )
    for text in options.closed:
        if text not in seen:
            near = names.nearest(text, seen)
            yield f"`closed` names {text}, which is not in `order`" + (f"; did you mean {near}?" if near else "")
    if options.outside and not options.exhaustive:
        yield "`outside` says which modules need no layer: it needs `exhaustive = true`"


@dataclass(frozen=True, slots=True)
class _Unit:
    """What stands by itself in the order: a layer, or one of its siblings."""

    label: str
    level: int
    independent: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The order as it falls on the modules of one container."""

    package: str
    units: tuple[_Unit, ...]
    place: dict[str, int]
    """The unit of each name that is in a layer."""
    closed: frozenset[int]
    """The levels that nothing may pass over."""
    exempt: frozenset[str]
    faults: tuple[Fault, ...]

    def verdict(self, importer: int, imported: int) -> str:
        """Why a unit may not import another, as the end of a sentence; empty where it may."""
        low, high = self.units[importer], self.units[imported]
        if low.level > high.level:
            return "which is above it"
        if low.level == high.level:
            return "its independent sibling" if low.independent and importer != imported else ""
        between = [level for level in sorted(self.closed) if low.level < level < high.level]
        if between:
            over = ", ".join(unit.label for unit in self.units if unit.level == between[0])
            return f"which passes over the closed layer {over}"
        return ""

    def forbids(self, link: Link) -> str:
        """Why a link may not be, whatever its kind; empty where it may."""
        importer, imported = self.place.get(link.importer), self.place.get(link.imported)
        if importer is None or imported is None or link.importer in self.exempt:
            return ""
        return self.verdict(importer, imported)

    def ground(self, edges: graph.Successors) -> graph.Ground:
        units = range(len(self.units))
        barred = [(one, other) for one in units for other in units if self.verdict(one, other)]
        return graph.Ground(edges, self.place, barred, self.exempt)


@lru_cache(maxsize=8)
def _orders(project: Project, options: LayersOptions) -> tuple[tuple[_Order, ...], tuple[Fault, ...]]:
    """The order in each container, and what is wrong with the rule against this code."""
    known = known_names(project)
    if options.within and options.within not in project.packages:
        return (), (Fault("within", absent(options.within, project.packages, "package")),)
    packages, faults = [options.within], []
    if options.containers:
        packages = []
        for index, text in enumerate(options.containers):
            pattern = names.join(options.within, text)
            found = sorted(name for name in project.packages if names.matches(name, pattern))
            if not found:
                faults.append(Fault(f"containers[{index}]", absent(pattern, project.packages, "package")))
            packages += found
    exempt = frozenset(name for name in known if any(names.matches(name, text) for text in options.exempt))
    orders = tuple(_order(package, options, known, exempt) for package in dict.fromkeys(packages))
    faults += [fault for order in orders for fault in order.faults]
    layered = {name for order in orders for name in order.place}
    for index, text in enumerate(options.exempt):
        fitted = {name for name in exempt if names.matches(name, text)}
        if not fitted:
            faults.append(Fault(f"exempt[{index}]", absent_absolute("exempt", text, known)))
        elif not fitted & layered:
            faults.append(Fault(f"exempt[{index}]", f"{text} is in no layer of this rule, so it needs no exemption"))
    for index, text in enumerate(options.outside):
        if not any(names.matches(name, names.join(order.package, text)) for order in orders for name in known):
            faults.append(Fault(f"outside[{index}]", absent(names.join(options.within, text), known)))
    return orders, tuple(faults)


def _order(package: str, options: LayersOptions, known: frozenset[str], exempt: frozenset[str]) -> _Order:
    """Which of the names below a package is in which layer."""
    below = sorted(name for name in known if name != package and names.is_within(name, package))
    entries = _entries(options)
    units: list[_Unit] = []
    exact: dict[str, int] = {}
    loose: dict[str, dict[str, int]] = {}
    """For each entry that is a pattern, by its key: the unit of each name that fits it."""
    faults: list[Fault] = []
    for entry in entries:
        full = names.join(package, entry.text)
        found = fitting(below, full)
        if not found and not entry.optional:
            faults.append(Fault(entry.key, _absent_layer(entry.text, package, below)))
        table = loose.setdefault(entry.key, {}) if found and names.is_pattern(full) else exact
        for number, name in enumerate(found):
            if entry.listed or not number:
                label = names.relative(name, package) if entry.listed else entry.text
                units.append(_Unit(label, entry.level, entry.independent))
            table[name] = len(units) - 1
    place, claimed = _claim(below, exact, loose)
    texts = {entry.key: entry.text for entry in entries}
    for keys, name in claimed.items():
        if len(keys) > 1:
            shown = " and ".join(texts[key] for key in keys[:2])
            faults.append(Fault(keys[1], f"two patterns claim {name}: {shown}; name it by itself where it belongs"))
    faults += [
        Fault(key, f"{texts[key]} claims nothing: all that fits it is named by itself")
        for key in loose
        if not any(key in keys for keys in claimed)
    ]
    closed = frozenset(entry.level for entry in entries if entry.text in options.closed)
    return _Order(package, tuple(units), place, closed, exempt, tuple(faults))


def _claim(
    below: Iterable[str], exact: Mapping[str, int], loose: Mapping[str, Mapping[str, int]]
) -> tuple[dict[str, int], dict[tuple[str, ...], str]]:
    """The unit of each name that is in a layer, and for each set of patterns that claim a name the first such name.

    A name written out beats a pattern, whichever of the two lies deeper.
    """
    place: dict[str, int] = {}
    claimed: dict[tuple[str, ...], str] = {}
    for name in below:
        lineage = names.lineage(name)
        written = next((exact[above] for above in lineage if above in exact), None)
        claims = {key: table[above] for key, table in loose.items() for above in lineage if above in table}
        if written is not None:
            place[name] = written
        elif claims:
            place[name] = min(claims.values())
            claimed.setdefault(tuple(claims), name)
    return place, claimed


def _absent_layer(text: str, package: str, below: Collection[str]) -> str:
    full = names.join(package, text)
    if text in below:
        return f"there is no module {full}: names in `order` are relative to {package}, so write " + names.relative(
            text, package
        )
    optional = "" if names.nearest(full, below) else '; if it need not exist, write `{ name = "...", optional = true }`'
    return absent(full, below) + optional


def _find(project: Project, options: LayersOptions) -> Iterator[Problem]:
    for order in _orders(project, options)[0]:
        yield from _direct(project, options, order)
        if options.reach == "transitive":
            yield from _transitive(project, options, order)
        if options.exhaustive:
            yield from _unplaced(project, options, order)


def _direct(project: Project, options: LayersOptions, order: _Order) -> Iterator[Problem]:
    for link in _links(project, order):
        verdict = order.forbids(link)
        if not verdict or link.kind not in options.kinds or project.modules[link.importer].vendored:
            continue
        low, high = order.units[order.place[link.importer]], order.units[order.place[link.imported]]
        yield link_problem(
            link,
            f"{link.importer} (layer {low.label}) imports {link.imported} (layer {high.label}), {verdict}",
            _help(order, low, high, link.name if link.name != "*" else ""),
            LayerPair(low.label, high.label),
        )


def _help(order: _Order, low: _Unit, high: _Unit, name: str) -> str:
    if low.level < high.level:
        return f"go through the closed layer instead of importing layer {high.label} past it"
    what = name or "what is needed"
    if low.level == high.level:
        return f"siblings in a list do not import each other: move {what} into a layer below both, or pass it in"
    return f"move {what} into layer {low.label} or a lower one, or let a higher layer pass it in"


def _transitive(project: Project, options: LayersOptions, order: _Order) -> Iterator[Problem]:
    kinds = options.chain_kinds
    for (importer, imported), route in graph.chains(order.ground(successors(project, kinds))):
        low, high = order.units[importer], order.units[imported]
        verdict = order.verdict(importer, imported)

        def told(head: str, tail: str, low: _Unit = low, high: _Unit = high, verdict: str = verdict) -> str:
            return f"{head} (layer {low.label}) reaches {tail} (layer {high.label}), {verdict}"

        pair = LayerPair(low.label, high.label)
        yield from chain_problems(project, route, kinds, told, _help(order, low, high, ""), pair)


def _unplaced(project: Project, options: LayersOptions, order: _Order) -> Iterator[Problem]:
    outside = [names.join(order.package, text) for text in options.outside]
    for top, member in unplaced(project, order.package, order.place.keys(), outside):
        yield Problem(
            message=f"{top} is in no layer",
            help="name it in `order`, or in `outside` if it is to be in none",
            location=Location(member.path),
            importer=top,
        )


def _links(project: Project, order: _Order) -> Iterator[Link]:
    """The links of the modules that are in a layer."""
    table = imports_of(project)
    for name in order.place:
        yield from table.get(name, ())


def _coverage(project: Project, options: LayersOptions) -> Coverage:
    orders, faults = _orders(project, options)
    kinds = {*options.kinds, *(options.chain_kinds if options.reach == "transitive" else ())}
    modules = {name for order in orders for name in order.place if name in project.modules}
    links = imports_of(project)
    looked_at = sum(link.kind in kinds for name in modules for link in links.get(name, ()))
    return Coverage(len(modules), looked_at, faults)


def _counts(project: Project, options: LayersOptions) -> Callable[[Link], bool]:
    orders = _orders(project, options)[0]
    on_chains: set[graph.Edge] = set()
    if options.reach == "transitive":
        edges = successors(project, options.chain_kinds)
        on_chains = {edge for order in orders for edge in graph.chain_edges(order.ground(edges))}

    def counts(link: Link) -> bool:
        if link.external or link.consumer:
            return False
        if link.kind in options.chain_kinds and (link.importer, link.imported) in on_chains:
            return True
        return link.kind in options.kinds and any(order.forbids(link) for order in orders)

    return counts


def _layers_of(options: LayersOptions) -> tuple[str, ...]:
    packages = [names.join(options.within, text) for text in options.containers] or [options.within]
    return tuple(names.join(package, entry.text) for package in packages for entry in _entries(options))


def _orders_of(project: Project, options: LayersOptions) -> tuple[Order, ...]:
    return tuple(
        Order(
            order.package,
            tuple(
                ", ".join(unit.label for unit in order.units if unit.level == level)
                for level in range(len(options.order))
            ),
            {name: order.units[unit].level for name, unit in order.place.items()},
        )
        for order in _orders(project, options)[0]
    )


CHECK = Check(
    summary="Imports that go back up the declared layers, between independent siblings, or past a closed layer",
    options=LayersOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
    layers_of=_layers_of,
    orders=_orders_of,
)
