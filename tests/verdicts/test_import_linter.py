"""Generated trees, and the projects of import-linter's own house: its verdict and that of the migrated rules."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from layercheck import names, run
from tests import corpus
from tests.verdicts import contracts, ours
from tests.verdicts.compare import differences
from tests.verdicts.peer import VERSIONS, Peer, environment, start
from tests.verdicts.trees import Tree, trees

pytestmark = pytest.mark.corpus

TREES = int(os.environ.get("LAYERCHECK_VERDICTS", "100"))
"""How many trees are generated; the figures in docs/migrating.md are of 500."""
STRICTER = (
    "is not used",
    "no module fits the pattern",
    "so this rule can find nothing",
    "which has no sibling",
    "so it would be two siblings",
    "there is no module",
    "so it can never find anything",
)
"""What check rules-file says of settings that import-linter takes in silence (docs/migrating.md)."""

NEVER_BROKEN = (
    "a single layer, which nothing can be above or below",
    "a single module, which can only be independent",
    "nothing is left that it forbids",
)
"""Why migrate leaves out contracts that it takes for such as can never be broken."""


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    try:
        environment("import-linter")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    with start("import-linter", "ask_import_linter.py") as one:
        yield one


SPELLINGS = {
    ".importlinter": contracts.spell,
    "setup.cfg": contracts.spell,
    "pyproject.toml": contracts.spell_toml,
}


@dataclass(frozen=True, slots=True)
class Case:
    """A tree, its contracts, and the settings in which they are written."""

    tree: Tree
    contracts: list[contracts.Contract]
    settings: str
    text: str


@st.composite
def cases(draw: st.DrawFn) -> Case:
    tree = draw(trees())
    session, chosen = draw(contracts.settings(tree.modules))
    settings = draw(st.sampled_from(sorted(SPELLINGS)))
    return Case(tree, chosen, settings, SPELLINGS[settings](session, chosen))


def _is_no_package(error: str, tree: Tree) -> bool:
    """Whether a pattern for containers fits a plain module too, in which import-linter then misses the layers."""
    missed = re.search(r"Missing layer in container '([^']+)'", error)
    return missed is not None and not any(names.parent(name) == missed[1] for name in tree.modules)


@settings(max_examples=TREES, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_generated_trees(peer: Peer, case: Case) -> None:
    tree, chosen, text = case.tree, case.contracts, case.text
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        tree.write(root)
        (root / case.settings).write_text(text, encoding="utf-8")
        theirs = peer.ask(root=folder, path=folder, settings=case.settings)
        said = ours.judge(root)
    faults = said.faults()
    found = []
    for contract, verdict in zip(chosen, theirs, strict=True):
        name = contract["name"]
        assert "invalid" not in verdict, f"the generator made no contract: {verdict}\n{text}"
        mine = [fault for fault in faults if f"rule {name}" in fault]
        left = [one for one in said.left if f"contract {name!r}:" in one]
        if any(reason in one for one in left for reason in NEVER_BROKEN) and not verdict.get("kept", True):
            found.append(f"{name}: left out as never broken, and import-linter finds it broken")
        if left:
            continue
        if "error" in verdict:
            if not mine and not _is_no_package(verdict["error"], tree):
                found.append(f"{name}: import-linter cannot check it, and nothing is said: {verdict['error']}")
            continue
        found += [f"{name}: rules-file: {fault}" for fault in mine if not any(one in fault for one in STRICTER)]
        found += [f"{name}: {one}" for one in differences(contract, verdict, said.of(name), ("app", "lib"))]
    assert not found, "\n".join(
        [*found, text, said.text, *(f"--- {path}\n{body}" for path, body in tree.files.items())]
    )


@settings(max_examples=TREES // 5, deadline=None, suppress_health_check=list(HealthCheck))
@given(tree=trees(), data=st.data())
def test_closed_layers_are_those_of_grimp(peer: Peer, tree: Tree, data: st.DataObject) -> None:
    """No contract of import-linter has closed layers, but the engine under it has."""
    units = sorted({name for name in tree.modules if name.count(".") == 1})
    order = data.draw(st.permutations(units).map(lambda names: names[:5]).filter(lambda names: len(names) > 1))
    closed = data.draw(st.lists(st.sampled_from(order), unique=True))
    rule = f"""
[[rule]]
name = "order"
check = "layers"
reason = "a test"
reach = "transitive"
chain_kinds = ["import-time", "deferred", "typing"]
order = {json.dumps(order)}
closed = {json.dumps(closed)}
"""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        tree.write(root)
        (root / ours.RULES).write_text(rule, encoding="utf-8")
        theirs = peer.ask(root=folder, path=folder, layers=order, closed=closed)
        report = run.check(run.CheckRequest(root, selection=run.Selection(select=("order",)), cache=False, jobs=1))
    layers = [one.problem.layers for one in report.findings if one.rule == "order"]
    assert {(pair.importer, pair.imported) for pair in layers if pair} == {(one, other) for one, other in theirs}


GRIMP = """\
[importlinter]
root_package = grimp

[importlinter:contract:1]
name=Layered architecture
type=layers
containers =
    grimp
layers=
    main
    adaptors
    application
    domain
    exceptions
exhaustive = true
ignore_imports =
    ; Grimp doesn't understand extension modules: it thinks grimp._rustgrimp
    ; is an object within grimp, rather than a module in its own right,
    ; so we ignore these imports here.
    grimp.adaptors.caching -> grimp
    grimp.application.graph -> grimp
    grimp.adaptors.filesystem -> grimp
    grimp.application.scanning -> grimp
"""
"""The settings in grimp's repository, which its source distribution leaves out."""


def import_linter_itself(folder: Path) -> tuple[Path, str]:
    (project,) = corpus.sdist("import-linter", VERSIONS["import-linter"]).iterdir()
    return corpus.copy(project, folder / "itself"), "src"


def grimp_itself(folder: Path) -> tuple[Path, str]:
    root = corpus.copy(corpus.release("grimp", "3.20"), folder / "itself")
    (root / ".importlinter").write_text(GRIMP, encoding="utf-8")
    return root, "."


@pytest.mark.parametrize(("itself", "unused"), [(import_linter_itself, 0), (grimp_itself, 4)])
def test_what_they_have_for_themselves(
    peer: Peer, tmp_path: Path, itself: Callable[[Path], tuple[Path, str]], unused: int
) -> None:
    try:
        root, sources = itself(tmp_path)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    theirs = peer.ask(root=str(root), path=str(root / sources), settings=".importlinter")
    said = ours.judge(root)
    contracts_ = [rule for rule in said.rules if f'name = "{rule}"' in said.text]
    assert said.left == ()
    assert [verdict["kept"] for verdict in theirs] == [not said.of(rule) for rule in contracts_]
    assert contracts_
    # grimp ignores imports of its own compiled module, which for layercheck are no imports of the package around it.
    assert ["is not used" in fault for fault in said.faults()] == [True] * unused
