"""Facts: what is true of one Python file from its text alone, as frozen data. No behaviour beyond look-ups.

Lines and columns count from 1, columns in characters. An index of -1 means "none".
The structs are written to the cache as arrays: a change to any field needs a new layercheck version or a new
``FORMAT``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FORMAT = 7
"""Raised by one with every change to the shape or the meaning of the facts."""

Kind = Literal["import-time", "deferred", "typing"]
Flag = Literal["optional", "raises", "conditional", "star", "dynamic", "lazy", "string", "implicit"]
KINDS: tuple[Kind, ...] = ("import-time", "deferred", "typing")

MODULE_SCOPE = 0
"""The scope of the module itself."""


class Fact(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What all facts are: frozen, compact on disk."""


class SourceFile(msgspec.Struct, frozen=True):
    """A file as it was read. ``content`` is None where it could not be, and ``error`` says why."""

    path: str
    """POSIX, relative to the root of the run; bytes that are not UTF-8 as surrogate escapes."""
    content: bytes | None
    error: str = ""
    stamp: tuple[int, ...] = ()
    """What the file system said of it just before: while it says the same the content is the same. Empty where that
    cannot be relied on."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """The content that a file had when it was read."""

    digest: bytes
    stamp: tuple[int, ...]
    """As in ``SourceFile``."""


class Span(Fact, frozen=True):
    """A stretch of text, from its first character to just behind its last."""

    line: int
    column: int
    end_line: int
    end_column: int


class Guard(Fact, frozen=True):
    """The test that must hold for something to run, as far as it can matter to the kind of an import.

    ``name`` tests a name as written (``t.TYPE_CHECKING``), looked up at module level; what the text alone cannot
    decide is ``unknown``.
    """

    test: Literal["name", "not", "and", "or", "true", "false", "unknown"]
    name: str = ""
    parts: tuple[Guard, ...] = ()


class Import(Fact, frozen=True):
    """One alias of one import statement, or one ``import_module("literal")`` call."""

    span: Span
    """The alias (``X as Y``); the module name in a star import; the whole call of a dynamic import."""
    statement: Span
    module: str
    """As written, without leading dots."""
    level: int
    """The number of leading dots."""
    name: str
    """What is taken from the module: empty for ``import module`` and dynamic ones, ``*`` for a star import."""
    bound: str
    """The name that it binds in its scope; empty where it binds none."""
    aliased: bool
    """Whether it is written with ``as``."""
    place: Literal["module", "class", "function"]
    scope: int
    """Which scope binds the name: 0 for the module, else an index that only serves to tell scopes apart."""
    kind: Kind
    """By its place and by what is certain from the text; ``guard`` may still make it a typing import."""
    flags: tuple[Flag, ...]
    guard: int
    """Index into ``ModuleFacts.guards``: the conjunction of all tests it stands under, where a name is tested."""
    used: bool
    """Whether anything in the file reads the bound name in its scope."""
    handler: bool = False
    """Whether it is a probe or a fallback: in an ``except`` arm that catches ImportError, or the body or ``else``
    beside one."""


class Binding(Fact, frozen=True):
    """One place at which the module's top level (or a function, by ``global``) binds a name."""

    name: str
    span: Span
    """From the first decorator or the name to the end of the statement."""
    kind: Literal["class", "function", "assignment", "import", "other"]
    guard: int
    conditional: bool
    """Whether it may not have run, or not last: under an undecided test, in a loop, an ``except`` arm, a function, in a
    block that an exception may cut short, or with a ``del`` under a condition."""
    imported: int = -1
    """Index into ``ModuleFacts.imports``."""
    truth: bool | None = None
    """The truth value of a constant it is assigned, where the text says it."""
    refers: str = ""
    """The name that it is assigned, dotted as written (``typing.TYPE_CHECKING``), where it is assigned a name."""
    bases: tuple[str, ...] = ()
    """Of a class: its bases as written, in order (``a.b.C``; for ``C[T]`` it is ``C``); empty where one is no name."""


class Access(Fact, frozen=True):
    """A use of a name that an import binds: ``a.b.c`` with ``a`` imported is name ``a``, attributes ``b.c``.

    One for each distinct (scope, name, attributes, store), at its first occurrence.
    """

    scope: int
    name: str
    attributes: str
    """Empty where the object itself is used: passed on, called, assigned. ``*`` as the last component where any
    attribute may be meant (``getattr(a, variable)``, ``vars(a)``, ``a.__dict__``)."""
    span: Span
    eager: bool
    """Whether any occurrence runs while the module is imported."""
    store: bool = False
    """Whether it binds or deletes the attribute on the module: ``a.b = 1``, ``setattr(a, "b", 1)``, ``del a.b``."""
    rebound: bool = False
    """Whether anything but imports binds the name in its scope too, so that it may be something else by then."""


class ExportStep(Fact, frozen=True):
    """One step in the making of ``__all__``: names are added or removed; ``splice`` adds all of ``name.__all__``."""

    op: Literal["add", "remove", "splice"]
    name: str
    span: Span


class Exports(Fact, frozen=True):
    """How ``__all__`` is made. Where ``known`` is false some of it cannot be read from the text."""

    known: bool
    steps: tuple[ExportStep, ...]
    span: Span


class Rebound(Fact, frozen=True):
    """A place at which the file binds or deletes a name of a module that no import of it stands for: one in
    ``sys.modules``, or that of a function (``f.__globals__``); or deletes a global of its own in a function."""

    module: str
    """``.`` for the file's own; empty where it cannot be told."""
    name: str
    """``*`` where any may be meant."""
    span: Span


class StringTarget(Fact, frozen=True):
    """A string constant that reads as a dotted name (``a.b.c`` or ``a.b:c``), and that is no patch target."""

    text: str
    span: Span


class Piece(Fact, frozen=True):
    """A literal, or the part of one, of which a text is made."""

    text: str
    span: Span
    """Of the whole literal."""


PatchKind = Literal["attribute", "mapping", "module"]

OWN_NAME = "__name__"
"""As the name of a patch: the module of the file itself."""


class Patch(Fact, frozen=True):
    """What one call of a patcher replaces, where the text of its file says it: ``mock.patch``, ``mocker``,
    ``monkeypatch``. One for each value that a target may have."""

    kind: PatchKind
    """``attribute``: the last component is replaced. ``mapping``: all of it is looked up, and what it is gets other
    items. ``module``: a key of ``sys.modules``."""
    target: str
    """The dotted name where the target is a text: ``patch("a.b.c")``; empty where it is an object."""
    scope: int
    """Of the object: the scope that binds ``name``."""
    name: str
    """The name that the object begins with: ``a`` in ``patch.object(a.b, "c")`` and in ``patch(f"{a.__name__}.b")``."""
    attributes: str
    """The attributes that lead from there, that which is replaced included: ``b.c``."""
    span: Span
    """The expression that names what is replaced; the literal, where a target may have several values."""
    lenient: bool
    """Whether the last component need not be there: ``create=True``, ``raising=False``."""
    pieces: tuple[Piece, ...]
    """The literals of which ``target``, or ``attributes``, is made, in order."""
    code: int
    """Index into ``ModuleFacts.patched_code``."""


class PatchedCode(Fact, frozen=True):
    """The code that runs while patches hold: one test, as far as its text says it."""

    reads: tuple[int, ...]
    """Indices into ``ModuleFacts.accesses``: what it reads of the names that imports bind."""
    whole: bool
    """Whether what it calls cannot be told from it: it has fixtures, helpers of its file or attributes of ``self``, or
    it is no test itself."""


class ClassBody(Fact, frozen=True):
    """A class at the top level of a module, or in the body of one: what its own text binds on it."""

    name: str
    """From the top level: ``Outer.Inner``."""
    bases: tuple[str, ...]
    """As in ``Binding``."""
    members: tuple[str, ...]
    """Sorted. Names that are only annotated are not there."""
    open: str
    """Why it may have other members than its text and its bases say; empty where it may not."""


class Comment(Fact, frozen=True):
    """A comment that silences a checker on a stretch of lines."""

    tool: Literal["layercheck", "noqa", "pylint"]
    codes: tuple[str, ...]
    """The checks, rules or codes named; none means all of them."""
    reason: str
    span: Span
    first: int
    """The first line that it covers."""
    last: int
    """The last one."""


class ParseFailure(Fact, frozen=True):
    """Why a file gives no facts."""

    message: str
    line: int
    column: int


class ModuleFacts(Fact, frozen=True):
    """All facts of one file. A file that cannot be parsed has a ``failure`` and no other facts."""

    failure: ParseFailure | None = None
    lines: int = 0
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    """In the order of the text; what an unconditional ``del`` took away is not among them."""
    exports: Exports | None = None
    """None where the module has no ``__all__``."""
    uses: tuple[str, ...] = ()
    """The names that any scope of the file reads from the module's scope, builtins left in; sorted."""
    eager_uses: tuple[str, ...] = ()
    """Those of them that are read while the module is imported."""
    accesses: tuple[Access, ...] = ()
    strings: tuple[StringTarget, ...] = ()
    patches: tuple[Patch, ...] = ()
    unknown_patches: int = 0
    """How many targets of patches are not constant."""
    patched_code: tuple[PatchedCode, ...] = ()
    classes: tuple[ClassBody, ...] = ()
    """In the order of the text; a name may be there several times."""
    guards: tuple[Guard, ...] = ()
    comments: tuple[Comment, ...] = ()
    open: str = ""
    """Why no name can be said to be missing here (``__getattr__``, ``globals()`` ...); empty where none."""
    open_submodules: str = ""
    """Why no submodule can be said to be missing below this module (``__path__``, ``sys.modules`` ...)."""
    sets_elsewhere: bool = False
    """Whether the file sets names on modules that it looks up by computed names: whoever uses it may gain any name."""
    rebound: tuple[Rebound, ...] = ()
    registered: tuple[str, ...] = ()
    """The literal keys that the file writes to ``sys.modules``."""
    reads_by_name: str = ""
    """How the file may read any global by a computed name (``globals()``, ``eval``); empty where it does not."""
    only_imports: bool = False
    """Whether the module has an import and, beside a docstring, ``__all__`` and guards, nothing else."""
    parameters: tuple[str, ...] = ()
    """Names that pytest would look up as fixtures: parameters of tests and fixtures, ``usefixtures``,
    ``pytest_plugins`` apart."""
    hollow_blocks: tuple[Span, ...] = ()
    """Module-level ``if`` statements without ``else`` whose body is only ``pass``."""
