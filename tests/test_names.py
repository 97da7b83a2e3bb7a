"""Dotted-name arithmetic against importlib and against first principles."""

from __future__ import annotations

from importlib.util import resolve_name

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layercheck import names

component = st.sampled_from(["a", "b", "c", "pkg", "_x"])
dotted = st.lists(component, min_size=1, max_size=5).map(".".join)


@given(package=dotted, level=st.integers(1, 7), module=st.one_of(st.just(""), dotted))
def test_relative_names_agree_with_importlib(package: str, level: int, module: str) -> None:
    try:
        expected = resolve_name("." * level + module, package)
    except ImportError:
        expected = None
    assert names.resolve_relative(module, level, package) == expected


@given(dotted)
def test_an_absolute_name_is_itself(module: str) -> None:
    assert names.resolve_relative(module, 0, "pkg") == module


def test_a_relative_import_without_a_package_climbs_past_the_top() -> None:
    assert names.resolve_relative("a", 1, "") is None


@given(dotted)
def test_a_name_is_its_head_and_rest_its_parent_and_tail(name: str) -> None:
    assert names.join(names.head(name), names.rest(name)) == name
    assert names.join(names.parent(name), names.tail(name)) == name
    assert names.join(*names.split(name)) == name
    assert [*names.lineage(name)] == [name, *names.ancestors(name)]
    assert all(names.is_within(name, above) for above in names.lineage(name))


@given(dotted, dotted)
def test_what_is_below_is_a_child(package: str, inner: str) -> None:
    name = names.join(package, inner)
    child = names.below(name, package)
    assert names.parent(child) == package
    assert names.is_within(name, child)
    assert names.relative(name, package) == inner


@pytest.mark.parametrize(
    ("pattern", "fits", "does_not"),
    [
        ("a.b", ["a.b"], ["a", "a.b.c", "a.bc"]),
        ("a.*", ["a.b", "a.c"], ["a", "a.b.c", "ab.c"]),
        ("*.b", ["a.b", "x.b"], ["b", "a.x.b"]),
        ("a.**", ["a", "a.b", "a.b.c"], ["ab", "b.a"]),
        ("**.b", ["b", "a.b", "a.c.b"], ["bb", "b.a"]),
        ("a.**.c", ["a.c", "a.b.c", "a.b.b.c"], ["a.b", "a.bc"]),
        ("**", ["a", "a.b.c"], []),
        ("a.test_*", ["a.test_", "a.test_x"], ["a.tes", "a.test_x.y"]),
        ("a.*.c", ["a.b.c"], ["a.c", "a.b.b.c"]),
    ],
)
def test_patterns(pattern: str, fits: list[str], does_not: list[str]) -> None:
    assert [name for name in fits if not names.matches(name, pattern)] == []
    assert [name for name in does_not if names.matches(name, pattern)] == []


def test_a_pattern_takes_in_what_is_below() -> None:
    assert names.matches_within("a.b.c", "a.*")
    assert names.matches_within("a.b.c", "a.b")
    assert not names.matches_within("a", "a.*")


def test_the_nearest_name() -> None:
    assert names.nearest("shop.stok", ["shop.stock", "till"]) == "shop.stock"
    assert names.nearest("xyz", ["shop.stock"]) is None
    assert names.nearest("p.A", ["p.a", "p.b"]) == "p.a"
    assert names.nearest("stock", ["shop.stock", "shop.till"]) == "shop.stock"
    assert names.nearest("b", ["a.b", "c.b"]) is None
    assert names.is_dotted_name("a.b_1")
    assert not names.is_dotted_name("a..b")
    assert not names.is_dotted_name("")


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        *((text, True) for text in ("a", "a.b", "*", "a.**", "a.b*.c")),
        *((text, False) for text in ("", "a.", "a b", ".a", "a.1", "a..b", "a/*")),
    ],
)
def test_names_and_patterns(text: str, fine: bool) -> None:
    assert names.is_name_or_pattern(text) == fine
