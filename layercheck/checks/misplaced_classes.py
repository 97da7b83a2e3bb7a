"""The check ``misplaced-classes``: classes that do not lie where their base says that they belong."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from layercheck import names
from layercheck.checks import (
    Check,
    Coverage,
    Fault,
    Options,
    Relative,
    absences,
    absent_package,
    at,
    faults_of_names,
    key_path,
    number_of,
)
from layercheck.finding import Problem
from layercheck.project import Project
from layercheck.project.classes import Class, class_names, classes_of, derived_from
from layercheck.project.naming import known_names

Names = str | tuple[str, ...]


class MisplacedClassesOptions(Options, frozen=True, kw_only=True):
    """Which classes belong where. Modules are relative to ``within``."""

    relative = Relative(("home", "but"))

    subclasses_of: tuple[str, ...]
    """The bases: a name that one class within has, or a module and a name, within or absolute; outside classes too."""
    home: Names
    """Where classes that derive from these belong: modules, with all below them, or patterns of modules, taken exactly:
    ``a.*`` is a module directly in ``a``, ``a.**`` any."""
    but: dict[str, Names] = msgspec.field(default_factory=dict)
    """The classes that are not there yet, each with its module, or with several where several have one of that name."""
    within: str = ""
    """The package whose classes are judged."""

    def faults(self) -> Iterator[str]:
        if not self.subclasses_of:
            yield "`subclasses_of` is empty: name the base"
        if not self.home:
            yield "`home` is empty: say where these classes belong"
        for text in self.homes:
            if self.home and not names.is_name_or_pattern(text):
                yield f"`home`: {text!r} is neither a name nor a pattern"
        for text in self.subclasses_of:
            if names.is_pattern(text):
                yield f"`subclasses_of`: {text} is a pattern; name each base"
        yield from faults_of_names(self, "subclasses_of")
        for name, modules in self.but.items():
            if not name.isidentifier():
                yield f"`but`: {name!r} is no name of a class"
            if not modules or not all(map(names.is_dotted_name, _listed(modules))):
                yield f"`but`: say in which module {name} is"

    @property
    def homes(self) -> tuple[str, ...]:
        """The homes, also where there is but one."""
        return _listed(self.home)


def _listed(texts: Names) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else texts


def _base(project: Project, options: MisplacedClassesOptions, text: str) -> tuple[frozenset[str], str]:
    """The full names that a base stands for, and what is wrong where it stands for none."""
    if "." not in text:
        own = [one for one in classes_of(project) if names.is_within(one.member.id, options.within)]
        found = sorted({one.full for one in own if one.binding.name == text})
        if len(found) == 1:
            return frozenset(found), ""
        if found:
            return frozenset(), f"there are several classes {text}: {', '.join(found[:3])}; name one with its module"
        near = names.nearest(text, {one.binding.name for one in own})
        return frozenset(), f"there is no class {text}" + (f"; did you mean {near}?" if near else "")
    for full in dict.fromkeys((names.join(options.within, text), text)):
        if names.parent(full) in project.modules:
            bases = class_names(project, names.parent(full), names.tail(full))
            if bases:
                return bases, ""
    if names.head(text) not in project.index.tops:
        return frozenset({text}), ""
    near = names.nearest(text, {one.full for one in classes_of(project)})
    return frozenset(), f"there is no class {text}" + (f"; did you mean {near}?" if near else "")


def _judged(project: Project, options: MisplacedClassesOptions, text: str) -> list[Class]:
    """The classes within that derive from a base."""
    bases, _ = _base(project, options, text)
    return [
        one
        for one in derived_from(project, bases)
        if names.is_within(one.member.id, options.within) and not one.member.vendored
    ]


def _is_home(one: Class, options: MisplacedClassesOptions) -> bool:
    module = one.member.id
    homes = [names.join(options.within, text) for text in options.homes]
    return any(
        names.matches(module, home) if names.is_pattern(home) else names.is_within(module, home) for home in homes
    )


def _is_spared(one: Class, options: MisplacedClassesOptions) -> bool:
    spared = _listed(options.but.get(one.binding.name, ()))
    return any(names.join(options.within, module) == one.member.id for module in spared)


def _find(project: Project, options: MisplacedClassesOptions) -> Iterator[Problem]:
    told: set[tuple[str, int]] = set()
    for text in options.subclasses_of:
        for one in _judged(project, options, text):
            place = (one.member.path, one.binding.span.line)
            if place in told or _is_home(one, options) or _is_spared(one, options):
                continue
            told.add(place)
            homes = " or ".join(names.join(options.within, home) for home in options.homes)
            yield Problem(
                message=f"{one.binding.name} derives from {text}, so it belongs in {homes}, not in {one.member.id}",
                help=f"move it to {homes}, or name it in `but` until it is moved",
                location=at(one.member.path, one.binding.span),
                importer=one.member.id,
                name=one.binding.name,
            )


def _faults(project: Project, options: MisplacedClassesOptions) -> Iterator[Fault]:
    derived: list[Class] = []
    bases_known = True
    for index, text in enumerate(options.subclasses_of):
        _, wrong = _base(project, options, text)
        judged = _judged(project, options, text)
        derived += judged
        bases_known = bases_known and not wrong
        if wrong or not judged:
            yield Fault(f"subclasses_of[{index}]", wrong or f"no class within derives from {text}")
    if not options.but:  # else the home may be still to come; a misspelt one makes a finding of every class
        key = "home" if isinstance(options.home, str) else ""
        for fault in absences("home", options.homes, known_names(project), options.within):
            yield Fault(key or fault.key, fault.message)
    if bases_known:  # else nobody knows which classes derive from them
        yield from _idle_entries(project, options, derived)


def _idle_entries(project: Project, options: MisplacedClassesOptions, derived: list[Class]) -> Iterator[Fault]:
    """The entries of ``but`` that spare nothing."""
    there = {one.full for one in classes_of(project)}
    away = {(one.member.id, one.binding.name) for one in derived if not _is_home(one, options)}
    home = {one.binding.name: one.member.id for one in derived if _is_home(one, options)}
    for name, modules in options.but.items():
        for module in _listed(modules):
            full = names.join(options.within, module)
            if (full, name) in away:
                continue
            if names.join(full, name) in there and home.get(name) != full:
                said = f"class {name} of {full} derives from none of these any more"
            else:
                said = f"{full} has no such class {name} any more"
            where = f"; it is in {home[name]}, where it belongs" if name in home else ""
            yield Fault(key_path("but", name), f"{said}{where}: take it out")


def _coverage(project: Project, options: MisplacedClassesOptions) -> Coverage:
    judged = {one.full: one.member.id for text in options.subclasses_of for one in _judged(project, options, text)}
    faults = absent_package(project, options.within) or tuple(_faults(project, options))
    return Coverage(len(set(judged.values())), 0, faults, number_of(len(judged), "class"))


CHECK = Check(
    summary="Classes that do not lie where their base says that they belong",
    options=MisplacedClassesOptions,
    find=_find,
    coverage=_coverage,
)
