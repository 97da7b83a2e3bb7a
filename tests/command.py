"""Run layercheck as its users do, as a process, and read what it says in JSON."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.measure import Measured, measure

ROOT = Path(__file__).parent.parent
"""This repository."""


@dataclass(frozen=True, slots=True)
class Run:
    """One ``layercheck check --format json``."""

    measured: Measured
    report: dict[str, Any]

    def findings(self, *checks: str) -> list[dict[str, Any]]:
        """The findings of these checks; all of them if none is named."""
        return [found for found in self.report["findings"] if not checks or found["check"] in checks]

    def places(self, *checks: str) -> list[tuple[str, str, int]]:
        """Check, path and line of each of them, sorted."""
        return sorted((found["check"], found["path"], found["line"]) for found in self.findings(*checks))


def layercheck(*arguments: str | Path, cwd: Path | None = None, cache: Path | None = None) -> Measured:
    """Run ``layercheck`` with these arguments; without a ``cache`` folder it keeps none."""
    command = [sys.executable, "-m", "layercheck", *map(str, arguments)]
    env = {**os.environ, **({} if cache is None else {"LAYERCHECK_CACHE_DIR": str(cache)})}
    return measure(command if cache else [*command, "--no-cache"], cwd=cwd, env=env)


def check(root: Path, *arguments: str | Path, cache: Path | None = None) -> Run:
    """Run ``layercheck check`` on a folder. Where no report comes, the assertion shows what came instead."""
    measured = layercheck("check", root, "--format", "json", *arguments, cache=cache)
    assert measured.status in {0, 1}, f"status {measured.status}\n{measured.stderr}"
    assert "Traceback" not in measured.stderr, measured.stderr
    return Run(measured, json.loads(measured.stdout))
