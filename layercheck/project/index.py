"""Which names are modules here: look-ups of dotted names in a layout. Knows files by name, nothing of their imports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from layercheck import names
from layercheck.facts import ModuleFacts
from layercheck.layout import Layout, is_test
from layercheck.project.model import Member

CONSUMER = "/"
"""Leads the dotted name of a consumer, so that it is never a module's."""


class Index:
    """Every member by its dotted name, and what else of a name can be imported."""

    def __init__(self, layout: Layout, facts: Mapping[str, ModuleFacts]) -> None:
        self.members = tuple(
            Member(
                id=placed.module or placed.path,
                name=placed.module or _consumer_name(placed.path),
                path=placed.path,
                facts=facts[placed.path],
                package=placed.package or _is_init(placed.path),
                consumer=placed.role != "module",
                test=is_test(placed.path),
                vendored=placed.vendored,
                generated=placed.generated,
            )
            for placed in sorted(layout.placed, key=lambda placed: placed.path)
        )
        self.by_name: dict[str, Member] = {}
        for member in sorted(self.members, key=lambda member: not member.package):
            self.by_name.setdefault(member.name, member)
        self.entry_points = layout.entry_points
        self._prefix = layout.prefix
        self._owned = layout.owned
        self.unread = {unread.module: unread for unread in layout.unread}
        folders = {ancestor for name in self.by_name for ancestor in names.ancestors(name)}
        self.namespaces = frozenset(
            name for name in folders.union(layout.namespaces) if name not in self.by_name and name not in self.unread
        )
        self.tops = frozenset(
            names.head(name) for name in [*self.by_name, *self.unread, *self.namespaces] if name[0] != CONSUMER
        )
        self.registered = frozenset(
            key
            for member in self.members
            if not member.consumer
            for key in member.facts.registered
            if names.head(key) in self.tops
        )

    def exists(self, name: str) -> bool:
        """Whether a dotted name is a module or package of the project, read or not."""
        return name in self.by_name or name in self.namespaces or name in self.unread or name in self.registered

    def is_outside(self, name: str) -> bool:
        """Whether a name lies beside the root of the run, in a package around it: there nothing is read."""
        prefix = self._prefix
        is_beside = bool(prefix) and names.head(name) == names.head(prefix)
        return is_beside and not (names.is_within(name, prefix) or names.is_within(prefix, name))

    def missing_below(self, name: str) -> str:
        """The shortest prefix of a name that does not exist; empty if the whole name does."""
        for prefix in reversed(names.lineage(name)):
            if not self.exists(prefix):
                return prefix
        return ""

    def split(self, target: str) -> tuple[str, str]:
        """The module that a text such as ``a.b.c`` or ``a.b:c`` leads to, and the attributes below it; two empty texts
        where it leads to none of the project."""
        text = target.replace(":", ".")
        if names.head(text) not in self.tops:
            return "", ""
        missing = self.missing_below(text)
        module = names.parent(missing) if missing else text
        return module, names.relative(text, module)

    def called(self, name: str) -> str:
        """What people call a module, or a file or folder of consumers."""
        member = self.by_name.get(name)
        if member is not None:
            return member.id
        return "/".join(names.split(name[1:])) if name.startswith(CONSUMER) else name

    def open_submodules(self, name: str) -> bool:
        """Whether a module or package may have submodules that are not on disk here.

        A namespace folder with no regular package above it may have portions elsewhere (PEP 420), unless the settings
        say that it is the project's; below a regular package it has those of that package's ``__path__``.
        """
        while name:
            if name in self.unread or name in self.registered:
                return True
            member = self.by_name.get(name)
            if member is not None:
                return bool(member.facts.open_submodules or member.facts.failure or member.generated)
            if any(names.is_within(name, package) for package in self._owned):
                return False
            name = names.parent(name)
        return True

    def search_names(self, importer: Member, name: str) -> Iterator[str]:
        """The dotted names under which an absolute import of a consumer is looked for, in order."""
        yield name
        yield CONSUMER + name
        folder = names.parent(importer.name)
        while folder:
            # A folder with __init__.py is a package: pytest puts the first one above without it on sys.path. A file in
            # examples/pydantic/ that imports pydantic means the one it is about, not the folder it lies in.
            top = names.join(folder, names.head(name))
            if folder not in self.by_name and not names.is_within(importer.name, top):
                yield names.join(folder, name)
            folder = names.parent(folder)


def _is_init(path: str) -> bool:
    """Whether a file is the ``__init__.py`` of a folder."""
    return path.rpartition("/")[2] == "__init__.py" and "/" in path


def _consumer_name(path: str) -> str:
    """The dotted name of a file that is no module, by its path from the root of the run."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return CONSUMER + names.join(*parts)
