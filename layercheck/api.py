"""What Python code may ask of layercheck. Arguments in, a report out: prints nothing and ends no process.

``layercheck`` itself hands it on; whoever imports that loads this module only when it takes ``check``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from layercheck import run
from layercheck.errors import LayercheckError
from layercheck.finding import Report

__all__ = ["check"]

_one_at_a_time = threading.Lock()
"""Reading code quietens Python's warnings meanwhile, and that is one setting for all threads: two that did so at once
could leave it behind (Python documentation, ``warnings.catch_warnings``)."""


def check(
    root: str | os.PathLike[str] = ".",
    rules: str | os.PathLike[str] | None = None,
    *,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    packages: str | Iterable[str] = (),
    baseline: str | os.PathLike[str] | None = None,
    since: str | None = None,
    jobs: int | None = 1,
    cache: bool = True,
) -> Report:
    """Apply the rules to the code below a folder, as ``layercheck check`` does.

    ``rules``: the rules file; else it is looked for from ``root`` upwards. ``select``, ``ignore``: the only checks or
    rules to run, and those not to run. ``packages``: the only ones whose findings are told. ``baseline``: a file of
    findings that are known. ``since``: a git revision; what was there before is not told. ``jobs``: how many processes
    read files; None is as many as there are processors. ``cache``: whether facts are kept between runs.

    Raises LayercheckError where it cannot be done: no such folder, faulty rules, no Python files, unknown names, no
    such revision.
    """
    if jobs is not None and jobs < 1:
        raise LayercheckError(f"jobs: {jobs} is no number of processes; give 1 or more, or None for all processors")
    request = run.CheckRequest(
        root=Path(root),
        rules=None if rules is None else Path(rules),
        selection=run.Selection(_names(select), _names(ignore), _names(packages)),
        jobs=jobs,
        cache=cache,
        baseline=None if baseline is None else Path(baseline),
        since=since,
    )
    with _one_at_a_time:
        return run.check(request)


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several: a text is not taken for the letters in it."""
    return (names,) if isinstance(names, str) else tuple(names)
