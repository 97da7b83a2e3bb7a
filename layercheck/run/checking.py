"""The check command: a folder -> its report. Loads what judges only where there is something to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layercheck.finding import Report
from layercheck.run.deep import deeply
from layercheck.run.recall import Made, recalled
from layercheck.run.request import CheckRequest

if TYPE_CHECKING:
    from layercheck.run.survey import Survey
    from layercheck.run.workers import Progress


def check(request: CheckRequest, progress: Progress = lambda done, total: None) -> Report:
    """Apply the rules to a folder.

    Raises LayercheckError where that cannot be done: no such folder, faulty rules, no Python files, unknown names, no
    such revision.
    """

    def afresh(seen: Survey) -> Made:
        from layercheck.run.opened import made_of, open_at, report

        opened = open_at(seen, progress)
        return made_of(opened, report(opened, opened.side, opened.judge(opened.side)))

    return deeply(lambda: recalled(request, afresh))
