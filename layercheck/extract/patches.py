"""Calls that replace something for the length of a test: ``mock.patch`` and its methods, ``mocker``, ``monkeypatch``.

The first part recognises the calls during the walk; the second makes facts of them, when all that they are written
with is known. What of their targets is not constant is counted, never guessed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from layercheck import names
from layercheck.extract import namespaces, texts
from layercheck.extract.assignments import FUNCTIONS, Function, parameters
from layercheck.extract.calls import SPECIAL, Special, argument
from layercheck.extract.constants import Constants, Root, Text, Texts
from layercheck.extract.positions import Text as Places
from layercheck.extract.scopes import Scope
from layercheck.extract.walk import BUILTIN, LOCAL, PatchCall, Walk, chain
from layercheck.facts import Access, Patch, PatchedCode, PatchKind, Piece

_NOT_REPLACED = frozenset({"target", "spec", "create", "spec_set", "autospec", "new_callable"})
"""The keywords of ``patch.multiple`` that are no names (unittest.mock documentation)."""
_METHODS = frozenset({"object", "dict", "multiple"})
_PLAIN_FIXTURES = frozenset(
    {"monkeypatch", "mocker", "request", "caplog", "capsys", "capfd", "tmp_path", "tmpdir", "recwarn", "subtests"}
)
"""Fixtures that run no code of the project (pytest, "Built-in fixtures"; pytest-mock)."""


# Recognising


def is_patcher(canonical: str) -> bool:
    """Whether a name is ``mock.patch`` under any of its homes, or a fixture's ``patch``."""
    owner, word = names.parent(canonical), names.tail(canonical)
    root = names.tail(owner).lstrip(LOCAL)
    return word == "patch" and (root == "mock" or root.endswith("mocker"))


def _function(walk: Walk, node: ast.expr) -> str:
    """What is called. A bare imported ``patch`` counts as mock's, whatever module handed it on."""
    canonical = walk.canonical(node)
    found = chain(node)
    if found is None or canonical.startswith((LOCAL, BUILTIN)):
        return canonical
    root = walk.canonical(found[0])
    return names.join("mock.patch", found[1]) if names.tail(root) == "patch" else canonical


def _patch(walk: Walk, node: ast.Call) -> bool:
    """``patch("a.b.c")``."""
    if is_patcher(_function(walk, node.func)):
        _note_text(walk, node, argument(node, 0, "target"), _is_lenient(node, 3, "create", True))
    return False


def _patch_method(walk: Walk, node: ast.Call) -> bool:
    """``patch.object(a, "x")``, ``patch.dict("a.b")``, ``patch.multiple(a, x=1)``."""
    function = _function(walk, node.func)
    word = names.tail(function)
    if word not in _METHODS or not is_patcher(names.parent(function)):
        return False
    if word == "dict":
        _mapping(walk, node)
        return False
    target = argument(node, 0, "target")
    if word == "object":
        lenient = _is_lenient(node, 4, "create", True)
        return _note_attribute(walk, node, target, argument(node, 1, "attribute"), lenient)
    replaced = tuple(part.arg for part in node.keywords if part.arg is not None and part.arg not in _NOT_REPLACED)
    if target is None or not replaced:
        return False
    call = _call(walk, "attribute", node, target, _is_lenient(node, 2, "create", True), replaced=replaced)
    return _leave_out(walk, node, target) if _is_object(target) else _is_told(walk, call)


def _spy(walk: Walk, node: ast.Call) -> bool:
    """``mocker.spy(a, "x")``."""
    owner = names.tail(names.parent(walk.canonical(node.func))).lstrip(LOCAL)
    if not owner.endswith("mocker"):
        return False
    return _note_attribute(walk, node, argument(node, 0, "obj"), argument(node, 1, "name"), False)


def _is_monkeypatch(walk: Walk, node: ast.expr) -> bool:
    owner = names.tail(names.parent(walk.canonical(node))).lstrip(LOCAL)
    return owner in ("monkeypatch", "mp", "m") or owner.endswith(("monkeypatch", "monkey_patch"))


def _set_attribute(walk: Walk, node: ast.Call) -> bool:
    """``monkeypatch.setattr(a, "x", v)``, ``monkeypatch.setattr("a.b.c", v)`` and ``delattr``."""
    if not isinstance(node.func, ast.Attribute):
        return SPECIAL["setattr"](walk, node)
    if not _is_monkeypatch(walk, node.func):
        return False
    removes = node.func.attr == "delattr"
    lenient = _is_lenient(node, 2 if removes else 3, "raising", False)
    target, name = argument(node, 0, "target"), argument(node, 1, "name")
    if (name if removes else argument(node, 2, "value")) is None:
        _note_text(walk, node, target, lenient)
        return False
    return _note_attribute(walk, node, target, name, lenient)


def _set_item(walk: Walk, node: ast.Call) -> bool:
    """``monkeypatch.setitem(sys.modules, "a.b", fake)``, ``monkeypatch.setitem(a.MAPPING, ...)``."""
    target, key = argument(node, 0, "dic"), argument(node, 1, "name")
    if target is None or key is None or not isinstance(node.func, ast.Attribute):
        return False
    if walk.canonical(target) == "sys.modules":
        namespaces.register(walk, key)
        if _is_monkeypatch(walk, node.func):
            _key(walk, node, key, argument(node, 2, "value"))
    elif _is_monkeypatch(walk, node.func):
        _call(walk, "mapping", node, target, False)
    return False


def _mapping(walk: Walk, node: ast.Call) -> None:
    """``patch.dict("a.MAPPING", ...)``; for ``sys.modules`` the keys are what is replaced."""
    target, values = argument(node, 0, "in_dict"), argument(node, 1, "values")
    if target is None:
        return
    if "sys.modules" not in (texts.constant(target), walk.canonical(target)):
        call = _call(walk, "mapping", node, target, False)
        if not _is_object(target):
            _is_told(walk, call)
        return
    namespaces.register_all(walk, values)
    if isinstance(values, ast.Dict):
        for key, value in zip(values.keys, values.values, strict=True):
            if key is not None:
                _key(walk, node, key, value)


def _key(walk: Walk, node: ast.Call, key: ast.expr, value: ast.expr | None) -> None:
    blocks = isinstance(value, ast.Constant) and value.value is None
    _is_told(walk, _call(walk, "module", node, key, not blocks))


def _is_lenient(node: ast.Call, position: int, keyword: str, value: bool) -> bool:
    """Whether a call lets the last name be missing; in doubt it does."""
    given = argument(node, position, keyword)
    if given is None:
        return any(part.arg is None for part in node.keywords)
    return not isinstance(given, ast.Constant) or bool(given.value) == value


def _is_object(node: ast.expr) -> bool:
    """Whether a target of a kind that may be a text or an object is surely an object, as far as its form says."""
    return isinstance(node, ast.Attribute | ast.Name | ast.Subscript)


def _call(
    walk: Walk,
    kind: PatchKind,
    node: ast.Call,
    target: ast.expr,
    lenient: bool,
    *,
    attribute: ast.expr | None = None,
    replaced: tuple[str, ...] = (),
) -> PatchCall:
    call = PatchCall(kind, node, target, attribute, replaced, lenient, walk.scope, walk.conditions.runs, walk.decorated)
    walk.patch_calls.append(call)
    return call


def _is_told(walk: Walk, call: PatchCall) -> bool:
    """The target is a text of its own: whoever looks for other strings passes it over."""
    walk.patched.add(id(call.target))
    return False


def _note_text(walk: Walk, node: ast.Call, target: ast.expr | None, lenient: bool) -> None:
    if target is not None:
        _is_told(walk, _call(walk, "attribute", node, target, lenient))


def _note_attribute(walk: Walk, node: ast.Call, target: ast.expr | None, name: ast.expr | None, lenient: bool) -> bool:
    if target is None or name is None or isinstance(target, ast.Constant | ast.JoinedStr):
        return False
    _call(walk, "attribute", node, target, lenient, attribute=name)
    return _leave_out(walk, node, target)


def _leave_out(walk: Walk, node: ast.Call, target: ast.expr) -> bool:
    """Walk a call without its target: whose attribute is replaced is not used as a whole."""
    if chain(target) is None:
        return False
    walk.visit[node.func.__class__](walk, node.func)
    for part in [*node.args, *(keyword.value for keyword in node.keywords)]:
        if part is not target:
            walk.visit[part.__class__](walk, part)
    return True


PATCHES: dict[str, Special] = {
    "patch": _patch,
    "object": _patch_method,
    "dict": _patch_method,
    "multiple": _patch_method,
    "spy": _spy,
    "setattr": _set_attribute,
    "delattr": _set_attribute,
    "setitem": _set_item,
}
"""By the last word of what is called, beside those of ``calls``."""


# Facts


class _Found(NamedTuple):
    """What a call replaces, before the places of its text are known."""

    target: str
    root: Root
    node: ast.expr
    pieces: Text


_NOWHERE = Root(0, "", "")


@dataclass(slots=True)
class Replaced:
    """The patches of one file, before the places of their text are known."""

    found: list[tuple[PatchCall, list[_Found]]] = field(default_factory=list)
    unknown: int = 0
    literals: set[int] = field(default_factory=set)
    """The identities of the literals that are targets as they stand."""


def replaced(walk: Walk, tree: ast.Module) -> Replaced:
    """What the patches of a file replace. What they do with names is written down as uses of those."""
    made = Replaced()
    if not walk.patch_calls:
        return made
    constants = Constants(walk, tree)
    for call in walk.patch_calls:
        found = _evaluate(constants, call)
        if found is None:
            made.unknown += 1
            _read_any(call)
        elif found:
            made.found.append((call, found))
            made.literals.update(id(one.pieces[0].node) for one in found if one.target and len(one.pieces) == 1)
    return made


def _read_any(call: PatchCall) -> None:
    """Any attribute of a target may be meant."""
    found = chain(call.target)
    if found is not None and (call.attribute is not None or call.replaced):
        reads = call.scope.eager if call.eager else call.scope.late
        reads.chains.setdefault((found[0].id, names.join(found[1], "*")), call.node)


def _evaluate(constants: Constants, call: PatchCall) -> list[_Found] | None:
    """What a call replaces; None where its target is not constant, nothing where it is no target at all."""
    if call.attribute is not None:
        words = constants.texts(call.attribute, call.scope)
        return _of_object(constants, call, [(text, call.attribute) for text in words])
    found = constants.texts(call.target, call.scope)
    if call.replaced:
        if not found:
            return _of_object(constants, call, [((), call.target)], call.replaced)
        return _of_texts(call, found, call.replaced)
    if found or call.kind != "mapping":
        return _of_texts(call, found)
    root = constants.root(call.target, call.scope)
    if isinstance(root, Root):
        return [_Found("", root, call.target, ())] if root.attributes else []
    return _of_texts(call, root)


def _of_object(
    constants: Constants, call: PatchCall, words: list[tuple[Text, ast.expr]], replaced: tuple[str, ...] = ()
) -> list[_Found] | None:
    root = constants.root(call.target, call.scope)
    if not root or not words:
        return None
    made: list[_Found] = []
    for text, node in words:
        for word in replaced or (_written(text),):
            if not word.isidentifier():
                continue
            place = _place(node, text)
            if isinstance(root, Root):
                whole = Root(root.scope, root.name, names.join(root.attributes, word))
                made.append(_Found("", whole, place, text))
            else:
                whole_texts = (_of_text(f"{_written(one)}.{word}", one, place) for one in root)
                made += [one._replace(pieces=text) for one in whole_texts if one is not None]
    return made


def _of_texts(call: PatchCall, found: Texts, replaced: tuple[str, ...] = ()) -> list[_Found] | None:
    if not found:
        return None
    made: list[_Found] = []
    for text in found:
        for word in replaced or ("",):
            place = _place(call.target, text)
            one = _of_text(names.join(_written(text), word), text, place)
            if one is not None and ("." in one.target or one.root.attributes or call.kind == "module"):
                made.append(one)
    return made


def _of_text(written: str, text: Text, place: ast.expr) -> _Found | None:
    """A target by its text; None where that is no dotted name, as what a web client is asked to patch."""
    roots = [part.root for part in text if part.root is not None]
    if not roots:
        return _Found(written, _NOWHERE, place, text) if names.is_dotted_name(written) else None
    attributes = written.removeprefix(".")
    if len(roots) > 1 or next(part for part in text if part.text or part.root).root is None or written[:1] != ".":
        return None
    if not names.is_dotted_name(attributes):
        return None
    root = roots[0]
    return _Found("", Root(root.scope, root.name, names.join(root.attributes, attributes)), place, text)


def _written(text: Text) -> str:
    return "".join(part.text for part in text)


def _place(node: ast.expr, text: Text) -> ast.expr:
    """Where a person would point: at the literal that makes this one of several values."""
    return next((part.node for part in text if part.text and part.choices), node)


def patches(
    made: Replaced, walk: Walk, accesses: Sequence[Access], places: Places
) -> tuple[tuple[Patch, ...], tuple[PatchedCode, ...]]:
    """The facts of patches, in the order of the text, and of the code that runs under them."""
    codes: dict[PatchedCode, int] = {}
    tests = _Tests(
        walk, {(one.scope, one.name, one.attributes): at for at, one in enumerate(accesses) if not one.store}
    )
    facts = [
        Patch(
            kind=call.kind,
            target=one.target,
            scope=one.root.scope,
            name=one.root.name,
            attributes=one.root.attributes,
            span=places.span(one.node),
            lenient=call.lenient,
            pieces=tuple(Piece(part.text, places.span(part.node)) for part in one.pieces if part.text),
            code=codes.setdefault(tests.code(call), len(codes)),
        )
        for call, found in made.found
        for one in found
    ]
    return tuple(sorted(facts, key=_order)), tuple(codes)


def _order(patch: Patch) -> tuple[int, int, str, str]:
    return patch.span.line, patch.span.column, patch.target, patch.attributes


class _Tests:
    """What the code under patches reads, by the function that it is."""

    def __init__(self, walk: Walk, accesses: dict[tuple[int, str, str], int]) -> None:
        self._walk = walk
        self._accesses = accesses
        self._by_node = {id(node): walk.scopes[index] for index, node in walk.nodes.items()}
        self._known: dict[int, PatchedCode] = {}

    def code(self, call: PatchCall) -> PatchedCode:
        """The code that runs under a patch."""
        scope = self._by_node.get(id(call.decorates)) if call.decorates is not None else _test_around(call.scope)
        if scope is None or not isinstance(node := self._walk.nodes.get(scope.index), FUNCTIONS):
            return _WHOLE
        known = self._known.get(scope.index)
        if known is None:
            known = self._known[scope.index] = self._read(scope, node)
        return known

    def _read(self, test: Scope, node: Function) -> PatchedCode:
        if not node.name.startswith("test") or test.parent is None or test.parent.kind not in ("module", "class"):
            return _WHOLE
        method = test.parent.kind == "class"
        own = parameters(node)[1 if method else 0 :]
        injected = sum(call.decorates is node and _injects(call) for call in self._walk.patch_calls)
        if len([name for name in own if name not in _PLAIN_FIXTURES]) > injected:
            return _WHOLE
        reads: set[int] = set()
        for scope in self._walk.scopes[test.index :]:
            if not _is_in(scope, test):
                continue
            for name, attributes in _chains(scope):
                owner = scope.owner(name)
                at = self._accesses.get((owner.index, name, attributes))
                if at is not None:
                    reads.add(at)
                elif _is_in(owner, test):
                    if method and owner is test and parameters(node)[:1] == [name] and not _asserts(attributes):
                        return _WHOLE
                elif name in owner.bound and name not in owner.imports:
                    return _WHOLE
        return PatchedCode(tuple(sorted(reads)), False)


_WHOLE = PatchedCode((), True)


def _injects(call: PatchCall) -> bool:
    """Whether a patch that decorates a function passes it what it puts in (unittest.mock documentation)."""
    if call.kind != "attribute" or call.replaced:
        return False
    return argument(call.node, 1 if call.attribute is None else 2, "new") is None


def _test_around(scope: Scope) -> Scope | None:
    """The outermost function around a place."""
    found = None
    here: Scope | None = scope
    while here is not None:
        if here.kind == "function":
            found = here
        here = here.parent
    return found


def _is_in(scope: Scope | None, outer: Scope) -> bool:
    while scope is not None:
        if scope is outer:
            return True
        scope = scope.parent
    return False


def _chains(scope: Scope) -> Iterator[tuple[str, str]]:
    for reads in (scope.eager, scope.late):
        yield from ((name, "") for name in reads.bare)
        yield from reads.chains


def _asserts(attributes: str) -> bool:
    """Whether an attribute of a test case is one of unittest's own."""
    return attributes.startswith(("assert", "fail", "skipTest", "subTest"))
