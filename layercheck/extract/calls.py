"""Calls that mean something to a linter of imports: dynamic imports, attributes by name, types in strings.

Each function deals with the calls of one last word; it returns whether the call needs no further walk.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from layercheck import names
from layercheck.extract import hints, namespaces, texts
from layercheck.extract.walk import BUILTIN, ExportWrite, Site, Walk, chain

Special = Callable[[Walk, ast.Call], bool]
_IMPORTERS = frozenset({"importlib.import_module", "importlib.__import__", f"{BUILTIN}__import__"})


def argument(node: ast.Call, position: int, keyword: str) -> ast.expr | None:
    """The argument of a call at a position or under a keyword."""
    if position < len(node.args) and not any(isinstance(part, ast.Starred) for part in node.args[: position + 1]):
        return node.args[position]
    return next((part.value for part in node.keywords if part.arg == keyword), None)


def _arguments(walk: Walk, nodes: list[ast.expr], keywords: list[ast.keyword]) -> None:
    for node in [*nodes, *(part.value for part in keywords)]:
        walk.visit[node.__class__](walk, node)


# Dynamic imports


def _import_module(walk: Walk, node: ast.Call) -> bool:
    function = walk.canonical(node.func)
    if function not in _IMPORTERS:
        return False
    written = texts.constant(argument(node, 0, "name"))
    if written is not None:
        module = written.lstrip(".")
        level = len(written) - len(module)
        if function == "importlib.import_module":
            package = texts.constant(argument(node, 1, "package"))
            if level and package is not None:
                module, level = names.resolve_relative(module, level, package) or "", 0
            resolvable = not level or _is_own_package(argument(node, 1, "package"))
        else:
            depth = argument(node, 4, "level")
            resolvable = not level and (depth is None or isinstance(depth, ast.Constant))
            level = depth.value if isinstance(depth, ast.Constant) and isinstance(depth.value, int) else 0
        if resolvable and level >= 0 and (names.is_dotted_name(module) or (level and not module)):
            add_dynamic(walk, node, module, level)
    if namespaces.is_self(walk, node):
        namespaces.module_escapes(walk)
    if function != "importlib.import_module":
        kept = [part for part in node.args if not namespaces.is_namespace(walk, part)]
        _function(walk, node.func)
        _arguments(walk, kept, node.keywords)
        return True
    return False


def _is_own_package(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id in ("__name__", "__package__")


def _import_or_skip(walk: Walk, node: ast.Call) -> bool:
    """``pytest.importorskip("a.b")``: where it fails, what follows does not run."""
    written = (
        texts.constant(argument(node, 0, "modname")) if walk.canonical(node.func) == "pytest.importorskip" else None
    )
    if written is not None and names.is_dotted_name(written):
        add_dynamic(walk, node, written, 0, skips=True)
    return False


def add_dynamic(walk: Walk, node: ast.Call, module: str, level: int, *, skips: bool = False) -> None:
    """Write down a dynamic import; with ``skips`` one that is let fail."""
    statement = walk.statement
    whole = node if statement is None or hasattr(statement, "body") else statement
    walk.sites.append(
        Site(
            node=node,
            statement=whole,
            module=module,
            level=level,
            name="",
            bound="",
            aliased=False,
            scope=walk.scope.block,
            conditions=walk.conditions._replace(raises=True) if skips else walk.conditions,
            guard=walk.guard_index(),
            dynamic=True,
        )
    )


# Attributes by name


def _by_name(walk: Walk, node: ast.Call, target: ast.expr, name: ast.expr | None, *, store: bool = False) -> bool:
    """A use of an attribute that a string names; the rest of the call is walked too."""
    found = chain(target)
    if found is None:
        return False
    root, attributes = found
    attribute = texts.constant(name)
    if attribute is not None and not names.is_dotted_name(attribute):
        return False
    walk.touch(root, names.join(attributes, attribute or "*"), node, store=store)
    _function(walk, node.func)
    _arguments(
        walk, [part for part in node.args if part is not target], [k for k in node.keywords if k.value is not target]
    )
    return True


def _builtin_attribute(walk: Walk, node: ast.Call) -> bool:
    if not isinstance(node.func, ast.Name):
        return False
    word = node.func.id
    if len(node.args) < 2 or not walk.is_builtin(node.func, word):
        return False
    if namespaces.own_attribute(walk, node):
        _arguments(walk, node.args[1:], node.keywords)
        return True
    stores = word in ("setattr", "delattr")
    if stores:
        namespaces.set_in_other(walk, node.args[0], node.args[1], node)
    return _by_name(walk, node, node.args[0], node.args[1], store=stores)


def _all_attributes(walk: Walk, node: ast.Call) -> bool:
    """``vars(module)``, ``dir(module)``, ``inspect.getmembers(module)``; without arguments, the scope's own names."""
    word = walk.canonical(node.func)
    if word not in (f"{BUILTIN}vars", f"{BUILTIN}dir", "inspect.getmembers"):
        return False
    if not node.args:
        _own_names(walk, node)
        return word == f"{BUILTIN}vars"
    if namespaces.is_self(walk, node.args[0]):
        walk.reads_any("sys.modules[__name__]")
        if word == f"{BUILTIN}vars":
            namespaces.escapes(walk, node)
        _function(walk, node.func)
        _arguments(walk, node.args[1:], node.keywords)
        return True
    return _by_name(walk, node, node.args[0], None)


def _own_names(walk: Walk, node: ast.Call) -> None:
    if not walk.at_module:
        walk.scope.block.reads_locals = True
    elif isinstance(node.func, ast.Name) and node.func.id in ("vars", "locals"):
        namespaces.escapes(walk, node)
    else:
        walk.reads_any("dir()")


def _function(walk: Walk, node: ast.expr) -> None:
    """What is called: a name is read and goes nowhere else."""
    if isinstance(node, ast.Name):
        walk.reads.bare.setdefault(node.id, node)
    else:
        walk.visit[node.__class__](walk, node)


def _namespace(walk: Walk, node: ast.Call) -> bool:
    """``globals()`` and ``locals()`` that no reader around them has dealt with."""
    if not isinstance(node.func, ast.Name) or not walk.is_builtin(node.func, node.func.id):
        return False
    if node.func.id == "globals":
        namespaces.escapes(walk, node)
    else:
        _own_names(walk, node)
    return True


def _evaluated(walk: Walk, node: ast.Call) -> bool:
    """``eval`` reads names that nobody can foresee; ``exec`` binds them too."""
    if not isinstance(node.func, ast.Name) or not walk.is_builtin(node.func, node.func.id):
        return False
    word = node.func.id
    space = argument(node, 1, "globals")
    own = space is None or namespaces.is_namespace(walk, space)
    if word == "exec":
        namespaces.executed_elsewhere(walk, space)
    if own:
        walk.reads_any(word)
        walk.scope.block.reads_locals = True
        if word == "exec":
            walk.opens("calls exec")
    kept = [part for part in node.args if not namespaces.is_namespace(walk, part)]
    _arguments(walk, kept, [part for part in node.keywords if not namespaces.is_namespace(walk, part.value)])
    return True


# Types in strings


def _types(first: int, stop: int | None) -> Special:
    """Strings among these positional arguments, and under ``bound`` and ``default``, are types."""

    def special(walk: Walk, node: ast.Call) -> bool:
        _function(walk, node.func)
        for position, part in enumerate(node.args):
            if position >= first and (stop is None or position < stop):
                hints.as_type(walk, part)
            else:
                walk.visit[part.__class__](walk, part)
        for keyword in node.keywords:
            if keyword.arg in ("bound", "default", "typ"):
                hints.as_type(walk, keyword.value)
            else:
                walk.visit[keyword.value.__class__](walk, keyword.value)
        return True

    return special


# Openness, fixtures, __all__


def _lazy_loader(walk: Walk, node: ast.Call) -> bool:
    if "lazy_loader" in names.split(walk.canonical(node.func).lstrip(".")):
        walk.opens("uses lazy_loader")
    return False


def _convert(walk: Walk, node: ast.Call) -> bool:
    """``IntEnum._convert_("X", __name__, ...)`` makes constants into members and binds what it made."""
    if any(isinstance(part, ast.Name) and part.id == "__name__" for part in node.args):
        walk.opens("calls an enum's _convert_ on itself")
    return False


def _extend_path(walk: Walk, node: ast.Call) -> bool:
    if walk.canonical(node.func) == "pkgutil.extend_path":
        walk.opens_submodules("calls pkgutil.extend_path")
    return False


def _fixtures(walk: Walk, node: ast.Call) -> bool:
    walk.parameters.update(name for name in map(texts.constant, node.args) if name is not None)
    return False


def _exports(walk: Walk, node: ast.Call) -> bool:
    """``__all__.append("x")`` and its like."""
    function = node.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    if function.value.id != "__all__" or walk.scope.owner("__all__").parent is not None:
        return False
    surely = walk.certain and walk.at_module
    word, value = function.attr, node.args[-1] if node.args else None
    if not walk.at_module:
        walk.exports.append(ExportWrite("?", node, None, False))
    elif word == "extend":
        walk.exports.append(ExportWrite("+=", node, value, surely))
    elif word in ("append", "insert"):
        walk.exports.append(ExportWrite("append", node, value, surely))
    elif word == "remove":
        walk.exports.append(ExportWrite("remove", node, value, surely))
    else:
        walk.exports.append(ExportWrite("?", node, None, False))
    return False


SPECIAL: dict[str, Special] = {
    "import_module": _import_module,
    "__import__": _import_module,
    "importorskip": _import_or_skip,
    "getattr": _builtin_attribute,
    "hasattr": _builtin_attribute,
    "setattr": _builtin_attribute,
    "delattr": _builtin_attribute,
    "vars": _all_attributes,
    "dir": _all_attributes,
    "getmembers": _all_attributes,
    "globals": _namespace,
    "locals": _namespace,
    "exec": _evaluated,
    "eval": _evaluated,
    "cast": _types(0, 1),
    "ForwardRef": _types(0, 1),
    "TypeVar": _types(1, None),
    "NewType": _types(1, 2),
    "NamedTuple": _types(1, None),
    "TypedDict": _types(1, None),
    "attach": _lazy_loader,
    "attach_stub": _lazy_loader,
    "_convert_": _convert,
    "extend_path": _extend_path,
    "usefixtures": _fixtures,
    "getfixturevalue": _fixtures,
    "append": _exports,
    "insert": _exports,
    "extend": _exports,
    "remove": _exports,
    "pop": _exports,
    "clear": _exports,
}
"""By the last word of what is called, beside the patchers; names imported under an alias are added for each file."""
