"""What earlier runs said, kept with all that it depended on: a folder in which nothing has changed is not judged again.

Like the cache of facts it never changes what a run says: in doubt it knows nothing. What a report depends on is all
that a ``Survey`` holds, the content of the code files, the baseline, and layercheck itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from layercheck import kept
from layercheck.cache import digest
from layercheck.facts import Seen
from layercheck.finding import Report
from layercheck.run.survey import Survey
from layercheck.source import read_file, stamp_of

_FILE = "reports.msgpack"
_MOST = 8
"""How many reports are kept of a folder: one for each way in which somebody runs it."""


@dataclass(frozen=True, slots=True)
class Made:
    """A report that was made, and from what."""

    report: Report
    seen: Mapping[str, Seen]
    """Of each code file, the content that it had."""
    whole: bool
    """Whether nothing else went into it: no file that could not be read, no fault of the cache."""


class _Answer(msgspec.Struct, frozen=True, array_like=True):
    """One report that is kept."""

    seen: dict[str, Seen]
    report: Report
    state: tuple[str, ...]


_encoder = msgspec.msgpack.Encoder()
_answers_decoder = msgspec.msgpack.Decoder(list[tuple[bytes, msgspec.Raw]])
_answer_decoder = msgspec.msgpack.Decoder(_Answer)


def recalled(
    seen: Survey,
    afresh: Callable[[], Made],
    asked: str = "",
    state: Callable[[Iterable[str]], tuple[str, ...]] = lambda paths: (),
) -> Report:
    """The report of an earlier run where all that it depends on is as it was, else the one that ``afresh`` makes.

    ``asked``: what was asked beside the request. ``state``: what the report depends on beside the content of
    the code files, whose paths it is given.

    Raises what ``afresh`` does.
    """
    start = time.perf_counter()
    request = seen.request
    folder = kept.default_folder(seen.root, os.environ) if request.cache and request.since is None else None
    key = b"" if folder is None else _key(seen, asked)
    if folder is None or not key:
        return afresh().report
    answers = _load(folder)
    answer = _decoded(answers.pop(key, None))
    now = None if answer is None else _unchanged(seen.root, answer.seen)
    if answer is not None and now is not None and state(answer.seen) == answer.state:
        if now != answer.seen:
            _save(folder, answers, key, _Answer(now, answer.report, answer.state))
        stats = msgspec.structs.replace(
            answer.report.stats, seconds=round(time.perf_counter() - start, 3), cached=len(now)
        )
        return msgspec.structs.replace(answer.report, stats=stats)
    made = afresh()
    if made.whole:
        _save(folder, answers, key, _Answer(dict(made.seen), made.report, state(made.seen)))
    return made.report


def _key(seen: Survey, asked: str) -> bytes:
    """A digest of all that a report depends on beside the code files; empty where that cannot be told."""
    request = seen.request
    try:
        known = None if request.baseline is None else (str(request.baseline), request.baseline.read_bytes())
        parts = (_code(), asked, request.selection, str(request.rules), known, seen.root.as_posix(), seen.config)
        text = msgspec.msgpack.encode((*parts, seen.listing, seen.foreign, seen.today), enc_hook=_plain)
    except (OSError, TypeError, ValueError):
        return b""
    return hashlib.blake2b(text, digest_size=16).digest()


def _plain(value: object) -> object:
    """What tells one value from another, of a kind that msgspec does not know."""
    if isinstance(value, re.Pattern):
        return (value.pattern, value.flags)
    raise TypeError(type(value))


def _code() -> str:
    """The state of layercheck: of what it is made, as far as the file system tells."""
    parts = []
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        status = path.stat()
        parts.append(repr((path.as_posix(), status.st_size, status.st_mtime_ns, status.st_ctime_ns)).encode())
    return kept.made_by(parts)


def _load(folder: Path) -> dict[bytes, msgspec.Raw]:
    """The reports that are kept, still encoded, the oldest first; none where there are none to be trusted."""
    try:
        payload = kept.read(folder, _FILE)
        return {} if payload is None else dict(_answers_decoder.decode(payload))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}


def _decoded(raw: msgspec.Raw | None) -> _Answer | None:
    try:
        return None if raw is None else _answer_decoder.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _unchanged(root: Path, before: Mapping[str, Seen]) -> dict[str, Seen] | None:
    """The files as they are now, if all of them hold what they held; else None."""
    now: dict[str, Seen] = {}
    prefix = f"{root}{os.sep}"
    for path, seen in before.items():
        try:
            stamp = stamp_of(Path(prefix + path).stat()) if seen.stamp else ()
        except (OSError, ValueError):
            return None
        if not stamp or stamp != seen.stamp:
            file = read_file(root, path)
            if file.content is None or digest(file.content) != seen.digest:
                return None
            seen = Seen(seen.digest, file.stamp)
        now[path] = seen
    return now


def _save(folder: Path, answers: Mapping[bytes, msgspec.Raw], key: bytes, answer: _Answer) -> None:
    """Keep a report beside the newest of the others. What cannot be kept is not."""
    others = list(answers.items())[-(_MOST - 1) :]
    try:
        kept.write(folder, _FILE, _encoder.encode([*others, (key, msgspec.Raw(_encoder.encode(answer)))]))
    except (OSError, ValueError, TypeError, RecursionError):
        return
