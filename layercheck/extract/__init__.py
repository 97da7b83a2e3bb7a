"""Text -> facts, as a pure function of one file: the face of the only readers of syntax trees."""

from __future__ import annotations

from layercheck.extract.comments import comments
from layercheck.extract.needs import needs
from layercheck.extract.occurrences import Occurrence, occurrences
from layercheck.extract.outline import outline
from layercheck.extract.parse import Parsed
from layercheck.extract.positions import Text
from layercheck.extract.reading import read
from layercheck.extract.resolve import facts
from layercheck.extract.tokens import literal, tokens
from layercheck.extract.visit import walk_all
from layercheck.facts import ModuleFacts, ParseFailure

__all__ = ["Occurrence", "extract", "literal", "needs", "occurrences", "outline", "tokens"]

_TOO_DEEP = ModuleFacts(failure=ParseFailure("nests too deeply for this Python to parse; break it up", 1, 1))


def extract(content: bytes) -> ModuleFacts:
    """All facts of one Python file, from its bytes alone.

    Raises nothing, whatever the bytes: a file that cannot be decoded or parsed has a ``failure`` that says why.
    """
    return read(content, _extract, lambda failure: ModuleFacts(failure=failure), too_deep=_TOO_DEEP)


def _extract(source: str, parsed: Parsed) -> ModuleFacts:
    walk = walk_all(parsed)
    text = Text(source)
    return facts(walk, parsed, text, comments(text, parsed.tree))
