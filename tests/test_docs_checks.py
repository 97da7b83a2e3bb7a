"""The pages about checks are true: every example runs, every option is named, and nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from layercheck import cli
from layercheck.checks import LinkOptions, all_checks
from layercheck.config.convert import keys_of
from tests.tree import check_tree, parse_tree

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "checks"
SECTIONS = ("Reports", "Does not report")


def page(kind: str) -> str:
    return (PAGES / f"{kind}.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """The part of a page below a heading of the second level."""
    _, _, after = text.partition(f"\n## {title}\n")
    return re.split(r"^## ", after, flags=re.MULTILINE)[0]


def trees(text: str) -> list[str]:
    return re.findall(r"^```tree\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str, str]]:
    """Check, section and tree of every example on every page."""
    return [
        (path.stem, title, tree)
        for path in sorted(PAGES.glob("*.md"))
        for title in SECTIONS
        for tree in trees(section(path.read_text(encoding="utf-8"), title))
    ]


EXAMPLES = examples()


@pytest.mark.parametrize(("kind", "title", "tree"), EXAMPLES, ids=[f"{kind}-{title}" for kind, title, _ in EXAMPLES])
def test_an_example_finds_what_it_marks(kind: str, title: str, tree: str) -> None:
    assert bool(parse_tree(tree).marks) == (title == "Reports"), "only what a check reports has marks"
    check_tree(kind, tree)


def test_checks_and_pages_and_tests_are_the_same() -> None:
    kinds = set(all_checks())
    assert {path.stem for path in PAGES.glob("*.md")} == kinds
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "checks").glob("test_*.py")}
    assert tests == {kind.replace("-", "_") for kind in kinds}


@pytest.mark.parametrize("kind", all_checks())
class TestPage:
    def test_it_is_headed_by_its_name(self, kind: str) -> None:
        assert page(kind).startswith(f"# {kind}\n")

    def test_both_sections_have_an_example_and_none_stands_elsewhere(self, kind: str) -> None:
        text = page(kind)
        assert all(trees(section(text, title)) for title in SECTIONS)
        assert len(trees(text)) == sum(kind == one for one, _, _ in EXAMPLES)

    def test_it_names_the_options_there_are(self, kind: str) -> None:
        options = all_checks()[kind].options
        shared = set(keys_of(LinkOptions)) if issubclass(options, LinkOptions) else set()
        named = set(re.findall(r"^\| `([a-z_]+)` \|", section(page(kind), "Options"), re.MULTILINE))
        assert set(keys_of(options)) - shared <= named <= set(keys_of(options))

    def test_its_summary_is_one_line(self, kind: str) -> None:
        summary = all_checks()[kind].summary
        assert summary
        assert "\n" not in summary
        assert not summary.endswith(".")


def test_the_rules_page_tells_the_true_severities() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z-]+) \| (\w+)[^|]*\| (\w+)[^|]*\|$", text, re.MULTILINE)
    told = {kind: (undeclared, declared) for kind, undeclared, declared in rows if kind in all_checks()}
    assert told == {
        kind: (check.undeclared.severity, check.declared)
        for kind, check in all_checks().items()
        if check.undeclared is not None
    }


def commands(group: click.Group, path: str = "layercheck") -> Iterator[tuple[str, click.Command]]:
    """Every command with what is typed to call it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def test_every_option_of_the_command_line_is_in_the_docs() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert cli.cli.commands
    for name, command in commands(cli.cli):
        assert name in text
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                for spelling in parameter.opts:
                    assert f"`{spelling}" in text, f"{name} {spelling}"
