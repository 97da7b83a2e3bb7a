"""A module that reaches into its own namespace or into ``sys.modules``: what it may bind, read or register so."""

from __future__ import annotations

import ast

from layercheck.extract import texts
from layercheck.extract.walk import BUILTIN, Walk

_DICTIONARIES = (ast.Call, ast.Attribute)
_NAMESPACES = ("globals", "vars", "locals")
_READ_METHODS = frozenset({"items", "keys", "values", "copy", "__iter__", "__len__"})
_ITEM_METHODS = frozenset({"get", "__getitem__", "__contains__"})
_WRITE_METHODS = frozenset({"update", "setdefault", "__setitem__", "pop", "clear", "popitem", "__delitem__"})
REACHING = frozenset({"globals", "locals", "vars", "exec", "eval"})
"""Builtins that reach into the namespace of whoever calls them."""
_WRITING = (REACHING - {"eval"}) | {"__builtins__"}
_READERS = frozenset(
    f"{BUILTIN}{name}" for name in ("dict", "list", "set", "frozenset", "tuple", "sorted", "len", "iter", "repr", "str")
)
_SPACES = frozenset({"f_globals", "f_locals", "__globals__"})
"""What holds the names of a module: of a function, of a frame; ``f_locals`` of one in which a module runs."""
_ITSELF = "itself in sys.modules"


def is_self(walk: Walk, node: ast.expr) -> bool:
    """Whether an expression is the module's own object, by its ``__name__``.

    Whoever deals with it walks it no further, so the names that it is spelt with are written down as read here.
    """
    if not _is_self(walk, node):
        return False
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            walk.reads.bare.setdefault(part.id, part)
    return True


def _is_self(walk: Walk, node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return _is_own_name(node.slice) and walk.canonical(node.value) == "sys.modules"
    if isinstance(node, ast.Call) and node.args and _is_own_name(node.args[0]):
        return walk.canonical(node.func) in ("importlib.import_module", "sys.modules.get", f"{BUILTIN}__import__")
    return False


def _looked_up(walk: Walk, node: ast.expr) -> str | None:
    """The name under which an expression looks up a module; empty where it is computed, None where it is none."""
    if isinstance(node, ast.Subscript) and walk.canonical(node.value) == "sys.modules":
        return texts.constant(node.slice) or ""
    if isinstance(node, ast.Call) and node.args and walk.canonical(node.func) in ("sys.modules.get", "sys.modules.pop"):
        return texts.constant(node.args[0]) or ""
    return None


def attribute_of_other(walk: Walk, node: ast.Attribute, module: ast.expr) -> None:
    """An attribute of an expression, which may be a module that is looked up."""
    if not isinstance(node.ctx, ast.Load):
        _set_in(walk, module, node.attr, node)
    elif node.attr in ("__dict__", "__setattr__", "__delattr__"):
        _set_in(walk, module, "*", node)


def set_in_other(walk: Walk, module: ast.expr, name: ast.expr, node: ast.expr) -> None:
    """``setattr`` or ``delattr`` on an expression, which may be a module that is looked up."""
    if _looked_up(walk, module) == "":
        walk.sets_elsewhere = True
    _set_in(walk, module, texts.constant(name) or "*", node)


def _set_in(walk: Walk, module: ast.expr, name: str, node: ast.expr) -> None:
    key = _looked_up(walk, module)
    if key is not None:
        walk.rebound.append((key, name, node))


def _is_elsewhere(walk: Walk, node: ast.expr) -> bool:
    """Whether an expression is the namespace of some frame or function: of whoever called, mostly."""
    if isinstance(node, ast.Name):
        return node.id in walk.spaces
    if isinstance(node, ast.BoolOp):
        return any(_is_elsewhere(walk, part) for part in node.values)
    if isinstance(node, ast.IfExp):
        return _is_elsewhere(walk, node.body) or _is_elsewhere(walk, node.orelse)
    return isinstance(node, ast.Attribute) and node.attr in _SPACES


def named(walk: Walk, name: str, value: ast.expr) -> None:
    """A name is given a value, which may be the namespace of some frame: what is written to it is written there."""
    if _is_elsewhere(walk, value):
        walk.spaces.add(name)


def _set_elsewhere(walk: Walk, name: ast.expr | None, node: ast.expr) -> None:
    walk.sets_elsewhere = True
    walk.opens("sets names in the namespace of a function or of a frame")
    walk.rebound.append(("", (texts.constant(name) if name is not None else None) or "*", node))


def executed_elsewhere(walk: Walk, space: ast.expr | None) -> None:
    """Code is executed in a namespace."""
    if space is not None and _is_elsewhere(walk, space):
        _set_elsewhere(walk, None, space)


def handed_on(walk: Walk, node: ast.Name) -> None:
    """A builtin that reaches into namespaces is named without being called there: whoever gets it may call it."""
    if walk.canonical(node) == BUILTIN + node.id:
        reached(walk, node.id)


def reached(walk: Walk, name: str) -> None:
    """Something that cannot be followed may call a builtin that reaches into namespaces."""
    walk.reads_any(name)
    if name in _WRITING:
        walk.opens(f"hands on {name}")


def is_namespace(walk: Walk, node: ast.expr) -> bool:
    """Whether an expression is the dictionary of the module's names."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" and is_self(walk, node.value)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return False
    name = node.func.id
    if name not in _NAMESPACES or not walk.is_builtin(node.func, name):
        return False
    if node.args:
        return name == "vars" and is_self(walk, node.args[0])
    return name == "globals" or walk.at_module


def _is_own_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__name__"


def _title(node: ast.expr) -> str:
    return f"{node.func.id}()" if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else "__dict__"


def escapes(walk: Walk, node: ast.expr) -> None:
    """The namespace is handed to code that may do anything with it."""
    walk.opens(f"hands {_title(node)} to other code")
    walk.reads_any(_title(node))


def module_escapes(walk: Walk) -> None:
    """The module's own object is handed to code that may do anything with it."""
    walk.opens(f"hands out {_ITSELF}")
    walk.reads_any("sys.modules[__name__]")


def reads_whole(walk: Walk, node: ast.expr) -> bool:
    """Whether an expression that is only read from is the namespace; if so, that is written down."""
    if isinstance(node, _DICTIONARIES) and is_namespace(walk, node):
        walk.reads_any(_title(node))
        return True
    return False


def contains(walk: Walk, key: ast.expr, container: ast.expr) -> bool:
    """Whether a test is ``key in globals()``; if so, it is a use of that name."""
    if not isinstance(container, _DICTIONARIES) or not is_namespace(walk, container):
        return False
    _item(walk, key, container, container)
    return True


def _item(walk: Walk, key: ast.expr, container: ast.expr, node: ast.expr) -> None:
    name = texts.constant(key)
    if name is None:
        walk.reads_any(_title(container))
    else:
        walk.use_global(name, node)


def _write_item(walk: Walk, key: ast.expr, container: ast.expr, node: ast.expr) -> None:
    name = texts.constant(key)
    if name is None:
        walk.opens(f"writes to {_title(container)}")
    else:
        walk.bind_by_name(name, node)


def subscript(walk: Walk, node: ast.Subscript) -> bool:
    """Deal with an item of the namespace or of ``sys.modules``; true where the dictionary needs no further walk."""
    value = node.value
    if isinstance(value, ast.Call) or (isinstance(value, ast.Attribute) and value.attr == "__dict__"):
        if not is_namespace(walk, value):
            return False
        if isinstance(node.ctx, ast.Store):
            _write_item(walk, node.slice, value, node)
        elif isinstance(node.ctx, ast.Del) and texts.constant(node.slice) is None:
            walk.opens(f"deletes from {_title(value)}")
        else:
            _item(walk, node.slice, value, node)
        return True
    stores = isinstance(node.ctx, ast.Store)
    if not isinstance(node.ctx, ast.Load) and _is_elsewhere(walk, value):
        _set_elsewhere(walk, node.slice, node)
    named = isinstance(value, ast.Attribute) and value.attr == "modules"
    if (named or (stores and isinstance(value, ast.Name))) and walk.canonical(value) == "sys.modules":
        if stores:
            register(walk, node.slice)
        elif isinstance(node.ctx, ast.Load) and _is_own_name(node.slice):
            module_escapes(walk)
    return False


def register(walk: Walk, key: ast.expr) -> None:
    """A module is put into ``sys.modules`` under a key."""
    name = texts.constant(key)
    if name is not None:
        walk.registered.add(name)
        return
    walk.opens_submodules("writes to sys.modules")
    if _is_own_name(key):
        walk.opens(f"replaces {_ITSELF}")
    elif not any(texts.constant(part) for part in ast.walk(key) if isinstance(part, ast.Constant)):
        walk.opens("writes to sys.modules")


def register_all(walk: Walk, mapping: ast.expr | None) -> None:
    """The keys of a mapping are put into ``sys.modules``."""
    if isinstance(mapping, ast.Dict):
        for key in mapping.keys:
            if key is None:
                walk.opens_submodules("writes to sys.modules")
            else:
                register(walk, key)
    else:
        walk.opens_submodules("writes to sys.modules")


def method(walk: Walk, node: ast.Call, function: ast.Attribute) -> bool:
    """Deal with a method of the namespace or of ``sys.modules``; true where the dictionary needs no further walk."""
    container, name = function.value, function.attr
    if isinstance(container, ast.Attribute) and container.attr == "modules":
        if walk.canonical(container) == "sys.modules":
            if name in ("setdefault", "__setitem__") and node.args:
                register(walk, node.args[0])
            elif name == "update":
                register_all(walk, node.args[0] if node.args else None)
            elif name == "get" and node.args and _is_own_name(node.args[0]):
                module_escapes(walk)
        return False
    if _is_elsewhere(walk, container):
        if name in _WRITE_METHODS:
            _set_elsewhere(walk, node.args[0] if node.args and name not in ("update", "clear") else None, node)
        return False
    if not is_namespace(walk, container):
        return False
    if name in _READ_METHODS:
        walk.reads_any(_title(container))
    elif name in (*_ITEM_METHODS, "pop") and node.args:
        _item(walk, node.args[0], container, node)
        if name == "pop" and texts.constant(node.args[0]) is None:
            walk.opens(f"deletes from {_title(container)}")
    elif name in ("setdefault", "__setitem__") and node.args:
        _write_item(walk, node.args[0], container, node)
    else:
        walk.opens(f"calls {name} on {_title(container)}")
    return True


def self_attribute(walk: Walk, node: ast.Attribute, attribute: str) -> None:
    """An attribute of the module's own object is read or written."""
    stores = isinstance(node.ctx, ast.Store)
    if attribute == "__path__":
        walk.opens_submodules("uses __path__")
    elif attribute == "__dict__":
        walk.opens("hands __dict__ to other code")
        walk.reads_any("__dict__")
    elif stores and attribute == "__class__":
        walk.opens("replaces its own class")
    elif stores:
        walk.bind_by_name(attribute, node)
    else:
        walk.use_global(attribute, node)


def own_attribute(walk: Walk, node: ast.Call) -> bool:
    """Deal with ``getattr``, ``setattr`` ... on the module's own object; true where it is that."""
    if not node.args or not is_self(walk, node.args[0]) or not isinstance(node.func, ast.Name):
        return False
    if node.func.id in ("setattr", "delattr"):
        walk.opens(f"calls {node.func.id} on itself")
        return True
    if len(node.args) > 1:
        name = texts.constant(node.args[1])
        if name is not None:
            walk.use_global(name, node)
            return True
    walk.reads_any("sys.modules[__name__]")
    return True


def only_reads(walk: Walk, node: ast.Call) -> bool:
    """Whether a call hands the namespace to a builtin that only reads it; if so, that is written down."""
    return (
        len(node.args) > 0
        and isinstance(node.func, ast.Name)
        and is_namespace(walk, node.args[0])
        and walk.canonical(node.func) in _READERS
        and reads_whole(walk, node.args[0])
    )
