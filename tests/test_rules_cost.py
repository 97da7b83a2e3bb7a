"""Two hundred rules cost less than reading the code that they judge."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import cycle, islice

from layercheck.config import read_config
from layercheck.extract import extract
from layercheck.layout import Entry, Listing, ProjectSettings
from layercheck.layout.place import place
from layercheck.project import Project
from layercheck.run.judgement import judge
from tests.tree import TODAY

MODULES, PACKAGES, RULES = 240, 48, 200

KEYS: dict[str, Callable[[int], str]] = {
    "layers": lambda n: f'within = "app"\norder = ["p{n}", "p{(n + 1) % PACKAGES}"]',
    "forbidden-imports": lambda n: f'from = ["app.p{n}"]\nto = ["app.p{(n + 1) % PACKAGES}"]\nreach = "transitive"',
    "dependent-siblings": lambda n: f'within = "app"\nmodules = ["p{n}", "p{(n + 1) % PACKAGES}"]',
    "protected-modules": lambda n: f'modules = ["app.p{n}"]\nimporters = ["app.p{(n + 1) % PACKAGES}"]',
    "private-names": lambda n: f'within = "app.p{n}"',
    "misplaced-classes": lambda n: (
        f'within = "app.p{n}"\nsubclasses_of = ["m{n}.C{n}"]\nhome = "*"\nallow_empty = true'
    ),
    "growing-modules": lambda n: f'modules = {{ "app.p{n}.m{n}" = ["C{n}"] }}',
    "oversized-modules": lambda n: f'within = "app.p{n}"\nmax_lines = 1000',
    "heavy-imports": lambda n: f'entry = "app.p{n}.m{n}"\navoid = ["pandas", "torch"]',
    "required-imports": lambda n: f'from = ["app.p{n}.*"]\nto = ["os"]',
    "kinds-of-import": lambda n: f'from = ["app.p{n}"]\nto = ["torch"]\nonly = ["deferred"]',
    "unreached-modules": lambda n: f'within = "app.p{n}"\nentry = ["app.p{n}.m{n}"]',
    "uncovered-modules": lambda n: f'within = "app.p{n}"',
}
FUNCTION = """
def f{0}(a, b):
    for key in range(a + {0} * b):
        print(key, a[key], b.get(key, None))
    return [one for one in a if one not in b]
"""


def _tree() -> dict[str, str]:
    dice = random.Random(1)
    names = [f"app.p{number % PACKAGES}.m{number}" for number in range(MODULES)]
    files = {"app/__init__.py": "", **{f"app/p{number}/__init__.py": "" for number in range(PACKAGES)}}
    for number, name in enumerate(names):
        imports = [f"import {dice.choice(names[:number])}" for _ in range(10) if number]
        body = "".join(FUNCTION.format(one) for one in range(40))
        comment = "x = 1  # layercheck: ignore[r0] one in the code\n" if number == 7 else ""
        text = "\n".join(["import os, torch", *imports, f"class C{number}: ...", body, comment])
        files[f"{name.replace('.', '/')}.py"] = text
    return files


def _rules() -> str:
    rules = []
    for number, (check, keys) in enumerate(islice(cycle(KEYS.items()), RULES)):
        ignore = 'ignore = [{ import = "app.p1.m1 -> app.p0.m0", reason = "a test" }]'
        head = f'[[rule]]\nname = "r{number}"\ncheck = "{check}"\nreason = "a test"\n{ignore}\n'
        rules.append(head + keys(number % PACKAGES))
    return "\n".join(rules)


def test_two_hundred_rules_cost_less_than_the_extraction() -> None:
    files, config = _tree(), read_config(_rules(), "layercheck.toml")
    asked = tuple(f"r{number}" for number in range(RULES))
    start = time.process_time()
    facts = {path: extract(text.encode()) for path, text in files.items()}
    extraction = time.process_time() - start
    project = Project(place(Listing(tuple(map(Entry, files)), {}), ProjectSettings()), facts)
    assert len(project.links) > MODULES * 10
    start = time.process_time()
    judgement = judge(project, config, TODAY)
    rules = time.process_time() - start
    assert {rule.name for rule in judgement.rules} >= set(asked)
    assert {finding.check for finding in judgement.findings} >= {
        "heavy-imports",
        "kinds-of-import",
        "forbidden-imports",
    }
    assert rules < extraction, f"{RULES} rules took {rules:.2f} s, the extraction {extraction:.2f} s"
