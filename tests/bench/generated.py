"""Trees of any size, made from a seed: code that imports as real code does. Knows nothing of who reads it.

A tree is made of areas of packages of modules. What a module looks like and how many it imports does not depend on how
many there are, so that time per module can be compared between sizes. Mostly a module imports what comes before
it, near or far; a few go back and so close rings within their area, and a few imports and patches are broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

TOP = "gen"
_MODULES = 20
"""In a package, its ``__init__`` among them."""
_AREA = 25 * _MODULES
_COMMON = 12
"""Of the first package, the modules that all others take from."""
_STANDARD = ("asyncio", "contextlib", "functools", "itertools", "json", "logging", "math", "os", "re", "time")


def generate(to: Path, modules: int, seed: int = 1) -> None:
    """Write a tree of about so many modules, and a test beside them for each package."""
    _write(to / TOP / "__init__.py", "")
    for number in range(modules):
        if number % _AREA == 0:
            _write(to / TOP / f"area{number // _AREA}" / "__init__.py", "")
        if number % _MODULES == 0:
            last = min(number + _MODULES, modules)
            _write(to / _package(number).replace(".", "/") / "__init__.py", _init(number, last))
            _write(to / "tests" / f"test_{number // _MODULES}.py", _test(Random(f"{seed} test {number}"), number, last))
        else:
            _write(to / f"{_name(number).replace('.', '/')}.py", _module(Random(f"{seed} {number}"), number, modules))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _package(number: int) -> str:
    return f"{TOP}.area{number // _AREA}.part{number // _MODULES}"


def _name(number: int) -> str:
    return f"{_package(number)}.mod{number}" if number % _MODULES else _package(number)


def _init(first: int, last: int) -> str:
    """An ``__init__`` that passes on the classes of some of its modules."""
    taken = range(first + 1, last, 4)
    imports = "".join(f"from .mod{number} import Thing{number}\n" for number in taken)
    return f"{imports}\n__all__ = {[f'Thing{number}' for number in taken]}\n"


def _module(chance: Random, number: int, modules: int) -> str:
    standard = sorted(chance.sample(_STANDARD, 3))
    imported = sorted({*_earlier(chance, number, chance.randint(2, 7))})
    typing = sorted({*_earlier(chance, number, 2)} - {*imported})
    deferred = sorted({*_earlier(chance, number, chance.randint(0, 1))} - {*imported, *typing})
    later = number + chance.randint(1, _MODULES * 2)
    if not chance.randrange(100) and later < modules and later % _MODULES and later // _AREA == number // _AREA:
        imported.append(later)
    lines = [f'"""Module {number}."""', "", "from __future__ import annotations", ""]
    lines += [*(f"import {name}" for name in standard), "from typing import TYPE_CHECKING, Any", ""]
    lines += [_import(number, other) for other in imported]
    if not chance.randrange(1000):
        lines.append(f"from .mod{number - 1} import Thing{chance.randrange(number)}_gone")
        lines.append(f"from .module{number} import Thing{number}_gone")
    lines += ["", "if TYPE_CHECKING:", "    from typing import Sequence"]
    lines += [f"    {_import(number, other, f'Thing{other}')}" for other in typing]
    if not chance.randrange(12):
        lines += ["", "try:", f"    import outside{number % 7} as fast", "except ImportError:", "    fast = None"]
    unused = chance.randrange(50)
    lines += ["", f"logger = {standard[0]}.getLogger({', '.join(standard)})", "", "KINDS: dict[str, Any] = {"]
    lines += [f'    "{other}": (Thing{other}, make{other}),' for other in (imported if unused else imported[1:])]
    lines += ["}", "", "", f"class Thing{number}{f'(Thing{imported[0]})' if imported else ''}:"]
    lines += [f'    """What module {number} is about."""', "", f"    limit: int = {number}"]
    for method in range(chance.randint(2, 6)):
        lines += [
            "",
            f"    def method{method}(self, first: Sequence[Any], second: dict[str, int] | None = None) -> Any:",
        ]
        lines += [f"        {line}" for line in _body(chance, standard, imported)]
    given = " | ".join([f"Thing{other}" for other in typing] or ["Any"])
    lines += ["", "", f"def make{number}(first: {given} = None, *, second: str = 'x') -> Thing{number}:"]
    lines += [f"    {_import(number, other)}" for other in deferred]
    lines += [f"    first = make{other}(Thing{other}(first))" for other in deferred]
    lines += [*(f"    {line}" for line in _body(chance, standard, imported))]
    return "\n".join(lines) + "\n"


def _earlier(chance: Random, number: int, count: int) -> Iterator[int]:
    """Modules that come before one: most of its own package, others of its area, of anywhere, or the common ones."""
    for _ in range(count if number > _COMMON else 0):
        kind = chance.random()
        if kind < 0.15:
            other = chance.randint(1, _COMMON)
        else:
            reach = _MODULES if kind < 0.6 else _AREA if kind < 0.9 else number
            other = number - chance.randint(1, min(reach, number))
        if other % _MODULES:
            yield other


def _import(number: int, other: int, names: str = "Thing{0}, make{0}") -> str:
    if _package(other) == _package(number):
        source = f".mod{other}"
    elif other // _AREA == number // _AREA:
        source = f"..part{other // _MODULES}.mod{other}"
    else:
        source = _name(other)
    return f"from {source} import {names.format(other)}"


def _body(chance: Random, standard: list[str], imported: list[int]) -> Iterator[str]:
    """Some lines that read what is imported, as far as it goes."""
    module = chance.choice(standard)
    yield f"found = {module}.{chance.choice('abcdef')}(first, [part for part in second or () if part is not None])"
    for other in chance.sample(imported, min(2, len(imported))):
        yield f"if isinstance(first, Thing{other}) and not found[{other}:].strip():"
        yield f"    found = make{other}(first, second=f'{{first!r}} of {{found.name}}', *found)"
    for step in range(chance.randint(1, 5)):
        yield f"for index, value{step} in enumerate(found.items({step}, key=lambda pair: pair[1])):"
        yield f"    found[index + {step}] = {{'name': value{step}.name.upper(), 'size': len(value{step}) * 2.5}}"
    yield "return found"


def _test(chance: Random, first: int, last: int) -> str:
    """A test that imports a package's modules and patches what they have; seldom, what they have not."""
    lines = ["from unittest import mock", ""]
    lines += [f"from {_name(number)} import Thing{number}, make{number}" for number in range(first + 1, last)]
    for number in range(first + 1, last, 3):
        gone = "_gone" if not chance.randrange(300) else ""
        lines += [
            "",
            "",
            f"def test_make{number}():",
            f'    with mock.patch("{_name(number)}.Thing{number}{gone}") as thing:',
        ]
        lines += [f"        assert make{number}() is thing.return_value"]
        lines += [f"        assert isinstance(Thing{number}().method0([]), Thing{number})"]
    return "\n".join(lines) + "\n"
