"""One function for each command: data in, data out. Prints nothing."""

from layercheck.run.checking import CheckRequest, check, find_config
from layercheck.run.judgement import Judgement, Selection, judge
from layercheck.run.settings import describe_settings
from layercheck.run.workers import Gathered, gather

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
