"""Changes to one file: what is left after them, to the byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from layercheck.edits import DropImport, EditError, Redirect, rewrite, unified
from layercheck.edits.model import Change, DropBlock, DropExport, DropIgnore, Rewrite
from layercheck.extract import extract
from layercheck.facts import Span


def changed(text: str, *changes: Change, base: str = "a") -> str:
    content = text.encode()
    return rewrite(content, extract(content), base, changes)[0].decode()


def drop(*positions: int) -> list[DropImport]:
    return [DropImport(position) for position in positions]


DROPS = [
    ("from x import a, b, c\n", (0,), "from x import b, c\n"),
    ("from x import a, b, c\n", (1,), "from x import a, c\n"),
    ("from x import a, b, c\n", (2,), "from x import a, b\n"),
    ("from x import a, b, c\n", (1, 2), "from x import a\n"),
    ("from x import a, b, c\n", (0, 2), "from x import b\n"),
    ("from x import a, b, c\ny = 1\n", (0, 1, 2), "y = 1\n"),
    ("import a.b, c, d as e\n", (1,), "import a.b, d as e\n"),
    ("import a, b  # why\n", (1,), "import a  # why\n"),
    ("y = 1\nimport a  # why\n", (0,), "y = 1\n"),
    ("y = 1\nimport a", (0,), "y = 1\n"),
    ("y = 1\nfrom x import a, b", (1,), "y = 1\nfrom x import a"),
    ("from x import (a, b)\n", (1,), "from x import (a)\n"),
    ("from x import (a, b,)\n", (1,), "from x import (a,)\n"),
    ("from x import (a, b,\n               c)\n", (2,), "from x import (a, b)\n"),
    ("from x import (a, b,\n               c)\n", (1,), "from x import (a,\n               c)\n"),
    ("from x import (\n    a,\n    b,\n    c,\n)\n", (1,), "from x import (\n    a,\n    c,\n)\n"),
    (
        "from x import (\n    a,  # one\n    b,  # two, and\n    c\n)\n",
        (1,),
        "from x import (\n    a,  # one\n    c\n)\n",
    ),
    ("from x import (\n    a,  # one, and\n    b\n)\n", (1,), "from x import (\n    a,  # one, and\n)\n"),
    ("from x import (\n    a,\n    b\n)\n", (1,), "from x import (\n    a\n)\n"),
    ("from x import (\n    # these\n    a,\n    b,\n)\n", (0,), "from x import (\n    # these\n    b,\n)\n"),
    ("from x import (  # noqa\n    a, b,\n)\n", (1,), "from x import (  # noqa\n    a,\n)\n"),
    ("from x import (\n    a\n    , b\n)\n", (0,), "from x import (\n    b\n)\n"),
    ("from x import a, \\\n    b\n", (0,), "from x import \\\n    b\n"),
    ("from x import a, \\\n    b\n", (1,), "from x import a\n"),
    ("from x import a, \\\n    b, \\\n    c\n", (1,), "from x import a, \\\n    c\n"),
    ("from x \\\n    import a\ny = 1\n", (0,), "y = 1\n"),
    ("import a; import b; import c\n", (0,), "import b; import c\n"),
    ("import a; import b; import c\n", (1,), "import a; import c\n"),
    ("import a; import b; import c\n", (2,), "import a; import b\n"),
    ("import a; import b; import c\n", (1, 2), "import a\n"),
    ("import a; import b;\n", (1,), "import a;\n"),
    ("import a; import b;  # both\ny = 1\n", (0, 1), "y = 1\n"),
    ("y = 1; import a\n", (0,), "y = 1\n"),
    ("if T:\n    import a\ny = 1\n", (0,), "y = 1\n"),
    ("if T:\n    # of them\n    import a  # one\n\n    import b\ny = 1\n", (0, 1), "y = 1\n"),
    ("if T:\n    import a\n    import b\n", (0,), "if T:\n    import b\n"),
    ("if T():\n    import a  # one\ny = 1\n", (0,), "if T():\n    pass\ny = 1\n"),
    ("if T: import a\ny = 1\n", (0,), "y = 1\n"),
    ("if T(): import a\ny = 1\n", (0,), "if T(): pass\ny = 1\n"),
    ("if T(): import a; import b\n", (0, 1), "if T(): pass\n"),
    ("if T(): import a; import b\n", (0,), "if T(): import b\n"),
    ("if T:\n    import a\nelse:\n    import b\n", (0,), "if T:\n    pass\nelse:\n    import b\n"),
    ("if T:\n    import a\nelse:\n    import b\n", (1,), "if T:\n    import a\nelse:\n    pass\n"),
    ("if T:\n    import a\nelif U:\n    import b\n", (1,), "if T:\n    import a\nelif U:\n    pass\n"),
    ("if T():\n    if U.x == 'y':\n        import a\n", (0,), "if T():\n    pass\n"),
    ("if T:\n    if U:\n        import a\n    pass\ny = 1\n", (0,), "y = 1\n"),
    ("def f():\n    import a\n", (0,), "def f():\n    pass\n"),
    ("def f():\n    '''Of f.'''\n    import a\n", (0,), "def f():\n    '''Of f.'''\n"),
    ("def f():\n    if T:\n        import a\n", (0,), "def f():\n    if T:\n        pass\n"),
    ("def f(): import a\n", (0,), "def f(): pass\n"),
    ("try:\n    import a\nfinally:\n    y = 1\n", (0,), "try:\n    pass\nfinally:\n    y = 1\n"),
    ("with y:\n    import a\n    import b\n", (0, 1), "with y:\n    pass\n"),
    ("match y:\n    case 1:\n        import a\n", (0,), "match y:\n    case 1:\n        pass\n"),
    ("import a\r\nimport b\r\n", (0,), "import b\r\n"),
    ("from x import (\r\n    a,\r\n    b,\r\n)\r\n", (0,), "from x import (\r\n    b,\r\n)\r\n"),
    ("import a\rimport b\ry = 1\r", (0,), "import b\ry = 1\r"),
    ("y = 1\n\x0cimport a\nz = 1\n", (0,), "y = 1\n\x0c\nz = 1\n"),
    ("\ufeffimport a\nimport b\n", (0,), "\ufeffimport b\n"),
    ("from é import ü, 名前 as ñ, z  # 語\n", (1,), "from é import ü, z  # 語\n"),
    ("é = '名'; from x import a, b\n", (0,), "é = '名'; from x import b\n"),
    ("if T:\n\timport a\n\timport b\n", (0,), "if T:\n\timport b\n"),
    ("from x import *\nimport b\n", (0,), "import b\n"),
    ("x = 1\n\nimport a\n\n\ny = 1\n", (0,), "x = 1\n\n\ny = 1\n"),
    ("x = 1\n\nimport a\nimport b\n\ny = 1\n", (0, 1), "x = 1\n\ny = 1\n"),
    ("x = 1\nimport a\n\ny = 1\n", (0,), "x = 1\n\ny = 1\n"),
    ("import a\n\ny = 1\n", (0,), "y = 1\n"),
    ("x = 1\r\n\r\nif T:\r\n    import a\r\n\r\ny = 1\r\n", (0,), "x = 1\r\n\r\ny = 1\r\n"),
]


@pytest.mark.parametrize(("before", "positions", "after"), DROPS)
def test_dropping_imports(before: str, positions: tuple[int, ...], after: str) -> None:
    assert changed(before, *drop(*positions)) == after


def to(position: int, home: str, name: str, written: str = "") -> Redirect:
    return Redirect(position, home, written or home, name)


REDIRECTS = [
    ("from x import a\n", [to(0, "y", "a")], "from y import a\n"),
    ("from x import a  # why\n", [to(0, "y", "a")], "from y import a  # why\n"),
    ("from x import (\n    a,  # why\n)\n", [to(0, "y", "a")], "from y import (\n    a,  # why\n)\n"),
    ("from x import a, b\n", [to(0, "y", "a"), to(1, "y", "b")], "from y import a, b\n"),
    ("from x import a, b\n", [to(0, "y", "a")], "from x import b\nfrom y import a\n"),
    ("from x import a, b\n", [to(0, "y", "a"), to(1, "z", "b")], "from y import a\nfrom z import b\n"),
    ("from x import a\n", [to(0, "y", "b")], "from y import b as a\n"),
    ("from x import a as c\n", [to(0, "y", "b")], "from y import b as c\n"),
    ("from x import a as b\n", [to(0, "y", "b")], "from y import b\n"),
    ("from x import a as a, b\n", [to(0, "y", "a")], "from x import b\nfrom y import a as a\n"),
    ("from .x import a\n", [to(0, "a.y", "a", ".y")], "from .y import a\n"),
    ("from .x import a\n", [to(0, "a", "a", ".")], "from . import a\n"),
    ("from.x import a\n", [to(0, "y", "a")], "from y import a\n"),
    ("from .import a\n", [to(0, "y", "a")], "from y import a\n"),
    ("from x \\\n    import a\n", [to(0, "y", "a")], "from y \\\n    import a\n"),
    (
        "from x import a, b  # noqa: F401\n",
        [to(0, "y", "a")],
        "from x import b  # noqa: F401\nfrom y import a  # noqa: F401\n",
    ),
    (
        "from x import (\n    a,  # noqa\n    b,\n)\n",
        [to(0, "y", "a")],
        "from x import (\n    b,\n)\nfrom y import a  # noqa\n",
    ),
    ("if T():\n    from x import a, b\n", [to(0, "y", "a")], "if T():\n    from x import b\n    from y import a\n"),
    ("if T: from x import a, b\n", [to(0, "y", "a")], "if T: from x import b; from y import a\n"),
    ("from x import a, b; z = 1\n", [to(0, "y", "a")], "from x import b; from y import a; z = 1\n"),
    ("from x import a, b\r\nz = 1\r\n", [to(0, "y", "a")], "from x import b\r\nfrom y import a\r\nz = 1\r\n"),
    ("from x import a, b", [to(0, "y", "a")], "from x import b\nfrom y import a"),
    ("from y import c\nfrom x import e\n", [to(1, "y", "e")], "from y import c, e\n"),
    ("from x import a\nfrom y import c\n", [to(0, "y", "a")], "from y import a, c\n"),
    ("from y import c\nfrom x import a as d\n", [to(1, "y", "b")], "from y import b as d, c\n"),
    ("from y import a\nfrom x import a\n", [to(1, "y", "a")], "from y import a\n"),
    ("from y import (\n    c,\n)\nfrom x import e\n", [to(1, "y", "e")], "from y import (\n    c,\n    e,\n)\n"),
    (
        "from y import (\n    c,\n    d  # last\n)\nfrom x import e\n",
        [to(2, "y", "e")],
        "from y import (\n    c,\n    d,  # last\n    e\n)\n",
    ),
    (
        "from y import (\n    c,  # first\n    e  # last\n)\nfrom x import d, a\n",
        [to(2, "y", "d"), to(3, "y", "a")],
        "from y import (\n    a,\n    c,  # first\n    d,\n    e  # last\n)\n",
    ),
    (
        "from y import (\n    # of c\n    c,\n)\nfrom x import a\n",
        [to(1, "y", "a")],
        "from y import (\n    # of c\n    c,\n    a,\n)\n",
    ),
    ("from y import (c,\n    d)\nfrom x import e\n", [to(2, "y", "e")], "from y import (c,\n    d,\n    e)\n"),
    ("from y import a, \\\n    c\nfrom x import b\n", [to(2, "y", "b")], "from y import a, \\\n    b, c\n"),
    ("from y import (d, c)\nfrom x import a\n", [to(2, "y", "a")], "from y import (d, c, a)\n"),
    ("from .y import c\nfrom .x import a\n", [to(1, "a.y", "a", ".y")], "from .y import a, c\n"),
    ("from y import *\nfrom x import a\n", [to(1, "y", "a")], "from y import *\nfrom y import a\n"),
    ("from y import c\nz = 1\nfrom x import a\n", [to(1, "y", "a")], "from y import c\nz = 1\nfrom y import a\n"),
    (
        "from y import c\nif T():\n    from x import a\n",
        [to(1, "y", "a")],
        "from y import c\nif T():\n    from y import a\n",
    ),
    (
        "from x import a, b\nfrom x import c, d\n",
        [to(0, "y", "a"), to(2, "y", "c")],
        "from x import b\nfrom x import d\nfrom y import a, c\n",
    ),
]


@pytest.mark.parametrize(("before", "changes", "after"), REDIRECTS)
def test_redirecting_imports(before: str, changes: list[Change], after: str) -> None:
    assert changed(before, *changes) == after


EXPORTS = [
    ("__all__ = ['x', 'y']\n", "x", "__all__ = ['y']\n"),
    ("__all__ = ['x', 'y']\n", "y", "__all__ = ['x']\n"),
    ("__all__ = ['x']\n", "x", "__all__ = []\n"),
    ("__all__ = ('x', 'y')\n", "y", "__all__ = ('x',)\n"),
    ("__all__ = ('x', 'y')\n", "x", "__all__ = ('y',)\n"),
    ("__all__ = ('x', 'y', 'z')\n", "z", "__all__ = ('x', 'y')\n"),
    ("__all__ = ('x',)\n", "x", "__all__ = ()\n"),
    ('__all__ = [\n    "x",  # one\n    "y",\n]\n', "x", '__all__ = [\n    "y",\n]\n'),
    ("__all__ = ['x'] + ['y']\n", "y", "__all__ = ['x'] + []\n"),
    ("__all__ = ['x']\n__all__ += ['y', 'z']\n", "y", "__all__ = ['x']\n__all__ += ['z']\n"),
    ("__all__ = ['x', *b.__all__, 'y']\n", "y", "__all__ = ['x', *b.__all__]\n"),
    ("__all__ = list(['x', 'y'])\n", "x", "__all__ = list(['y'])\n"),
]


@pytest.mark.parametrize(("before", "name", "after"), EXPORTS)
def test_dropping_exports(before: str, name: str, after: str) -> None:
    assert changed(f"import b\n{before}x = y = z = 1\n", DropExport(name)) == f"import b\n{after}x = y = z = 1\n"


IGNORES = [
    ("import a  # layercheck: ignore[x, y] why\n", "x", "import a  # layercheck: ignore[y] why\n"),
    ("import a  # layercheck: ignore[x, y] why\n", "", "import a\n"),
    ("import a  # layercheck: ignore[x] why\n", "x", "import a\n"),
    ("import a  # layercheck: ignore why\n", "", "import a\n"),
    ("import a  # layercheck: ignore[x] why  # noqa\n", "x", "import a  # noqa\n"),
    ("import a  # noqa  # layercheck: ignore[x] why\n", "x", "import a  # noqa\n"),
    ("# layercheck: ignore[x] why\nimport a\n", "x", "import a\n"),
    ("import a  # layercheck: ignore[x] why", "x", "import a"),
]


@pytest.mark.parametrize(("before", "code", "after"), IGNORES)
def test_dropping_ignores(before: str, code: str, after: str) -> None:
    content = before.encode()
    index = next(i for i, one in enumerate(extract(content).comments) if one.tool == "layercheck")
    assert changed(before, DropIgnore(index, code)) == after


def test_an_ignore_goes_with_its_statement() -> None:
    text = "import a  # layercheck: ignore[x] why\ny = 1\n"
    assert changed(text, DropImport(0), DropIgnore(0, "x")) == "y = 1\n"


def test_what_is_put_in_stays_beside_what_goes() -> None:
    text = "import a; from x import b, c; import d\n"
    assert changed(text, to(1, "y", "b"), DropImport(3)) == "import a; from x import c; from y import b\n"


def test_an_empty_block_goes_unless_its_test_does_something() -> None:
    span = Span(1, 1, 2, 9)
    assert changed("if T:\n    pass\ny = 1\n", DropBlock(span)) == "y = 1\n"
    with pytest.raises(EditError, match="--unsafe"):
        changed("if T():\n    pass\ny = 1\n", DropBlock(Span(1, 1, 2, 9)))
    assert changed("if T():\n    pass\ny = 1\n", DropBlock(span, unsafe=True)) == "y = 1\n"


def test_a_text_is_rewritten_where_it_is_written_out_once() -> None:
    span = Span(1, 5, 1, 10)
    assert changed("x = 'a.b'\n", Rewrite(span, "a.b", "a.c.d")) == "x = 'a.c.d'\n"
    assert changed("x = 'a.b'; y = x\n", Rewrite(span, "a.b", "a.c", ("x", 2))) == "x = 'a.c'; y = x\n"
    with pytest.raises(EditError, match="not written out"):
        changed("x = 'a.b'\n", Rewrite(span, "a.d", "a.c"))
    with pytest.raises(EditError, match="x is read elsewhere too"):
        changed("x = 'a.b'; y = x; z = x\n", Rewrite(span, "a.b", "a.c", ("x", 2)))


ENCODED = [
    (
        "latin-1",
        "# coding: latin-1\nname = 'é'\nimport a, b  # ü\n",
        (0,),
        "# coding: latin-1\nname = 'é'\nimport b  # ü\n",
    ),
    (
        "cp1252",
        "# -*- coding: cp1252 -*-\nx = '€'; import a; import b\n",
        (0,),
        "# -*- coding: cp1252 -*-\nx = '€'; import b\n",
    ),
    (
        "shift_jis",
        "# coding: shift_jis\nx = '名'; import a; y = '前'\n",
        (0,),
        "# coding: shift_jis\nx = '名'; y = '前'\n",
    ),
    ("utf-8-sig", "import a\nx = '名'\n", (0,), "x = '名'\n"),
]


@pytest.mark.parametrize(("encoding", "before", "positions", "after"), ENCODED)
def test_a_file_is_edited_in_its_own_encoding(
    encoding: str, before: str, positions: tuple[int, ...], after: str
) -> None:
    content = before.encode(encoding)
    assert rewrite(content, extract(content), "a", drop(*positions))[0] == after.encode(encoding)


def test_what_an_encoding_cannot_say_is_refused() -> None:
    content = "# coding: latin-1\nfrom x import a\n".encode("latin-1")
    with pytest.raises(EditError, match="latin-1 has no"):
        rewrite(content, extract(content), "a", [to(0, "名", "a")])


def test_an_encoding_with_states_is_refused() -> None:
    content = "# coding: iso2022_jp\nx = '名'; import a; y = '前'\n".encode("iso2022_jp")
    edited = rewrite(content, extract(content), "a", drop(0))[0]
    assert edited.decode("iso2022_jp") == "# coding: iso2022_jp\nx = '名'; y = '前'\n"


UNTOUCHABLE = [
    ("__all__ = ['x']\n__all__.append('y')\nx = y = 1\n", DropExport("y")),
    ("__all__ = 'x', 'y'\nx = y = 1\n", DropExport("y")),
    ("__all__ = 'x y'.split()\nx = y = 1\n", DropExport("y")),
    ("__all__ = ['x', 'y' 'z']\nx = yz = 1\n", DropExport("yz")),
]


@pytest.mark.parametrize(("text", "change"), UNTOUCHABLE)
def test_what_cannot_be_taken_apart_is_refused(text: str, change: Change) -> None:
    with pytest.raises(EditError):
        changed(text, change)


def test_a_package_is_not_emptied() -> None:
    content = b'"""Of a."""\nfrom x import y\n__all__ = ["y"]\n'
    with pytest.raises(EditError, match="nothing would be left"):
        rewrite(content, extract(content), "a", [DropImport(0), DropExport("y")], keep_something=True)


DIFFS = {
    "plain.py": (b"import a\nx = 1\n", b"x = 1\n"),
    "no newline.py": (b"import a\nx = 1", b"x = 1"),
    "crlf.py": (b"import a\r\nx = 1\r\n", b"x = 1\r\n"),
    "latin.py": (b"# coding: latin-1\nimport a  # \xe9\nx = '\xe9'\n", b"# coding: latin-1\nx = '\xe9'\n"),
    "sub/na\u00efve.py": (b"import a\n" * 30 + b"import b\n", b"import a\n" * 30),
    'od"d\\.py': (b"import a\n", b""),
}


def test_a_diff_can_be_applied(tmp_path: Path) -> None:
    for path, (old, _) in DIFFS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(old)
    done = subprocess.run(
        ["git", "apply", "-"], cwd=tmp_path, input=unified(DIFFS), capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert {path: (tmp_path / path).read_bytes() for path in DIFFS} == {path: new for path, (_, new) in DIFFS.items()}


def test_files_that_are_the_same_leave_no_trace() -> None:
    assert unified({"a.py": (b"x\n", b"x\n")}) == b""
