"""The mutants of one file, made in memory; knows nothing of tests.

What is changed is what mutmut changes (operators, constants, arguments, assigned values, branches of a match), and what
it leaves alone: conditions, returned values, calls for their effect; in decorated functions and at module level too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

# Of the extra `mutants`, which is there only where mutants are made: so they are not imported by name.
cst: Any = import_module("libcst")
metadata: Any = import_module("libcst.metadata")
operators: Any = import_module("mutmut.mutation.mutators").mutation_operators


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    `line` is its place, `before` and `after` the code there, `nth` the ordinal among equal changes of the file. The
    rest is the syntax tree of the file and what takes the place of what in it.
    """

    path: str
    line: int
    before: str
    after: str
    nth: int
    module: Any = field(repr=False)
    node: Any = field(repr=False)
    put: Any = field(repr=False)

    @cached_property
    def text(self) -> str:
        """The whole file with the change."""
        return str(self.module.deep_replace(self.node, self.put).code)

    def draw(self, seed: int) -> str:
        """Where this mutant stands in the order of a seed: the same wherever in its file the code lies."""
        said = "\0".join([str(seed), self.path, self.before, self.after, str(self.nth)])
        return hashlib.sha256(said.encode()).hexdigest()


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """All mutants of a file, in the order of the text."""
    wrapper = metadata.MetadataWrapper(cst.parse_module(text))
    module, places = wrapper.module, wrapper.resolve(metadata.PositionProvider)
    seen: Counter[tuple[str, str]] = Counter()
    for node in _nodes(module):
        for put in _changes(node):
            before, after = _code(module, node), _code(module, put)
            seen[before, after] += 1
            line = places[node].start.line if node in places else 0
            yield Mutant(path, line, before, after, seen[before, after], module, node, put)


def _code(module: Any, node: Any) -> str:
    return "" if isinstance(node, cst.RemovalSentinel) else str(module.code_for_node(node)).strip()


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
    elif isinstance(node, cst.Return) and node.value is not None:
        yield node.with_changes(value=cst.Name("None"))
    elif isinstance(node, cst.Expr) and not isinstance(node.value, cst.BaseString):
        yield cst.Pass()


def _negated(test: Any) -> Any:
    inner = test.with_changes(lpar=[cst.LeftParen(), *test.lpar], rpar=[*test.rpar, cst.RightParen()])
    return cst.UnaryOperation(cst.Not(), inner)
