"""Settings of a project (``pyproject.toml``, ``setup.cfg`` ...) that name what moved, whatever the setting is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from layercheck.moves.model import Target
from layercheck.moves.pairing import Pair
from layercheck.moves.side import Change
from layercheck.names import join

NAMES = ("pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "mypy.ini", "entry_points.txt")
"""What files are called that hold settings in which tools look up Python names."""
_ENTRY = re.compile(r"([\w.]+)\s*:\s*([\w.]+)")
_COMMENT = re.compile(r"(?:^|\s)[#;].*")


def is_settings(path: str) -> bool:
    """Whether a file holds such settings."""
    return PurePosixPath(path).name in NAMES


def settings(change: Change, pairs: Iterable[Pair], known: Iterable[Target]) -> Iterator[Target]:
    """The settings of the new state that still name what left a module: ``attr = "p.a.x"``, ``call = "p.a:x"``.

    ``known``: what is told already.
    """
    gone: dict[str, str] = {}
    for pair in pairs:
        home, name = pair.before.key
        stays = change.new.member(home)
        if stays is None or change.new.project.resolver.find(stays, name) == "missing":
            gone[join(home, name)] = join(*pair.after.key)
    told = {(one.path, one.new_line) for one in known}
    for path, content in sorted(change.settings.items()):
        for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), 1):
            text = _COMMENT.sub("", line)
            for dotted in (*re.findall(r"[\w.]+", text), *map(".".join, _ENTRY.findall(text))):
                left = next((one for one in gone if f"{dotted}.".startswith(f"{one}.")), "")
                if left and (path, number) not in told:
                    yield Target(path, None, number, dotted, "still-old", gone[left] + dotted[len(left) :], broken=True)
