"""One function for each command: data in, data out. Prints nothing.

Only what a check needs is handed on here; whoever needs another command takes it from its own module, so that no run
loads what it does not use.
"""

from layercheck.run.checking import check
from layercheck.run.request import CheckRequest, Selection

__all__ = ["CheckRequest", "Selection", "check"]
