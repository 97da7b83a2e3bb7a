"""What earlier runs said, kept with all that it depended on: a folder in which nothing that counts has changed is not
judged again, and neither its rules nor what judges are loaded.

Like the cache of facts it never changes what a run says: in doubt it knows nothing. What a report depends on is what
was asked, what rules and settings were read from, what there is in the folder, the content of the code files, the
baseline, and layercheck itself.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from layercheck import kept
from layercheck.cache import digest, open_cache
from layercheck.facts import ModuleFacts, Seen, SourceFile
from layercheck.finding import Report
from layercheck.inquiry import asked_again
from layercheck.opening import MAX_BASELINE, read_regular
from layercheck.run.request import CheckRequest, demand_folder
from layercheck.source import list_tree, read_file, stamp_of

if TYPE_CHECKING:
    from layercheck.run.survey import Survey

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

    settings: dict[tuple[str, str, str], bytes]
    """What rules and settings were read from (``layercheck.inquiry``)."""
    exclude: tuple[str, ...]
    listing: bytes
    """A digest of what there was in the folder, less what ``exclude`` names."""
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
    request: CheckRequest,
    afresh: Callable[[Survey], Made],
    asked: str = "",
    state: Callable[[Path, Iterable[str]], tuple[str, ...]] = lambda root, paths: (),
    seen: Survey | None = None,
) -> Report:
    """The report of an earlier run where all that it depends on is as it was, else the one that ``afresh`` makes.

    ``asked``: what was asked beside the request. ``state``: what the report depends on beside the content of
    the code files, of which it is given the folder and the paths. ``seen``: a survey for the request, where it has
    been made.

    Raises what ``afresh`` and a survey do.
    """
    start = time.perf_counter()
    root = demand_folder(request.root)
    given = {file.path: file for file in request.unsaved}
    folder = kept.default_folder(root, os.environ) if request.cache and request.since is None else None
    key = b"" if folder is None else _key(root, request, asked)
    if folder is None or not key:
        return afresh(seen or _survey(request)).report
    answers = _load(folder)
    answer = _decoded(answers.pop(key, None))
    if answer is not None and _holds(root, answer, given, seen):
        again = _again(root, answer, given, edits=not asked)
        if again is not None and state(root, again.seen) == again.state:
            if again is not answer and not given:
                _save(folder, answers, key, again)
            seconds, cached = round(time.perf_counter() - start, 3), len(again.seen) - len(again.edited)
            stats = msgspec.structs.replace(again.report.stats, seconds=seconds, cached=cached)
            return msgspec.structs.replace(again.report, stats=stats)
    seen = seen or _survey(request)
    made = afresh(seen)
    if made.whole and not given:  # else it would take the place of what the files say
        exclude, listing = seen.config.project.exclude, _digest(seen.listing)
        now = state(root, made.seen)
        _save(
            folder,
            answers,
            key,
            _Answer(dict(seen.answers), exclude, listing, dict(made.seen), made.report, now, made.tops),
        )
    return made.report


def _survey(request: CheckRequest) -> Survey:
    # What reads rules takes a while to load, and where nothing has changed nobody needs it.
    from layercheck.run.survey import survey

    return survey(request)


def _key(root: Path, request: CheckRequest, asked: str) -> bytes:
    """A digest of what was asked, and what answers; empty where that cannot be told."""
    try:
        baseline = request.baseline
        known = None if baseline is None else (str(baseline), read_regular(baseline, MAX_BASELINE)[0])
        today = request.today or date.today()
        return _digest((_code(), asked, request.selection, str(request.rules), known, root.as_posix(), today))
    except (OSError, TypeError, ValueError):
        return b""


def _digest(value: object) -> bytes:
    try:
        encoded = _encoder.encode(value)
    except UnicodeEncodeError:  # the name of a file, which may be any bytes
        encoded = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(encoded, digest_size=16).digest()


def _holds(root: Path, answer: _Answer, given: Mapping[str, SourceFile], seen: Survey | None) -> bool:
    """Whether rules, settings and what there is in the folder are as they were."""
    settings = asked_again(answer.settings) if seen is None else seen.answers
    if settings != answer.settings:
        return False
    listing = list_tree(root, answer.exclude, given) if seen is None else seen.listing
    return _digest(listing) == answer.listing


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
            # A Path for each file would take as long as its state.
            stamp = stamp_of(os.stat(prefix + path)) if seen.stamp and path not in given else ()  # noqa: PTH116
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
    from layercheck.relining import moved_lines, relined

    facts = dict(answer.edited)
    # Reading the facts of all files takes longer than the rest; those of what was edited before are at hand.
    cache = None if edited.keys() <= facts.keys() else open_cache(root)
    moved = {}
    longer = False
    for path, content in edited.items():
        before = facts.get(path) or (None if cache is None else cache.get(answer.seen[path].digest))
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
