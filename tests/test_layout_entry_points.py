"""Entry points: what each kind of project file declares of scripts and plugins, with its place."""

from __future__ import annotations

import pytest

from layercheck.layout import Entry, Listing, ProjectSettings
from layercheck.layout.place import place

FORMS = [
    ("pyproject.toml", '[project.scripts]\na = "pkg.cli:main"\n', [("pkg.cli:main", 2)]),
    ("pyproject.toml", '[project.gui-scripts]\n\na = "pkg.gui:Window.show"\n', [("pkg.gui:Window.show", 3)]),
    ("pyproject.toml", "[project.entry-points.pytest11]\nb = 'pkg.plugin [extra]'\n", [("pkg.plugin", 2)]),
    (
        "pyproject.toml",
        '[tool.poetry]\nname = "x"\n[tool.poetry.scripts]\na = "pkg.a:f"\nb = { reference = "pkg.b:g" }\n',
        [("pkg.a:f", 4), ("pkg.b:g", 5)],
    ),
    (
        "pyproject.toml",
        '[build-system]\n[tool.poetry.plugins."x.y"]\na = "pkg.a"\n[tool.flit.scripts]\nb = "pkg.b:g"',
        [("pkg.a", 3), ("pkg.b:g", 5)],
    ),
    ("pyproject.toml", '[project]\nscripts = 3\nentry-points = { a = "b", c = ["d"] }\n', []),
    ("pyproject.toml", '[project.scripts]\na = "run this"\nb = 1\n', []),
    (
        "setup.cfg",
        "[metadata]\n[options.entry_points]\nx =\n  a = pkg.cli:main\n  b=pkg.b : f [x]\ny = c = pkg.c:g\n",
        [("pkg.cli:main", 4), ("pkg.b:f", 5), ("pkg.c:g", 6)],
    ),
    (
        "setup.py",
        "setup(\n  entry_points={'console_scripts': ['a = pkg.cli:main'],\n  'x': 'b = pkg.b'},\n)",
        [("pkg.cli:main", 2), ("pkg.b", 3)],
    ),
    ("setup.py", "setup(entry_points='''\n[console_scripts]\na = pkg.cli:main\n''')", [("pkg.cli:main", 3)]),
    ("setup.py", "setup(entry_points='[a')", []),
    ("setup.py", "setup(entry_points={'a': made()})", []),
]


@pytest.mark.parametrize(("name", "text", "expected"), FORMS)
@pytest.mark.parametrize("folder", ["", "sub/"])
def test_what_project_files_declare(name: str, text: str, expected: list[tuple[str, int]], folder: str) -> None:
    path = folder + name
    layout = place(Listing((Entry(path), Entry(f"{folder}pkg/__init__.py")), {path: text}), ProjectSettings())
    assert [(one.path, one.target, one.line) for one in layout.entry_points] == [
        (path, target, line) for target, line in expected
    ]
