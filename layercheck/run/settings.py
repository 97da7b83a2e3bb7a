"""What settings and rules hold, as text for people."""

from __future__ import annotations

from typing import Any

import msgspec

from layercheck.config import Config, Rule, settle
from layercheck.config.spell import spell
from layercheck.run.request import CheckRequest
from layercheck.run.side import look
from layercheck.run.survey import find_config


def show_settings(request: CheckRequest) -> str:
    """What holds for a folder, as ``describe_settings`` says it. Reads the code only where fragments speak of it.

    Raises LayercheckError for what is wrong with the rules files.
    """
    config = find_config(request.root, request.rules)
    if config.fragments:
        side = look(request)
        config = settle(side.config, side.project.package_at)
    return describe_settings(config)


def describe_settings(config: Config) -> str:
    """The settings and the rules of a run, in the spelling of a rules file, each with the place that it comes from.

    Paths and globs read from the root of the run, names as they are in the end.
    """
    lines = [f"# rules file: {config.path or 'none'}"]
    lines += [f"# and {file}" for file in config.files if file != config.path]
    lines += ["", "[project]"]
    for key, value in msgspec.to_builtins(config.project).items():
        if value is not None:
            place = config.places.get(key)
            lines.append(f"{key} = {spell(value)}" + (f"  # {place.path}:{place.line}" if place else ""))
    for rule in config.rules:
        lines += ["", *_rule(rule)]
    return "".join(f"{line}\n" for line in lines)


def _rule(rule: Rule) -> list[str]:
    options: dict[str, Any] = msgspec.to_builtins(rule.options)
    head = [f"[checks.{rule.name}]"] if rule.name == rule.check else ["[[rule]]"]
    if rule.name != rule.check:
        head += _table({"name": rule.name, "check": rule.check})
    head[0] += f"  # {rule.file}:{rule.line}" if rule.declared else "  # not in a rules file"
    texts = {"severity": rule.severity, "reason": rule.reason, "help": rule.help, "docs": rule.docs}
    ignore = [f"{entry.importer} -> {entry.imported}" for entry in rule.ignore]
    return [
        *head,
        *_table({key: value for key, value in texts.items() if value}),
        *_table(options),
        *([f"ignore = {spell(ignore)}"] if ignore else []),
        *(["allow_empty = true"] if rule.allow_empty else []),
    ]


def _table(values: dict[str, Any]) -> list[str]:
    return [f"{key} = {spell(value)}" for key, value in values.items() if value is not None]
