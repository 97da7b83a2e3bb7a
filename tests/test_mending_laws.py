"""Laws of mending, on trees that are made up: what Python says of the modules before and after is the judge."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from layercheck.extract import extract
from layercheck.finding import Finding
from tests.mending import DECLARED, encoded, judged, mend_files

MODULES = ("base", "left", "right", "_p/__init__", "_p/inner", "last")
"""Each may import from those before it, so that a tree can be imported."""

NAMES = ("one", "two", "three")

ASK = """
import importlib, json, sys
sys.dont_write_bytecode = True
told = {}
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
    except Exception as error:
        told[name] = None
    else:
        told[name] = sorted(one for one in vars(module) if not one.startswith("__"))
print(json.dumps(told))
"""


def dotted(module: str) -> str:
    return "a." + module.replace("/", ".").removesuffix(".__init__")


def what_python_says(files: Mapping[str, str], modules: list[str]) -> dict[str, list[str] | None]:
    """By module, the names that it has once it is imported; None where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(encoded(text))
        done = subprocess.run(
            [sys.executable, "-S", "-c", ASK, *modules],
            cwd=folder,
            capture_output=True,
            check=True,
            timeout=60,
        )
    told: dict[str, list[str] | None] = json.loads(done.stdout)
    return told


@st.composite
def statements(draw: st.DrawFn, earlier: list[str], newline: str) -> str:
    """An import statement, laid out in one of many ways."""
    source = draw(st.sampled_from([*(dotted(one) for one in earlier), "os.path", "a.gone"]))
    known = ("join", "split", "sep") if source == "os.path" else (*NAMES, "passed")
    taken = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    items = [f"{name} as {name[0]}_{name}" if draw(st.integers(0, 4)) == 0 else name for name in taken]
    comment = draw(st.sampled_from(["", "  # why, of course", "  # noqa: E501"]))
    match draw(st.integers(0, 4)):
        case 0:
            body = newline.join(f"    {item},{comment}" for item in items)
            return f"from {source} import ({newline}{body}{newline})"
        case 1:
            return f"from {source} import ({', '.join(items)}){comment}"
        case 2:
            return f"from {source} import " + f", \\{newline}    ".join(items)
        case 3:
            return f"import json; from {source} import {', '.join(items)}; import re"
        case _:
            return f"from {source} import {', '.join(items)}{comment}"


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """A package whose modules take names from each other and use some of them."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    files = {"a/__init__.py": ""}
    for index, module in enumerate(MODULES):
        lines = [draw(st.sampled_from(["", "'''Of it: é.'''", "# first"]))]
        for _ in range(draw(st.integers(0, 3)) if index else 0):
            statement = draw(statements([*MODULES[:index]], newline))
            indented = "".join(f"    {line}{newline}" for line in statement.split(newline))
            match draw(st.integers(0, 7)):
                case 0:
                    lines.append(f"def f{len(lines)}():{newline}{indented}    return 1")
                case 1:
                    lines += ["from typing import TYPE_CHECKING", f"if TYPE_CHECKING:{newline}{indented}"]
                case 2:
                    lines.append(f"try:{newline}{indented}except ImportError:{newline}    pass")
                case _:
                    lines.append(statement)
        defined = draw(st.sets(st.sampled_from(NAMES), min_size=0 if index else 3))
        lines += [f"def {name}(): ..." for name in sorted(defined)]
        read = draw(st.lists(st.sampled_from((*NAMES, "join", "o_one", "json")), max_size=3, unique=True))
        lines += [f"def g{name}(): return {name}" for name in read]
        lines += ["print()"] if draw(st.integers(0, 5)) == 0 else []
        lines += ["passed = 1"]
        files[f"a/{module}.py"] = newline.join(lines) + draw(st.sampled_from(["", newline]))
    return files


def counted(findings: tuple[Finding, ...]) -> Counter[tuple[str, ...]]:
    return Counter(
        (one.check, one.problem.location.path, one.problem.imported or "", one.problem.name or "")
        for one in findings
        if one.check != "cycles"
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=trees(), unsafe=st.booleans())
def test_mending_leaves_what_python_makes_of_it(files: dict[str, str], unsafe: bool) -> None:
    outcome = mend_files(files, unsafe=unsafe)
    for path in outcome.mended.files:
        assert extract(encoded(outcome.files[path])).failure is None
    before, after = counted(judged(files)), counted(judged(outcome.files))
    assert not after - before, "nothing new"
    fixed = counted(tuple(one.finding for one in outcome.mended.fixes))
    # More may be fixed than there was: what others took may be left over once those are fixed.
    assert all(after[key] <= max(before[key] - fixed[key], 0) for key in fixed), "what was mended is gone"
    again = mend_files(outcome.files, unsafe=unsafe)
    assert not again.mended.files, again.diff
    modules = [dotted(module) for module in MODULES]
    was, now = what_python_says(files, modules), what_python_says(outcome.files, modules)
    for module in modules:
        if was[module] is not None:
            assert now[module] is not None, outcome.diff
            gone = set(was[module] or ()) - set(now[module] or ())
            assert set(now[module] or ()) <= set(was[module] or ()), outcome.diff
            dropped = {one.finding.problem.name for one in outcome.mended.fixes}
            bound = {part for name in dropped if name for part in (name, f"{name[0]}_{name}")}
            assert gone <= bound | {"json", "re", "TYPE_CHECKING"}, outcome.diff


@settings(max_examples=60, deadline=None)
@given(files=trees())
def test_lines_that_hold_no_import_are_the_same_bytes(files: dict[str, str]) -> None:
    outcome = mend_files(files, unsafe=True)
    for path, (old, new) in outcome.mended.files.items():
        kept = [line for line in old.split(b"\n") if line.lstrip().startswith((b"def ", b"'''", b"# first", b"print"))]
        left = [line for line in new.split(b"\n") if line.lstrip().startswith((b"def ", b"'''", b"# first", b"print"))]
        assert left == kept, path
        assert new.endswith(b"\n") == old.endswith(b"\n")


def test_the_rules_of_these_trees_ask_for_all_that_can_be_mended() -> None:
    assert {"broken-imports", "indirect-imports", "orphaned-imports", "stale-reexports"} <= {*DECLARED.split()}
