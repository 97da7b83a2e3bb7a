"""The layout ratchet on a real release: sglang 0.5.19 with rules/sglang-mem-cache-ratchet.toml, and each of its kinds
of rule broken once in a copy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import command, corpus

pytestmark = pytest.mark.corpus

RATCHET = command.ROOT / "rules" / "sglang-mem-cache-ratchet.toml"
MEM_CACHE = "sglang/srt/mem_cache"
CHECKS = ("misplaced-classes", "growing-modules", "forbidden-imports", "rules-file")

TRUE_FINDINGS = [
    ("forbidden-imports", f"{MEM_CACHE}/memory_pool.py", 59),
    ("forbidden-imports", f"{MEM_CACHE}/memory_pool.py", 61),
    ("forbidden-imports", f"{MEM_CACHE}/unified_memory_pool.py", 1193),
    ("forbidden-imports", f"{MEM_CACHE}/unified_memory_pool.py", 1676),
    ("forbidden-imports", f"{MEM_CACHE}/unified_memory_pool.py", 1860),
    ("misplaced-classes", f"{MEM_CACHE}/storage/flexkv/flexkv_radix_cache.py", 72),
    ("misplaced-classes", f"{MEM_CACHE}/storage/lmcache/lmc_radix_cache.py", 86),
    ("misplaced-classes", f"{MEM_CACHE}/storage/sim_storage.py", 35),
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where facts are kept from run to run: nearly all files of the copies are alike."""
    return tmp_path_factory.mktemp("ratchet")


@pytest.fixture
def mem_cache(tmp_path: Path) -> Path:
    """A copy of the release with nothing but ``srt/mem_cache``, of which alone the rules speak."""
    try:
        released = corpus.release("sglang", "0.5.19")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    corpus.copy(released / MEM_CACHE, tmp_path / MEM_CACHE)
    return tmp_path


def _run(tree: Path, kept: Path) -> command.Run:
    return command.check(tree, "--rules", RATCHET, cache=kept)


def _new(tree: Path, kept: Path) -> list[tuple[str, str, int, str]]:
    """Rule, path, line and name of what is found beside the true findings."""
    return [
        (found["rule"], found["path"], found["line"], found["name"] or found["imported"] or "")
        for found in _run(tree, kept).findings(*CHECKS)
        if (found["check"], found["path"], found["line"]) not in TRUE_FINDINGS
    ]


def _append(tree: Path, path: str, *lines: str) -> int:
    """Add lines at the end of a file, which may be new; returns the number of the last one."""
    file = tree / path
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    corpus.replace(file, "".join([before, *(f"{line}\n" for line in lines)]))
    return before.count("\n") + len(lines)


def test_it_finds_what_is_really_wrong_and_says_so_in_its_head(mem_cache: Path, kept: Path) -> None:
    run = _run(mem_cache, kept)
    assert run.places(*CHECKS) == TRUE_FINDINGS
    assert len(run.report["findings"]) == len(TRUE_FINDINGS)
    assert all(rule["modules"] for rule in run.report["rules"] if rule["check"] in CHECKS[:-1])
    head = RATCHET.read_text(encoding="utf-8").partition("[[rule]]")[0]
    named = [
        (path, int(line))
        for path, lines in re.findall(r"([\w/]+\.py):(\d+(?:, \d+)*)", head)
        for line in lines.split(", ")
    ]
    assert sorted(named) == sorted((path.removeprefix(f"{MEM_CACHE}/"), line) for _, path, line in TRUE_FINDINGS)


BASES = [
    ("host-pools-by-base", "from sglang.srt.mem_cache.pool_host import HostKVCache as Base", "Base"),
    ("allocators-by-base", "from .allocator import TokenToKVPoolAllocator", "TokenToKVPoolAllocator"),
    ("device-pools-by-base", "import sglang.srt.mem_cache.memory_pool as pools", "pools.MLATokenToKVPool"),
    ("storage-by-base", "from sglang.srt.mem_cache import hicache_storage as s", "s.HiCacheFile"),
]


@pytest.mark.parametrize(("rule", "statement", "base"), BASES, ids=[rule for rule, _, _ in BASES])
def test_a_class_away_from_where_it_belongs(mem_cache: Path, kept: Path, rule: str, statement: str, base: str) -> None:
    line = _append(mem_cache, f"{MEM_CACHE}/utils.py", statement, f"class Strayed({base}): ...")
    assert _new(mem_cache, kept) == [(rule, f"{MEM_CACHE}/utils.py", line, "Strayed")]


def test_a_class_of_the_same_base_at_home(mem_cache: Path, kept: Path) -> None:
    text = ("from .base import HostKVCache", "class Fresh(HostKVCache): ...")
    _append(mem_cache, f"{MEM_CACHE}/pool_host/fresh.py", *text)
    _append(mem_cache, f"{MEM_CACHE}/pool_host/family/fresh.py", *text)
    assert [found[1:3] for found in _new(mem_cache, kept)] == []


def test_a_module_at_the_root(mem_cache: Path, kept: Path) -> None:
    _append(mem_cache, f"{MEM_CACHE}/everything.py", "x = 1")
    assert _new(mem_cache, kept) == [("no-new-module-at-the-root", f"{MEM_CACHE}/everything.py", 1, "")]


def test_a_class_in_a_module_on_its_way_out(mem_cache: Path, kept: Path) -> None:
    path = f"{MEM_CACHE}/memory_pool_host.py"
    line = _append(mem_cache, path, "class Another: ...")
    assert _new(mem_cache, kept) == [("on-the-way-out", path, line, "Another")]


def test_a_class_that_has_been_moved_must_leave_the_lists(mem_cache: Path, kept: Path) -> None:
    path = mem_cache / MEM_CACHE / "memory_pool_host.py"
    text = path.read_text(encoding="utf-8")
    start = text.index("class DeepSeekV4StateHostPool(HostKVCache):")
    corpus.replace(path, text[:start])
    moved = "from .base import HostKVCache\n\n" + text[start:]
    corpus.replace(mem_cache / MEM_CACHE / "pool_host" / "deepseek_v4.py", moved)
    lines = RATCHET.read_text(encoding="utf-8").splitlines()
    expected = [number for number, line in enumerate(lines, 1) if '"DeepSeekV4StateHostPool"' in line]
    expected += [number for number, line in enumerate(lines, 1) if "DeepSeekV4StateHostPool =" in line]
    found = _new(mem_cache, kept)
    assert [rule for rule, _, _, _ in found] == ["rules-file", "rules-file"]
    assert sorted(line for _, _, line, _ in found) == sorted(expected)


UPWARDS = [
    ("pools-do-not-import-upwards", "pool_host/mla.py", "sglang.srt.mem_cache.allocation"),
    ("pools-do-not-import-upwards", "swa_memory_pool.py", "sglang.srt.mem_cache.multi_ended_allocator"),
    ("allocators-do-not-import-upwards", "allocator/paged.py", "sglang.srt.mem_cache.kv_cache_builder"),
]


@pytest.mark.parametrize(("rule", "path", "module"), UPWARDS, ids=[path for _, path, _ in UPWARDS])
def test_an_import_upwards(mem_cache: Path, kept: Path, rule: str, path: str, module: str) -> None:
    line = _append(mem_cache, f"{MEM_CACHE}/{path}", "if True:", f"    import {module}")
    assert _new(mem_cache, kept) == [(rule, f"{MEM_CACHE}/{path}", line, module)]
