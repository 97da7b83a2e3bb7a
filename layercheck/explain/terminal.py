"""Markdown, as the pages about checks are written in it, laid out in lines for a terminal. Knows nothing of checks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

_WIDTH = 80
_INDENT = "    "
_BOLD = "\x1b[1m{}\x1b[0m"
_ITEM = re.compile(r"(?P<indent> *)(?P<mark>[-*]|\d+\.) +(?P<text>.*)")
_INLINE = re.compile(r"(?P<code>`[^`]*`)|\[(?P<text>[^\]]*)\]\((?P<target>[^)]*)\)|\*\*")
_CELL = re.compile(r"(?<!\\)\|")


def render(page: str, *, colour: bool = False) -> str:
    """A page in lines of 80 columns, but for its code. ``colour``: headings are set off."""
    blocks = [[*_block(lines, colour=colour)] for lines in _blocks(page.split("\n"))]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Stretches of lines that belong together: what blank lines part, but for those in code."""
    block: list[str] = []
    fenced = False
    for line in lines:
        if line.startswith("```"):
            if not fenced and block:
                yield block
                block = []
            fenced = not fenced
            block.append(line)
            if not fenced:
                yield block
                block = []
        elif line.startswith("#") and not fenced:
            if block:
                yield block
            yield [line]
            block = []
        elif fenced or line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _block(lines: list[str], *, colour: bool) -> Iterator[str]:
    first = lines[0]
    if first.startswith("```"):
        yield from (f"{_INDENT}{line}".rstrip() for line in lines[1:-1])
    elif first.startswith("    "):
        yield from lines
    elif first.startswith("#"):
        heading = _inline(first.lstrip("# "))
        yield _BOLD.format(heading) if colour else heading
        yield ("=" if first.startswith("# ") else "-") * len(heading)
    elif first.startswith("|"):
        yield from _table(lines)
    else:
        yield from _text(lines)


def _text(lines: Sequence[str]) -> Iterator[str]:
    """Paragraphs and the items of lists; a line that begins neither goes on with what stands before it."""
    parts: list[tuple[str, str, list[str]]] = []
    for line in lines:
        item = _ITEM.fullmatch(line)
        if item is not None:
            mark = f"{item['indent']}{item['mark']} "
            parts.append((mark, " " * len(mark), [item["text"]]))
        elif parts:
            parts[-1][2].append(line.strip())
        else:
            parts.append(("", "", [line.strip()]))
    for first, later, words in parts:
        yield from _wrapped(" ".join(words), first, later)


def _table(lines: Sequence[str]) -> Iterator[str]:
    """Each row as what its first cell says, what the others add in brackets, and its last cell below."""
    header, *rows = (_cells(line) for line in lines if not re.fullmatch(r"[|:\- ]+", line))
    for row in rows:
        between = [f"{title}: {cell}" for title, cell in zip(header[1:-1], row[1:-1], strict=True) if cell]
        yield from _wrapped(row[0] + (f" ({', '.join(between)})" if between else ""))
        yield from _wrapped(row[-1], _INDENT, _INDENT)


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip().strip("|"))]


def _wrapped(text: str, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(
        _inline(text),
        _WIDTH,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _inline(text: str) -> str:
    """Text as it is read: code as it is, links as their text, with the address where that leads out of the docs, and no
    marks of emphasis."""
    return _INLINE.sub(_read, text)


def _read(match: re.Match[str]) -> str:
    if match["code"]:
        return match["code"]
    target = match["target"] or ""
    return f"{match['text'] or ''} ({target})" if target.startswith("http") else match["text"] or ""
