"""The only reader of code files: a folder -> which files there are (placed by layout), and what is in each.

Reads, never writes, never follows a link out of the root, never opens anything that is not a regular file.
"""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.layout import (
    Entry,
    Layout,
    ProjectSettings,
    is_environment,
    is_project_file,
    is_relevant,
    is_skipped,
    matches_glob,
    place,
)
from layercheck.names import join

MAX_BYTES = 32 * 1024 * 1024
"""No file larger than this is read: none that a person or a generator wrote is, and memory must stay bounded."""

_GIT_SECONDS = 30


def list_files(root: Path, settings: ProjectSettings) -> Layout:
    """What there is below a folder, and which file is what.

    Raises LayercheckError if the root is no folder or cannot be listed.
    """
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "does not exist"
        raise LayercheckError(f"{root}: {what}; name the folder that holds the code")
    entries, texts = _scan(root, settings.exclude)
    return place(entries, texts, settings, _package_of(root))


def read_file(root: Path, path: str) -> SourceFile:
    """Read one file of a layout; what prevents it is said in the result and never raised. ``path`` as in ``Placed``."""
    full = root / path
    try:
        # Listing has seen to it; this is for a link that was put there since.
        if full.is_symlink() and not _is_inside(full, os.path.realpath(root)):
            return SourceFile(path, None, "cannot be read: it is a link that leads out of the root")
        descriptor = os.open(full, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        return SourceFile(path, None, _reason(error))
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            return SourceFile(path, None, _folder_reason(full))
        if not stat.S_ISREG(status.st_mode):
            return SourceFile(path, None, "cannot be read: it is not a regular file")
        if status.st_size > MAX_BYTES:
            return SourceFile(path, None, f"cannot be read: it is larger than {MAX_BYTES // 2**20} MiB")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        return SourceFile(path, None, _reason(error))
    finally:
        os.close(descriptor)
    return SourceFile(path, content)


def _reason(error: OSError | ValueError) -> str:
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def _folder_reason(folder: Path) -> str:
    try:
        with os.scandir(folder):
            return "cannot be read: it is a folder"
    except OSError as error:
        return f"the folder cannot be listed: {error.strerror or error}"


def _scan(root: Path, exclude: tuple[str, ...]) -> tuple[list[Entry], dict[str, str]]:
    """List a folder without entering what holds no code of the project; the texts of project files besides."""
    real = os.path.realpath(root)
    ignored = _ignored(root)
    entries: list[Entry] = []
    texts: dict[str, str] = {}
    stack = [""]
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(root / folder) as iterator:
                children = {child.name: child for child in iterator}
        except (OSError, ValueError) as error:
            if not folder:
                raise LayercheckError(f"{root}: cannot be listed: {_reason(error).partition(': ')[2]}") from None
            entries.append(Entry(folder, "locked", folder=True))
            continue
        if folder and is_environment(children.keys()):
            continue
        for name in sorted(children):
            path = f"{folder}/{name}" if folder else name
            entry = _entry(children[name], path, real, ignored)
            if entry is None or (entry.folder and is_skipped(name, children.keys())):
                continue
            if not entry.folder:
                if is_relevant(name):
                    entries.append(entry)
                if is_project_file(name) and entry.kind == "plain":
                    content = read_file(root, path).content
                    texts[path] = (content or b"").decode("utf-8-sig", "replace")
            elif entry.kind != "plain":
                entries.append(entry)
            elif any(matches_glob(path, glob) for glob in exclude):
                entries.append(Entry(path, "excluded", folder=True))
            else:
                stack.append(path)
    return entries, texts


def _entry(child: os.DirEntry[str], path: str, real: str, ignored: frozenset[str]) -> Entry | None:
    """What one name in a folder is; None where it vanished meanwhile, or is a link to nothing that could be code."""
    try:
        if not child.is_symlink():
            folder = child.is_dir(follow_symlinks=False)
            return Entry(path, "ignored" if path in ignored else "plain", folder)
        if child.is_dir():
            return Entry(path, "link", folder=True)
        if child.is_file():
            if not _is_inside(child.path, real):
                return Entry(path, "link")
            return Entry(path, "ignored" if path in ignored else "plain")
        # A link that leads nowhere, or in a circle: whoever reads it says so.
        return Entry(path)
    except OSError:
        return Entry(path)


def _is_inside(link: str | Path, real: str) -> bool:
    """Whether a link leads to something below a folder, whose own path holds no link. One that leads nowhere may."""
    return os.path.realpath(link).startswith(real.rstrip(os.sep) + os.sep)


def _package_of(root: Path) -> str:
    """The name of the package that a folder is itself, as the nearest folder upwards without ``__init__.py`` sees it.

    A folder of its own project is none, even if an ``__init__.py`` has strayed there; nor is one whose name no import
    could spell. A folder without ``__init__.py`` right in a package is one (PEP 420).
    """
    folder = root.resolve()
    names: list[str] = []
    while folder.name.isidentifier() and not _is_top(folder):
        if not _has_init(folder) and (names or not _has_init(folder.parent) or _is_top(folder.parent)):
            break
        names.append(folder.name)
        folder = folder.parent
    return join(*reversed(names))


def _has_init(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


def _is_top(folder: Path) -> bool:
    return any((folder / name).exists() for name in ("pyproject.toml", "setup.py", "setup.cfg", ".git"))


def _ignored(root: Path) -> frozenset[str]:
    """Paths of the files and whole folders that are not tracked and that a .gitignore names; none where git cannot say.

    Where the root of the run is ignored itself nothing is: else the run would look at nothing and pass.
    """
    if not _in_repository(root) or _git(root, "check-ignore", "--quiet", ".") is not None:
        return frozenset()
    output = _git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory") or b""
    return frozenset(os.fsdecode(path).rstrip("/") for path in output.split(b"\0") if path)


def _in_repository(root: Path) -> bool:
    folder = root.resolve()
    return any((place / ".git").exists() for place in (folder, *folder.parents))


def _git(root: Path, *arguments: str) -> bytes | None:
    """What a git command prints; None where there is no git, or it fails or does not end.

    The repository may come from a stranger: no program that its configuration names is run, nothing is fetched and
    nothing is written. Only the repository's own ignore files count, so that the result is the same for everybody.
    """
    # A hook runs with GIT_DIR, GIT_INDEX_FILE and others set, which may mean another repository than the root's.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    environment |= {"GIT_ALLOW_PROTOCOL": "none"}
    settings = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", f"core.excludesFile={os.devnull}")
    options = [part for setting in settings for part in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", *options, *arguments],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout
