"""Outlines: the top level statement by statement, what a statement takes from around it, and tokens."""

from __future__ import annotations

import sys
from textwrap import dedent

import pytest

from layercheck.extract import needs, outline, tokens
from layercheck.outline import Statement


def statements(source: str) -> list[Statement]:
    found = outline(dedent(source).encode())
    assert not found.failure
    return [*found.statements]


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ('"""doc"""\n"not one"', [("docstring", ()), ("other", ())]),
        ("import a.b, c as d", [("import", ("a", "d"))]),
        ("from a import b as c, d", [("import", ("c", "d"))]),
        ("x = 1", [("constant", ("x",))]),
        ("x: int = 1", [("constant", ("x",))]),
        ("x: int", [("other", ())]),
        ("x = y = 1", [("constant", ("x", "y"))]),
        ("x, (y) = 1, 2", [("constant", ("x", "y"))]),
        ("x.y = 1", [("other", ())]),
        ("x += 1", [("other", ())]),
        ("__all__ = ['x']", [("exports", ())]),
        ("__all__ += ['x']", [("exports", ())]),
        ("__all__.append('x')", [("exports", ())]),
        ("class C: ...", [("class", ("C",))]),
        ("async def f(): ...", [("function", ("f",))]),
        ("for x in y: z = 1", [("other", ())]),
        ("if a:\n    x = 1\nelif b:\n    pass", [("constant", ("x",)), ("pass", ())]),
        ("try:\n    import a\nexcept E:\n    a = None\nelse:\n    b = 1\nfinally:\n    c = 1", None),
    ],
)
def test_kinds_and_names(source: str, kinds: list[tuple[str, tuple[str, ...]]] | None) -> None:
    found = [(one.kind, one.names) for one in statements(source)]
    wanted = kinds or [("import", ("a",)), ("constant", ("a",)), ("constant", ("b",)), ("constant", ("c",))]
    assert found == wanted


def test_guards_are_the_headers_from_outside_in() -> None:
    source = """\
        if a:
            try:
                import b
            except (E, F):
                b = None
        else:
            with c as d:
                x = 1
    """
    assert [one.guards for one in statements(source)] == [
        ("if a", "try"),
        ("if a", "except (E, F)"),
        ("else of if a", "with c as d"),
    ]
    assert {one.block for one in statements(source)} == {1}


def test_lines_take_in_decorators_and_the_comment_right_above() -> None:
    source = """\
        #!/usr/bin/env python
        # coding: utf-8
        # header
        import a

        # apart

        # above
        # it
        @dec
        @dec.two(1)
        def f():
            return 1  # here
        # below
    """
    found = statements(source)[1]
    assert (found.first, found.start, found.last) == (8, 10, 13)
    assert found.decorators == ("dec", "dec.two")
    assert statements("# coding: utf-8\nx = 1\n")[0].first == 2


@pytest.mark.parametrize(
    ("source", "lasts"),
    [
        ('x = 1\n"""doc\nof x"""\ny = 2', [3, 4]),
        ('x: int = (\n1)\n"doc"', [3]),
        ('if a:\n    x = 1\n    "doc"\nelse:\n    x = 2\n    "doc"', [3, 6]),
        ('x = 1\n\n"apart"', [1, 3]),
        ('x = 1; "beside"', [1, 1]),
        ('def f(): ...\n"of none"', [1, 2]),
        ('"the module"\n"of none"', [1, 2]),
        ('x = 1\nb"bytes"', [1, 2]),
    ],
)
def test_a_text_right_below_a_constant_is_a_part_of_it(source: str, lasts: list[int]) -> None:
    assert [one.last for one in statements(source)] == lasts


@pytest.mark.parametrize(
    ("source", "alone"),
    [
        ("x = 1  # c", True),
        ("x = 1; y = 2", False),
        ("if a: x = 1", False),
        ("if a:\n    x = 1", True),
        ("@dec\ndef f(): ...", True),
        ("é = 'é'  # é", True),
    ],
)
def test_alone_on_its_lines(source: str, alone: bool) -> None:
    assert {one.alone for one in statements(source)} == {alone}


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ("1", True),
        ("-1 << 2", True),
        ("('a', (1,))", True),
        ("[]", False),
        ("f()", False),
        ("{1}", False),
        ("y", False),
    ],
)
def test_literals_are_equal_wherever_they_are(value: str, literal: bool) -> None:
    assert statements(f"x = {value}")[0].literal is literal


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("if a:\n    import b\nelse:\n    b = None", True),
        ("if a:\n    import b\nelse:\n    b = f()", False),
        ("if a:\n    b = None", False),
        ("try:\n    from a import b\nexcept E:\n    pass", True),
        ("with a:\n    def f(): ...", False),
    ],
)
def test_blocks_of_imports(source: str, imports: bool) -> None:
    assert [block.imports for block in outline(source.encode()).blocks] == [imports]


@pytest.mark.parametrize("content", [b"def f(:", b"\xff\xfe", b"x = '\x00'", b"print 1"])
def test_what_cannot_be_parsed_has_a_failure(content: bytes) -> None:
    found = outline(content)
    assert found.failure
    assert not found.statements
    assert needs(content, [1]) == {}


def test_deep_sources_are_read_or_refused() -> None:
    deep = b"x = " + b"1 + " * 20_000 + b"1\n"
    assert outline(deep).failure or [one.names for one in outline(deep).statements] == [("x",)]


def names_of(source: str, line: int = 1) -> dict[str, tuple[set[str], bool]]:
    found = needs(dedent(source).encode(), [line])[line]
    return {one.name: (set(one.chains), one.eager) for one in found.names}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(a, b=c):\n    d = a\n    return d, e", {"c": True, "e": False}),
        ("def f(a: T) -> 'U': ...", {"T": True, "U": False}),
        ("class C(B):\n    x = y\n    def f(self): return x, C", {"B": True, "y": True, "x": False, "C": False}),
        ("class C:\n    x = x", {"x": True}),
        ("class C:\n    x = 1\n    y = x | x.z\n    def f(self): return y", {"y": False}),
        ("class C:\n    if t: x = 1\n    y = x", {"t": True, "x": True}),
        ("class C:\n    y = x\n    x = 1\n    z = x", {"x": True}),
        ("class C:\n    x = 1\n    del x\n    z = x", {"x": True}),
        ("class C:\n    def x(self): ...\n    y = x(z)", {"z": True}),
        ("x = [y for y in z]", {"z": True}),
        ("x = lambda y: y + z", {"z": False}),
        ("@d\ndef f(): global g", {"d": True}),
        ("def f():\n    import a\n    return a, __name__", {"__name__": False}),
        ("@patch.object(m.a, 'b')\ndef f(): ...", {"patch": True, "m": True}),
        ("def f():\n    with patch.object(m, 'b'): pass", {"patch": False, "m": False}),
    ],
)
def test_free_names(source: str, names: dict[str, bool]) -> None:
    assert {name: eager for name, (_, eager) in names_of(source).items()} == names


@pytest.mark.parametrize(
    ("source", "tested"),
    [
        ("def f(): return 1 if a else 2", {"a"}),
        ("def f():\n    if not a or (b and c): pass\n    while d: assert e", {"a", "b", "c", "d", "e"}),
        ("def f(): return a and b, [x for x in y if c]", {"a", "c"}),
        ("def f():\n    if a: return a\n    if b.c: return 1", set()),
        ("def f():\n    if a == 1: pass", set()),
    ],
)
def test_names_of_which_only_the_truth_counts(source: str, tested: set[str]) -> None:
    assert {one.name for one in needs(source.encode(), [1])[1].names if one.tested} == tested


def test_chains_and_imports_of_a_statement() -> None:
    source = "def f():\n    from ..a import b as c\n    import d.e\n    return x.y.z, x, c, d\n"
    assert names_of(source) == {"x": ({"y.z", ""}, False)}
    found = needs(source.encode(), [1])[1]
    assert [(one.module, one.level, one.name, one.bound, one.line) for one in found.imports] == [
        ("a", 2, "b", "c", 2),
        ("d.e", 0, "", "d", 3),
    ]


@pytest.mark.parametrize(
    ("body", "word"),
    [("global n; n = 1", "global n"), ("return globals()[n]", "globals()"), ("return eval(n)", "eval")],
)
def test_what_makes_a_statement_unclear(body: str, word: str) -> None:
    (why,) = needs(f"def f(n):\n    {body}\n".replace("f(n)", "f()" if "global " in body else "f(n)").encode(), [1])[
        1
    ].unclear
    assert word in why


def test_tokens_are_the_same_whatever_the_layout() -> None:
    def plain(text: str) -> list[tuple[str, str]]:
        return [(one.kind, one.text) for one in tokens(text.encode()) or ()]

    assert plain("f(1, 2)\n") == plain("f(1,\n\n  2)\n")
    assert plain("if a:\n    b\n") == plain("if a:\n        b\n")
    assert plain("if a:\n    b\nc\n") != plain("if a:\n    b\n    c\n")
    assert plain("a\nb\n") != plain("a, b\n")
    assert plain("a  # x\n") != plain("a\n")
    assert tokens(b"(") is None or tokens(b"(") == tokens(b"( ")
    assert tokens(b"\xff") is None


LOOKING = ["bool", "callable", "float", "getattr", "hasattr", "hash", "id", "int", "isinstance", "issubclass", "len"]
LOOKING += ["print", "repr", "str", "super", "type"]


@pytest.mark.parametrize("name", LOOKING)
def test_builtins_that_only_look(name: str) -> None:
    assert needs(f"X = {name}(x)".encode(), [1])[1].touched == set()


@pytest.mark.parametrize(
    ("source", "touched", "reset"),
    [
        ("X = f(x)", {"x"}, set()),
        ("X = f(*x, y=z)", {"x", "z"}, set()),
        ("X = x.f()", {"x"}, set()),
        ("X = x.y.f(1)", {"x"}, set()),
        ("X = len(x.y)", set(), set()),
        ("X = x + y", set(), set()),
        ("x[0] = 1", {"x"}, {"x"}),
        ("x.y[0].z = 1", {"x"}, {"x.y"}),
        ("x.y.z = 1", {"x"}, {"x.y.z"}),
        ("del x.y", {"x"}, {"x.y"}),
        ("f().y = 1", set(), set()),
        ("x += 1", {"x"}, set()),
        ("for y in x: pass", {"x"}, set()),
        ("X = [y for y in x]", {"x"}, set()),
        ("@x\ndef f(): y.z()", {"x"}, set()),
        ("def f(a=x.y()): y.z()", {"x"}, set()),
        ("X = lambda a=x.y(): y.z()", {"x"}, set()),
        ("class C:\n    x.y()\n    def f(self): z.y()", {"x"}, set()),
        ("@x\nclass C: pass", {"x"}, set()),
        ("if a:\n    x.y = 1", {"x"}, {"x.y"}),
    ],
)
def test_what_a_statement_may_change(source: str, touched: set[str], reset: set[str]) -> None:
    found = needs(source.encode(), [1])[1]
    assert (set(found.touched), set(found.reset)) == (touched, reset)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is newer than this Python")
def test_except_star_is_taken_apart() -> None:
    assert [(one.kind, one.guards) for one in statements("try:\n    x = 1\nexcept* E:\n    def f(): ...")] == [
        ("constant", ("try",)),
        ("function", ("except* E",)),
    ]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements (PEP 695) are newer than this Python")
def test_a_type_is_a_constant() -> None:
    assert [(one.kind, one.names) for one in statements("type X = int")] == [("constant", ("X",))]
