"""Patches in the old home of what moved code reads: they replace a name there that this code now reads elsewhere.

Says which patches do not reach moved code any more; rewrites nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from layercheck.facts import Patch
from layercheck.moves.model import Reason, Residual, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change, Side
from layercheck.names import tail
from layercheck.project import Member

_Key = tuple[str, str]


def replaced(side: Side, member: Member, patch: Patch) -> frozenset[_Key]:
    """The names of modules that a patch replaces, each as module and name; none where it reaches into an object."""
    resolver = side.project.resolver
    if patch.kind != "attribute":
        return frozenset()
    return frozenset(
        step
        for module, attributes in resolver.patched(member, patch)
        for step in [*resolver.walk(module, attributes)][-1:]
        if tail(attributes) == step[1]
    )


def unreached(change: Change, pairs: Iterable[Pair], staying: Collection[str] = ()) -> Iterator[Residual | Unsupported]:
    """The patches of the new state that replace a name in the old home of code that read it there and now does not.

    A function reads its globals from the module that it stands in (language reference 4.2.2), so such a patch does
    nothing for it. Where other code may be meant, that cannot be told. ``staying``: old homes whose patches are said
    to be meant for what stays.
    """
    pairs = tuple(pairs)
    reads = _reads(change, pairs)
    if not reads:
        return
    before, after = _patches(change.old, reads), _patches(change.new, reads)
    for (path, key), lines in sorted(after.items()):
        for new_home in sorted(reads.get(key, ())):
            there = (path, (new_home, key[1]))
            redirected = max(len(before.get((path, key), ())) - len(lines), 0)
            added = len(after.get(there, ())) - len(before.get(there, ())) - redirected
            for line in lines[max(added, 0) :]:
                parts = (key[1], key[0], new_home)
                if _only_moved_code_reads(change.new, key):
                    yield Residual(path, line, "", Reason(_NOT_REACHED, parts))
                elif key[0] not in staying:
                    yield Unsupported(path, line, Reason(_BOTH, parts))


_NOT_REACHED = "it patches {0} in {1}, and what read it there now reads that of {2}"
_BOTH = "it patches {0} in {1}, and what moved now reads that of {2}: whether the patch is meant for it cannot be told"


def _reads(change: Change, pairs: Iterable[Pair]) -> dict[_Key, set[str]]:
    """The names that moved code reads, by home and name, with the homes in which it reads them now:
    those that the old home still has."""
    moved = {pair.before.key for pair in pairs}
    found: dict[_Key, set[str]] = {}
    for pair in pairs:
        home, new_home = pair.before.member, pair.after.member
        left = change.new.member(home.name)
        if left is None or home.name == new_home.name:
            continue
        for free in change.old.needs(home.path, [pair.before.statement.start])[0].names:
            key = (home.name, free.name)
            if key not in moved and free.name in left.bindings and free.name in new_home.bindings:
                found.setdefault(key, set()).add(new_home.name)
    return found


def _patches(side: Side, reads: dict[_Key, set[str]]) -> dict[tuple[str, _Key], list[int]]:
    """The lines of the patches of these names, in their old or their new homes, by file and name."""
    wanted = {*reads, *((home, name) for (_, name), homes in reads.items() for home in homes)}
    found: Counter[tuple[str, _Key, int]] = Counter()
    for member in side.project.members:
        for patch in member.facts.patches:
            for key in replaced(side, member, patch) & wanted:
                found[member.path, key, patch.span.line] += 1
    lines: dict[tuple[str, _Key], list[int]] = {}
    for path, key, line in sorted(found.elements()):
        lines.setdefault((path, key), []).append(line)
    return lines


def _only_moved_code_reads(side: Side, key: _Key) -> bool:
    """Whether nothing but patches takes a name from a module any more, itself included, save for its new home."""
    home = side.member(key[0])
    used = home is not None and key[1] in home.facts.uses
    return not used and all(use.how in ("patch", "import") for use in side.project.uses.takers(*key))
