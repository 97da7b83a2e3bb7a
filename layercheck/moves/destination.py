"""Where a module that is not there yet goes on disk, and the project with files that changed or are new."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from layercheck import names
from layercheck.extract import extract
from layercheck.layout.model import Layout, Placed
from layercheck.moves.side import Side
from layercheck.project import Member, Project


def path_of(side: Side, module: str, beside: Member) -> dict[str, Placed]:
    """The files to make for a module that is not there, by path: its own, last, and those of packages around it that
    are missing. ``beside`` is a module of the same root. Empty where no folder can be its own."""
    anchor = next((name for name in names.ancestors(module) if side.project.index.exists(name)), "")
    folder = _folder(side, anchor, beside)
    if folder is None:
        return {}
    found: dict[str, Placed] = {}
    missing = [name for name in names.ancestors(module) if name != anchor and names.is_within(name, anchor)]
    for package in reversed(missing):
        folder = posixpath.join(folder, names.tail(package))
        path = posixpath.join(folder, "__init__.py")
        found[path] = Placed(path, "module", package, package=True)
    path = posixpath.join(folder, f"{names.tail(module)}.py")
    found[path] = Placed(path, "module", module)
    return found


def _folder(side: Side, package: str, beside: Member) -> str | None:
    """The folder of a package; of the empty one, the root in which a module lies. None for a module, and for a package
    of which no module can be seen."""
    member = side.project.modules.get(package)
    if member is not None:
        return posixpath.dirname(member.path) if member.package else None
    for other in (beside, *side.project.modules.values()):
        if names.is_within(other.name, package) and other.name != package:
            folder = posixpath.dirname(other.path) if other.package else other.path
            up = len(names.split(names.relative(other.name, package)))
            for _ in range(up):
                folder = posixpath.dirname(folder)
            return folder
    return None


def with_files(side: Side, files: Mapping[str, bytes], new: Mapping[str, Placed]) -> Side:
    """The project with these files instead of those it had; ``new`` are the ones that were not there."""
    project = side.project
    facts = {member.path: member.facts for member in project.members}
    facts |= {path: extract(content) for path, content in files.items()}
    contents = _Overlaid(files, side.contents)
    return Side(Project(_with(project.layout, new), facts, project.api), contents)


@dataclass(frozen=True, slots=True)
class _Overlaid(Mapping[str, bytes]):
    """Files, some of which hold something else now."""

    over: Mapping[str, bytes]
    under: Mapping[str, bytes]

    def __getitem__(self, path: str) -> bytes:
        return self.over[path] if path in self.over else self.under[path]

    def __contains__(self, path: object) -> bool:
        return path in self.over or path in self.under

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self.under), **dict.fromkeys(self.over)})

    def __len__(self) -> int:
        return len({*self.under, *self.over})


def _with(layout: Layout, new: Mapping[str, Placed]) -> Layout:
    placed = sorted((*layout.placed, *new.values()), key=lambda one: one.path)
    return replace(layout, placed=tuple(placed))
