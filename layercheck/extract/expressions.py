"""Expressions: names read and bound, attribute chains, strings, nested scopes. One function for each kind of node."""

from __future__ import annotations

import ast
import sys

from layercheck.extract import hints, namespaces, texts
from layercheck.extract.scopes import Scope
from layercheck.extract.walk import Visitor, Walk, chain

_DICTIONARIES = frozenset({"modules", "__dict__", "f_globals", "__globals__"})
_MEMBERSHIP = (ast.In, ast.NotIn)
_PLACES_IN_F_STRINGS = sys.version_info >= (3, 12)
"""Whether the parser says rightly where the parts of an f-string stand (PEP 701)."""


def generic(walk: Walk, node: ast.AST) -> None:
    """Walk whatever a node holds."""
    visit = walk.visit
    for child in ast.iter_child_nodes(node):
        visit[child.__class__](walk, child)


def nothing(walk: Walk, node: ast.AST) -> None:
    """A node that holds nothing to see."""


def _name(walk: Walk, node: ast.Name) -> None:
    name = node.id
    context = node.ctx.__class__
    if context is ast.Load:
        bare = walk.reads.bare
        if name not in bare:
            bare[name] = node
        if name in namespaces.REACHING:
            namespaces.handed_on(walk, node)
    elif context is ast.Store:
        walk.bind(name, node, walk.target_end or node, walk.target_kind, value=walk.target_value)
    else:
        walk.reads.bare.setdefault(name, node)
        if name in walk.scope.global_names:
            walk.rebound.append((".", name, node))
        walk.unbind(name)
        if walk.scope.parent is not None and name not in walk.scope.global_names:
            walk.scope.bound.add(name)


def _attribute(walk: Walk, node: ast.Attribute) -> None:
    value = node.value
    if isinstance(value, ast.Name):
        root, attributes = value, node.attr
    else:
        found = chain(node)
        if found is None:
            _attribute_of_other(walk, node)
            return
        root, attributes = found
    if node.ctx.__class__ is ast.Store:
        walk.touch(root, attributes, node, store=True)
    else:
        chains = walk.reads.chains
        key = (root.id, attributes)
        if key not in chains:
            chains[key] = node
        if node.ctx.__class__ is ast.Del:
            walk.touch(root, attributes, node, store=True)


def _attribute_of_other(walk: Walk, node: ast.Attribute) -> None:
    """An attribute of something that is no name: of the module itself, or of any expression."""
    inner: ast.expr = node
    attribute = ""
    while isinstance(inner, ast.Attribute):
        attribute, inner = inner.attr, inner.value
    if isinstance(inner, ast.Subscript | ast.Call) and namespaces.is_self(walk, inner):
        namespaces.self_attribute(walk, node, attribute)
    else:
        if node.value is inner:
            namespaces.attribute_of_other(walk, node, inner)
        walk.visit[inner.__class__](walk, inner)


def _constant(walk: Walk, node: ast.Constant) -> None:
    text = node.value
    if isinstance(text, str):
        if walk.in_type:
            hints.type_text(walk, text, node)
        if texts.is_dotted(text) and id(node) not in walk.patched:
            walk.strings.append(node)


def _call(walk: Walk, node: ast.Call) -> None:
    if walk.in_type:
        hints.as_value(walk, node)
        return
    function, arguments = node.func, node.args
    visit = walk.visit
    if isinstance(function, ast.Attribute):
        special = walk.special.get(function.attr)
        if special is not None and special(walk, node):
            return
        inner = function.value
        reaches = isinstance(inner, ast.Call) or (isinstance(inner, ast.Attribute) and inner.attr in _DICTIONARIES)
        reaches = reaches or (isinstance(inner, ast.Name) and inner.id in walk.spaces)
        if not reaches or not namespaces.method(walk, node, function):
            _attribute(walk, function)
    elif isinstance(function, ast.Name):
        special = walk.special.get(function.id)
        if special is not None and special(walk, node):
            return
        if arguments and isinstance(arguments[0], ast.Call) and namespaces.only_reads(walk, node):
            arguments = arguments[1:]
        walk.reads.bare.setdefault(function.id, function)
    else:
        visit[function.__class__](walk, function)
    for argument in arguments:
        visit[argument.__class__](walk, argument)
    for keyword in node.keywords:
        value = keyword.value
        if keyword.arg is not None or not namespaces.reads_whole(walk, value):
            visit[value.__class__](walk, value)


def _subscript(walk: Walk, node: ast.Subscript) -> None:
    if not namespaces.subscript(walk, node):
        value = node.value
        walk.visit[value.__class__](walk, value)
    hints.subscript(walk, node)


def _compare(walk: Walk, node: ast.Compare) -> None:
    visit = walk.visit
    left = node.left
    visit[left.__class__](walk, left)
    for operator, right in zip(node.ops, node.comparators, strict=True):
        if not isinstance(operator, _MEMBERSHIP) or not namespaces.contains(walk, left, right):
            visit[right.__class__](walk, right)
        left = right


def _binary(walk: Walk, node: ast.BinOp) -> None:
    left, right = node.left, node.right
    operator = node.op.__class__
    visit = walk.visit
    if operator is ast.Add:
        _sum(walk, node)
        return
    if operator is ast.Mod and isinstance(left, ast.Constant):
        if _has_dot(left):
            texts.note(walk, node)
        if namespaces.reads_whole(walk, right):
            return
    visit[left.__class__](walk, left)
    visit[right.__class__](walk, right)


def _sum(walk: Walk, node: ast.BinOp) -> None:
    """A sum is one text as a whole, whatever the number of its terms."""
    terms: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        terms.append(left.right)
        left = left.left
    terms.append(left)
    if any(map(_has_dot, terms)):
        texts.note(walk, node)
    visit = walk.visit
    for term in reversed(terms):
        visit[term.__class__](walk, term)


def _has_dot(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value


def _f_string(walk: Walk, node: ast.JoinedStr) -> None:
    if not _PLACES_IN_F_STRINGS:
        hints.moved(node, node)
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            _formatted(walk, part)
        elif _has_dot(part):
            texts.note(walk, node)


def _formatted(walk: Walk, node: ast.FormattedValue) -> None:
    value = node.value
    walk.visit[value.__class__](walk, value)
    if node.format_spec is not None:
        walk.visit[node.format_spec.__class__](walk, node.format_spec)


def _sequence(walk: Walk, node: ast.Tuple | ast.List | ast.Set) -> None:
    visit = walk.visit
    for part in node.elts:
        visit[part.__class__](walk, part)


def _dictionary(walk: Walk, node: ast.Dict) -> None:
    visit = walk.visit
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            visit[key.__class__](walk, key)
            visit[value.__class__](walk, value)
        elif not namespaces.reads_whole(walk, value):
            visit[value.__class__](walk, value)


def _slice(walk: Walk, node: ast.Slice) -> None:
    visit = walk.visit
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            visit[part.__class__](walk, part)


def _value(walk: Walk, node: ast.Starred | ast.Await | ast.Yield | ast.YieldFrom) -> None:
    value = node.value
    if value is not None:
        walk.visit[value.__class__](walk, value)


def _unary(walk: Walk, node: ast.UnaryOp) -> None:
    operand = node.operand
    walk.visit[operand.__class__](walk, operand)


def _boolean(walk: Walk, node: ast.BoolOp) -> None:
    visit = walk.visit
    for value in node.values:
        visit[value.__class__](walk, value)


def _choice(walk: Walk, node: ast.IfExp) -> None:
    visit = walk.visit
    for part in (node.test, node.body, node.orelse):
        visit[part.__class__](walk, part)


def _walrus(walk: Walk, node: ast.NamedExpr) -> None:
    """It binds in the nearest scope that is no comprehension (PEP 572, "Scope of the target")."""
    value = node.value
    walk.visit[value.__class__](walk, value)
    scope, conditions = walk.scope, walk.conditions
    if scope.block is not scope:
        walk.stand(scope.block, conditions.maybe())
    walk.bind(node.target.id, node.target, node, "assignment", value=value)
    if scope.block is not scope:
        walk.stand(scope, conditions)


def _comprehension(walk: Walk, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
    """Its first iterable is evaluated outside its scope (language reference 6.2.4)."""
    visit = walk.visit
    first = node.generators[0].iter
    if not namespaces.reads_whole(walk, first):
        visit[first.__class__](walk, first)
    outer, reads = walk.scope, walk.reads
    walk.stand(walk.nested("comprehension"), walk.conditions)
    walk.nodes[walk.scope.index] = node
    if reads is outer.late:
        walk.reads = walk.scope.late
    for generator in node.generators:
        target, iterable = generator.target, generator.iter
        if iterable is not first:
            visit[iterable.__class__](walk, iterable)
        visit[target.__class__](walk, target)
        for test in generator.ifs:
            visit[test.__class__](walk, test)
    results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
    for result in results:
        visit[result.__class__](walk, result)
    walk.scope, walk.reads = outer, reads


def bind_parameters(walk: Walk, scope: Scope, arguments: ast.arguments) -> None:
    """Bind the parameters in a function's scope; walk their defaults around it."""
    for part in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if part is not None:
            scope.bound.add(part.arg)
            scope.others.add(part.arg)
    visit = walk.visit
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            visit[default.__class__](walk, default)


def _lambda(walk: Walk, node: ast.Lambda) -> None:
    scope = walk.nested("function")
    bind_parameters(walk, scope, node.args)
    walk.queue.append((scope, node, walk.conditions.called_later()))


EXPRESSIONS: dict[type[ast.AST], Visitor] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Constant: _constant,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Compare: _compare,
    ast.BinOp: _binary,
    ast.JoinedStr: _f_string,
    ast.FormattedValue: _formatted,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.Set: _sequence,
    ast.Dict: _dictionary,
    ast.Slice: _slice,
    ast.Starred: _value,
    ast.Await: _value,
    ast.Yield: _value,
    ast.YieldFrom: _value,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.IfExp: _choice,
    ast.NamedExpr: _walrus,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Lambda: _lambda,
    ast.Load: nothing,
    ast.Store: nothing,
    ast.Del: nothing,
}
