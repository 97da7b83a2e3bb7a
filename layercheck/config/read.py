"""A rules file, and the files that it names -> Config, or every fault of all of them at once. Pure; docs/rules.md says
what each key means."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath, PurePosixPath
from typing import Any

from layercheck.checks import all_checks
from layercheck.config.find import TABLE, is_shared
from layercheck.config.model import Config, Fragment, Rule
from layercheck.config.part import Part, read_part
from layercheck.config.shelf import ANY, EMPTY, Shelf, fault_of_glob
from layercheck.errors import LayercheckError
from layercheck.finding import Location
from layercheck.layout import ProjectSettings
from layercheck.names import nearest

_NAMES_AT_ANY_DEPTH = ("vendored", "generated")
"""The keys of ``[project]`` in which a glob without a slash is a name, wherever it stands."""
_PATHS = ("roots", "consumers", "exclude", "vendored", "generated")
"""The keys of ``[project]`` that hold paths."""


def read_config(
    text: str, path: str, *, table: tuple[str, ...] = (), folder: str = "", root: str = "", shelf: Shelf = EMPTY
) -> Config:
    """What a rules file says, and the files that it extends and includes.

    ``path`` is how messages and findings call the file: POSIX, relative to the root of the run. ``table`` is where
    in the text the settings are (``("tool", "layercheck")`` in pyproject.toml). ``folder`` is the file's folder, to
    which paths in it are relative, and ``root`` that of the run: both POSIX, from one and the same place. ``shelf``
    has the other files.

    Raises LayercheckError with one line for each fault.
    """
    main = posixpath.join(folder, posixpath.basename(path))
    gathering = _Gathering(root, shelf)
    gathering.add(text, main, path, table)
    gathering.add_fragments()
    gathering.refuse_roots_outside()
    complaints = [sentence for heap in gathering.complaints.values() for _, sentence in sorted(heap)]
    if complaints:
        raise LayercheckError(*complaints)
    return _compose(path, gathering.parts, tuple(gathering.complaints), root)


@dataclass(slots=True)
class _Gathering:
    """The files of one configuration, as they are met."""

    root: str
    shelf: Shelf
    parts: list[Part] = field(default_factory=list)
    """What a file extends comes before it."""
    complaints: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """For each file that was met, by its path in messages: line and sentence."""
    _seen: set[str] = field(default_factory=set)
    _trail: list[str] = field(default_factory=list)
    _rules: dict[str, str] = field(default_factory=dict)
    """Where the rule of each name stands."""

    def add(self, text: str, where: str, shown: str, table: tuple[str, ...]) -> None:
        """Take in a file and, before it, what it extends."""
        self._seen.add(where)
        self._trail.append(where)
        part = read_part(text, shown, table=table, folder=posixpath.dirname(where))
        self.complaints[shown] = list(part.complaints)
        for index, name in enumerate(part.files.extends):
            self._extend(part, f"extends[{index}]", name)
        self._take(part)
        self._trail.pop()

    def add_fragments(self) -> None:
        """Take in the files that those taken in so far include."""
        for part in tuple(self.parts):
            for index, glob in enumerate(part.files.include):
                fault = fault_of_glob(glob)
                found = () if fault else self.shelf.find(part.folder, glob)
                if not found:
                    what = fault or f"no file matches {glob!r}{self._near(part, glob)}"
                    self._complain(part, f"include[{index}]", what)
                for where in found:
                    if where not in self._seen:
                        self._seen.add(where)
                        self._add_fragment(part, f"include[{index}]", where)

    def refuse_roots_outside(self) -> None:
        """Complain of roots that lie outside the root of the run: nothing is read there."""
        for part in self.parts:
            for index, pattern in enumerate(part.project.get("roots") or ()):
                if _leads_out(pattern, part, self.root):
                    what = f"{pattern!r} leads out of the root of the run; name a folder below it"
                    self._complain(part, f"project.roots[{index}]", what)

    def _extend(self, part: Part, key: str, name: str) -> None:
        where = posixpath.normpath(posixpath.join(part.folder, name))
        if not name.strip() or posixpath.isabs(name) or "\\" in name:
            self._complain(part, key, f"{name!r}: write a path relative to this file, with slashes")
        elif where in self._trail:
            ring = [*self._trail[self._trail.index(where) :], where]
            shown = " -> ".join(self._show(one) for one in ring)
            self._complain(part, key, f"a file that extends itself: {shown}; take one of these out")
        elif where not in self._seen:
            text = self._read(part, key, where)
            if text is not None:
                self.add(text, where, self._show(where), TABLE if is_shared(where) else ())

    def _add_fragment(self, owner: Part, key: str, where: str) -> None:
        text = self._read(owner, key, where)
        if text is not None:
            shown = self._show(where)
            part = read_part(text, shown, folder=posixpath.dirname(where), fragment=True)
            self.complaints[shown] = list(part.complaints)
            self._take(part)

    def _read(self, part: Part, key: str, where: str) -> str | None:
        if not self.shelf.has(where):
            near = self._near(part, posixpath.relpath(f"/{where}", f"/{part.folder}"))
            self._complain(part, key, f"there is no file {self._show(where)}{near}")
            return None
        try:
            return self.shelf.read(where)
        except LayercheckError as error:
            self._complain(part, key, str(error))
            return None

    def _near(self, part: Part, written: str) -> str:
        """The rules file that a misspelt path or glob may have meant, as the end of a sentence."""
        below = [posixpath.relpath(f"/{where}", f"/{part.folder}") for where in self.shelf.find(part.folder, ANY)]
        close = nearest(written, below)
        return f"; did you mean {close!r}?" if close else ""

    def _take(self, part: Part) -> None:
        for rule in part.rules:
            place = f"{part.path}:{rule.line}"
            first = self._rules.setdefault(rule.name, place)
            # Two in one text have been told already.
            if first.rpartition(":")[0] != part.path:
                line = rule.line_of("name")
                where = f"{part.path}:{line}: rule {rule.name}, name"
                self.complaints[part.path].append(
                    (line, f"{where}: {rule.name!r} is already the name of the rule at {first}")
                )
        self.parts.append(part)

    def _complain(self, part: Part, key: str, what: str) -> None:
        line = part.lines.get(key, 1)
        self.complaints[part.path].append((line, f"{part.path}:{line}: {key}: {what}"))

    def _show(self, where: str) -> str:
        return relative_path(PurePosixPath("/", where), PurePosixPath("/", self.root))


def relative_path(path: PurePath, root: PurePath) -> str:
    """A file, POSIX, relative to the root of the run; with ``..`` where it lies above it."""
    for up, folder in enumerate((root, *root.parents)):
        if path.is_relative_to(folder):
            return "/".join([*[".."] * up, *path.relative_to(folder).parts])
    return path.as_posix()


def _compose(path: str, parts: Iterable[Part], files: tuple[str, ...], root: str) -> Config:
    checks: dict[str, Rule] = {}
    rules: list[Rule] = []
    fragments: dict[str, Fragment] = {}
    project: dict[str, tuple[Any, Part]] = {}
    for part in parts:
        checks = {**{name: rule for name, rule in checks.items() if name not in part.checks}, **part.checks}
        rules += part.rules
        project |= {key: (value, part) for key, value in part.project.items()}
        if part.fragment:
            below = relative_path(PurePosixPath("/", part.folder), PurePosixPath("/", root))
            fragments |= {
                rule.name: Fragment(below, table) for rule, table in zip(part.rules, part.tables, strict=True)
            }
    globs: dict[tuple[str, str], str] = {}
    outside = _outside(project, root)
    return Config(
        path=path,
        project=_project_settings(project, root, globs),
        outside=tuple(outside),
        rules=(*checks.values(), *rules, *_undeclared(frozenset(checks))),
        places=dict(_places(project)),
        globs=globs,
        files=files,
        fragments=fragments,
    )


def _places(project: Mapping[str, tuple[Any, Part]]) -> Iterator[tuple[str, Location]]:
    for key, (_, part) in project.items():
        for path, line in part.lines.items():
            owner, _, rest = path.partition(".")
            if owner == "project" and rest.partition("[")[0] == key:
                yield rest, Location(part.path, line, 1, line, 1)


def default_config() -> Config:
    """What holds where there is no rules file."""
    return Config(path="", project=ProjectSettings(), rules=_undeclared(frozenset()))


def _undeclared(named: frozenset[str]) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            name=name,
            check=name,
            options=check.undeclared.options or check.options(),
            severity=check.undeclared.severity,
            declared=False,
        )
        for name, check in all_checks().items()
        if check.undeclared is not None and name not in named
    )


def _outside(project: Mapping[str, tuple[Any, Part]], root: str) -> Iterator[tuple[str, str]]:
    """The paths that lead out of the root of the run, by key path."""
    for key in _PATHS:
        value, part = project.get(key, ((), None))
        for index, pattern in enumerate(value or ()):
            if part is not None and _leads_out(pattern, part, root):
                yield f"{key}[{index}]", pattern


def _leads_out(pattern: str, part: Part, root: str) -> bool:
    """Whether a path leads out of the root of the run, and so means nothing. Where that root is only a part of what
    the rules file is for, this cannot be said."""
    place = posixpath.normpath(posixpath.join("/", part.folder, pattern))
    return _is_below(part.folder, root) and not _is_below(place, root)


def _is_below(path: str, folder: str) -> bool:
    """Whether a path, POSIX, is a folder or lies in it."""
    return _parts(path)[: len(_parts(folder))] == _parts(folder)


def _project_settings(
    project: Mapping[str, tuple[Any, Part]], root: str, globs: dict[tuple[str, str], str]
) -> ProjectSettings:
    """The settings, with paths as they read from the root of the run; ``globs`` is told the key path of each."""
    settings: dict[str, Any] = {}
    for key, (value, part) in project.items():
        if key not in _PATHS:
            settings[key] = value
            continue
        rebased = []
        for index, pattern in enumerate(value):
            found = None if _leads_out(pattern, part, root) else _rebase(pattern, part.folder, root, key)
            if found is not None:
                rebased.append(found)
                globs[key, found] = f"{key}[{index}]"
        settings[key] = (tuple(rebased) or None) if key == "roots" else tuple(rebased)
    return ProjectSettings(**settings)


def _rebase(pattern: str, folder: str, root: str, key: str) -> str | None:
    """A path pattern relative to the root of the run; None where nothing below that root can match it.

    Where the root of the run lies inside what the pattern names, it names everything; but the root that somebody
    asked for is never excluded, and its own roots are found anew.
    """
    if pattern.startswith("**/") or ("/" not in pattern and key in _NAMES_AT_ANY_DEPTH):
        return pattern
    whole = "**" if key in ("consumers", "vendored", "generated") else None
    parts = _parts(posixpath.normpath(posixpath.join("/", folder, pattern)))
    for index, above in enumerate(_parts(root)):
        if index == len(parts):
            return whole
        if parts[index] == "**":
            return "/".join(parts[index:])
        if not fnmatchcase(above, parts[index]):
            return None
    return "/".join(parts[len(_parts(root)) :]) or ("." if key == "roots" else whole)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]
