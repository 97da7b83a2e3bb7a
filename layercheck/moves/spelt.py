"""Texts of Python files that lead to what moved in more words than a dotted name: pairs, tables of a lazy package,
entry points, code in strings, examples in docstrings, keys of ``sys.modules``, bytes. Prose is not looked at."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from layercheck.extract import literal
from layercheck.moves.model import Reason, Target, Unsupported
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change
from layercheck.names import head, is_within, join, relative, tail
from layercheck.outline import Token
from layercheck.project import Member

_QUOTED = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")(.*)\2", re.DOTALL)
_EXAMPLE = re.compile(r"\s*(?:>>>|\.\.\.)\s")
"""A line of an example that ``doctest`` runs."""
_BOUND = re.compile(r"\b(?:def|class|for|as)\s+(\w+)|(\w+)\s*=(?!=)")


def spelt(change: Change, pairs: Iterable[Pair]) -> Iterator[Target | Unsupported]:
    """The texts of the new state that still lead to the old home of what moved."""
    homes: dict[str, dict[str, str]] = {}
    for pair in pairs:
        home, name = pair.before.key
        homes.setdefault(home, {})[name] = join(*pair.after.key)
    said: dict[tuple[str, str], bool] = {}
    for home, moved in sorted(homes.items()):
        stays = change.new.member(home)
        resolver = change.new.project.resolver
        gone = {name for name in moved if stays is None or resolver.find(stays, name) == "missing"}
        for member in change.new.project.members:
            content = change.new.contents.get(member.path, b"")
            top = f"{head(home)}." if "." in home else home
            if (member.path, top) not in said:
                said[member.path, top] = _is_more_than_imported(member, content, top)
            lazy = relative(home, member.base) if member.facts.open and is_within(home, member.base) else ""
            always = (member.name == home and b">>>" in content) or (bool(lazy) and tail(lazy).encode() in content)
            if not always and not (said[member.path, top] and _may_spell(member, content, home)):
                continue
            tokens = [one for one in change.new.tokens(member.path) or () if one.kind != "comment"]
            for line in _in_bytes(tokens, home, moved):
                yield Unsupported(
                    member.path, line, Reason("bytes name {0}: what they lead to cannot be told", (home,))
                )
            found = [*_found(tokens, home, moved)]
            if stays is not None and member.path == stays.path:
                found += _of_examples(tokens, gone)
            if lazy:
                found += _of_table(tokens, (lazy, f".{lazy}", home), set(moved))
            for line, name in dict.fromkeys(found):
                if name:
                    shown, broken = join(home, name), name in gone
                    yield Target(member.path, None, line, shown, "still-old", moved[name], broken=broken)
                elif stays is None:
                    yield Target(member.path, None, line, home, "still-old", broken=True)
                else:
                    why = Reason("{0} is used as a whole: what is taken from it cannot be told", (stays.id,))
                    yield Unsupported(member.path, line, why)


def _may_spell(member: Member, content: bytes, home: str) -> bool:
    """Whether a file names a home elsewhere than in its own imports, so far as that is to be had without its tokens."""
    return tail(home).encode() in content and _is_more_than_imported(member, content, home)


def _is_more_than_imported(member: Member, content: bytes, words: str) -> bool:
    """Whether a file has some words oftener than the modules of its imports have them."""
    times = content.count(words.encode())
    if not times:
        return False
    imports = {
        (taken.statement, taken.module)
        for taken in member.facts.imports
        if words in taken.module and not taken.level and "dynamic" not in taken.flags
    }
    return times > sum(module.count(words) for _, module in imports)


def _found(tokens: Sequence[Token], home: str, moved: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines of such texts with the name that each leads to; an empty one where any name may be meant."""
    entry = re.compile(rf"\s*[\w.-]+\s*=\s*{re.escape(home)}:(\w+)")
    taken = re.compile(rf"(?<![\w.])(?:{re.escape(home)}\.(\w+)|from\s+{re.escape(home)}\s+import\s+(.+))")
    names = set(moved)
    for index, token in enumerate(tokens):
        text = _text(token)
        if text is None or home not in text:
            continue
        if text == home:
            yield from ((token.line, name) for name in _of_key(tokens, index, names))
        elif text == f"{home}.__dict__":
            yield token.line, ""
        if not _is_statement(tokens, index):
            yield from ((token.line, name) for name in sorted(names & _code(_value(token, text), home)))
        for offset, line in enumerate(text.split("\n")):
            match = entry.match(line)
            if match and match.group(1) in names:
                yield token.line + offset, match.group(1)
            for one in taken.finditer(line) if _EXAMPLE.match(line) else ():
                spelt_names = re.findall(r"\w+", one.group(1) or one.group(2))
                yield from ((token.line + offset, name) for name in spelt_names if name in names)


def _of_examples(tokens: Iterable[Token], gone: Collection[str]) -> Iterator[tuple[int, str]]:
    """The lines of examples in a module that read names which it has no more and which they bind nowhere: they run
    among its names (``doctest``)."""
    for token in tokens:
        text = _text(token) or ""
        examples = [(at, line) for at, line in enumerate(text.split("\n")) if _EXAMPLE.match(line)]
        bound = {one for _, line in examples for found in _BOUND.findall(line) for one in found}
        bound |= {one for _, line in examples if "import" in line for one in re.findall(r"\w+", line)}
        for offset, line in examples:
            read = (one for one in re.findall(r"(?<![\w.])\w+", line) if one in gone and one not in bound)
            yield from ((token.line + offset, one) for one in read)


def _text(token: Token) -> str | None:
    """What stands between the quotes of a text; None for any other token."""
    quoted = _QUOTED.fullmatch(token.text) if token.kind == "string" else None
    return quoted.group(3) if quoted is not None and "b" not in quoted.group(1).lower() else None


def _value(token: Token, otherwise: str) -> str:
    """What a literal stands for, bytes as Latin-1; ``otherwise`` for one that cannot be told, as of an f-string."""
    found = literal(token.text)
    return otherwise if found is None else found


def _is_statement(tokens: Sequence[Token], index: int) -> bool:
    """Whether a text stands alone, as a docstring does."""
    beside = (*tokens[max(index - 1, 0) : index], *tokens[index + 1 : index + 2])
    return all(one.kind == "layout" for one in beside)


def _code(text: str, home: str) -> set[str]:
    """The names that code in a text takes from a module, which it imports."""
    spelt = re.escape(home)
    ways = [rf"\bfrom\s+{spelt}\s+import\s+([^;]+)"]
    imports = re.finditer(rf"\bimport\s+{spelt}(?:\s+as\s+(\w+))?(?![\w.])", text)
    ways += [rf"(?<![\w.]){re.escape(one.group(1) or home)}\.(\w+)" for one in imports]
    return {name for way in ways for found in re.findall(way, text) for name in re.findall(r"\w+", found)}


def _in_bytes(tokens: Iterable[Token], home: str, moved: Iterable[str]) -> Iterator[int]:
    """The lines of bytes that spell a home and something that moved from it, as a pickle does."""
    for token in tokens:
        quoted = _QUOTED.fullmatch(token.text) if token.kind == "string" and home in token.text else None
        if quoted is not None and "b" in quoted.group(1).lower():
            names = "|".join(map(re.escape, moved))
            # Before the home stands what says that a name follows, which may be a letter.
            if re.search(rf"{re.escape(home)}(?!\w).*\b(?:{names})\b", _value(token, ""), re.DOTALL | re.ASCII):
                yield token.line


def _of_table(tokens: Sequence[Token], keys: Sequence[str], names: set[str]) -> Iterator[tuple[int, str]]:
    """What the tables of a package lead to that takes its names from below when they are asked for:
    ``{"A": ".m"}``, ``{"A": (".m", "A")}`` and ``{"m": ["A"]}``."""
    texts = [_text(one) for one in tokens]
    signs = [one.text for one in tokens]
    for index, text in enumerate(texts):
        if signs[index + 1 : index + 2] != [":"]:
            continue
        value = index + 3 if signs[index + 2] in ("(", "[") else index + 2
        if text in names and value < len(texts) and texts[value] in keys:
            yield tokens[index].line, str(text)
        elif text in keys and signs[index + 2] in ("(", "[", "{"):
            for place in range(value if signs[index + 2] != "{" else index + 3, len(texts)):
                if signs[place] in (")", "]", "}"):
                    break
                if texts[place] in names:
                    yield tokens[place].line, str(texts[place])


def _of_key(tokens: Sequence[Token], index: int, names: set[str]) -> Iterator[str]:
    """What the text of a module's name leads to by what stands around it: ``sys.modules[TEXT].A``, ``TEXT, "A"``."""
    before = [one.text for one in tokens[max(index - 2, 0) : index]]
    after = [one.text for one in tokens[index + 1 : index + 4]]
    if before in (["run_module", "("], ["module", "="], ["__module__", "="]):
        yield ""
    elif before == ["modules", "["] and after[:1] == ["]"]:
        if after[1:2] != ["."]:
            yield ""
        elif after[2] in names:
            yield after[2]
    elif after[:1] == [","] and len(after) > 1:
        quoted = _QUOTED.fullmatch(after[1])
        if quoted is not None and quoted.group(3).partition(".")[0] in names:
            yield quoted.group(3).partition(".")[0]
    elif after[:2] in ([":", "["], [":", "("], [":", "{"]):
        yield from (name for _, name in _of_table(tokens[index:], (_text(tokens[index]) or "",), names))
