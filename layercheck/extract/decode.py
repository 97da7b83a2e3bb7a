"""Bytes -> text, as Python itself would read a source file. Knows nothing of syntax."""

from __future__ import annotations

import codecs
import re
import warnings

from layercheck.facts import ParseFailure

_COOKIE = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK = re.compile(r"[ \t\f]*(?:#.*)?\Z", re.ASCII)
_WIDE = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def decode(content: bytes) -> str | ParseFailure:
    """The text of a source file, every line end a line feed; or why it has none.

    Honours a byte order mark and an encoding cookie (PEP 263; language reference 2.1.4, "Encoding declarations").
    """
    for mark, name in _WIDE:
        if content.startswith(mark):
            return ParseFailure(f"is encoded in {name}, which Python does not read; save it as UTF-8", 1, 1)
    marked = content.startswith(codecs.BOM_UTF8)
    if marked:
        content = content[len(codecs.BOM_UTF8) :]
    cookie, line = _cookie(content[:4096].decode("latin-1"))
    encoding = cookie or "utf-8"
    if marked and not _is_utf8(encoding):
        return ParseFailure(
            f"declares the encoding {encoding} but begins with a UTF-8 mark; remove one of them", line, 1
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes, by encodings that have any
            text = content.decode(encoding)
    except UnicodeDecodeError as error:
        return _undecodable(content, error, cookie)
    except (LookupError, ValueError):
        return ParseFailure(f"declares the encoding {encoding}, which Python does not know; correct it", line, 1)
    text = _plain_line_ends(text)
    # An encoding that is no superset of ASCII (utf-16, utf-7 tricks) would not find its own cookie again.
    if cookie and _cookie(text[:4096])[0] != cookie:
        return ParseFailure(f"declares the encoding {encoding}, but is not encoded in it; save it as UTF-8", line, 1)
    nul = text.find("\0")
    if nul >= 0:
        return ParseFailure("holds a NUL byte, which Python does not accept; remove it", *_place(text, nul))
    return text


def encoding_of(content: bytes) -> tuple[int, str]:
    """The byte at which the text of a source file begins, and the encoding in which it is read."""
    start = len(codecs.BOM_UTF8) if content.startswith(codecs.BOM_UTF8) else 0
    return start, _cookie(content[start : start + 4096].decode("latin-1"))[0] or "utf-8"


def _cookie(start: str) -> tuple[str, int]:
    """The encoding declared in the first two lines and the line it stands on; empty and 1 where none is."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", start, maxsplit=2)[:2], start=1):
        match = _COOKIE.match(line)
        if match:
            return match.group(1), number
        if not _BLANK.match(line):
            break
    return "", 1


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name in {"utf-8", "utf-8-sig"}
    except LookupError:
        return False


def _undecodable(content: bytes, error: UnicodeDecodeError, cookie: str) -> ParseFailure:
    try:
        readable = content[: error.start].decode(error.encoding)
    except (LookupError, ValueError):  # some encodings cannot say where they fail
        readable = content[: error.start].decode("latin-1")
    before = _plain_line_ends(readable)
    line, column = _place(before, len(before))
    byte = f"0x{content[error.start]:02x}" if error.start < len(content) else "end"
    if cookie:
        message = f"is not valid {cookie}, which it declares (byte {byte}); save it so, or declare what it is"
    else:
        message = f"is not valid UTF-8 (byte {byte}); save it as UTF-8, or declare its encoding in the first line"
    return ParseFailure(message, line, column)


def _plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of the character at an index."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
