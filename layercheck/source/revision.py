"""A git revision of a folder -> which files it had, and what was in each. Reads objects, never the work tree's files.

A link is followed only to a file of the same revision; what lies in a submodule is of another repository and not
there. What git ignores today, such as what a build makes, counts as being there as it is today.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.layout import Entry, Layout, Listing, ProjectSettings
from layercheck.layout.place import place
from layercheck.source.disk import MAX_BYTES, package_of
from layercheck.source.git import git, ignored_paths, in_checkout
from layercheck.source.scan import scan

_BATCH = 256
_MAX_BATCH = 64 * 1024 * 1024
"""Bytes that are asked of git at once, and no more than are asked for one file."""
_HOPS = 8
"""How many links in a row are followed."""
_LINK = b"120000"
_HASH = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_./-]*")


@dataclass(frozen=True, slots=True, eq=False)
class Revision:
    """A folder as it was."""

    root: Path
    text: str
    """How the revision was asked for."""
    asked: str
    """The words to begin an error with."""
    layout: Layout
    blobs: Mapping[str, str]
    """The name of each file's object, by path; links to files included."""

    def files(self) -> Iterator[SourceFile]:
        """The files of the layout, in its order, each with what prevents reading it in place of its content.

        Raises LayercheckError where git does not have one.
        """
        yield from self.read([placed.path for placed in self.layout.placed])

    def read(self, paths: Sequence[str]) -> Iterator[SourceFile]:
        """Any files of the revision, as ``files`` gives those of the layout."""
        contents = _contents(self.root, self.asked, self.text, [self.blobs[path] for path in paths])
        for path, content in zip(paths, contents, strict=True):
            reason = f"cannot be read: it is larger than {MAX_BYTES // 2**20} MiB" if content is None else ""
            yield SourceFile(path, content, reason)


def open_revision(root: Path, text: str, settings: ProjectSettings, option: str = "--since") -> Revision:
    """A folder, absolute, as it was at a revision: anything that git takes for a commit.

    ``option``: how the user gave it, to begin an error with; empty for an argument.

    Raises LayercheckError, in one line, where there is no git checkout, no such commit, or not all of it.
    """
    asked = f"{option} {text}".lstrip()
    commit = commit_of(root, text, option)
    listing = git(root, "ls-tree", "-r", "-z", commit)
    if not listing.fine:
        raise LayercheckError(f"{asked}: git cannot list it: {listing.error}")
    blobs: dict[str, str] = {}
    links: dict[str, str] = {}
    for line in listing.output.split(b"\0"):
        head, _, name = line.partition(b"\t")
        match head.split():
            case [mode, b"blob", blob] if name:
                (links if mode == _LINK else blobs)[os.fsdecode(name)] = blob.decode("ascii", "replace")
    tree = _Tree(blobs)
    contents = _contents(root, asked, text, list(links.values()))
    targets = {link: os.fsdecode(target or b"") for link, target in zip(links, contents, strict=True)}
    for path in links:
        tree.add_link(path, targets)
    for path in ignored_paths(root)[0]:
        tree.add(Entry(path, "ignored", folder=(root / path).is_dir()))

    def read(path: str) -> bytes | None:
        return next(_contents(root, asked, text, [tree.blobs[path]]))

    entries, texts = scan(tree.folders.get, read, settings.exclude)
    return Revision(root, text, asked, place(Listing(tuple(entries), texts, package_of(root)), settings), tree.blobs)


class _Tree:
    """The folders of a revision, as they are put together."""

    def __init__(self, blobs: Mapping[str, str]) -> None:
        self.blobs = dict(blobs)
        self.folders: dict[str, dict[str, Entry]] = {"": {}}
        for path in blobs:
            self.add(Entry(path))

    def add(self, entry: Entry) -> None:
        """Take in a file, or a folder that is not looked into; what is there already stays."""
        folder, _, name = entry.path.rpartition("/")
        if entry.path in self.folders or name in self.folders.get(folder, {}):
            return
        self.folders.setdefault(folder, {})[name] = entry
        while folder:
            above, _, name = folder.rpartition("/")
            self.folders.setdefault(above, {}).setdefault(name, Entry(folder, folder=True))
            folder = above

    def add_link(self, path: str, targets: Mapping[str, str]) -> None:
        """Take in a link, by the targets of all links: a file where it leads to one of this revision, else a link."""
        place_ = path
        for _ in range(_HOPS):
            if place_ not in targets:
                break
            place_ = posixpath.normpath(posixpath.join(posixpath.dirname(place_), targets[place_]))
        if place_ in self.blobs and place_ not in targets:
            self.blobs[path] = self.blobs[place_]
            self.add(Entry(path))
        else:
            self.add(Entry(path, "link", folder=place_ in self.folders))


def commit_of(root: Path, text: str, option: str = "") -> str:
    """The name of the commit that a text means; ``option`` as in ``open_revision``.

    Raises LayercheckError where it means none, or one that is not here.
    """
    asked = f"{option} {text}".lstrip()
    if not text.strip() or text.startswith("-") or not text.isprintable():
        raise LayercheckError(
            f"{option}{': ' if option else ''}{text!r} is no revision; give a branch, a tag or a commit"
        )
    if not in_checkout(root):
        raise LayercheckError(f"{asked}: {root} is in no git checkout, so there is nothing to compare with")
    inside = git(root, "rev-parse", "--is-shallow-repository")
    if not inside.fine:
        raise LayercheckError(f"{asked}: git cannot read the checkout of {root}: {inside.error}")
    found = git(root, "rev-parse", "--verify", "--quiet", text + "^{commit}")
    commit = found.output.decode("ascii", "replace").strip()
    if found.fine and git(root, "cat-file", "-e", commit).fine:
        return commit
    if inside.output.strip() == b"true":
        raise LayercheckError(
            f"{asked}: this is a shallow clone that lacks it; fetch it with: {_fetch_command(root, text)}"
        )
    raise LayercheckError(f"{asked}: git knows no such commit here; give a branch, a tag or a commit")


def _fetch_command(root: Path, text: str) -> str:
    """What brings a revision into a shallow clone."""
    remotes = git(root, "remote").output.decode("utf-8", "replace").split()
    remote = "origin" if "origin" in remotes or not remotes else remotes[0]
    if _HASH.fullmatch(text):
        return f"git fetch --depth=1 {remote} {text}"
    owner, _, branch = text.removeprefix("refs/remotes/").partition("/")
    if owner in remotes and _NAME.fullmatch(branch):
        return f"git fetch --depth=1 {owner} +refs/heads/{branch}:refs/remotes/{owner}/{branch}"
    if _NAME.fullmatch(text) and text != "HEAD" and not re.fullmatch(r"[0-9a-f]{4,39}", text):
        return f"git fetch --depth=1 {remote} {text}:{text}"
    return f"git fetch --unshallow {remote}"


def _contents(root: Path, asked: str, text: str, blobs: Sequence[str]) -> Iterator[bytes | None]:
    """What is in each of some blobs, of which only some are in memory at a time; None for one that is too large.

    Raises LayercheckError where git does not have one, as in a partial clone.
    """
    sizes = {name: int(size) for name, _, size in _objects(root, asked, text, "--batch-check", sorted(set(blobs)))}
    for batch in _batches(blobs, sizes):
        wanted = dict.fromkeys(name for name in batch if sizes[name] <= MAX_BYTES)
        found = {name: content for name, content, _ in _objects(root, asked, text, "--batch", list(wanted))}
        yield from map(found.get, batch)


def _batches(blobs: Sequence[str], sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """The blobs in their order, so many at a time as git can hand out at once."""
    batch: list[str] = []
    size = 0
    for name in blobs:
        more = sizes[name] if sizes[name] <= MAX_BYTES else 0
        if batch and (len(batch) == _BATCH or size + more > _MAX_BATCH):
            yield batch
            batch, size = [], 0
        batch.append(name)
        size += more
    if batch:
        yield batch


def _objects(root: Path, asked: str, text: str, how: str, names: Sequence[str]) -> Iterator[tuple[str, bytes, bytes]]:
    """What ``git cat-file`` says of some objects: name, content (with ``--batch``), size."""
    if not names:
        return
    output = git(root, "cat-file", how, feed="".join(f"{name}\n" for name in names).encode("ascii", "replace")).output
    position = 0
    for name in names:
        end = output.find(b"\n", position)
        head = output[position:end].split() if end > 0 else []
        if len(head) != 3 or not re.fullmatch(rb"\d{1,18}", head[2]):
            raise LayercheckError(
                f"{asked}: this clone lacks files of it; fetch them with: git archive -o {os.devnull} {text}"
            )
        position = end + 1
        content = b""
        if how == "--batch":
            content = output[position : position + int(head[2])]
            position += len(content) + 1
        yield name, content, head[2]
