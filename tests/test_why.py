"""``why A B``: the chains that there are, in words and in JSON, and what is said where there is none."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.errors import LayercheckError
from layercheck.facts import KINDS, Kind
from layercheck.why.asking import why
from layercheck.why.formats import FORMATS, render_text
from tests.command import ROOT
from tests.test_cli import layercheck
from tests.tree import build_project, parse_tree, write_tree

TREE = """
# file: app/__init__.py
# file: app/cli.py
from app.web import (
    run,
    stop,
)
import app.batch
def late():
    from app.web import late
# file: app/web.py
import app.db
run = stop = late = 1
# file: app/batch.py
from app.db import *
# file: app/db/__init__.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import app.types
# file: app/db/pool.py
import sqlite3
from collections import abc
# file: app/types.py
def late():
    import app.db.pool
# file: app/alone.py
# file: tests/test_cli.py
from app import cli
"""


def told(importer: str, imported: str, *kinds: Kind, implicit: bool = False, limit: int = 0) -> str:
    project = build_project(parse_tree(TREE).files)
    return render_text(why(project, importer, imported, kinds or KINDS, implicit=implicit, limit=limit))


def chains(importer: str, imported: str, *kinds: Kind, implicit: bool = False) -> list[str]:
    """Each chain as the names on it."""
    project = build_project(parse_tree(TREE).files)
    answer = why(project, importer, imported, kinds or KINDS, implicit=implicit)
    found = [" ".join([chain[0].importer, *(hop.imported for hop in chain)]) for chain in answer.ways.chains]
    assert answer.ways.count == len(found)
    return found


def test_all_shortest_chains_with_all_their_lines() -> None:
    assert told("app.cli", "app.db") == (
        "From app.cli to app.db lead 2 shortest chains of 2 imports each.\n"
        "\n"
        "    app.cli -> app.batch\n"
        "        app/cli.py:5:8: import-time\n"
        "    app.batch -> app.db\n"
        "        app/batch.py:1:6: import-time, takes all names\n"
        "\n"
        "    app.cli -> app.web\n"
        "        app/cli.py:2:5: import-time, takes run, stop\n"
        "        app/cli.py:7:25: deferred, takes late\n"
        "    app.web -> app.db\n"
        "        app/web.py:1:8: import-time\n"
    )


@pytest.mark.parametrize(
    ("importer", "imported", "kinds", "found"),
    [
        ("app.cli", "app.web", (), ["app.cli app.web"]),
        ("app.cli", "app.web", ("deferred",), ["app.cli app.web"]),
        ("app.cli", "app.batch", ("deferred",), []),
        ("app.cli", "app.types", (), ["app.cli app.batch app.db app.types", "app.cli app.web app.db app.types"]),
        ("app.cli", "app.types", ("import-time",), []),
        ("app.db", "app.types", (), ["app.db app.types"]),
        ("app.types", "app.db", (), ["app.types app.db.pool"]),
        ("app.db", "sqlite3", (), ["app.db.pool sqlite3"]),
        ("app", "sqlite3", (), ["app.db.pool sqlite3"]),
        ("app.*", "collections.abc", (), ["app.db.pool collections.abc"]),
        ("app.db.*", "collections", (), ["app.db.pool collections.abc"]),
        ("app.w*", "app.d*", (), ["app.web app.db"]),
        ("tests/test_cli.py", "app.db", (), [
            "tests/test_cli.py app.cli app.batch app.db",
            "tests/test_cli.py app.cli app.web app.db",
        ]),
        ("app/cli.py", "app/web.py", (), ["app.cli app.web"]),
        ("./app/cli.py", "app.web", (), ["app.cli app.web"]),
        ("app.alone", "app.db", (), []),
        # What lies in the other side is no part of this one.
        ("app", "app.db", (), ["app.batch app.db", "app.types app.db.pool", "app.web app.db"]),
        ("app.db", "app", (), ["app.db app.types"]),
    ],
)  # fmt: skip
def test_chains(importer: str, imported: str, kinds: tuple[Kind, ...], found: list[str]) -> None:
    assert chains(importer, imported, *kinds) == found


def test_packages_that_are_run_count_where_that_is_asked() -> None:
    assert chains("app.types", "app.db", implicit=True) == ["app.types app.db", "app.types app.db.pool"]
    assert chains("tests/test_cli.py", "app.types") == [
        "tests/test_cli.py app.cli app.batch app.db app.types",
        "tests/test_cli.py app.cli app.web app.db app.types",
    ]
    files = {"a/__init__.py": "import b", "a/c.py": "", "b.py": "", "d.py": "import a.c"}
    project = build_project(files)
    assert why(project, "d", "b").ways.count == 0
    assert why(project, "d", "b", implicit=True).ways.length == 2


def test_none_and_the_other_way_round() -> None:
    assert told("app.db.pool", "app.cli") == (
        "No chain of imports leads from app.db.pool to app.cli.\n"
        "\n"
        "The other way round there is:\n" + told("app.cli", "app.db.pool")
    )
    assert told("app.alone", "app.cli") == "No chain of imports leads from app.alone to app.cli.\n"


def test_none_of_some_kinds() -> None:
    assert told("app.db", "app.types", "import-time", "deferred") == (
        "No chain of imports of kind import-time or deferred leads from app.db to\napp.types.\n"
        "\n"
        "With imports of every kind there is:\n"
        + told("app.db", "app.types")
        + "\nThe other way round there is:\n"
        + told("app.types", "app.db")
    )


def test_what_was_not_read_is_said_where_there_is_none() -> None:
    project = build_project({"a/__init__.py": "", "a/b.py": "(", "a/c.py": ""})
    assert render_text(why(project, "a.b", "a.c")) == (
        "No chain of imports leads from a.b to a.c.\n\nNote: a.b cannot be parsed, so what it imports is not known.\n"
    )


def test_through_a_package() -> None:
    project = build_project(parse_tree(TREE).files)
    answer = why(project, "app.cli", "app.db", packages=["app.web"])
    assert [[hop.imported for hop in chain] for chain in answer.ways.chains] == [["app.web", "app.db"]]
    assert (answer.ways.count, answer.ways.others) == (1, 1)
    assert render_text(answer).endswith("\n\nThere is 1 more not through app.web.\n")
    answer = why(project, "app.cli", "app.db", packages=["app.types", "app.alone"])
    assert answer.ways.count == 0
    assert render_text(answer) == (
        "No chain from app.cli to app.db runs through app.types or app.alone, of 2\nshortest chains of 2 imports.\n"
    )
    assert why(project, "app.cli", "app.db", packages=["app"]).ways.count == 2
    told = render_text(why(project, "app.cli", "app.web", packages=["app.types"]))
    assert told.endswith("app.types, of the one shortest\nchain of 1 import.\n")


def test_of_many_the_first_are_shown() -> None:
    middle = [f"m{number:02}" for number in range(40)]
    files = {"a.py": f"import {', '.join(middle)}", "z.py": "", **{f"{name}.py": "import z" for name in middle}}
    project = build_project(files)
    answer = why(project, "a", "z", limit=20)
    assert (answer.ways.count, len(answer.ways.chains)) == (40, 20)
    assert render_text(answer).endswith("\nand 20 more (--limit 0 for all)\n")
    assert len(why(project, "a", "z").ways.chains) == 40


@pytest.mark.parametrize(
    ("importer", "imported", "lines"),
    [
        ("app.clo", "app.db", ["there is no module app.clo; did you mean app.cli?"]),
        ("app.cli", "app.bd", ["there is no module app.bd; did you mean app.db?"]),
        ("app.clo", "app.clo", ["there is no module app.clo; did you mean app.cli?"]),
        (
            "app.clo",
            "app.bd",
            ["there is no module app.clo; did you mean app.cli?", "there is no module app.bd; did you mean app.db?"],
        ),
        ("app.cli", "pandas", ["there is no module pandas, and no file imports it from outside"]),
        ("app.cli", "collections.ab", ["no file imports collections.ab; did you mean collections.abc?"]),
        ("app.cli", "collections.deque", ["no file imports collections.deque; what is imported is collections"]),
        ("app.cli", "sqlit", ["there is no module sqlit, and no file imports it from outside; did you mean sqlite3?"]),
        ("app.cli", "json.tool", ["no file imports json.tool, of the standard library"]),
        ("app.cli", "ap.db", ["there is no module ap.db, and no file imports it from outside; did you mean app.db?"]),
        ("app.cli", "pan*", ["no module fits the pattern pan*, and no file imports what does from outside"]),
        ("json", "app", ["json is not of this project, so what it imports is not known"]),
        ("app.x*", "app", ["no module fits the pattern app.x*"]),
        ("sqlite3", "app", ["sqlite3 is not of this project, so what it imports is not known"]),
        ("app.cli", "app.web.run", ["app.web.run is a name in the module app.web; ask for the module"]),
        ("", "app", ["'' is neither a name, a pattern nor the path of a file of this project"]),
        ("app", "a/b.py", ["'a/b.py' is neither a name, a pattern nor the path of a file of this project"]),
        (
            "app.cli",
            "app.cli",
            ["app.cli and app.cli are the same; import rings are found by layercheck check --select cycles"],
        ),
    ],
)
def test_what_cannot_be_asked(importer: str, imported: str, lines: list[str]) -> None:
    with pytest.raises(LayercheckError) as error:
        told(importer, imported)
    assert error.value.lines == tuple(lines)


def test_json() -> None:
    project = build_project(parse_tree(TREE).files)
    answer = json.loads(FORMATS["json"](why(project, "app.db", "app.types", ("import-time",))))
    site = {"path": "app/db/__init__.py", "line": 3, "column": 12, "statement": 3, "kind": "typing"}
    assert answer == {
        "version": 1,
        "from": "app.db",
        "to": "app.types",
        "kinds": ["import-time"],
        "packages": [],
        "length": 0,
        "count": 0,
        "others": 0,
        "chains": [],
        "wider": {
            "length": 1,
            "count": 1,
            "others": 0,
            "chains": [
                [{"importer": "app.db", "imported": "app.types", "sites": [{**site, "name": "", "flags": []}]}],
            ],
        },
        "back": None,
        "notes": [],
    }


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_they_are_those_of_networkx(data: st.DataObject) -> None:
    names = ["a", "b", "c", "d", "e", "f"]
    pairs = data.draw(st.sets(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=14))
    deferred = data.draw(st.sets(st.sampled_from(sorted(pairs)), max_size=5)) if pairs else set[tuple[str, str]]()
    lines: dict[str, list[str]] = {name: [] for name in names}
    for importer, imported in sorted(pairs):
        late = (importer, imported) in deferred
        lines[importer].append(f"def f():\n    import {imported}" if late else f"import {imported}")
    project = build_project({f"{name}.py": "\n".join(lines[name]) for name in names})
    kinds: tuple[Kind, ...] = data.draw(st.sampled_from([KINDS, ("import-time",)]))
    graph = networkx.DiGraph(pair for pair in pairs if pair not in deferred or "deferred" in kinds)
    graph.add_nodes_from(names)
    answer = why(project, "a", "b", kinds)
    found = [[chain[0].importer, *(hop.imported for hop in chain)] for chain in answer.ways.chains]
    expected: list[Any] = []
    if networkx.has_path(graph, "a", "b"):
        expected = sorted(networkx.all_shortest_paths(graph, "a", "b"))
    elif networkx.has_path(graph, "b", "a"):
        assert answer.back is not None
    assert found == expected
    for chain in answer.ways.chains:
        assert all(hop.imported == following.importer for hop, following in pairwise(chain))
        assert all(site.path == f"{hop.importer}.py" and site.kind in kinds for hop in chain for site in hop.sites)


def test_the_page_shows_what_is_said() -> None:
    page = (ROOT / "docs" / "why.md").read_text(encoding="utf-8")
    assert f"```console\n$ layercheck why app.cli app.db\n{told('app.cli', 'app.db')}```\n" in page


class TestCommand:
    def test_status_and_output(self, tmp_path: Path) -> None:
        write_tree(tmp_path, TREE)
        done = layercheck("why", "app.cli", "app.db", "--root", tmp_path, "--output", tmp_path / "why.txt")
        assert (done.status, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / "why.txt").read_text() == told("app.cli", "app.db")
        done = layercheck("why", "app.db.pool", "app.cli", cwd=tmp_path)
        assert (done.status, done.stderr) == (1, "")
        assert done.stdout == told("app.db.pool", "app.cli")

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (("app.clo", "app.db"), "layercheck: there is no module app.clo; did you mean app.cli?\n"),
            (("app.cli", "app.db", "--kinds", "lazy"), "--kinds: there is no kind 'lazy'; there are import-time, "),
            (("app.cli", "app.db", "--limit", "-1"), "-1 is not in the range"),
            (("app.cli",), "Missing argument 'B'"),
            (("app.cli", "app.db", "--package", "ap"), "--package: no package or module is called 'ap'; did you mean"),
            (("app.cli", "app.db", "--rules", "none.toml"), "none.toml: the rules file cannot be read"),
        ],
    )
    def test_what_cannot_run(self, tmp_path: Path, arguments: tuple[str, ...], part: str) -> None:
        done = layercheck("why", *arguments, cwd=write_tree(tmp_path, TREE))
        assert (done.status, done.stdout) == (2, "")
        assert part in done.stderr

    def test_only_through_a_package(self, tmp_path: Path) -> None:
        write_tree(tmp_path, TREE)
        assert layercheck("why", "app.cli", "app.db", "--package", "app.web", cwd=tmp_path).status == 0
        assert layercheck("why", "app.cli", "app.db", "--package", "app.alone", cwd=tmp_path).status == 1

    def test_kinds_and_json(self, tmp_path: Path) -> None:
        done = layercheck(
            "why", "app.cli", "app.types", "--kinds", "import-time,typing", "--format", "json",
            cwd=write_tree(tmp_path, TREE),
        )  # fmt: skip
        answer = json.loads(done.stdout)
        assert done.status == 0
        assert answer["kinds"] == ["import-time", "typing"]
        assert (answer["count"], answer["length"]) == (2, 3)
