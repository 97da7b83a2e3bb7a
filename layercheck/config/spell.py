"""Values -> TOML text on one line (toml.io, 1.0). Knows no keys of a rules file."""

from __future__ import annotations

import json
import re
from typing import Any


def spell(value: Any) -> str:
    """A value: tables inline, and of these no key that has no value."""
    if isinstance(value, dict):
        pairs = (f"{spell_key(key)} = {spell(one)}" for key, one in value.items() if one is not None)
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(spell, value))}]"
    # A JSON string is a basic string of TOML, but for the character DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def spell_key(key: str) -> str:
    """A key, in quotes where it cannot be a bare one."""
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else spell(key)
