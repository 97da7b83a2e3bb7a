"""The text of a rules file -> Config, or every fault of it at once. Pure; docs/rules.md says what each key means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from datetime import date
from fnmatch import fnmatchcase
from typing import Any, TypeVar

import msgspec
import tomli

from layercheck.checks import Check, Options, all_checks
from layercheck.config.convert import Complain, convert, keys_of, unknown_keys
from layercheck.config.model import Config, IgnoreEntry, Rule, RuleSeverity
from layercheck.config.places import Path, line_of, places
from layercheck.errors import LayercheckError
from layercheck.layout import ProjectSettings
from layercheck.names import nearest

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_NAMES_AT_ANY_DEPTH = ("vendored", "generated")
"""The keys of ``[project]`` in which a glob without a slash is a name, wherever it stands."""


class _ProjectTable(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of ``[project]``."""

    roots: tuple[str, ...] | None = None
    packages: tuple[str, ...] | None = None
    consumers: tuple[str, ...] | None = None
    api: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    vendored: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()


class _IgnoreTable(msgspec.Struct, frozen=True, kw_only=True, rename={"import_": "import"}):
    """The keys of one ``ignore`` entry."""

    import_: str
    reason: str
    max: int | None = None
    until: date | None = None


class _CheckKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that a table in ``[checks]`` has beside the check's own."""

    severity: RuleSeverity | None = None
    reason: str = ""
    help: str = ""
    docs: str = ""
    ignore: tuple[dict[str, Any], ...] = ()
    allow_empty: bool = False


class _RuleKeys(_CheckKeys, frozen=True, kw_only=True):
    """The keys that every ``[[rule]]`` has beside the check's own."""

    name: str
    check: str
    reason: str


_K = TypeVar("_K", bound=_CheckKeys)


class _Reader:
    """One reading of one text: gathers rules and complaints."""

    def __init__(self, text: str, path: str, table: tuple[str, ...]) -> None:
        self._path = path
        self._table = table
        self._complaints: list[tuple[int, str]] = []
        self._places: dict[Path, int] = {}
        self.data: dict[str, Any] = {}
        try:
            data: Any = tomli.loads(text.replace("\r\n", "\n"))
        except tomli.TOMLDecodeError as error:
            raise LayercheckError(f"{path}:{error.lineno}:{error.colno}: not valid TOML: {error.msg}") from None
        except RecursionError:
            raise LayercheckError(f"{path}: nested too deeply to be a rules file") from None
        self._places = places(text.replace("\r\n", "\n"))
        for key in table:
            data = data.get(key) if isinstance(data, dict) else None
        if isinstance(data, dict):
            self.data = data
        else:
            self._complain((), "", f"expected a table [{'.'.join(table)}]")

    def _complain(self, at: Path, key: str, what: str) -> None:
        path: Path = (*self._table, *at, *_parse_key(key))
        line = line_of(self._places, path)
        shown = _show_path(path[len(self._table) :])
        self._complaints.append((line, f"{self._path}:{line}: {shown + ': ' if shown else ''}{what}"))

    def _at(self, *at: str | int) -> Complain:
        return lambda key, what: self._complain(at, key, what)

    def _line(self, *at: str | int) -> int:
        return line_of(self._places, (*self._table, *at))

    def _lines(self, *at: str | int) -> dict[str, int]:
        """The lines of the keys below a path, by their key path from there."""
        prefix = (*self._table, *at)
        depth = len(prefix)
        return {
            _show_path(path[depth:]): line
            for path, line in self._places.items()
            if path[:depth] == prefix and len(path) > depth
        }

    def finish(self) -> None:
        """Raise all complaints, in the order of the text."""
        if self._complaints:
            raise LayercheckError(*(sentence for _, sentence in sorted(self._complaints)))

    def check_shape(self) -> None:
        """Complain of unknown tables, and of a file that declares nothing."""
        unknown_keys(self.data, ("project", "checks", "rule"), self._at())
        if not any(self.data.values()):
            self._complain((), "", "declares nothing; write [project], [checks] or [[rule]], or remove the file")

    def project(self) -> _ProjectTable:
        table = self.data.get("project", {})
        if not isinstance(table, dict):
            self._complain(("project",), "", "expected a table; write [project]")
            return _ProjectTable()
        unknown_keys(table, keys_of(_ProjectTable), self._at("project"))
        for key in ("roots", "packages"):
            if table.get(key) == []:
                self._complain(("project",), key, "empty; leave it out to have them found")
        return convert(table, _ProjectTable, self._at("project")) or _ProjectTable()

    def project_lines(self) -> dict[str, int]:
        return self._lines("project")

    def checks(self) -> dict[str, Rule]:
        """The rules that ``[checks]`` declares, by name of their check."""
        found: dict[str, Rule] = {}
        table = self.data.get("checks", {})
        if not isinstance(table, dict):
            self._complain(("checks",), "", "expected a table; write [checks]")
            return found
        for name, value in table.items():
            check = self._check(name, ("checks", name))
            if check is None:
                continue
            if check.undeclared is None:
                self._complain(("checks", name), "", f"{name} has to be told what to look at; write it as a [[rule]]")
                continue
            settings = value if isinstance(value, dict) else {"severity": value}
            at: Path = ("checks", name)
            keys, ignore = self._keys(settings, _CheckKeys, check, at)
            options = convert(settings, check.options, self._at(*at))
            if keys is not None and options is not None:
                found[name] = self._rule(name, name, check, keys, options, ignore, at)
        return found

    def rules(self) -> list[Rule]:
        """The rules that ``[[rule]]`` declares, in the order of the text."""
        tables = self.data.get("rule", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._complain(("rule",), "", "expected a list of tables; write [[rule]]")
            return []
        found: list[Rule] = []
        names: dict[str, int] = {}
        for index, table in enumerate(tables):
            at: Path = ("rule", index)
            check = None
            if isinstance(table.get("check"), str):
                check = self._check(table["check"], (*at, "check"))
            keys, ignore = self._keys(table, _RuleKeys, check, at)
            options = convert(table, check.options, self._at(*at)) if check else None
            self._check_name(table, at, names)
            if keys is not None and check is not None and options is not None:
                if not keys.reason.strip():
                    self._complain(at, "reason", "empty; say why the rule is there")
                found.append(self._rule(keys.name, keys.check, check, keys, options, ignore, at))
        return found

    def _check(self, name: str, at: Path) -> Check | None:
        check = all_checks().get(name)
        if check is None:
            close = nearest(name, all_checks())
            hint = f"did you mean {close!r}?" if close else f"the checks are {', '.join(all_checks())}"
            self._complain(at, "", f"no check is called {name!r}; {hint}")
        return check

    def _check_name(self, table: Mapping[str, Any], at: Path, names: dict[str, int]) -> None:
        name = table.get("name")
        if not isinstance(name, str):
            return
        line = self._line(*at)
        if not name.strip() or any(character in name for character in ",[]") or not name.isprintable():
            self._complain(at, "name", f"{name!r} cannot be a name; use letters, digits and hyphens")
        elif name in names:
            self._complain(at, "name", f"{name!r} is already the name of the rule on line {names[name]}")
        elif name in all_checks() and (name != table.get("check") or _runs_by_itself(name)):
            self._complain(at, "name", f"{name!r} is the name of a check; give the rule a name of its own")
        names.setdefault(name, line)

    def _keys(
        self, table: Mapping[str, Any], keys: type[_K], check: Check | None, at: Path
    ) -> tuple[_K | None, tuple[IgnoreEntry, ...]]:
        """The keys that are not the check's own, and the ignore entries, which are read even where a key is wrong."""
        if check is not None:
            unknown_keys(table, {**keys_of(keys), **keys_of(check.options)}, self._at(*at))
        entries = table.get("ignore")
        return convert(table, keys, self._at(*at)), self._ignore(entries if isinstance(entries, list) else [], at)

    def _rule(
        self,
        name: str,
        kind: str,
        check: Check,
        keys: _CheckKeys,
        options: Options,
        ignore: tuple[IgnoreEntry, ...],
        at: Path,
    ) -> Rule:
        return Rule(
            name=name,
            check=kind,
            options=options,
            severity=keys.severity or check.declared,
            reason=keys.reason,
            help=keys.help,
            docs=keys.docs,
            ignore=ignore,
            allow_empty=keys.allow_empty,
            line=self._line(*at),
            lines=self._lines(*at),
        )

    def _ignore(self, tables: list[Any], at: Path) -> tuple[IgnoreEntry, ...]:
        found = []
        for index, table in enumerate(tables):
            if not isinstance(table, dict):
                continue
            here: Path = (*at, "ignore", index)
            unknown_keys(table, keys_of(_IgnoreTable), self._at(*here))
            entry = convert(table, _IgnoreTable, self._at(*here))
            if entry is None:
                continue
            sides = [side.strip() for side in entry.import_.split("->")]
            if len(sides) != 2 or not all(sides):
                self._complain(here, "import", f'{entry.import_!r} is no import; write "importer -> imported"')
            elif not entry.reason.strip():
                self._complain(here, "reason", "empty; say why the import may stay")
            elif entry.max is not None and entry.max < 1:
                self._complain(here, "max", "must be 1 or more; remove the entry to ignore nothing")
            else:
                line = self._line(*here)
                found.append(IgnoreEntry(sides[0], sides[1], entry.reason, entry.max, entry.until, line))
        return tuple(found)


def read_config(text: str, path: str, *, table: tuple[str, ...] = (), folder: str = "", root: str = "") -> Config:
    """What a rules file says.

    ``path`` is how messages and findings call the file: POSIX, relative to the root of the run. ``table`` is where
    in the text the settings are (``("tool", "layercheck")`` in pyproject.toml). ``folder`` is the file's folder, to
    which paths in it are relative, and ``root`` that of the run: both POSIX, from one and the same place.

    Raises LayercheckError with one line for each fault.
    """
    reader = _Reader(text, path, table)
    reader.check_shape()
    project = reader.project()
    checks = reader.checks()
    rules = reader.rules()
    reader.finish()
    named = tuple(checks.values())
    return Config(
        path=path,
        project=_project_settings(project, folder, root),
        rules=(*named, *rules, *_undeclared(frozenset(checks))),
        lines=reader.project_lines(),
    )


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


def _runs_by_itself(name: str) -> bool:
    return all_checks()[name].undeclared is not None


def _project_settings(table: _ProjectTable, folder: str, root: str) -> ProjectSettings:
    def rebased(key: str, patterns: tuple[str, ...]) -> tuple[str, ...]:
        found = (_rebase(pattern, folder, root, key) for pattern in patterns)
        return tuple(pattern for pattern in found if pattern is not None)

    return ProjectSettings(
        roots=(rebased("roots", table.roots) if table.roots else None) or None,
        packages=table.packages,
        consumers=None if table.consumers is None else rebased("consumers", table.consumers),
        exclude=rebased("exclude", table.exclude),
        vendored=rebased("vendored", table.vendored),
        generated=rebased("generated", table.generated),
        api=table.api,
    )


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


def _parse_key(key: str) -> Path:
    """``order[2].name`` -> ``("order", 2, "name")``."""
    parts = re.findall(r"\[(\d+)\]|([^.\[\]]+)", key)
    return tuple(int(index) if index else part for index, part in parts)


def _show_path(path: Path) -> str:
    shown = ""
    for part in path:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            word = part if _BARE_KEY.fullmatch(part) else repr(part)
            shown += f".{word}" if shown else word
    return shown
