"""One contract of import-linter, read by the types of its options, and what every rule made of one has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from layercheck import names
from layercheck.checks import all_checks
from layercheck.errors import LayercheckError
from layercheck.facts import KINDS
from layercheck.migrate.expressions import fault_of, pattern
from layercheck.migrate.model import DraftIgnore, DraftRule, Text
from layercheck.migrate.read import Table, all_comments

_COMMON = {
    "id": "text",
    "name": "text",
    "type": "text",
    "ignore_imports": "imports",
    "unmatched_ignore_imports_alerting": "level",
    "broken_contract_guidance": "guidance",
}
_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "layers": {"layers": "list", "containers": "modules", "exhaustive": "flag", "exhaustive_ignores": "list"},
    "forbidden": {
        "source_modules": "modules",
        "forbidden_modules": "modules",
        "allow_indirect_imports": "flag",
        "as_packages": "flag",
    },
    "independence": {"modules": "modules"},
    "protected": {"protected_modules": "modules", "allowed_importers": "modules", "as_packages": "flag"},
    "acyclic_siblings": {"ancestors": "modules", "depth": "number", "skip_descendants": "modules"},
    "private_modules": {"packages_with_private_modules": "modules"},
}
"""The options of each contract type beside the common ones, and what they hold."""
_REQUIRED = frozenset(
    (
        "layers",
        "source_modules",
        "forbidden_modules",
        "modules",
        "protected_modules",
        "allowed_importers",
        "ancestors",
    )
)


@dataclass(slots=True)
class Reading:
    """One reading of one file: gathers complaints and what is left."""

    path: str
    kinds: tuple[str, ...] = KINDS
    roots: tuple[str, ...] = ()
    external: bool = False
    custom: frozenset[str] = frozenset()
    complaints: list[tuple[int, str]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    names: set[str] = field(default_factory=set)

    def complain(self, line: int, what: str) -> None:
        self.complaints.append((line, f"{self.path}:{line}: {what}"))

    def finish(self) -> None:
        if self.complaints:
            raise LayercheckError(*(sentence for _, sentence in sorted(self.complaints)))


class Contract:
    """One contract, read by the types of its options."""

    def __init__(self, reading: Reading, table: Table) -> None:
        self.reading = reading
        self.table = table
        self.label = f"contract {self.plain('name') or table.name!r}"
        self.type = self.plain("type")

    def plain(self, key: str) -> str:
        option = self.table.options.get(key)
        return option.entries[0].text if option and option.entries else ""

    def complain(self, key: str, what: str, line: int = 0) -> None:
        option = self.table.options.get(key)
        at = line or (option.line if option else self.table.line)
        self.reading.complain(at, f"{self.label}: {key}: {what}")

    def leave(self, what: str, key: str = "") -> None:
        option = self.table.options.get(key)
        line = option.line if option else self.table.line
        self.reading.left.append(f"{self.reading.path}:{line}: {self.label}: {what}")

    def is_fine(self) -> bool:
        """Whether its type is one of the built-in ones and its options are those of the type."""
        before = len(self.reading.complaints)
        for key in ("name", "type"):
            if not (self.plain(key) or self._is_faulty(key)):
                self.complain(key, f"missing; add {key} = ...")
        if self.type in self.reading.custom:
            self.leave(f"{self.type} is a contract type of your own, which no rule can stand for")
            return False
        if self.type and self.type not in _OPTIONS:
            near = names.nearest(self.type, _OPTIONS)
            self.complain(
                "type", f"no contract type is called {self.type!r}" + (f"; did you mean {near!r}?" if near else "")
            )
        elif self.type:
            known = {**_COMMON, **_OPTIONS[self.type]}
            for key in self.table.options:
                if key not in known:
                    near = names.nearest(key, known)
                    self.complain(key, "unknown option" + (f"; did you mean {near!r}?" if near else ""))
            for key in _OPTIONS[self.type]:
                if key in _REQUIRED and key not in self.table.options:
                    self.complain(key, f"missing; a contract of type {self.type} needs it")
            for key, kind in known.items():
                self._check(key, kind)
        return len(self.reading.complaints) == before and not any(map(self._is_faulty, self.table.options))

    def _is_faulty(self, key: str) -> bool:
        option = self.table.options.get(key)
        return option is not None and option.faulty

    def _check(self, key: str, kind: str) -> None:
        option = self.table.options.get(key)
        if option is None or option.faulty:
            return
        if kind in ("flag", "number", "level", "text") and option.several:
            self.complain(key, "expected a single value")
        elif kind == "flag" and self.plain(key).lower() not in ("true", "false"):
            self.complain(key, f"{self.plain(key)!r} is neither true nor false")
        elif kind == "number" and not self.plain(key).isdecimal():
            self.complain(key, f"{self.plain(key)!r} is no whole number")
        elif kind == "level" and self.plain(key) not in ("", "none", "warn", "error"):
            self.complain(key, f"{self.plain(key)!r} is not one of none, warn, error")
        elif kind == "modules":
            for entry in option.entries:
                if fault := fault_of(entry.text):
                    self.complain(key, fault, entry.line)
        elif kind == "imports":
            for entry in option.entries:
                sides = [side.strip() for side in entry.text.partition("->")[::2]]
                faults = [fault_of(side) for side in sides if side] if all(sides) else ["write importer -> imported"]
                if fault := next(filter(None, faults), ""):
                    self.complain(key, f"{entry.text!r}: {fault}", entry.line)

    def entries(self, key: str) -> tuple[Text, ...]:
        """The entries of an option, each once."""
        option = self.table.options.get(key)
        entries = option.entries if option else ()
        return tuple({entry.text: entry for entry in reversed(entries)}.values())[::-1]

    def modules(self, key: str) -> list[Text]:
        """The expressions of an option as patterns, with their comments."""
        return [Text(pattern(entry.text), entry.comments, entry.line) for entry in self.entries(key)]

    def is_external(self, expression: str) -> bool:
        """Whether an expression can only mean what is in no root package."""
        head = names.head(expression)
        return not names.is_pattern(head) and not any(names.is_within(expression, root) for root in self.reading.roots)

    def flag(self, key: str, default: bool) -> bool:
        return self.plain(key).lower() == "true" if key in self.table.options else default

    def number(self, key: str, default: int) -> int:
        return int(self.plain(key)) if key in self.table.options else default

    def rule(self, check: str, options: Mapping[str, Any], carried: Iterable[str], part: str = "") -> DraftRule:
        """The rule, with what all contracts have. ``carried`` are the options whose entries keep their own comments."""
        comments = list(self.table.comments)
        for key, option in self.table.options.items():
            comments += option.comments if key in (*carried, "ignore_imports") else all_comments(option)
        guidance = self.table.options.get("broken_contract_guidance")
        return DraftRule(
            name=self._name(part),
            check=check,
            reason=f"contract {self.table.name} of {self.reading.path}",
            options=options,
            help=" ".join(entry.text for entry in guidance.entries) if guidance else "",
            ignore=tuple(self._ignores()),
            comments=tuple(comments),
        )

    def _name(self, part: str) -> str:
        """The contract's name, with what a rule's name may not hold taken out, and unlike that of any other rule."""
        plain = " ".join(
            "".join(" " if one in ",[]" else one for one in self.plain("name") if one.isprintable()).split()
        )
        base = name = (plain or f"contract {self.table.name}") + part
        if base in all_checks():
            base = name = f"{base} contract"
        number = 1
        while name in self.reading.names:
            number += 1
            name = f"{base} ({number})"
        self.reading.names.add(name)
        return name

    def _ignores(self) -> Iterable[DraftIgnore]:
        optional = self.plain("unmatched_ignore_imports_alerting") in ("none", "warn")
        for entry in self.entries("ignore_imports"):
            importer, _, imported = entry.text.partition("->")
            reason = " ".join(entry.comments) or f"ignore_imports of {self.reading.path}, which gives no reason"
            yield DraftIgnore(pattern(importer.strip()), self._ignored(imported.strip()), reason, optional)

    def _ignored(self, imported: str) -> str:
        """import-linter knows of an external package only that it is imported, not what of it."""
        inside = any(names.is_within(imported, root) for root in self.reading.roots)
        return pattern(imported) if inside or names.is_pattern(names.head(imported)) else names.join(imported, "**")

    def chains(self) -> dict[str, Any]:
        """The keys of a rule that counts direct imports and chains."""
        kinds = list(self.reading.kinds)
        return {"kinds": kinds, "reach": "transitive", "chain_kinds": kinds}
