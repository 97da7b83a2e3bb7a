"""Text -> syntax tree, and a stack large enough for deep ones. Knows nothing of what the tree means."""

from __future__ import annotations

import ast
import re
import sys
import threading
import warnings
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from layercheck.extract.newer import is_old, needed
from layercheck.facts import ParseFailure

_T = TypeVar("_T")
_TYPE_COMMENT = re.compile(r"#[ \t]*type:[ \t]*(?!ignore\b)([^\n#]*)")
_DIGITS = re.compile(r"Exceeds the limit \(\d+(?: digits)?\) for integer string conversion")
_PYTHON_2 = ("Missing parentheses in call to 'print'", "Missing parentheses in call to 'exec'")
_WORD = re.compile(r"[^\W\d]\w*")
_STACK = 512 * 1024 * 1024
"""Bytes of stack for deep trees. It is address space: the system only gives what is touched."""
_DEPTH = 100_000
_PER_BYTE = 256
"""Bytes of stack for each byte of source: a level of the tree takes two bytes of source or more, and less than 512 of
stack."""
_UNBOUNDED = sys.version_info < (3, 11)
"""Whether the parser goes as deep as the source does, without a look at the stack."""
_SHORT = 32 * 1024
"""The bytes of source that cannot make a tree too deep for an ordinary stack."""
_lock = threading.Lock()


class Parsed(NamedTuple):
    """A tree, and the words of its ``# type:`` comments where they stand at places that the grammar does not know."""

    tree: ast.Module
    typed: bool
    """Whether the tree holds type comments."""
    stray: tuple[str, ...]


def parse(text: str) -> Parsed | ParseFailure:
    """The syntax tree of a module, or why it has none.

    Raises RecursionError or MemoryError for trees too deep for the stack it is called on.
    """
    comments = _TYPE_COMMENT.findall(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if comments:
            try:
                return Parsed(ast.parse(text, type_comments=True), True, ())
            except SyntaxError:
                pass  # a type comment out of place is an error to this parser only: the plain one decides
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            return _failure(text, error)
        except ValueError:
            return ParseFailure("holds characters that Python cannot encode (lone surrogates); save it as UTF-8", 1, 1)
    return Parsed(tree, False, tuple(word for comment in comments for word in _WORD.findall(comment)))


def _failure(text: str, error: SyntaxError) -> ParseFailure:
    if _DIGITS.match(error.msg):
        # No newer Python reads it either (CPython documentation, "Integer string conversion length limitation").
        return ParseFailure(
            f"holds an integer of more than {sys.get_int_max_str_digits():,} digits, which Python does not read: "
            "write it in hexadecimal",
            max(error.lineno or 1, 1),
            max(error.offset or 1, 1),
        )
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if not error.msg.startswith(_PYTHON_2) and (newer := needed(text, _parses)) is not None:
        why = f"needs Python {newer[0]}.{newer[1]} or later, and layercheck runs under Python {version} ({error.msg})"
    elif error.msg.startswith(_PYTHON_2) or is_old(text, _parses):
        why = f"is Python 2, which layercheck does not read ({error.msg})"
    else:
        why = f"does not parse under Python {version} ({error.msg})"
    return ParseFailure(why, max(error.lineno or 1, 1), max(error.offset or 1, 1))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def on_deep_enough_stack(work: Callable[[], _T], otherwise: _T, source: int) -> _T:
    """What ``work`` returns for a source of so many bytes: on the ordinary stack where that does, else on a deep one;
    ``otherwise`` where even that is too small."""
    if not (_UNBOUNDED and source > _SHORT):  # else the ordinary stack might end the interpreter
        try:
            return work()
        except (RecursionError, MemoryError):
            pass
    return _on_deep_stack(work, otherwise, source)


def _on_deep_stack(work: Callable[[], _T], otherwise: _T, source: int) -> _T:
    results: list[_T] = []

    def run() -> None:
        try:
            results.append(work())
        except (RecursionError, MemoryError):
            results.append(otherwise)

    with _lock:
        limit = sys.getrecursionlimit()
        size = threading.stack_size(max(_STACK, _PER_BYTE * source // 4096 * 4096) if _UNBOUNDED else _STACK)
        try:
            sys.setrecursionlimit(_DEPTH)
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
        except (RuntimeError, MemoryError):
            return otherwise  # the system refuses a stack of this size
        finally:
            threading.stack_size(size)
            sys.setrecursionlimit(limit)
    return results[0] if results else otherwise
