"""Whatever a page shows of a terminal is run, in a project made for it; and every command that a page names is there.

``python -m tests.test_docs_commands PAGE...`` writes into pages what their commands print now.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import click
import pytest

from layercheck import cli
from tests.command import ROOT
from tests.sessions import RUN, Block, Terminal, blocks, commands, differences, rewrite
from tests.test_docs_checks import commands as commands_of
from tests.tree import write_tree

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "docs" / "example" / "README.md")
    if path.name != "CHANGELOG.md"
}
TUTORIAL = "docs/tutorial.md"

ELSEWHERE = {
    "make check": "sets up an environment from the registry; .ci/run makes it",
    "make test": "runs this test; .ci/run makes it",
    "make docs": "sets up an environment from the registry; test_docs_site builds the same",
    "pip install .": "changes the environment; test_hooks and the corpus tests install layercheck",
    "layercheck graph --format dot --collapse 2 | dot -Tsvg > imports.svg": "needs Graphviz; see test_picture_formats",
}
"""Commands that are not run here, and why."""

RUN_ELSEWHERE = {"docs/ci.md": "its block is one script, which test_ci runs"}
"""Pages whose commands another test runs."""

APP = """\
# file: pyproject.toml
[project]
name = "app"
version = "1.0"
# file: app/__init__.py
# file: app/cli.py
from app.web import (
    run,
    stop,
)
import app.batch
def main():
    from app.web import late
    return run, stop, late, app.batch.query
# file: app/web.py
import app.db
def run(): return app.db.query()
def stop(): ...
def late(): ...
# file: app/batch.py
from app.db import *
# file: app/db.py
def query(): ...
# file: app/billing/__init__.py
# file: app/billing/invoices.py
from app.money import Money
def invoice(): return Money()
# file: app/clock.py
# file: app/money.py
class Money: ...
# file: tests/test_cli.py
from app.cli import main
from app.billing.invoices import invoice
def test_main(): assert main() and invoice()
"""

FLOORS = """\
# file: layercheck.toml
[[rule]]
name = "floors"
check = "layers"
reason = "handlers may use the domain"
within = "app"
order = ["cli", ["clock", "money"]]
"""


def project(page: str, folder: Path) -> Path:
    """Make the project in which the commands of a page run: but for the tutorial, a checkout with a remote."""
    if page == TUTORIAL:
        shutil.copytree(ROOT / "docs" / "tutorial", folder)
        return folder
    folder.mkdir()
    write_tree(folder, APP + (FLOORS if page == "docs/why.md" else ""))
    shutil.copytree(ROOT / "docs" / "example", folder / "docs" / "example")
    git = ["git", "-c", "user.name=nobody", "-c", "user.email=nobody", "-c", "commit.gpgsign=false"]
    remote = str(folder.parent / "origin.git")
    for arguments in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "."],
        ["commit", "--quiet", "--message", "The project"],
        ["clone", "--quiet", "--bare", ".", remote],
        ["remote", "add", "origin", remote],
        ["fetch", "--quiet", "origin"],
    ):
        subprocess.run([*git, *arguments], cwd=folder, check=True)
    return folder


SHOWN = [
    page
    for page, text in PAGES.items()
    if page not in RUN_ELSEWHERE and any(block.language in RUN for block in blocks(text))
]


@pytest.mark.parametrize("page", SHOWN)
def test_what_a_page_shows_is_what_comes_out(page: str, tmp_path: Path) -> None:
    terminal = Terminal(project(page, tmp_path / "your-project"), tmp_path, frozenset(ELSEWHERE))
    assert differences(PAGES[page], terminal) == []


def test_a_page_that_shows_something_else_fails(tmp_path: Path) -> None:
    page = "```console\n$ echo a\nb\n$ true\n$ false\n$ exit 3  # exit status 3\n```\n\n```sh\nfalse\n```\n"
    found = differences(page, Terminal(tmp_path, tmp_path))
    assert [one.split("\n")[0] for one in found] == ["line 1: $ echo a", "line 1: $ false", "line 9: $ false"]


def test_what_is_not_run_is_on_a_page() -> None:
    shown = {
        command.plain
        for text in PAGES.values()
        for block in blocks(text)
        if block.language in ("console", "sh")
        for command in commands(block)
    }
    assert set(ELSEWHERE) <= shown


LANGUAGES = {*RUN, "text", "toml", "python", "yaml", "json"}


@pytest.mark.parametrize("page", PAGES)
def test_no_command_hides_in_another_block(page: str) -> None:
    text = PAGES[page]
    assert [block.line for block in blocks(text) if block.language not in LANGUAGES] == []
    rest = [block for block in blocks(text) if block.language not in RUN]
    assert [block.line for block in rest if re.search(r"^\s*\$ ", block.text, re.MULTILINE)] == []
    prose = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    indented = [line for line in re.findall(r"(?:^|\n)\n( {4,}\S.*)", prose) if not re.match(r" *([-*]|\d+\.) ", line)]
    assert indented == []


USAGES = dict(commands_of(cli.cli))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_and_option_that_a_page_names_is_there(page: str) -> None:
    text = PAGES[page]
    named = [line for block in blocks(text) if block.language != "toml" for line in _calls(block)]
    named += re.findall(r"`(layercheck [^`\n]+)`", text)
    for call in named:
        name = next((one for one in sorted(USAGES, key=len, reverse=True) if f"{call} ".startswith(f"{one} ")), "")
        known = {spelling for one in USAGES[name].params for spelling in one.opts} if name else {"--help", "--version"}
        assert name or call.split()[1] in {*known, *_groups()}, call
        assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", call)) <= {*known, "-h"}, call


def _groups() -> set[str]:
    return {name for name, command in cli.cli.commands.items() if isinstance(command, click.Group)}


def _calls(block: Block) -> list[str]:
    """The calls of layercheck that a block holds."""
    calls = re.findall(r"^\W*(?:run: |script: )?(layercheck (?:(?! [|>#]).)*)", block.text, re.MULTILINE)
    return [re.split(r"\s{3,}", call)[0].strip() for call in calls]


@pytest.mark.parametrize("page", PAGES)
def test_a_usage_names_the_arguments_there_are(page: str) -> None:
    for block in blocks(PAGES[page]):
        for call in _calls(block) if block.language == "text" else ():
            name = max((one for one in USAGES if f"{call} ".startswith(f"{one} ")), key=len)
            arguments = [one for one in USAGES[name].params if isinstance(one, click.Argument)]
            metavars = [one.make_metavar(click.Context(USAGES[name])) for one in arguments]
            assert re.sub(r" --[a-z]+", "", call).replace('"', "") == " ".join([name, *metavars]).replace('"', ""), call


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(ROOT / name, partial(project, name), frozenset(ELSEWHERE))
