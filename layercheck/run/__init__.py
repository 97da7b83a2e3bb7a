"""One function for each command: data in, data out. Prints nothing."""

from layercheck.run.checking import check
from layercheck.run.fixing import Proposal, fix, propose
from layercheck.run.judgement import Selection
from layercheck.run.migrating import migrate
from layercheck.run.moves import MovesRequest, verify_moves
from layercheck.run.recording import Recorded, prune_baseline, write_baseline
from layercheck.run.settings import show_settings
from layercheck.run.side import CheckRequest
from layercheck.run.starting import start

__all__ = [
    "CheckRequest",
    "MovesRequest",
    "Proposal",
    "Recorded",
    "Selection",
    "check",
    "fix",
    "migrate",
    "propose",
    "prune_baseline",
    "show_settings",
    "start",
    "verify_moves",
    "write_baseline",
]
