"""What earlier runs said, kept with all that it depended on: a folder in which nothing that counts has changed is not
judged again.

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
from importlib.util import find_spec
from pathlib import Path

import msgspec

from layercheck import kept
from layercheck.baseline import MAX_BYTES
from layercheck.cache import digest, open_cache
from layercheck.facts import ModuleFacts, Seen, SourceFile
from layercheck.finding import Report
from layercheck.opening import read_regular
from layercheck.relining import moved_lines, relined
from layercheck.run.survey import Survey
from layercheck.source import read_file, stamp_of

_FILE = "reports.msgpack"
_STANDS_ON = ("grimp", "networkx", "tomli")
"""The packages of others that have a say in a report."""
_MOST = 8
"""How many reports are kept of a folder: one for each way in which somebody runs it."""
_FEW = 16
"""How many edited files are read before anything is known of them; where there are more, all is judged again."""


@dataclass(frozen=True, slots=True)
class Made:
    """A report that was made, and from what."""

    report: Report
    seen: Mapping[str, Seen]
    """Of each code file, the content that it had."""
    tops: tuple[str, ...]
    """The first components of the names under which its files may be imported."""
    whole: bool
    """Whether nothing else went into it: no file that could not be read, no fault of the cache."""


class _Answer(msgspec.Struct, frozen=True, array_like=True):
    """One report that is kept."""

    seen: dict[str, Seen]
    report: Report
    state: tuple[str, ...]
    tops: tuple[str, ...]
    edited: dict[str, ModuleFacts] = {}
    """The facts of those of the files that are not as they were when everything was judged."""


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
    given = {file.path: file for file in request.unsaved}
    folder = kept.default_folder(seen.root, os.environ) if request.cache and request.since is None else None
    key = b"" if folder is None else _key(seen, asked)
    if folder is None or not key:
        return afresh().report
    answers = _load(folder)
    answer = _decoded(answers.pop(key, None))
    again = None if answer is None else _again(seen.root, answer, given, edits=not asked)
    if again is not None and state(again.seen) == again.state:
        if again is not answer and not given:
            _save(folder, answers, key, again)
        seconds, cached = round(time.perf_counter() - start, 3), len(again.seen) - len(again.edited)
        stats = msgspec.structs.replace(again.report.stats, seconds=seconds, cached=cached)
        return msgspec.structs.replace(again.report, stats=stats)
    made = afresh()
    if made.whole and not given:  # else it would take the place of what the files say
        _save(folder, answers, key, _Answer(dict(made.seen), made.report, state(made.seen), made.tops))
    return made.report


def _key(seen: Survey, asked: str) -> bytes:
    """A digest of all that a report depends on beside the code files; empty where that cannot be told."""
    request = seen.request
    try:
        baseline = request.baseline
        known = None if baseline is None else (str(baseline), read_regular(baseline, MAX_BYTES)[0])
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
    """The state of layercheck: of what it is made and what it stands on, as far as the file system tells."""
    parts = []
    specs = (find_spec(name) for name in _STANDS_ON)
    others = (Path(spec.origin) for spec in specs if spec is not None and spec.origin)
    for path in (*sorted(Path(__file__).parents[1].rglob("*.py")), *others):
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


def _again(root: Path, answer: _Answer, given: Mapping[str, SourceFile], *, edits: bool) -> _Answer | None:
    """What an answer is for the files as they are now; itself if they are as they were, None where it is none for them.

    ``given``: files that are not to be read. ``edits``: whether it may be one for files in which lines have moved.
    """
    now: dict[str, Seen] = {}
    edited: dict[str, bytes] = {}
    prefix = f"{root}{os.sep}"
    for path, seen in answer.seen.items():
        try:
            stamp = stamp_of(Path(prefix + path).stat()) if seen.stamp and path not in given else ()
        except (OSError, ValueError):
            return None
        if not stamp or stamp != seen.stamp:
            file = given.get(path) or read_file(root, path)
            if file.content is None:
                return None
            name = digest(file.content)
            if name != seen.digest:
                edited[path] = file.content
                if not edits or len(edited) > _FEW:
                    return None
            seen = Seen(name, file.stamp)
        now[path] = seen
    if edited:
        return _edited(root, answer, now, edited)
    return answer if now == answer.seen else msgspec.structs.replace(answer, seen=now)


def _edited(root: Path, answer: _Answer, now: dict[str, Seen], edited: Mapping[str, bytes]) -> _Answer | None:
    """The answer for files that have been edited, if nothing but lines has moved by that."""
    # What reads syntax trees takes a while to load, and where nothing was edited nobody needs it.
    from layercheck.extract import extract

    cache = open_cache(root)
    facts = dict(answer.edited)
    moved = {}
    longer = False
    for path, content in edited.items():
        before = facts.get(path) or cache.get(answer.seen[path].digest)
        after = facts[path] = extract(content)
        lines = None if before is None else moved_lines(before, after, answer.tops)
        if before is None or lines is None:
            return None
        moved[path] = lines
        longer = longer or before.lines != after.lines
    report = relined(answer.report, moved, longer=longer)
    return None if report is None else msgspec.structs.replace(answer, seen=now, report=report, edited=facts)


def _save(folder: Path, answers: Mapping[bytes, msgspec.Raw], key: bytes, answer: _Answer) -> None:
    """Keep a report beside the newest of the others. What cannot be kept is not."""
    others = list(answers.items())[-(_MOST - 1) :]
    try:
        kept.write(folder, _FILE, _encoder.encode([*others, (key, msgspec.Raw(_encoder.encode(answer)))]))
    except (OSError, ValueError, TypeError, RecursionError):
        return
