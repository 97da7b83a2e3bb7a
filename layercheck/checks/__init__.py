"""What a check is, and the list of them: one file each, found by its name. No check imports another."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec

from layercheck import names
from layercheck.facts import KINDS, Import, Kind, Span
from layercheck.finding import LayerPair, Location, Problem, Related, Severity
from layercheck.graph import Route
from layercheck.project import Link, Member, Project
from layercheck.project.imports import chain_links, first_import, location, shown, step
from layercheck.project.naming import absent, absent_absolute


class Relative(NamedTuple):
    """Keys whose names are relative to ``within``, as paths without numbers: ``modules.name``."""

    texts: tuple[str, ...] = ()
    """The texts at these keys, and all below them."""
    owners: tuple[str, ...] = ()
    """Tables whose own keys are such names."""
    listed: tuple[str, ...] = ()
    """Those of them that list names relative to their keys."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=lambda n: n.rstrip("_")):
    """The keys of a check; each field is a TOML key. A field named after a Python keyword ends in ``_``.

    Making one raises ValueError with a line for each fault.
    """

    relative: ClassVar[Relative] = Relative()
    """Which of the names are relative to ``within``."""

    def faults(self) -> Iterator[str]:
        """What is wrong with the keys whatever the code: one line each, which names the key in backticks first."""
        yield from ()

    def __post_init__(self) -> None:
        if faults := [*_faults_of_within(self), *self.faults()]:
            raise ValueError("\n".join(faults))


def _faults_of_within(options: Options) -> Iterator[str]:
    within: str = getattr(options, "within", "")
    if within and not names.is_dotted_name(within):
        yield f"`within`: {within!r} is no name of a package"


class DirectOptions(Options, frozen=True, kw_only=True):
    """The keys that checks of links have in common (docs/rules.md)."""

    within: str = ""
    """The package to which ``order`` and other relative names are relative."""
    kinds: tuple[Kind, ...] = KINDS
    """Which direct links count."""
    exempt: tuple[str, ...] = ()
    """Modules or patterns, absolute: they may, as the last module of their layer on the way out."""

    def faults(self) -> Iterator[str]:
        if not self.kinds:
            yield '`kinds` is empty: name at least one, such as "import-time"'


class LinkOptions(DirectOptions, frozen=True, kw_only=True):
    """The keys that checks of links and chains have in common (docs/rules.md)."""

    reach: Literal["direct", "transitive"] = "direct"
    chain_kinds: tuple[Kind, ...] = ("import-time",)
    """Which links a chain of two or more may run through."""

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if not self.chain_kinds and self.reach == "transitive":
            yield '`chain_kinds` is empty: name at least one, such as "import-time"'


class ConsumerOptions(Options, frozen=True, kw_only=True):
    """The keys of checks that judge consumers too, but perhaps less strictly."""

    consumers: Severity | Literal["off"] = "error"
    """How bad a problem is in a file that only uses the project."""

    def judges(self, member: Member) -> bool:
        """Whether a file is judged at all."""
        return not member.vendored and not (member.consumer and self.consumers == "off")

    def cap(self, member: Member) -> Severity | None:
        """The highest severity that a problem in this file may have."""
        return "warning" if member.consumer and self.consumers == "warning" else None


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a rule only against this code: a module that is not there, a pattern without a match."""

    key: str
    """The key path in the rule: ``order[2]``."""
    message: str


class Coverage(msgspec.Struct, frozen=True):
    """What a rule looks at, so that a green run can say so; a rule that looks at nothing fails."""

    modules: int
    imports: int
    faults: tuple[Fault, ...] = ()
    noun: str = ""
    """Where it looks at neither modules nor imports: what it looks at, with its number (``3 rules``)."""


class Undeclared(msgspec.Struct, frozen=True):
    """How a check runs where no rules file declares it."""

    severity: Severity | Literal["off"]
    options: Options | None = None
    """None means the defaults."""


class Order(msgspec.Struct, frozen=True):
    """The layers of a rule as they fall on the modules of one package."""

    package: str
    """Empty for the top-level packages themselves."""
    layers: tuple[str, ...]
    """What each of them is called, highest first."""
    place: Mapping[str, int]
    """Which of them each name that is in one is in."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of test. Its name is the name of its file, with hyphens."""

    summary: str
    """One line, without a full stop."""
    options: type[Options]
    find: Callable[[Project, Any], Iterator[Problem]]
    """Problems, in any order. ``project`` has lost the links that ignores took out."""
    coverage: Callable[[Project, Any], Coverage]
    counts: Callable[[Project, Any], Callable[[Link], bool]] | None = None
    """For checks of the graph: which links this rule counts, so that ignores can be matched and judged; an ignore
    then takes the link out before ``find``. None for checks whose problems are silenced instead."""
    layers_of: Callable[[Any], tuple[str, ...]] | None = None
    """For checks whose rules have layers: what these take in, from the options alone, as absolute names and patterns
    that stand for everything below them too."""
    orders: Callable[[Project, Any], tuple[Order, ...]] | None = None
    """For checks whose rules have layers: how they fall on this code."""
    with_layers: Callable[[Any, tuple[str, ...]], Options] | None = None
    """For checks that judge what no layer takes in: their options, told the layers of all rules."""
    undeclared: Undeclared | None = None
    """None for checks that only run when a rule asks for them."""
    declared: Severity = "error"
    """The severity once a rules file names it without one."""


@cache
def all_checks() -> dict[str, Check]:
    """Every check by name, sorted: the modules beside this one."""
    files = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))
    return {name.replace("_", "-"): import_module(f"{__name__}.{name}").CHECK for name in files}


def number_of(count: int, noun: str) -> str:
    """``1 class``, ``2 classes``; empty for none, so that a rule that looks at nothing is told."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}" if count else ""


def everything(project: Project, options: Options) -> Coverage:
    """The coverage of a check that looks at every module and every import."""
    return Coverage(len(project.modules), len(project.links))


def key_path(*parts: str | int) -> str:
    """A key path as faults and rules spell it: ``order[2]``, ``modules.'a.b'[0]``."""
    shown = ""
    for part in parts:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            word = part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else repr(part)
            shown += f".{word}" if shown else word
    return shown


def faults_of_names(options: Options, *fields: str) -> Iterator[str]:
    """What is wrong with lists of names whatever the code: each entry that is neither a name nor a pattern."""
    for field in fields:
        for index, text in enumerate(getattr(options, field)):
            if not names.is_name_or_pattern(text):
                yield f"`{field.rstrip('_')}[{index}]`: {text!r} is neither a name nor a pattern"


def absences(key: str, texts: Sequence[str], known: Collection[str], package: str = "") -> Iterator[Fault]:
    """A fault for each name or pattern, relative to ``package``, that no known module is or fits."""
    for index, text in enumerate(texts):
        full = names.join(package, text)
        if not any(names.matches(name, full) for name in known):
            yield Fault(f"{key}[{index}]", absent(full, known) if package else absent_absolute(key, text, known))


def absent_package(project: Project, within: str) -> tuple[Fault, ...]:
    """A fault where there is no package ``within``; the empty name stands for everything."""
    if not within or within in project.packages:
        return ()
    return (Fault("within", absent(within, project.packages, "package")),)


def is_same_name(taken: Import) -> bool:
    """Whether it is written ``x as x``: an explicit re-export (typing specification, "Import conventions")."""
    return taken.aliased and taken.bound == (taken.name or taken.module)


def import_problem(
    project: Project,
    member: Member,
    taken: Import,
    message: str,
    advice: str,
    imported: str,
    related: tuple[Related, ...] = (),
    cap: Severity | None = None,
) -> Problem:
    """A problem with one import of a file, whether or not it leads anywhere, which stands where the import does."""
    return Problem(
        message=message,
        help=advice,
        location=at(member.path, taken.span),
        importer=member.id,
        imported=imported,
        name=taken.name or None,
        kind=project.resolver.guards.kind(member, taken),
        flags=taken.flags,
        related=related,
        cap=cap,
    )


def link_problem(link: Link, message: str, advice: str, layers: LayerPair | None = None) -> Problem:
    """A problem with one import, which stands where the import does."""
    return Problem(
        message=message,
        help=advice,
        location=location(link),
        importer=link.importer,
        imported=link.imported,
        name=link.name or None,
        kind=link.kind,
        flags=link.flags,
        layers=layers,
    )


def chain_problems(
    project: Project,
    route: Route,
    kinds: Collection[Kind],
    told: Callable[[str, str], str],
    advice: str,
    layers: LayerPair | None = None,
    *,
    implicit: bool = False,
) -> Iterator[Problem]:
    """A problem for each head of a route, which stands where its chain begins. ``told`` says of head and tail what is
    wrong; how long the chain is is added. ``implicit``: whether the chain may run through packages above imports."""
    tail = route.tails[0]
    by = f"through {route.middle[0]}" if len(route.middle) == 1 else f"by a chain of {len(route.middle) + 1} imports"
    others = [first_import(project, route.middle[-1], other, kinds, implicit=implicit) for other in route.tails[1:]]
    for head in route.heads:
        if project.modules[head].vendored:
            continue
        links = chain_links(project, (head, *route.middle, tail), kinds, implicit=implicit)
        yield Problem(
            message=f"{told(head, tail)}, {by}",
            help=advice,
            location=location(links[0]),
            importer=head,
            imported=tail,
            kind=links[0].kind,
            flags=links[0].flags,
            layers=layers,
            chain=tuple(step(link) for link in links),
            related=tuple(
                Related(link.path, link.span.line, f"{link.importer} also imports {shown(link)}") for link in others
            ),
        )


def at(path: str, span: Span) -> Location:
    """The location of a span in a file."""
    return Location(path, span.line, span.column, span.end_line, span.end_column)
