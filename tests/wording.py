"""What checks say, whole: each sentence once, with its advice and its places, from the small trees in tables of tests
and on the pages. ``python -m tests.wording`` writes it down; whoever changes a sentence sees it there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from layercheck.checks import all_checks
from layercheck.finding import Finding
from tests.test_docs_checks import EXAMPLES
from tests.tree import judge_tree, parse_tree

TARGET = Path(__file__).parent / "data" / "wording.txt"
_OWN = re.compile(r"[\w*/-]*(?:[./:_*][\w*/-]+)+|\b[A-Za-z]\b|\d+")
"""What differs from tree to tree: names, paths, patterns, numbers."""


def said(kind: str) -> Iterator[str]:
    """The sentences of a check, sorted, each of a form once."""
    tables = import_module(f"tests.checks.test_{kind.replace('-', '_')}")
    trees = [*getattr(tables, "TREES", {}).values(), *(tree for page, _, tree in EXAMPLES if page == kind)]
    found: dict[str, str] = {}
    for tree in filter(_is_whole, trees):
        for finding in judge_tree(kind, dict(parse_tree(tree).files)).findings:
            if finding.check == kind:
                line = _line(finding)
                found.setdefault(_OWN.sub("_", line), line)
    yield from sorted(found.values())


def _is_whole(tree: str) -> bool:
    """Whether a tree needs nothing that its test puts in front of it."""
    return tree.lstrip().startswith("# file: ")


def _line(finding: Finding) -> str:
    problem = finding.problem
    related = " / ".join(dict.fromkeys(_OWN.sub("_", one.message) for one in problem.related))
    about = f"{problem.importer}, {problem.imported}, {problem.name}, {problem.kind}, {','.join(problem.flags)}"
    return f"{finding.check}: {finding.severity}: {problem.message} | {problem.help} | {related} | {about}"


KINDS = [kind for kind in all_checks() if kind != "unreadable-files"]
"""Of what cannot be parsed each Python says something else."""

if __name__ == "__main__":
    TARGET.write_text("".join(f"{line}\n" for kind in KINDS for line in said(kind)), encoding="utf-8")
