"""What the tests of checks that a rule asks for share: the faults and the counted links of one rule in a tree."""

from __future__ import annotations

import msgspec
import pytest
import tomli

from layercheck.checks import all_checks
from layercheck.config import read_config
from tests.tree import RULES, build_project, parse_tree


def text_fault(kind: str, text: str) -> str:
    """The one line that says what is wrong with the keys of a rule whatever the code."""
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(tomli.loads(text), all_checks()[kind].options)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def code_faults(tree: str, expected: list[tuple[str, str]]) -> None:
    """Demand that the first rule of a tree has these faults: each its key, and a part of its message."""
    files = parse_tree(tree).files
    config = read_config(files[RULES], RULES)
    rule = next(rule for rule in config.rules if rule.declared)
    found = all_checks()[rule.check].coverage(build_project(files, config), rule.options).faults
    assert [fault.key for fault in found] == [key for key, _ in expected], found
    for fault, (_, message) in zip(found, expected, strict=True):
        assert message in fault.message


def counted(tree: str) -> set[tuple[str, str]]:
    """The links, by importer and imported, that the first rule of a tree counts."""
    files = parse_tree(tree).files
    config = read_config(files[RULES], RULES)
    rule = next(rule for rule in config.rules if rule.declared)
    project = build_project(files, config)
    counts = all_checks()[rule.check].counts
    assert counts is not None
    counting = counts(project, rule.options)
    return {(link.importer, link.imported) for link in project.links if counting(link)}
