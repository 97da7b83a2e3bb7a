"""The only reader of code files: a folder, or a git revision of it -> which files there are, and what is in each."""

from layercheck.source.disk import list_files, read_file
from layercheck.source.revision import Revision, open_revision

__all__ = ["Revision", "list_files", "open_revision", "read_file"]
