"""Which file is what: modules of which root, consumers, namespaces. The face of this package; reads no files."""

from layercheck.layout.model import Entry, Layout, Listing, Placed, ProjectSettings
from layercheck.layout.paths import (
    is_environment,
    is_project_file,
    is_relevant,
    is_skipped,
    is_test,
    matches_glob,
)
from layercheck.layout.place import place

__all__ = [
    "Entry",
    "Layout",
    "Listing",
    "Placed",
    "ProjectSettings",
    "is_environment",
    "is_project_file",
    "is_relevant",
    "is_skipped",
    "is_test",
    "matches_glob",
    "place",
]
