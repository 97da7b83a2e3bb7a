"""The only reader of code files: a folder, or a git revision of it -> which files there are, and what is in each."""

from layercheck.source.compare import all_files, differing
from layercheck.source.disk import as_read, list_files, list_tree, read_file
from layercheck.source.history import demand_line, new_lines, steps
from layercheck.source.revision import Revision, open_revision
from layercheck.source.stamps import stamp_of
from layercheck.source.worktree import uncommitted

__all__ = [
    "Revision",
    "all_files",
    "as_read",
    "demand_line",
    "differing",
    "list_files",
    "list_tree",
    "new_lines",
    "open_revision",
    "read_file",
    "stamp_of",
    "steps",
    "uncommitted",
]
