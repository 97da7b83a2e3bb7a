"""The language server, as an editor meets it: a process, and the protocol on its standard input and output."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Coroutine, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from layercheck.server import ServerOptions
from layercheck.server.looking import Document, Looked, look
from layercheck.server.saying import Style
from tests.editor import Editor, editor, end, folders, start
from tests.tree import write_tree

TREE = """
# file: app/__init__.py
# file: app/db.py
def query(): ...
# file: app/web.py
import os
from app.db import query
def run(): return query()
# file: layercheck.toml
[checks]
orphaned-imports = "error"
broken-imports = "error"
cycles = "warning"
"""

ORPHAN = (1, "orphaned-imports")


def session(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine."""

    @wraps(test)
    def run(**named: Any) -> None:
        if "shared" in named:
            named["shared"].loop.run_until_complete(test(**named))
        else:
            asyncio.run(test(**named))

    return run


@pytest.fixture(scope="module")
def shared() -> Iterator[Editor]:
    """An editor that several tests use, since it takes a while to start: each opens and closes its own folder."""
    loop = asyncio.new_event_loop()
    client = loop.run_until_complete(start())
    yield client
    loop.run_until_complete(end(client))
    loop.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "project", TREE)


@session
async def test_open_change_save_close(root: Path, shared: Editor) -> None:
    web, db = root / "app/web.py", root / "app/db.py"
    async with folders(shared, root) as client:
        (shown,) = await client.shows(web, ORPHAN)  # though nobody has opened it
        assert (shown.severity, shown.source) == (types.DiagnosticSeverity.Error, "layercheck")
        assert shown.message == "os is imported and not used in app.web\nhelp: remove the import"
        assert shown.range == types.Range(types.Position(0, 7), types.Position(0, 9))
        assert list(shown.tags or ()) == [types.DiagnosticTag.Unnecessary]

        client.open(web)
        client.change(web, "from app.db import query\ndef run(): return query()\n")
        await client.shows(web)
        client.change(web, "from app.db import gone\nx = 1\n")
        await client.shows(web, (1, "broken-imports"))
        client.close(web)
        await client.shows(web, ORPHAN)

        client.open(db)
        client.change(db, "def ask(): ...\n")
        await client.shows(web, ORPHAN, (2, "broken-imports"))
        assert db.read_text() == "def query(): ...\n"
        client.save(db, "def query(): ...\n\n")
        await client.shows(web, ORPHAN)
        assert client.messages == []


@session
async def test_a_ring_names_the_other_places(root: Path, shared: Editor) -> None:
    web, db = root / "app/web.py", root / "app/db.py"
    async with folders(shared, root) as client:
        client.open(db)
        client.change(db, "import app.web\ndef query(): app.web.run()\n")
        (shown,) = await client.shows(db, (1, "cycles"))
        assert shown.severity == types.DiagnosticSeverity.Warning
        places = {one.location.uri for one in shown.related_information or []}
        assert web.as_uri() in places
        assert "->" not in shown.message.replace("app.db -> app.web -> app.db", "").split("\n", 1)[1]


@session
async def test_an_editor_that_can_little_and_has_no_folder_open(root: Path) -> None:
    db = root / "app/db.py"
    async with editor(capabilities=types.ClientCapabilities()) as client:
        client.open(root / "app/web.py")
        await client.until(lambda: any("No folder is open" in line for line in client.logged))
        assert await client.actions(root / "app/web.py") == []
        assert client.shown == {}
        client.add(root)
        client.open(db)
        client.change(db, "import app.web\nimport os\ndef query(): app.web.run()\n")
        ring, orphan = await client.shows(db, (1, "cycles"), (2, "orphaned-imports"))
        assert (ring.related_information, orphan.tags) == (None, None)
        assert "app.db -> app.web (app/db.py:1, import-time)" in ring.message
        (action,) = await client.actions(db, 2, "quickfix")
        assert action.edit is not None
        assert action.edit.document_changes is None
        assert [*(action.edit.changes or {})] == [db.as_uri()]


def applied(text: str, action: types.CodeAction) -> str:
    """A text with an action's edits made, as an editor makes them: columns count units of UTF-16."""
    assert action.edit is not None
    (change,) = action.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    lines = text.splitlines(keepends=True)

    def index(position: types.Position) -> int:
        line = lines[position.line] if position.line < len(lines) else ""
        column = len(line.encode("utf-16-le")[: position.character * 2].decode("utf-16-le"))
        return sum(map(len, lines[: position.line])) + column

    for edit in sorted(change.edits, key=lambda one: -index(one.range.start)):
        assert isinstance(edit, types.TextEdit)
        text = text[: index(edit.range.start)] + edit.new_text + text[index(edit.range.end) :]
    return text


@session
async def test_quick_fixes_are_what_fix_does(root: Path, shared: Editor) -> None:
    web = root / "app/web.py"
    text = (
        's = "\U0001f600"; import sys, json; from app.db import query\r\nimport os\r\ndef run(): return query, sys\r\n'
    )
    async with folders(shared, root) as client:
        client.open(web)
        client.change(web, text)
        json_, os_ = await client.shows(web, (1, "orphaned-imports"), (2, "orphaned-imports"))
        assert json_.range == types.Range(types.Position(0, 22), types.Position(0, 26))

        (one,) = await client.actions(web, 2, "quickfix")
        assert (one.title, one.kind, one.is_preferred) == (
            "Mend orphaned-imports: removed the import of os",
            "quickfix",
            True,
        )
        assert list(one.diagnostics or ()) == [os_]
        assert applied(text, one) == text.replace("import os\r\n", "")
        (one,) = await client.actions(web, 1, "quickfix")
        assert applied(text, one) == text.replace("sys, json", "sys")
        (every,) = await client.actions(web, None, "source.fixAll")
        assert every.kind == "source.fixAll.layercheck"
        assert len(await client.actions(web)) == 3
        assert await client.actions(web, 3) == [every]
        assert await client.actions(web, 1, "refactor") == []
        assert await client.actions(root / "app/db.py") == []

    web.write_bytes(text.encode())
    done: list[str | Path] = [sys.executable, "-m", "layercheck", "check", "--fix", "--no-cache", "--exit-zero", root]
    subprocess.run(done, check=True, capture_output=True, timeout=60)
    assert web.read_bytes().decode() == applied(text, every)


@session
async def test_rules_that_change_and_rules_that_are_wrong(root: Path, shared: Editor) -> None:
    web, rules = root / "app/web.py", root / "layercheck.toml"
    async with folders(shared, root) as client:
        await client.shows(web, ORPHAN)
        assert {"**/*.py", "**/*.toml"} <= set(await client.until(lambda: client.watched))
        right = rules.read_text()
        rules.write_text('[checks]\norphaned-imports = "off"\n')
        client.watch(rules)
        await client.shows(web)
        rules.write_text("[checks]\norphaned = 1\nbroken-imports = 1\n[[")
        client.watch(rules)
        (shown,) = await client.until(lambda: client.shown.get(rules.as_uri(), []))
        assert shown.severity == types.DiagnosticSeverity.Error
        assert shown.range.start.line == 3
        rules.write_text("[checks]\norphaned = 1\n")
        client.watch(rules)
        await client.until(lambda: client.shown[rules.as_uri()] and client.shown[rules.as_uri()] != [shown])
        rules.write_text(right)
        client.watch(rules)
        await client.shows(rules)
        await client.shows(web, ORPHAN)
        assert client.messages == []


@session
async def test_what_is_wrong_without_a_place_is_said_once(root: Path) -> None:
    async with editor(root, arguments=("--select", "nonsense")) as client:
        await client.until(lambda: client.messages)
        client.open(root / "app/web.py")
        client.change(root / "app/web.py", "import os, sys\n")
        client.save(root / "app/web.py", "import os\n")
        assert await client.actions(root / "app/web.py") == []
        assert len(client.messages) == 1
        assert client.messages[0].startswith("layercheck: --select: no check or rule is called 'nonsense'")


@session
async def test_files_that_come_and_go(root: Path, shared: Editor) -> None:
    web, new = root / "app/web.py", root / "app/new.py"
    async with folders(shared, root) as client:
        await client.shows(web, ORPHAN)
        client.open(web)
        client.open(new, "")
        client.change(new, "import app.gone\n")
        await client.shows(new, (1, "broken-imports"))
        client.save(new, "import app.gone, os\nx = 1\n")
        await client.shows(new, (1, "broken-imports"), ORPHAN)
        new.unlink()
        web.unlink()
        client.watch(new, web)
        await client.shows(new)
        await client.shows(web)


@session
async def test_several_folders_one_within_another(root: Path, tmp_path: Path, shared: Editor) -> None:
    inner = write_tree(root / "plugin", "# file: plug/__init__.py\n# file: plug/in.py\nimport plug.gone\n")
    other = write_tree(tmp_path / "other side", "# file: one.py\nimport one.two\n")
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    async with folders(shared, root, inner, other, nothing) as client:
        await client.shows(root / "app/web.py", ORPHAN)
        await client.shows(inner / "plug/in.py", (1, "broken-imports"))
        await client.shows(other / "one.py", (1, "broken-imports"))
        await client.until(lambda: any("no Python files to check" in line for line in client.logged))
        client.remove(other)
        await client.shows(other / "one.py")
        client.add(other)
        await client.shows(other / "one.py", (1, "broken-imports"))
        assert client.messages == []


@session
async def test_documents_of_which_nothing_is_known(root: Path, tmp_path: Path, shared: Editor) -> None:
    alone = tmp_path / "alone.py"
    async with folders(shared, root) as client:
        client.open(alone, "import os\n")
        item = types.TextDocumentItem("untitled:Untitled-1", "python", 1, "import os\n")
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        for uri in ("file:///", "file://else/where.py", "file:///%00.py", "https://example.org/x.py", "", "[::"):
            client.text_document_did_open(
                types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, "import os\n"))
            )
        client.open(root / "app/data.txt", "import os\n")
        await client.shows(root / "app/web.py", ORPHAN)
        client.close(alone)
        assert await client.actions(alone) == []
        assert [uri for uri, ones in client.shown.items() if ones] == [(root / "app/web.py").as_uri()]


TEXTS = {
    "does not parse": ("def f(:\n", (1, "unreadable-files")),
    "half a surrogate pair": ("x = '\ud800'\nimport app.gone\n", (1, "unreadable-files")),
    "a NUL byte": ("x = '\0'\n", (1, "unreadable-files")),
    "an encoding that cannot say it": ("# coding: latin-1\ns = '\u20ac'\nimport app.gone\n", (3, "broken-imports")),
    "an encoding of its own": ("# coding: latin-1\ns = '\xe9'; import app.gone\n", (2, "broken-imports")),
    "no encoding": ("# coding: nonsense\nimport app.gone\n", (1, "unreadable-files")),
    "line ends of all kinds": ("a = 1\rb = '''\x0c\u2028'''\r\nimport app.gone\n", (3, "broken-imports")),
}


@session
async def test_odd_texts(root: Path, shared: Editor) -> None:
    db = root / "app/db.py"
    async with folders(shared, root) as client:
        client.open(db)
        for text, place in TEXTS.values():
            client.change(db, text)
            await client.until(partial(lambda wanted: wanted in client.places(db), place))
        client.change(db, "")
        await client.shows(db)
        assert client.messages == []


@session
async def test_the_project_may_be_named(root: Path) -> None:
    rules = root / "elsewhere.toml"
    rules.write_text('[checks]\nbroken-imports = "error"\norphaned-imports = "off"\n')
    async with editor(arguments=(root, "--rules", rules, "--stdio")) as client:
        client.open(root / "app/db.py")
        client.change(root / "app/db.py", "x = 1\n")
        await client.shows(root / "app/web.py", (2, "broken-imports"))


@session
async def test_a_root_behind_a_link(root: Path, tmp_path: Path, shared: Editor) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    async with folders(shared, link) as client:
        client.open(link / "app/web.py")
        await client.shows(link / "app/web.py", ORPHAN)
        client.change(link / "app/web.py", "import app.gone\n")
        await client.shows(link / "app/web.py", (1, "broken-imports"))
        assert (root / "app/web.py").as_uri() not in client.shown


@session
async def test_a_fault_of_layercheck_does_not_end_it(root: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import layercheck.server.looking as looking\n"
        "look = looking.judge_again\n"
        "def fails(*args):\n"
        "    if (args[0].root / 'bad').exists(): raise ZeroDivisionError\n"
        "    print('to standard output')\n"
        "    return look(*args)\n"
        "looking.judge_again = fails\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        async with editor(root) as client:
            await client.shows(root / "app/web.py", ORPHAN)
            (root / "bad").touch()
            client.watch(root / "bad")
            await client.shows(root / "app/web.py")
            await client.until(lambda: client.messages)
            assert "this is a bug in layercheck" in client.messages[0]
            assert any("ZeroDivisionError" in line for line in client.logged)
            (root / "bad").unlink()
            client.watch(root / "bad")
            await client.shows(root / "app/web.py", ORPHAN)


# ---------------------------------------------------------------------------------------------- without an editor


def test_what_was_looked_at_before_is_let_go(root: Path) -> None:
    db, looked = root / "app/db.py", Looked(root)
    projects = []
    for number in range(6):
        document = Document(db.as_uri(), db, number, f"import a{number}\ndef query(): ...\n")
        looked = look(root, [document], ServerOptions(cache=False, jobs=1), Style(), lambda done, total: None, looked)
        assert looked.judged
        assert looked.judged.opened
        projects.append(weakref.ref(looked.judged.opened.side.project))
    gc.collect()
    assert [one() is not None for one in projects] == [False] * 5 + [True]


def raw(*bodies: bytes | dict[str, Any], root: Path) -> subprocess.CompletedProcess[bytes]:
    """What a server does of which the input ends after these messages."""
    texts = [one if isinstance(one, bytes) else json.dumps({"jsonrpc": "2.0", **one}).encode() for one in bodies]
    return subprocess.run(
        [sys.executable, "-m", "layercheck", "server", root],
        input=b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in texts),
        env={**os.environ, "LAYERCHECK_CACHE_DIR": os.devnull},
        capture_output=True,
        check=False,
        timeout=60,
    )


POSITION = {"line": 0, "character": 0}
INITIALIZE: dict[str, Any] = {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}}


def test_what_is_no_protocol(root: Path) -> None:
    done = raw(
        {"method": "textDocument/didOpen", "params": {}},
        INITIALIZE,
        b"no json",
        b"[]",
        {"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": "x:y"}, "position": POSITION}},
        b'{"jsonrpc": "2.0", "id": 9, "method": "no/such"}',
        {"id": 10, "method": "textDocument/codeAction", "params": {"textDocument": 1}},
        {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "x:y", "version": 1}}},
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///never/opened.py"}}},
        b"[" * 100_000,
        {"id": 4, "method": "shutdown"},
        root=root,
    )
    assert done.returncode == 0
    rest, ids = done.stdout, []
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        ids.append(json.loads(rest[:length]).get("id"))
        rest = rest[length:]
    assert {1, 2, 4} <= set(ids)


def test_closed_streams(root: Path) -> None:
    line = '"$0" -m layercheck server "$1" <&- >&-'
    done = subprocess.run(["sh", "-c", line, sys.executable, root], capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "layercheck: standard input and output are closed; an editor starts the server, and speaks to it there\n"
    )


def test_without_pygls(root: Path) -> None:
    script = "import sys; sys.modules['pygls'] = None; from layercheck.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script, "server"], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "layercheck: layercheck server needs pygls 2, which is not installed here; "
        "run: pip install 'layercheck[server]'\n"
    )


@session
async def test_the_tests_would_see_another_text(root: Path, shared: Editor) -> None:
    async with folders(shared, root) as client:
        await client.shows(root / "app/web.py", ORPHAN)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tests.editor._SECONDS", 0.1)
            with pytest.raises(AssertionError, match="is shown, not"):
                await client.shows(root / "app/web.py")
