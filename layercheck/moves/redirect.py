"""Whether code that stayed only spells what moved in the new way: tokens are compared once what moved is followed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.moves.commas import without_trailing
from layercheck.moves.lines import Element, Region
from layercheck.moves.side import Change, Side
from layercheck.moves.strings import Renaming
from layercheck.outline import Token
from layercheck.project import Member

_LITERAL = re.compile(r"""(?P<prefix>[a-zA-Z]*)(?P<quote>\"{3}|'{3}|"|')(?P<text>.*)(?P=quote)""", re.DOTALL)
_FIELD = re.compile(r"\{[^{}]*\}")
_CHAIN = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_WORD = re.compile(r"\w+")
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token, or a dotted chain as one; ``text`` names what it is in the end."""

    kind: str
    text: str
    written: str


@dataclass(frozen=True, slots=True)
class Spellings:
    """What everything that moved is called in the end, by where it is in either state; the same for every file."""

    old: Mapping[_Key, str]
    new: Mapping[_Key, str]
    words: frozenset[str]
    """The names of what moved, and what their old homes are called: without one of them no line of the old state can
    name what moved."""
    new_words: frozenset[str]
    """The same of the new state."""


def spellings(moved: Mapping[_Key, _Key], renaming: Renaming) -> Spellings:
    """``moved``: home and name before -> home and name after."""
    return Spellings(
        {key: names.join("\0", *to) for key, to in moved.items()},
        {to: names.join("\0", *to) for to in moved.values()},
        frozenset({name for _, name in moved} | {names.tail(home) for home in renaming.homes}),
        frozenset({name for _, name in moved.values()} | {names.tail(home) for home, _ in moved.values()}),
    )


class Redirects:
    """Compares stretches of one file in two states."""

    def __init__(self, change: Change, path: str, spelt: Spellings, renaming: Renaming) -> None:
        self._change = change
        self._path = path
        self._renaming = renaming
        self._old, self._new = spelt.old, spelt.new
        self._words = spelt.words | self._others(change.old, spelt.words)
        self._new_words = spelt.new_words | self._others(change.new, spelt.new_words)

    def _others(self, side: Side, known: frozenset[str]) -> frozenset[str]:
        """The other names that one state of the file may have for what moved: ``import a.b as c``."""
        member = side.by_path.get(self._path)
        return frozenset(
            taken.bound
            for taken in (member.facts.imports if member is not None else ())
            if taken.aliased and (taken.name in known or names.tail(taken.module) in known)
        )

    def explain(self, region: Region) -> bool:
        """Whether the statements around a difference say the same once what moved is followed, and some of it does."""
        olds = [one for one in region.removed if one.kind != "import"]
        news = [one for one in region.added if one.kind != "import"]
        if not olds or not news or self._words.isdisjoint(_written(olds)) or self._new_words.isdisjoint(_written(news)):
            return False
        before = self._pieces(self._change.old, self._old, olds[0].line, olds[-1].last)
        after = self._pieces(self._change.new, self._new, news[0].line, news[-1].last)
        if before is None or after is None or len(before) != len(after):
            return False
        if not all(self._alike(before, after, at) for at in range(len(before))):
            return False
        return any(one.written != two.written for one, two in zip(before, after, strict=True))

    def _alike(self, before: Sequence[_Piece], after: Sequence[_Piece], at: int) -> bool:
        one, two = before[at], after[at]
        if one.kind == two.kind == "home" and one.text != two.text:
            return self._is_attribute_told(one, two, before[at + 1 : at + 3], after[at + 1 : at + 3])
        if (one.kind, one.text) == (two.kind, two.text):
            # A bare name for another bare one is no new way to spell a home, and may be a local of that name.
            return one.written == two.written or "." in one.written + two.written
        if one.kind != "string" or two.kind != "string":
            return False
        first, second = _LITERAL.fullmatch(one.text), _LITERAL.fullmatch(two.text)
        if first is None or second is None or first["prefix"] != second["prefix"]:
            return False
        if "f" in first["prefix"].lower():
            # Python 3.12 takes these apart, and older ones do not.
            return self._filled(self._change.old, self._old, one.text) == self._filled(
                self._change.new, self._new, two.text
            )
        return self._renaming.may_be(first["text"], second["text"])

    def _filled(self, side: Side, keys: Mapping[_Key, str], text: str) -> str:
        """An f-string with the chains in its braces called by what they lead to where that moved."""
        member = side.by_path.get(self._path)
        if member is None or "{{" in text or "}}" in text:
            return text

        def meant(match: re.Match[str]) -> str:
            return _meant(side, member, keys, match.group()) or match.group()

        return _FIELD.sub(lambda field: _CHAIN.sub(meant, field.group()), text)

    def _is_attribute_told(
        self, one: _Piece, two: _Piece, behind: Sequence[_Piece], behind_too: Sequence[_Piece]
    ) -> bool:
        """Whether two homes are followed by one text that names what moved between them, or what that reads:
        ``patch.object(pools, "A")``."""
        if len(behind) < 2 or behind != behind_too or behind[0].text != "," or behind[1].kind != "string":
            return False
        literal = _LITERAL.fullmatch(behind[1].text)
        if literal is None or literal["prefix"] or two.text not in self._renaming.homes.get(one.text, ()):
            return False
        name = names.join(one.text, literal["text"])
        return self._renaming.of(name) == names.join(two.text, literal["text"]) or self._renaming.concerns(name)

    def _pieces(self, side: Side, keys: Mapping[_Key, str], first: int, last: int) -> list[_Piece] | None:
        """The tokens of the statements that some lines are part of, imports left out."""
        member, tokens = side.by_path.get(self._path), side.tokens(self._path)
        if member is None or tokens is None:
            return None
        for low, high in side.outline(self._path).simple:
            if low <= last and first <= high:
                first, last = min(first, low), max(last, high)
        imports = {
            line
            for taken in member.facts.imports
            if "dynamic" not in taken.flags
            for line in range(taken.statement.line, taken.statement.end_line + 1)
        }
        inside = without_trailing([one for one in tokens if first <= one.line <= last and one.line not in imports])
        while inside and (inside[0].kind, inside[0].text) == ("layout", "out"):
            inside.pop(0)
        homes = self._renaming.homes
        return _joined(side, member, keys, inside, {*homes, *(new for found in homes.values() for new in found)})


def _written(elements: Iterable[Element]) -> Iterator[str]:
    """The words of some lines."""
    return (word for one in elements for word in _WORD.findall(one.text))


def _joined(
    side: Side, member: Member, keys: Mapping[_Key, str], tokens: Sequence[Token], homes: Collection[str]
) -> list[_Piece]:
    """The tokens with each dotted chain as one piece, called by what it leads to where that moved or is a home."""
    found: list[_Piece] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        follows_dot = index > 0 and tokens[index - 1].text == "."
        if token.kind != "name" or follows_dot:
            found.append(_Piece(token.kind, token.text, token.text))
            index += 1
            continue
        parts = [token.text]
        index += 1
        while index + 1 < len(tokens) and tokens[index].text == "." and tokens[index + 1].kind == "name":
            parts.append(tokens[index + 1].text)
            index += 2
        written = names.join(*parts)
        meant = _meant(side, member, keys, written)
        home = _home(side, member, written) if meant is None else ""
        if home in homes:
            found.append(_Piece("home", home, written))
        elif meant is None:
            found += [_Piece("name", part, part) for part in parts]
        else:
            found.append(_Piece("name", meant, written))
    return found


def _meant(side: Side, member: Member, keys: Mapping[_Key, str], written: str) -> str | None:
    """What a dotted chain is called by what moved; None where it does not lead there."""
    resolver = side.project.resolver
    root, rest = names.head(written), names.rest(written)
    if (member.name, root) in keys:
        return names.join(keys[member.name, root], rest)
    found: set[str] = set()
    for (_, bound), positions in _imports_of(member, root):
        if bound != root:
            continue
        for position in positions:
            for origin in resolver.import_origins(member, position):
                if (origin.module, origin.name) in keys:
                    found.add(names.join(keys[origin.module, origin.name], rest))
                elif origin.kind == "module":
                    found |= _walked(side, keys, origin.module, rest)
    return found.pop() if len(found) == 1 else None


def _home(side: Side, member: Member, written: str) -> str:
    """The module that a dotted chain is by the imports of its file; empty where it is none."""
    resolver = side.project.resolver
    found = {
        resolver.module_at(origin.module, names.rest(written)) if names.rest(written) else origin.module
        for _, positions in _imports_of(member, names.head(written))
        for position in positions
        for origin in resolver.import_origins(member, position)
        if origin.kind == "module"
    }
    return (found.pop() or "") if len(found) == 1 else ""


def _imports_of(member: Member, root: str) -> list[tuple[tuple[int, str], list[int]]]:
    return [(key, positions) for key, positions in member.bound_imports.items() if key[1] == root]


def _walked(side: Side, keys: Mapping[_Key, str], module: str, rest: str) -> set[str]:
    for walked, (holder, attribute) in enumerate(side.project.resolver.walk(module, rest), 1):
        for origin in side.project.resolver.origins(holder, attribute):
            if (origin.module, origin.name) in keys:
                left = names.split(rest)[walked:]
                return {names.join(keys[origin.module, origin.name], *left)}
    return set()
