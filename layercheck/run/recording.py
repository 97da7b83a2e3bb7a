"""The baseline commands: a folder and a file of known findings -> the text that it should have. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from layercheck.baseline import Baseline, parse, render, updated
from layercheck.config import relative_path
from layercheck.errors import LayercheckError
from layercheck.opening import MAX_BASELINE, read_named
from layercheck.run.known import unread_since
from layercheck.run.request import CheckRequest
from layercheck.run.side import Side, look
from layercheck.run.workers import Progress


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a baseline should hold, and how that differs from what it holds."""

    text: str
    entries: int
    new: int
    gone: int


def read_baseline(path: Path, root: Path) -> Baseline:
    """The baseline in a file. Raises LayercheckError where there is none, or it is faulty."""
    shown = relative_path(path.absolute(), root)
    try:
        content = read_named(path, MAX_BASELINE)
    except FileNotFoundError:
        raise LayercheckError(f"--baseline: there is no file {path}; make it with layercheck baseline write") from None
    except (OSError, ValueError) as error:
        raise LayercheckError(
            f"--baseline: {path} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    return parse(content.decode("utf-8-sig", "replace"), shown)


def write_baseline(request: CheckRequest, path: Path, progress: Progress = lambda done, total: None) -> Recorded:
    """All of today's findings; the reasons of those that the file knows already are kept.

    Raises LayercheckError as ``check`` does, for a file that is there and no baseline, and where code cannot be read
    that could be when it was written.
    """
    side = _look(request, progress)
    baseline = read_baseline(path, side.root) if path.exists() else Baseline(path.name, ())
    before, found = baseline.entries, side.judge().findings
    unread = unread_since(baseline, side.project, side.config.rules, found) if before else ()
    if unread:
        raise LayercheckError(
            f"{unread[0]}: cannot be read, so what the baseline knows of it would be lost; mend the file first, "
            f"or move {path} away"
        )
    entries = updated(before, found)
    known = {entry.fingerprint for entry in before}
    kept = sum(entry.fingerprint in known for entry in entries)
    return Recorded(render(entries), len(entries), len(entries) - kept, len(before) - kept)


def prune_baseline(request: CheckRequest, path: Path, progress: Progress = lambda done, total: None) -> Recorded:
    """What the file knows, less what is no longer true.

    Raises LayercheckError as ``check`` does, and for a file that is no baseline.
    """
    side = _look(request, progress)
    baseline = read_baseline(path, side.root)
    gone = side.judge(baseline).gone
    left = [entry for entry in baseline.entries if entry not in gone]
    return Recorded(render(left), len(left), 0, len(gone))


def _look(request: CheckRequest, progress: Progress) -> Side:
    side = look(request, progress)
    side.cache.save(whole=True)
    return side
