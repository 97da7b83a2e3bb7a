"""Comments that silence a checker, and the lines that each covers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from layercheck.extract.positions import Text
from layercheck.facts import Comment, Span

_HINTS = ("layercheck", "noqa", "pylint")
"""The words of which each comment that is meant here has one, in any case."""
_LEXEME = re.compile(
    r"(?P<comment>\#[^\n]*)|\\."
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'",
    re.DOTALL,
)
"""Comments, strings and escapes: what looks like a comment inside a string is none (language reference 2.1.3)."""

OWN = re.compile(r"#\s*layercheck:\s*ignore(?![\w-])(?P<bracket>\[(?P<codes>[^\]]*)(?P<closed>\])?)?(?P<reason>.*)")
_MEANT = re.compile(r"#\s*layercheck\s*(?P<colon>:?)\s*(?P<word>[A-Za-z][\w-]*)(?P<bracket>\[)?")
_INTENTS = frozenset(
    ("allow", "disable", "disabled", "ignore", "ignored", "nolint", "noqa", "off", "skip", "suppress", "suppressed")
)
"""Words that are meant to silence, alone or before a hyphen."""
MISSPELT = "layercheck: "
"""Leads the one code of a comment that is meant for layercheck, in words that it does not know: those follow."""
_CODE_LIST = r"[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*"
_NOQA = re.compile(rf"#\s*noqa(?![\w-])(?:\s*:\s?(?P<codes>{_CODE_LIST}))?", re.IGNORECASE)
_FILE_NOQA = re.compile(
    rf"#\s*(?:ruff|flake8)\s*[:=]\s*noqa(?![\w-])(?:\s*:\s?(?P<codes>{_CODE_LIST}))?", re.IGNORECASE
)
_PYLINT = re.compile(r"#.*?\bpylint:\s*(?P<rest>[^#]*)")
_PYLINT_PART = re.compile(r"(?P<what>disable-next|disable|skip-file)\b(?:\s*=\s*(?P<codes>[\w-]+(?:\s*,\s*[\w-]+)*))?")


class _Piece(NamedTuple):
    """A comment in the text."""

    line: int
    column: int
    """From 0, in characters."""
    text: str
    alone: bool
    """Whether it has the line for itself."""


class _Stretch(NamedTuple):
    """A statement, the header of one, or a decorator: what a comment on it covers."""

    first: int
    last: int
    end: int
    """The last line of a compound statement's body; its own last line where it has none."""
    indent: int
    names: frozenset[int]
    """The lines on which an import of several lines names what it imports."""


def comments(text: Text, tree: ast.Module) -> tuple[Comment, ...]:
    """The comments of a file that silence a checker, in the order of the text."""
    if not _is_hint(text.source):
        return ()
    pieces = list(_pieces(text))
    if not pieces:
        return ()
    around = _around(pieces, sorted(_stretches(tree.body, text.lines), key=lambda part: part.first))
    return tuple(
        comment for piece, near in zip(pieces, around, strict=True) for comment in _read(piece, near, text.count)
    )


def _is_hint(text: str) -> bool:
    text = text.lower()
    return any(word in text for word in _HINTS)


def _around(pieces: list[_Piece], stretches: list[_Stretch]) -> Iterator[list[_Stretch]]:
    """For each piece the stretches that its line lies in, their bodies included. Both are given in order."""
    waiting = iter(stretches)
    coming = next(waiting, None)
    here: list[_Stretch] = []
    for piece in pieces:
        while coming is not None and coming.first <= piece.line:
            here.append(coming)
            coming = next(waiting, None)
        here = [part for part in here if piece.line <= part.end]
        yield here


def _pieces(text: Text) -> Iterator[_Piece]:
    source = text.source
    line, start = 1, 0
    for match in _LEXEME.finditer(source):
        if match.lastgroup != "comment" or not _is_hint(match.group()):
            continue
        line += source.count("\n", start, match.start())
        start = match.start()
        column = start - (source.rfind("\n", 0, start) + 1)
        yield _Piece(line, column, match.group(), not source[start - column : start].strip())


def _read(piece: _Piece, stretches: list[_Stretch], lines: int) -> Iterator[Comment]:
    """What one comment silences, in the words of each tool."""
    span = Span(piece.line, piece.column + 1, piece.line, piece.column + 1 + len(piece.text))
    own = OWN.search(piece.text)
    if own:
        yield Comment("layercheck", _own_codes(own), own["reason"].strip(), span, *_covered(piece, stretches))
    elif meant := _meant(piece.text):
        yield Comment("layercheck", (MISSPELT + meant,), "", span, piece.line, piece.line)
    whole = _FILE_NOQA.match(piece.text) if piece.alone else None
    if whole:
        yield Comment("noqa", _noqa_codes(whole), "", span, 1, lines)
    else:
        noqa = _NOQA.search(piece.text)
        if noqa:
            yield Comment("noqa", _noqa_codes(noqa), "", span, *_covered(piece, stretches))
    pylint = _PYLINT.match(piece.text)
    for part in _PYLINT_PART.finditer(pylint["rest"]) if pylint else ():
        codes = tuple(code.strip() for code in (part["codes"] or "").split(",") if code.strip())
        if part["what"] == "skip-file":
            yield Comment("pylint", (), "", span, 1, lines)
        elif codes:
            codes = () if "all" in codes else codes
            yield Comment("pylint", codes, "", span, *_pylint_lines(piece, part["what"], stretches, lines))


def _meant(text: str) -> str:
    """The word that a comment has for layercheck in place of ``ignore``; empty where it is prose."""
    match = _MEANT.search(text)
    if match is None:
        return ""
    word = re.split("[-_]", match["word"].lower())[0]
    return match["word"] if match["bracket"] or (match["colon"] and word in _INTENTS) else ""


def _own_codes(match: re.Match[str]) -> tuple[str, ...]:
    """None for a comment without brackets; an empty one for empty brackets, so that it can be called wrong."""
    if match["bracket"] is None:
        return ()
    codes = tuple(code.strip() for code in match["codes"].split(","))
    return codes if match["closed"] else (match["bracket"],)


def _noqa_codes(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(code.upper() for code in re.split(r"[\s,]+", match["codes"] or "") if code)


def _covered(piece: _Piece, stretches: list[_Stretch]) -> tuple[int, int]:
    """The lines that a comment at the end of a line covers: its statement, or the one imported name beside it."""
    line = piece.line
    here = [] if piece.alone else [part for part in stretches if part.first <= line <= part.last]
    if not here:
        return line, line
    named = any(line in part.names for part in here)
    if named or not any(line in (part.first, part.last) for part in here):
        return line, line
    return min(part.first for part in here), max(part.last for part in here)


def _pylint_lines(piece: _Piece, what: str, stretches: list[_Stretch], lines: int) -> tuple[int, int]:
    """pylint's own rules: the next line; alone on a line, to the end of the block; else the statement with its body."""
    line = piece.line
    if what == "disable-next":
        return line + 1, line + 1
    if piece.alone:
        around = [part.end for part in stretches if part.first < line <= part.end and part.indent < piece.column]
        return line, min(around, default=lines)
    here = [part for part in stretches if part.first <= line <= part.last]
    return min([line, *(part.first for part in here)]), max([line, *(part.end for part in here)])


def _stretches(body: list[ast.stmt], lines: list[str]) -> Iterator[_Stretch]:
    """Every statement, header and decorator."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                last = decorator.end_lineno or decorator.lineno
                yield _Stretch(decorator.lineno, last, last, node.col_offset, frozenset())
        blocks = list(_blocks(node))
        end = node.end_lineno or node.lineno
        if not blocks:
            yield _Stretch(node.lineno, end, end, node.col_offset, _name_lines(node, end, lines))
            continue
        for header, block in blocks:
            last = _colon(block[0], lines)
            yield _Stretch(header or last, max(header, last), end, node.col_offset, frozenset())
            yield from _stretches(block, lines)


def _blocks(node: ast.stmt) -> Iterator[tuple[int, list[ast.stmt]]]:
    """The blocks of a compound statement, each with the line on which its header begins; 0 where it has but one."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        for part in getattr(node, name, ()):
            if isinstance(part, ast.ExceptHandler):
                yield part.lineno, part.body
            elif isinstance(part, ast.match_case):
                yield part.pattern.lineno, part.body
            else:
                is_elif = name == "orelse" and isinstance(node, ast.If) and isinstance(part, ast.If)
                yield node.lineno if name == "body" else part.lineno if is_elif else 0, getattr(node, name)
                break


def _colon(first: ast.stmt, lines: list[str]) -> int:
    """The line on which the header ends that stands above a block's first statement, or on the same line."""
    top = _top(first)
    if lines[top - 1][: first.col_offset].strip():
        return top
    line = top - 1
    while line > 1 and lines[line - 1].lstrip()[:1] in ("", "#"):
        line -= 1
    return line


def _top(node: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def _name_lines(node: ast.stmt, end: int, lines: list[str]) -> frozenset[int]:
    if not isinstance(node, ast.Import | ast.ImportFrom) or end == node.lineno:
        return frozenset()
    if all(line.rstrip().endswith("\\") for line in lines[node.lineno - 1 : end - 1]):
        # Behind a backslash no comment can stand, so the one on the last line is for the whole.
        return frozenset()
    return frozenset(alias.lineno for alias in node.names if alias.name != "*")
