"""Inputs on which fuzzing once found a fault, and a few of those it begins with: each is borne."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.mutate import mutated
from tests.fuzz.targets import FOUND, TARGETS

CASES = [(path.parent.name, path.name) for path in sorted(FOUND.glob("*/*"))]


@pytest.mark.parametrize(("target", "name"), CASES)
def test_what_was_found(target: str, name: str) -> None:
    TARGETS[target].run((FOUND / target / name).read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_what_fuzzing_begins_with(target: str) -> None:
    seeds = TARGETS[target].seeds()
    assert seeds
    chance = Random(1)
    for data in [*seeds[:2], *(mutated(chance, seeds) for _ in range(2))]:
        TARGETS[target].run(data)
