"""rules-file: what is wrong with the rules, and with ignores in the code, only against this code.

Its problems are found while the other rules run, so its own ``find`` has nothing to add; this module says how they
look.
"""

from __future__ import annotations

from collections.abc import Iterator

from layercheck.checks import Check, Coverage, Options, Undeclared, everything
from layercheck.finding import Location, Problem
from layercheck.project import Project

NAME = "rules-file"


class RulesFileOptions(Options, frozen=True, kw_only=True):
    """It has none."""


def problem(location: Location, message: str, mend: str, *key: str) -> Problem:
    """A fault of the rules at a place in the rules file or at an in-line ignore.

    ``mend`` says what to do; ``key`` tells it from other faults in the same file, whatever its line is.
    """
    return Problem(message=message, help=mend, location=location, key=(location.path, *key))


def find(project: Project, options: RulesFileOptions) -> Iterator[Problem]:
    """Nothing: see above."""
    yield from ()


def coverage(project: Project, options: RulesFileOptions) -> Coverage:
    """It looks at the rules, whose number only the run knows, and through them at everything."""
    whole = everything(project, options)
    return Coverage(whole.modules, whole.imports, noun="the rules and the ignores")


CHECK = Check(
    summary="Rules that do not fit this code, and ignores that are not used",
    options=RulesFileOptions,
    find=find,
    coverage=coverage,
    undeclared=Undeclared("error"),
)
