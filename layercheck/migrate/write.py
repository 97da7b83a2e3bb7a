"""A draft -> the text of a rules file, with comments. Reads nothing and decides nothing about rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from layercheck.checks import all_checks
from layercheck.config.spell import spell
from layercheck.migrate.model import Draft, DraftIgnore, DraftRule, Noted, Text

_WIDTH = 110
_KEPT = ("rules-file", "unreadable-files")
"""Checks that stay on: what they find says that the others may have missed something."""


def write(draft: Draft) -> str:
    """The text of ``draft`` in TOML."""
    lines = [f"# Made by layercheck migrate from {draft.source}, the settings of {draft.tool}."]
    if draft.left:
        lines += ["#", "# Not carried over:", *(f"# - {_one_line(one)}" for one in draft.left)]
    lines += _comments(draft.comments)
    if draft.project:
        lines += ["", "[project]", *_pairs(draft.project)]
    if draft.rules:  # else nothing would be checked at all
        lines += ["", *_silenced(draft.tool)]
    for rule in draft.rules:
        lines += ["", *_rule(rule)]
    strays = [*_strays(draft, {line.strip() for line in lines})]
    if strays:
        lines += ["", f"# Further comments of {draft.source}:", *strays]
    return "".join(f"{line}\n" for line in lines)


def _strays(draft: Draft, written: Collection[str]) -> Iterator[str]:
    """The comments that are neither written nor the reason of an ignored import."""
    reasons = [entry.reason for rule in draft.rules for entry in rule.ignore]
    for note, line in zip(draft.notes, _comments(draft.notes), strict=True):
        if note and line not in written and not any(note in reason for reason in reasons):
            yield line


def _silenced(tool: str) -> Iterator[str]:
    """The checks that run by themselves, switched off."""
    yield "# These checks need no rule and would run too. They are off so that the verdict is that of"
    yield f"# {tool}; take a line out to have the check."
    yield "[checks]"
    for name, check in all_checks().items():
        if check.undeclared is not None and name not in _KEPT and check.undeclared.severity != "off":
            yield f'{name} = "off"'


def _rule(rule: DraftRule) -> Iterator[str]:
    yield from _comments(rule.comments)
    yield "[[rule]]"
    yield from _pairs({"name": rule.name, "check": rule.check, "reason": rule.reason})
    if rule.help:
        yield from _pairs({"help": rule.help})
    yield from _pairs(rule.options)
    if rule.ignore:
        yield from _pairs({"ignore": [_ignore(entry) for entry in rule.ignore]})


def _ignore(entry: DraftIgnore) -> dict[str, Any]:
    table: dict[str, Any] = {"import": f"{entry.importer} -> {entry.imported}", "reason": entry.reason}
    return {**table, "optional": True} if entry.optional else table


def _comments(texts: Iterable[str]) -> list[str]:
    return [f"# {text}".rstrip() for text in texts]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Text):
            yield from _comments(value.comments)
        yield from _pair(key, value)


def _pair(key: str, value: Any) -> Iterator[str]:
    """A key and its value: on one line where that is short and has no comments, else one entry a line."""
    whole = f"{key} = {spell(_plain(value))}"
    if not isinstance(value, list) or not value or (len(whole) <= _WIDTH and not _has_tables(value)):
        yield whole
        return
    yield f"{key} = ["
    for entry in value:
        comments = entry.comments if isinstance(entry, Text | Noted) else ()
        yield from (f"    {comment}" for comment in _comments(comments))
        yield f"    {spell(_plain(entry))},"
    yield "]"


def _has_tables(values: list[Any]) -> bool:
    return any(isinstance(one, dict) or (isinstance(one, Text | Noted) and one.comments) for one in values)


def _plain(value: Any) -> Any:
    """A value without comments."""
    if isinstance(value, Text):
        return value.text
    if isinstance(value, Noted):
        return _plain(value.value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
