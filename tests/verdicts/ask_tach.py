"""Runs in tach's environment: for each request on a line, the places in a folder at which ``tach check`` sees errors."""

import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from tach import extension


def answer(root):
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
