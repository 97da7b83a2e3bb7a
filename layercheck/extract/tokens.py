"""Text -> tokens, as far as two texts that differ only in layout are told from two that say something else."""

from __future__ import annotations

import ast
import io
import tokenize

from layercheck.extract.decode import decode
from layercheck.facts import ParseFailure
from layercheck.outline import Token

_MEANS_NOTHING = frozenset({tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_LAYOUT = {tokenize.NEWLINE: "end", tokenize.INDENT: "in", tokenize.DEDENT: "out"}
_STRINGS = frozenset(
    {tokenize.STRING}
    | {getattr(tokenize, name) for name in ("FSTRING_MIDDLE", "TSTRING_MIDDLE") if hasattr(tokenize, name)}
)


def tokens(content: bytes) -> tuple[Token, ...] | None:
    """The tokens of one Python file, from its bytes alone; None where it cannot be taken apart."""
    source = decode(content)
    if isinstance(source, ParseFailure):
        return None
    try:
        return tuple(
            _token(one)
            for one in tokenize.generate_tokens(io.StringIO(source).readline)
            if one.type not in _MEANS_NOTHING
        )
    except (tokenize.TokenError, SyntaxError):
        return None


def literal(text: str) -> str | None:
    """What the token of a text or of bytes stands for, bytes as Latin-1; None for one that no literal is by itself."""
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return None
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _token(one: tokenize.TokenInfo) -> Token:
    line = one.start[0]
    if one.type in _LAYOUT:
        return Token("layout", _LAYOUT[one.type], line)
    if one.type == tokenize.NAME:
        return Token("name", one.string, line)
    if one.type in _STRINGS:
        return Token("string", one.string, line)
    return Token("comment" if one.type == tokenize.COMMENT else "other", one.string, line)
