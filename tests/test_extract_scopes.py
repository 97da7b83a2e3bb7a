"""Scopes: which names a file reads from its module's scope, and which while it is imported. CPython's own scope
analysis (the standard library's ``symtable``) is the judge."""

from __future__ import annotations

import ast
import symtable
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from layercheck.extract import extract
from tests.extracting import facts

BUILT_IN = {"range", "print", "property", "int", "len", "list", "locals", "super", "staticmethod"}

USES = [
    # source, names read, those read while the module is imported
    ("a", "a", "a"),
    ("def f(): a", "a", ""),
    ("def f(a): a", "", ""),
    ("def f(a=b): a", "b", "b"),
    ("def f(*, a=b, **c): c", "b", "b"),
    ("def f(*a, b: c) -> d: a", "c d", "c d"),
    ("from __future__ import annotations\ndef f(b: c) -> d: e", "c d e", ""),
    ("def f(): a = 1; a", "", ""),
    ("def f():\n  a\n  a = 1", "", ""),
    ("def f():\n  for a in b: c", "b c", ""),
    ("def f():\n  with a as b: b", "a", ""),
    ("def f():\n  try: pass\n  except a as b: b", "a", ""),
    ("def f():\n  import a.b, c as d\n  a, d, c", "c", ""),
    ("def f():\n  global a\n  a = 1\n  a", "a", ""),
    ("def f():\n  a = 1\n  def g():\n    nonlocal a\n    a = 2\n    a", "", ""),
    ("def f():\n  a = 1\n  def g(): a", "", ""),
    ("def f():\n  def g(): a\n  a = 1", "", ""),
    ("def f():\n  global a\n  def g(): a", "a", ""),
    ("def f():\n  a = 1\n  class C:\n    a\n    def m(self): a", "", ""),
    ("class C:\n  a = 1\n  def m(self): a", "a", ""),
    ("class C:\n  a = 1\n  b = a", "a", "a"),
    ("class C:\n  a = 1\n  b = [a for x in a]", "a", "a"),
    ("class C:\n  a = 1\n  b = lambda: a", "a", ""),
    ("class C(a, metaclass=b): pass", "a b", "a b"),
    ("@a\nclass C: pass", "a", "a"),
    ("@a(b)\ndef f(): pass", "a b", "a b"),
    ("[a for a in b]", "b", "b"),
    ("[a for b in c if d for a in b]", "c d", "c d"),
    ("[a for a in a]", "a", "a"),
    ("{a: b for a in c}", "b c", "b c"),
    ("(a for b in c)", "a c", "a c"),
    ("def f(): return [x := a for a in b], x", "b", ""),
    ("[x := a for a in b]; x", "b x", "b x"),
    ("lambda a, b=c: (a, b, d)", "c d", "c"),
    ("(lambda: (a := 1, a))", "", ""),
    ("a.b.c", "a", "a"),
    ("a.b = 1", "a", "a"),
    ("a[b] = c", "a b c", "a b c"),
    ("a = 1", "", ""),
    ("a += 1", "a", "a"),
    ("a: b", "b", "b"),
    ("a: b = c", "b c", "b c"),
    ("def f():\n  a: b\n  a", "b", ""),
    ("del a", "a", "a"),
    ("f'{a} {b!r:{c}}'", "a b c", "a b c"),
    ("match a:\n  case b.c(d=e, f=1) if g: pass\n  case [h, *i]: pass", "a b g", "a b g"),
    ("match a:\n  case {1: j, **k}: pass\n  case _ as l: pass\n  case b.c: pass", "a b", "a b"),
    ("def f(x):\n  match x:\n    case [a, *b]: a, b\n    case {1: c, **d}: c, d\n    case e: e", "", ""),
    ("async def f():\n  async for a in b: await c\n  async with d as e: e", "b c d", ""),
    ("if __name__ == '__main__':\n  a", "__name__ a", "__name__"),
    ("import a\na", "a", "a"),
    ("def f():\n  def a(): pass\n  class b: pass\n  a, b", "", ""),
    ("print(a, *b, c=d, **e)", "a b d e", "a b d e"),
    ("a if b else c", "a b c", "a b c"),
    ("a[b:c:d]", "a b c d", "a b c d"),
    ("assert a, b", "a b", "a b"),
    ("raise a from b", "a b", "a b"),
    ("def f(): return (yield a), (yield from b)", "a b", ""),
    ("not a and b or -c < d", "a b c d", "a b c d"),
    ("{a: b, **c}, {d}, [*e]", "a b c d e", "a b c d e"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "uses", "eager"), USES)
def test_names_read_from_the_module(source: str, uses: str, eager: str) -> None:
    found = facts(source)
    assert " ".join(name for name in found.uses if name not in BUILT_IN) == uses
    assert " ".join(name for name in found.eager_uses if name not in BUILT_IN) == eager


GENERIC = [
    ("def f[T: a](x: T, y=b) -> c: return T, d", "a b c d", "b c"),
    ("class C[T: (a, b)](T, c):\n  x: T\n  def m(self): return T", "a b c", "c"),
    ("type X[T] = list[T, a]", "a", ""),
    ("type X = X", "X", ""),
    ("class C:\n  a = 1\n  def m[T: a](self): a", "a", ""),
    ("class C:\n  a = 1\n  type X = a", "a", ""),
    ("def f[T](x=T): pass", "T", "T"),
]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters (PEP 695) are newer than this Python")
@pytest.mark.parametrize(("source", "uses", "eager"), GENERIC)
def test_type_parameters(source: str, uses: str, eager: str) -> None:
    test_names_read_from_the_module(source, uses, eager)


TYPES = [
    ("def f(x: 'a.b', y: 'List[c]') -> 'd': pass", "List a c d"),
    ("x: 'a' = 1", "a"),
    ("x: Optional['a']", "Optional a"),
    ("x: Literal['a']", "Literal"),
    ("x: t.Literal['a', 'b']", "t"),
    ("x: Annotated['a', 'b', f('c')]", "Annotated a f"),
    ("x: 'Annotated[a, \"b\"]'", "Annotated a"),
    ("x: \"List['a']\"", "List a"),
    ("X = List['a']", "List a"),
    ("X = t.Dict[str, 'a.b']", "a str t"),
    ("X = Callable[['a'], 'b']", "Callable a b"),
    ("X = list['a']", "a list"),
    ("x = data['a']", "data"),
    ("x = DATA['a']", "DATA"),
    ("x = cast('a', b)", "a b cast"),
    ("x = t.cast('List[a]', 'b')", "List a t"),
    ("x = cast(a, 'b')", "a cast"),
    ("T = TypeVar('T', bound='a.b')", "TypeVar a"),
    ("T = TypeVar('T', 'a', 'b')", "TypeVar a b"),
    ("x = ForwardRef('a')", "ForwardRef a"),
    ("X = NewType('X', 'a')", "NewType a"),
    ("X = NamedTuple('X', [('f', 'a')])", "NamedTuple a f"),
    ("class C(Generic['a']): pass", "Generic a"),
    ("x: 'not an expression'", ""),
    ("x: '  a  '", "a"),
    ("x: TypeAlias = 'a.b'", "TypeAlias a"),
    ("x = 1  # type: List[a]", "List a"),
    ("x = 1  # type: ignore", ""),
    ("x = 1  # type: ignore[a]", ""),
    ("def f(x):\n  # type: (a) -> b\n  pass", "a b"),
    ("def f(x,  # type: a\n  y):\n  # type: (...) -> b\n  pass", "a b"),
    ("for x in y:  # type: a\n  pass", "a y"),
    ("with x as y:  # type: a\n  pass", "a x"),
    ("f(x, # type: a\n  y)", "a f x y"),
    ("'a'", ""),
    ("f('a')", "f"),
]


@pytest.mark.parametrize(("source", "uses"), TYPES)
def test_names_in_types(source: str, uses: str) -> None:
    found = facts(source)
    assert " ".join(name for name in found.uses if name != "...") == uses


def test_a_type_in_a_string_is_resolved_where_it_stands_and_read_late() -> None:
    found = facts("def f():\n  import a\n  x: 'a.b'\n  import c\n  def g(y: 'c'): pass\nimport d\nx: 'd.e'")
    assert {each.bound: each.used for each in found.imports} == {"a": True, "c": True, "d": True}
    assert found.uses == ("d",)
    assert found.eager_uses == ()
    assert [(each.name, each.attributes, each.span.line, each.span.column) for each in found.accesses] == [
        ("a", "b", 3, 6),
        ("c", "", 5, 12),
        ("d", "e", 7, 4),
    ]


# The judge


def _plain(source: str) -> str:
    """A source without what we read otherwise than ``symtable`` on purpose: types in strings, uses by ``del`` and by
    augmented assignment, annotations that are not evaluated. Comprehensions become generators, which no Python inlines:
    since 3.12 ``symtable`` tells their names as those of the scope around them."""
    tree = _GENERATORS().visit(ast.parse(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "!"
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [_plain_statement(statement) for statement in block])
    return ast.unparse(ast.fix_missing_locations(tree))


def _generator(transformer: ast.NodeTransformer, node: ast.ListComp | ast.SetComp | ast.DictComp) -> ast.GeneratorExp:
    transformer.generic_visit(node)
    element = ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
    return ast.GeneratorExp(element, node.generators)


_GENERATORS = type(
    "_Generators",
    (ast.NodeTransformer,),
    {f"visit_{kind}": _generator for kind in ("ListComp", "SetComp", "DictComp")},
)


def _plain_statement(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.AugAssign):
        return ast.Assign([node.target], node.value)
    if isinstance(node, ast.Delete) or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
        return ast.Pass()
    return node


def _judged(source: str) -> tuple[set[str], set[str]]:
    """The names that a source surely reads from its module's scope, and those that it may (class bodies)."""
    surely: set[str] = set()
    maybe: set[str] = set()
    tables = [symtable.symtable(source, "", "exec")]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        for symbol in table.get_symbols():
            if symbol.is_referenced():
                # symtable takes a function called ``top`` for the module: there, locals are said to be global too
                if table.get_type() == "module" or (symbol.is_global() and not symbol.is_local()):
                    surely.add(symbol.get_name())
                elif table.get_type() == "class":
                    maybe.add(symbol.get_name())
    return _comparable(surely), _comparable(maybe)


def _comparable(names: set[str]) -> set[str]:
    """Without the names that the compiler makes itself, or mangles."""
    return {name for name in names if name.isidentifier() and "__" not in name.strip("_")[1:] and name[:2] != "__"}


def _agrees(source: str) -> None:
    surely, maybe = _judged(source)
    found = extract(source.encode())
    assert found.failure is None
    uses = _comparable(set(found.uses))
    assert surely <= uses, surely - uses
    assert uses <= surely | maybe, uses - surely - maybe


@st.composite
def programs(draw: st.DrawFn, depth: int = 3) -> str:
    """Blocks of statements over few names, nested in functions, classes, comprehensions and lambdas."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        a, b, c = (draw(st.sampled_from("abc")) for _ in range(3))
        simple = [
            f"{a} = {b}",
            f"{a}.{b} = {c}",
            f"global {a}",
            f"nonlocal {a}",
            f"import {a}.x, y as {b}",
            f"for {a} in {b}: {c}",
            f"[{a} for {a} in {b} if {c}]",
            f"({a} := {b})",
            f"[({a} := {b}) for {c} in {b}]",
            f"lambda {a}, x={b}: ({a}, {c})",
            f"{{{a}: [{b} for {b} in {c}] for {b} in {a}}}",
            f"{a}: {b} = {c}",
            f"{a}: {b}",
            f"with {a} as {b}: {c}",
            f"del {a}",
        ]
        nesting = [f"def {a}({b}, x={c}) -> {a}:", f"class {a}({b}):", f"@{a}\ndef {b}():", f"if {a}:", f"while {a}:"]
        nesting.append(f"try: {a}\nexcept {b} as {c}:")
        chosen = draw(st.sampled_from(simple + (nesting if depth else [])))
        lines.append(chosen)
        if chosen in nesting:
            lines.extend("  " + line for line in draw(programs(depth=depth - 1)).splitlines())
    return "\n".join(lines)


@given(programs())
@settings(suppress_health_check=[HealthCheck.filter_too_much], max_examples=150)
def test_generated_programs_agree_with_the_compiler(source: str) -> None:
    try:
        plain = _plain(source)
        symtable.symtable(plain, "", "exec")
    except SyntaxError:
        assume(False)
    _agrees(plain)


LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[::4]


def test_the_standard_library_agrees_with_the_compiler() -> None:
    assert len(LIBRARY) > 30
    for path in LIBRARY:
        _agrees(_plain(path.read_text(encoding="utf-8")))
