"""Any bytes: what cannot be read says why and where; nothing raises, nothing is deep enough to end the interpreter."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.extract import extract
from layercheck.facts import ModuleFacts, ParseFailure

FAILURES = [
    # content, part of the message, line, column
    (b"import a\ndef (\n", "does not parse under Python 3", 2, 5),
    (b"import a\n  x = 1\n", "unexpected indent", 2, None),
    (b"print 'x'\n", "is Python 2, which layercheck does not read", 1, 1),
    ("é = = 1".encode(), "does not parse", 1, 5),
    (b"# caf\xe9\nimport a\n", "is not valid UTF-8 (byte 0xe9); save it as UTF-8, or declare its encoding", 1, 6),
    (b"import a\nx = '\xc3\xa9\xff'\n", "is not valid UTF-8 (byte 0xff)", 2, 7),
    (b"import a\r\n# \xff\n", "is not valid UTF-8", 2, 3),
    (b"x = '\xe2", "is not valid UTF-8", 1, 6),
    (b"# coding: ascii\nx = '\xe9'\n", "is not valid ascii, which it declares (byte 0xe9)", 2, 6),
    (b"# -*- coding: nope -*-\nimport a\n", "declares the encoding nope, which Python does not know", 1, 1),
    (b"#!/usr/bin/python\n# vim: set fileencoding=nope :\n", "declares the encoding nope", 2, 1),
    (b"# coding: hex\n", "declares the encoding hex, which Python does not know", 1, 1),
    (b"# coding: undefined\n", "which Python does not know", 1, 1),
    (b"# coding: utf-16\nimport a\n", "utf-16", 1, None),
    (b"# coding: cp037\nimport a\n", "declares the encoding cp037, but is not encoded in it", 1, 1),
    (b"\xef\xbb\xbf# coding: latin-1\n", "declares the encoding latin-1 but begins with a UTF-8 mark", 1, 1),
    ("import a".encode("utf-16"), "is encoded in UTF-16, which Python does not read; save it as UTF-8", 1, 1),
    ("import a".encode("utf-16-be"), "NUL", 1, 1),
    (b"\xfe\xff" + "import a".encode("utf-16-be"), "is encoded in UTF-16", 1, 1),
    ("import a".encode("utf-32"), "is encoded in UTF-32", 1, 1),
    (b"import a\nx = '\0'\n", "holds a NUL byte, which Python does not accept; remove it", 2, 6),
    (b"# coding: raw_unicode_escape\nx = '\\ud800'\n", "lone surrogates", 1, 1),
    (b"import a\nx = " + b"1" * 5000, "holds an integer of more than 4,300 digits, which Python does not read", 2, 1),
    (b"x = " + b"(" * 250 + b")" * 250, "too many nested parentheses", 1, None),
    (b"import a" + b".a" * 300, "nests too deeply for this Python", 1, 1),
    (b"from a" + b".a" * 300 + b" import b", "nests too deeply for this Python", 1, 1),
    (b"x = " + b"not " * 30_000 + b"1", "nests too deeply for this Python", 1, 1),
]


@pytest.mark.parametrize(("content", "message", "line", "column"), FAILURES, ids=[row[1][:40] for row in FAILURES])
def test_what_cannot_be_read_says_why_and_where(content: bytes, message: str, line: int, column: int | None) -> None:
    found = extract(content)
    assert found == ModuleFacts(failure=found.failure), "a file that cannot be read gives no facts"
    assert found.failure is not None
    assert message in found.failure.message
    assert "\n" not in found.failure.message
    assert found.failure.line == line
    assert column is None or found.failure.column == column


READ = [
    (b"", ""),
    (b"\n", ""),
    (b"import a", "a"),
    (b"\xef\xbb\xbfimport a\n", "a"),
    (b"\xef\xbb\xbf# coding: utf-8\nimport a\n", "a"),
    (b"# -*- coding: latin-1 -*-\nx = '\xe9'\nimport a\n", "a"),
    (b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n# \xe9\nimport a\n", "a"),
    (b"\n# coding: latin-1\n# \xe9\nimport a\n", "a"),
    (b"import a # coding: nope\n", "a"),
    (b"import a\n# coding: nope\n", "a"),
    (b"\n\n# coding: nope\nimport a\n", "a"),
    (b"\x0cimport a\n\x0c\nimport b\n", "a b"),
    (b"import a\r\nif a:\r\n    import b\r\n", "a b"),
    (b"import a\rif a:\r    import b\r", "a b"),
    (b"import a\\\n, b\n", "a b"),
    (b"x = '\\d'\nimport a", "a"),
    (b"# coding: unicode_escape\nx = '\\d'\nimport a", "a"),
]


@pytest.mark.parametrize(("content", "bound"), READ)
def test_what_python_reads_is_read(content: bytes, bound: str) -> None:
    found = extract(content)
    assert found.failure is None
    assert " ".join(each.bound for each in found.imports) == bound


LINES = [(b"", 0), (b"\n", 1), (b"x", 1), (b"x\n", 1), (b"x\n\n", 2), (b"x\r\ny", 2), (b"x\ry\r", 2), (b"x\x0c\n", 1)]


@pytest.mark.parametrize(("content", "lines"), LINES)
def test_lines(content: bytes, lines: int) -> None:
    assert extract(content).lines == lines


def test_columns_are_characters_whatever_the_encoding() -> None:
    for encoding in ("utf-8", "latin-1"):
        found = extract(f"# coding: {encoding}\néé = 'é'; import a\n".encode(encoding))
        assert [each.span.column for each in found.imports] == [18]


DEEP = {
    "20,000 terms": "import a\nx = " + " + ".join(["y"] * 20_000) + "\nimport b\n",
    "20,000 texts": "import a\nx = " + " + ".join(["'a.b'"] * 20_000) + "\nimport b\n",
    "150 brackets": "import a\nx = " + "(" * 150 + "y" + ")" * 150 + "\nimport b\n",
    "150 lists": "import a\nx = " + "[" * 150 + "y" + "]" * 150 + "\nimport b\n",
    "10,000 attributes": "import a\nx = y" + ".y" * 10_000 + "\nimport b\n",
    "5,000 calls": "import a\nx = y" + "()" * 5_000 + "\nimport b\n",
    "1,500 elifs": "import a\nif y: pass\n" + "elif y: z = 1\n" * 1_500 + "import b\n",
    "90 functions": "import a\n"
    + "".join(f"{' ' * depth}def f():\n" for depth in range(90))
    + " " * 90
    + "y\nimport b\n",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP.keys())
def test_deep_input_is_read_or_said_to_be_too_deep(source: str) -> None:
    limit = sys.getrecursionlimit()
    found = extract(source.encode())
    assert sys.getrecursionlimit() == limit
    if found.failure is not None:
        assert "too deeply" in found.failure.message
        assert sys.version_info >= (3, 12), "later Pythons bound the depth of syntax trees themselves"
    else:
        assert [each.bound for each in found.imports] == ["a", "b"]


def test_deep_input_does_not_end_the_interpreter() -> None:
    program = (
        "from layercheck.extract import extract\n"
        "for text in ('-' * 100_000 + '1', 'x' + '[0]' * 200_000, 'x' + '.x' * 400_000,\n"
        "              'lambda: ' * 50_000 + '1', '(' * 100_000,\n"
        "             'x = ' + ' or '.join(['a'] * 100_000), 'if x: ' * 1, '\\'' * 99_999, 'f(' * 180 + ')' * 180):\n"
        "    extract(text.encode())\n"
        "print('alive')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "alive\n"), run.stderr


def test_warnings_of_the_code_read_are_its_own() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert extract(b"x = '\\d'; 1 is 1; y: '\\d'\n").failure is None


# Laws

TOKENS = [
    "import ", "from ", ".", "..", "a", "b.c", "as ", "*", "(", ")", ",", "\n", "    ", "def f():\n", "class C:\n",
    "if ", "else:\n", "try:\n", "except ImportError:\n", "TYPE_CHECKING", ":", "=", "__all__", "[", "]", "'a.b'", "+=",
    "globals()", "['x']", "sys.modules", "[__name__]", "patch", "# noqa", "# layercheck: ignore[", "lambda: ", ":= ",
    "'''", "global ", "del ", "with ", "match ", "case ", "f'{", "}'", "__getattr__", "# type: ", "é", "\\\n",
    "@", "\0", "getattr(", "vars()", "import_module(", "return ",
    "async ", "await ", "yield ", "nonlocal ", "for ", "in ", "{", "}",
]  # fmt: skip
contents = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from(TOKENS), max_size=40).map(lambda parts: "".join(parts).encode()),
    st.tuples(
        st.sampled_from([b"# coding: ", b"\xef\xbb\xbf# coding: ", b"\n#coding="]),
        st.sampled_from(
            [
                b"utf-7",
                b"utf-16",
                b"latin-1",
                b"idna",
                b"punycode",
                b"unicode_escape",
                b"cp037",
                b"x",
                b"mbcs",
                b"rot13",
            ]
        ),
        st.binary(max_size=60),
    ).map(lambda parts: parts[0] + parts[1] + b"\n" + parts[2]),
)


@given(contents)
@settings(max_examples=300, deadline=None)
def test_extract_raises_nothing_and_always_says_the_same(content: bytes) -> None:
    found = extract(content)
    assert found == extract(content)
    failure = found.failure
    if failure is not None:
        assert isinstance(failure, ParseFailure)
        assert failure.line >= 1
        assert failure.column >= 1
        assert failure.message


@given(contents)
@settings(max_examples=200, deadline=None)
def test_what_python_compiles_is_never_unreadable(content: bytes) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.util.decode_source(content)  # compile passes over bytes in comments that are not UTF-8
            compile(content, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, LookupError):
        return
    assert extract(content).failure is None
