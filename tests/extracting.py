"""What the tests of extraction share: facts of a source written in the test, and short ways to say them."""

from __future__ import annotations

from textwrap import dedent

import msgspec

from layercheck.extract import extract
from layercheck.facts import Guard, Import, ModuleFacts


def facts(source: str) -> ModuleFacts:
    """The facts of a source that parses; it may be indented as a whole."""
    found = extract(dedent(source).encode())
    assert found.failure is None, found.failure
    assert msgspec.convert(msgspec.to_builtins(found), ModuleFacts) == found  # raises where a field is not of its type
    return found


def imported(source: str) -> dict[str, Import]:
    """The imports of a source, by the name that each binds, else by the module with its dots."""
    found = facts(source).imports
    named = {each.bound or "." * each.level + each.module: each for each in found}
    assert len(named) == len(found), "two imports of one name"
    return named


def written(guard: Guard) -> str:
    """A guard as an expression."""
    if guard.test == "name":
        return guard.name
    if guard.test == "not":
        return f"not {written(guard.parts[0])}"
    if guard.test in ("and", "or"):
        return "(" + f" {guard.test} ".join(map(written, guard.parts)) + ")"
    return guard.test
