"""The JSON Schema of the rules file, made from the types that read it. ``python -m tests.schema`` writes it to docs.

https://json-schema.org/draft/2020-12
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from layercheck.checks import all_checks
from layercheck.config.tables import CheckKeys, FileTable, IgnoreTable, ProjectTable, RuleKeys

TARGET = Path(__file__).parent.parent / "docs" / "layercheck.schema.json"
_SHARED = (FileTable, ProjectTable, IgnoreTable, CheckKeys, RuleKeys)


def schema() -> dict[str, Any]:
    """The schema of a layercheck.toml; of the table ``[tool.layercheck]`` in a pyproject.toml too."""
    checks = all_checks()
    types = (*_SHARED, *(check.options for check in checks.values()))
    references, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    names = [reference["$ref"].rpartition("/")[2] for reference in references]
    tables = dict(zip(types, (definitions[name] for name in names), strict=True))
    used = {name: value for name, value in definitions.items() if name not in names}
    used["ignore"] = _closed(tables[IgnoreTable], {})
    used["rule"] = {
        "anyOf": [
            _closed(tables[RuleKeys], tables[check.options], title=name, check={"const": name})
            for name, check in checks.items()
        ]
    }
    by_name = {
        name: {
            "description": check.summary,
            "anyOf": [
                *(one for one in tables[CheckKeys]["properties"]["severity"]["anyOf"] if "enum" in one),
                _closed(tables[CheckKeys], tables[check.options], title=name),
            ],
        }
        for name, check in checks.items()
        if check.undeclared is not None
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "layercheck.toml",
        "type": "object",
        "properties": {
            **tables[FileTable]["properties"],
            "project": _closed(tables[ProjectTable], {}),
            "checks": {"type": "object", "properties": by_name, "additionalProperties": False},
            "rule": {"type": "array", "items": {"$ref": "#/$defs/rule"}},
        },
        "additionalProperties": False,
        "$defs": used,
    }


def _closed(shared: dict[str, Any], own: dict[str, Any], title: str = "", **more: object) -> dict[str, Any]:
    """A table with the keys of two types, and no others."""
    properties = {**shared["properties"], **own.get("properties", {}), **more}
    if "ignore" in properties:
        properties["ignore"] = {"type": "array", "items": {"$ref": "#/$defs/ignore"}}
    return {
        **({"title": title} if title else {}),
        "type": "object",
        "properties": properties,
        "required": [*shared.get("required", []), *own.get("required", [])],
        "additionalProperties": False,
    }


def type_of(part: dict[str, Any], whole: dict[str, Any]) -> str:
    """What a part of a schema takes, in the words of TOML."""
    if "$ref" in part:
        part = whole["$defs"][part["$ref"].rpartition("/")[2]]
    if "anyOf" in part:
        return " or ".join(dict.fromkeys(type_of(one, whole) for one in part["anyOf"] if one != {"type": "null"}))
    if "enum" in part or "const" in part:
        return "string"
    if part.get("format") == "date":
        return "date"
    if part["type"] == "array":
        inner = type_of(part["items"], whole)
        return "list" if " " in inner else f"list of {inner}s"
    return "table" if part["type"] == "object" else str(part["type"])


def text() -> str:
    """The schema as it is kept in the docs."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
