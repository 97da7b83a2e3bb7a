"""Generated trees: the places at which tach sees errors and those at which the migrated rule does."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from layercheck import names
from layercheck.config.spell import spell
from layercheck.errors import LayercheckError
from tests import corpus
from tests.verdicts import ours
from tests.verdicts.peer import Peer, environment, start
from tests.verdicts.trees import Tree, trees

pytestmark = pytest.mark.corpus

TREES = int(os.environ.get("LAYERCHECK_VERDICTS", "100")) * 2 // 5
LAYERS = ("top", "middle", "bottom")
OFFERS = ("thing", "x.*", ".*", "y", "x\\.thing|b", "[a-c].*", "other")


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    try:
        environment("tach")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    with start("tach", "ask_tach.py") as one:
        yield one


@dataclass(frozen=True, slots=True)
class Case:
    """A tree and its settings."""

    tree: Tree
    files: dict[str, str]


@st.composite
def _module(draw: st.DrawFn, name: str, known: Sequence[str]) -> dict[str, Any]:
    table: dict[str, Any] = {"path": name}
    lists = st.lists(st.sampled_from([*known, "app.*", "lib.**", "app.a.**", "<root>"]), max_size=4, unique=True)
    if draw(st.integers(0, 3)):
        table["depends_on"] = draw(lists)
        if table["depends_on"] and draw(st.booleans()):
            table["depends_on"][0] = {"path": table["depends_on"][0], "deprecated": draw(st.booleans())}
    if not draw(st.integers(0, 3)):
        table["cannot_depend_on"] = draw(lists)
    if draw(st.booleans()):
        table["layer"] = draw(st.sampled_from(LAYERS))
    for key in ("utility", "unchecked"):
        if not draw(st.integers(0, 5)):
            table[key] = True
    return table


@st.composite
def _interface(draw: st.DrawFn, known: Sequence[str]) -> dict[str, Any]:
    table: dict[str, Any] = {"expose": draw(st.lists(st.sampled_from(OFFERS), max_size=2, unique=True))}
    if draw(st.booleans()):
        table["from"] = draw(st.lists(st.sampled_from([*known, "app.*", "lib\\..*"]), min_size=1, max_size=2))
    if draw(st.booleans()):
        table["visibility"] = draw(st.lists(st.sampled_from(known), max_size=3, unique=True))
        table["exclusive"] = draw(st.booleans())
    return table


@st.composite
def _top(draw: st.DrawFn) -> dict[str, Any]:
    layers = [{"name": name, "closed": True} if draw(st.integers(0, 3)) == 0 else name for name in LAYERS]
    top: dict[str, Any] = {"layers": layers}
    for key in ("ignore_type_checking_imports", "layers_explicit_depends_on"):
        if draw(st.booleans()):
            top[key] = draw(st.booleans())
    if draw(st.booleans()):
        top["root_module"] = draw(st.sampled_from(["ignore", "allow"]))
    return top


@st.composite
def cases(draw: st.DrawFn) -> Case:
    tree = draw(trees())
    source = draw(st.sampled_from(["", "", "src/"]))
    tree = replace(tree, files={source + path: text for path, text in tree.files.items()})
    top = draw(_top())
    if source:
        top["source_roots"] = ["src"]
    chosen = draw(st.lists(st.sampled_from(tree.modules), min_size=2, max_size=7, unique=True))
    modules = [draw(_module(name, chosen)) for name in chosen]
    if draw(st.booleans()):
        excluded = draw(st.sampled_from(["app.a", "app.b", "lib"]))
        # What is configured inside a folder that is not read is another matter: docs/migrating.md.
        if not any(names.is_within(name, excluded) for name in chosen):
            top["exclude"] = [source + excluded.replace(".", "/")]
    elif draw(st.booleans()):
        modules.insert(0, draw(_module(draw(st.sampled_from(["app.*", "lib.**", "app.a.*"])), chosen)))
    if top.get("root_module") == "allow" and draw(st.booleans()):
        modules.append(draw(_module("<root>", chosen)))
    interfaces = draw(st.lists(_interface(chosen), max_size=2))
    files = dict(tree.files)
    files["tach.toml"] = _spell(top, modules, interfaces)
    if "exclude" not in top and draw(st.booleans()):
        package = draw(st.sampled_from(["app.a", "lib"]))
        if f"{source}{package.replace('.', '/')}/__init__.py" in files and package not in chosen:
            files[f"{source}{package.replace('.', '/')}/tach.domain.toml"] = draw(_domain(package, tree, chosen))
    return Case(tree, files)


@st.composite
def _domain(draw: st.DrawFn, package: str, tree: Tree, chosen: Sequence[str]) -> str:
    """A domain file: its own root, one of its modules, and an interface."""
    root = {**draw(_module("", [f"//{name}" for name in chosen]))}
    del root["path"]
    for key in ("depends_on", "cannot_depend_on"):
        root[key] = [one for one in root.get(key, []) if isinstance(one, str) and one.startswith("//")]
    below = [names.relative(name, package) for name in tree.modules if names.parent(name) == package]
    below = [name for name in below if f"{package}.{name}" not in chosen]
    modules = [{"path": name, "depends_on": ["<domain_root>"]} for name in below[:1]]
    lines = ["[root]", *(f"{key} = {spell(value)}" for key, value in root.items())]
    return "\n".join([*lines, _spell({}, modules, [{"expose": ["x.*"], "from": ["<domain_root>"]}])])


def _spell(top: dict[str, Any], modules: Sequence[dict[str, Any]], interfaces: Sequence[dict[str, Any]]) -> str:
    lines = [f"{key} = {spell(value)}" for key, value in top.items()]
    for header, tables in (("modules", modules), ("interfaces", interfaces)):
        for table in tables:
            lines += ["", f"[[{header}]]", *(f"{key} = {spell(value)}" for key, value in table.items())]
    return "\n".join([*lines, ""])


@settings(max_examples=TREES, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_generated_trees(peer: Peer, case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        replace(case.tree, files=case.files).write(root)
        theirs = peer.ask(root=folder)
        shown = "\n".join(f"--- {path}\n{text}" for path, text in case.files.items())
        if "refused" in theirs:
            with pytest.raises(LayercheckError):
                ours.judge(root)
            return
        said = ours.judge(root)
    places = {(one.problem.location.path, one.problem.location.line) for one in said.of("tach")}
    assert {tuple(place) for place in theirs["places"]} == places, (
        f"{json.dumps(theirs)}\n{sorted(places)}\n{said.text}\n{shown}"
    )
