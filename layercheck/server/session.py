"""One editor that is served: what is open, when to look again, what to tell. Everything here runs in one thread."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from layercheck import __version__
from layercheck.run.fixing import Proposal
from layercheck.run.unsaved import path_below
from layercheck.server.actions import KINDS, actions
from layercheck.server.looking import Document, Looked, Shown, look, mend
from layercheck.server.options import ServerOptions
from layercheck.server.paths import path_of, uri_of
from layercheck.server.saying import Style
from layercheck.server.streams import own_streams
from layercheck.server.text import Lines
from layercheck.server.worker import StoppedError, Worker

_PAUSE = 0.3
"""Seconds without a keystroke after which a document is looked at; where a look takes longer, as long as that."""
_LONGEST_PAUSE = 3.0
_WATCHED = ("**/*.py", "**/*.pyi", "**/*.pyw", "**/*.toml", "**/setup.cfg", "**/.gitignore", "**/.flake8", "**/tox.ini")
_BUG = "layercheck failed: this is a bug in layercheck, not in your code; please report it with the lines in its log"


@dataclass(eq=False, slots=True)
class _Root:
    """A folder that is looked at."""

    path: Path
    looked: Looked
    timer: asyncio.TimerHandle | None = None
    busy: bool = False
    again: bool = False
    """Whether something has changed since the look that goes on began."""
    took: float = 0.0
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while nothing has changed since the last look."""
    proposals: dict[str, Proposal] = field(default_factory=dict)
    """Of the last look: what could be mended, by the file."""


class Session:
    """The state of one connection."""

    def __init__(self, options: ServerOptions) -> None:
        self.options = options
        self.style = Style()
        self.roots: dict[Path, _Root] = {}
        self.documents: dict[Path, Document] = {}
        self.shown: dict[Path, tuple[types.Diagnostic, ...]] = {}
        self.complaints: tuple[str, ...] = ()
        self.worker = Worker()
        self.server = LanguageServer("layercheck", __version__, types.TextDocumentSyncKind.Full)
        self._tasks: set[asyncio.Task[None]] = set()
        for name, handler in self._handlers().items():
            self.server.feature(name)(partial(handler))  # pygls marks what it is given, and a method takes no marks
        self.server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([*KINDS]))(
            partial(self._code_action)
        )

    def serve(self) -> None:
        """Listen until the editor says that it has enough, or goes away."""
        logging.getLogger("pygls").setLevel(logging.ERROR)
        gc.enable()  # the command line, which ends soon, does without
        with own_streams() as (stdin, stdout):
            try:
                self.server.start_io(stdin, stdout)
            finally:
                self.worker.stop()

    def _handlers(self) -> dict[str, Callable[[Any], Any]]:
        return {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: lambda params: self._look_at(self.roots.values(), _PAUSE),
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._folders_changed,
        }

    # -------------------------------------------------------------------------------------- what the editor says

    def _initialize(self, params: types.InitializeParams) -> None:
        self.style = _style(params.capabilities, self.server)
        if self.options.root is not None:
            self._add([self.options.root.absolute()])
        elif params.workspace_folders:
            self._add(path for one in params.workspace_folders if (path := path_of(one.uri)))
        elif params.root_uri and (path := path_of(params.root_uri)):
            self._add([path])
        elif params.root_path and Path(params.root_path).is_absolute():
            self._add([Path(params.root_path)])

    async def _initialized(self, params: types.InitializedParams) -> None:
        self._look_at(self.roots.values())
        if not self.roots:
            self._log("No folder is open, so nothing is checked: open one, or name one as in: layercheck server ROOT")
        if self.style.watches:
            watchers = [types.FileSystemWatcher(glob) for glob in _WATCHED]
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = types.Registration(f"layercheck {method}", method, options)
            await self.server.client_register_capability_async(types.RegistrationParams([registration]))

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = path_of(document.uri)
        if path is not None:
            self.documents[path] = Document(document.uri, path, document.version, document.text)
            self._look_at(self._around(path))

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        identity = params.text_document
        path = path_of(identity.uri)
        if path is not None:
            text = self.server.workspace.get_text_document(identity.uri).source
            self.documents[path] = Document(identity.uri, path, identity.version, text, changed=True)
            around = [*self._around(path)]
            self._look_at(around, min(max([_PAUSE, *(root.took for root in around)]), _LONGEST_PAUSE))

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None and path in self.documents:
            self.documents[path] = replace(self.documents[path], changed=False)
        # What is saved may be a rules file, which lies anywhere.
        self._look_at(self.roots.values())

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None and self.documents.pop(path, None) is not None:
            self._look_at(self._around(path))

    def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        if self.options.root is not None:
            return
        for folder in params.event.removed:
            root = self.roots.pop(path, None) if (path := path_of(folder.uri)) else None
            if root is not None and root.timer is not None:
                root.timer.cancel()
            if root is not None:
                root.settled.set()
        self._add(path for one in params.event.added if (path := path_of(one.uri)))
        self._publish()
        self._look_at(self.roots.values())

    async def _code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of(params.text_document.uri)
        document = self.documents.get(path) if path else None
        root = self._owner(path) if path else None
        if document is None or root is None:
            return []
        await root.settled.wait()
        below = path_below(root.path.resolve(), document.path)
        looked = root.looked
        findings = looked.judged.report.findings if looked.judged else ()
        if below is None or not any(one.problem.location.path == below for one in findings):
            return []
        proposal = await self._proposal(root, below)
        if proposal is None or root.looked.texts is not looked.texts or self.documents.get(document.path) != document:
            return []  # something has changed meanwhile, and the editor asks again
        lines = Lines(looked.text(below), self.style.encoding)
        return actions(document, below, proposal, lines, params, self.style)

    # ------------------------------------------------------------------------------------------------- looking

    def _add(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self.roots.setdefault(path, _Root(path, Looked(path)))

    def _around(self, path: Path) -> Iterator[_Root]:
        """The folders that a file lies in."""
        return (root for root in self.roots.values() if path.is_relative_to(root.path))

    def _owner(self, path: Path) -> _Root | None:
        """The folder that speaks for a file: the innermost that it lies in."""
        return max(self._around(path), key=lambda root: len(root.path.parts), default=None)

    def _look_at(self, roots: Iterable[_Root], pause: float = 0.0) -> None:
        """Look at folders, once nothing has changed for so many seconds."""
        for root in roots:
            root.settled.clear()
            root.again = root.busy
            if root.timer is not None:
                root.timer.cancel()
            if not root.busy:
                root.timer = asyncio.get_running_loop().call_later(pause, self._begin, root)

    def _begin(self, root: _Root) -> None:
        root.timer, root.busy = None, True
        task = asyncio.get_running_loop().create_task(self._look(root))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, root: _Root) -> None:
        start = time.perf_counter()
        documents, before = tuple(self.documents.values()), root.looked
        try:
            looked = await self.worker.run(
                lambda: look(root.path, documents, self.options, self.style, self._progress, before)
            )
        except StoppedError:
            return
        except Exception:
            self._failed()
            looked = replace(before, judged=None, shown={})
        root.busy, root.took = False, time.perf_counter() - start
        if self.roots.get(root.path) is not root:
            return
        if looked.notes != before.notes:
            for note in looked.notes:
                self._log(f"{root.path}: {note}")
        root.looked, root.proposals = looked, {}
        self._publish()
        if root.again:
            self._look_at([root], min(root.took, _LONGEST_PAUSE))
        else:
            root.settled.set()

    async def _proposal(self, root: _Root, path: str) -> Proposal | None:
        """What could be mended in a file, as the folder was last looked at; None where that cannot be said."""
        looked = root.looked
        if path not in root.proposals:
            try:
                richer, proposal = await self.worker.run(lambda: mend(looked, path, self._progress))
            except StoppedError:
                return None
            except Exception:
                self._failed()
                return None
            if root.looked is not looked:
                return root.proposals.get(path) if root.looked.texts is looked.texts else None
            root.looked = richer
            root.proposals[path] = proposal
        return root.proposals[path]

    def _progress(self, done: int, total: int) -> None:
        self.worker.go_on()

    # ------------------------------------------------------------------------------------------ what it is told

    def _publish(self) -> None:
        """Tell of each file what has changed of what there is to show."""
        shown = dict(_all_shown(self.roots.values(), self._owner))
        for path in sorted({*shown, *self.shown}):
            now, before = shown.get(path, ()), self.shown.get(path, ())
            if now != before:
                document = self.documents.get(path)
                uri = document.uri if document else uri_of(path)
                version = document.version if document else None
                self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(now), version))
        self.shown = {path: ones for path, ones in shown.items() if ones}
        complaints = tuple(dict.fromkeys(line for root in self.roots.values() for line in root.looked.complaints))
        for line in complaints:
            if line not in self.complaints:
                self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"layercheck: {line}"))
        self.complaints = complaints

    def _log(self, line: str) -> None:
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Info, line))

    def _failed(self) -> None:
        """Tell of a fault of layercheck itself; the server goes on."""
        lines = traceback.format_exc()
        print(lines, file=sys.stderr)
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Error, lines))
        self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, _BUG))


def _all_shown(
    roots: Iterable[_Root], owner: Callable[[Path], _Root | None]
) -> Iterator[tuple[Path, tuple[types.Diagnostic, ...]]]:
    """What there is to show of each file: what the folder that speaks for it says, or all do of a file outside."""
    found: dict[Path, list[types.Diagnostic]] = {}
    for root in roots:
        shown: Shown = root.looked.shown
        for path, ones in shown.items():
            if owner(path) in (root, None):
                told = found.setdefault(path, [])
                told += [one for one in ones if one not in told]
    return ((path, tuple(ones)) for path, ones in found.items())


def _style(client: types.ClientCapabilities, server: LanguageServer) -> Style:
    """What an editor says that it understands."""
    documents, workspace = client.text_document, client.workspace
    published = documents.publish_diagnostics if documents else None
    edits = workspace.workspace_edit if workspace else None
    watched = workspace.did_change_watched_files if workspace else None
    encoding = server.workspace.position_encoding
    return Style(
        encoding=encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding or Style().encoding,
        related=bool(published and published.related_information),
        tags=bool(published and published.tag_support),
        versions=bool(edits and edits.document_changes),
        watches=bool(watched and watched.dynamic_registration),
    )
