"""import-linter's forbidden contracts -> rules of forbidden-imports: which pairs each of the two leaves out.

import-linter leaves out each pair of a source and a forbidden module of which one holds the other. A rule lets what
lies in one name of ``to`` import the rest of it, and with ``own`` what lies in one name of ``from`` too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from layercheck import names
from layercheck.migrate.contract import Contract
from layercheck.migrate.expressions import may_lie_within, nests, pattern
from layercheck.migrate.model import DraftRule, Text


@dataclass(frozen=True, slots=True)
class _Share:
    """What of the forbidden modules is forbidden to some sources."""

    to: tuple[str, ...]
    owner: str = ""
    """The source, where what lies in it may import the rest of it. It needs a rule by itself: chains of other sources
    run through it to what only it may import."""


def forbidden(contract: Contract) -> list[DraftRule]:
    """The rules of a forbidden contract: one, or one for each group of sources that differ in what they may import."""
    exact = not contract.flag("as_packages", True)
    targets = {target.text: target for target in _targets(contract)}
    shares: dict[_Share, list[Text]] = {}
    before = len(contract.reading.left), len(contract.reading.complaints)
    for source in contract.entries("source_modules"):
        share = _share(contract, source, targets.values(), exact)
        if share is not None and share.to:
            shares.setdefault(share, []).append(source)
    if not shares and before == (len(contract.reading.left), len(contract.reading.complaints)):
        contract.leave("nothing is left that it forbids")
    rules = []
    for number, (share, sources) in enumerate(shares.items(), 1):
        options: dict[str, Any] = {**contract.chains()}
        if contract.flag("allow_indirect_imports", False):
            options["reach"] = "direct"
        options["from"] = [Text(pattern(source.text), source.comments) for source in sources]
        options["to"] = [Text(pattern(text), targets[text].comments) for text in share.to]
        if exact:
            options["exact"] = True
        if share.owner:
            options["own"] = True
        part = f" (part {number})" if len(shares) > 1 else ""
        rules.append(contract.rule("forbidden-imports", options, ("source_modules", "forbidden_modules"), part))
    return rules


def _targets(contract: Contract) -> list[Text]:
    """The forbidden modules; of one whose first component is a wildcard only what lies in the root packages, as long
    as it cannot be the name of an external package."""
    reading = contract.reading
    found = []
    for entry in contract.entries("forbidden_modules"):
        head, rest = names.head(entry.text), names.rest(entry.text)
        if names.is_pattern(head) and (rest or not reading.external):
            tops = dict.fromkeys(names.head(root) for root in reading.roots)
            expressions = [names.join(top, rest) for top in tops]
            expressions += [
                names.join(top, "**", rest) for top in tops if head == "**" and not names.is_pattern(names.head(rest))
            ]
            found += [Text(one, entry.comments, entry.line) for one in expressions]
            continue
        if contract.is_external(entry.text):
            if not reading.external:
                why = f"{entry.text} is in no root package, which needs include_external_packages"
                contract.complain("forbidden_modules", why, entry.line)
            elif rest:
                why = f"{entry.text} is part of an external package, which can only be named as a whole"
                contract.complain("forbidden_modules", why, entry.line)
        found.append(entry)
    return found


def _share(contract: Contract, source: Text, targets: Iterable[Text], exact: bool) -> _Share | None:
    """What is forbidden to a source; None, and a sentence in what is left, where no rule says the same."""
    share: list[str] = []
    holders: list[str] = []
    owner = ""
    one = source.text
    for target in targets:
        other = target.text
        if contract.is_external(other) or (exact and (one != other or names.is_pattern(one))):
            share.append(other)
            continue
        holds, held = may_lie_within(one, other), may_lie_within(other, one)
        if not names.is_pattern(one) and not names.is_pattern(other):
            if not exact and not holds and not held:
                share.append(other)
        elif not (holds or held):
            share.append(other)
        elif nests(one) or nests(other):
            contract.leave(
                f"{one} may not import {other}: some names that fit lie in each other, which no rule leaves out alike",
                "forbidden_modules",
            )
            return None
        else:
            share.append(other)
            holders += [other] if holds else []
            if held and not _same_depth(one, other):
                owner = one
    if fault := _fault(one, owner, holders, share):
        contract.leave(fault, "forbidden_modules")
        return None
    return _Share(tuple(share), owner)


def _fault(source: str, owner: str, holders: Sequence[str], share: Sequence[str]) -> str:
    """Why no rule says the same; empty where one does."""
    if names.is_pattern(owner):
        return f"{source} may not import what lies in another name that fits it: name the sources one by one"
    for one, other in product(holders, share):
        if one != other and (may_lie_within(other, one) or may_lie_within(one, other)):
            return f"{source} may not import {one} and {other}: it may lie in one of them, and they in each other"
    return ""


def _same_depth(one: str, other: str) -> bool:
    return len(names.split(one)) == len(names.split(other))
