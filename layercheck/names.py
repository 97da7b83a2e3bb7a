"""Dotted-name arithmetic: the only module that splits a name on its dots. Knows nothing of files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from layercheck.wildcards import Wildcards

_ASKED_AGAIN = 1 << 16
"""How many names are known that may be asked about again: more than most projects have."""


def join(*parts: str) -> str:
    """Join names with dots, leaving out the empty ones: ``join("a", "", "b.c") == "a.b.c"``."""
    return ".".join(part for part in parts if part)


def split(name: str) -> list[str]:
    """The components of a name; none for the empty name."""
    return name.split(".") if name else []


def parent(name: str) -> str:
    """The name without its last component; empty for a top-level name."""
    return name.rpartition(".")[0]


def tail(name: str) -> str:
    """The last component of a name."""
    return name.rpartition(".")[2]


def head(name: str) -> str:
    """The first component of a name."""
    return name.partition(".")[0]


def rest(name: str) -> str:
    """The name without its first component; empty for a top-level name."""
    return name.partition(".")[2]


def ancestors(name: str) -> tuple[str, ...]:
    """The packages above a name, nearest first: ``a.b.c`` gives ``a.b`` and ``a``."""
    return lineage(name)[1:]


@lru_cache(_ASKED_AGAIN)
def lineage(name: str) -> tuple[str, ...]:
    """The name itself, then its ancestors, nearest first."""
    found = [name]
    while name := parent(name):
        found.append(name)
    return tuple(found)


def is_within(name: str, package: str) -> bool:
    """Whether a name is the package or anything below it. Everything is within the empty name."""
    return not package or name == package or name.startswith(package + ".")


def relative(name: str, package: str) -> str:
    """What is left of a name below a package that it is within; empty for the package itself."""
    return name if not package else name[len(package) + 1 :]


def below(name: str, package: str) -> str:
    """The child of ``package`` that ``name`` is in: ``below("a.b.c", "a") == "a.b"``.

    ``name`` must lie below ``package``. The empty package gives the first component.
    """
    return join(package, head(relative(name, package)))


def resolve_relative(module: str, level: int, package: str) -> str | None:
    """The absolute name of ``from <level dots><module>`` written in ``package``.

    Agrees with ``importlib.util.resolve_name`` (language reference, "Package relative imports").
    None where the import climbs beyond the top-level package.
    """
    if not level:
        return module
    for _ in range(level - 1):
        package = parent(package)
    return join(package, module) if package else None


def is_pattern(text: str) -> bool:
    """Whether a name is a pattern: ``*`` stands for one component, ``**`` for any number."""
    return "*" in text


@lru_cache(maxsize=4096)
def _expression(pattern: str) -> re.Pattern[str]:
    """The pattern over a name with a dot before each component, the first one too."""
    parts = (None if part == "**" else [re.escape(piece) for piece in part.split("*")] for part in split(pattern))
    return re.compile(Wildcards().components(parts, "."))


def matches(name: str, pattern: str) -> bool:
    """Whether a name is the one written, or fits the pattern written."""
    if not is_pattern(pattern):
        return name == pattern
    return _expression(pattern).fullmatch("." + name) is not None


def matches_within(name: str, pattern: str) -> bool:
    """Whether a name, or a package that it is in, fits the pattern."""
    if not is_pattern(pattern):
        return is_within(name, pattern)
    return any(matches(candidate, pattern) for candidate in lineage(name))


def is_dotted_name(text: str) -> bool:
    """Whether a text is a name: identifiers joined with dots."""
    return bool(text) and all(part.isidentifier() for part in split(text))


def is_name_or_pattern(text: str) -> bool:
    """Whether a text is a name, or a pattern: a name in which ``*`` may stand for letters or components."""
    return is_dotted_name(text.replace("*", "x"))


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a misspelt name was most likely meant to be, if any is near enough: one that differs in the
    case of letters only, one that is spelt nearly so, or the only one that ends in the name."""
    candidates = sorted(candidates)
    folded = [one for one in candidates if one.casefold() == name.casefold()]
    close = folded or get_close_matches(name, candidates, n=1, cutoff=0.75)
    endings = [one for one in candidates if one.endswith("." + name)]
    return close[0] if close else endings[0] if len(endings) == 1 else None
