"""A real editor's side of the language server: a process, the protocol, and what has been shown. Judges nothing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_SECONDS = 60

T = TypeVar("T")

FULL = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True, tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Unnecessary])
        )
    ),
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    ),
)
"""What an editor can that can all that the server makes use of."""


class Editor(LanguageClient):
    """Speaks to one server, and remembers what it was told."""

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []
        self.logged: list[str] = []
        self.watched: list[str] = []
        self.status: int | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._published))
        self.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self._heard(self.messages, params.message))
        self.feature(types.WINDOW_LOG_MESSAGE)(lambda params: self._heard(self.logged, params.message))
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(partial(self._registered))

    def forget(self) -> None:
        """Forget what was shown and said."""
        for told in (self.shown, self.messages, self.logged):
            told.clear()

    async def stop(self) -> None:
        """Wait for the server to end."""
        await LanguageClient.stop(self)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        self.status = server.returncode

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.shown[params.uri] = list(params.diagnostics)
        self._news.set()

    def _heard(self, lines: list[str], line: str) -> None:
        lines.append(line)
        self._news.set()

    def _registered(self, params: types.RegistrationParams) -> None:
        for one in params.registrations:
            options: Any = one.register_options
            self.watched += [watcher["globPattern"] for watcher in options["watchers"]]
        self._news.set()

    async def until(self, told: Callable[[], T]) -> T:
        """Wait until something is true; it is what it is then."""

        async def wait() -> T:
            while not (value := told()):
                self._news.clear()
                await self._news.wait()
            return value

        return await asyncio.wait_for(wait(), _SECONDS)

    def places(self, path: Path) -> list[tuple[int, str]]:
        """What is shown of a file: the line, from 1, and the check of each."""
        return [(one.range.start.line + 1, str(one.code)) for one in self.shown.get(path.as_uri(), [])]

    async def shows(self, path: Path, *places: tuple[int, str]) -> list[types.Diagnostic]:
        """Wait until exactly this is shown of a file."""
        try:
            await self.until(lambda: self.places(path) == list(places))
        except asyncio.TimeoutError:
            raise AssertionError(f"{path}: {self.places(path)} is shown, not {list(places)}; {self.logged}") from None
        return self.shown.get(path.as_uri(), [])

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file; as it is on disk unless said."""
        text = path.read_text(encoding="utf-8") if text is None else text
        self._versions[path.as_uri()] = 1
        item = types.TextDocumentItem(path.as_uri(), "python", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: Path, text: str) -> None:
        """Edit a file that is open."""
        self._versions[path.as_uri()] += 1
        identity = types.VersionedTextDocumentIdentifier(self._versions[path.as_uri()], path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identity, [change]))

    def save(self, path: Path, text: str) -> None:
        """Edit a file and save it."""
        self.change(path, text)
        path.write_text(text, encoding="utf-8", newline="")
        identity = types.TextDocumentIdentifier(path.as_uri())
        self.text_document_did_save(types.DidSaveTextDocumentParams(identity))

    def close(self, path: Path) -> None:
        """Close a file, and forget what was not saved."""
        del self._versions[path.as_uri()]
        identity = types.TextDocumentIdentifier(path.as_uri())
        self.text_document_did_close(types.DidCloseTextDocumentParams(identity))

    def close_all(self) -> None:
        """Close every file."""
        for uri in [*self._versions]:
            self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        self._versions.clear()

    def add(self, *roots: Path) -> None:
        """Open folders."""
        self._folders(types.WorkspaceFoldersChangeEvent(added=[*map(_folder, roots)], removed=[]))

    def remove(self, *roots: Path) -> None:
        """Close folders."""
        self._folders(types.WorkspaceFoldersChangeEvent(added=[], removed=[*map(_folder, roots)]))

    def _folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        self.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    def watch(self, *paths: Path) -> None:
        """Tell of files that have changed on disk."""
        changes = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        self.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))

    async def actions(self, path: Path, line: int | None = None, *only: str) -> list[types.CodeAction]:
        """What is offered for a line, from 1, or for the whole file."""
        first, last = (line - 1, line - 1) if line else (0, 10_000)
        asked = types.Range(types.Position(first, 0), types.Position(last, 1_000 if line else 0))
        context = types.CodeActionContext(self.shown.get(path.as_uri(), []), only=list(only) or None)
        identity = types.TextDocumentIdentifier(path.as_uri())
        answer = await asyncio.wait_for(
            self.text_document_code_action_async(types.CodeActionParams(identity, asked, context)), _SECONDS
        )
        return [one for one in answer or [] if isinstance(one, types.CodeAction)]


async def start(
    *roots: Path,
    arguments: tuple[str | Path, ...] = (),
    capabilities: types.ClientCapabilities = FULL,
) -> Editor:
    """An editor in which these folders are open, with a server of its own."""
    client = Editor()
    client.loop = asyncio.get_running_loop()
    env = {**os.environ, "LAYERCHECK_CACHE_DIR": os.devnull}
    await client.start_io(sys.executable, "-m", "layercheck", "server", *map(str, arguments), env=env)
    await client.initialize_async(
        types.InitializeParams(
            capabilities=capabilities, process_id=os.getpid(), workspace_folders=[*map(_folder, roots)]
        )
    )
    client.initialized(types.InitializedParams())
    return client


async def end(client: Editor) -> None:
    """Close an editor. Its server must end by itself, and well."""
    await asyncio.wait_for(client.shutdown_async(None), _SECONDS)
    client.exit(None)
    await asyncio.wait_for(client.stop(), _SECONDS)
    assert client.status == 0


@asynccontextmanager
async def editor(
    *roots: Path,
    arguments: tuple[str | Path, ...] = (),
    capabilities: types.ClientCapabilities = FULL,
) -> AsyncIterator[Editor]:
    """An editor for a while."""
    client = await start(*roots, arguments=arguments, capabilities=capabilities)
    yield client
    await end(client)


@asynccontextmanager
async def folders(client: Editor, *roots: Path) -> AsyncIterator[Editor]:
    """Some folders, open in an editor for a while; it has forgotten what it was told before."""
    client.forget()
    client.add(*roots)
    yield client
    client.close_all()
    client.remove(*roots)


def _folder(root: Path) -> types.WorkspaceFolder:
    return types.WorkspaceFolder(root.as_uri(), root.name)
