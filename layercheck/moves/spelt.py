"""Texts of Python files that lead to what moved in more words than a dotted name: pairs, entry points, examples in
docstrings, keys of ``sys.modules``. Prose is not looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from layercheck.moves.model import Reason, Target, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change
from layercheck.names import join, tail
from layercheck.outline import Token

_QUOTED = re.compile(r"[A-Za-z]*('''|\"\"\"|'|\")(.*)\1", re.DOTALL)
_EXAMPLE = re.compile(r"\s*(?:>>>|\.\.\.)\s")
"""A line of an example that ``doctest`` runs."""


def spelt(change: Change, pairs: Iterable[Pair]) -> Iterator[Target | Unsupported]:
    """The texts of the new state that still lead to the old home of what moved."""
    homes: dict[str, dict[str, str]] = {}
    for pair in pairs:
        home, name = pair.before.key
        homes.setdefault(home, {})[name] = join(*pair.after.key)
    for home, moved in sorted(homes.items()):
        stays = change.new.member(home)
        resolver = change.new.project.resolver
        gone = {name for name in moved if stays is None or resolver.find(stays, name) == "missing"}
        for member in change.new.project.members:
            content = change.new.contents.get(member.path, b"")
            if tail(home).encode() not in content or home.encode() not in content:
                continue
            tokens = [one for one in change.new.tokens(member.path) or () if one.kind not in ("comment", "layout")]
            for line, name in _found(tokens, home, moved):
                if name:
                    shown, broken = join(home, name), name in gone
                    yield Target(member.path, None, line, shown, "still-old", moved[name], broken=broken)
                elif stays is not None:
                    why = Reason("{0} is used as a whole: what is taken from it cannot be told", (stays.id,))
                    yield Unsupported(member.path, line, why)


def _found(tokens: Sequence[Token], home: str, moved: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines of such texts with the name that each leads to; an empty one where any name may be meant."""
    entry = re.compile(rf"\s*[\w.-]+\s*=\s*{re.escape(home)}:(\w+)")
    taken = re.compile(rf"(?<![\w.])(?:{re.escape(home)}\.(\w+)|from\s+{re.escape(home)}\s+import\s+(.+))")
    names = set(moved)
    for index, token in enumerate(tokens):
        quoted = _QUOTED.fullmatch(token.text) if token.kind == "string" else None
        if quoted is None or home not in token.text:
            continue
        if quoted.group(2) == home:
            yield from ((token.line, name) for name in _of_key(tokens, index, names))
        for offset, line in enumerate(quoted.group(2).split("\n")):
            match = entry.match(line)
            if match and match.group(1) in names:
                yield token.line + offset, match.group(1)
            if _EXAMPLE.match(line):
                for one in taken.finditer(line):
                    spelt_names = re.findall(r"\w+", one.group(1) or one.group(2))
                    yield from ((token.line + offset, name) for name in spelt_names if name in names)


def _of_key(tokens: Sequence[Token], index: int, names: set[str]) -> Iterator[str]:
    """What the text of a module's name leads to by what stands around it: ``sys.modules[TEXT].A``, ``TEXT, "A"``."""
    before = [one.text for one in tokens[max(index - 2, 0) : index]]
    after = [one.text for one in tokens[index + 1 : index + 4]]
    if before == ["modules", "["] and after[:1] == ["]"]:
        if after[1:2] != ["."]:
            yield ""
        elif after[2] in names:
            yield after[2]
    elif after[:1] == [","] and len(after) > 1:
        quoted = _QUOTED.fullmatch(after[1])
        if quoted is not None and quoted.group(2).partition(".")[0] in names:
            yield quoted.group(2).partition(".")[0]
