"""Runs in the environment of tach: for each request on a line, the places in a folder at which it sees errors."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, sys.argv[1])

# By name: where this file is type-checked, it is not installed.
extension: Any = import_module("tach.extension")


def answer(root: Path) -> dict[str, Any]:
    """The places of errors in a folder, or why tach refuses its settings."""
    try:
        config, _ = extension.parse_project_config(root / "tach.toml")
        found = extension.check(root, config, dependencies=True, interfaces=True)
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}
    return {
        "places": sorted(
            {(one.pyfile_path(), one.pyline_number()) for one in found if one.is_error() and one.is_code()}
        ),
        "other": sorted({one.to_string() for one in found if one.is_configuration()}),
    }


for line in sys.stdin:
    print(json.dumps(answer(Path(json.loads(line)["root"]))), flush=True)
