"""One function for each command: data in, data out. Prints nothing."""

from layercheck.run.checking import CheckRequest, check, find_config
from layercheck.run.judgement import Selection
from layercheck.run.settings import describe_settings

__all__ = ["CheckRequest", "Selection", "check", "describe_settings", "find_config"]
