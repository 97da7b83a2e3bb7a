"""Quiet on healthy code: what a first run, with no rules file, says of well-kept packages.

Every finding was read. The errors are certain faults of these releases, each with the reason; the warnings are few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import command, corpus

pytestmark = pytest.mark.corpus

Errors = list[tuple[str, int, str]]

ON_A_SCREEN_OR_TWO = 160
"""Lines of text at the most."""

WHEELS: list[tuple[str, str, Errors, dict[str, int]]] = [
    ("django", "6.1.3", [], {"cycles": 8}),
    # The first import is overlaid by one in the function that names the class.
    ("pandas", "3.1.1", [], {"cycles": 1, "orphaned-imports": 2}),
    ("scikit-learn", "1.9.1", [], {"cycles": 9}),
    (
        "matplotlib",
        "3.11.2",
        # Under TYPE_CHECKING, with one dot too few: there is no matplotlib.backends.font_manager and no .ft2font.
        [
            ("matplotlib/backends/_backend_pdf_ps.py", 25, "FontPath"),
            ("matplotlib/backends/_backend_pdf_ps.py", 26, "CharacterCodeType"),
            ("matplotlib/backends/_backend_pdf_ps.py", 26, "FT2Font"),
            ("matplotlib/backends/_backend_pdf_ps.py", 26, "GlyphIndexType"),
        ],
        {"cycles": 2, "stale-reexports": 1},
    ),
    (
        "SQLAlchemy",
        "2.1.9",
        # In __all__ and bound nowhere: ``from sqlalchemy.ext.declarative import *`` raises AttributeError.
        [("sqlalchemy/ext/declarative/__init__.py", 58, "instrument_declarative")],
        {"cycles": 7},
    ),
    ("requests", "2.34.2", [], {}),
    ("pip", "26.3", [], {"stale-reexports": 1}),
    # Under TYPE_CHECKING, bound again under else, read by nobody.
    ("setuptools", "84.2.1", [], {"orphaned-imports": 1}),
    ("click", "8.5.1", [], {"cycles": 1}),
    ("pytest", "9.2.0", [], {}),
    ("trio", "0.35.0", [], {"cycles": 1}),
    ("celery", "5.7.0", [], {}),
    (
        "apache-airflow-core",
        "3.3.2",
        # Under TYPE_CHECKING: the release has no airflow.models.mappedoperator.
        [("airflow/triggers/base.py", 46, "MappedOperator")],
        {"cycles": 2},
    ),
]
SDISTS: list[tuple[str, str, Errors, dict[str, int]]] = [
    ("attrs", "26.1.0", [], {}),
    ("flask", "3.1.3", [], {}),
    ("httpx", "0.28.1", [], {}),
    # A helper that nothing calls patches a name that the module has lost.
    ("celery", "5.7.0", [("celery-5.7.0/t/unit/tasks/test_result.py", 678, "copy")], {}),
    ("trio", "0.35.0", [], {"cycles": 1}),
]


def _judge(
    get: Callable[[str, str], Path], name: str, version: str, errors: Errors, warnings: dict[str, int], cache: Path
) -> None:
    try:
        root = get(name, version)
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    run = command.check(root, cache=cache)
    found = run.findings()
    if any(each["message"].startswith("needs Python 3.") for each in found):
        pytest.skip("written for a newer Python than this one, and said to be")
    assert [(each["path"], each["line"], each["name"]) for each in found if each["severity"] == "error"] == errors
    assert Counter(each["check"] for each in found if each["severity"] == "warning") == warnings
    assert run.report["stats"]["unreadable"] == 0
    shown = command.layercheck("check", root, cache=cache)
    assert len(shown.stdout.splitlines()) <= ON_A_SCREEN_OR_TWO


@pytest.mark.parametrize(("name", "version", "errors", "warnings"), WHEELS, ids=[row[0] for row in WHEELS])
def test_wheels(name: str, version: str, errors: Errors, warnings: dict[str, int], tmp_path: Path) -> None:
    _judge(corpus.release, name, version, errors, warnings, tmp_path)


@pytest.mark.parametrize(("name", "version", "errors", "warnings"), SDISTS, ids=[row[0] for row in SDISTS])
def test_sdists(name: str, version: str, errors: Errors, warnings: dict[str, int], tmp_path: Path) -> None:
    _judge(corpus.sdist, name, version, errors, warnings, tmp_path)
