"""Laws of moves over generated projects: a verbatim move passes, and anything else does not.

A project is a row of modules and a row of definitions. A definition reads earlier ones, in its own module or one
further down, so that every project can be imported. Python itself is asked whether it can: before and after.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.moving import explanation, verified

MODULES = 4
EXAMPLES = settings(max_examples=40, deadline=None)


@dataclass(frozen=True)
class Thing:
    """A definition."""

    name: str
    kind: str
    reads: tuple[str, ...]
    comment: bool

    @property
    def text(self) -> str:
        """Its lines."""
        read = ", ".join(("1", *self.reads))
        above = f"# What {self.name} is for.\n" if self.comment else ""
        if self.kind == "constant":
            return f"{above}{self.name} = ({read},)\n"
        if self.kind == "class":
            body = f"    y = ({read},)\n\n    def f(self):\n        return {self.name}, [{read}]\n"
            return f"{above}class {self.name}:\n{body}"
        return f"{above}def {self.name}(x, y=({read},)):\n    print(x)\n    return {{x: [{read}]}}\n"


@dataclass(frozen=True)
class World:
    """A project: which thing is where, and who outside of it takes what."""

    things: tuple[Thing, ...]
    homes: Mapping[str, int]
    takers: tuple[str, ...]

    def files(self) -> dict[str, str]:
        """Its files."""
        found = {"pkg/__init__.py": ""}
        for module in range(MODULES):
            own = [thing for thing in self.things if self.homes[thing.name] == module]
            read = sorted({name for thing in own for name in thing.reads if self.homes[name] != module})
            imports = "".join(f"from pkg.m{self.homes[name]} import {name}\n" for name in read)
            if own or module == 0:
                found[f"pkg/m{module}.py"] = imports + "".join(f"\n\n{thing.text}" for thing in own)
        top = "".join(f"from pkg.m{self.homes[name]} import {name}\n" for name in self.takers)
        found["use.py"] = f"{top}\n\nprint({', '.join(self.takers)})\n"
        found["late.py"] = "".join(
            f"def use_{name}():\n    from pkg.m{self.homes[name]} import {name}\n\n    return {name}\n\n\n"
            for name in self.takers
        )
        return found

    def fits(self) -> bool:
        """Whether every thing reads only what is in its module or further down."""
        return all(self.homes[name] <= self.homes[thing.name] for thing in self.things for name in thing.reads)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    things: list[Thing] = []
    homes: dict[str, int] = {}
    for index in range(draw(st.integers(2, 6))):
        name = f"thing_{index}"
        home = draw(st.integers(0, MODULES - 2))
        below = [thing.name for thing in things if homes[thing.name] <= home]
        reads = tuple(sorted(draw(st.sets(st.sampled_from(below), max_size=2)))) if below else ()
        kind = draw(st.sampled_from(["constant", "class", "function"]))
        things.append(Thing(name, kind, reads, draw(st.booleans())))
        homes[name] = home
    takers = draw(st.sets(st.sampled_from([thing.name for thing in things]), min_size=1))
    return World(tuple(things), homes, tuple(sorted(takers)))


@st.composite
def moves(draw: st.DrawFn) -> tuple[World, World, Thing]:
    """A project, the same with one definition moved, and which one."""
    world = draw(worlds())
    possible = [
        (thing, after)
        for thing in world.things
        for target in range(MODULES)
        if target != world.homes[thing.name]
        and (after := replace(world, homes={**world.homes, thing.name: target})).fits()
    ]
    assume(possible)
    thing, after = draw(st.sampled_from(possible))
    return world, after, thing


class _Files(MetaPathFinder, Loader):
    """Modules from texts."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        base = name.replace(".", "/")
        for file, package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if file in self._files:
                return ModuleSpec(name, self, origin=file, is_package=package)
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        exec(compile(self._files[str(module.__spec__.origin)], str(module.__spec__.origin), "exec"), module.__dict__)


def runs(files: Mapping[str, str]) -> bool:
    """Whether Python can import every module and call what imports late."""
    finder = _Files(files)
    sys.meta_path.insert(0, finder)
    try:
        for path in files:
            module = importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
            for name, value in vars(module).items():
                if name.startswith("use_"):
                    value()
    except (ImportError, NameError):
        return False
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] in ("pkg", "use", "late")]:
            del sys.modules[name]
    return True


@EXAMPLES
@given(moves())
def test_a_verbatim_move_with_its_sites_redirected_passes(drawn: tuple[World, World, Thing]) -> None:
    before, after, thing = drawn
    assert runs(before.files())
    assert runs(after.files())
    found = verified(before.files(), after.files())
    assert found.verdict == "PASS", explanation(found)
    assert [(move.name, move.body) for move in found.moves] == [(thing.name, "identical")]
    states = [site.state for move in found.moves for site in move.sites if site.path in ("use.py", "late.py")]
    assert states == ["redirected", "redirected"] * (thing.name in before.takers)


def home(world: World, thing: Thing) -> str:
    return f"pkg/m{world.homes[thing.name]}.py"


@EXAMPLES
@given(moves(), st.data())
def test_a_body_with_one_token_changed_does_not_pass(drawn: tuple[World, World, Thing], data: st.DataObject) -> None:
    before, after, thing = drawn
    files = after.files()
    text = files[home(after, thing)]
    at = [index for index in range(len(thing.text)) if thing.text[index] == "1"]
    where = text.index(thing.text) + data.draw(st.sampled_from(at))
    files[home(after, thing)] = text[:where] + "2" + text[where + 1 :]
    assert verified(before.files(), files).verdict != "PASS"


@EXAMPLES
@given(moves(), st.sampled_from(["use.py", "late.py"]))
def test_a_forgotten_site_does_not_pass(drawn: tuple[World, World, Thing], path: str) -> None:
    before, after, thing = drawn
    assume(thing.name in before.takers)
    files = after.files()
    was, now = (f"from pkg.m{world.homes[thing.name]} import {thing.name}\n" for world in (before, after))
    assert now in files[path]
    files[path] = files[path].replace(now, was)
    found = verified(before.files(), files)
    assert found.verdict != "PASS"
    assert any(site.is_open and site.path == path for move in found.moves for site in move.sites), explanation(found)


@EXAMPLES
@given(moves(), st.sampled_from(["use.py", "late.py"]))
def test_a_site_without_its_import_does_not_pass(drawn: tuple[World, World, Thing], path: str) -> None:
    before, after, thing = drawn
    assume(thing.name in before.takers)
    files = after.files()
    files[path] = files[path].replace(f"from pkg.m{after.homes[thing.name]} import {thing.name}\n", "pass\n")
    assert verified(before.files(), files).verdict != "PASS"


@EXAMPLES
@given(moves())
def test_a_shim_does_not_pass(drawn: tuple[World, World, Thing]) -> None:
    before, after, thing = drawn
    files = after.files()
    old = home(before, thing)
    files[old] = f"{files.get(old, '')}\n\nfrom pkg.m{after.homes[thing.name]} import {thing.name}\n"
    found = verified(before.files(), files)
    assert found.verdict != "PASS", explanation(found)
    assert [move.left for move in found.moves] in (["shim"], ["still-uses-it"])


@EXAMPLES
@given(moves())
def test_a_name_that_is_something_else_there_does_not_pass(drawn: tuple[World, World, Thing]) -> None:
    before, after, thing = drawn
    spare = Thing("spare", "function", (), comment=False)
    foreign = [name for name in thing.reads if after.homes[name] != after.homes[thing.name]]
    name = foreign[0] if foreign else "print"
    assume(foreign or thing.kind == "function")
    before, after = (
        replace(world, things=(spare, *world.things), homes={**world.homes, "spare": -1}) for world in (before, after)
    )
    files, path = after.files(), home(after, thing)
    line = f"from pkg.m{after.homes[name]} import {name}\n" if foreign else ""
    assert line in files[path]
    files[path] = f"from pkg.spare import spare as {name}\n" + files[path].replace(line, "")
    spared = {"pkg/spare.py": spare.text}
    found = verified({**before.files(), **spared}, {**files, **spared})
    assert found.verdict != "PASS"
    assert any(move.rebound for move in found.moves), explanation(found)
