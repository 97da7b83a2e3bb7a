"""What an expression can stand for, as far as its file alone says it: texts made of literals, and names of objects.

Constants of modules, classes and ``self``, locals that are assigned once, loops over literals, ``parametrize`` and the
parameters of helpers whose callers are all in the file are followed. What may have any other value is not constant,
and gives no value at all. Nothing is looked up in other files.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from string import Formatter
from typing import NamedTuple

from layercheck import names
from layercheck.extract import texts
from layercheck.extract.assignments import (
    COMPREHENSIONS,
    FUNCTIONS,
    Function,
    Value,
    assignments,
    default,
    given,
    parameters,
    parametrized,
    stored,
    unpacks,
    word_of,
)
from layercheck.extract.scopes import Scope
from layercheck.extract.walk import BUILTIN, Walk, chain
from layercheck.facts import OWN_NAME

_MOST = 200
"""The most values that one expression is followed to."""
_GIVING = ("importlib.import_module", "pytest.importorskip")
"""The functions that give the module whose name they are told first."""
_LONGEST = 10_000
"""The most characters and pieces that a text is followed to: names are shorter, and a few lines can make any length."""
_DEEPEST = 12
"""The most expressions that are followed one into the other."""
_SEQUENCES = (ast.List, ast.Tuple, ast.Set)


class Root(NamedTuple):
    """An object by its name: the scope that binds the name, the name, and attributes from there."""

    scope: int
    name: str
    attributes: str


class Part(NamedTuple):
    """A piece of a text: of a literal, or the ``__name__`` of an object."""

    text: str
    node: ast.expr
    root: Root | None = None
    choices: frozenset[tuple[int, int]] = frozenset()
    """Of which alternatives it is which: what chooses (a loop, a call), and the number of the choice. Names that one
    loop gives their values change together."""


Text = tuple[Part, ...]
Texts = tuple[Text, ...]


class _Call(NamedTuple):
    node: ast.Call
    scope: Scope


class Constants:
    """Evaluates the expressions of one file, once all of it has been walked."""

    def __init__(self, walk: Walk, tree: ast.Module) -> None:
        self._walk = walk
        self._tree = tree
        self._by_node = {id(node): walk.scopes[index] for index, node in walk.nodes.items()}
        self._calls: dict[str, list[_Call]] | None = None
        self._references: dict[str, int] = defaultdict(int)
        self._values: dict[int, dict[str, list[Value | None]]] = {}
        self._stored: dict[int, dict[str, list[tuple[Value | None, Scope]]]] = {}
        self._classes: dict[str, list[ast.ClassDef]] | None = None
        self._texts_of: dict[tuple[int, str, int], Texts] = {}
        """Of names that have been followed: by the scope, the name and how deep they were met."""

    def scope_of(self, node: ast.AST) -> Scope | None:
        """The scope that a function or class opens."""
        return self._by_node.get(id(node))

    # Texts

    def texts(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Texts:
        """Every text that an expression may be, read in a scope; none where that cannot be told."""
        if node is None or depth > _DEEPEST:
            return ()
        found = self._texts(node, scope, depth + 1)
        return found if len(found) <= _MOST else ()

    def _texts(self, node: ast.expr, scope: Scope, depth: int) -> Texts:
        literal = texts.constant(node)
        if literal is not None:
            return ((Part(literal, node),),)
        match node:
            case ast.JoinedStr(values=parts):
                return self._joined([self.texts(part, scope, depth) for part in parts])
            case ast.FormattedValue(value=value, conversion=-1 | 115, format_spec=None):
                return self.texts(value, scope, depth)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([self.texts(left, scope, depth), self.texts(right, scope, depth)])
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return self._percent(left, right, scope, depth)
            case ast.IfExp(body=body, orelse=orelse):
                one, other = self.texts(body, scope, depth), self.texts(orelse, scope, depth)
                return one + other if one and other else ()
            case ast.Call(func=ast.Attribute(attr=word)):
                return self._called(node, word, scope, depth)
            case ast.Name(id=name):
                return self._name(name, scope, depth)
            case ast.Attribute():
                return self._attribute(node, scope, depth)
        return ()

    def _joined(self, parts: Iterable[Texts]) -> Texts:
        parts = [*parts]
        count, length = 1, 0
        for part in parts:
            count *= len(part)
            length += max(map(_length, part), default=0)
        if not 0 < count <= _MOST or length > _LONGEST:
            return ()
        joined = (tuple(piece for text in chosen for piece in text) for chosen in product(*parts))
        return tuple(text for text in joined if _agree(text))

    def _percent(self, left: ast.expr, right: ast.expr, scope: Scope, depth: int) -> Texts:
        pattern = texts.constant(left)
        arguments = right.elts if isinstance(right, ast.Tuple) else [right]
        pieces = pattern.split("%s") if pattern is not None else []
        if len(pieces) != len(arguments) + 1 or "%" in "".join(pieces):
            return ()
        filled = [self.texts(argument, scope, depth) for argument in arguments]
        between: list[Texts] = [((Part(piece, left),),) for piece in pieces]
        return self._joined([between[0], *(one for pair in zip(filled, between[1:], strict=True) for one in pair)])

    def _called(self, node: ast.Call, word: str, scope: Scope, depth: int) -> Texts:
        """``"{}.x".format(name)`` and ``".".join(("a", "b"))``."""
        if not isinstance(node.func, ast.Attribute):
            return ()
        holder = node.func.value
        literal = texts.constant(holder)
        if literal is None or any(part.arg is None for part in node.keywords):
            return ()
        if word == "join" and len(node.args) == 1 and isinstance(node.args[0], ast.List | ast.Tuple):
            separator: Texts = ((Part(literal, holder),),)
            items = [self.texts(part, scope, depth) for part in node.args[0].elts]
            return self._joined([one for item in items for one in (separator, item)][1:])
        if word != "format" or any(isinstance(part, ast.Starred) for part in node.args):
            return ()
        return self._formatted(literal, holder, node, scope, depth)

    def _formatted(self, literal: str, holder: ast.expr, node: ast.Call, scope: Scope, depth: int) -> Texts:
        given: dict[str, ast.expr] = {str(position): value for position, value in enumerate(node.args)}
        given.update({part.arg: part.value for part in node.keywords if part.arg is not None})
        parts: list[Texts] = []
        unnumbered = 0
        try:
            fields = [*Formatter().parse(literal)]
        except ValueError:
            return ()
        for before, field, spec, conversion in fields:
            parts.append(((Part(before, holder),),))
            if field is None:
                continue
            if not field:
                field = str(unnumbered)
                unnumbered += 1
            value = given.get(field)
            if value is None or spec or conversion:
                return ()
            parts.append(self.texts(value, scope, depth))
        return self._joined(parts)

    # Names

    def _name(self, name: str, scope: Scope, depth: int) -> Texts:
        owner = scope.owner(name)
        if owner.parent is None and name == OWN_NAME and name not in owner.bound:
            root = ast.Name(name, ast.Load(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
            return ((Part("", root, Root(owner.index, OWN_NAME, "")),),)
        return self._once((owner.index, name, depth), lambda: self._bound(self._ways(name, owner), owner, depth))

    def _once(self, key: tuple[int, str, int], follow: Callable[[], Texts]) -> Texts:
        """What following a name gives, followed only once: each of many may lead to many."""
        if key not in self._texts_of:
            found = follow()
            self._texts_of[key] = found if len(found) <= _MOST else ()
        return self._texts_of[key]

    def _bound(self, ways: list[tuple[Value, Scope]], owner: Scope, depth: int) -> Texts:
        found: list[Text] = []
        for number, (value, scope) in enumerate(ways):
            items = self._items(value, scope, depth)
            for position, node in enumerate(items):
                made = self.texts(node, scope, depth)
                if not made:
                    return ()
                chosen = {(id(owner), number)} if len(ways) > 1 else set()
                chosen |= {(id(value.node), position)} if len(items) > 1 else set()
                found += [tuple(part._replace(choices=part.choices | chosen) for part in text) for text in made]
        return tuple(found)

    def _items(self, value: Value, scope: Scope, depth: int) -> list[ast.expr | None]:
        """The expressions that a value may be; a None among them for one that is not known."""
        if not value.each:
            return [value.node]
        return [self._item(item, value.item) for item in self._elements(value.node, scope, depth)]

    def _elements(self, node: ast.expr, scope: Scope, depth: int) -> list[ast.expr | None]:
        """What a loop over an expression gives."""
        if depth > _DEEPEST:
            return [None]
        if isinstance(node, _SEQUENCES):
            return [None if isinstance(part, ast.Starred) else part for part in node.elts] or [None]
        if isinstance(node, ast.Dict):
            return [*node.keys] or [None]
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Dict)
        ):
            pairs = zip(node.func.value.keys, node.func.value.values, strict=True)
            if node.func.attr == "items" and not node.args:
                return [None if key is None else ast.Tuple([key, value], ast.Load()) for key, value in pairs]
            return [None]
        if isinstance(node, ast.Name):
            owner = scope.owner(node.id)
            ways = self._ways(node.id, owner)
            if len(ways) == 1 and not ways[0][0].each:
                return self._elements(ways[0][0].node, ways[0][1], depth + 1)
        if isinstance(node, ast.Attribute):
            ways = self._member(node, scope)
            if len(ways) == 1 and not ways[0][0].each:
                return self._elements(ways[0][0].node, ways[0][1], depth + 1)
        return [None]

    @staticmethod
    def _item(node: ast.expr | None, position: int) -> ast.expr | None:
        """One item of an element that is unpacked; ``pytest.param`` stands for what it holds."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "param":
            at = max(position, 0)
            return node.args[at] if at < len(node.args) else None
        if position < 0 or node is None:
            return node
        if isinstance(node, ast.Tuple | ast.List) and position < len(node.elts):
            part = node.elts[position]
            return None if any(isinstance(one, ast.Starred) for one in node.elts[: position + 1]) else part
        return None

    def _ways(self, name: str, owner: Scope) -> list[tuple[Value, Scope]]:
        """How a name may get its value in the scope that binds it, each way with the scope of its expression; none
        where that cannot be told."""
        node: ast.AST | None = self._tree if owner.parent is None else self._walk.nodes.get(owner.index)
        if node is None or (owner.parent is None and len(self._walk.values.get(name, ())) != 1):
            return []
        if isinstance(node, FUNCTIONS) and name in parameters(node):
            if self._assigned(node, owner).get(name):
                return []
            return self._passed(node, owner, name)
        values = self._assigned(node, owner).get(name, [])
        if len(values) != 1 or values[0] is None:
            return []
        # The first iterable of a comprehension is evaluated around it.
        around = isinstance(node, COMPREHENSIONS) and owner.parent is not None
        return [(values[0], owner.parent if around and owner.parent is not None else owner)]

    def _assigned(self, node: ast.AST, owner: Scope) -> dict[str, list[Value | None]]:
        """What the names that a block binds are assigned there; None for what is no expression."""
        known = self._values.get(owner.index)
        if known is None:
            known = self._values[owner.index] = defaultdict(list)
            for name, value in assignments(node):
                known[name].append(value)
        return known

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> Texts:
        if node.attr == OWN_NAME:
            root = self.root(node.value, scope, depth)
            return ((Part("", node, root),),) if isinstance(root, Root) else ()
        if not isinstance(node.value, ast.Name):
            return ()
        key = (scope.index, f"{node.value.id}.{node.attr}", depth)
        return self._once(key, lambda: self._bound(self._member(node, scope), scope, depth))

    def _member(self, node: ast.Attribute, scope: Scope) -> list[tuple[Value, Scope]]:
        """How a constant of a class gets its value: ``self.X``, ``cls.X``, ``TestCase.X``, all of this file."""
        if not isinstance(node.value, ast.Name):
            return []
        holder = self._class(node.value.id, scope)
        if holder is None:
            return []
        body = self._walk.nodes[holder.index]
        own = self._assigned(body, holder).get(node.attr, [])
        set_later = self._set_by_methods(body, holder).get(node.attr, [])
        if len(own) + len(set_later) != 1:
            return []
        value, where = set_later[0] if set_later else (own[0], holder)
        return [] if value is None else [(value, where)]

    def _set_by_methods(self, body: ast.AST, holder: Scope) -> dict[str, list[tuple[Value | None, Scope]]]:
        """What the methods of a class assign to attributes of ``self``, each with the scope of its expression."""
        known = self._stored.get(holder.index)
        if known is None:
            known = self._stored[holder.index] = defaultdict(list)
            for method in getattr(body, "body", ()):
                if isinstance(method, FUNCTIONS) and (inner := self.scope_of(method)) is not None:
                    for attribute, value in stored(method):
                        known[attribute].append((value, inner))
        return known

    def _class(self, name: str, scope: Scope) -> Scope | None:
        """The class that a name stands for: the one around a method, by its first parameter, or one of this file."""
        owner = scope.owner(name)
        node = self._walk.nodes.get(owner.index)
        if owner.parent is not None and owner.parent.kind == "class" and isinstance(node, FUNCTIONS):
            return owner.parent if parameters(node)[:1] == [name] else None
        if owner.parent is not None:
            return None
        if self._classes is None:
            self._classes = defaultdict(list)
            for part in self._tree.body:
                if isinstance(part, ast.ClassDef):
                    self._classes[part.name].append(part)
        classes = self._classes.get(name, [])
        return self.scope_of(classes[0]) if len(classes) == 1 else None

    # Parameters

    def _passed(self, node: Function, owner: Scope, name: str) -> list[tuple[Value, Scope]]:
        """What a parameter is given: by ``parametrize``, or by all callers of a helper."""
        outer = owner.parent
        if outer is None:
            return []
        decorators = [(part, outer) for part in node.decorator_list]
        around = self._walk.nodes.get(outer.index)
        if isinstance(around, ast.ClassDef) and outer.parent is not None:
            decorators += [(part, outer.parent) for part in around.decorator_list]
        for decorator, scope in decorators:
            value = parametrized(decorator, name)
            if value is not None:
                return [(value, scope)]
        if node.name.startswith("test") or node.decorator_list:
            return []
        method = isinstance(around, ast.ClassDef)
        calls = self._callers(node.name)
        if not calls or len(calls) != self._references[node.name]:
            return []
        found: list[tuple[Value, Scope]] = []
        for call in calls:
            value_node = given(call.node, node, name, method)
            if value_node is None:
                usual = default(node, name)
                if usual is None or unpacks(call.node):
                    return []
                found.append((Value(usual), outer))
            else:
                found.append((Value(value_node), call.scope))
        return found

    def _callers(self, name: str) -> list[_Call]:
        """All calls of what has a name in this file, as ``name(...)`` or ``x.name(...)``."""
        if self._calls is None:
            self._calls = defaultdict(list)
            for node, scope in self._everything():
                if isinstance(node, ast.Call):
                    word = word_of(node.func)
                    if word:
                        self._calls[word].append(_Call(node, scope))
                elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                    self._references[word_of(node)] += 1
        return self._calls.get(name, [])

    def _everything(self) -> Iterator[tuple[ast.AST, Scope]]:
        """Every node of the file with the scope around it; decorators and defaults count to the scope inside."""
        todo: list[tuple[ast.AST, Scope]] = [(self._tree, self._walk.scope.module)]
        while todo:
            node, scope = todo.pop()
            yield node, scope
            inner = self._by_node.get(id(node), scope)
            todo.extend((child, inner) for child in ast.iter_child_nodes(node))

    # Objects

    def root(self, node: ast.expr, scope: Scope, depth: int = 0) -> Root | Texts:
        """The object that an expression names: by a name and attributes, or a module by its texts.

        An empty tuple where that cannot be told.
        """
        if depth > _DEEPEST:
            return ()
        made = self._module(node, scope, depth)
        if made:
            return made
        found = chain(node)
        if found is None:
            return ()
        name, attributes = found
        owner = scope.owner(name.id)
        if owner.parent is not None and name.id in owner.imports & owner.others:
            return ()
        if owner.parent is None or name.id in owner.imports:
            alias = self._alias(name.id, owner) if name.id not in owner.imports else None
            return Root(owner.index, name.id, attributes) if alias is None else self._through(alias, attributes, depth)
        alias = self._alias(name.id, owner)
        return self._through(alias, attributes, depth) if alias is not None else ()

    def _alias(self, name: str, owner: Scope) -> tuple[ast.expr, Scope] | None:
        ways = self._ways(name, owner) if owner.kind in ("function", "module") else []
        if len(ways) != 1 or ways[0][0].each:
            return None
        value, scope = ways[0][0].node, ways[0][1]
        return (value, scope) if chain(value) is not None or self._module(value, scope, 0) else None

    def _through(self, alias: tuple[ast.expr, Scope], attributes: str, depth: int) -> Root | Texts:
        inner = self.root(*alias, depth + 1)
        if isinstance(inner, Root):
            return Root(inner.scope, inner.name, names.join(inner.attributes, attributes))
        if not attributes:
            return inner
        return tuple((*text, Part("." + attributes, alias[0])) for text in inner)

    def _module(self, node: ast.expr, scope: Scope, depth: int) -> Texts:
        """The name of the module that ``import_module("a.b")`` or its like, or ``sys.modules["a.b"]``, gives."""
        if isinstance(node, ast.Call) and node.args and self._canonical(node.func, scope) in _GIVING:
            return self.texts(node.args[0], scope, depth + 1)
        if isinstance(node, ast.Subscript) and self._canonical(node.value, scope) == "sys.modules":
            return self.texts(node.slice, scope, depth + 1)
        return ()

    def _canonical(self, node: ast.expr, scope: Scope) -> str:
        before, self._walk.scope = self._walk.scope, scope
        canonical = self._walk.canonical(node)
        self._walk.scope = before
        return canonical.removeprefix(BUILTIN)


def _length(text: Text) -> int:
    """How much a text takes: its characters and its pieces."""
    return len(text) + sum(len(part.text) for part in text)


def _agree(text: Text) -> bool:
    """Whether the parts of a text can be what they are at the same time."""
    chosen: dict[int, int] = {}
    return all(chosen.setdefault(source, number) == number for part in text for source, number in part.choices)
