"""The only reader of code files: a folder, or a git revision of it -> which files there are, and what is in each.

Only what each run needs is handed on here; whoever reads revisions or compares folders takes that from its own module,
so that no run loads what it does not use.
"""

from layercheck.source.disk import as_read, list_tree, read_file
from layercheck.source.stamps import stamp_of

__all__ = ["as_read", "list_tree", "read_file", "stamp_of"]
