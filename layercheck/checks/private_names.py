"""The check ``private-names``: what a package keeps to itself, taken from outside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from layercheck import names
from layercheck.checks import (
    Check,
    Coverage,
    DirectOptions,
    Fault,
    Relative,
    absences,
    absent_package,
    at,
    faults_of_names,
    key_path,
    link_problem,
)
from layercheck.finding import Problem
from layercheck.project import Link, Member, Project
from layercheck.project.attributes import Attribute, attributes_of
from layercheck.project.imports import importers_of
from layercheck.project.naming import absent, is_bound, known_names, union


class PrivateNamesOptions(DirectOptions, frozen=True, kw_only=True):
    """Whose names are judged, and what is offered all the same."""

    relative = Relative(owners=("interfaces",), listed=("interfaces",))

    interfaces: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """For each package, relative to ``within``, the names or patterns that it offers, relative to it, with all that is
    public below them; instead of what its ``__all__`` and its face say."""

    faces: bool = True
    """Whether what a package's face does not show is private too."""

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        yield from faults_of_names(self, "exempt")
        for package, offered in self.interfaces.items():
            if not names.is_dotted_name(package) and (package or not self.within):
                yield f"`interfaces`: {package!r} is no name of a package"
            if not offered:
                yield f"`interfaces`: {package} offers nothing: name what it offers, or protect it"
            for text in offered:
                if not names.is_name_or_pattern(text):
                    yield f"`interfaces`: {text!r}, offered by {package}, is neither a name nor a pattern"


@dataclass(frozen=True, slots=True, eq=False)
class _Judge:
    """Says why somebody may not take a name."""

    project: Project
    offers: dict[str, tuple[str, ...]]
    """What packages offer by declaration: absolute names and patterns."""
    exempt: frozenset[str]
    faces: bool

    def why(self, importer: str, module: str, name: str) -> str:
        """Why an importer may not take a name of a module, or the module itself (no name), as the end of a sentence;
        empty where it may."""
        if importer in self.exempt:
            return ""
        full = names.join(module, name)
        around = [package for package in names.lineage(module) if not names.is_within(importer, package)]
        declared = next((package for package in reversed(around) if package in self.offers), "")
        if declared:
            return "" if self._offered(full, declared) else f"which {declared} does not offer"
        private = self._private_part(importer, module, name)
        if private:
            return f"and {private} is private by its name"
        face = self._face(module, around) if self.faces else ""
        if face and not self._shows(face, module, name):
            return f"which is not in the `__all__` of {face}"
        if not self.is_beside(importer, module) and not self._exported(module, name):
            return f"which is not in the `__all__` of {module}"
        return ""

    def why_attribute(self, importer: str, module: str, name: str) -> str:
        """The same for an attribute of a module that the importer has: only the attribute is judged."""
        if importer in self.exempt or self.is_beside(importer, module):
            return ""
        for package in reversed(names.lineage(module)):
            if package in self.offers and not names.is_within(importer, package):
                whole = self._offered(module, package) and not self._offered(names.join(module, name), package)
                return f"which {package} does not offer" if whole else ""
        if _is_private(name):
            return f"and {name} is private by its name"
        return "" if self._exported(module, name) else f"which is not in the `__all__` of {module}"

    def is_beside(self, importer: str, module: str) -> bool:
        """Whether an importer lies in the package of a module: a package's own modules may take what they like."""
        return names.is_within(importer, self._home(module))

    def _home(self, module: str) -> str:
        member = self.project.modules.get(module)
        return module if member is None or member.package else names.parent(module) or module

    def _private_part(self, importer: str, module: str, name: str) -> str:
        """The outermost part of a name that begins with an underscore and does not belong to the importer's package."""
        for part in reversed(names.lineage(module)):
            above = names.parent(part)
            if _is_private(names.tail(part)) and above and not names.is_within(importer, above):
                return names.tail(part)
        return name if _is_private(name) and not self.is_beside(importer, module) else ""

    def _offered(self, full: str, package: str) -> bool:
        for above in names.lineage(full):
            if any(names.matches(above, text) for text in self.offers[package]):
                return not any(_is_private(part) for part in names.split(names.relative(full, above)))
        return False

    def _exported(self, module: str, name: str) -> bool:
        """Whether the ``__all__`` of a module has a name, as far as it can be told; dunders are everybody's."""
        if name in ("", "*") or name.startswith("__"):
            return True
        member = self.project.modules.get(module)
        exported = self.project.resolver.exports(member) if member else None
        return exported is None or name in exported

    def _face(self, module: str, around: Sequence[str]) -> str:
        """The innermost package around a module that has a face, an ``__init__.py`` with ``__all__``; empty where none
        has. A package with a face of its own is nobody's inside."""
        if self._names_shown(module) is not None:
            return ""
        return next((package for package in around if self._names_shown(package) is not None), "")

    def _names_shown(self, package: str) -> frozenset[str] | None:
        """What the face of a package shows; None for what is no package, or has no face that can be told."""
        member = self.project.modules.get(package)
        return self.project.resolver.exports(member) if member and member.package else None

    def _shows(self, face: str, module: str, name: str) -> bool:
        """Whether a face shows a name of a module in its package, or the part of the package that the module is in."""
        shown = self._names_shown(face) or frozenset()
        if names.tail(names.below(module, face)) in shown:
            return True
        resolver = self.project.resolver
        return name in shown and not resolver.origins(face, name).isdisjoint(resolver.origins(module, name))


def _is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _judge(project: Project, options: PrivateNamesOptions) -> _Judge:
    offers = {}
    for package, offered in options.interfaces.items():
        full = names.join(options.within, package)
        offers[full] = tuple(names.join(full, text) for text in offered)
    return _Judge(project, offers, union(known_names(project), options.exempt), options.faces)


def _links(project: Project, options: PrivateNamesOptions) -> Iterator[Link]:
    """The links of modules to the modules within."""
    table = importers_of(project)
    for name in _within(project, options.within):
        yield from table.get(name, ())


@lru_cache(maxsize=8)
def _within(project: Project, within: str) -> tuple[str, ...]:
    return tuple(sorted(name for name in known_names(project) if names.is_within(name, within)))


def _find(project: Project, options: PrivateNamesOptions) -> Iterator[Problem]:
    judge = _judge(project, options)
    for link in _links(project, options):
        if link.kind in options.kinds and not project.modules[link.importer].vendored:
            name = "" if link.name == "*" else link.name
            why = judge.why(link.importer, link.imported, name)
            if why:
                what = f"takes {name} of {link.imported}" if name else f"imports {link.imported}"
                yield link_problem(link, f"{link.importer} {what}, {why}", _ADVICE)
    attributes = attributes_of(project)
    for module in _within(project, options.within):
        for taken in attributes.get(module, ()):
            if _counts(options, taken) and not taken.member.vendored:
                why = judge.why_attribute(taken.member.id, module, taken.name)
                if why:
                    yield _problem(taken.member, module, taken, why)


_ADVICE = "take what the package offers, or let the package offer it"


def _counts(options: PrivateNamesOptions, taken: Attribute) -> bool:
    return ("import-time" if taken.access.eager else "deferred") in options.kinds


def _problem(member: Member, module: str, taken: Attribute, why: str) -> Problem:
    return Problem(
        message=f"{member.id} takes {taken.name} of {module}, {why}",
        help=_ADVICE,
        location=at(member.path, taken.access.span),
        importer=member.id,
        imported=module,
        name=taken.name,
    )


def _faults(project: Project, options: PrivateNamesOptions) -> Iterator[Fault]:
    known = known_names(project)
    for package, offered in options.interfaces.items():
        full = names.join(options.within, package)
        if full not in known:
            yield Fault(key_path("interfaces", package), absent(full, known))
            continue
        for index, text in enumerate(offered):
            if not _is_there(project, known, names.join(full, text)):
                sentence = absent(names.join(full, text), known, "module or name")
                yield Fault(key_path("interfaces", package, index), sentence)
    yield from absences("exempt", options.exempt, known)


def _is_there(project: Project, known: frozenset[str], text: str) -> bool:
    """Whether a module fits, or a name that its module binds or may bind."""
    if any(names.matches(name, text) for name in known):
        return True
    member = project.modules.get(names.parent(text))
    if member is not None and names.is_pattern(text):
        return any(names.matches(names.join(member.id, name), text) for name in member.bindings)
    return is_bound(project, text)


def _coverage(project: Project, options: PrivateNamesOptions) -> Coverage:
    faults = absent_package(project, options.within) or tuple(_faults(project, options))
    modules = sum(name in project.modules for name in _within(project, options.within))
    return Coverage(modules, sum(link.kind in options.kinds for link in _links(project, options)), faults)


CHECK = Check(
    summary="Names that a package keeps to itself, taken from outside it",
    options=PrivateNamesOptions,
    find=_find,
    coverage=_coverage,
)
