"""Commas that mean nothing: Python's own parser says what they change."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layercheck.extract.tokens import tokens
from layercheck.moves.commas import without_trailing
from tests.moving import explanation, tree, verified


def lightened(text: str) -> str:
    """A text without the commas that mean nothing."""
    found = without_trailing(tokens(text.encode()) or ())
    words = " ".join(one.text if one.kind != "layout" else "\n" for one in found)
    return "\n".join(line.strip() for line in words.split("\n"))


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("f(1,)", 1),
        ("a.f(\n    1,\n    2,\n)", 1),
        ("f(1)(2,)", 1),
        ("a[0](2,)", 1),
        ("(1,)", 0),
        ("f((1,),)", 1),
        ("(1, 2,)", 1),
        ("x = not (1,)", 0),
        ("[1,]", 1),
        ("x[1,]", 0),
        ("x[1, 2,]", 1),
        ("f()[1,]", 0),
        ("{1, 2,}", 1),
        ("{1: (2,),}", 0),
        ("(lambda a, b: 1,)", 0),
        ("f(lambda a, b: 1,)", 1),
        ("@f(1,)\ndef g(a,): pass", 2),
        ("print((yield), (1,),)", 1),
        ("_ (1,)", 0),
    ],
)
def test_only_commas_that_change_nothing_go(text: str, gone: int) -> None:
    left = lightened(text)
    assert ast.dump(ast.parse(left)) == ast.dump(ast.parse(text))
    assert text.count(",") - left.count(",") == gone


@pytest.mark.parametrize("text", ["f'{1,}'", "f'({x},)'", "f'{x[1,]}'", "f'{x:(,)}'"])
def test_in_an_f_string_a_comma_may_be_text_or_make_a_tuple(text: str) -> None:
    found = tokens(text.encode())
    assert found
    assert without_trailing(found) == list(found)


def _around(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.lists(inside, min_size=1, max_size=3).map(",".join)
    forms = st.sampled_from(
        ["({},)", "f({},)", "[{},]", "x[{},]", "{{{},}}", "({})", "x.y[0]({},)", "(lambda a, b: {},)"]
    )
    return st.builds(lambda form, text: form.format(text), forms, items)


@given(st.recursive(st.sampled_from(["1", "a", "'s'"]), _around, max_leaves=8))
def test_whatever_goes_changes_nothing(text: str) -> None:
    assert ast.dump(ast.parse(lightened(text))) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("pkg.pools.A(1, 2)", "pkg.base.A(\n    1,\n    2,\n)", "PASS"),
        ("print(pkg.pools.A, 1)", "print(\n    pkg.base.A,\n    1,\n)", "PASS"),
        ("pkg.pools.A(1, 2)", "pkg.base.A((1, 2))", "RESIDUAL"),
        ("x = (pkg.pools.A)", "x = (pkg.base.A,)", "RESIDUAL"),
        ("x[pkg.pools.A]", "x[pkg.base.A,]", "RESIDUAL"),
    ],
)
def test_a_line_may_be_parted_where_its_new_names_are_longer(before: str, after: str, verdict: str) -> None:
    definition = "def A(*given):\n    return given\n"
    old = tree(f"# file: pkg/__init__.py\n# file: pkg/pools.py\n{definition}\n\nB = 1\n")
    new = {**old, "pkg/pools.py": "B = 1\n", "pkg/base.py": definition}
    found = verified(
        {**old, "pkg/user.py": f"import pkg.pools\n\n{before}\n"},
        {**new, "pkg/user.py": f"import pkg.base\n\n{after}\n"},
    )
    assert found.verdict == verdict, explanation(found)
