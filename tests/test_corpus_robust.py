"""Whatever lies on disk, no traceback: the standard library of this Python, and all that is installed beside it."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from tests import command


@pytest.mark.parametrize("scheme", ["stdlib", "purelib"])
def test_no_traceback_on_installed_code(tmp_path: Path, scheme: str) -> None:
    root = Path(sysconfig.get_path(scheme))
    rules = tmp_path / "layercheck.toml"
    rules.write_text(
        "[checks]\n"
        + "".join(
            f'{check} = "warning"\n'
            for check in ("broken-imports", "orphaned-imports", "stale-reexports", "indirect-imports", "cycles")
        ),
        encoding="utf-8",
    )
    run = command.check(root, "--rules", rules, cache=tmp_path / "cache")
    assert run.report["stats"]["modules"] > 100
    # The rules lie elsewhere, so that a run of them on this folder alone is one on a part, and says so.
    (said,) = run.measured.stderr.splitlines()
    assert said.startswith(f"layercheck: Only {root.name}/ was read; the rules are those of ")
