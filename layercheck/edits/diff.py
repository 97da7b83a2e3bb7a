"""Old and new bytes of files -> a unified diff that ``git apply`` and ``patch`` take. Bytes in, bytes out."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping

_NO_NEWLINE = b"\\ No newline at end of file\n"
_ODD = re.compile(rb'[\x00-\x1f\x7f-\xff"\\]')
_ESCAPES = {ord("\t"): rb"\t", ord("\n"): rb"\n", ord("\r"): rb"\r", ord('"'): rb"\"", ord("\\"): rb"\\"}


def unified(files: Mapping[str, tuple[bytes | None, bytes]]) -> bytes:
    """The diff of files by path, each with its old and its new bytes; None for a file that is new. Files that are the
    same leave no trace."""
    return b"".join(piece for path in sorted(files) for piece in _one(path, *files[path]))


def _one(path: str, old: bytes | None, new: bytes) -> Iterator[bytes]:
    name = os.fsencode(path)
    before = _quoted(b"a/" + name) if old is not None else b"/dev/null"
    if old is None:
        # Without it git would take an empty new file for none.
        yield b"diff --git %s %s\nnew file mode 100644\n" % (_quoted(b"a/" + name), _quoted(b"b/" + name))
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(old or b""), _lines(new), before, _quoted(b"b/" + name))
    for line in lines:
        yield line if line.endswith(b"\n") else line + b"\n" + _NO_NEWLINE


def _lines(content: bytes) -> list[bytes]:
    """The lines as these tools count them: only a line feed ends one."""
    parts = content.split(b"\n")
    return [*(part + b"\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]


def _quoted(name: bytes) -> bytes:
    """A file name as git writes it: quoted where it holds odd characters, with a tab behind where it holds spaces."""
    if _ODD.search(name):
        return b'"' + _ODD.sub(lambda match: _escape(match.group()[0]), name) + b'"'
    return name + b"\t" if b" " in name else name


def _escape(byte: int) -> bytes:
    return _ESCAPES.get(byte, b"\\%03o" % byte)
