"""What class bodies bind, and why a class may have more than that. Classes in functions are left out."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from layercheck import names
from layercheck.extract.mangling import mangled
from layercheck.extract.scopes import Scope
from layercheck.extract.walk import Walk, chain
from layercheck.facts import ClassBody

_HARMLESS_DECORATORS = frozenset(
    {"dataclass", "total_ordering", "final", "runtime_checkable", "unique", "deprecated", "override"}
)
"""They add no names of their own to a class, or only such as begin with two underscores."""
_PLAIN_METACLASSES = frozenset({"ABCMeta", "type"})
_MAGIC = frozenset({"__getattr__", "__getattribute__", "__slots__", "__init_subclass__", "__set_name__"})
"""With one of these, attributes may come about otherwise than by the text of the class."""


def written_base(base: ast.expr) -> str:
    """A base of a class as a dotted name, without what stands in brackets; empty where it is none."""
    found = chain(base.value if isinstance(base, ast.Subscript) else base)
    return names.join(found[0].id, found[1]) if found else ""


def class_bodies(walk: Walk) -> tuple[ClassBody, ...]:
    """The classes at the top level and in the bodies of such, in the order of the text."""
    classes = [
        (scope, node, name)
        for scope in walk.scopes
        if isinstance(node := walk.nodes.get(scope.index), ast.ClassDef) and (name := _name(walk, scope, node))
    ]
    stored = _stored(walk, {node.name for _, node, _ in classes}) if classes else {}
    return tuple(
        ClassBody(
            name=name,
            bases=tuple(map(written_base, node.bases)),
            members=tuple(sorted(_members(walk, scope, node) | (stored.get(name, set()) - {"*"}))),
            open=_open(walk, scope, node)
            or ("has attributes set on it by computed names" if "*" in stored.get(name, ()) else ""),
        )
        for scope, node, name in classes
    )


def _members(walk: Walk, scope: Scope, node: ast.ClassDef) -> set[str]:
    return {mangled(member, node.name) for member in walk.members.get(scope.index, ())}


def _name(walk: Walk, scope: Scope, node: ast.ClassDef) -> str:
    """The name of a class from the top level; empty where a function is around it."""
    parts = [node.name]
    outer = scope.parent
    while outer is not None and outer.parent is not None:
        around = walk.nodes.get(outer.index)
        if isinstance(around, ast.ClassDef):
            parts.append(around.name)
        elif outer.kind != "types":
            return ""
        outer = outer.parent
    return names.join(*reversed(parts))


def _open(walk: Walk, scope: Scope, node: ast.ClassDef) -> str:
    for decorator in node.decorator_list:
        word = _word(decorator)
        if word not in _HARMLESS_DECORATORS or _makes_slots(decorator):
            return f"is decorated with {word}" if word else "is decorated"
    for keyword in node.keywords:
        if keyword.arg != "metaclass" or _word(keyword.value) not in _PLAIN_METACLASSES:
            return "has a metaclass" if keyword.arg == "metaclass" else "is made with keywords"
    magic = sorted(_MAGIC & walk.members.get(scope.index, set()))
    if magic:
        return f"defines {magic[0]}"
    if scope.reads_locals:
        return "reaches into its own namespace"
    return ""


def _word(node: ast.expr) -> str:
    """The last word of what is named or called."""
    found = chain(node.func if isinstance(node, ast.Call) else node)
    return (names.tail(found[1]) or found[0].id) if found else ""


def _makes_slots(decorator: ast.expr) -> bool:
    """Whether a dataclass gets ``__slots__``, which put its fields on the class."""
    return isinstance(decorator, ast.Call) and any(part.arg in ("slots", None) for part in decorator.keywords)


def _stored(walk: Walk, words: set[str]) -> dict[str, set[str]]:
    """What the file sets on its classes from outside their bodies: ``C.x = 1``, and in their methods ``cls.x = 1``
    and ``self.__class__.x = 1``; an asterisk for computed names, on ``self`` too."""
    found: dict[str, set[str]] = defaultdict(set)
    for scope in walk.scopes:
        for name, attributes, store in scope.touches:
            if not store:
                continue
            owner = scope.owner(name)
            if owner.parent is None and name in words:
                whole = names.join(name, attributes)
                found[names.parent(whole)].add(names.tail(whole))
            elif owner.parent is not None and owner.parent.kind == "class":
                for holder, attribute in _on_own_class(walk, owner, name, attributes):
                    found[holder].add(attribute)
    return found


def _on_own_class(walk: Walk, method: Scope, name: str, attributes: str) -> Iterator[tuple[str, str]]:
    outer = method.parent
    node = walk.nodes.get(outer.index) if outer is not None else None
    if outer is None or not isinstance(node, ast.ClassDef):
        return
    attribute = attributes.removeprefix("__class__.")
    whole = _name(walk, outer, node)
    if whole and "." not in attribute and (name == "cls" or attribute != attributes or attribute == "*"):
        yield whole, attribute
