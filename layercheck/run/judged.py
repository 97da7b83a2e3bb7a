"""A folder judged, or what was said of it recalled; and asked about again, with what was read of it still in memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from layercheck.finding import Report
from layercheck.run.opened import Opened, made_of, open_at, report
from layercheck.run.recall import Made, recalled
from layercheck.run.request import CheckRequest
from layercheck.run.side import Side
from layercheck.run.survey import Survey, survey
from layercheck.run.workers import Progress


@dataclass(frozen=True, slots=True)
class Judged:
    """A folder and its report."""

    seen: Survey
    report: Report
    opened: Opened | None = None
    """The folder, read; None where the report was recalled."""
    earlier: Side | None = None
    """How it was when it was last read."""

    def open(self, progress: Progress = lambda done, total: None) -> Opened:
        """The folder, read; raises as ``check`` does."""
        return self.opened or open_at(self.seen, progress, self.earlier)


def judge_again(
    request: CheckRequest, progress: Progress = lambda done, total: None, before: Judged | None = None
) -> Judged:
    """Apply the rules to a folder; what has not changed since ``before`` is not read again.

    Raises LayercheckError as ``check`` does.
    """
    _forget()
    return judge_survey(survey(request), progress, before.earlier if before else None)


def _forget() -> None:
    """Let go of projects that are gone: what checks worked out of the last few is kept beside their functions, which is
    for a run that ends, and not for one of which many follow."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith(("layercheck.checks.", "layercheck.project.")):
            for value in tuple(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()


def judge_survey(seen: Survey, progress: Progress, earlier: Side | None = None) -> Judged:
    """Judge what a survey saw, or recall what was said of it; ``earlier`` as in ``open_at``.

    Raises LayercheckError as ``check`` does.
    """
    opened: list[Opened] = []

    def afresh(seen: Survey) -> Made:
        one = open_at(seen, progress, earlier)
        opened.append(one)
        return made_of(one, report(one, one.side, one.judge(one.side)))

    said = recalled(seen.request, afresh, seen=seen)
    return Judged(seen, said, opened[0], opened[0].side) if opened else Judged(seen, said, None, earlier)
