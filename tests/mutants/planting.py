"""Puts the code of a mutant into a running interpreter; knows nothing of tests."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType, ModuleType


def swap(path: str, old: str, new: str) -> bool:
    """Give the living functions of a file their new code.

    Returns False, and does nothing, where the change runs when the module is imported: there it must be imported anew.
    """
    file = str(Path(path).resolve())
    before, after = compile(old, file, "exec"), compile(new, file, "exec")
    if _surface(before) != _surface(after):
        return False
    pairs = zip(_functions(before), _functions(after), strict=True)
    changed = {(one.co_name, one.co_firstlineno): other for one, other in pairs if one != other}
    living = [one for one in gc.get_objects() if type(one) is FunctionType and one.__code__.co_filename == file]
    found = [(one, changed.get((one.__code__.co_name, one.__code__.co_firstlineno))) for one in living]
    if {code for _, code in found if code} != set(changed.values()):
        return False
    for function, code in found:
        if code:
            function.__code__ = code
    return True


def _is_function(code: CodeType) -> bool:
    # A comprehension outside of a function has run when the module is there.
    return bool(code.co_flags & CO_OPTIMIZED) and not code.co_name.startswith("<")


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The functions and methods of a module, without those inside of them."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if _is_function(one):
                yield one
            else:
                yield from _functions(one)


def _surface(code: CodeType) -> object:
    """What of a module runs at its import."""
    parts = [
        one if not isinstance(one, CodeType) else one.co_name if _is_function(one) else _surface(one)
        for one in code.co_consts
    ]
    return code.co_code, code.co_names, [(type(one), one) for one in parts]


class Planted(SourceFileLoader):
    """Loads a module with a text other than that of its file."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, str(Path(path).resolve()))
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        """The text, compiled."""
        return compile(self.text, self.path, "exec")


class PlantedFirst(MetaPathFinder):
    """Finds what is planted, nothing else."""

    def __init__(self, planted: Planted) -> None:
        self.planted = planted

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """This module, no other."""
        return (
            spec_from_file_location(name, self.planted.path, loader=self.planted) if name == self.planted.name else None
        )


def forget(*packages: str) -> None:
    """Let all modules of some packages be imported anew."""
    for name in [name for name in sys.modules if name.split(".")[0] in packages]:
        del sys.modules[name]
