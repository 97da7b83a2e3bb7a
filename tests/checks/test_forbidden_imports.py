"""forbidden-imports: a table of small trees with the expected lines marked in place, and faults of a rule by itself."""

from __future__ import annotations

import msgspec
import pytest
import tomli

from layercheck.checks import all_checks
from layercheck.checks.forbidden_imports import ForbiddenImportsOptions
from layercheck.config import read_config
from tests.tree import build_project, check_tree, judge_tree, parse_tree

RULE = """# file: layercheck.toml
[[rule]]
name = "apart"
check = "forbidden-imports"
reason = "a test"
"""
EMPTY = "".join(f"# file: app/{name}.py\n" for name in ("__init__", "a", "b", "c/__init__", "c/d"))

TREES = {
    "a name stands for everything below it, on both sides": """
from = ["app.a"]
to = ["app.b"]
# file: app/a/__init__.py
import app.b  # problem: app.a imports app.b, which it may not import
# file: app/a/deep/x.py
from app.b.deep import y  # problem: app.a.deep.x imports app.b.deep.y, which it may not import
# file: app/b/__init__.py
import app.a
# file: app/b/deep/y.py
import app.a.deep.x
# file: app/c.py
import app.b
""",
    "each importer is named whose chain runs through links that others have used": """
from = ["app.low"]
to = ["torch"]
reach = "transitive"
# file: app/__init__.py
# file: app/low/__init__.py
# file: app/low/a.py
import app.one  # problem: app.low.a reaches torch, which it may not import, through app.one
# file: app/low/b.py
import app.two  # problem: app.low.b reaches torch, which it may not import, by a chain of 3 imports
# file: app/low/c.py
import app.two  # problem: app.low.c reaches torch, which it may not import, by a chain of 3 imports
# file: app/one.py
import torch
# file: app/two.py
import app.one
""",
    "patterns": """
from = ["app.*.views"]
to = ["**.models"]
# file: app/one/__init__.py
# file: app/one/views.py
import app.two.models  # problem: app.one.views imports app.two.models
# file: app/two/models.py
# file: app/two/views/part.py
from app.two import models  # problem: app.two.views.part imports app.two.models
# file: app/two/other.py
import app.two.models
""",
    "what lies in one name of from may import the rest of it": """
from = ["app.a"]
to = ["app.*.x"]
own = true
# file: app/__init__.py
# file: app/a/__init__.py
import app.a.x
import app.b.x  # problem: app.a imports app.b.x
# file: app/a/x.py
import app.b.x  # problem: app.a.x imports app.b.x
# file: app/b/__init__.py
# file: app/b/x.py
""",
    "exact names leave what is below them out, on both sides": """
from = ["app.a"]
to = ["app.a.x", "app.b"]
exact = true
reach = "transitive"
# file: app/a/__init__.py
import app.b  # problem: app.a imports app.b, which it may not import
import app.a.x  # problem: app.a imports app.a.x, which it may not import
import app.b.deep.y  # problem: app.a reaches app.b, which it may not import, through app.b.deep.y
# file: app/a/x.py
import app.b
# file: app/b/__init__.py
# file: app/b/deep/y.py
import app.b
""",
    "a chain runs through what is beside it in its own name of to": """
from = ["app.a.x"]
to = ["app.*"]
reach = "transitive"
# file: app/a/__init__.py
# file: app/a/x.py
import app.a.y  # problem: app.a.x reaches app.b, which it may not import, through app.a.y
# file: app/a/y.py
import app.b
import app.a.x
# file: app/b.py
import app.a.x
""",
    "names outside the project": """
from = ["app"]
to = ["torch", "django.db"]
# file: app/__init__.py
import torch  # problem: app imports torch, which it may not import
import torch.nn as nn  # problem: app imports torch.nn
from torch import nn  # problem: app imports nn from torch
from django import db  # problem: app imports db from django
from django import conf
import django.dbx
import torchvision
from django.db.models import Model  # problem: app imports Model from django.db.models
""",
    "but takes names out": """
from = ["app"]
to = ["lib", "django"]
but = ["lib.face", "django.conf"]
# file: app/__init__.py
import lib.face
import lib.inner  # problem: app imports lib.inner
from django import conf
from django.conf import settings
from django import db  # problem: app imports db from django
# file: lib/__init__.py
# file: lib/face.py
import lib.inner
# file: lib/inner.py
""",
    "what lies in one name of to may import the rest of it": """
from = ["app"]
to = ["app.old"]
# file: app/__init__.py
# file: app/new.py
import app.old.x  # problem: app.new imports app.old.x
# file: app/old/x.py
import app.old.y
# file: app/old/y.py
import app.new
""",
    "the same pattern on both sides keeps them apart": """
from = ["app.parts.*"]
to = ["app.parts.*"]
# file: app/__init__.py
# file: app/parts/__init__.py
import app.parts.one
# file: app/parts/one.py
import app.parts.two  # problem: app.parts.one imports app.parts.two
import app.parts
# file: app/parts/two/__init__.py
import app.parts.two.deep
# file: app/parts/two/deep.py
import app.parts.two
import app.parts.one  # problem: app.parts.two.deep imports app.parts.one
""",
    "only_from": """
to = ["app.db", "sqlite3"]
only_from = ["app.store"]
# file: app/__init__.py
# file: app/db/__init__.py
import app.db.part
# file: app/db/part.py
import app.db
# file: app/store/sql.py
import app.db
import sqlite3
# file: app/view.py
import app.store.sql
import app.db.part  # problem: app.view imports app.db.part, which only app.store may import
import sqlite3  # problem: app.view imports sqlite3, which only app.store may import
# file: tests/test_db.py
import app.db
""",
    "only_to": """
from = ["app.core"]
only_to = ["app.base"]
# file: app/__init__.py
# file: app/base.py
import app.view
# file: app/view.py
import app.core.x
# file: app/core/x.py
import os, numpy
import app.base
from app.core import y
import app.view  # problem: app.core.x imports app.view, but may import only app.base
# file: app/core/y.py
""",
    "only_to with what is outside": """
from = ["app.core"]
only_to = ["numpy", "app.base"]
external = true
# file: app/__init__.py
# file: app/base.py
# file: app/core.py
from __future__ import annotations
import os.path
import numpy.linalg
import app.base
from scipy import stats  # problem: app.core imports stats from scipy, but may import only numpy and app.base
""",
    "kinds": """
from = ["app.a"]
to = ["app.b", "torch"]
kinds = ["deferred"]
# file: app/__init__.py
# file: app/b.py
# file: app/a.py
import app.b, torch
def f():
    import app.b  # problem: app.a imports app.b
    import torch  # problem: app.a imports torch
""",
    "an exempt module may": """
from = ["app"]
to = ["torch"]
exempt = ["app.gpu"]
# file: app/__init__.py
# file: app/gpu.py
import torch
# file: app/cpu.py
import torch  # problem: app.cpu imports torch
""",
    "direct reach sees no chain": """
from = ["app.a"]
to = ["app.b"]
# file: app/__init__.py
# file: app/a.py
import app.c
# file: app/b.py
# file: app/c.py
import app.b
""",
    "a chain": """
from = ["app.a"]
to = ["app.b"]
reach = "transitive"
# file: app/__init__.py
# file: app/a.py
import app.c  # problem: app.a reaches app.b, which it may not import, through app.c
# file: app/b.py
# file: app/c.py
import app.b
""",
    "a chain to what is outside": """
from = ["app.a"]
to = ["torch"]
reach = "transitive"
# file: app/__init__.py
# file: app/a/__init__.py
import app.a.part
# file: app/a/part.py
import app.c  # problem: app.a.part reaches torch.nn, which it may not import, by a chain of 3 imports
# file: app/c.py
import app.d
# file: app/d.py
from torch import nn
""",
    "a chain runs through imports of chain_kinds": """
from = ["app.a"]
to = ["app.b", "torch"]
reach = "transitive"
# file: app/__init__.py
# file: app/a.py
import app.c
# file: app/b.py
# file: app/c.py
def f():
    import app.b, torch
""",
    "a chain through what is spared does not count": """
from = ["app"]
to = ["lib"]
but = ["lib.face"]
reach = "transitive"
# file: app/__init__.py
import lib.face
import other  # problem: app reaches lib.inner, which it may not import, through other
# file: lib/__init__.py
# file: lib/face.py
import lib.inner
# file: lib/inner.py
# file: other.py
import lib.inner
""",
    "a chain between parts kept apart": """
from = ["parts.*"]
to = ["parts.*"]
reach = "transitive"
# file: parts/__init__.py
# file: parts/one.py
import common  # problem: parts.one reaches parts.two, which it may not import, through common
# file: parts/two/__init__.py
import common
# file: common.py
import parts.two
""",
    "an exempt module begins no chain, and ends those of its own side": """
from = ["app"]
to = ["torch"]
exempt = ["app.gpu"]
reach = "transitive"
# file: app/__init__.py
# file: app/gpu.py
import torch
import other
# file: app/cpu.py
import app.gpu
# file: other.py
import torch
""",
    "vendored code is not judged": """
from = ["app"]
to = ["torch"]
# file: app/__init__.py
# file: app/_vendor/__init__.py
# file: app/_vendor/x.py
import torch
""",
    "an ignored import is not there": """
from = ["app.a"]
to = ["app.b"]
reach = "transitive"
ignore = [{ import = "app.c -> app.b", reason = "known" }]
# file: app/__init__.py
# file: app/a.py
import app.c
# file: app/b.py
# file: app/c.py
import app.b
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_trees(tree: str) -> None:
    check_tree("forbidden-imports", RULE + tree.lstrip("\n"))


TEXT_FAULTS = {
    "": "say who may not import",
    'from = ["a"]': "say what may not be imported",
    'to = ["a"]': "say who may not import",
    'from = ["a"]\nto = ["b"]\nonly_from = ["c"]': "`from` and `only_from` exclude each other",
    'from = ["a"]\nto = ["b"]\nonly_to = ["c"]': "`to` and `only_to` exclude each other",
    'only_from = ["a"]\nonly_to = ["b"]': "write two rules",
    'from = ["a"]\nonly_to = ["b"]\nbut = ["b.c"]': "`but` takes names out of `to`",
    'from = ["a"]\nto = ["b"]\nexternal = true': "`external` widens `only_to`",
    'from = ["a"]\nto = ["b"]\nwithin = "a"': "`within` has no meaning here",
    'from = ["a"]\nonly_to = ["b"]\nown = true': "`own` is said of `from` and `to`",
    'from = ["a"]\nonly_to = ["b"]\nexact = true': "`exact` is said of `from` and `to`",
    'from = ["a"]\nto = ["b", "c d"]': "`to[1]`: 'c d' is neither a name nor a pattern",
    'from = ["a."]\nto = ["b"]': "`from[0]`: 'a.' is neither a name nor a pattern",
}


@pytest.mark.parametrize(("text", "fault"), TEXT_FAULTS.items())
def test_what_is_wrong_with_the_text_is_said_when_it_is_read(text: str, fault: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(tomli.loads(text), ForbiddenImportsOptions)
    assert fault in str(raised.value)


CODE_FAULTS = {
    'from = ["app.aa"]\nto = ["app.b"]': [("from[0]", "there is no module app.aa; did you mean app.a?")],
    'from = ["app.a"]\nto = ["app.gone"]': [("to[0]", "there is no module app.gone")],
    'from = ["app.a"]\nto = ["app.gone.*"]': [("to[0]", "no module fits the pattern app.gone.*")],
    'from = ["other"]\nto = ["app.b"]': [("from[0]", "there is no module other")],
    'from = ["app.a"]\nto = ["**.gone"]': [("to[0]", "no module fits the pattern **.gone")],
    'from = ["app.a"]\nto = ["torch", "torch.*"]': [],
    'from = ["app.a"]\nto = ["app.b"]\nbut = ["app.c"]': [("but[0]", "app.c is not in `to`")],
    'from = ["app.a"]\nto = ["torch"]\nbut = ["numpy"]': [("but[0]", "numpy is not in `to`")],
    'from = ["app.a"]\nto = ["torch"]\nbut = ["torch.nn"]': [],
    'from = ["app.a"]\nto = ["app.c"]\nbut = ["app.c"]': [("to", "every import from `from` to `to` is allowed, so")],
    'from = ["app.a"]\nto = ["app.a"]': [("to", "is allowed (both lie in app.a), so this rule can find nothing")],
    'from = ["app.a"]\nonly_to = ["numpy"]': [("only_to[0]", "with `external = true`")],
    'from = ["app.a"]\nonly_to = ["numpy"]\nexternal = true': [],
    'from = ["app.a"]\nonly_to = ["app"]': [("only_to", "from `from` to outside `only_to` is allowed, so")],
    # A name that nobody takes and that is nearly one of the project is taken for that, misspelt.
    'from = ["app.a"]\nto = ["aapp.b"]': [("to[0]", "there is no module aapp.b; did you mean app.b?")],
    'from = ["app.a"]\nto = ["aapp.*"]': [("to[0]", "no module fits the pattern aapp.*")],
    'from = ["app.a"]\nto = ["pap", "appx", "numpy.b"]': [],
    'from = ["app.A"]\nto = ["app.b"]': [("from[0]", "there is no module app.A; did you mean app.a?")],
    'from = ["app.a"]\nto = ["app.c"]\nbut = ["app.gone"]': [("but[0]", "there is no module app.gone")],
    'from = ["app.a"]\nto = ["app.b"]\nexempt = ["d"]': [
        ("exempt[0]", "there is no module d; did you mean app.c.d? Names in `exempt` are absolute")
    ],
    'to = ["torch"]\nonly_from = ["app.gpu"]': [("only_from[0]", "there is no module app.gpu")],
    'from = ["app"]\nto = ["torch"]\nexempt = ["app.gpu"]': [("exempt[0]", "there is no module app.gpu")],
}


@pytest.mark.parametrize(("text", "faults"), CODE_FAULTS.items())
def test_what_is_wrong_with_a_rule_against_the_code(text: str, faults: list[tuple[str, str]]) -> None:
    files = parse_tree(f"{RULE}{text}\n{EMPTY}").files
    config = read_config(files["layercheck.toml"], "layercheck.toml")
    rule = next(rule for rule in config.rules if rule.name == "apart")
    found = all_checks()["forbidden-imports"].coverage(build_project(files, config), rule.options).faults
    assert [fault.key for fault in found] == [key for key, _ in faults]
    for fault, (_, message) in zip(found, faults, strict=True):
        assert message in fault.message


def test_a_chain_has_every_step_with_its_place() -> None:
    files = parse_tree(RULE + TREES["a chain to what is outside"].lstrip("\n")).files
    (finding,) = judge_tree("forbidden-imports", files).findings
    assert [(step.importer, step.imported, step.path, step.line) for step in finding.problem.chain] == [
        ("app.a.part", "app.c", "app/a/part.py", 1),
        ("app.c", "app.d", "app/c.py", 1),
        ("app.d", "torch", "app/d.py", 1),
    ]


def test_only_what_is_allowed_instead_and_is_there_is_offered() -> None:
    tree = """
from = ["app.a"]
to = ["app.web", "app.db", "torch"]
but = ["app.db.face", "torch.gone"]
# file: app/__init__.py
# file: app/a.py
import app.web
import app.db.tables
import torch.nn
# file: app/db/face.py
# file: app/db/tables.py
# file: app/web.py
"""
    found = judge_tree("forbidden-imports", parse_tree(RULE + tree.lstrip("\n")).files).findings
    otherwise = "let the caller pass in what is needed"
    assert [(one.problem.imported, one.problem.help.partition(",")[0]) for one in found] == [
        ("app.web", otherwise),
        ("app.db.tables", "use app.db.face instead"),
        ("torch.nn", otherwise),
    ]


@pytest.mark.parametrize(
    ("options", "counted"),
    [
        ({"from": ["app.a"], "to": ["app.b"]}, set()),
        ({"from": ["app.c"], "to": ["app.b"]}, {("app.c", "app.b")}),
        ({"from": ["app.c"], "to": ["torch"]}, {("app.c", "torch")}),
        ({"from": ["app.a"], "to": ["app.b"], "reach": "transitive"}, {("app.a", "app.c"), ("app.c", "app.b")}),
        ({"from": ["app.a"], "to": ["torch"], "reach": "transitive"}, {("app.a", "app.c"), ("app.c", "torch")}),
    ],
)
def test_a_rule_counts_the_links_that_break_it_and_no_others(
    options: dict[str, object], counted: set[tuple[str, str]]
) -> None:
    tree = parse_tree(
        "# file: app/__init__.py\n# file: app/a.py\nimport app.c\n# file: app/b.py\n# file: app/c.py\n"
        "import app.b\nimport torch\nimport app.d\n# file: app/d.py\n"
        "# file: tests/test_c.py\nimport app.b\n"
    )
    project = build_project(tree.files)
    counts = all_checks()["forbidden-imports"].counts
    assert counts is not None
    rule = msgspec.convert(options, ForbiddenImportsOptions)
    assert {(link.importer, link.imported) for link in project.links if counts(project, rule)(link)} == counted
