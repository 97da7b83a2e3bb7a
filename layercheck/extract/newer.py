"""Which Python a text needs that this one does not parse: proved by writing the newer forms in an older way and
parsing that. Its outcome is a number of a version; nothing else is learnt from the text that it writes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator

Version = tuple[int, int]

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)"""
    r"""|(?<![^\W\d])(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|')"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])"""
)
_TEXT = {
    quote: re.compile(rf"\\.|(?P<end>{quote})" + (r"|(?P<end2>\n)" if len(quote) == 1 else ""), re.DOTALL)
    for quote in ('"""', "'''", '"', "'")
}
_FORMATTED = {quote: re.compile(rf"\\.|\{{\{{|\}}\}}|(?P<open>\{{)|(?P<end>{quote})", re.DOTALL) for quote in _TEXT}


def _named(pattern: str, new: str) -> Callable[[str], str]:
    expression = re.compile(pattern, re.MULTILINE)
    return lambda text: expression.sub(new, text)


def _without_formatted(text: str) -> str:
    """A text with an empty string in place of each formatted one, whatever its quotes and replacement fields hold
    (PEP 701)."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    start = at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        quote = token["quote"]
        if quote is None:
            continue
        if "f" not in token["prefix"].lower():
            at = _end_of_text(text, quote, at)
            continue
        end = _end_of_formatted(text, quote, at)
        if end is None:
            break
        yield text[start : token.start()]
        yield "''"
        start = at = end
    yield text[start:]


def _end_of_text(text: str, quote: str, at: int) -> int:
    while (found := _TEXT[quote].search(text, at)) is not None:
        at = found.end()
        if found["end"] or (len(quote) == 1 and found["end2"]):
            return at
    return len(text)


def _end_of_formatted(text: str, quote: str, at: int) -> int | None:
    """Where a formatted string ends, from just behind its opening quote; None where it does not. Its fields may hold
    such strings in turn."""
    quotes, depths = [quote], [0]
    while quotes:
        if not depths[-1]:
            found = _FORMATTED[quotes[-1]].search(text, at)
            if found is None:
                return None
            at = found.end()
            if found["end"]:
                quotes.pop()
                depths.pop()
            elif found["open"]:
                depths[-1] = 1
            continue
        token = _TOKEN.search(text, at)
        if token is None:
            return None
        at = token.end()
        if token["open"]:
            depths[-1] += 1
        elif token["close"]:
            depths[-1] -= 1
        elif token["quote"] and "f" in token["prefix"].lower():
            quotes.append(token["quote"])
            depths.append(0)
        elif token["quote"]:
            at = _end_of_text(text, token["quote"], at)
    return at


_PARAMETERS = r"\[[^\[\]=]*(?:\[[^\[\]=]*\][^\[\]=]*)*\]"
_DEFAULTS = r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]"
_HEAD = r"^([ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+[ \t]*)"
_TYPE = r"^([ \t]*)type[ \t]+(\w+)[ \t]*"

_FORMS: tuple[tuple[Version, Callable[[str], str]], ...] = (
    ((3, 11), _named(r"^([ \t]*except)[ \t]*\*", r"\1 ")),  # PEP 654
    ((3, 11), _named(r"([\[,:][ \t]*)\*(?=[A-Za-z_][\w.]*[ \t]*[\],)])", r"\1")),  # PEP 646
    ((3, 12), _named(_HEAD + _PARAMETERS, r"\1")),  # PEP 695
    ((3, 12), _named(_TYPE + rf"(?:{_PARAMETERS})?[ \t]*=", r"\1\2 =")),  # PEP 695
    ((3, 12), _without_formatted),  # PEP 701
    ((3, 13), _named(_HEAD + _DEFAULTS, r"\1")),  # PEP 696
    ((3, 13), _named(_TYPE + rf"(?:{_DEFAULTS})?[ \t]*=", r"\1\2 =")),  # PEP 696
    ((3, 14), _named(r"^([ \t]*except)[ \t]+(?=[^\n:#(]{1,500},)([^\n:#]*):", r"\1 (\2):")),  # PEP 758
    ((3, 14), _named(r"(?<![\w'\"])(?:[tT]([rR]?)|([rR])[tT])(?=['\"])", r"\1\2f")),  # PEP 750
    ((3, 15), _named(r"^([ \t]*)lazy[ \t]+(?=import\b|from\b)", r"\1")),  # PEP 810
    ((3, 15), _named(r"([\[{(][ \t]*)\*\*?(?=[^\n]{0,500}[ \t]for[ \t])", r"\1")),  # PEP 798
)
"""The forms that a version brought, and how to write them in an older way, as far as its parser can tell."""


def needed(text: str, parses: Callable[[str], bool]) -> Version | None:
    """The first version of Python that parses a text which this one does not; None where none is known that does.

    ``parses``: whether this Python parses a text.
    """
    for version in sorted({one for one, _ in _FORMS if one > sys.version_info[:2]}):
        older = text
        # The newest first: what they are written as may be a form of a version between.
        for brought, written in reversed(_FORMS):
            if sys.version_info[:2] < brought <= version:
                older = written(older)
        if older != text and parses(older):
            return version
    return None
