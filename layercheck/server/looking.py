"""A folder and the documents that are open of it -> what there is to show, and to mend. Called in the worker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lsprotocol import types

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile
from layercheck.finding import Finding
from layercheck.run.fixing import Proposal, propose_at
from layercheck.run.judged import Judged, judge_again
from layercheck.run.side import NothingToCheckError
from layercheck.run.unsaved import path_below
from layercheck.run.workers import Progress
from layercheck.server.options import ServerOptions
from layercheck.server.paths import below, uri_of
from layercheck.server.saying import Style, diagnostic, fault
from layercheck.server.text import Lines, content_of, text_of
from layercheck.source import as_read, read_file

_CODE = (".py", ".pyw", ".pyi")

Shown = Mapping[Path, tuple[types.Diagnostic, ...]]
"""What there is to show, by the full paths of files, as the editor spells them."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that is open in the editor."""

    uri: str
    path: Path
    version: int | None
    text: str
    changed: bool = False
    """Whether it was edited since it was opened or saved."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A folder as it was looked at."""

    root: Path
    """As the editor spells it."""
    shown: Shown = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    """What is wrong that has no place in a file."""
    notes: tuple[str, ...] = ()
    """What is worth a line in the log."""
    judged: Judged | None = None
    """None where the rules could not be applied."""
    memory: Judged | None = None
    """The last time that they could."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Of documents whose text is not the one on disk, by their paths relative to the root."""

    def text(self, path: str) -> str:
        """The text of a file that was looked at, by its path relative to the root; empty where there is none."""
        if path in self.texts or self.judged is None:
            return self.texts.get(path, "")
        return text_of(read_file(self.judged.seen.root, path).content or b"")


def look(
    root: Path,
    documents: Iterable[Document],
    options: ServerOptions,
    style: Style,
    progress: Progress,
    before: Looked | None = None,
) -> Looked:
    """Apply the rules to a folder. What has not changed since ``before`` is not read again. Errors that a user can mend
    are among what is shown."""
    request = options.request(root)
    texts = dict(_unsaved(root, documents))
    memory = before.memory if before else None
    unsaved = tuple(_as_file(path, text) for path, text in sorted(texts.items()))
    try:
        judged = judge_again(replace(request, unsaved=unsaved), progress, memory)
    except NothingToCheckError as error:
        return Looked(root, notes=error.lines, memory=memory, texts=texts)
    except LayercheckError as error:
        return _faulty(root, error, memory, texts)
    looked = Looked(root, judged=judged, memory=judged, texts=texts, notes=judged.report.notes)
    return replace(looked, shown=_shown(looked, judged.report.findings, style))


def mend(looked: Looked, path: str, progress: Progress) -> tuple[Looked, Proposal]:
    """What could be mended in one file, by its path relative to the root; and the folder, of which more is in memory
    now.

    Raises LayercheckError as ``check`` does.
    """
    judged = looked.judged
    if judged is None:
        raise LayercheckError("the rules could not be applied")
    opened = judged.open(progress)
    judged = replace(judged, opened=opened, earlier=opened.side)
    return replace(looked, judged=judged, memory=judged), propose_at(opened, only=path)


def _unsaved(root: Path, documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    """The documents of a folder whose text is not on disk. One whose file is gone is gone too, unless it was edited."""
    real = root.resolve()
    for document in documents:
        path = path_below(real, document.path) if document.path.suffix in _CODE else None
        if path is None:
            continue
        content = read_file(real, path).content
        if document.changed if content is None else text_of(content) != document.text:
            yield path, document.text


def _as_file(path: str, text: str) -> SourceFile:
    return as_read(path, content_of(text))


def _shown(looked: Looked, findings: Iterable[Finding], style: Style) -> Shown:
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.problem.location.path].append(finding)

    def uri(path: str) -> str:
        return uri_of(below(looked.root, path))

    shown = {}
    for path, found in by_path.items():
        lines = Lines(looked.text(path), style.encoding)
        shown[below(looked.root, path)] = tuple(diagnostic(one, lines, uri, style) for one in found)
    return shown


def _faulty(root: Path, error: LayercheckError, memory: Judged | None, texts: Mapping[str, str]) -> Looked:
    shown: dict[Path, list[types.Diagnostic]] = defaultdict(list)
    complaints = []
    for line in error.lines:
        found = fault(line)
        if found is None:
            complaints.append(line)
        else:
            shown[below(root.resolve(), found[0])].append(found[1])
    placed = {path: tuple(ones) for path, ones in shown.items()}
    return Looked(root, placed, tuple(complaints), memory=memory, texts=texts)
