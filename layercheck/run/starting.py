"""The init command: a folder without rules -> the text of a first rules file. Writes nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from layercheck.config import read_config
from layercheck.run.judgement import judge
from layercheck.run.request import CheckRequest
from layercheck.run.side import Side, look
from layercheck.run.survey import RULES, demand_no_rules
from layercheck.run.workers import Progress
from layercheck.starter import propose, render


@dataclass(frozen=True, slots=True)
class Started:
    """A first rules file, and what it says in numbers."""

    text: str
    rules: int
    layers: int
    against: int
    """How many import sites go against the layers."""


def start(request: CheckRequest, progress: Progress = lambda done, total: None) -> Started:
    """Propose rules that the code below a folder keeps today.

    Raises LayercheckError where rules hold there already, or as ``check`` does.
    """
    demand_no_rules(request.root)
    side = look(request, progress)
    side.cache.save(whole=True)
    proposed = propose(side.project)
    strict = render(proposed, {})
    return Started(
        render(proposed, _errors(side, strict)),
        len(proposed),
        sum(len(layers.order) for layers in proposed),
        sum(one.sites for layers in proposed for one in layers.against),
    )


def _errors(side: Side, text: str) -> Counter[str]:
    """How many errors each check gives where a text holds the rules."""
    root = side.root.as_posix()
    config = read_config(text, RULES, folder=root, root=root)
    found = judge(side.project, config, side.today, foreign=side.foreign)
    return Counter(one.check for one in found.findings if one.severity == "error")
