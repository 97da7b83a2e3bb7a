"""From a TOML table to a typed struct: every wrong key and value of it at once, each as one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec

from layercheck.checks import key_path
from layercheck.names import nearest

Complain = Callable[[str, str], None]
"""Called with a key path inside the table and what is wrong there."""

S = TypeVar("S", bound=msgspec.Struct)

_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "date": "a date",
    "datetime": "a date with a time",
    "time": "a time",
}


def keys_of(struct: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """The TOML keys of a struct, with their fields."""
    return {field.encode_name: field for field in msgspec.structs.fields(struct)}


def unknown_keys(table: Mapping[str, object], known: Iterable[str], complain: Complain) -> None:
    """Complain of each key that is not known, with the nearest that is."""
    known = sorted(known)
    for key in table:
        if key not in known:
            complain(key, _unknown(key, known))


def _unknown(key: str, known: Sequence[str]) -> str:
    close = nearest(key, known)
    return f"unknown key; did you mean {close!r}?" if close else f"unknown key; known keys: {', '.join(known)}"


def convert(table: Mapping[str, object], struct: type[S], complain: Complain) -> S | None:
    """The struct that a table describes; None, and complaints, where it does not describe one.

    Keys that the struct does not have are not looked at. Each line of a ValueError of its ``__post_init__`` is a
    complaint about the key that it names in backticks; where it begins with that key, it is not repeated.
    """
    own = {key: table[key] for key in keys_of(struct) if key in table}
    wrong = [*_wrong_table(own, struct)]
    if wrong and all(re.search(r"[.\[]", where) and what.startswith(_OF_KEYS) for where, what in wrong):
        # Only the keys of tables inside are wrong: what is wrong with the values that are there can be told too.
        together = _wrong_together(_filled(own, struct), struct)
        wrong += [(where, what) for where, what in together if _STAND_IN not in what]
    for where, what in wrong:
        complain(where, what)
    return None if wrong else msgspec.convert(own, struct)


Wrong: TypeAlias = Iterator[tuple[str, str]]
"""What is wrong with a value: key paths inside it, empty for the value itself, and sentences."""


def _wrong_table(table: Mapping[str, object], struct: type[msgspec.Struct]) -> Wrong:
    """What is wrong with a table that is to be a struct: with its keys, else with all of them together."""
    fields = keys_of(struct)
    wrong = [(key, _unknown(key, sorted(fields))) for key in table if key not in fields]
    for key, field in fields.items():
        if key in table:
            wrong += [(key_path(key) + where, what) for where, what in _wrong(table[key], field.type)]
        elif field.required:
            wrong.append((key, f"missing; add {key} = ..."))
    yield from wrong or _wrong_together(table, struct)


def _wrong_together(table: Mapping[str, object], struct: type[msgspec.Struct]) -> Wrong:
    """What a struct says of its keys, whose types are right; it names the key that it means in backticks."""
    try:
        msgspec.convert(table, struct)
    except msgspec.ValidationError as error:
        message, inside, _ = str(error).partition(" - at `$")
        for line in [] if inside else message.split("\n"):  # of a table inside, its own keys have been told
            named = re.search(r"`([^`]+)`", line)
            what = re.sub(r"\A`[^`]+`:? (?!and |or )", "", line).replace("`", "")
            yield named.group(1) if named else "", what


_STAND_IN = "a_name_that_is_missing"
_OF_KEYS = ("missing; ", "unknown key; ")
"""How that begins which is said of the keys of a table."""


def _filled(value: Any, annotation: Any) -> Any:
    """A value in which no table has keys that are unknown, or lacks one that is required: stand-ins are put there."""
    struct, inner = _parts(annotation)
    if isinstance(value, dict) and struct is not None:
        fields = keys_of(struct)
        missing = [key for key, field in fields.items() if field.required and key not in value]
        stand_ins = {key: [] if get_origin(fields[key].type) is tuple else _STAND_IN for key in missing}
        return {key: _filled(one, fields[key].type) for key, one in value.items() if key in fields} | stand_ins
    if isinstance(value, dict) and dict in inner:
        return {key: _filled(one, inner[dict][1]) for key, one in value.items()}
    if isinstance(value, list) and tuple in inner:
        return [_filled(one, inner[tuple][0]) for one in value]
    return value


def _parts(annotation: Any) -> tuple[type[msgspec.Struct] | None, dict[Any, tuple[Any, ...]]]:
    """What a type, or one of several, takes: the struct that a table may be, and what a table or list may hold."""
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    struct = next((one for one in kinds if isinstance(one, type) and issubclass(one, msgspec.Struct)), None)
    return struct, {get_origin(one): get_args(one) for one in kinds if get_origin(one) in (dict, tuple)}


def _wrong(value: object, annotation: Any) -> Wrong:
    """What is wrong with a value that is to be of a type."""
    struct, inner = _parts(annotation)
    if isinstance(value, dict) and struct is not None:
        yield from ((f".{where}" if where else "", what) for where, what in _wrong_table(value, struct))
    elif isinstance(value, dict) and dict in inner:
        for key, one in value.items():
            yield from ((f".{key_path(key)}{where}", what) for where, what in _wrong(one, inner[dict][1]))
    elif isinstance(value, list) and tuple in inner:
        for index, one in enumerate(value):
            yield from ((f"[{index}]{where}", what) for where, what in _wrong(one, inner[tuple][0]))
    else:
        try:
            msgspec.convert(value, annotation)
        except msgspec.ValidationError as error:
            yield "", _explain(str(error), value, annotation)


def _explain(error: str, value: object, annotation: Any) -> str:
    """The sentence for what msgspec found wrong with a value that holds no others."""
    choices = sorted(_literals(annotation))
    if error.startswith("Invalid enum value") or choices:
        return _choice(value, choices)
    if "RFC3339" in error or "Invalid date" in error:
        return "expected a date such as 2027-01-31"
    message = re.sub(r"`([^`]*)`", lambda match: _spell(match.group(1)), error)
    hint = f"; write [{json.dumps(value)}]" if isinstance(value, str) and message.startswith("Expected a list") else ""
    return message[:1].lower() + message[1:] + hint


def _spell(types: str) -> str:
    return " or ".join(_WORDS.get(one, one) for one in types.split(" | ") if one != "null")


def _choice(value: object, choices: list[str]) -> str:
    close = nearest(str(value), choices)
    hint = f"did you mean {close!r}?" if close else f"it is one of {', '.join(choices)}"
    return f"{value!r} is not allowed here; {hint}"


def _literals(annotation: Any) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
    else:
        for part in get_args(annotation):
            yield from _literals(part)
