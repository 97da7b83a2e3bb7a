"""The mutants of one file, made in memory; knows nothing of tests.

What is changed is what mutmut changes (operators, constants, arguments, assigned values, branches of a match), and what
it leaves alone: conditions, returned values, calls for their effect; in decorated functions and at module level too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

# Of the extra `mutants`, which is there only where mutants are made: so they are not imported by name.
cst: Any = import_module("libcst")
metadata: Any = import_module("libcst.metadata")
operators: Any = import_module("mutmut.mutation.mutators").mutation_operators


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the line it begins at, the file's syntax tree, and what takes the place of what in it."""

    path: str
    line: int
    key: tuple[str, ...]
    """What tells it from the others, wherever in its file it lies."""
    module: Any = field(repr=False)
    node: Any = field(repr=False)
    put: Any = field(repr=False)

    @property
    def before(self) -> str:
        """The code that is changed."""
        return str(self.module.code_for_node(self.node)).strip()

    @property
    def after(self) -> str:
        """The code that takes its place."""
        return str(self.module.code_for_node(self.put)).strip()

    @property
    def text(self) -> str:
        """The whole file with the change."""
        return str(self.module.deep_replace(self.node, self.put).code)

    def draw(self, seed: int) -> str:
        """Where this mutant stands in the order of a seed."""
        return hashlib.sha256("\0".join([str(seed), *self.key]).encode()).hexdigest()


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """All mutants of a file, in the order of the text."""
    wrapper = metadata.MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    module, places = wrapper.module, wrapper.resolve(metadata.PositionProvider)
    lines = text.split("\n")
    seen: Counter[tuple[str, str]] = Counter()
    line = 1
    for node in _nodes(module):
        line = places[node].start.line if node in places else line
        for put in _changes(node):
            alike = (lines[line - 1].strip(), type(node).__name__)
            seen[alike] += 1
            yield Mutant(path, line, (path, *alike, str(seen[alike])), module, node, put)


def _nodes(node: Any) -> Iterator[Any]:
    if not _is_left_alone(node):
        yield node
        for child in node.children:
            if not (isinstance(node, cst.ClassDef) and child in (*node.bases, *node.keywords)):
                yield from _nodes(child)


def _is_left_alone(node: Any) -> bool:
    """What tests cannot, or need not, tell apart: annotations, imports, what decorators and `__all__` say."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value in {"len", "isinstance"}  # another argument is always an error
    if isinstance(node, cst.Assign):
        return any(isinstance(one.target, cst.Name) and one.target.value == "__all__" for one in node.targets)
    return isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom | cst.Decorator)


def _changes(node: Any) -> Iterator[Any]:
    for kind, change in operators:
        if isinstance(node, kind):
            yield from change(node)
    if isinstance(node, cst.If | cst.CompIf | cst.While):
        yield node.with_changes(test=_negated(node.test))
    elif isinstance(node, cst.Return) and node.value is not None and getattr(node.value, "value", "") != "None":
        yield node.with_changes(value=cst.Name("None"))
    elif isinstance(node, cst.Expr) and not isinstance(node.value, cst.BaseString):
        yield cst.Pass()


def _negated(test: Any) -> Any:
    inner = test.with_changes(lpar=[cst.LeftParen(), *test.lpar], rpar=[*test.rpar, cst.RightParen()])
    return cst.UnaryOperation(cst.Not(), inner)
