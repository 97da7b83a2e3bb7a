"""The text of a TOML file -> its tables and where each key stands, or the fault that makes it none. Knows no keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import tomli

from layercheck.config.places import Path, places

_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_KEYS = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"


@dataclass(frozen=True, slots=True)
class Document:
    """What a text says. One with a ``fault`` says nothing else."""

    data: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[Path, int] = field(default_factory=dict)
    """The line of each key, by its path."""
    fault: tuple[int, str] | None = None
    """The line, and a sentence that begins with the place."""


def read_document(text: str, path: str, kind: str) -> Document:
    """Read a TOML text. ``path`` is how messages call the file, ``kind`` what it should be: ``a rules file``."""
    text = text.replace("\r\n", "\n")
    try:
        data: dict[str, Any] = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        return Document(fault=(error.lineno, f"{where}: not valid TOML: {_explain(error)}"))
    except ValueError:
        return Document(fault=(1, f"{path}: holds a number of more digits than Python reads"))
    except RecursionError:
        return Document(fault=(1, f"{path}: nested too deeply to be {kind}"))
    return Document(data, places(text))


def _explain(error: tomli.TOMLDecodeError) -> str:
    """What tomli says, in words for those who write TOML."""
    if error.msg == "Cannot overwrite a value":
        # It points behind the value, whose key is the nearest one above.
        above = "\n".join(error.doc.split("\n")[: error.lineno])
        keys = re.findall(rf"^[ \t]*(?:({_KEYS})[ \t]*=|\[+[ \t]*({_KEYS}))", above, re.MULTILINE)
        return f"the key {''.join(keys[-1])} is given twice" if keys else "a key is given twice"
    twice = re.fullmatch(r"Cannot declare \((.*?),?\) twice", error.msg)
    if twice:
        return f"[{'.'.join(part[1:-1] for part in twice.group(1).split(', '))}] is written twice"
    twice = re.fullmatch(r"Duplicate inline table key '(.*)'", error.msg)
    return f"the key {twice.group(1)} is given twice" if twice else error.msg
