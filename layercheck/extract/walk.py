"""The state of one walk over a syntax tree: what it has gathered and where it stands. Decides nothing by itself."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from layercheck import names
from layercheck.extract.conditions import UNCONDITIONAL, Conditions
from layercheck.extract.guards import FALSE
from layercheck.extract.positions import Placed
from layercheck.extract.scopes import Reads, Scope, ScopeKind, Touch
from layercheck.facts import Guard, PatchKind

Visitor = Callable[["Walk", Any], None]
BUILTIN = "builtins."
LOCAL = ":"
"""Marks, in a canonical name, a root that is neither imported nor built in: ``:self.assertRaises``."""


@dataclass(slots=True)
class Site:
    """One alias of an import, or one dynamic import, before names are resolved."""

    node: Placed
    statement: Placed
    module: str
    level: int
    name: str
    bound: str
    aliased: bool
    scope: Scope
    conditions: Conditions
    guard: int
    dynamic: bool = False
    lazy: bool = False


@dataclass(slots=True)
class Bound:
    """One binding at the module's top level, before names are resolved."""

    name: str
    first: Placed
    last: Placed
    kind: Literal["class", "function", "assignment", "import", "other"]
    guard: int
    conditional: bool
    site: int = -1
    value: ast.expr | None = None
    """What is assigned, where it is assigned to the plain name."""


ExportOp = Literal["=", "+=", "append", "remove", "?"]


@dataclass(slots=True)
class ExportWrite:
    """One statement that makes or changes ``__all__``; ``?`` for one that cannot be read."""

    op: ExportOp
    node: Placed
    value: ast.expr | None
    certain: bool


@dataclass(slots=True)
class Candidate:
    """A text that may turn out constant once all bindings are known."""

    node: ast.expr
    scope: Scope


@dataclass(slots=True)
class PatchCall:
    """A call of a patcher, before what its target stands for is known."""

    kind: PatchKind
    node: ast.Call
    target: ast.expr
    attribute: ast.expr | None
    """What names the attribute, where the target is an object."""
    replaced: tuple[str, ...]
    """The attributes, where the call names several by keywords."""
    lenient: bool
    scope: Scope
    eager: bool
    """Whether it runs while the module is imported."""
    decorates: ast.stmt | None
    """The function or class that it decorates."""


@dataclass(slots=True)
class Walk:
    """What one walk has gathered, and where it stands."""

    visit: Mapping[type[ast.AST], Visitor]
    special: dict[str, Callable[[Walk, ast.Call], bool]]
    """What to do about calls, by the last word of the function called; true where the call is dealt with."""
    postponed: bool
    """Whether annotations are not evaluated (PEP 563)."""
    typed: bool
    """Whether type comments are in the tree."""
    scope: Scope = field(default_factory=lambda: Scope(0, "module", None))
    conditions: Conditions = UNCONDITIONAL
    reads: Reads = field(init=False)
    """Where a name that is read is written down at this point."""
    statement: ast.stmt | None = None
    in_type: bool = False
    """Whether strings here are annotations."""
    target_kind: Literal["assignment", "other"] = "other"
    target_end: Placed | None = None
    target_value: ast.expr | None = None
    queue: deque[tuple[Scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, Conditions]] = field(
        default_factory=deque
    )
    scopes: list[Scope] = field(init=False)
    sites: list[Site] = field(default_factory=list)
    bindings: list[Bound] = field(default_factory=list)
    values: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    """What the module's names are assigned, binding by binding."""
    exports: list[ExportWrite] = field(default_factory=list)
    strings: list[ast.Constant] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    patched: set[int] = field(default_factory=set)
    """Identities of nodes that name a patch target."""
    patch_calls: list[PatchCall] = field(default_factory=list)
    decorated: ast.stmt | None = None
    """The definition whose decorators are being walked."""
    nodes: dict[int, ast.AST] = field(default_factory=dict)
    """The definition or comprehension that opens a scope, by the scope's index."""
    members: dict[int, set[str]] = field(default_factory=dict)
    """What class bodies bind, by the index of their scope."""
    guards: dict[Guard, int] = field(default_factory=dict)
    sets_elsewhere: bool = False
    spaces: set[str] = field(default_factory=set)
    """Names that are given the namespace of some frame or function."""
    rebound: list[tuple[str, str, Placed]] = field(default_factory=list)
    """Module, name and place of what is bound in modules that are looked up."""
    registered: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    hollow: list[ast.If] = field(default_factory=list)
    open: str = ""
    open_submodules: str = ""
    reads_by_name: str = ""

    def __post_init__(self) -> None:
        self.scopes = [self.scope]
        self.reads = self.scope.eager

    # Where it stands

    def stand(self, scope: Scope, conditions: Conditions) -> None:
        """Go on in this scope, under these conditions."""
        self.scope = scope
        self.conditions = conditions
        self.reads = scope.eager if conditions.runs else scope.late

    def nested(self, kind: ScopeKind) -> Scope:
        """A new scope inside the present one."""
        scope = Scope(len(self.scopes), kind, self.scope)
        self.scopes.append(scope)
        return scope

    def block(self, body: list[ast.stmt], conditions: Conditions | None = None) -> None:
        """Walk statements, under other conditions where some are given."""
        before = self.conditions
        if conditions is not None and conditions is not before:
            self.stand(self.scope, conditions)
        visit = self.visit
        for node in body:
            self.statement = node
            visit[node.__class__](self, node)
        if conditions is not None and conditions is not before:
            self.stand(self.scope, before)

    @property
    def at_module(self) -> bool:
        """Whether names bound here are the module's."""
        return self.scope.block.parent is None

    @property
    def certain(self) -> bool:
        """Whether a module-level statement here has surely run once the module is imported."""
        conditions = self.conditions
        return conditions.runs and not (conditions.conditional or conditions.fragile)

    def guard_index(self) -> int:
        """The index of the guard that stands here; -1 where none does."""
        guard = self.conditions.guard
        return -1 if guard.test == "true" else self.guards.setdefault(guard, len(self.guards))

    # What names stand for

    def canonical(self, node: ast.expr) -> str:
        """The dotted name that a name or attribute chain stands for; empty for any other expression.

        ``np.x`` is ``numpy.x`` where ``np`` was imported so, a builtin begins with ``builtins.``, anything else
        with a colon.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        owner = self.scope.owner(node.id)
        root = owner.aliases.get(node.id)
        if root is None:
            local = owner.parent is not None or node.id in owner.bound
            root = (LOCAL if local else BUILTIN) + node.id
        return names.join(root, *reversed(parts)) if parts else root

    def is_builtin(self, node: ast.expr, name: str) -> bool:
        """Whether an expression is this builtin, not something else that goes by its name; if so, it is read."""
        if not isinstance(node, ast.Name) or node.id != name or self.canonical(node) != BUILTIN + name:
            return False
        self.reads.bare.setdefault(name, node)
        return True

    # What it gathers

    def touch(self, root: ast.Name, attributes: str, node: Placed, *, store: bool = False) -> None:
        """Write down a use of an attribute of what a name stands for."""
        key = (root.id, attributes, store)
        eager = self.conditions.runs
        known = self.scope.touches.get(key)
        if known is None:
            self.scope.touches[key] = Touch(node, eager)
        else:
            known.eager = known.eager or eager

    def use_global(self, name: str, node: Placed) -> None:
        """Write down a use of a module-level name by its spelling."""
        module = self.scope.module
        (module.eager if self.conditions.runs else module.late).bare.setdefault(name, node)

    def bind(
        self,
        name: str,
        first: Placed,
        last: Placed,
        kind: Literal["class", "function", "assignment", "import", "other"],
        *,
        site: int = -1,
        value: ast.expr | None = None,
    ) -> None:
        """Bind a name in the present scope, or where ``global`` says."""
        scope = self.scope
        if name in scope.nonlocal_names:
            for outer in lineage(scope.parent):
                outer.others.add(name)
            return
        if scope.parent is not None and name not in scope.global_names:
            scope.bound.add(name)
            (scope.imports if kind == "import" else scope.others).add(name)
            if scope.kind == "class":
                self.members.setdefault(scope.index, set()).add(name)
            return
        module = scope.module
        module.bound.add(name)
        (module.imports if kind == "import" else module.others).add(name)
        late = any(outer.kind == "function" for outer in lineage(scope))
        if late and kind != "import":
            kind = "other"
        conditions = self.conditions
        conditional = late or conditions.conditional or conditions.fragile or conditions.main
        self.bindings.append(Bound(name, first, last, kind, self.guard_index(), conditional, site, value))
        self.values.setdefault(name, []).append(value)
        if name == "__all__" and kind != "assignment":
            self.exports.append(ExportWrite("?", first, None, False))

    def bind_by_name(self, name: str, node: Placed) -> None:
        """Bind a module-level name through its namespace: ``globals()["x"] = 1``."""
        self.scope.module.bound.add(name)
        self.scope.module.others.add(name)
        self.bindings.append(Bound(name, node, node, "other", self.guard_index(), True))
        self.values.setdefault(name, []).append(None)
        if name == "__all__":
            self.exports.append(ExportWrite("?", node, None, False))

    def unbind(self, name: str) -> None:
        """Take away a name's earlier bindings where the module deletes it; in doubt, say that they may not last."""
        if self.scope.parent is not None:
            return
        if self.certain:
            self.bindings = [bound for bound in self.bindings if bound.name != name]
            self.values.pop(name, None)
        else:
            for bound in self.bindings:
                bound.conditional = bound.conditional or bound.name == name

    def opens(self, why: str) -> None:
        """Say that no name can be missing here; the first reason stands."""
        self.open = self.open or why

    def opens_submodules(self, why: str) -> None:
        """Say that no submodule can be missing here; the first reason stands."""
        self.open_submodules = self.open_submodules or why

    def reads_any(self, how: str) -> None:
        """Say that the file may read any of its names; the first way stands."""
        self.reads_by_name = self.reads_by_name or how

    def typing_value(self, name: str) -> bool | None:
        """The value of a name that a guard tests, as far as this file alone says it."""
        module = self.scope.module
        head, rest = names.head(name), names.rest(name)
        alias = module.aliases.get(head)
        if alias is not None:
            return False if is_type_checking(names.join(alias, rest)) else None
        return constant_truth(self.only_value(name))

    def only_value(self, name: str) -> ast.expr | None:
        """What a module-level name is assigned, where it has but one binding so far."""
        values = self.values.get(name, ())
        return values[0] if len(values) == 1 else None

    def guard_of_name(self, node: ast.expr) -> Guard:
        """The guard that testing a name, or an attribute, makes."""
        canonical = self.canonical(node)
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return Guard("unknown")
        if self.scope.owner(root.id).parent is not None:
            return FALSE if is_type_checking(canonical) else Guard("unknown")
        return Guard("name", ast.unparse(node))


def lineage(scope: Scope | None) -> list[Scope]:
    """A scope and all around it, innermost first."""
    found = []
    while scope is not None:
        found.append(scope)
        scope = scope.parent
    return found


def is_type_checking(canonical: str) -> bool:
    """Whether a name is the constant that is false at run time and true to type checkers."""
    return canonical in ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")


def constant_truth(node: ast.expr | None) -> bool | None:
    """The truth value of a literal constant; None for any other expression."""
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        value = constant_truth(node.operand)
        return None if value is None else not value
    return None


MOST_PARTS = 255
"""A dotted name of more parts is no module's, whose path would be too long for a file system; and what is worked out
for each of its parts would take the square of its length."""


def demand_short(name: str) -> None:
    """Raises RecursionError for a dotted name of more parts than any module's."""
    if name.count(".") >= MOST_PARTS:
        raise RecursionError(name[:MOST_PARTS])


def chain(node: ast.expr) -> tuple[ast.Name, str] | None:
    """The name that an attribute chain begins with, and its attributes joined; None for any other expression, and for
    a chain that is longer than any module's name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if len(parts) >= MOST_PARTS:
        return None
    return (node, names.join(*reversed(parts))) if isinstance(node, ast.Name) else None
