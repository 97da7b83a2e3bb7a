"""Laws of making moves, over generated projects: the outcome is only a move, and Python imports it as before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.config import default_config
from layercheck.errors import LayercheckError
from layercheck.moves.movesfile import MovesFile, Step, read_moves
from layercheck.moves.planfile import render
from layercheck.moves.planning import Plan, plan
from layercheck.moves.proof import objections, verified
from layercheck.moves.side import Side
from layercheck.moves.step import Made, make, starting
from layercheck.run.judgement import judge
from layercheck.run.novelty import new_findings
from tests.moving import side
from tests.test_moves_laws import EXAMPLES, Thing, World, moves, runs, worlds
from tests.tree import TODAY

CALLERS = {
    "dotted": "import pkg.m{0}\n\n\ndef use_it():\n    return pkg.m{0}.{1}, [pkg.m{0}.{1}]\n",
    "as": "import pkg.m{0} as m\n\n\ndef use_it(pkg=1):\n    return m.{1}, pkg\n",
    "from": "from pkg import m{0}\n\nHELD = m{0}.{1}\n",
    "late": "def use_it():\n    from pkg import m{0} as own\n\n    return own.{1}\n",
    "star": "from pkg.m{0} import *\n\n\ndef use_it():\n    return {1}\n",
    "typing": "import typing as t\n\nif t.TYPE_CHECKING:\n    from .m{0} import {1}\n\nit: '{1}' = 1\n",
    "optional": "try:\n    from pkg.m{0} import {1} as it\nexcept ImportError:\n    it = None\nprint(it)\n",
    "text": "NAMES = ['pkg.m{0}.{1}', 'pkg.m{0}:{1}']\n",
    "patch": "from unittest.mock import patch\n\n\n@patch('pkg.m{0}.{1}')\ndef test_it(it): ...\n",
    "patch of an object": "from unittest import mock\nfrom pkg import m{0}\n\nHELD = mock.patch.object(m{0}, '{1}')\n",
}


@st.composite
def projects(draw: st.DrawFn, world: World) -> dict[str, str]:
    """The files of a world, with more ways to take things from it, and other ways to write them."""
    files = world.files()
    for style in draw(st.sets(st.sampled_from([*CALLERS]), max_size=3)):
        name = draw(st.sampled_from([thing.name for thing in world.things]))
        files[f"pkg/use_{style.replace(' ', '_')}.py"] = CALLERS[style].format(world.homes[name], name)
    relative, head = draw(st.booleans()), draw(st.sampled_from(["", '"""Text."""\n\n', "# Rights.\n\n"]))
    for path, text in files.items():
        if path.startswith("pkg/m"):
            files[path] = head + (text.replace("from pkg.m", "from .m") if relative else text)
    if draw(st.booleans()):
        files = {path: text.replace("\n", "\r\n") for path, text in files.items()}
    return files


def demand_only_a_move(files: Mapping[str, str], file: MovesFile) -> None:
    """Make all steps: each by itself, and all together, pass, run, and bring no finding that was not there."""
    before = side(files)
    made = starting(before)
    for step in file.steps:
        one = make(starting(made.side), file, step)
        demand_proved(made.side, one, replace(file, steps=(step,)))
        made = make(made, file, step)
        assert all(one.side.contents[path] == made.side.contents[path] for path in made.side.contents)
    demand_proved(before, made, file)


def demand_proved(before: Side, made: Made, file: MovesFile) -> None:
    found = verified(before, made, file)
    assert found.verdict == "PASS", "\n".join(objections(found))
    assert {move.name for move in found.moves} == {name for step in file.steps for name in step.names}
    assert all(move.body == "identical" for move in found.moves)
    assert runs({path: made.side.contents[path].decode() for path in made.side.contents})
    olds, news = (judge(one.project, default_config(), TODAY).findings for one in (before, made.side))
    assert [*new_findings(olds, news)] == []


def planned(files: Mapping[str, str], module: str) -> Plan | None:
    """The plan for a module; None where there is nothing to plan."""
    try:
        return plan(side(files), module)
    except LayercheckError as error:
        if "there is nothing to plan" in error.lines[0]:
            return None
        raise


@EXAMPLES
@given(moves(), st.data())
def test_one_definition_moved(drawn: tuple[World, World, Thing], data: st.DataObject) -> None:
    before, after, thing = drawn
    files = data.draw(projects(before))
    assert runs(files)
    step = Step(1, f"pkg.m{before.homes[thing.name]}", f"pkg.m{after.homes[thing.name]}", (thing.name,))
    try:
        make(starting(side(files)), MovesFile("moves.toml", (step,)), step)
    except LayercheckError as error:
        # A patch of what both sides read: nobody but its author knows for whom it is meant.
        if 'say `patches = "stay"`' not in str(error):
            raise
        step = replace(step, patches="stay")
    demand_only_a_move(files, MovesFile("moves.toml", (step,)))


@EXAMPLES
@given(worlds(), st.data())
def test_every_step_of_a_plan(world: World, data: st.DataObject) -> None:
    module = data.draw(st.sampled_from(sorted({*world.homes.values()})))
    files = data.draw(projects(world))
    assert runs(files)
    found = planned(files, f"pkg.m{module}")
    if found is None:
        return
    demand_only_a_move(files, read_moves(render(found), "plan.toml"))


# One module that holds all sorts of things

UTIL = """\
class Hint: ...


def is_fast():
    return True


def helper(*x):
    return x


def other(x):
    return x


def quick(*x):
    return x
"""

HEAD = """\
from __future__ import annotations

import functools
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pkg import util
from pkg.util import helper, is_fast

if TYPE_CHECKING:
    from pkg.util import Hint

_fast = is_fast()
if _fast:
    from pkg.util import quick

try:
    from pkg.util import other
except ImportError:
    other = None

logger = logging.getLogger(__name__)
"""

SORTS = {
    "class": "class {0}{bases}:\n    x: Hint = None\n\n    def f(self) -> Any:\n        return logger, [{reads}]\n",
    "data": "@dataclass\nclass {0}:\n    y: int = 1\n\n    def f(self):\n        return helper({reads})\n",
    "cached": "@functools.cache\ndef {0}():\n    return util.other([{reads}])\n",
    "fast": "# Does it.\n# Quickly.\ndef {0}(x: Hint = None):\n    return quick({reads}) if _fast else other(x)\n",
    "literal": "{0} = 64  # many\n",
    "made": "{0} = [1, {reads}]\n",
    "several": "{0} = {0}_too = (\n    1,\n    [{reads}],\n)\n",
    "late": "def {0}(x):\n    from pkg.util import other\n\n    return other([{reads}])\n",
    "nested": "class {0}{bases}:\n    class Inner:\n        z = ({reads},)\n\n    g = property(lambda _: [{reads}])\n",
    "guarded": "if _fast:\n    {0} = helper({reads})\n",
    "counter": "def {0}():\n    global {0}_count\n    {0}_count = [{reads}]\n",
    "statement": "for {0} in [{reads}]:\n    print({0})\n",
}


@st.composite
def catch_alls(draw: st.DrawFn) -> dict[str, str]:
    """A project with one module of many sorts of definitions, each of which reads some before it."""
    names: list[str] = []
    classes: list[str] = []
    parts = [HEAD]
    for index in range(draw(st.integers(2, 8))):
        name = f"Thing{index}"
        sort = draw(st.sampled_from([*SORTS]))
        read = draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
        bases = draw(st.lists(st.sampled_from(classes), max_size=1)) if classes else []
        below = f"({', '.join(bases)})" if bases else ""
        parts.append(SORTS[sort].format(name, reads=", ".join(read or ["1"]), bases=below))
        names.append(name)
        if sort in ("class", "nested"):
            classes.append(name)
    if draw(st.booleans()):
        parts.append(f'if __name__ == "__main__":\n    print({names[-1]})\n')
    user = draw(st.sampled_from(names))
    return {
        "pkg/__init__.py": "",
        "pkg/util.py": UTIL,
        "pkg/pools.py": "\n\n".join(parts),
        "use.py": f"from pkg.pools import {user}\n\nprint({user})\n",
        "late.py": f"import pkg.pools\n\n\ndef use_it():\n    return pkg.pools.{user}\n",
    }


FEWER = settings(max_examples=25, deadline=None)


@FEWER
@given(catch_alls())
def test_every_step_of_a_plan_for_all_sorts_of_things(files: dict[str, str]) -> None:
    assert runs(files)
    found = planned(files, "pkg.pools")
    if found is None:
        return
    demand_only_a_move(files, read_moves(render(found), "plan.toml"))


@FEWER
@given(catch_alls(), st.data())
def test_any_step_is_a_move_or_is_refused(files: dict[str, str], data: st.DataObject) -> None:
    """Whatever somebody asks for: what is not refused runs as before."""
    before = side(files)
    defined = sorted({name for one in before.outline("pkg/pools.py").statements for name in one.names})
    names = data.draw(st.lists(st.sampled_from(defined), min_size=1, max_size=3, unique=True))
    target = data.draw(st.sampled_from(["pkg.base", "pkg.util", "pkg.sub.base"]))
    recomputed = tuple(data.draw(st.sets(st.sampled_from(["logger", "_fast"]))))
    file = MovesFile("moves.toml", (Step(1, "pkg.pools", target, tuple(names)),), recomputed)
    try:
        made = make(starting(before), file, file.steps[0])
    except LayercheckError:
        return
    if verified(before, made, file).verdict == "PASS":
        assert runs({path: made.side.contents[path].decode() for path in made.side.contents})
