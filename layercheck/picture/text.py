"""A picture for a terminal: the parts of packages level by level, what each imports, and what goes against that."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from layercheck import names
from layercheck.picture.model import NONE, Arrow, Picture
from layercheck.picture.tree import Branch, grow
from layercheck.report.escape import printable
from layercheck.report.wrap import WIDTH, wrapped

_INDENT = "    "
_MOST = 20
"""How many violations, and how many rings, are told one by one."""
_MARKS = {"!": "breaks a rule", "^": "goes up", "*": "is on an import ring"}


@dataclass(frozen=True, slots=True)
class _Total:
    """All arrows from one part of a package to another."""

    arrows: tuple[Arrow, ...]
    up: bool

    @property
    def told(self) -> str:
        """The number of imports, with marks."""
        marks = "!" if any(arrow.violations for arrow in self.arrows) else "^" if self.up else ""
        marks += "*" if any(arrow.ring != NONE for arrow in self.arrows) else ""
        return f"{sum(len(arrow.links) for arrow in self.arrows):,}{marks}"


def render(picture: Picture) -> str:
    """The packages that rules order in layers; with no such rule, the top-level packages; then rings and violations."""
    lines: list[str] = []
    for branch in _sections(picture):
        lines += [*_section(picture, branch), ""]
    marks = [f"{mark} {told}" for mark, told in _MARKS.items() if any(mark in line for line in lines)]
    if marks:
        lines += [f"Behind numbers of imports: {', '.join(marks)}.", ""]
    lines += _violations(picture)
    lines += _rings(picture)
    imports = sum(len(arrow.links) for arrow in picture.arrows)
    modules = sum(node.modules for node in picture.nodes)
    counts = (_count(modules, "module"), _count(imports, "import"), _count(len(picture.rings), "ring"))
    lines.append(f"{', '.join(counts)}, {_count(len(picture.violations), 'violation')}.")
    return "".join(f"{line}\n" for line in lines)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _sections(picture: Picture) -> list[Branch]:
    """The packages that are told part by part."""
    tops = grow(picture)
    whole = Branch("", None, parts=tops)
    ordered = {order.package for order in picture.orders}
    found = [branch for branch in _all(whole) if branch.parts and branch.name in ordered]
    if not found:
        found = [whole] if len(tops) > 1 else []
        found += [_first_that_parts(top) for top in tops if top.parts]
    return found


def _all(branch: Branch) -> Iterator[Branch]:
    yield branch
    for part in branch.parts:
        yield from _all(part)


def _first_that_parts(branch: Branch) -> Branch:
    """The package itself, or the first one inside it that has several parts."""
    while len(branch.parts) == 1 and branch.parts[0].parts:
        branch = branch.parts[0]
    return branch


def _section(picture: Picture, branch: Branch) -> Iterator[str]:
    rules = sorted({picture.orders[part.order].rule for part in branch.parts if part.order != NONE})
    by = f", by the layers of {', '.join(map(printable, rules))}" if rules else ", by what imports what"
    yield f"{branch.name or 'top level'}{by}"
    totals = _totals(picture, branch)
    called = {part.name: names.relative(part.name, branch.name) or "__init__" for part in branch.parts}
    wide = max(map(len, called.values()))
    number = len(str(branch.parts[-1].level + 1))
    size = max(len(_count(part.modules, "module")) for part in branch.parts)
    level = NONE
    for part in branch.parts:
        shown = "" if part.level == level else str(part.level + 1)
        level = part.level
        head = f"  {shown:>{number}}  {called[part.name]:<{wide}}  {_count(part.modules, 'module'):>{size}}"
        taken = ", ".join(f"{called[other]} {total.told}" for other, total in totals[part.name].items())
        yield from _wrapped(head, f"-> {taken}" if taken else "")


def _wrapped(head: str, tail: str) -> list[str]:
    """A line, continued below itself where it is too long for one."""
    if not tail:
        return [head.rstrip()]
    indent = " " * min(len(head) + 2, WIDTH // 2)
    lines = textwrap.wrap(tail, max(WIDTH - len(indent), WIDTH // 3), break_long_words=False, break_on_hyphens=False)
    if len(indent) < len(head) + 2:
        return [head.rstrip(), *(indent + line for line in lines)]
    return [f"{head}  {lines[0]}", *(indent + line for line in lines[1:])]


def _totals(picture: Picture, branch: Branch) -> Mapping[str, Mapping[str, _Total]]:
    """For each part what it imports of the others, in the order of these."""
    place = {part.name: index for index, part in enumerate(branch.parts)}
    found: dict[tuple[int, int], list[Arrow]] = defaultdict(list)
    for arrow in picture.arrows:
        ends = [_part(name, branch, place) for name in (arrow.importer, arrow.imported)]
        if NONE not in ends and ends[0] != ends[1]:
            found[ends[0], ends[1]].append(arrow)
    totals: dict[str, dict[str, _Total]] = defaultdict(dict)
    for (importer, imported), arrows in sorted(found.items()):
        one, other = branch.parts[importer], branch.parts[imported]
        totals[one.name][other.name] = _Total(tuple(arrows), one.level >= other.level)
    return totals


def _part(name: str, branch: Branch, place: Mapping[str, int]) -> int:
    """The index of the part that a node is in."""
    if not names.is_within(name, branch.name):
        return NONE
    return place[name if name == branch.name else names.below(name, branch.name)]


def _violations(picture: Picture) -> Iterator[str]:
    for violation in picture.violations[:_MOST]:
        finding = violation.finding
        place = finding.problem.location
        yield f"{printable(place.path)}:{place.line}: {finding.severity}: {finding.check} [{printable(finding.rule)}]"
        yield from wrapped(finding.problem.message, _INDENT, _INDENT)
    if picture.violations:
        yield from _more(len(picture.violations), _by_rule(picture))
        yield ""


def _by_rule(picture: Picture) -> str:
    counts = Counter(violation.finding.rule for violation in picture.violations)
    return ", ".join(f"{printable(rule)} {count:,}" for rule, count in sorted(counts.items()))


def _rings(picture: Picture) -> Iterator[str]:
    for ring in sorted(picture.rings, key=lambda ring: (-len(ring.members), ring.members))[:_MOST]:
        yield f"import ring of {_count(len(ring.members), 'module' if picture.wishes.collapse is None else 'node')}:"
        yield from wrapped(", ".join(ring.members), _INDENT, _INDENT)
    if picture.rings:
        yield from _more(len(picture.rings))
        yield ""


def _more(count: int, what: str = "") -> Iterable[str]:
    if count <= _MOST:
        return ()
    return [f"and {count - _MOST:,} more{f' (by rule: {what})' if what else ''}; --format json has all"]
