"""For teams that keep their architecture tests in pytest or unittest: a folder is clean, or an assertion fails."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

from layercheck.api import check
from layercheck.errors import LayercheckError
from layercheck.finding import Report
from layercheck.report import renderer

__all__ = ["assert_clean"]


def assert_clean(
    root: str | os.PathLike[str] = ".",
    rules: str | os.PathLike[str] | None = None,
    *,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    packages: str | Iterable[str] = (),
    baseline: str | os.PathLike[str] | None = None,
    since: str | None = None,
    fail_on: Literal["error", "warning"] = "error",
    jobs: int | None = 1,
    cache: bool = True,
) -> Report:
    """Demand that the rules find nothing wrong in the code below a folder; the report of a run that passes.

    ``fail_on``: the least severity that fails. The other arguments are those of ``layercheck.check``.

    Raises AssertionError with the report as text where there are findings, and LayercheckError where the check cannot
    be done.
    """
    __tracebackhide__ = True  # pytest shows the line of the test that called, and the report
    if fail_on not in ("error", "warning"):
        raise LayercheckError(f"fail_on: {fail_on!r} is no severity; give 'error' or 'warning'")
    try:
        report = check(
            root,
            rules,
            select=select,
            ignore=ignore,
            packages=packages,
            baseline=baseline,
            since=since,
            jobs=jobs,
            cache=cache,
        )
    except LayercheckError as error:
        raise LayercheckError(*error.lines) from None  # where in layercheck it was found is no business of the reader
    if report.status == "findings" or (report.status == "warnings" and fail_on == "warning"):
        raise AssertionError(f"layercheck of {report.root}\n\n{renderer('text')(report)}")
    return report
