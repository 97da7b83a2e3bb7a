"""Addresses of files as editors write them, and paths (RFC 8089). Looks at no disk."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname


def path_of(uri: str) -> Path | None:
    """The path, absolute and without ``..``, that an address means; None where it means no file on this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not parts.path:
        return None
    name = url2pathname(parts.path) if os.name == "nt" else os.fsdecode(unquote_to_bytes(parts.path))
    if "\0" in name or not Path(name).is_absolute():
        return None
    return Path(os.path.normpath(name))


def uri_of(path: Path) -> str:
    """The address of a file, whose path is absolute."""
    return path.as_uri()


def below(root: Path, path: str) -> Path:
    """The full path of a file that a finding names; it may lie above the root."""
    return Path(os.path.normpath(root / path))
