"""How a file is written down, apart from its lines: byte order mark, line ends, form feeds, the end of its last line.

Compares bytes; lines are compared elsewhere.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator

from layercheck.moves.model import Reason, Residual
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change

_LINE_END = re.compile(rb"\r\n|\r|\n")


def rewritten(change: Change, pairs: Iterable[Pair]) -> Iterator[Residual]:
    """Where a file that both states have is written down otherwise, though no move asks for it."""
    pairs = tuple(pairs)
    touched = {one.member.path for pair in pairs for one in (pair.before, pair.after)}
    for path in change.changed:
        old, new = change.old.contents.get(path), change.new.contents.get(path)
        if old and new:
            sources = [pair.before.member.path for pair in pairs if pair.after.member.path == path]
            for line, what in _differences(old, new, [change.old.contents[one] for one in sources], path in touched):
                yield Residual(path, line, "", Reason(what))


def _differences(old: bytes, new: bytes, sources: Iterable[bytes], is_home: bool) -> Iterator[tuple[int, str]]:
    """Lines and what is not as it was. ``sources``: the old homes of what came; it brings its line ends along."""
    if old.startswith(BOM_UTF8) != new.startswith(BOM_UTF8):
        yield 1, "its byte order mark is not as it was"
    before, after = _LINE_END.findall(old), _LINE_END.findall(new)
    known = {end for content in (old, *sources) for end in _LINE_END.findall(content)}
    if known and not known.issuperset(after):
        yield next(line for line, end in enumerate(after, 1) if end not in known), "its line ends are not as they were"
    elif len(before) == len(after) and before != after and not is_home:
        pairs = zip(before, after, strict=True)
        yield next(line for line, (one, two) in enumerate(pairs, 1) if one != two), "its line ends are not as they were"
    if not is_home and old.count(b"\f") != new.count(b"\f"):
        yield 1, "its form feeds are not as they were"
    ends = [content.endswith((b"\r", b"\n")) for content in (old, new)]
    if ends[0] != ends[1] and old.splitlines()[-1] == new.splitlines()[-1]:
        yield len(new.splitlines()), "the end of its last line is not as it was"
