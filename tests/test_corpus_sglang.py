"""The truth about a large real package, as an independent program and readers found it: sglang 0.5.15 and 0.5.16.

The facts are in ``tests/data``. Each line of ``*-broken.json`` is one import: path, line, module, name, what is wrong
(``missing``: the module binds no such name; ``nomodule``; ``self_loop``: it is bound only by an import that leads
back to itself; ``dynamic``: an ``import_module`` of a literal that is not there) and whether a ``try`` guards it.
``*-rings.json`` lists the rings at import time, larger than one.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from layercheck.finding import Location, Problem, fingerprint
from tests import command, corpus

pytestmark = pytest.mark.corpus

DATA = Path(__file__).parent / "data"
LAYERS = command.ROOT / "rules" / "sglang-mem-cache.toml"
MEM_CACHE = "sglang/srt/mem_cache"
AGGREGATOR = f"{MEM_CACHE}/memory_pool_host.py"
CHUNK = "_WRITE_BACK_STAGING_PAGE_CHUNK"

DECLARED = """
[checks]
unreadable-files = "error"
broken-imports = "error"
orphaned-imports = "error"
stale-reexports = "error"
indirect-imports = "error"
cycles = "error"
"""


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the rules file lies, and the cache that the runs on one release share."""
    folder = tmp_path_factory.mktemp("sglang")
    (folder / "declared.toml").write_text(DECLARED, encoding="utf-8")
    return folder


def _release(version: str) -> Path:
    try:
        return corpus.release("sglang", version)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def released() -> Path:
    return _release("0.5.16")


@pytest.fixture(scope="session")
def run(scratch: Path, released: Path) -> command.Run:
    """All checks that need no rule, on 0.5.16."""
    return command.check(released, "--rules", scratch / "declared.toml", cache=scratch / "cache")


@pytest.fixture
def mem_cache(tmp_path: Path, released: Path) -> Path:
    """A copy of 0.5.16 with nothing but ``srt/mem_cache``: what lies outside has no part in its rings and layers."""
    corpus.copy(released / MEM_CACHE, tmp_path / MEM_CACHE)
    return tmp_path


def _append_import(tree: Path, path: str, statement: str) -> int:
    """Add an import below the others of a file; returns its line."""
    lines = (tree / path).read_text(encoding="utf-8").splitlines(keepends=True)
    lines.append(f"{statement}\n")
    corpus.replace(tree / path, "".join(lines))
    return len(lines)


def _broken(run: command.Run) -> list[tuple[str, int, str, str, str]]:
    return sorted(
        (found["path"], found["line"], found["imported"] or "", found["name"] or "", found["severity"])
        for found in run.findings("broken-imports")
    )


def _known_broken(version: str) -> list[tuple[str, int, str, str, str]]:
    rows = json.loads((DATA / f"sglang-{version}-broken.json").read_text(encoding="utf-8"))
    return sorted(
        (path, line, module, name, "warning" if guarded else "error") for path, line, module, name, _, guarded in rows
    )


def test_all_files_are_read(run: command.Run, released: Path) -> None:
    stats = run.report["stats"]
    inside = [path.relative_to(released) for path in released.rglob("*.py")]
    hidden = sum(any(part.startswith(".") for part in path.parts) for path in inside)
    assert stats["modules"] + stats["consumers"] == len(inside) - hidden
    assert stats["modules"] > 2_850
    assert stats["unreadable"] == 0
    assert run.places("unreadable-files") == []


def test_memory_stays_below_a_gigabyte(run: command.Run) -> None:
    assert 50_000_000 < run.measured.peak < 1_000_000_000


def test_broken_imports_of_0_5_16(run: command.Run) -> None:
    assert _broken(run) == _known_broken("0.5.16")


def test_broken_imports_of_0_5_15(scratch: Path) -> None:
    rules = scratch / "declared.toml"
    old = command.check(_release("0.5.15"), "--rules", rules, "--select", "broken-imports", cache=scratch / "cache")
    assert _broken(old) == _known_broken("0.5.15")


def test_a_name_bound_only_by_its_own_import_is_said_to_be_so(run: command.Run) -> None:
    rows = json.loads((DATA / "sglang-0.5.16-broken.json").read_text(encoding="utf-8"))
    (path, line), *others = [(path, line) for path, line, _, _, status, _ in rows if status == "self_loop"]
    assert not others
    (found,) = [each for each in run.findings("broken-imports") if (each["path"], each["line"]) == (path, line)]
    assert found["kind"] == "typing"
    assert "lead back" in found["message"]


def test_rings_at_import_time(run: command.Run) -> None:
    known = json.loads((DATA / "sglang-0.5.16-rings.json").read_text(encoding="utf-8"))
    assert [len(ring) for ring in known] == [13, 9, 6, 5, 2, 2, 2]
    found = {each["fingerprint"]: each for each in run.findings("cycles")}
    assert set(found) == {_fingerprint(ring) for ring in known}
    for ring in known:
        each = found[_fingerprint(ring)]
        assert f"{len(ring)} modules" in each["message"]
        assert set(_members(each)) <= set(ring)
        assert [step["imported"] for step in each["chain"]] == [*_members(each)[1:], _members(each)[0]]
    assert not any("sglang.srt.mem_cache" in module for ring in known for module in ring)


def _fingerprint(ring: list[str]) -> str:
    """The fingerprint of the finding for a ring, which its set of modules makes."""
    problem = Problem(message="", location=Location(""), key=tuple(sorted(ring)))
    return fingerprint("cycles", "cycles", problem, 0)


def _members(found: dict[str, list[dict[str, str]]]) -> list[str]:
    return [step["importer"] for step in found["chain"]]


def _orphans(run: command.Run) -> list[tuple[str, int, str]]:
    """The orphaned imports in ``srt/mem_cache``; the tests that imports have left behind are apart."""
    found = [each for each in run.findings("orphaned-imports") if each["path"].startswith(MEM_CACHE)]
    left = [each for each in found if "nothing is left" in each["message"]]
    assert [(each["path"], each["line"]) for each in left] == [
        (AGGREGATOR, 46),  # if _is_npu: pass
        (f"{MEM_CACHE}/storage/backend_factory.py", 10),  # if TYPE_CHECKING: pass
    ]
    return [(each["path"], each["line"], each["name"]) for each in found if each not in left]


def test_no_orphans_in_mem_cache(run: command.Run) -> None:
    assert _orphans(run) == []


def test_the_constant_is_no_orphan_in_any_of_its_three_importers(run: command.Run, released: Path) -> None:
    importers = {f"{MEM_CACHE}/pool_host/mha.py", f"{MEM_CACHE}/pool_host/mla.py", AGGREGATOR}
    assert all(f"    {CHUNK},\n" in (released / path).read_text(encoding="utf-8") for path in importers)
    assert [found["path"] for found in run.findings("orphaned-imports") if found["name"] == CHUNK] == []


def test_the_constant_without_its_uses_is_an_orphan_alone(tmp_path: Path, scratch: Path, released: Path) -> None:
    copy = corpus.copy(released, tmp_path / "copy")
    text = (copy / AGGREGATOR).read_text(encoding="utf-8")
    imported, uses = f"    {CHUNK},\n", text.count(CHUNK) - 1
    assert uses == 3
    before, after = text.split(imported)
    corpus.replace(copy / AGGREGATOR, before + imported + after.replace(CHUNK, "64"))
    rules = scratch / "declared.toml"
    run = command.check(copy, "--rules", rules, "--select", "orphaned-imports", cache=scratch / "cache")
    assert _orphans(run) == [(AGGREGATOR, 54, CHUNK)]


def test_a_name_taken_from_a_module_that_merely_imported_it(run: command.Run) -> None:
    path = f"{MEM_CACHE}/storage/umbp/umbp_store.py"
    (found,) = [each for each in run.findings("indirect-imports") if each["path"] == path]
    assert (found["line"], found["name"]) == (22, "HostKVCache")
    assert found["imported"] == "sglang.srt.mem_cache.memory_pool_host"
    assert "sglang.srt.mem_cache.pool_host.base" in found["message"] + found["help"]


def test_the_layers_of_mem_cache_hold(scratch: Path, released: Path) -> None:
    run = command.check(released, "--rules", LAYERS, cache=scratch / "cache")
    rules = [rule for rule in run.report["rules"] if rule["check"] in {"layers", "forbidden-imports"}]
    assert len(rules) >= 2
    assert all(rule["imports"] > 0 and rule["findings"] == 0 for rule in rules)
    assert run.findings("layers", "forbidden-imports", "rules-file") == []


IMPORT_OF_AGGREGATOR = "import sglang.srt.mem_cache.memory_pool_host"
IMPORT_OF_FAMILY = "import sglang.srt.mem_cache.pool_host.mha"


def test_an_import_back_up_is_found_at_its_line_and_is_no_ring(mem_cache: Path) -> None:
    line = _append_import(mem_cache, f"{MEM_CACHE}/pool_host/mha.py", IMPORT_OF_AGGREGATOR)
    run = command.check(mem_cache, "--rules", LAYERS, "--select", "layers,forbidden-imports,cycles")
    assert {(path, at) for _, path, at in run.places()} == {(f"{MEM_CACHE}/pool_host/mha.py", line)}
    (found,) = run.findings("layers")
    assert found["importer"] == "sglang.srt.mem_cache.pool_host.mha"
    assert found["imported"] == "sglang.srt.mem_cache.memory_pool_host"
    assert found["layers"]["imported"].endswith("memory_pool_host")
    assert run.findings("cycles") == []


def test_it_is_a_ring_once_the_aggregator_imports_the_family(mem_cache: Path) -> None:
    _append_import(mem_cache, f"{MEM_CACHE}/pool_host/mha.py", IMPORT_OF_AGGREGATOR)
    _append_import(mem_cache, AGGREGATOR, IMPORT_OF_FAMILY)
    run = command.check(mem_cache, "--select", "cycles")
    (ring,) = run.findings("cycles")
    assert set(_members(ring)) == {"sglang.srt.mem_cache.memory_pool_host", "sglang.srt.mem_cache.pool_host.mha"}


def test_a_typing_import_of_a_family_closes_no_ring(mem_cache: Path) -> None:
    text = (mem_cache / AGGREGATOR).read_text(encoding="utf-8")
    assert "if TYPE_CHECKING:\n" in text
    assert "    from sglang.srt.mem_cache.pool_host.mla import MLATokenToKVPoolHost\n" in text
    _append_import(mem_cache, f"{MEM_CACHE}/pool_host/mla.py", IMPORT_OF_AGGREGATOR)
    assert command.check(mem_cache, "--select", "cycles").findings("cycles") == []
