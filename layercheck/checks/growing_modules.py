"""The check ``growing-modules``: what a module on its way out, or a package with a fixed list, has gained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from layercheck import names
from layercheck.checks import Check, Coverage, Fault, Options, Relative, absent_package, at, key_path, number_of
from layercheck.finding import Location, Problem
from layercheck.project import Project
from layercheck.project.naming import absent, known_names


class GrowingModulesOptions(Options, frozen=True, kw_only=True):
    """What there may be; nothing that is not listed, and nothing listed that is no longer there."""

    relative = Relative(owners=("modules", "children_of"))

    modules: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """For each module, relative to ``within``, the classes and functions that it may still define."""
    children_of: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """For each package, relative to ``within``, the modules and packages that may lie directly in it."""
    within: str = ""
    """The package to which the names are relative."""

    def faults(self) -> Iterator[str]:
        if not (self.modules or self.children_of):
            yield "say what may not grow: `modules`, `children_of` or both"
        for key, table in (("modules", self.modules), ("children_of", self.children_of)):
            for owner, listed in table.items():
                if not names.is_dotted_name(owner) and (owner or not self.within):
                    yield f"`{key}`: {owner!r} is no name"
                for index, name in enumerate(listed):
                    if not name.isidentifier():
                        yield f"`{key}`: {name!r}, listed for {owner}, is no name without dots"
                    if name in listed[:index]:
                        yield f"`{key}`: {name} is listed twice for {owner}"


def _find(project: Project, options: GrowingModulesOptions) -> Iterator[Problem]:
    for owner, listed in options.modules.items():
        member = project.modules.get(names.join(options.within, owner))
        if member is None:
            continue  # a fault of the rule
        for binding in member.definitions:
            if binding.name not in listed:
                yield Problem(
                    message=f"{member.id} gains the {binding.kind} {binding.name}, and may only lose definitions",
                    help="define it in a module that is to stay",
                    location=at(member.path, binding.span),
                    importer=member.id,
                    name=binding.name,
                )
    for owner, listed in options.children_of.items():
        package = names.join(options.within, owner)
        for child, path in _children(project, package).items():
            if names.tail(child) not in listed:
                yield Problem(
                    message=f"{package} gains the module {names.tail(child)}, which is not on its list",
                    help="put it into one of the packages that are there, or put it on the list",
                    location=Location(path),
                    importer=child,
                )


def _children(project: Project, package: str) -> Mapping[str, str]:
    """The modules and packages directly in a package, each with the path of a file of it.

    What was not read is left out: it may have been built on this machine alone.
    """
    children: dict[str, str] = {}
    for name, member in project.modules.items():
        if name != package and names.is_within(name, package):
            child = names.below(name, package)
            if name == child:
                children[child] = member.path
            else:
                children.setdefault(child, member.path)
    return children


def _faults(project: Project, options: GrowingModulesOptions) -> Iterator[Fault]:
    for owner, listed in options.modules.items():
        full = names.join(options.within, owner)
        member = project.modules.get(full)
        if member is None:
            yield Fault(key_path("modules", owner), f"{absent(full, project.modules)}; if it is gone, take it out")
            continue
        defined = [binding.name for binding in member.definitions]
        for index, name in _gone(listed, defined):
            yield Fault(key_path("modules", owner, index), f"{full} no longer defines {name}: take it out")
    known = known_names(project)
    for owner, listed in options.children_of.items():
        full = names.join(options.within, owner)
        if full not in project.packages:
            sentence = absent(full, project.packages, "package")
            yield Fault(key_path("children_of", owner), f"{sentence}; if it is gone, take it out")
            continue
        children = [names.relative(name, full) for name in known if names.parent(name) == full]
        for index, name in _gone(listed, children):
            yield Fault(key_path("children_of", owner, index), f"there is no {name} in {full} any more: take it out")


def _gone(listed: Sequence[str], there: Sequence[str]) -> Iterator[tuple[int, str]]:
    yield from ((index, name) for index, name in enumerate(listed) if name not in there)


def _coverage(project: Project, options: GrowingModulesOptions) -> Coverage:
    faults = absent_package(project, options.within) or tuple(_faults(project, options))
    modules = {names.join(options.within, owner) for owner in options.modules} & project.modules.keys()
    for owner in options.children_of:
        modules |= _children(project, names.join(options.within, owner)).keys()
    return Coverage(len(modules), 0, faults, number_of(len(modules), "module"))


CHECK = Check(
    summary="Definitions that a module on its way out has gained, and modules that a package has",
    options=GrowingModulesOptions,
    find=_find,
    coverage=_coverage,
)
