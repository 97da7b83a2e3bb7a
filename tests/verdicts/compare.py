"""One contract, two verdicts: what import-linter says of it against the findings of its rules. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from layercheck import names
from layercheck.finding import Finding


def differences(
    contract: Mapping[str, Any], theirs: Mapping[str, Any], findings: Sequence[Finding], roots: Sequence[str]
) -> Iterator[str]:
    """How the two differ; nothing where they say the same.

    Broken or kept, and the pairs: modules that import directly must be the same ones. Chains may be told by other
    modules of the same two parts, since each tool shows one of several.
    """
    if theirs["kept"] != (not findings):
        yield f"kept: theirs {theirs['kept']}, ours {not findings}"
        return
    kind = contract["type"]
    if kind == "acyclic_siblings":
        ours = {finding.problem.key[0].removeprefix("in ") for finding in findings}
        yield from _sets("packages with rings", set(theirs["packages"]), ours)
        return
    undeclared = {finding.problem.importer for finding in findings if finding.problem.imported is None}
    yield from _sets("undeclared", set(theirs["undeclared"]), undeclared)
    pairs = [pair for finding in findings if (pair := _ends(finding, roots))]
    chains = {tuple(modules) for _, _, modules in theirs["chains"]}
    direct = {(one[0], one[1]) for one in chains if len(one) == 2}
    yield from _sets("direct imports", direct, {ends for ends, steps in pairs if steps == 1})
    if kind in ("layers", "independence"):
        yield from _parts({(one, other) for one, other, _ in theirs["chains"]}, findings, theirs["containers"] or [""])
    elif kind == "forbidden":
        yield from _forbidden(theirs["chains"], pairs, contract)


def _sets(what: str, theirs: set[Any], ours: set[Any]) -> Iterator[str]:
    if theirs != ours:
        yield f"{what}: only theirs {sorted(theirs - ours)}, only ours {sorted(ours - theirs)}"


def _ends(finding: Finding, roots: Iterable[str]) -> tuple[tuple[str, str], int] | None:
    """The first and the last module of what was found, and how many imports are between them. Of what is outside
    import-linter knows the top only."""
    problem = finding.problem
    if problem.importer is None or problem.imported is None:
        return None
    inside = any(names.is_within(problem.imported, root) for root in roots)
    return (problem.importer, problem.imported if inside else names.head(problem.imported)), len(problem.chain) or 1


def _parts(told: set[tuple[str, str]], findings: Iterable[Finding], containers: Iterable[str]) -> Iterator[str]:
    """Each pair of theirs is one of ours, and each of ours is, in one of the containers that it may be of, theirs."""
    ours: set[tuple[str, str]] = set()
    for finding in findings:
        importer, imported = finding.problem.importer or "", finding.problem.imported or ""
        if finding.problem.layers:
            low, high = finding.problem.layers.importer, finding.problem.layers.imported
            fits = {(names.join(box, low), names.join(box, high)) for box in containers}
        else:
            fits = told
        fits = {ends for ends in fits if names.is_within(importer, ends[0]) and names.is_within(imported, ends[1])}
        if finding.problem.imported is not None and not fits & told:
            yield f"only ours: {importer} -> {imported}"
        ours |= fits
    if told - ours:
        yield f"parts: only theirs {sorted(told - ours)}"


def _forbidden(
    theirs: Sequence[tuple[str, str, list[str]]],
    ours: Sequence[tuple[tuple[str, str], int]],
    contract: Mapping[str, Any],
) -> Iterator[str]:
    """Each pair that they tell has a chain with a stretch that we tell, and each chain of ours joins a pair of theirs.

    A chain of theirs may run through a third part, which by itself reaches what is forbidden: we tell that once.
    """
    exact = str(contract.get("as_packages", "True")).lower() == "false"

    def holds(part: str, name: str) -> bool:
        return name == part if exact else names.is_within(name, part)

    told: dict[tuple[str, str], list[list[str]]] = {}
    for importer, imported, modules in theirs:
        told.setdefault((importer, imported), []).append(modules)
    for (one, other), chains in told.items():
        joined = any(holds(one, first) and holds(other, last) for (first, last), _ in ours)
        if not joined and not any(_contains(chain, ends) for chain in chains for ends, _ in ours):
            yield f"only theirs: {one} -> {other} by {chains[0]}"
    for (first, last), _ in ours:
        if not any(holds(one, first) and holds(other, last) for one, other in told):
            yield f"only ours: {first} -> {last}"


def _contains(chain: Sequence[str], ends: tuple[str, str]) -> bool:
    first, last = ends
    return first in chain and last in chain[chain.index(first) + 1 :]
