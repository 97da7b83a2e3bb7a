"""The check ``undeclared-imports``: imports between parts of the code that neither side has declared."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from layercheck import names
from layercheck.checks import (
    Check,
    Coverage,
    DirectOptions,
    Fault,
    Options,
    Order,
    Relative,
    absences,
    absent_package,
    faults_of_names,
    link_problem,
)
from layercheck.finding import Problem
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of
from layercheck.project.naming import absent, known_names

REST = "<rest>"
"""How lists call the code that is in no declared module."""


class Declared(Options, frozen=True, kw_only=True):
    """What a part of the code says of its imports."""

    may: tuple[str, ...] | None = None
    """The declared modules that it may import: names or patterns, absolute; left out, all of them."""
    may_not: tuple[str, ...] = ()
    """Those that it may not, whatever ``may`` says."""
    layer: str = ""
    """One of ``layers``."""
    shared: bool = False
    """Whether all others may import it without saying so."""
    unchecked: bool = False
    """Whether its own imports are not judged."""


class DeclaredModule(Declared, frozen=True, kw_only=True):
    """A module or package with all below it, down to the next declared one."""

    name: str
    """A name or a pattern, relative to ``within``."""


class DeclaredLayer(Options, frozen=True, kw_only=True):
    """A layer written as a table."""

    name: str
    closed: bool = False
    """Whether no import from above may pass over it."""


class Interface(Options, frozen=True, kw_only=True):
    """What some declared modules offer, and to whom."""

    of: tuple[str, ...] = (".*",)
    """Whose it is: regular expressions over whole names of declared modules, absolute."""
    offers: tuple[str, ...]
    """Regular expressions over whole names below the module: ``services\\\\.open`` for ``module.services.open``."""
    to: tuple[str, ...] | None = None
    """The declared modules that it is for; left out, all."""
    only: bool = False
    """Whether those it is for have no other."""


class UndeclaredImportsOptions(DirectOptions, frozen=True, kw_only=True):
    """The parts of the code and what each declares."""

    relative = Relative(("modules.name",))

    modules: tuple[DeclaredModule, ...]
    """The declared modules. A name written out beats a pattern."""
    rest: Declared | None = None
    """What the code that is in none of them declares; left out, it imports and is imported as anybody likes."""
    layers: tuple[str | DeclaredLayer, ...] = ()
    """Layers, highest first: a module may import those of lower layers without saying so, and none of a higher one."""
    say_layers: bool = False
    """Whether imports of lower layers must be declared all the same."""
    interfaces: tuple[Interface, ...] = ()
    """What modules offer; one for which there is no interface offers everything."""

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        yield from faults_of_names(self, "exempt")
        yield from _faults_of_text(self)


def _faults_of_text(options: UndeclaredImportsOptions) -> Iterator[str]:
    """What is wrong with the rule whatever the code."""
    if not options.modules:
        yield "`modules` is empty: name the modules that declare something"
    layers = _layer_names(options)
    tables = [(f"modules[{index}]", table) for index, table in enumerate(options.modules)]
    seen: dict[str, str] = {}
    for key, table in tables:
        if not names.is_name_or_pattern(table.name):
            yield f"`{key}.name`: {table.name!r} is neither a name nor a pattern"
        if table.name in seen:
            yield f"`{key}.name`: {table.name} is already `{seen[table.name]}`"
        seen[table.name] = key
    for key, one in (*tables, *([("rest", options.rest)] if options.rest else [])):
        for part, texts in (("may", one.may or ()), ("may_not", one.may_not)):
            for index, text in enumerate(texts):
                if text != REST and not names.is_name_or_pattern(text):
                    yield f"`{key}.{part}[{index}]`: {text!r} is neither a name nor a pattern"
        if one.layer and one.layer not in layers:
            near = names.nearest(one.layer, layers)
            yield f"`{key}.layer`: {one.layer} is not in `layers`" + (f"; did you mean {near}?" if near else "")
    for index, interface in enumerate(options.interfaces):
        for part, patterns in (("of", interface.of), ("offers", interface.offers)):
            for position, text in enumerate(patterns):
                if fault := fault_of_expression(text):
                    yield f"`interfaces[{index}].{part}[{position}]`: {fault}"


def fault_of_expression(text: str) -> str:
    """Why a text is no regular expression; empty where it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a later Python may read otherwise
            re.compile(text)
    except (re.error, OverflowError) as error:
        return f"{text!r} is no regular expression: {error}"
    except RecursionError:
        return f"{text[:40]!r}... is no regular expression: it nests too deeply"
    return ""


def _layer_names(options: UndeclaredImportsOptions) -> list[str]:
    return [layer if isinstance(layer, str) else layer.name for layer in options.layers]


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A declared module as it is in the code, or the rest."""

    name: str
    declared: Declared


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The rule as it falls on the names of the project."""

    options: UndeclaredImportsOptions
    parts: Mapping[str, _Part]
    """The declared modules by name."""
    rest: _Part | None
    """What is in none of them; None where nothing is said of it."""
    judged: tuple[str, ...]
    """The modules whose imports are looked at."""
    exempt: frozenset[str]
    faults: tuple[Fault, ...]

    def part_of(self, name: str) -> _Part | None:
        """The part that a name is in: the innermost declared module around it, which need not have been read."""
        return next((self.parts[above] for above in names.lineage(name) if above in self.parts), self.rest)

    def verdict(self, link: Link) -> str:
        """Why a link may not be, as the end of a sentence, whatever its kind; empty where it may."""
        one, other = self.part_of(link.importer), self.part_of(link.imported)
        if one is None or other is None or one is other or one.declared.unchecked or link.importer in self.exempt:
            return ""
        return self._undeclared(one, other) or self._not_offered(one, other, link)

    def _undeclared(self, one: _Part, other: _Part) -> str:
        mine, its = one.declared, other.declared
        if mine.layer and its.layer and mine.layer != its.layer:
            order = _layer_names(self.options)
            low, high = order.index(mine.layer), order.index(its.layer)
            if low > high:
                return f"and layer {its.layer} is above layer {mine.layer}"
            for layer in self.options.layers[low + 1 : high]:
                if not isinstance(layer, str) and layer.closed:
                    return f"which passes over the closed layer {layer.name}"
            if not self.options.say_layers or its.shared:
                return ""
        if _fits(other, mine.may_not):
            return f"which {one.name} may not import"
        if mine.may is None or its.shared or _fits(other, mine.may):
            return ""
        return f"which {one.name} does not declare"

    def _not_offered(self, one: _Part, other: _Part, link: Link) -> str:
        member = names.relative(names.join(link.imported, link.name), other.name)
        if not member or other is self.rest:
            return ""
        interfaces = [
            interface
            for interface in self.options.interfaces
            if _matches(other.name, interface.of) and (interface.to is None or one.name in interface.to)
        ]
        only = [interface for interface in interfaces if interface.only]
        offered = only[:1] or interfaces
        if not offered or any(_matches(member, interface.offers) for interface in offered):
            return ""
        return f"which does not offer {member}" + (f" to {one.name}" if any(one.to for one in offered) else "")


def _fits(part: _Part, texts: Sequence[str]) -> bool:
    return any(part.name == text or (part.name != REST and names.matches(part.name, text)) for text in texts)


def _matches(name: str, expressions: Sequence[str]) -> bool:
    return any(re.search(f"^{expression}$", name) for expression in expressions)


@lru_cache(maxsize=8)
def _ground(project: Project, options: UndeclaredImportsOptions) -> _Ground:
    known = known_names(project)
    parts: dict[str, _Part] = {}
    exact: set[str] = set()
    faults = list(absent_package(project, options.within))
    for index, table in enumerate(options.modules):
        text = names.join(options.within, table.name)
        found = sorted(name for name in known if names.matches(name, text))
        if not found and not faults:
            faults.append(Fault(f"modules[{index}].name", absent(text, known)))
        if not names.is_pattern(text):
            found = [text]  # one inside a folder that is not read is not known by name
        for name in found:
            if not names.is_pattern(text):
                exact.add(name)
            elif name in exact:
                continue
            elif name in parts:
                faults.append(Fault(f"modules[{index}].name", f"two patterns claim {name}; name it by itself"))
            parts[name] = _Part(name, table)
    rest = _Part(REST, options.rest) if options.rest is not None else None
    judged = tuple(name for name in project.modules if rest or any(above in parts for above in names.lineage(name)))
    faults += _useless(options, parts, known)
    faults += absences("exempt", options.exempt, known)
    exempt = frozenset(name for name in known if any(names.matches_within(name, text) for text in options.exempt))
    return _Ground(options, parts, rest, judged, exempt, tuple(faults))


def _useless(options: UndeclaredImportsOptions, parts: Mapping[str, _Part], known: frozenset[str]) -> Iterator[Fault]:
    """A fault for each name that a module may or may not import and that is neither declared nor there."""
    for index, table in enumerate(options.modules):
        for key, texts in (("may", table.may or ()), ("may_not", table.may_not)):
            for position, text in enumerate(texts):
                if text != REST and not any(names.matches(name, text) for name in (*parts, *known)):
                    yield Fault(f"modules[{index}].{key}[{position}]", absent(text, known))


def _links(project: Project, ground: _Ground) -> Iterator[Link]:
    table = imports_of(project)
    for name in ground.judged:
        yield from table.get(name, ())


def _find(project: Project, options: UndeclaredImportsOptions) -> Iterator[Problem]:
    ground = _ground(project, options)
    for link in _links(project, ground):
        if link.kind in options.kinds and not project.modules[link.importer].vendored:
            verdict = ground.verdict(link)
            if verdict:
                one, other = (_called(ground.part_of(name)) for name in (link.importer, link.imported))
                of = f" of {other}" if other not in (link.imported, REST) else ""
                yield link_problem(link, f"{link.importer} imports {link.imported}{of}, {verdict}", _help(one, other))


def _called(part: _Part | None) -> str:
    return part.name if part else REST


def _help(one: str, other: str) -> str:
    return f"do without it, take it from what {one} may import, or declare that {one} may import this of {other}"


def _coverage(project: Project, options: UndeclaredImportsOptions) -> Coverage:
    ground = _ground(project, options)
    return Coverage(
        len(ground.judged), sum(link.kind in options.kinds for link in _links(project, ground)), ground.faults
    )


def _counts(project: Project, options: UndeclaredImportsOptions) -> Callable[[Link], bool]:
    ground = _ground(project, options)
    return lambda link: (
        not link.external and not link.consumer and link.kind in options.kinds and bool(ground.verdict(link))
    )


def _orders(project: Project, options: UndeclaredImportsOptions) -> tuple[Order, ...]:
    layers = _layer_names(options)
    if not layers:
        return ()
    ground = _ground(project, options)
    parts = {name: ground.part_of(name) for name in known_names(project)}
    place = {name: layers.index(part.declared.layer) for name, part in parts.items() if part and part.declared.layer}
    return (Order(options.within, tuple(layers), place),)


CHECK = Check(
    summary="Imports between declared modules that the importer does not declare, or that the other does not offer",
    options=UndeclaredImportsOptions,
    find=_find,
    coverage=_coverage,
    counts=_counts,
    orders=_orders,
)
