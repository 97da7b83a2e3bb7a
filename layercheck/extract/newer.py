"""Which Python a text needs that this one does not parse, a newer one or Python 2: proved by writing its forms in
another way and parsing that. The outcome is a version; nothing else is learnt from the text that is written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator

Version = tuple[int, int]
Form = Callable[[str], str]
"""A text, with one form written in another way."""

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


def _named(pattern: str, new: str) -> Form:
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
        elif token["quote"] and "t" in token["prefix"].lower():
            return None  # what is newer than the string that it stands in is not for this form to hide
        elif token["quote"] and "f" in token["prefix"].lower():
            quotes.append(token["quote"])
            depths.append(0)
        elif token["quote"]:
            at = _end_of_text(text, token["quote"], at)
    return at


def _bracketed(other: str, depth: int = 5) -> str:
    """Square brackets within one another, so deep, around characters of ``other``."""
    inside = rf"[^\[\]{other}]*"
    pattern = rf"\[{inside}\]"
    for _ in range(depth):
        pattern = rf"\[{inside}(?:{pattern}{inside})*\]"
    return pattern


_PARAMETERS, _DEFAULTS = _bracketed("="), _bracketed("")
_HEAD = r"^([ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+[ \t]*)"
_BLOCK = r"(?:if|elif|else|for|while|with|try|except|finally|class|def|async|case)"
_START = rf"((?:^|;)[ \t]*|^[ \t]*{_BLOCK}\b[^\n]{{0,500}}:[ \t]*)"
"""Where a statement starts: a line, or behind another one or the head of a block on the same line."""
_GAP = r"(?:[ \t]|\\\n)+"
_TYPE = rf"{_START}type{_GAP}(\w+)[ \t]*"
_BEFORE_STAR = r"(\[[ \t]*|\[[^\[\](){}\n]{1,500},[ \t]*|\*\w+[ \t]*:[ \t]*)"
_CLASSES = r"((?:[^\n:#()\[\]]|\([^\n()]*\)|\[[^\n\[\]]*\])+)"
"""What stands between ``except`` and its colon."""
_EXCEPT: Form = _named(rf"^([ \t]*except\b[ \t]*\*?)(?![^\n:]*[ \t)]as[ \t]){_CLASSES}:", r"\1 (\2):")

_FORMS: tuple[tuple[Version, Form], ...] = (
    ((3, 11), _named(r"^([ \t]*except)[ \t]*\*", r"\1 ")),  # PEP 654
    ((3, 11), _named(_BEFORE_STAR + r"\*(?=[A-Za-z_])(?![^;\]]{0,500}\sfor\s)", r"\1")),  # PEP 646
    ((3, 11), _named(r"(,[ \t]*)\*(?=[\w.]+[ \t]*\])", r"\1")),  # PEP 646
    ((3, 12), _named(_HEAD + _PARAMETERS, r"\1")),  # PEP 695
    ((3, 12), _named(_TYPE + rf"(?:{_PARAMETERS})?[ \t]*=", r"\1\2 =")),  # PEP 695
    ((3, 12), _without_formatted),  # PEP 701
    ((3, 13), _named(_HEAD + _DEFAULTS, r"\1")),  # PEP 696
    ((3, 13), _named(_TYPE + rf"(?:{_DEFAULTS})?[ \t]*=", r"\1\2 =")),  # PEP 696
    ((3, 14), _EXCEPT),  # PEP 758
    ((3, 14), _named(r"(?<![\w'\"])(?:[tT]([rR]?)|([rR])[tT])(?=['\"])", r"\1\2f")),  # PEP 750
    ((3, 15), _named(rf"{_START}lazy{_GAP}(?=import\b|from\b)", r"\1")),  # PEP 810
    ((3, 15), _named(r"([\[{(]\s*)\*\*?(?=[^;]{0,500}\sfor\s)", r"\1")),  # PEP 798
)
"""The forms that a version brought, and how to write them in an older way, as far as its parser can tell."""


_OLD_FORMS: tuple[Form, ...] = (
    _EXCEPT,
    _named(rf"{_START}print\b[ \t]*(?:>>[ \t]*)?(?=[^\s=(.,:;)\]])", r"\1print, "),
    _named(rf"{_START}exec[ \t]+(?=[\w'\"])", r"\1exec, "),
    _named(rf"{_START}raise[ \t]+(?=[^\n#]{{1,500}},)", r"\1return "),
    _named(r"`([^`\n]+)`", r"(\1)"),
    _named(r"<>", "!="),
    _named(r"\b(0[xX][\da-fA-F]+|\d+)[lL]\b", r"\1"),
    _named(r"(?<![\w.])0+(?=[1-7][0-7]*\b)", "0o"),
    _named(r"\b[uU][rR](?=['\"])", "r"),
)
"""The forms of Python 2 that Python 3 does not have, and how it writes what its parser takes in their place."""


def is_old(text: str, parses: Callable[[str], bool]) -> bool:
    """Whether a text that Python 3 does not parse is Python 2. ``parses``: whether this Python parses a text."""
    written = text
    for form in _OLD_FORMS:
        written = form(written)
    return written != text and parses(written)


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
