"""The table in README.md is true: each tool sees what its cell says, in the trees of ``cases``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import corpus
from tests.command import ROOT
from tests.peers.cases import CASES
from tests.peers.tools import COMMANDS, call, passes


def table() -> list[list[str]]:
    """The cells of the table in README.md, its head first."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.search(r"^\| what is wrong \|.*\n\|[-|]+\n(?:\|.*\n)+", text, re.MULTILINE)
    assert rows is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in rows[0].splitlines() if "---" not in line]


HEAD, *ROWS = table()
TOLD = {row[0]: dict(zip(HEAD[1:], row[1:], strict=True)) for row in ROWS}


def test_the_table_has_every_case_and_every_tool_with_its_release() -> None:
    assert list(TOLD) == list(CASES)
    assert HEAD[1:] == [f"{name} {version}".strip() for name, (version, _) in COMMANDS.items()]


def seen(name: str, scratch: Path) -> dict[str, str]:
    """What a tool sees: for each case the word of its cell. Raises UnavailableError."""
    command = call(name)
    found: dict[str, str] = {}
    for number, (what, case) in enumerate(CASES.items()):
        passed = []
        for wrong in (True, False):
            folder = scratch / f"{number}-{wrong}"
            for path, text in case.files(wrong=wrong).items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text, encoding="utf-8")
            passed.append(passes(command, folder))
        found[what] = "yes" if passed == [False, True] else "no"
    return found


def test_layercheck_sees_all_of_it(tmp_path: Path) -> None:
    assert seen("layercheck", tmp_path) == dict.fromkeys(CASES, "yes")
    assert {row["layercheck"] for row in TOLD.values()} == {"yes"}


@pytest.mark.corpus
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "layercheck"])
def test_a_peer_sees_what_its_column_says(name: str, tmp_path: Path) -> None:
    try:
        found = seen(name, tmp_path)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    column = next(head for head in HEAD if head.startswith(f"{name} "))
    assert {what: row[column] for what, row in TOLD.items()} == found
