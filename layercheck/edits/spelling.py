"""How an import that is there would name another module. Knows names only."""

from __future__ import annotations

from layercheck import names


def spelled(home: str, level: int, base: str) -> str:
    """How an import in the package ``base`` names a module: relative where it was so (``level`` dots) and its dots lead
    to a package that holds the module too, else absolute."""
    package = names.resolve_relative("", level, base) if level else None
    if not package or not names.is_within(home, package):
        return home
    return "." * level + names.relative(home, package)
