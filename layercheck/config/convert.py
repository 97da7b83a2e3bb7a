"""From a TOML table to a typed struct: every wrong key and value of it at once, each as one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

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
    fine = True
    for key, field in keys_of(struct).items():
        if key not in table:
            if field.required:
                complain(key, f"missing; add {key} = ...")
                fine = False
            continue
        try:
            msgspec.convert(table[key], field.type)
        except msgspec.ValidationError as error:
            where, what = _explain(str(error), table[key], field.type)
            complain(key + where, what)
            fine = False
    if not fine:
        return None
    try:
        return msgspec.convert({key: table[key] for key in keys_of(struct) if key in table}, struct)
    except msgspec.ValidationError as error:
        # Raised by the struct itself, which names the key that it means in backticks.
        for line in str(error).split("\n"):
            named = re.search(r"`([^`]+)`", line)
            complain(named.group(1) if named else "", re.sub(r"\A`[^`]+`:? (?!and |or )", "", line).replace("`", ""))
        return None


def _explain(error: str, value: object, annotation: Any) -> tuple[str, str]:
    """The key path below the value, and the sentence for what msgspec found wrong."""
    message, _, where = error.partition(" - at `$")
    where = where.rstrip("`")
    choices = sorted(_literals(annotation))
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL)
    if unknown:
        known = sorted({key for struct in _structs(annotation) for key in keys_of(struct)})
        return f"{where}.{unknown.group(1)}", _unknown(unknown.group(1), known)
    if message.startswith("Invalid enum value") or (choices and not where):
        return where, _choice(_dig(value, where), choices)
    if "RFC3339" in message or "Invalid date" in message:
        return where, "expected a date such as 2027-01-31"
    message = re.sub(r"`([^`]*)`", lambda match: _spell(match.group(1)), message)
    wrong = _dig(value, where)
    hint = f"; write [{json.dumps(wrong)}]" if isinstance(wrong, str) and message.startswith("Expected a list") else ""
    return where, message[:1].lower() + message[1:] + hint


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


def _structs(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
        for field in msgspec.structs.fields(annotation):
            yield from _structs(field.type)
    else:
        for part in get_args(annotation):
            yield from _structs(part)


def _dig(value: Any, where: str) -> object:
    for index, key in re.findall(r"\[(\d+)\]|\.([^.\[]+)", where):
        value = value[int(index)] if index else value[key]
    return value
