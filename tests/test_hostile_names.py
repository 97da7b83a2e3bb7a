"""A project whose file names, reasons and help are written to break out of reports: no format breaks, or says more."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from layercheck.finding import Report
from layercheck.report import FORMATS, renderer
from layercheck.run import CheckRequest, check
from tests.readers import READERS

ODD = (
    'a"b', "a'b", "a\nb", "a::b", "::error::x", "x<|script>", "]]>", "a|b", "a`b`", "\x1b[31m", "##[error]x", "<!--",
    "\r\n::warning::y", "\u2028", "\x85", "{{", "%0A::error::z",
)  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Report:
    root = tmp_path_factory.mktemp("hostile")
    rules = ""
    for folder in ("app", "tests"):
        (root / folder).mkdir()
    (root / "app" / "__init__.py").touch()
    for index, odd in enumerate(ODD):
        (root / "tests" / f"t{odd}.py").write_text("import app.gone\n(")
        (root / "tests" / f"u{odd}.py").write_text("import app.gone\n")
        (root / "app" / f"m{index}.py").write_text("import json\njson.dumps\n")
        said = json.dumps(f"r{odd}{odd}</script>r")
        rules += f'[[rule]]\nname = "r{index}"\ncheck = "forbidden-imports"\nreason = {said}\nhelp = {said}\n'
        rules += f'from = ["app.m{index}"]\nto = ["json"]\n'
    if sys.platform == "linux":
        Path(os.fsdecode(os.fsencode(root) + b"/tests/\xff.py")).write_text("import app.gone\n")
    (root / "layercheck.toml").write_text(rules, encoding="utf-8")
    return check(CheckRequest(root, cache=False))


@pytest.mark.skipif(sys.platform == "win32", reason="file names may not hold such letters there")
@pytest.mark.parametrize("format_", FORMATS)
def test_each_format_stays_what_it_is(format_: str, hostile: Report) -> None:
    assert len(hostile.findings) >= 3 * len(ODD)
    READERS[format_](renderer(format_)(hostile), hostile)
