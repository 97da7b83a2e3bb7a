"""``explain``: the pages about checks, whole and readable in a terminal, also from an installed wheel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from layercheck.checks import all_checks
from layercheck.errors import LayercheckError
from layercheck.explain.page import by_itself, read_page
from layercheck.explain.terminal import render
from tests import command, corpus
from tests.readers import read_sarif
from tests.test_cli import layercheck
from tests.tree import write_tree

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in (command.ROOT / "docs" / "checks").glob("*.md")}


def words(page: str) -> list[str]:
    """The words that a page has for a reader of Markdown, and of its code."""
    found: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(page):
        for inner in token.children or [token]:
            if inner.type in ("text", "code_inline", "fence", "code_block"):
                found += re.findall(r"\w+", inner.content)
    return found


@pytest.mark.parametrize("check", PAGES)
def test_nothing_of_a_page_is_lost(check: str) -> None:
    assert read_page(check) == PAGES[check]
    shown = re.findall(r"\w+", render(PAGES[check]))
    missing = words(PAGES[check])
    for word in shown:
        if word in missing:
            missing.remove(word)
    # The heads of a table's first and last columns are not said: they are told by their place.
    assert set(missing) <= {"key", "keys", "entry", "meaning"}


@pytest.mark.parametrize("check", PAGES)
def test_lines_are_no_longer_than_a_terminal_is_wide(check: str) -> None:
    code = {f"    {line}" for line in PAGES[check].split("\n")}
    long = [line for line in render(PAGES[check]).split("\n") if len(line) > 80 and line not in code]
    assert [line for line in long if " " in line.strip()] == []


def test_each_part_of_a_page() -> None:
    page = """# cycles
A **ring** of [imports](../rules.md#x), see [the
reference](https://docs.example.org/x) and `a[b](c)`.
## List

- one, which goes on
  behind it
  1. two
- three

| key | default | meaning |
|---|---|---|
| `a` | `"x \\| y"` | what `a` means |
| `b` | | **nothing** |

```tree
# file: a.py

import b
```

    plain code
"""
    assert render(page) == (
        "cycles\n======\n\nA ring of imports, see the reference (https://docs.example.org/x) and `a[b](c)`.\n"
        "\nList\n----\n"
        "\n- one, which goes on behind it\n  1. two\n- three\n"
        '\n`a` (default: `"x | y"`)\n    what `a` means\n`b`\n    nothing\n'
        "\n    # file: a.py\n\n    import b\n"
        "\n    plain code\n"
    )
    assert render(page, colour=True).startswith("\x1b[1mcycles\x1b[0m\n")


class TestCommand:
    def test_a_page(self) -> None:
        done = layercheck("explain", "cycles")
        assert (done.status, done.stderr) == (0, "")
        assert done.stdout == render(PAGES["cycles"])

    def test_all_checks(self) -> None:
        done = layercheck("explain")
        assert (done.status, done.stderr) == (0, "")
        assert [line.split()[0] for line in done.stdout.split("\n") if line[:1].strip()] == [*all_checks()]
        told = " ".join(done.stdout.split())
        assert all(f"{name} {check.summary}" in told for name, check in all_checks().items())

    @pytest.mark.parametrize(
        ("name", "line"),
        [
            ("cycels", "no check is called 'cycels'; did you mean 'cycles'?"),
            ("zzz", "no check is called 'zzz'; layercheck explain lists them all"),
            ("", "no check is called ''; layercheck explain lists them all"),
            ("../../README", "no check is called '../../README'; layercheck explain lists them all"),
        ],
    )
    def test_a_name_of_none(self, name: str, line: str) -> None:
        done = layercheck("explain", name)
        assert (done.status, done.stdout, done.stderr) == (2, "", f"layercheck: {line}\n")


def test_a_page_that_is_not_there() -> None:
    with pytest.raises(LayercheckError, match="has no page about none"):
        read_page("none")


@pytest.mark.parametrize("check", PAGES)
def test_a_page_by_itself_leads_nowhere_else(check: str) -> None:
    page = by_itself(PAGES[check])
    assert words(page) == words(PAGES[check])
    links = [inner.attrs["href"] for token in MarkdownIt().parse(page) for inner in token.children or [] if inner.attrs]
    assert all(str(link).startswith("https://") for link in links)


def test_sarif_carries_the_pages(tmp_path: Path) -> None:
    done = layercheck("check", write_tree(tmp_path, "# file: a.py\nx = 1\n"), "--format", "sarif")
    rules = read_sarif(done.stdout)["tool"]["driver"]["rules"]
    assert all(rule["help"]["markdown"].startswith(f"# {rule['id']}\n") for rule in rules)
    assert len(rules) > 5


@pytest.mark.corpus
def test_a_wheel_carries_the_pages(tmp_path: Path) -> None:
    try:
        corpus.release("hatchling", "1.27.0")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*build, "--wheel-dir", str(tmp_path), str(command.ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    done = subprocess.run(
        [sys.executable, "-m", "layercheck", "explain", "cycles"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == render(PAGES["cycles"])
    installed = tmp_path / "installed" / "layercheck"
    assert {path.stem for path in (installed / "explain" / "pages").glob("*.md")} == set(all_checks())
    assert not (tmp_path / "installed" / "docs").exists()
