"""What a dotted path leads to, through modules, imported names and classes with all that they inherit. Judges nothing.

Attributes of anything else (functions, instances, what comes from outside) are not followed: nothing is said of them.
"""

from __future__ import annotations

import abc
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from layercheck import names
from layercheck.facts import MODULE_SCOPE, OWN_NAME, ClassBody, Patch
from layercheck.project.model import Member, Origin
from layercheck.project.project import Project

_ON_EVERY_CLASS = frozenset(dir(abc.ABCMeta)) | frozenset(dir(object))
_BARE_BASES = frozenset(
    f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("Generic", "Protocol")
) | {"abc.ABC"}
"""Bases from outside that give a class no attributes but such as every class has."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A module, or a class in one, whose attributes can be told."""

    kind: Literal["module", "class"]
    module: str
    name: str = ""
    """Of a class: its name from the top level of the module."""
    doubtful: bool = False
    """Whether the way there leads through a module or a class that may have other names than its text says."""

    @property
    def full(self) -> str:
        """The dotted name."""
        return names.join(self.module, self.name)


@dataclass(frozen=True, slots=True)
class Found:
    """What one attribute of some things is."""

    outcome: Literal["there", "missing", "unknown"]
    things: tuple[Thing, ...] = ()
    """The modules and classes that it is; other things are not told."""
    typing_only: bool = False
    """Whether it is there for type checkers alone."""


_MISSING = Found("missing")
_UNKNOWN = Found("unknown")
_THERE = Found("there")


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a path leads: how its last step, or the first that is not ``there``, came out."""

    outcome: Literal["there", "missing", "unknown"]
    holders: tuple[Thing, ...] = ()
    """What that step was taken from: one for each way in which the name before it may be bound."""
    name: str = ""
    """The attribute of that step."""
    rest: str = ""
    """The attributes behind it that were not looked at."""
    things: tuple[Thing, ...] = ()
    """The modules and classes where it ends."""
    typing_only: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the way to the last step leads through what may have other names than its text says."""
        return any(thing.doubtful for thing in self.holders)


@lru_cache(maxsize=2)
def things_of(project: Project) -> Things:
    """The things of a project."""
    return Things(project)


class Things:
    """Answers where paths lead; remembers nothing but tables of the project."""

    def __init__(self, project: Project) -> None:
        self._index = project.index
        self._resolver = project.resolver
        self._classes: dict[tuple[str, str], list[ClassBody]] = {}
        self._stored: set[str] = set()
        for member in project.members:
            for body in member.facts.classes:
                self._classes.setdefault((member.name, body.name), []).append(body)
            self._stored.update(names.tail(access.attributes) for access in member.facts.accesses if access.store)

    # Paths

    def landing(self, member: Member, patch: Patch) -> Landing:
        """Where the target of a patch in a member leads."""
        if patch.target:
            return self.follow((Thing("module", names.head(patch.target)),), names.rest(patch.target))
        if patch.name == OWN_NAME:
            return self.follow((Thing("module", member.name),), patch.attributes)
        return self.landing_of_name(member, patch.scope, patch.name, patch.attributes)

    def landing_of_name(self, member: Member, scope: int, name: str, attributes: str) -> Landing:
        """Where the attributes of a name that a member binds lead."""
        if scope == MODULE_SCOPE:
            origins = self._resolver.origins(member.name, name)
        else:
            positions = member.bound_imports.get((scope, name), ())
            origins = frozenset(
                origin for position in positions for origin in self._resolver.import_origins(member, position)
            )
        found = self._of_origins(origins)
        if found.outcome != "there" or (attributes and not found.things):
            return Landing("unknown")
        return self.follow(found.things, attributes)

    def follow(self, things: tuple[Thing, ...], attributes: str) -> Landing:
        """Where attributes lead from some things, each of which the same name may be."""
        landing = Landing("there", things=things)
        steps = names.split(attributes)
        for position, attribute in enumerate(steps):
            rest = names.join(*steps[position + 1 :])
            found = self._step(things, attribute)
            outcome = found.outcome if found.things or not rest or found.outcome != "there" else "unknown"
            landing = Landing(outcome, things, attribute, rest, found.things, found.typing_only)
            if outcome != "there":
                return landing
            things = found.things
        return landing

    def _step(self, things: Iterable[Thing], attribute: str) -> Found:
        return _either(self._attribute(thing, attribute) for thing in things)

    def _attribute(self, thing: Thing, attribute: str) -> Found:
        if thing.kind == "class":
            found = self._of_class(thing, attribute, frozenset())
        else:
            found = self._of_module(thing, attribute)
        if found.outcome == "missing" and (attribute in self._stored or _is_dunder(attribute)):
            return _UNKNOWN
        if thing.doubtful:
            return replace(found, things=tuple(replace(one, doubtful=True) for one in found.things))
        return found

    # Modules

    def _of_module(self, thing: Thing, attribute: str) -> Found:
        target = self._resolver.take(thing.module, attribute)
        submodule = names.join(thing.module, attribute)
        modules: tuple[Thing, ...] = (Thing("module", submodule),) if self._index.exists(submodule) else ()
        member = self._index.by_name.get(thing.module)
        if member is not None and self._resolver.opened(member):
            modules = tuple(replace(one, doubtful=True) for one in modules)
        match target.outcome:
            case "module":
                return Found("there", modules)
            case "name":
                found = self._of_origins(self._resolver.origins(thing.module, attribute))
                # An attribute or a submodule of that name: patchers differ.
                return Found("there", found.things + modules if found.things else ())
            case "missing-name":
                return Found("missing", typing_only=target.typing_only)
        return _UNKNOWN

    def _of_origins(self, origins: Iterable[Origin]) -> Found:
        """The modules and classes that a name may be; none where it may be something else."""
        things: list[Thing] = []
        opaque = False
        for origin in sorted(origins, key=lambda origin: (origin.module, origin.name)):
            if origin.kind == "module":
                things.append(Thing("module", origin.module))
            elif origin.kind == "defined" and self._is_class(origin):
                things.append(Thing("class", origin.module, origin.name))
            elif origin.kind == "defined":
                opaque = True
            else:
                return _UNKNOWN
        return Found("there", () if opaque else tuple(things)) if things or opaque else _UNKNOWN

    def _is_class(self, origin: Origin) -> bool:
        """Whether a name is bound by class statements alone."""
        bound = self._index.by_name[origin.module].bindings.get(origin.name, ())
        return (origin.module, origin.name) in self._classes and all(one.kind == "class" for one in bound)

    # Classes

    def bodies(self, thing: Thing) -> list[ClassBody]:
        """The statements that define a class."""
        return self._classes.get((thing.module, thing.name), [])

    def _of_class(self, thing: Thing, attribute: str, seen: frozenset[tuple[str, str]]) -> Found:
        key = (thing.module, thing.name)
        if key in seen:
            return _UNKNOWN
        return _either(self._of_body(thing, body, attribute, seen | {key}) for body in self.bodies(thing))

    def _of_body(self, thing: Thing, body: ClassBody, attribute: str, seen: frozenset[tuple[str, str]]) -> Found:
        bases = [found for base in body.bases for found in self._of_base(thing, base, attribute, seen)]
        doubtful = bool(body.open) or any(found.outcome == "unknown" for found in bases)
        if attribute in body.members:
            inner = Thing("class", thing.module, names.join(thing.name, attribute), doubtful)
            return Found("there", (inner,)) if self.bodies(inner) else _THERE
        if attribute in _ON_EVERY_CLASS:
            return _THERE
        if doubtful:
            return _UNKNOWN
        return next((found for found in bases if found.outcome == "there"), _MISSING)

    def _of_base(self, thing: Thing, base: str, attribute: str, seen: frozenset[tuple[str, str]]) -> Iterator[Found]:
        """What an attribute is on a base, as written in the module of a class."""
        member = self._index.by_name.get(thing.module)
        head, rest = names.head(base), names.rest(base)
        if member is None or not head or self._is_in_outer_body(thing, head):
            yield _UNKNOWN
            return
        if head not in member.bindings and not member.stars:
            builtin = getattr(builtins, head, None)
            known = isinstance(builtin, type) and not rest and not self._resolver.opened(member)
            yield _UNKNOWN if not known else _THERE if attribute in dir(builtin) else _MISSING
            return
        origins = self._resolver.origins(member.name, head)
        if all(one.kind == "external" and names.join(one.module, rest) in _BARE_BASES for one in origins):
            return
        found = self._of_origins(origins)
        landing = self.follow(found.things, rest) if found.things else Landing("unknown")
        if landing.outcome != "there" or not landing.things or landing.doubtful:
            yield _UNKNOWN
            return
        for one in landing.things:
            yield self._of_class(one, attribute, seen) if one.kind == "class" else _UNKNOWN

    def _is_in_outer_body(self, thing: Thing, name: str) -> bool:
        """Whether a class around one binds a name, which then is not the module's."""
        outer = names.parent(thing.name)
        return any(name in body.members for body in self._classes.get((thing.module, outer), ()))


def _is_dunder(name: str) -> bool:
    """Whether a name is the interpreter's or a loader's to set (language reference 2.3.2)."""
    return name.startswith("__") and name.endswith("__")


def _either(found: Iterable[Found]) -> Found:
    """What is known of something that is one of several things: it is missing only where it is on none of them."""
    ways = [*found]
    there = [one for one in ways if one.outcome == "there"]
    if any(one.outcome == "unknown" for one in ways) or not ways:
        return _UNKNOWN
    if not there:
        return Found("missing", typing_only=any(one.typing_only for one in ways))
    things = tuple(thing for one in there for thing in one.things)
    return Found("there", things if all(one.things for one in there) else ())
