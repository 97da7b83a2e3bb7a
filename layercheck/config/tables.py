"""The tables of a rules file, as types: a field is a TOML key. docs/rules.md says what each means."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from layercheck.config.model import RuleSeverity


class FileTable(msgspec.Struct, frozen=True, kw_only=True):
    """The keys at the top of a rules file that are no tables: what other files belong to it."""

    extends: tuple[str, ...] = ()
    include: tuple[str, ...] = ()


class ProjectTable(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of ``[project]``."""

    roots: tuple[str, ...] | None = None
    packages: tuple[str, ...] | None = None
    consumers: tuple[str, ...] | None = None
    api: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    vendored: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()


class IgnoreTable(msgspec.Struct, frozen=True, kw_only=True, rename={"import_": "import"}):
    """The keys of one ``ignore`` entry."""

    import_: str
    reason: str
    max: int | None = None
    until: date | None = None
    optional: bool = False


class CheckKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that a table in ``[checks]`` has beside the check's own."""

    severity: RuleSeverity | None = None
    reason: str = ""
    help: str = ""
    docs: str = ""
    ignore: tuple[dict[str, Any], ...] = ()
    allow_empty: bool = False


class RuleKeys(CheckKeys, frozen=True, kw_only=True):
    """The keys that every ``[[rule]]`` has beside the check's own."""

    name: str
    check: str
    reason: str
