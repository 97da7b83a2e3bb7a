"""The docs as a site: a link or an anchor that leads nowhere fails, and so does a page without a place."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import check_list
from tests.command import ROOT


def build(folder: Path, target: Path) -> str:
    """Build the site of a folder; what it says where it fails, else nothing. ``--quiet`` would hide what fails."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def test_no_link_is_broken_and_every_page_has_a_place(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build(ROOT, site) == ""
    made = {path.relative_to(site).with_suffix(".md").as_posix() for path in site.rglob("*.html")}
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page.replace("README", "index") for page in pages} <= made


def test_it_needs_no_network(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build(ROOT, site) == ""
    loading = re.compile(r"""<(?:script|link|img)\b[^>]*\b(?:src|href)="(?:https?:)?//""")
    text = (site / "index.html").read_text(encoding="utf-8")
    assert "<script" in text
    assert loading.findall(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("start.md", "[x](nowhere.md)"),
        ("start.md", "[x](rules.md#nowhere)"),
        ("start.md", "[x](checks)"),
        ("more.md", "# A page that the list of pages lacks"),
    ],
)
def test_what_leads_nowhere_fails(tmp_path: Path, path: str, text: str) -> None:
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    docs = Path(shutil.copytree(ROOT / "docs", tmp_path / "docs"))
    with (docs / path).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")
    assert path in build(tmp_path, tmp_path / "site")


def test_the_lists_of_checks_are_up_to_date() -> None:
    assert check_list.LIST.read_text(encoding="utf-8") == check_list.listing(), "run python -m tests.check_list"
    assert check_list.SITE.read_text(encoding="utf-8") == check_list.site(), "run python -m tests.check_list"
