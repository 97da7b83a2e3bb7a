"""Fragments: rules that lie beside the code they speak of. A name in one that begins with a dot is relative to the
package that the fragment lies in, as in an import; ``within`` is that package unless it is said. In keys whose names
are relative to ``within`` it must lie in that. Reads no files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from layercheck.checks import Check, Relative, all_checks
from layercheck.config.convert import convert, keys_of
from layercheck.config.covering import know_layers
from layercheck.config.model import Config, IgnoreEntry, Rule
from layercheck.config.tables import RuleKeys
from layercheck.errors import LayercheckError
from layercheck.names import is_within, join, relative, resolve_relative

ANYWHERE = "fragment"
"""Stands for the package of a fragment while only its text is known."""

See = Callable[[str], str]
"""A name as a fragment spells it -> the absolute one."""


def as_written(name: str) -> str:
    """The name itself, as everywhere but in a fragment."""
    return name


def seen_from(package: str) -> See:
    """How names look from a package: ``.a`` is what ``from .a import x`` in its ``__init__.py`` means.

    What is returned raises LookupError, with a sentence, for a name that climbs past the top.
    """

    def see(name: str) -> str:
        rest = name.lstrip(".")
        if rest == name:
            return name
        level = len(name) - len(rest)
        # A fragment in a root lies in no package: what is beside it are top-level modules.
        found = join(package, rest) if level == 1 else resolve_relative(rest, level, package)
        if found is None:
            raise LookupError(f"{name} climbs past the top package")
        return found

    return see


def seen_from_anywhere(name: str) -> str:
    """A name as it may come to be, to judge a text by while the package is not known."""
    rest = name.lstrip(".")
    return name if rest == name else f"{ANYWHERE}.{rest}".rstrip(".")


def options_seen(table: Mapping[str, Any], check: Check, see: See) -> dict[str, Any]:
    """The options of a rule as they read elsewhere, and ``within`` where it is not said and the check has it.

    Raises LookupError, with a sentence, for a name that means nothing there.
    """
    own = keys_of(check.options)
    shared = keys_of(RuleKeys)
    within = table.get("within", ".")
    near = _seen_within(see, see(within) if isinstance(within, str) else "")
    seen = {
        key: _seen(value, key, see, near, check.options.relative) if key in own and key not in shared else value
        for key, value in table.items()
    }
    if "within" not in own or "within" in table:
        return seen
    widened = {**seen, "within": see(".")}
    refused: list[str] = []
    # A check whose names are all absolute has the key for the sake of others, and refuses it.
    convert(widened, check.options, lambda key, what: refused.append(key))
    return seen if "within" in refused else widened


def is_local(table: Mapping[str, Any], check: Check) -> bool:
    """Whether a rule speaks of the fragment's own package: by ``within``, or by a relative name."""
    if "within" in options_seen(table, check, seen_from_anywhere):
        return True
    return any(
        text.startswith(".") for key, value in table.items() if key in keys_of(check.options) for text in _texts(value)
    )


def _seen_within(see: See, package: str) -> See:
    """How names look in a key that is relative to a package."""

    def near(name: str) -> str:
        if not name.startswith("."):
            return name
        full = see(name)
        if is_within(full, package):
            return relative(full, package)
        if see is seen_from_anywhere:
            return name.lstrip(".")  # whether it lies there is not known yet
        raise LookupError(f"{name} is {full}, and here only names below {package} can stand")

    return near


def _seen(value: Any, key: str, see: See, near: See, spots: Relative) -> Any:
    """What stands at a key, as it reads elsewhere; names that are relative to ``within`` are seen by ``near``."""
    if key in spots.texts:
        see = near
    if isinstance(value, str):
        return see(value)
    if isinstance(value, list):
        return [_seen(one, key, see, near, spots) for one in value]
    if isinstance(value, dict) and key in spots.owners:
        inner = {name: _seen_within(near, near(name)) if key in spots.listed else see for name in value}
        return {near(name): _seen(one, "", inner[name], near, spots) for name, one in value.items()}
    if isinstance(value, dict):
        return {name: _seen(one, f"{key}.{name}", see, near, spots) for name, one in value.items()}
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from _texts(one)


def settle(config: Config, package_at: Callable[[str], str | None]) -> Config:
    """The rules of fragments, with absolute names; rules are told what they must know of each other. ``package_at``
    tells the package that a folder is, None for none.

    A fragment that lies in no package has no rules; ``homeless`` says so, unless it lies outside what is read.

    Raises LayercheckError, with one line for each, for names that the package makes wrong.
    """
    complaints: list[str] = []
    rules: list[Rule] = []
    homeless: dict[str, int] = {}
    for rule in config.rules:
        fragment = config.fragments.get(rule.name)
        if fragment is None:
            rules.append(rule)
            continue
        package = package_at(fragment.folder)
        if package is None and not fragment.folder.startswith(".."):
            homeless.setdefault(rule.file, rule.line)
        elif package is not None:
            rules.append(_settled(rule, fragment.table, seen_from(package), complaints))
    if complaints:
        raise LayercheckError(*complaints)
    return replace(config, rules=know_layers(rules), fragments={}, homeless=homeless)


def _settled(rule: Rule, table: Mapping[str, Any], see: See, complaints: list[str]) -> Rule:
    check = all_checks()[rule.check]

    def complain(key: str, what: str) -> None:
        complaints.append(f"{rule.file}:{rule.line_of(key)}: rule {rule.name}: {key + ': ' if key else ''}{what}")

    try:
        options = convert(options_seen(table, check, see), check.options, complain)
        ignore = tuple(_ignore_seen(entry, see) for entry in rule.ignore)
    except LookupError as error:
        complain("", error.args[0])
        return rule
    return rule if options is None else replace(rule, options=options, ignore=ignore)


def _ignore_seen(entry: IgnoreEntry, see: See) -> IgnoreEntry:
    return replace(entry, importer=see(entry.importer), imported=see(entry.imported))
