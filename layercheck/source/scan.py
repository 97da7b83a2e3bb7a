"""A tree of folders, wherever it is kept -> the listing that layout places. Enters no folder that holds no code."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from layercheck.layout import Entry, is_environment, is_project_file, is_relevant, is_skipped, matches_glob


def scan(
    children: Callable[[str], Mapping[str, Entry] | None],
    read: Callable[[str], bytes | None],
    exclude: tuple[str, ...],
) -> tuple[list[Entry], dict[str, str]]:
    """The entries that can matter, and the texts of project files.

    ``children`` says what is in a folder, by name, and None of one that cannot be listed. ``read`` gives the content
    of a file.
    """
    entries: list[Entry] = []
    texts: dict[str, str] = {}
    stack = [""]
    while stack:
        folder = stack.pop()
        found = children(folder)
        if found is None:
            entries.append(Entry(folder, "locked", folder=True))
            continue
        if folder and is_environment(found.keys()):
            continue
        for name in sorted(found):
            entry = found[name]
            path = entry.path
            if entry.folder and is_skipped(name, found.keys()):
                continue
            if not entry.folder:
                if is_relevant(name):
                    entries.append(entry)
                if is_project_file(name) and entry.kind == "plain":
                    texts[path] = (read(path) or b"").decode("utf-8-sig", "replace")
            elif entry.kind != "plain":
                entries.append(entry)
            elif any(matches_glob(path, glob) for glob in exclude):
                entries.append(Entry(path, "excluded", folder=True))
            else:
                stack.append(path)
    return entries, texts
