"""What project files declare of scripts and plugins: parsed settings -> entry points. Reads no text of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from configparser import Error as ConfigError
from configparser import RawConfigParser

from layercheck.layout.model import EntryPoint
from layercheck.layout.values import as_text, as_texts, dig, values_of

_TARGET = re.compile(r"\s*([\w.]+)(?:\s*:\s*([\w.]+))?\s*(?:\[[^]]*\]\s*)?")
"""What an entry point leads to (packaging.python.org, "Entry points specification")."""


_WORDS = re.compile(r"([\w.]+)(?:[ \t]*:[ \t]*([\w.]+))?")


def entry_points(text: str, path: str, declared: Iterable[str]) -> tuple[EntryPoint, ...]:
    """The entry points among what a file declares, each at the first line that has it."""
    at: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for words in _WORDS.finditer(line):
            at.setdefault(_spelt(words), number)
    matches = (_TARGET.fullmatch(value.partition("=")[2] or value) for value in declared)
    targets = (_spelt(match) for match in matches if match)
    return tuple(EntryPoint(target, path, at.get(target, 1)) for target in targets)


def _spelt(match: re.Match[str]) -> str:
    module, name = match.groups()
    return f"{module}:{name}" if name else str(module)


def declared_targets(table: object) -> Iterator[str]:
    """What a pyproject.toml says of scripts and plugins: ``[project]``, poetry and flit."""
    poetry, flit = dig(table, "tool", "poetry"), dig(table, "tool", "flit")
    for scripts in (
        dig(table, "project", "scripts"),
        dig(table, "project", "gui-scripts"),
        *values_of(dig(table, "project", "entry-points")),
        dig(poetry, "scripts"),
        *values_of(dig(poetry, "plugins")),
        dig(flit, "scripts"),
    ):
        for value in values_of(scripts):
            yield as_text(value) or as_text(dig(value, "reference")) or as_text(dig(value, "callable"))


def targets_of_section(parser: RawConfigParser, section: str) -> Iterator[str]:
    """The lines of every option of a section of setup.cfg."""
    if parser.has_section(section):
        for _, value in parser.items(section):
            yield from filter(None, map(str.strip, (value or "").splitlines()))


def literal_targets(value: object) -> Iterator[str]:
    """The entry points of a ``setup()`` call: lists by group, or the text of an ini file."""
    if isinstance(value, str):
        parser = RawConfigParser(strict=False, delimiters=("=",))
        try:
            parser.read_string(value)
        except ConfigError:
            return
        for group in parser.sections():
            yield from (target for _, target in parser.items(group))
    for listed in values_of(value):
        for text in as_texts(listed):
            yield from filter(None, map(str.strip, text.splitlines()))
