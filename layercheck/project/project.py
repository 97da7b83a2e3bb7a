"""The project itself: the tables made once from facts and layout, and the questions that checks ask of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

from layercheck import names
from layercheck.facts import ModuleFacts
from layercheck.layout import Layout
from layercheck.project.hints import missing_roots, open_namespaces
from layercheck.project.index import CONSUMER, Index
from layercheck.project.links import all_links
from layercheck.project.model import Link, Member
from layercheck.project.resolve import Resolver
from layercheck.project.uses import Uses


class Project:
    """All files of a code base, resolved. Immutable once made; tables that cost something are made on first use."""

    def __init__(self, layout: Layout, facts: Mapping[str, ModuleFacts], api: Sequence[str] | None = None) -> None:
        """``facts`` by path, for every placed file; ``api`` names the modules outside code may import from."""
        self.layout = layout
        self.api = None if api is None else tuple(api)
        self.index = Index(layout, facts)
        self.members: tuple[Member, ...] = self.index.members
        self._taken_out: frozenset[Link] = frozenset()

    @cached_property
    def modules(self) -> Mapping[str, Member]:
        """Modules by name, sorted."""
        return {name: member for name, member in sorted(self.index.by_name.items()) if not member.consumer}

    @cached_property
    def by_tail(self) -> Mapping[str, Sequence[str]]:
        """The names of modules by their last component, each list sorted."""
        return _grouped(self.modules, names.tail)

    @cached_property
    def children(self) -> Mapping[str, Sequence[str]]:
        """The names of modules by the package that they lie in, each list sorted."""
        return _grouped(self.modules, names.parent)

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names that may have modules below them: regular packages and folders without ``__init__.py``, those around
        the root of the run included."""
        regular = {name for name, member in self.modules.items() if member.package}
        folders = {name for name in self.index.namespaces if names.head(name) in self.index.tops}
        return frozenset(regular | folders | {*names.ancestors(self.layout.prefix)})

    @property
    def importable_heads(self) -> frozenset[str]:
        """The first components of the absolute names under which a file may find a module or a consumer: whatever else
        an absolute import begins with is outside the project."""
        # A consumer finds others from any folder above it.
        consumers = {part for name in self.index.by_name if name.startswith(CONSUMER) for part in names.split(name[1:])}
        return self.index.tops | consumers

    @cached_property
    def outside(self) -> frozenset[str]:
        """The modules that somebody imports and that lie beside the root of the run, in a package around it."""
        return frozenset(link.imported for link in self.all_links if self.index.is_outside(link.imported))

    @cached_property
    def _by_path(self) -> Mapping[str, Member]:
        return {member.path: member for member in self.members}

    def member(self, path: str) -> Member | None:
        """The file at a path, relative to the root of the run; None where it is no file of the project."""
        return self._by_path.get(path)

    @cached_property
    def resolver(self) -> Resolver:
        """Answers where imports go and where names come from."""
        return Resolver(self.index)

    @cached_property
    def uses(self) -> Uses:
        """Answers who takes a name from a module."""
        return Uses(self.resolver)

    @cached_property
    def all_links(self) -> tuple[Link, ...]:
        """Every import of every member that goes somewhere, sorted by path and place."""
        return all_links(self.resolver)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links, less those that ignores have taken out."""
        if not self._taken_out:
            return self.all_links
        return tuple(link for link in self.all_links if link not in self._taken_out)

    @cached_property
    def definers(self) -> Mapping[str, tuple[str, ...]]:
        """For each name, the modules that define it, sorted: those with a class or function of that name, else those
        that assign it whatever the circumstances."""
        made: dict[str, set[str]] = {}
        assigned: dict[str, set[str]] = {}
        for name, member in self.modules.items():
            for binding in member.facts.bindings:
                if binding.kind in ("class", "function"):
                    made.setdefault(binding.name, set()).add(name)
                elif binding.imported < 0 and binding.guard < 0 and not binding.conditional:
                    assigned.setdefault(binding.name, set()).add(name)
        return {name: tuple(sorted(modules)) for name, modules in {**assigned, **made}.items()}

    def only_definer(self, name: str, besides: str | None = None) -> str | None:
        """The module that defines a name, where exactly one does, one of them left out; else None."""
        homes = [home for home in self.definers.get(name, ()) if home != besides]
        return homes[0] if len(homes) == 1 else None

    def is_api(self, module: str) -> bool:
        """Whether outside code may import names from a module: declared so, or else not private by its name."""
        if self.api is not None:
            return any(names.matches(module, pattern) for pattern in self.api)
        return not any(part.startswith("_") and part != "__main__" for part in names.split(module))

    def package_at(self, folder: str) -> str | None:
        """The package that a folder is, by what lies in it or below; empty for a root, None where no module does.

        ``folder`` is POSIX, relative to the root of the run; empty for the root itself, ``..`` for the one above.
        """
        if folder.startswith(".."):
            around = names.split(self.layout.prefix)
            up = folder.count("..")
            is_around = folder == "/".join([".."] * up) and up <= len(around)
            return names.join(*around[: len(around) - up]) if is_around else None
        prefix = f"{folder}/" if folder else ""
        below = [(member.path, member.base) for member in self.modules.values() if member.path.startswith(prefix)]
        for path, package in sorted(below, key=lambda one: (one[0].count("/"), one[0])):
            for _ in range(path[len(prefix) :].count("/")):
                package = names.parent(package)
            return package
        return None

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about how the code was found."""
        return (*self.layout.notes, *missing_roots(self.resolver), *open_namespaces(self.resolver))

    def without(self, links: Collection[Link]) -> Project:
        """The same project with these links taken out of ``links``; names and uses stay."""
        other = object.__new__(Project)
        other.__dict__.update(self.__dict__)
        other.__dict__.pop("links", None)
        other._taken_out = self._taken_out | frozenset(links)
        return other


def _grouped(modules: Iterable[str], key: Callable[[str], str]) -> Mapping[str, Sequence[str]]:
    groups: dict[str, list[str]] = {}
    for name in modules:
        groups.setdefault(key(name), []).append(name)
    return groups
