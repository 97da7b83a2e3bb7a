"""What a module does, while it is imported, besides binding names: the first statement that may do anything else."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from layercheck.extract.parse import Parsed
from layercheck.extract.reading import read
from layercheck.extract.visit import walk_all
from layercheck.extract.walk import BUILTIN, Walk

_BUILTINS = (
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
)
_MAKERS = frozenset(
    {
        *(BUILTIN + name for name in _BUILTINS),
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
    }
)
"""What makes a value and leaves no trace elsewhere, as far as that can be told without running it."""
_HOOKS = frozenset({"__init_subclass__", "__set_name__"})
_METACLASSES = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", BUILTIN + "type"})
_NOTHING = (ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Break, ast.Continue)
_ACTS = (ast.Await, ast.Yield, ast.YieldFrom)


def first_effect(content: bytes) -> int:
    """The line of the first statement of a file that may do more than bind names when it is imported; 0 where none
    does, 1 where the file cannot be read. What a class at the top level does by having bases is not looked at."""
    return read(content, _first_effect, lambda failure: 1, too_deep=1)


def _first_effect(source: str, parsed: Parsed) -> int:
    return _first(walk_all(parsed), parsed.tree.body)


def _first(walk: Walk, body: Iterable[ast.stmt]) -> int:
    return next((line for line in (_effect(walk, node) for node in body) if line), 0)


def _effect(walk: Walk, node: ast.stmt) -> int:
    if isinstance(node, _NOTHING) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return 0
    if isinstance(node, ast.If):
        return 0 if _only_tells(walk, [node.test]) and not _first(walk, _inside(node)) else node.lineno
    if isinstance(node, ast.Try):
        return _first(walk, _inside(node))
    if isinstance(node, ast.ClassDef):
        if not _is_plain(walk, node) or any(isinstance(part, ast.ClassDef) and part.bases for part in node.body):
            return node.lineno
        return _first(walk, node.body)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        harmless = all(_is_maker(walk, decorator) for decorator in node.decorator_list) and _only_tells(walk, defaults)
        return 0 if harmless else node.lineno
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete):
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
        value = None if isinstance(node, ast.Delete) else node.value
        names_only = not any(
            isinstance(part, ast.Attribute | ast.Subscript) for one in targets for part in ast.walk(one)
        )
        return 0 if names_only and (value is None or _only_tells(walk, [value])) else node.lineno
    return node.lineno


def _inside(node: ast.If | ast.Try) -> list[ast.stmt]:
    """The statements in all blocks of a statement."""
    arms = node.handlers if isinstance(node, ast.Try) else []
    inside = [*node.body, *(part for arm in arms for part in arm.body), *node.orelse]
    return [*inside, *node.finalbody] if isinstance(node, ast.Try) else inside


def _is_plain(walk: Walk, node: ast.ClassDef) -> bool:
    """Whether making a class tells nobody, and neither will making a class below it."""
    hooks = any(isinstance(part, ast.FunctionDef) and part.name in _HOOKS for part in node.body)
    known = all(word.arg == "metaclass" and walk.canonical(word.value) in _METACLASSES for word in node.keywords)
    return not hooks and known and all(_is_maker(walk, decorator) for decorator in node.decorator_list)


def _is_maker(walk: Walk, node: ast.expr) -> bool:
    """Whether a decorator, called or not, only makes a value."""
    if isinstance(node, ast.Call):
        return walk.canonical(node.func) in _MAKERS and _only_tells(
            walk, [*node.args, *(k.value for k in node.keywords)]
        )
    setter = isinstance(node, ast.Attribute) and node.attr in ("setter", "getter", "deleter")
    return setter or walk.canonical(node) in _MAKERS


def _only_tells(walk: Walk, expressions: Iterable[ast.expr]) -> bool:
    """Whether evaluating expressions makes values and does nothing else. The body of a lambda does not run."""
    stack: list[ast.AST] = [*expressions]
    while stack:
        node = stack.pop()
        if isinstance(node, _ACTS) or (isinstance(node, ast.Call) and not _is_maker(walk, node)):
            return False
        if isinstance(node, ast.Lambda):
            stack += node.args.defaults
        else:
            stack += ast.iter_child_nodes(node)
    return True
