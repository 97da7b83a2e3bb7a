"""The tables of keys in the docs are those of the rules file, with types and defaults; what they show of one is one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import tomli

from layercheck.checks import LinkOptions, all_checks
from layercheck.config import read_config
from layercheck.config.convert import keys_of
from layercheck.config.shelf import shelf_of
from layercheck.config.tables import CheckKeys, RuleKeys
from layercheck.moves.movesfile import read_moves
from tests import pages, schema
from tests.command import ROOT
from tests.test_docs_checks import section
from tests.tree import RULES as RULES_FILE

DOCS = ROOT / "docs"
SCHEMA = json.loads(schema.text())
RULES = {one["title"]: one for one in SCHEMA["$defs"]["rule"]["anyOf"]}
ANY = RULES["layers"]
"""A check that has all keys which checks share."""


def rows(text: str) -> dict[str, tuple[str, str]]:
    """The keys of the tables of keys in a text, each with its type and its default."""
    tables = re.findall(r"^\| key \| type \| default \| meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    cells = [re.split(r"(?<!\\)\|", row) for table in tables for row in table.splitlines()]
    assert all(len(row) == 6 and row[4].strip() for row in cells)
    found = {row[1].strip(" `"): (row[2].strip(), row[3].strip()) for row in cells}
    assert len(found) == len(cells)
    return found


def true_rows(told: dict[str, tuple[str, str]], table: dict[str, Any]) -> None:
    """Demand that rows say of a table's keys what the schema does."""
    for key, (kind, default) in told.items():
        part = table["properties"][key]
        assert kind == schema.type_of(part, SCHEMA), key
        assert (default == "required") == (key in table.get("required", ())), key
        value = re.match(r"`([^`]+)`(?: \(|$)", default)
        if value and "default" in part:
            assert tomli.loads(f"x = {value[1]}")["x"] == part["default"], key


@pytest.mark.parametrize(
    ("title", "table"),
    [("At the top", SCHEMA), ("Project", SCHEMA["properties"]["project"]), ("Ignores", SCHEMA["$defs"]["ignore"])],
)
def test_a_table_of_the_rules_page(title: str, table: dict[str, Any]) -> None:
    told = rows(section(pages.read("rules.md"), title))
    assert set(told) == set(table["properties"])
    true_rows(told, table)


def test_the_keys_of_every_rule_and_those_that_checks_share() -> None:
    told = rows(section(pages.read("rules.md"), "Rules"))
    assert set(told) == {*keys_of(RuleKeys), *keys_of(LinkOptions), "within", "reach", "chain_kinds"}
    true_rows({key: row for key, row in told.items() if key not in ("severity", "reach")}, ANY)


def test_the_keys_of_a_check_without_a_rule() -> None:
    told = re.search(r"table with the check's own options.*?and any of (.*?)\. A", pages.read("rules.md"), re.DOTALL)
    assert told is not None
    assert set(re.findall(r"`(\w+)`", told[1])) == set(keys_of(CheckKeys))


@pytest.mark.parametrize("kind", all_checks())
def test_the_options_of_a_check(kind: str) -> None:
    text = section(pages.read(f"checks/{kind}.md"), "Options")
    told = rows(text)
    own = set(RULES[kind]["properties"]) - set(keys_of(RuleKeys))
    assert own - set(keys_of(LinkOptions)) <= set(told)
    true_rows({key: row for key, row in told.items() if row[1] != "not allowed"}, RULES[kind])


NESTED = {
    "layers": ("LayerTable", "Sibling"),
    "undeclared-imports": ("DeclaredModule", "Declared", "DeclaredLayer", "Interface"),
}
"""The tables inside a check's options."""


def test_the_tables_inside_options_are_on_their_pages() -> None:
    assert {name for names in NESTED.values() for name in names} == set(SCHEMA["$defs"]) - {"rule", "ignore"}
    for kind, names in NESTED.items():
        code = " ".join(re.findall(r"`([^`]+)`", section(pages.read(f"checks/{kind}.md"), "Options")))
        keys = {key for name in names for key in SCHEMA["$defs"][name]["properties"]}
        assert keys <= set(re.findall(r"\w+", code)), kind


def settings() -> list[tuple[str, str]]:
    """Every block of TOML on the pages, with where it stands."""
    names = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.glob("*.md"))
    found = [(name, block) for name in ["../README.md", *names] for block in pages.blocks(pages.read(name), "toml")]
    return [(f"{name}-{number}", block) for number, (name, block) in enumerate(found)]


SETTINGS = settings()
EXTENDING = next(block for _, block in SETTINGS if block.startswith("extends"))
FRAGMENT = next(block for _, block in SETTINGS if block.startswith("# app/billing/"))
MOVES = next(block for _, block in SETTINGS if block.startswith("version"))


@pytest.mark.parametrize(
    "text",
    [text for _, text in SETTINGS if text not in (EXTENDING, FRAGMENT, MOVES)],
    ids=[name for name, text in SETTINGS if text not in (EXTENDING, FRAGMENT, MOVES)],
)
def test_a_rules_file_that_a_page_shows_is_one(text: str) -> None:
    assert len(read_config(text, RULES_FILE).rules) >= 1


def test_the_several_files_that_the_rules_page_shows() -> None:
    shared = '[checks]\ncycles = "error"\n'
    files = {RULES_FILE: EXTENDING, "rules/shared.toml": shared, "app/billing/layercheck.toml": FRAGMENT}
    found = read_config(EXTENDING, RULES_FILE, shelf=shelf_of(files))
    assert {"billing-floors", "billing-stands-alone"} <= {rule.name for rule in found.rules}


def test_the_moves_file_that_a_page_shows_is_one() -> None:
    assert len(read_moves(MOVES, "moves.toml").steps) == 2
