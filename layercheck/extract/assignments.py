"""What the text of a block or a call gives to names and parameters. Syntax alone: no names are looked up here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from layercheck import names
from layercheck.extract import texts

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)


class Value(NamedTuple):
    """One way in which a name gets its value: all of an expression, or an item of each of its items."""

    node: ast.expr
    each: bool = False
    item: int = -1
    """Which item of an item, where it is unpacked."""


def word_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def parameters(node: Function) -> list[str]:
    arguments = node.args
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found += [part for part in (arguments.vararg, arguments.kwarg) if part is not None]
    return [part.arg for part in found]


def unpacks(call: ast.Call) -> bool:
    return any(isinstance(part, ast.Starred) for part in call.args) or any(part.arg is None for part in call.keywords)


def given(call: ast.Call, node: Function, name: str, method: bool) -> ast.expr | None:
    """What a call passes for a parameter; None where it passes nothing, or unpacks something."""
    if unpacks(call):
        return None
    named = next((part.value for part in call.keywords if part.arg == name), None)
    positional = [part.arg for part in (*node.args.posonlyargs, *node.args.args)]
    if method and isinstance(call.func, ast.Attribute):
        positional = positional[1:]
    if named is not None or name not in positional:
        return named
    at = positional.index(name)
    return call.args[at] if at < len(call.args) else None


def default(node: Function, name: str) -> ast.expr | None:
    positional = [part.arg for part in (*node.args.posonlyargs, *node.args.args)]
    defaults = dict(zip(reversed(positional), reversed(node.args.defaults), strict=False))
    defaults.update(
        {
            part.arg: value
            for part, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if value is not None
        }
    )
    return defaults.get(name)


def parametrized(decorator: ast.expr, name: str) -> Value | None:
    """What ``pytest.mark.parametrize("a, b", [...])`` gives a parameter."""
    if not isinstance(decorator, ast.Call) or word_of(decorator.func) != "parametrize" or len(decorator.args) < 2:
        return None
    names_, values = decorator.args[:2]
    if isinstance(names_, ast.Tuple | ast.List):
        words = [texts.constant(part) or "" for part in names_.elts]
        return Value(values, each=True, item=words.index(name)) if name in words else None
    words = [word.strip() for word in (texts.constant(names_) or "").split(",") if word.strip()]
    if name not in words:
        return None
    return Value(values, each=True, item=words.index(name) if len(words) > 1 else -1)


def assignments(block: ast.AST) -> Iterator[tuple[str, Value | None]]:
    """Each name that a block binds, with what it is given; nested functions and classes are other blocks."""
    if isinstance(block, COMPREHENSIONS):
        first = block.generators[0]
        for generator in block.generators:
            yield from _unpacked(generator.target, generator.iter if generator is first else None, each=True)
        return
    todo: list[ast.AST] = [*getattr(block, "body", ())][::-1]
    while todo:
        node = todo.pop()
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _unpacked(target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                yield from _unpacked(target, value)
            case ast.NamedExpr(target=target, value=value):
                yield from _unpacked(target, value)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield from _unpacked(target, value, each=True)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name, None
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, None
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                for alias in aliases:
                    yield alias.asname or names.head(alias.name), None
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, None
        if not isinstance(node, (*_SCOPES, *COMPREHENSIONS)):
            todo.extend(child for child in reversed([*ast.iter_child_nodes(node)]) if not _is_told(node, child))


def _is_told(node: ast.AST, child: ast.AST) -> bool:
    """Whether a child is the target of a statement that has told of it."""
    if isinstance(node, ast.Assign):
        return child in node.targets
    if isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.For | ast.AsyncFor):
        return child is node.target
    return False


def _unpacked(target: ast.expr, value: ast.expr | None, each: bool = False) -> Iterator[tuple[str, Value | None]]:
    """The names of a target, with what each is given."""
    if isinstance(target, ast.Name):
        yield target.id, None if value is None else Value(value, each)
    elif isinstance(target, ast.Tuple | ast.List):
        plain = not any(isinstance(part, ast.Starred) for part in target.elts)
        for position, part in enumerate(target.elts):
            if isinstance(part, ast.Name) and plain and value is not None and each:
                yield part.id, Value(value, each=True, item=position)
            elif (
                isinstance(part, ast.Name)
                and isinstance(value, ast.Tuple | ast.List)
                and plain
                and len(value.elts) == len(target.elts)
            ):
                yield part.id, Value(value.elts[position])
            else:
                for name in ast.walk(part):
                    if isinstance(name, ast.Name):
                        yield name.id, None


def stored(method: Function) -> Iterator[tuple[str, Value | None]]:
    """What a method assigns to attributes of its first parameter, with their names."""
    first = parameters(method)[:1]
    for node in ast.walk(method):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for part in ast.walk(target):
                    if isinstance(part, ast.Attribute) and word_of(part.value) in first:
                        plain = part is target and not isinstance(node, ast.AugAssign) and node.value is not None
                        yield part.attr, Value(node.value) if plain and node.value is not None else None
