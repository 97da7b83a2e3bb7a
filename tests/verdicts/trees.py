"""Generated trees of modules with imports of every form that a migration must see alike; hypothesis strategies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from layercheck import names

MODULES = tuple(
    f"{root}{below}"
    for root, belows in (
        ("app", ("", ".a", ".a.x", ".a.x.deep", ".a.y", ".b", ".b.x", ".b.y", ".c", ".c.x", ".d")),
        ("lib", ("", ".a", ".a.x", ".b")),
    )
    for below in belows
)
"""All modules that a tree may have. Every one of them binds ``thing``."""
OUTSIDE = ("json", "json.decoder", "elsewhere", "elsewhere.deep.er")

_PLACES = ("{}", "def late():\n    {}", "if TYPE_CHECKING:\n    {}", "try:\n    {}\nexcept ImportError:\n    pass")


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a tree, and the modules in it."""

    modules: tuple[str, ...]
    files: Mapping[str, str]

    def write(self, folder: Path) -> None:
        """Write all files below a folder."""
        for path, text in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")


def _path(module: str, modules: frozenset[str]) -> str:
    package = any(names.parent(other) == module for other in modules)
    return "/".join(names.split(module)) + ("/__init__.py" if package or "." not in module else ".py")


@st.composite
def _statement(draw: st.DrawFn, importer: str, package: bool, imported: str) -> str:
    """An import of one module by another, in one of the forms that there are."""
    parent, tail = names.parent(imported), names.tail(imported)
    forms = [f"import {imported}", f"import {imported} as other", f"from {imported} import thing"]
    forms.append(f"from {imported} import thing as one, thing")
    if parent:
        # Under its own name it could hide a submodule of the importer: docs/migrating.md.
        forms.append(f"from {parent} import {tail} as other")
    base = importer if package else names.parent(importer)
    if base and names.is_within(imported, base) and imported != base:
        forms.append(f"from .{names.relative(imported, base)} import thing")
    above = names.parent(base)
    if above and names.is_within(imported, above) and imported != above:
        forms.append(f"from ..{names.relative(imported, above)} import thing")
    place = draw(st.sampled_from(_PLACES))
    if place == "{}":
        forms.append(f"from {imported} import *")
    return place.format(draw(st.sampled_from(forms)))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree of about a dozen modules and as many imports."""
    chosen = draw(st.sets(st.sampled_from(MODULES), min_size=5, max_size=len(MODULES)))
    modules = frozenset({"app", "lib", *(above for name in chosen for above in names.lineage(name))})
    ordered = sorted(modules)
    texts = {name: ["from typing import TYPE_CHECKING", "thing = 1", "__all__ = ['thing']"] for name in ordered}
    pairs = st.tuples(st.sampled_from(ordered), st.sampled_from([*ordered, *ordered, *OUTSIDE]))
    drawn = draw(st.lists(pairs, min_size=4, max_size=24))
    back = [(imported, importer) for importer, imported in drawn[: draw(st.integers(0, 6))] if imported in modules]
    for importer, imported in (*drawn, *back):
        if importer == imported:
            continue
        package = _path(importer, modules).endswith("__init__.py")
        if imported in OUTSIDE:
            texts[importer].append(draw(st.sampled_from(_PLACES)).format(f"import {imported}"))
        else:
            texts[importer].append(draw(_statement(importer, package, imported)))
    files = {_path(name, modules): "\n".join(texts[name]) + "\n" for name in ordered}
    return Tree(tuple(ordered), files)
