"""The check ``uncovered-modules``: modules that no layer of any rule takes in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

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
    faults_of_names,
    number_of,
)
from layercheck.finding import Location, Problem
from layercheck.project import Project
from layercheck.project.naming import known_names, union, unplaced


class UncoveredModulesOptions(Options, frozen=True, kw_only=True):
    """What must be in a layer."""

    relative = Relative(("outside",))

    within: str = ""
    """The package whose modules must be."""
    outside: tuple[str, ...] = ()
    """Names or patterns of modules that need not, relative to ``within``, with all below them."""
    layers: tuple[str, ...] | None = None
    """The layers: absolute names or patterns, with all below them. None: those of all rules beside this one."""

    def faults(self) -> Iterator[str]:
        yield from faults_of_names(self, "outside", *(() if self.layers is None else ("layers",)))


def _with_layers(options: UncoveredModulesOptions, layers: tuple[str, ...]) -> UncoveredModulesOptions:
    return options if options.layers is not None else msgspec.structs.replace(options, layers=layers)


def _outside(options: UncoveredModulesOptions) -> list[str]:
    return [names.join(options.within, text) for text in options.outside]


@lru_cache(maxsize=2)
def _placed(project: Project, layers: tuple[str, ...]) -> frozenset[str]:
    """All that the layers take in; several rules mostly have the same."""
    return union(known_names(project), layers)


def _find(project: Project, options: UncoveredModulesOptions) -> Iterator[Problem]:
    if not options.layers:
        return  # a fault of the rule
    placed = _placed(project, options.layers)
    for top, member in unplaced(project, options.within, placed, _outside(options)):
        yield Problem(
            message=f"{top} is in no layer of any rule",
            help="name it in the `order` of a layers rule, or in `outside` here if it is to be in none",
            location=Location(member.path),
            importer=top,
        )


def _coverage(project: Project, options: UncoveredModulesOptions) -> Coverage:
    modules = [name for name in project.modules if name != options.within and names.is_within(name, options.within)]
    faults = absent_package(project, options.within) or (
        *absences("outside", options.outside, known_names(project), options.within),
        *(() if options.layers else (Fault("", "no rule has layers, so that every module would be outside of them"),)),
    )
    return Coverage(len(modules), 0, faults, number_of(len(modules), "module"))


CHECK = Check(
    summary="Modules that no layer of any rule takes in",
    options=UncoveredModulesOptions,
    find=_find,
    coverage=_coverage,
    with_layers=_with_layers,
)
