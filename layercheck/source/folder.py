"""A folder -> which of its files is what."""

from __future__ import annotations

from pathlib import Path

from layercheck.layout import Layout, ProjectSettings
from layercheck.layout.place import place
from layercheck.source.disk import list_tree


def list_files(root: Path, settings: ProjectSettings) -> Layout:
    """What there is below a folder, and which file is what; raises as ``list_tree`` does."""
    return place(list_tree(root, settings.exclude), settings)
