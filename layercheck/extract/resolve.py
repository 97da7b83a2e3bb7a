"""From what a walk has gathered to facts: names resolved to their scopes, places to spans, everything in order."""

from __future__ import annotations

import ast
from collections import defaultdict

from layercheck import names
from layercheck.extract import namespaces, texts
from layercheck.extract.classes import class_bodies, written_base
from layercheck.extract.exports import exports
from layercheck.extract.mangling import mangled_in
from layercheck.extract.parse import Parsed
from layercheck.extract.patches import patches, replaced
from layercheck.extract.positions import Placed, Text, place
from layercheck.extract.scopes import Scope
from layercheck.extract.shape import only_imports
from layercheck.extract.walk import Bound, Site, Walk, chain, constant_truth
from layercheck.facts import Access, Binding, Comment, Flag, Import, Kind, ModuleFacts, Rebound, Span, StringTarget

_Key = tuple[int, str, str, bool]
_ALL = frozenset({"__dict__", "__setattr__", "__delattr__"})
"""Attributes by which any other of the same object may be meant."""


class _Uses:
    """Every use of every name, by the scope that binds it."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self.read: dict[int, set[str]] = defaultdict(set)
        self.eager: set[str] = set()
        self.accesses: dict[_Key, tuple[Placed, bool]] = {}
        self.rebound = {(scope.index, name) for scope in walk.scopes for name in scope.imports & scope.others}
        self._imported = {name for scope in walk.scopes for name in scope.imports}
        for scope in walk.scopes:
            for reads, eager in ((scope.eager, True), (scope.late, False)):
                for name, node in reads.bare.items():
                    self._use(scope, (name, "", False), node, eager)
                for (name, attributes), node in reads.chains.items():
                    self._use(scope, (name, attributes, False), node, eager)
            for key, touch in scope.touches.items():
                self._use(scope, key, touch.node, touch.eager)
        for call in walk.patch_calls:
            target = chain(call.target)
            if target is not None:
                self._read(call.scope, target[0].id, call.eager)

    def _use(self, scope: Scope, key: tuple[str, str, bool], node: Placed, eager: bool) -> None:
        for owner in self._read(scope, key[0], eager):
            if key[0] in self._imported and key[0] in owner.imports:
                self._access(owner.index, key, node, eager)

    def _read(self, scope: Scope, name: str, eager: bool) -> list[Scope]:
        """Write down that a scope reads a name; the scopes that may have bound it."""
        owners = [scope.owner(name)]
        if scope.kind == "class" and owners[0] is scope and scope.parent is not None:
            owners.append(scope.parent.owner(name))  # a class body reads the outer name until it binds its own
        for owner in owners:
            read = name if owner.index else mangled_in(self._walk, scope, name)
            self.read[owner.index].add(read)
            if eager and not owner.index:
                self.eager.add(read)
        return owners

    def _access(self, index: int, key: tuple[str, str, bool], node: Placed, eager: bool) -> None:
        name, attributes, store = key
        if "__" in attributes:
            parts = names.split(attributes)
            at = next((at for at, part in enumerate(parts) if part in _ALL), None)
            if at is not None:
                attributes, store = names.join(*parts[:at], "*"), False
        whole = (index, name, attributes, store)
        known = self.accesses.get(whole)
        if known is None:
            self.accesses[whole] = (node, eager)
        else:
            self.accesses[whole] = (min(known[0], node, key=place), known[1] or eager)


def facts(walk: Walk, parsed: Parsed, text: Text, comments: tuple[Comment, ...]) -> ModuleFacts:
    """The facts of one module."""
    for word in parsed.stray:
        walk.scope.module.late.bare.setdefault(word, _START)
    taken_over = replaced(walk, parsed.tree)
    uses = _Uses(walk)
    order = sorted(range(len(walk.sites)), key=lambda index: place(walk.sites[index].node))
    rank = {old: new for new, old in enumerate(order)}
    lazy = _lazy_modules(walk)
    once = _assigned_once(walk)
    bindings = sorted(walk.bindings, key=lambda bound: place(bound.first))
    _open(walk, uses)
    accesses = _accesses(uses, text)
    found_patches, patched_code = patches(taken_over, walk, accesses, text)
    return ModuleFacts(
        lines=text.count,
        imports=tuple(_import(walk.sites[index], uses, lazy, text) for index in order),
        bindings=tuple(_binding(bound, rank, text) for bound in bindings),
        exports=exports(walk.exports, once.get, text),
        uses=tuple(sorted(uses.read[0])),
        eager_uses=tuple(sorted(uses.eager)),
        accesses=accesses,
        strings=_strings(walk, once, taken_over.literals, text),
        patches=found_patches,
        unknown_patches=taken_over.unknown,
        patched_code=patched_code,
        classes=class_bodies(walk),
        guards=tuple(walk.guards),
        comments=comments,
        open=walk.open,
        open_submodules=walk.open_submodules,
        sets_elsewhere=walk.sets_elsewhere,
        rebound=_rebound(walk, text),
        registered=tuple(sorted(walk.registered)),
        reads_by_name=walk.reads_by_name,
        only_imports=only_imports(parsed.tree.body),
        parameters=tuple(sorted(walk.parameters)),
        hollow_blocks=tuple(text.span(node) for node in walk.hollow),
    )


_START = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
"""Where a use stands whose place is not known."""


def _assigned_once(walk: Walk) -> dict[str, ast.expr]:
    """The value of each module-level name that has one binding and is assigned in it."""
    return {name: values[0] for name, values in walk.values.items() if len(values) == 1 and values[0] is not None}


def _lazy_modules(walk: Walk) -> frozenset[str]:
    """The modules that ``__lazy_modules__`` names (PEP 810)."""
    found: set[str] = set()
    for bound in walk.bindings:
        if bound.name == "__lazy_modules__" and isinstance(bound.value, ast.List | ast.Tuple | ast.Set):
            found.update(name for name in map(texts.constant, bound.value.elts) if name is not None)
    return frozenset(found)


def _open(walk: Walk, uses: _Uses) -> None:
    """What bindings and accesses say of openness."""
    if any(bound.name == "__getattr__" for bound in walk.bindings):
        walk.opens("defines __getattr__")
    if "__path__" in uses.read[0] or any(bound.name == "__path__" for bound in walk.bindings):
        walk.opens_submodules("uses __path__")
    taken = {names.join(site.module, site.name) for site in walk.sites if not site.level}
    whole = {site.bound: site.module for site in walk.sites if not site.level and not site.name}
    taken.update(names.join(whole[name], names.head(at)) for _, name, at, _ in uses.accesses if name in whole)
    if not taken.isdisjoint(("sys.meta_path", "sys.path_hooks")):
        walk.opens_submodules("uses sys.meta_path")
    if "enum.global_enum" in taken:
        walk.opens("uses enum.global_enum")
    for name in sorted(namespaces.REACHING):
        if f"builtins.{name}" in taken:
            namespaces.reached(walk, name)
    if "__builtins__" in uses.read[0]:
        namespaces.reached(walk, "__builtins__")


def _import(site: Site, uses: _Uses, lazy: frozenset[str], text: Text) -> Import:
    conditions, block = site.conditions, site.scope.block
    owner = site.scope.owner(site.bound) if site.bound else block
    later = conditions.main or _in_function(block)
    is_lazy = site.lazy or (
        site.module in lazy and not site.level and block.parent is None and not conditions.trying and site.name != "*"
    )
    kind: Kind = "import-time"
    if conditions.guard.test == "false":
        kind = "typing"
    elif later or (is_lazy and site.bound not in uses.eager):
        kind = "deferred"
    flags: dict[Flag, bool] = {
        "optional": conditions.optional,
        "raises": conditions.raises,
        "conditional": conditions.conditional,
        "star": site.name == "*",
        "dynamic": site.dynamic,
        "lazy": is_lazy,
    }
    used = not site.bound or owner.kind == "class" or (owner.kind == "function" and owner.reads_locals)
    return Import(
        span=_star_span(site, text) if site.name == "*" else text.span(site.node),
        statement=text.span(site.statement),
        module=site.module,
        level=site.level,
        name=site.name,
        bound=site.bound,
        aliased=site.aliased,
        place=block.kind if block.kind in ("class", "function") else "module",
        scope=owner.index,
        kind=kind,
        flags=tuple(flag for flag, holds in flags.items() if holds),
        guard=site.guard,
        used=used or site.bound in uses.read[owner.index],
        handler=conditions.handler,
    )


def _in_function(scope: Scope | None) -> bool:
    while scope is not None:
        if scope.kind == "function":
            return True
        scope = scope.parent
    return False


def _star_span(site: Site, text: Text) -> Span:
    """The module's name in a star import, with its dots; the star where it does not stand on the first line."""
    line = site.statement.lineno
    written = "." * site.level + site.module
    column = text.lines[line - 1].find(written, text.column(line, site.statement.col_offset) + len("from") - 1)
    if column < 0:
        return text.span(site.node)
    return Span(line, column + 1, line, column + 1 + len(written))


def _referred(value: ast.expr | None) -> str:
    """The dotted name that an expression is; empty where it is none."""
    found = None if value is None else chain(value)
    return "" if found is None else names.join(found[0].id, found[1])


def _binding(bound: Bound, rank: dict[int, int], text: Text) -> Binding:
    return Binding(
        name=bound.name,
        span=text.between(bound.first, bound.last),
        kind=bound.kind,
        guard=bound.guard,
        conditional=bound.conditional,
        imported=rank.get(bound.site, -1),
        truth=constant_truth(bound.value),
        refers=_referred(bound.value),
        bases=tuple(map(written_base, bound.last.bases)) if isinstance(bound.last, ast.ClassDef) else (),
    )


def _accesses(uses: _Uses, text: Text) -> tuple[Access, ...]:
    found = [
        Access(index, name, attributes, text.span(node), eager, store, (index, name) in uses.rebound)
        for (index, name, attributes, store), (node, eager) in uses.accesses.items()
    ]
    return tuple(sorted(found, key=_access_key))


def _rebound(walk: Walk, text: Text) -> tuple[Rebound, ...]:
    found = [Rebound(module, name, text.span(node)) for module, name, node in walk.rebound]
    return tuple(sorted(found, key=lambda one: (one.span.line, one.span.column, one.module, one.name)))


def _access_key(access: Access) -> tuple[int, int, int, str, str, bool]:
    span = access.span
    return span.line, span.column, access.scope, access.name, access.attributes, access.store


def _strings(walk: Walk, once: dict[str, ast.expr], patched: set[int], text: Text) -> tuple[StringTarget, ...]:
    found = [StringTarget(_text(node), text.span(node)) for node in walk.strings if id(node) not in patched]
    for candidate in walk.candidates:
        scope = candidate.scope

        def value(name: ast.Name, scope: Scope = scope) -> str | None:
            return texts.constant(once.get(name.id)) if scope.owner(name.id).parent is None else None

        known = texts.evaluate(candidate.node, value)
        if known is not None and texts.is_dotted(known):
            found.append(StringTarget(known, text.span(candidate.node)))
    return tuple(sorted(found, key=lambda target: (target.span.line, target.span.column, target.text)))


def _text(node: ast.Constant) -> str:
    return texts.constant(node) or ""
