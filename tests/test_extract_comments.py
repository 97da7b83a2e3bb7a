"""Comments that silence a checker, and the lines that each covers."""

from __future__ import annotations

import pytest

from layercheck.facts import Span
from tests.extracting import facts

WORDS = [
    # comment, tool, codes, reason
    ("# layercheck: ignore[cycles] because of it", "layercheck", ["cycles"], "because of it"),
    ("# layercheck: ignore[cycles, host-pools]", "layercheck", ["cycles", "host-pools"], ""),
    ("# layercheck: ignore", "layercheck", [], ""),
    ("# layercheck: ignore all of it", "layercheck", [], "all of it"),
    ("#layercheck:ignore[ a ]x", "layercheck", ["a"], "x"),
    ("# layercheck: ignore[]", "layercheck", [""], ""),
    ("# layercheck: ignore[a,]", "layercheck", ["a", ""], ""),
    ("# layercheck: ignore[a", "layercheck", ["[a"], ""),
    ("# why  # layercheck: ignore[a] so", "layercheck", ["a"], "so"),
    ("# layercheck: ignored", "layercheck", ["layercheck: ignored"], ""),
    ("# layercheck: ignore-next x", "layercheck", ["layercheck: ignore-next"], ""),
    ("# layercheck: disable[a] so", "layercheck", ["layercheck: disable"], ""),
    ("# layercheck: Ignore[a] so", "layercheck", ["layercheck: Ignore"], ""),
    ("# layercheck ignore[a] so", "layercheck", ["layercheck: ignore"], ""),
    ("# noqa", "noqa", [], ""),
    ("#NOQA", "noqa", [], ""),
    ("# noqa: F401", "noqa", ["F401"], ""),
    ("# noqa:F401,E501", "noqa", ["F401", "E501"], ""),
    ("# noqa: F401 E501", "noqa", ["F401", "E501"], ""),
    ("# NoQA: f401, e501 for a reason", "noqa", ["F401", "E501"], ""),
    ("# noqa : F401", "noqa", ["F401"], ""),
    ("# noqa F401", "noqa", [], ""),
    ("# noqa: because", "noqa", [], ""),
    ("# type: ignore # noqa: F401", "noqa", ["F401"], ""),
    ("# pylint: disable=cyclic-import", "pylint", ["cyclic-import"], ""),
    ("# pylint: disable=R0401, W0611", "pylint", ["R0401", "W0611"], ""),
    ("# pylint: disable=all", "pylint", [], ""),
    ("#pylint:disable=a # why", "pylint", ["a"], ""),
]


@pytest.mark.parametrize(("comment", "tool", "codes", "reason"), WORDS)
def test_words(comment: str, tool: str, codes: list[str], reason: str) -> None:
    (found,) = facts(f"import é; x = 1  {comment}").comments
    assert (found.tool, list(found.codes), found.reason) == (tool, codes, reason)
    assert (found.first, found.last) == (1, 1)
    assert found.span == Span(1, 18, 1, 18 + len(comment))


SILENT = [
    "x = 1  # layercheck: see docs/rules.md",
    "x = 1  # layercheck ignores this",
    "x = 1  # layercheck: ignores this",
    "x = 1  # layercheck: note that ignore[x] is one",
    "x = 1  # layercheck: a ignore[x]",
    "x = 1  # see layercheck",
    "x = 1  # noqaX",
    "x = 1  # a noqa",
    "x = 1  # noqa-file",
    "x = 1  # pylint: enable=a",
    "x = 1  # pylint: disable",
    "x = 1  # flake8: noqa",
    "x = '# noqa'",
    "x = '''\n# noqa\n'''",
    'x = """\\"""\n# noqa\n"""',
    "x = 'it\\'s # noqa'",
    "x = f'{y} # noqa'",
    "x = '\\\\' + '# noqa'",
    "# nothing",
]


@pytest.mark.parametrize("source", SILENT)
def test_no_comment(source: str) -> None:
    assert facts(source).comments == ()


def test_comments_between_strings_and_quotes_in_comments() -> None:
    found = facts("x = ('a'  # noqa: A1\n 'b')\n# it's\ny = 1  # noqa: A2\n# \"\"\"\nz = 1  # noqa: A3\n").comments
    assert [each.codes for each in found] == [("A1",), ("A2",), ("A3",)]


def test_one_line_may_hold_several() -> None:
    found = facts("import a  # noqa: F401 # pylint: disable=x,y # layercheck: ignore[z] w").comments
    assert [(each.tool, each.codes) for each in found] == [
        ("layercheck", ("z",)),
        ("noqa", ("F401",)),
        ("pylint", ("x", "y")),
    ]


WHOLE = [
    ("# ruff: noqa", ()),
    ("# flake8: noqa", ()),
    ("# ruff: noqa: F401", ("F401",)),
    ("# flake8: noqa: F401, E501", ("F401", "E501")),
    ("#flake8:NOQA", ()),
]


@pytest.mark.parametrize(("comment", "codes"), WHOLE)
def test_the_whole_file(comment: str, codes: tuple[str, ...]) -> None:
    (found,) = facts(f"import a\n{comment}\nimport b\n").comments
    assert (found.tool, found.codes, found.first, found.last) == ("noqa", codes, 1, 3)


def test_pylint_skips_a_whole_file() -> None:
    (found,) = facts("# pylint: skip-file\nimport a\n").comments
    assert (found.tool, found.codes, found.first, found.last) == ("pylint", (), 1, 2)


# Each comment says which lines it covers.
COVERED = """\
import a  # noqa: L1-1
from b import (  # noqa: L2-5
    c,
    d,
)
from b import (
    c,  # noqa: L7-7
    d,
    e, f,  # noqa: L9-9
)  # noqa: L6-10
x = f(
    1,  # noqa: L12-12
    # noqa: L13-13
)  # noqa: L11-14
if x:  # noqa: L15-15
    y = 1  # noqa: L16-16
elif z:  # noqa: L17-17
    pass
else:  # noqa: L19-19
    pass
@deco(  # noqa: L21-23
    1,
)  # noqa: L21-23
@other  # noqa: L24-24
def g(  # noqa: L25-27
    a,
):  # noqa: L25-27
    return 1  # noqa: L28-28
# noqa: L29-29
try:  # noqa: L30-30
    import q  # noqa: L31-31
except E:  # noqa: L32-32
    pass
finally:  # noqa: L34-34
    pass
import m; import n  # noqa: L36-36
s = '''
'''; t = (  # noqa: L37-40
    2
)  # noqa: L38-40
match x:  # noqa: L41-41
    case 1:  # noqa: L42-42
        pass
with (  # noqa: L44-46
    a as b,
):  # noqa: L44-46
    pass
class C(  # noqa: L48-50
    D,
):  # noqa: L48-50
    # noqa: L51-51
    x = 1
from d import e, \\
    f, \\
    g  # noqa: L53-55
"""


def test_covered_lines() -> None:
    expected = [line.partition("# noqa: L")[2] for line in COVERED.splitlines() if "# noqa: L" in line]
    source = "".join(line.partition(": L")[0] + "\n" for line in COVERED.splitlines())
    assert [f"{each.first}-{each.last}" for each in facts(source).comments] == expected


def test_lines_that_pylint_covers() -> None:
    source = """\
    # pylint: disable=a
    import b
    def f():
        x = 1
        # pylint: disable=c
        if x:
            # pylint: disable=d
            y = 1
            z = 2
        return x
    def g():  # pylint: disable=e
        import h

    # pylint: disable-next=i
    import j
    k = f(  # pylint: disable=l
        1)
    """
    found = {each.codes[0]: (each.first, each.last) for each in facts(source).comments}
    assert found == {"a": (1, 17), "c": (5, 10), "d": (7, 9), "e": (11, 12), "i": (15, 15), "l": (16, 17)}
