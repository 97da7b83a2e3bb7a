"""The text of one rules file -> what it says, with every fault of it. Pure; knows nothing of the files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from layercheck.checks import Check, Options, all_checks, key_path
from layercheck.config.convert import Complain, convert, keys_of, unknown_keys
from layercheck.config.document import read_document
from layercheck.config.fragments import See, as_written, is_local, options_seen, seen_from_anywhere
from layercheck.config.model import IgnoreEntry, Rule
from layercheck.config.places import Path, line_of, parse_key
from layercheck.config.tables import CheckKeys, FileTable, IgnoreTable, ProjectTable, RuleKeys
from layercheck.names import is_name_or_pattern, nearest, split

_TABLES = ("project", "checks", "rule")

_K = TypeVar("_K", bound=CheckKeys)


@dataclass(frozen=True, slots=True)
class Part:
    """What one rules file says."""

    path: str
    """As messages call it."""
    folder: str
    """Where it lies, and to what its paths are relative: POSIX."""
    fragment: bool
    files: FileTable
    project: Mapping[str, Any]
    """The keys of ``[project]`` that it has, with their values."""
    checks: Mapping[str, Rule]
    """The rules that ``[checks]`` declares, by name of their check."""
    rules: tuple[Rule, ...]
    tables: tuple[Mapping[str, Any], ...]
    """Each of the rules, as written."""
    lines: Mapping[str, int]
    """The line of each key, by key path."""
    complaints: tuple[tuple[int, str], ...]
    """What is wrong with the text: line, and a sentence that begins with the place."""


def read_part(text: str, path: str, *, table: tuple[str, ...] = (), folder: str = "", fragment: bool = False) -> Part:
    """What one text says. ``table`` is where in it the settings are."""
    reader = _Reader(text, path, table, fragment)
    reader.check_shape()
    files, project, checks = reader.files(), reader.project(), reader.checks()
    rules, tables = reader.rules()
    return Part(
        path, folder, fragment, files, project, checks, tuple(rules), tuple(tables), reader.lines(), reader.complaints()
    )


def _is_name(text: str) -> bool:
    """Whether a text can be a rule's name: on the command line and in brackets names are listed with commas."""
    return bool(text.strip()) and not any(character in text for character in ",[]") and text.isprintable()


def _is_blank(value: object) -> bool:
    """Whether a text is there that says nothing."""
    return isinstance(value, str) and not value.strip()


class _Reader:
    """One reading of one text: gathers rules and complaints."""

    def __init__(self, text: str, path: str, table: tuple[str, ...], fragment: bool) -> None:
        self._path = path
        self._table = table
        self._fragment = fragment
        self._see: See = seen_from_anywhere if fragment else as_written
        self._complaints: list[tuple[int, str]] = []
        self._places: Mapping[Path, int] = {}
        self._valid = False
        self.data: dict[str, Any] = {}
        document = read_document(text, path, "a rules file")
        if document.fault is not None:
            self._complaints.append(document.fault)
            return
        self._places = document.places
        data: Any = document.data
        for key in table:
            data = data.get(key) if isinstance(data, dict) else None
        if isinstance(data, dict):
            self._valid = True
            self.data = data
        else:
            self._complain((), "", f"expected a table [{'.'.join(table)}]")

    def _complain(self, at: Path, key: str, what: str) -> None:
        path: Path = (*self._table, *at, *parse_key(key))
        line = line_of(self._places, path)
        shown = self._shown(path[len(self._table) :])
        self._complaints.append((line, f"{self._path}:{line}: {shown + ': ' if shown else ''}{what}"))

    def _shown(self, path: Path) -> str:
        """A key path for people, who know a rule by its name."""
        if len(path) > 1 and path[0] == "rule" and isinstance(path[1], int):
            name = self.data["rule"][path[1]].get("name")
            if isinstance(name, str) and _is_name(name):
                return ", ".join(one for one in (f"rule {name}", key_path(*path[2:])) if one)
        return key_path(*path)

    def _at(self, *at: str | int) -> Complain:
        return lambda key, what: self._complain(at, key, what)

    def _line(self, *at: str | int) -> int:
        return line_of(self._places, (*self._table, *at))

    def _lines(self, *at: str | int) -> dict[str, int]:
        """The lines of the keys below a path, by their key path from there."""
        prefix = (*self._table, *at)
        depth = len(prefix)
        return {
            key_path(*path[depth:]): line
            for path, line in self._places.items()
            if path[:depth] == prefix and len(path) > depth
        }

    def complaints(self) -> tuple[tuple[int, str], ...]:
        """All complaints, in the order of the text."""
        return tuple(sorted(self._complaints))

    def check_shape(self) -> None:
        """Complain of unknown tables, and of a file that declares nothing."""
        if not self._valid:
            return
        known = ("rule",) if self._fragment else (*keys_of(FileTable), *_TABLES)
        misplaced = [key for key in self.data if self._fragment and key in (*keys_of(FileTable), *_TABLES[:-1])]
        for key in misplaced:
            self._complain((), key, "only [[rule]] may stand in a file that another one includes; write it there")
        if not self._table and isinstance(self.data.get("tool"), dict) and "layercheck" in self.data["tool"]:
            misplaced.append("tool")
            self._complain((), "tool", "[tool.layercheck] belongs in pyproject.toml; here write [checks], [[rule]] ...")
        unknown_keys({key: self.data[key] for key in self.data if key not in misplaced}, known, self._at())
        if not any(self.data.values()):
            self._complain((), "", "declares nothing; write [project], [checks] or [[rule]], or remove the file")

    def files(self) -> FileTable:
        """Which other files belong to this one."""
        return convert({} if self._fragment else self.data, FileTable, self._at()) or FileTable()

    def project(self) -> dict[str, Any]:
        """The keys of ``[project]`` that are there and fine."""
        table = self.data.get("project", {})
        if self._fragment:
            return {}
        if not isinstance(table, dict):
            self._complain(("project",), "", "expected a table; write [project]")
            return {}
        unknown_keys(table, keys_of(ProjectTable), self._at("project"))
        for key in ("roots", "packages"):
            if table.get(key) == []:
                self._complain(("project",), key, "empty; leave it out to have them found")
        for key in ("packages", "api"):
            listed = table.get(key)
            for index, text in enumerate(listed if isinstance(listed, list) else []):
                if isinstance(text, str) and not is_name_or_pattern(text):
                    self._complain(("project",), f"{key}[{index}]", f"{text!r} is neither a name nor a pattern")
        settings = convert(table, ProjectTable, self._at("project"))
        if settings is None:
            return {}
        return {key: getattr(settings, key) for key in keys_of(ProjectTable) if key in table}

    def lines(self) -> dict[str, int]:
        """The line of each key, by key path."""
        return self._lines()

    def checks(self) -> dict[str, Rule]:
        """The rules that ``[checks]`` declares, by name of their check."""
        found: dict[str, Rule] = {}
        table = {} if self._fragment else self.data.get("checks", {})
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
            keys, ignore = self._keys(settings, CheckKeys, check, at)
            options = convert(settings, check.options, self._at(*at))
            if _is_blank(settings.get("reason")):
                self._complain(at, "reason", "empty; say why, or leave it out")
            if keys is not None and options is not None:
                found[name] = self._rule(name, name, check, keys, options, ignore, at)
        return found

    def rules(self) -> tuple[list[Rule], list[dict[str, Any]]]:
        """The rules that ``[[rule]]`` declares, in the order of the text, and how each is written."""
        tables = self.data.get("rule", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._complain(("rule",), "", "expected a list of tables; write [[rule]]")
            return [], []
        found: list[Rule] = []
        written: list[dict[str, Any]] = []
        names: dict[str, int] = {}
        for index, table in enumerate(tables):
            at: Path = ("rule", index)
            check = None
            if isinstance(table.get("check"), str):
                check = self._check(table["check"], (*at, "check"))
            keys, ignore = self._keys(table, RuleKeys, check, at)
            options = self._options(table, check, at) if check else None
            self._check_name(table, at, names)
            if _is_blank(table.get("reason")):
                self._complain(at, "reason", "empty; say why the rule is there")
            if keys is not None and check is not None and options is not None:
                found.append(self._rule(keys.name, keys.check, check, keys, options, ignore, at))
                written.append(table)
        return found, written

    def _options(self, table: Mapping[str, Any], check: Check, at: Path) -> Options | None:
        if not self._fragment:
            return convert(table, check.options, self._at(*at))
        if not is_local(table, check):
            self._complain(
                at,
                "",
                f"{table['check']} looks beyond the package of this file: name what is in it with a leading dot, "
                "or write the rule in the file that includes this one",
            )
        return convert(options_seen(table, check, self._see), check.options, self._at(*at))

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
        if not _is_name(name):
            self._complain(at, "name", f"{name!r} cannot be a name; use letters, digits and hyphens")
        elif name in names:
            self._complain(at, "name", f"{name!r} is already the name of the rule on line {names[name]}")
        elif name in all_checks() and (name != table.get("check") or all_checks()[name].undeclared is not None):
            self._complain(at, "name", f"{name!r} is the name of a check; give the rule a name of its own")
        names.setdefault(name, line)

    def _keys(
        self, table: Mapping[str, Any], keys: type[_K], check: Check | None, at: Path
    ) -> tuple[_K | None, tuple[IgnoreEntry, ...]]:
        """The keys that are not the check's own, and the ignore entries, which are read even where a key is wrong."""
        if check is not None:
            unknown_keys(table, {**keys_of(keys), **keys_of(check.options)}, self._at(*at))
        else:
            # Of which check the others are cannot be known: only what none has is surely wrong.
            options = {key for one in all_checks().values() for key in keys_of(one.options)}
            unknown_keys({key: table[key] for key in table if key not in options}, keys_of(keys), self._at(*at))
        entries = table.get("ignore")
        return convert(table, keys, self._at(*at)), self._ignore(entries if isinstance(entries, list) else [], at)

    def _rule(
        self,
        name: str,
        kind: str,
        check: Check,
        keys: CheckKeys,
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
            file=self._path,
            line=self._line(*at),
            lines=self._lines(*at),
        )

    def _can_be_imported(self, side: str) -> bool:
        """Whether one side of an import may be a module, in any spelling that an import can have, or a file that only
        uses the project."""
        name = side.lstrip(".") if self._fragment else side
        is_spelled = all(split(name)) and not any(one.isspace() for one in name)
        return is_spelled or "/" in side or side.endswith((".py", ".pyw"))

    def _ignore(self, tables: list[Any], at: Path) -> tuple[IgnoreEntry, ...]:
        found: list[IgnoreEntry] = []
        for index, table in enumerate(tables):
            if not isinstance(table, dict):
                continue
            here: Path = (*at, "ignore", index)
            unknown_keys(table, keys_of(IgnoreTable), self._at(*here))
            entry = convert(table, IgnoreTable, self._at(*here))
            if _is_blank(table.get("reason")):
                self._complain(here, "reason", "empty; say why the import may stay")
            if isinstance(table.get("max"), int) and table["max"] < 1:
                self._complain(here, "max", "must be 1 or more; remove the entry to ignore nothing")
            if entry is None:
                continue
            sides = [side.strip() for side in entry.import_.split("->")]
            if len(sides) != 2 or not all(sides):
                self._complain(here, "import", f'{entry.import_!r} is no import; write "importer -> imported"')
                continue
            for side in sides:
                if not self._can_be_imported(side):
                    self._complain(here, "import", f"{side!r} is neither a name, a pattern nor the path of a file")
            if any((one.importer, one.imported) == (sides[0], sides[1]) for one in found):
                self._complain(here, "import", f"{sides[0]} -> {sides[1]} is ignored twice; take one of them out")
            line = self._line(*here)
            found.append(IgnoreEntry(sides[0], sides[1], entry.reason, entry.max, entry.until, line, entry.optional))
        return tuple(found)
