"""One function for each command: data in, data out. Prints nothing."""

from layercheck.run.check import CheckRequest, check, find_config
from layercheck.run.gather import Gathered, gather
from layercheck.run.judge import Judgement, Selection, judge
from layercheck.run.settings import describe_settings

__all__ = [
    "CheckRequest",
    "Gathered",
    "Judgement",
    "Selection",
    "check",
    "describe_settings",
    "find_config",
    "gather",
    "judge",
]
