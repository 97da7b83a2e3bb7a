"""Which file is what: modules of which root, consumers, namespaces. The face of this package; reads no files.

Who places files takes that from ``layercheck.layout.place``, so that no run loads what it does not use.
"""

from layercheck.layout.model import Entry, Layout, Listing, Placed, ProjectSettings
from layercheck.layout.paths import (
    is_environment,
    is_project_file,
    is_relevant,
    is_skipped,
    is_test,
    matches_glob,
)

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
]
