"""What rules must know of each other: the layers of all rules, for checks that judge what no layer takes in. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from layercheck.checks import all_checks
from layercheck.config.model import Rule


def know_layers(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, with the layers of those that are not off told to those whose check asks for them.

    So a check stays a function of its own options, and none needs to know another.
    """
    layers: dict[str, None] = {}
    for rule in rules:
        placing = all_checks()[rule.check].layers_of
        if placing is not None and rule.severity != "off":
            layers.update(dict.fromkeys(placing(rule.options)))
    return tuple(_told(rule, tuple(layers)) for rule in rules)


def _told(rule: Rule, layers: tuple[str, ...]) -> Rule:
    tell = all_checks()[rule.check].with_layers
    return rule if tell is None else replace(rule, options=tell(rule.options, layers))
