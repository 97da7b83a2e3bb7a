"""Text -> outline: the top level of one file, statement by statement, with the exact lines of each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from layercheck import names
from layercheck.extract.parse import Parsed
from layercheck.extract.positions import Placed, Text, start
from layercheck.extract.reading import read
from layercheck.extract.walk import chain
from layercheck.outline import Block, Outline, Statement, StatementKind

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINED = ("class", "function", "constant")
_COOKIE = re.compile(r"#!|#.*?coding[:=]")
_TOO_DEEP = Outline(failure="nests too deeply for this Python to parse")


def outline(content: bytes) -> Outline:
    """The outline of one Python file, from its bytes alone. Raises nothing, whatever the bytes."""
    return read(content, _outline, lambda failure: Outline(failure=failure.message), too_deep=_TOO_DEEP)


def _outline(source: str, parsed: Parsed) -> Outline:
    body = parsed.tree.body
    lines = source.split("\n")
    if not lines[-1]:
        lines.pop()
    reader = _Reader(Text(source), tuple(lines))
    return Outline(
        lines=reader.lines,
        statements=tuple(reader.statements(body)),
        blocks=tuple(
            Block(node.lineno, node.end_lineno or node.lineno, all(map(_is_import_like, _leaves(node))))
            for node in body
            if isinstance(node, _blocks())
        ),
        simple=tuple(_simple(body, [])),
        futures=frozenset(
            alias.name
            for node in body
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for alias in node.names
        ),
        annotated=tuple(_annotated(body)),
    )


def _blocks() -> tuple[type[ast.stmt], ...]:
    kinds: tuple[type[ast.stmt], ...] = (ast.If, ast.Try, ast.With)
    star = getattr(ast, "TryStar", None)  # Python 3.11 and later
    return (*kinds, star) if isinstance(star, type) else kinds


@dataclass(frozen=True, slots=True)
class _Reader:
    text: Text
    lines: tuple[str, ...]

    def statements(self, body: list[ast.stmt]) -> Iterator[Statement]:
        if body and _is_text(body[0]):
            yield self._one(body[0], body[0], "docstring", (), (), 0)
            body = body[1:]
        yield from self._taken_apart(body, (), 0)

    def _taken_apart(self, body: list[ast.stmt], guards: tuple[str, ...], block: int) -> Iterator[Statement]:
        for node, last in _documented(body):
            if isinstance(node, _blocks()):
                for header, part in _arms(node):
                    yield from self._taken_apart(part, (*guards, header), block or node.lineno)
            else:
                kind, bound = _kind(node)
                yield self._one(node, last, kind, bound, guards, block)

    def _one(
        self,
        node: ast.stmt,
        last: ast.stmt,
        kind: StatementKind,
        bound: tuple[str, ...],
        guards: tuple[str, ...],
        block: int,
    ) -> Statement:
        """A statement that ends where ``last`` does."""
        top = start(node).lineno
        return Statement(
            kind=kind,
            names=bound,
            first=self._comment_above(top, node.col_offset) if kind in _DEFINED else top,
            start=top,
            last=last.end_lineno or last.lineno,
            guards=guards,
            block=block,
            alone=self._alone(start(node), last),
            literal=kind == "constant" and _is_literal(getattr(node, "value", None)),
            decorators=tuple(map(_written, node.decorator_list)) if isinstance(node, _DEFINITIONS) else (),
            runs=tuple(name for name in map(_written, _run(node)) if name) if kind in _DEFINED else (),
            metaclass=_metaclass(node) if isinstance(node, ast.ClassDef) else "",
        )

    def _alone(self, first: Placed, last: ast.stmt) -> bool:
        """Whether nothing but a comment stands beside a statement on its lines."""
        span = self.text.between(first, last)
        before = self.lines[span.line - 1][: span.column - 1].strip()
        behind = self.lines[span.end_line - 1][span.end_column - 1 :].strip()
        return before in ("", "@") and behind[:1] in ("", "#")

    def _comment_above(self, line: int, indent: int) -> int:
        """The first line of the comment that ends right above a line at the same indentation; else the line itself."""
        while line > 1:
            above = self.lines[line - 2]
            stripped = above.lstrip()
            if not stripped.startswith("#") or len(above) - len(stripped) != indent:
                break
            if line <= 3 and _COOKIE.match(stripped):
                break
            line -= 1
        return line


def _documented(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """The statements of a block, each with the one at whose end it ends: a text right below a constant is the
    constant's documentation (PEP 257, "What is a Docstring?")."""
    index = 0
    while index < len(body):
        node = last = body[index]
        below = body[index + 1] if index + 1 < len(body) else node
        if _is_text(below) and below.lineno == (node.end_lineno or node.lineno) + 1 and _kind(node)[0] == "constant":
            last, index = below, index + 1
        yield node, last
        index += 1


def _arms(node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The parts of a block, each with its header as one text."""
    if isinstance(node, ast.If):
        test = f"if {ast.unparse(node.test)}"
        yield test, node.body
        if node.orelse:
            yield f"else of {test}", node.orelse
    elif isinstance(node, ast.With):
        yield f"with {', '.join(map(ast.unparse, node.items))}", node.body
    else:
        yield "try", getattr(node, "body", [])
        word = "except" if isinstance(node, ast.Try) else "except*"
        for handler in getattr(node, "handlers", ()):
            yield f"{word} {ast.unparse(handler.type)}" if handler.type else word, handler.body
        for name in ("orelse", "finalbody"):
            if getattr(node, name, ()):
                yield f"{name} of try", getattr(node, name)


def _annotated(body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    for node in body:
        if isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name):
            yield node.target.id, node.lineno
        elif isinstance(node, _blocks()):
            yield from _annotated([leaf for leaf, _ in _leaves(node)])


def _leaves(node: ast.stmt) -> Iterator[tuple[ast.stmt, str]]:
    """The statements in a block at any depth, each with the header right above it."""
    for header, part in _arms(node):
        for inner in part:
            if isinstance(inner, _blocks()):
                yield from _leaves(inner)
            else:
                yield inner, header


def _is_import_like(leaf: tuple[ast.stmt, str]) -> bool:
    node, header = leaf
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Pass):
        return True
    stands_in = header.startswith(("except", "else of", "orelse of"))
    return stands_in and isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)


def _kind(node: ast.stmt) -> tuple[StatementKind, tuple[str, ...]]:
    if isinstance(node, ast.ClassDef):
        return "class", (node.name,)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return "function", (node.name,)
    if isinstance(node, ast.Import):
        return "import", tuple(alias.asname or names.head(alias.name) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return "import", tuple(alias.asname or alias.name for alias in node.names)
    if isinstance(node, ast.Pass):
        return "pass", ()
    targets = _targets(node)
    if "__all__" in targets or _changes_exports(node):
        return "exports", ()
    return ("constant", targets) if targets else ("other", ())


def _targets(node: ast.stmt) -> tuple[str, ...]:
    """The names that an assignment binds; none where it also does something else."""
    targets: Sequence[ast.expr] = ()
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = (node.target,)
    elif node.__class__.__name__ == "TypeAlias":  # Python 3.12 and later
        name = getattr(node, "name", None)
        targets = (name,) if isinstance(name, ast.Name) else ()
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == "__all__":
        return ("__all__",)
    found: list[str] = []
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        for part in parts:
            if not isinstance(part, ast.Name):
                return ()
            found.append(part.id)
    return tuple(found)


def _changes_exports(node: ast.stmt) -> bool:
    """``__all__.append("x")`` and its like."""
    call = node.value if isinstance(node, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    return isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "__all__"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_literal(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Tuple):
        return all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_literal(node.left) and _is_literal(node.right)
    return False


def _written(decorator: ast.expr) -> str:
    """A decorator as a dotted name, without its arguments."""
    found = chain(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return names.join(found[0].id, found[1]) if found else ""


def _run(node: ast.stmt) -> Iterator[ast.expr]:
    """What is called while a definition is made, save for its own decorators."""
    queue: list[ast.AST] = [node]
    while queue:
        part = queue.pop()
        inside: list[ast.AST] = [*ast.iter_child_nodes(part)]
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            # Its body runs when it is called.
            inside = [*part.args.defaults, *(one for one in part.args.kw_defaults if one is not None)]
        if isinstance(part, _DEFINITIONS):
            inside = [one for one in inside if one not in part.decorator_list]
            if part is not node:
                yield from part.decorator_list
                inside += [one for decorator in part.decorator_list for one in ast.iter_child_nodes(decorator)]
        elif isinstance(part, ast.Call):
            yield part
        queue += reversed(inside)


def _metaclass(node: ast.ClassDef) -> str:
    found = [part.value for part in node.keywords if part.arg == "metaclass"]
    return _written(found[0]) if found else ""


def _simple(body: list[ast.stmt], found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines of each simple statement, and of each header up to the first statement below it; added to ``found``."""
    for node in body:
        top = start(node).lineno
        parts = [part for part in _bodies(node) if part]
        if not parts:
            found.append((top, node.end_lineno or node.lineno))
            continue
        for part in parts:
            found.append((top, max(top, start(part[0]).lineno - 1)))
            _simple(part, found)
            top = (part[-1].end_lineno or part[-1].lineno) + 1
    return found


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(node, ast.Expr | ast.Assign | ast.Return | ast.ImportFrom | ast.AugAssign | ast.Raise | ast.Assert):
        return  # most statements are one of these
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        part = getattr(node, name, None)
        if name in ("handlers", "cases"):
            yield from (inner.body for inner in part or ())
        elif isinstance(part, list):
            yield part
