"""A first rules file, from the imports that the code has: layers, the imports against them, and what is clean today.

Proposes and writes text; whether the result is green is for whoever runs it to see. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.checks import all_checks, rules_file
from layercheck.graph import Edge, levels
from layercheck.ordering import opening
from layercheck.project import Link, Project
from layercheck.project.imports import imports_of

_WIDTH = 100
_INDENT = "    "
_CHANCE = "there when the layers were written down"


@dataclass(frozen=True, slots=True)
class Against:
    """Imports that go up in a proposed order, from one part to another."""

    importer: str
    """A name or a pattern, absolute."""
    imported: str
    sites: int


@dataclass(frozen=True, slots=True)
class Layers:
    """A proposed order of what lies directly in a package."""

    package: str
    """Empty for the top-level packages themselves."""
    order: tuple[tuple[str, ...], ...]
    """Highest first, relative to the package; those on one level do not import each other."""
    against: tuple[Against, ...]
    fewest: bool
    """Whether it is sure that no other order has fewer import sites against it."""


def propose(project: Project) -> tuple[Layers, ...]:
    """Layers for the top-level packages, the inside of each, and so on for a part that holds most of its package."""
    tops = sorted({names.head(name) for name in project.modules})
    packages = [""] if len(tops) > 1 else []
    for top in tops:
        packages += _weighty(project, top)
    return tuple(found for found in (_layers(project, package) for package in packages) if found is not None)


def _weighty(project: Project, package: str) -> Iterator[str]:
    """The package, and inside it each part that holds most of what its package holds, tests apart."""
    while package:
        parts = _parts(project, package)
        if len(parts) > 1:
            yield package
        half = _size(project, package) / 2
        package = next((part for part in parts if _size(project, part) > half), "")


def _size(project: Project, package: str) -> int:
    return sum(names.is_within(name, package) and not member.test for name, member in project.modules.items())


def _parts(project: Project, package: str) -> list[str]:
    """The modules and packages directly in a package."""
    inside = (name for name in project.modules if name != package and names.is_within(name, package))
    return sorted({names.below(name, package) for name in inside})


def _layers(project: Project, package: str) -> Layers | None:
    parts = _parts(project, package)
    sites: dict[Edge, int] = defaultdict(int)
    judged: dict[Edge, int] = defaultdict(int)
    for link in _links(project, package):
        edge = (names.below(link.importer, package), names.below(link.imported, package))
        # What was not read, a compiled module mostly, is in no layer.
        if edge[0] != edge[1] and edge[1] in parts:
            sites[edge] += 1
            if not project.modules[link.importer].vendored:
                judged[edge] += 1
    if not judged:
        return None
    # Vendored code is never judged, so it has no say in the order; `max` counts what it imports all the same.
    against = opening(judged)
    found = levels(parts, judged.keys() - set(against.edges))
    return Layers(
        package,
        tuple(tuple(names.relative(name, package) for name in level) for level in reversed(found)),
        tuple(
            Against(_whole(project, importer), _whole(project, imported), sites[importer, imported])
            for importer, imported in against.edges
        ),
        against.exact and sites == judged,
    )


def _links(project: Project, package: str) -> Iterator[Link]:
    """The imports between what lies in a package; its own ``__init__`` is in no layer."""
    for importer, links in imports_of(project).items():
        if importer != package and names.is_within(importer, package):
            for link in links:
                if link.imported != package and names.is_within(link.imported, package):
                    yield link


def _whole(project: Project, part: str) -> str:
    return f"{part}.**" if part in project.packages else part


def render(proposed: Sequence[Layers], counts: Mapping[str, int]) -> str:
    """The text of the rules file. ``counts``: how many errors each check would give today; those without are clean."""
    lines = [
        "# The imports that this code has today, written down by `layercheck init`. `layercheck check` is green now:",
        "# every line here is a promise that the code keeps already. It is yours to edit.",
        "",
        "# [project]",
        '# api = ["..."]    # the modules that code outside this project may import; with them more is checked',
        "",
        "[checks]            # these need no rule; what is clean today is an error from now on",
        *_checks(counts),
    ]
    for layers in proposed:
        lines += ["", *_rule(layers)]
    return "".join(f"{line}\n" for line in lines)


def _checks(counts: Mapping[str, int]) -> Iterator[str]:
    for name, check in all_checks().items():
        count = counts.get(name, 0)
        if check.undeclared is None or (name == rules_file.NAME and not count):
            continue
        if not count:
            yield f'{name} = "error"'
        else:
            severity = "off" if check.undeclared.severity == "off" else "warning"
            yield f'{name} = "{severity}"    # {count:,} today: mend them, then write "error"'


def _rule(layers: Layers) -> Iterator[str]:
    what = layers.package or "the top level"
    yield f"# Which part of {what} may import which."
    yield "[[rule]]"
    yield f'name = "{layers.package or "top"}-layers"    # in a line of code: # layercheck: ignore[name] and a reason'
    yield 'check = "layers"'
    yield f'reason = "imports in {what} go down, as they did when this was written"    # told with each finding'
    if layers.package:
        yield f'within = "{layers.package}"    # the names in `order` are relative to it'
        yield "exhaustive = true    # a new module has to be given a place"
    yield "order = [            # highest first; what is in one list does not import each other"
    for level in layers.order:
        yield from _level(level)
    yield "]"
    if layers.against:
        total = sum(one.sites for one in layers.against)
        fewest = ", and no other order has fewer" if layers.fewest else ""
        yield f"# {total:,} import sites go up{fewest}. None may be added; lower `max` where some are gone."
        yield "ignore = ["
        for one in layers.against:
            imports = f"{one.importer} -> {one.imported}"
            yield f'{_INDENT}{{ import = "{imports}", reason = "{_CHANCE}", max = {one.sites} }},'
        yield "]"


def _level(level: Sequence[str]) -> Iterator[str]:
    quoted = [f'"{name}"' for name in level]
    if len(quoted) == 1:
        yield f"{_INDENT}{quoted[0]},"
        return
    line = f"{_INDENT}[{', '.join(quoted)}],"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{_INDENT}["
    for name in quoted:
        yield f"{_INDENT * 2}{name},"
    yield f"{_INDENT}],"
