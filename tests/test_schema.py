"""The JSON Schema in the docs is that of this code, and knows what the rules files here say."""

from __future__ import annotations

import re
from typing import Any

import pytest
import tomli

from layercheck.checks import all_checks
from layercheck.config.convert import keys_of
from layercheck.config.tables import RuleKeys
from tests import schema
from tests.command import ROOT


def test_the_copy_in_the_docs_is_up_to_date() -> None:
    assert schema.TARGET.read_text(encoding="utf-8") == schema.text(), "run python -m tests.schema"


def test_every_reference_leads_somewhere() -> None:
    made = schema.schema()
    references = set(re.findall(r'"#/\$defs/([^"]+)"', schema.text()))
    assert references == set(made["$defs"])


def test_a_rule_of_each_check_has_the_keys_of_its_check() -> None:
    rules = {one["title"]: set(one["properties"]) for one in schema.schema()["$defs"]["rule"]["anyOf"]}
    assert rules == {name: {*keys_of(RuleKeys), *keys_of(check.options)} for name, check in all_checks().items()}


@pytest.mark.parametrize("path", ["rules/layercheck.toml", "docs/example/layercheck.toml"])
def test_it_takes_in_a_rules_file(path: str) -> None:
    data = tomli.loads((ROOT / path).read_text(encoding="utf-8"))
    made = schema.schema()
    assert faults(data, made, made) == []
    data["checks"]["cycles"] = "off"
    assert faults(data, made, made) == []
    data["rule"][0]["witin"] = "x"
    data["checks"]["cycles"] = "eror"
    data["project"]["api"] = "x"
    assert len(faults(data, made, made)) == 3


def faults(value: Any, part: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    """What a value has that its schema does not allow: as much of JSON Schema as ours says."""
    if "$ref" in part:
        part = whole["$defs"][part["$ref"].rpartition("/")[2]]
    if "anyOf" in part:
        found = [faults(value, one, whole) for one in part["anyOf"]]
        return [] if [] in found else [f"{value!r} is none of {len(found)}"]
    if "const" in part or "enum" in part:
        return [] if value in part.get("enum", [part.get("const")]) else [f"{value!r} is not allowed"]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    if not isinstance(value, kinds[part["type"]]):
        return [f"{value!r} is no {part['type']}"]
    if isinstance(value, list):
        return [fault for one in value for fault in faults(one, part.get("items", {"anyOf": []}), whole)]
    if isinstance(value, dict):
        known = part.get("properties", {})
        missing = [key for key in part.get("required", []) if key not in value]
        return missing + [
            fault
            for key, one in value.items()
            for fault in (faults(one, known[key], whole) if key in known else [f"{key} is not known"])
        ]
    return []
