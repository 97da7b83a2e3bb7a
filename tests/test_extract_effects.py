"""What a module does while it is imported, besides binding names: the line of the first statement that may do more."""

from __future__ import annotations

import sys

import pytest

from layercheck.extract.effects import first_effect

BUILTINS = [
    "abs",
    "bool",
    "bytes",
    "classmethod",
    "dict",
    "enumerate",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "list",
    "max",
    "min",
    "object",
    "property",
    "range",
    "reversed",
    "set",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "zip",
]
OTHERS = [
    "abc.abstractmethod",
    "collections.Counter",
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.deque",
    "collections.namedtuple",
    "contextlib.asynccontextmanager",
    "contextlib.contextmanager",
    "contextvars.ContextVar",
    "dataclasses.dataclass",
    "dataclasses.field",
    "decimal.Decimal",
    "enum.auto",
    "enum.unique",
    "functools.cache",
    "functools.cached_property",
    "functools.lru_cache",
    "functools.partial",
    "functools.total_ordering",
    "functools.wraps",
    "logging.getLogger",
    "os.environ.get",
    "os.getenv",
    "os.path.abspath",
    "os.path.dirname",
    "os.path.join",
    "pathlib.Path",
    "re.compile",
    "threading.Lock",
    "threading.RLock",
    "threading.local",
    "typing.NamedTuple",
    "typing.NewType",
    "typing.ParamSpec",
    "typing.TypeVar",
    "typing.TypedDict",
    "typing.cast",
    "typing.final",
    "typing.overload",
    "typing.runtime_checkable",
]


@pytest.mark.parametrize("name", BUILTINS)
def test_builtins_that_only_make_values(name: str) -> None:
    assert first_effect(f"x = {name}(1)\n".encode()) == 0
    assert first_effect(f"def {name}(y): print(y)\nx = {name}(1)\n".encode()) == 2


@pytest.mark.parametrize("name", OTHERS)
def test_what_only_makes_values(name: str) -> None:
    module = name.rpartition(".")[0]
    assert first_effect(f"import {module}\nx = {name}('x')\n".encode()) == 0
    assert first_effect(f"import {module}\n@{name}\ndef f(): print()\n@{name}(1)\ndef g(): ...\n".encode()) == 0
    assert first_effect(f"import other as {name.partition('.')[0]}\nx = {name}('x')\n".encode()) == 2


ROWS: list[tuple[str, int]] = [
    ("", 0),
    ("'''Doc.'''\nimport a\nfrom b import c\nx = y = 1\nx += 1\ndel y\npass\n", 0),
    ("print('x')\n", 1),
    ("x = 1\nprint(x)\n", 2),
    ("import a\na.b = 1\n", 2),
    ("x = {}\nx['a'] = 1\n", 2),
    ("x = {}\ndel x['a']\n", 2),
    ("import a\ndel a.b\n", 2),
    ("import a\na.b += 1\n", 2),
    ("import a\nx: int = a.f()\n", 2),
    ("x: int\n", 0),
    ("x = lambda: print()\n", 0),
    ("x = lambda y=print(): y\n", 1),
    ("x = [y for y in range(3)]\n", 0),
    ("x = [print(y) for y in range(3)]\n", 1),
    ("if x:\n    y = 1\nelse:\n    y = 2\n", 0),
    ("if x():\n    y = 1\n", 1),
    ("if x:\n    y = 1\nelse:\n    print()\n", 1),
    ("try:\n    import a\nexcept ImportError:\n    a = None\nelse:\n    b = 1\nfinally:\n    c = 1\n", 0),
    ("try:\n    import a\nexcept ImportError:\n    print()\n", 4),
    ("try:\n    import a\nfinally:\n    print()\n", 4),
    ("for x in range(3):\n    pass\n", 1),
    ("with open('x') as x:\n    pass\n", 1),
    ("assert x\n", 1),
    ("def f(x=1): print(x)\n", 0),
    ("def f(x=print()): ...\n", 1),
    ("def f(*, x=print()): ...\n", 1),
    ("async def f(): print()\n", 0),
    ("from a import register\n@register\ndef f(): ...\n", 3),
    ("class A:\n    x = 1\n    def f(self): print()\n", 0),
    ("class A:\n    print()\n", 2),
    ("class A(B): ...\n", 0),
    ("class A:\n    class B(C): ...\n", 1),
    ("class A:\n    class B: ...\n", 0),
    ("class A(metaclass=M): ...\n", 1),
    ("import abc\nclass A(metaclass=abc.ABCMeta): ...\n", 0),
    ("class A(metaclass=type): ...\n", 0),
    ("class A(B, x=1): ...\n", 1),
    ("class A:\n    def __init_subclass__(cls): ...\n", 1),
    ("class A:\n    def __set_name__(self, a, b): ...\n", 1),
    ("class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, y): ...\n", 0),
    ("class A:\n    @x.other\n    def x(self, y): ...\n", 3),
    ("x = (yield)\n", 1),
    ("def (:\n", 1),
]


@pytest.mark.parametrize(("source", "line"), ROWS, ids=[source for source, _ in ROWS])
def test_the_first_statement_that_may_do_more(source: str, line: int) -> None:
    assert first_effect(source.encode()) == line


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is newer than this Python")
def test_except_star() -> None:
    assert first_effect(b"try:\n    import a\nexcept* ImportError:\n    a = None\n") > 0
