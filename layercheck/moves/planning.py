"""A module -> the steps in which its families can leave it, each with what it needs and whom it concerns. Changes
nothing."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.errors import LayercheckError
from layercheck.graph import reach
from layercheck.moves.cargo import Cargo, definitions_of, luggage
from layercheck.moves.families import Item, families_of
from layercheck.moves.meaning import OWN_NAMES, Meanings
from layercheck.moves.movesfile import Step
from layercheck.moves.rebinding import Rebinding
from layercheck.moves.side import Change, Definition, Side
from layercheck.moves.traces import suspects
from layercheck.outline import DEFINING, Statement
from layercheck.project import Member, Use
from layercheck.project.imports import running_successors

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Planned:
    """A step, and what there is to know of it before it is made."""

    step: Step
    shared: bool
    """Whether it is what the families share."""
    lines: int
    """How many lines move."""
    imports: tuple[str, ...]
    """The names that it needs in the new home besides."""
    callers: tuple[Use, ...]
    patches: tuple[Use, ...]
    divided: tuple[Use, ...]
    """Patches of what both this and the rest of the module read of its imports."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a module can be taken apart."""

    module: str
    steps: tuple[Planned, ...]
    recomputed: tuple[str, ...]
    """Constants that every module can compute for itself."""
    staying: tuple[tuple[str, str], ...]
    """What cannot leave, with the reason."""
    whole: tuple[Use, ...] = ()
    """Who uses the module in a way that does not show which of its names are meant."""


def plan(side: Side, module: str, into: str | None = None, base: str | None = None) -> Plan:
    """How a module can be taken apart.

    ``into``: the package in which new modules go; ``base``: the module for what families share. None: they are chosen
    by what the classes of the module derive from, else beside it. Raises LayercheckError where there is no such module,
    or nothing can leave it.
    """
    home = _home(side, module)
    recomputed = _recomputed(side, home)
    found = families_of(_items(side, home, recomputed))
    lone = [family for family in found.families if _is_lone(side, home, family)]
    families = [family for family in found.families if family not in lone]
    staying = (*found.staying, *((name, "nothing else here needs it") for family in lone for name in family))
    everything = len(families) == 1 and not found.shared and not staying
    if not families or everything:
        why = "its definitions all need one another" if everything else "nothing of it can leave"
        raise LayercheckError(
            f"{module}: {why}; there is nothing to plan", *(f"{module}: {name} stays: {why}" for name, why in staying)
        )
    places = _Places(side, home, into, base)
    steps: list[Planned] = []
    if found.shared:
        target = places.base(found.shared)
        steps.append(_planned(side, home, Step(1, home.name, target, found.shared), recomputed, shared=True))
    for family in families:
        target = places.of(family, families)
        step = Step(len(steps) + 1, home.name, target, family)
        steps.append(_planned(side, home, step, recomputed, shared=False))
    needed = {name for one in steps for name in one.imports}
    used = tuple(name for name in recomputed if name in needed)
    return Plan(module, tuple(steps), used, staying, side.project.uses.whole(home.name))


def _home(side: Side, module: str) -> Member:
    home = side.project.modules.get(module)
    if home is None:
        near = names.nearest(module, side.project.modules)
        hint = f"; did you mean {near}?" if near else "; give its dotted name"
        raise LayercheckError(f"there is no module {module}{hint}")
    failure = home.facts.failure
    if failure is not None:
        raise LayercheckError(f"{home.path}:{failure.line}: it cannot be parsed: {failure.message}")
    return home


def _is_lone(side: Side, home: Member, family: Sequence[str]) -> bool:
    return all(one.kind == "constant" for name in family for one in definitions_of(side.outline(home.path), name))


# What there is


def _definitions(side: Side, home: Member) -> list[Statement]:
    """The statements that define something, those that stand in for imports apart."""
    outline = side.outline(home.path)
    blocks = {block.first for block in outline.blocks if block.imports}
    return [one for one in outline.statements if one.kind in DEFINING and one.block not in blocks]


def _recomputed(side: Side, home: Member) -> tuple[str, ...]:
    """The constants that every module can compute for itself: they tell which module it is (a logger), or they come
    from imports alone and are only ever asked whether they are true (what platform it is)."""
    outline = side.outline(home.path)
    statements = [one.start for one in outline.statements] + [block.first for block in outline.blocks]
    reads = side.needs(home.path, list(dict.fromkeys(statements)))
    imported = {name for one in outline.statements if one.kind == "import" for name in one.names}
    found: list[str] = []
    for one in _definitions(side, home):
        plain = one.kind == "constant" and len(one.names) == 1 and not one.literal and not one.block and one.alone
        if not plain or len(home.bindings.get(one.names[0], ())) != 1:
            continue
        name = one.names[0]
        needed = {free.name for free in side.needs(home.path, [one.start])[0].names}
        uses = [free for needs in reads for free in needs.names if free.name == name]
        is_flag = bool(needed) and needed <= imported and all(free.tested for free in uses)
        if uses and (is_flag or needed & OWN_NAMES):
            found.append(name)
    return tuple(found)


def _items(side: Side, home: Member, recomputed: Sequence[str]) -> list[Item]:
    statements = [one for one in _definitions(side, home) if not set(one.names) <= set(recomputed)]
    own = {name for one in statements for name in one.names}
    meanings, rebinding = Meanings(Change(side, side, ()), {}), Rebinding(side)
    needs = side.needs(home.path, [one.start for one in statements])
    bases = {binding.name: binding.bases for binding in home.facts.bindings if binding.kind == "class"}
    found: dict[str, Item] = {}
    for one, need in zip(statements, needs, strict=True):
        read = {free.name for free in need.names}
        item = Item(
            one.names,
            one.kind,
            frozenset((read & own) - set(one.names)),
            frozenset(base for base in bases.get(one.names[0], ()) if base in own),
            next(_reasons(side, home, one, meanings, rebinding), ""),
        )
        found.setdefault(item.name, item)  # one that is defined again stays, whatever the second reads
    return [*found.values()]


def _reasons(side: Side, home: Member, one: Statement, meanings: Meanings, rebinding: Rebinding) -> Iterator[str]:
    """Why a definition cannot leave its module."""
    need = side.needs(home.path, [one.start])[0]
    if any(len(home.bindings.get(name, ())) > 1 for name in one.names):
        yield "it is bound several times"
    for place in filter(None, (rebinding.from_outside(home.name, name) for name in one.names)):
        yield f"it is bound again later ({place}), which an import of it would not see"
    if any(name not in home.bindings for name in one.names):
        yield "it is deleted"
    if one.guards:
        yield f"it is defined under `{' / '.join(one.guards)}`"
    if not one.alone:
        yield "it shares a line with other code"
    yield from need.unclear
    read = {free.name for free in need.names}
    mixed = {block.first for block in side.outline(home.path).blocks if not block.imports}
    for other in side.outline(home.path).statements:
        if other.kind == "import" and other.block in mixed and not read.isdisjoint(other.names):
            name = next(name for name in other.names if name in read)
            yield f"it reads {name}, which is imported under `{' / '.join(other.guards)}` among other things"
    for free in need.names:
        if any(not _is_told(side, home, free.name, bound.span.line) for bound in home.bindings.get(free.name, ())):
            yield f"it reads {free.name}, which a loop or a function binds"
        if free.name in OWN_NAMES and free.name not in home.bindings:
            yield f"it reads {free.name}, which is that of its module"
        elif side.project.resolver.opened(home) and free.name not in home.bindings and free.name != one.names[0]:
            origins = meanings.origins(side, home, free.name)
            if any(origin.kind == "unknown" for origin in origins):
                yield f"where {free.name} comes from cannot be told"
    for taken in need.imports:
        source = names.resolve_relative(taken.module, taken.level, home.base)
        if source == home.name:
            yield "its body imports its own module"
    for name in meanings.tracing(Definition(home, one.names[0], one)):
        yield f"its decorator {name or '@...'} may leave a trace; where it does not, name it in `harmless`"
    for name in suspects(side, meanings, (), Definition(home, one.names[0], one)):
        yield f"it runs {name}, which may leave a trace; where it does not, name it in `harmless`"


def _is_told(side: Side, home: Member, name: str, line: int) -> bool:
    """Whether the outline has a binding of a name: loops and functions, by ``global``, bind more."""
    return any(name in one.names and one.start <= line <= one.last for one in side.outline(home.path).statements)


# Where it goes


class _Places:
    """Chooses new homes."""

    def __init__(self, side: Side, home: Member, into: str | None, base: str | None) -> None:
        self._side = side
        self._home = home
        self._base = base or ("" if into else self._base_of_classes())
        package = names.parent(self._base) if self._base else home.base
        self._into = into or (package if package != home.base or home.package else "")
        self._taken: set[str] = {self._base} - {""}

    def _base_of_classes(self) -> str:
        """The module, beside the home or below, that defines what most of its classes derive from; empty for none."""
        project, home = self._side.project, self._home
        found: Counter[str] = Counter()
        for binding in home.facts.bindings:
            sources = {
                origin.module
                for base in binding.bases
                if names.head(base) == base and base
                for origin in project.resolver.origins(home.name, base)
                if origin.kind == "defined" and origin.module != home.name
            }
            found.update(sources)
        runs = running_successors(project)
        for module, count in sorted(found.items(), key=lambda one: (-one[1], one[0])):
            member = project.modules.get(module)
            inside = bool(home.base) and module != home.base and names.is_within(module, home.base)
            plain = member is not None and not (member.package or member.vendored or member.generated)
            if count > 1 and inside and plain and home.name not in reach(runs, [module]):
                return module
        return ""

    def base(self, shared: Sequence[str]) -> str:
        """The module for what families share."""
        member = self._side.project.modules.get(self._base)
        if self._base and (member is None or self._fits(shared, member)):
            return self._base
        return self._new("base")

    def _fits(self, shared: Sequence[str], target: Member) -> bool:
        """Whether what families share means the same in a module that is there, and closes no ring."""
        side, home = self._side, self._home
        cargo = _cargo(side, home, Step(0, home.name, target.name, tuple(shared)), ())
        futures = (side.outline(one.path).futures for one in (home, target))
        if len({"annotations" in found for found in futures}) > 1:
            return False
        meanings = Meanings(Change(side, side, ()), {})
        bound = [free for free in cargo.reads if free.name in target.bindings]
        if cargo.names & target.bindings.keys() or any(meanings.of_name(home, target, free) for free in bound):
            return False
        wanted = {free.name for free in cargo.reads} - target.bindings.keys()
        sources = {
            side.project.resolver.target(home, position).module
            for position, taken in enumerate(home.facts.imports)
            if taken.place == "module" and taken.bound in wanted
        }
        return target.name not in reach(running_successors(side.project), sources)

    def of(self, family: Sequence[str], families: Sequence[Sequence[str]]) -> str:
        """A new module for one of the families, called by the word that tells it best from the others."""
        others = [name for other in families if other is not family for name in other]
        mine = [set(_words(name)) for name in family]
        foreign = [set(_words(name)) for name in others]
        words = list(dict.fromkeys(word for name in family for word in _words(name)))

        def score(word: str) -> float:
            here = sum(word in one for one in mine) / len(mine)
            return here - (sum(word in one for one in foreign) / len(foreign) if foreign else 0)

        best = sorted(words, key=lambda word: (-score(word), words.index(word)))
        for word in (*best, "_".join(_words(family[0]))):
            if self._is_free(self._called(word)):
                return self._new(word)
        return self._new(best[0] if best else "part")

    def _called(self, word: str) -> str:
        if self._into:
            return names.join(self._into, word)
        return names.join(self._home.base, f"{names.tail(self._home.name)}_{word}")

    def _is_free(self, name: str) -> bool:
        above = self._side.project.modules.get(names.parent(name))
        bound = above is not None and names.tail(name) in above.bindings
        fine = names.tail(name).isidentifier() and not keyword.iskeyword(names.tail(name))
        return fine and not bound and not self._side.project.index.exists(name) and name not in self._taken

    def _new(self, word: str) -> str:
        name, number = self._called(word), 2
        while not self._is_free(name):
            name, number = self._called(f"{word}_{number}"), number + 1
        self._taken.add(name)
        return name


def _words(name: str) -> list[str]:
    """The words that a name is made of, in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


# What there is to know of a step


def _cargo(side: Side, home: Member, step: Step, recomputed: Sequence[str]) -> Cargo:
    outline = side.outline(home.path)
    found = {one.start: one for name in step.names for one in definitions_of(outline, name)}
    return Cargo(side, step, home, tuple(found[line] for line in sorted(found)), frozenset(recomputed))


def _planned(side: Side, home: Member, step: Step, recomputed: Sequence[str], *, shared: bool) -> Planned:
    cargo = _cargo(side, home, step, recomputed)
    uses = list(dict.fromkeys(use for name in step.names for use in side.project.uses.takers(home.name, name)))
    return Planned(
        step,
        shared,
        sum(one.last - one.first + 1 for one in cargo.statements),
        tuple(sorted(name for name in luggage(cargo, ()).names if name in home.bindings or home.stars)),
        tuple(use for use in uses if use.how != "patch"),
        tuple(use for use in uses if use.how == "patch"),
        tuple(_divided(side, home, cargo)),
    )


def _divided(side: Side, home: Member, cargo: Cargo) -> Iterator[Use]:
    """The patches of what the module has and both what moves and what stays read."""
    moving = {one.start for one in cargo.statements}
    others = [one.start for one in side.outline(home.path).statements if one.start not in moving]
    read = {free.name for needs in side.needs(home.path, others) for free in needs.names}
    for name in sorted({free.name for free in cargo.reads} & read):
        if name in home.bindings and name not in cargo.names:
            yield from (use for use in side.project.uses.takers(home.name, name) if use.how == "patch")
