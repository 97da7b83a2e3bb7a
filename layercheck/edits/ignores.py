"""In-line ignores taken out of the code: the whole comment, or one of the names in its brackets."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from layercheck.edits.source import Edit, Source
from layercheck.extract.comments import OWN
from layercheck.facts import Comment


def without_codes(source: Source, comment: Comment, codes: Collection[str]) -> Iterator[Edit]:
    """The edits that take codes out of an ignore. With the last one, or the empty code, the whole of it goes."""
    start, end = source.stretch(comment.span)
    match = OWN.search(source.text, start, end)
    if match is None:
        return
    kept = [code for code in comment.codes if code not in codes]
    if kept and "" not in codes:
        yield Edit(*match.span("codes"), ", ".join(kept))
        return
    further = source.text.find("#", match.end("bracket") if match["bracket"] else match.start() + 1, end)
    stop = end if further < 0 else further
    line = source.line_start(start)
    if further >= 0:
        yield Edit(match.start(), stop)
    elif not source.text[line : match.start()].strip(" \t"):
        yield Edit(line, source.next_line(stop))
    else:
        yield Edit(len(source.text[: match.start()].rstrip(" \t")), stop)
