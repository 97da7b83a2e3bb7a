"""Laws that hold for whole projects, whatever their files say."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.config import default_config
from layercheck.finding import Finding
from layercheck.run.judgement import judge
from tests.tree import build_project

NAMES = ["alpha", "beta", "gamma", "delta"]

USES = [
    "print({n})",
    "def f():\n    return {n}",
    "def f(x={n}): ...",
    "def f(x: {n}): ...",
    "def f(x: '{n}'): ...",
    "def f() -> 'list[{n}]': ...",
    "async def f():\n    async with {n}: ...",
    "class C({n}): ...",
    "class C:\n    {n} = {n}",
    "class C:\n    def m(self):\n        return lambda: {n}",
    "@{n}\ndef f(): ...",
    "x = [i for i in {n}]",
    "x = [{n} for i in ()]",
    "x = {{{n}: 1}}",
    "x = f'{{{n}!r:>{{3}}}}'",
    "x: '{n}'",
    "x = 1  # type: {n}",
    "del {n}",
    "{n} += 1",
    "{n}.attribute = 1",
    "{n}[0] = 1",
    "def f():\n    global {n}\n    {n} += 1",
    "try: ...\nexcept {n}: ...",
    "match 1:\n    case {n}.x: ...",
    "match 1:\n    case {n}(): ...",
    "with {n} as y: ...",
    "for x in {n}: ...",
    "from typing import cast\nx = cast('{n}', 1)",
    "def f():\n    def g():\n        def h():\n            return {n}",
    "x = globals()['{n}']",
    "__all__ = ['{n}']",
    "import sys\nx = getattr(sys.modules[__name__], '{n}')",
    "import sys\nx = hasattr({n}, 'y')",
    "import inspect\nx = inspect.getmembers({n})",
    "x = vars({n})",
    "if {n}: ...",
    "assert {n}",
    "raise {n}",
    "x = not {n}",
    "x = 1 if {n} else 2",
    "x = {n}.y.z()",
    "x = (y := {n})",
    "x = *{n}, 1",
    "print(**{n})",
    "x = hasattr({n}.modules[__name__], 'y')",
    "x = getattr({n}.modules[0], 'y')",
    "x = getattr(z, {n}.name)",
    "setattr({n}.modules[0], 'y', 1)",
    "setattr(z, 'y', {n})",
    "import inspect\nx = inspect.getmembers({n}.modules[__name__], {n}.isclass)",
    "x = dir({n}.y)",
    "x = vars({n}.y)",
    "{n}.modules['x'] = 1",
    "{n}.x['y'] = 1",
    "{n}.x.y = 1",
    "x = {n}.__dict__['y']",
    "from unittest import mock\nmock.patch.object({n}, 'x')",
    "from unittest import mock\nmock.patch.object({n}.y, 'x', new={n})",
    "monkeypatch.setattr({n}.y, 'x', 1)",
    "import importlib\nimportlib.import_module('x', {n})",
    "x = __import__({n}.y)",
    "x = [*{n}.__all__]",
    "with contextlib.suppress({n}.Error): ...",
    "with pytest.raises({n}.Error): ...",
]
"""Statements that read the name ``n`` from the module's scope."""

NO_USES = [
    "def f({n}):\n    return {n}",
    "def f():\n    {n} = 1\n    return {n}",
    "def f():\n    for {n} in (): print({n})",
    "def f():\n    import {n}\n    return {n}",
    "x = [{n} for {n} in ()]",
    "f = lambda {n}: {n}",
    "x.{n} = 1",
    "print(x.{n})",
    "print({n}=1)",
    "x = '{n} is a word'",
    "# {n}",
    "def f():\n    class {n}: ...\n    return {n}",
    "def f():\n    with x as {n}: return {n}",
    "def f():\n    try: ...\n    except E as {n}: print({n})",
]
"""Statements that hold the word ``n`` and do not read that name from the module's scope."""


def findings(files: dict[str, str]) -> tuple[Finding, ...]:
    return judge(build_project(files), default_config(), date(2026, 1, 1)).findings


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_name_used_anywhere_is_never_an_orphan_and_one_used_nowhere_is(data: st.DataObject) -> None:
    used = data.draw(st.sets(st.sampled_from(NAMES)))
    statements = [
        (name, data.draw(st.sampled_from(USES if name in used else NO_USES)))
        for name in data.draw(st.lists(st.sampled_from(NAMES), max_size=6))
    ]
    exported = [name for name, template in statements if template.startswith("__all__")]
    if len(exported) > 1:  # a second __all__ replaces the first
        return
    body = "\n".join(template.format(n=name) for name, template in statements)
    files = {
        "a/__init__.py": "",
        "a/base.py": "".join(f"{name} = 1\n" for name in NAMES),
        "a/user.py": f"from a.base import {', '.join(NAMES)}\nz = 0\n{body}\n",
    }
    really_used = {name for name, template in statements if template in USES}
    orphans = {
        finding.problem.name
        for finding in findings(files)
        if finding.check == "orphaned-imports" and finding.problem.imported == "a.base"
    }
    assert orphans == set(NAMES) - really_used


SELF = [
    "x = getattr({n}.modules[__name__], 'y')",
    "x = getattr({n}.modules[__name__], z)",
    "x = hasattr({n}.modules[__name__], 'y')",
    "setattr({n}.modules[__name__], 'y', 1)",
    "x = {n}.modules[__name__].y",
    "{n}.modules[__name__].y = 1",
    "{n}.modules[__name__] = 1",
    "{n}.modules[__name__ + '.y'] = 1",
    "x = vars({n}.modules[__name__])['y']",
    "x = {n}.modules[__name__].__dict__",
    "x = {n}.modules[__name__].__dict__['y']",
    "x = dir({n}.modules[__name__])",
    "import inspect as i\nx = i.getmembers({n}.modules[__name__], i.isclass)",
    "{n}.modules['a.b'] = 1",
    "x = {n}.modules.get(__name__)",
    "{n}.modules.setdefault('a.b', 1)",
]
"""Statements in which a module reaches for itself through the module ``sys``, called ``n``."""


@pytest.mark.parametrize("template", SELF)
@pytest.mark.parametrize("name", ["sys", "system"])
@pytest.mark.parametrize("place", ["module", "function"])
def test_reaching_for_oneself_uses_sys(template: str, name: str, place: str) -> None:
    imported = "import sys" if name == "sys" else "import sys as system"
    body = f"{imported}\n{template.format(n=name)}\n"
    if place == "function":
        body = "def f(z):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    files = {"a/__init__.py": "", "a/user.py": f"z = 0\n{body}"}
    assert [one.problem.message for one in findings(files) if one.check == "orphaned-imports"] == []


NOT_IN_FUNCTIONS = ("global ", "globals()", "__all__", "__name__", "    {n} = {n}", "+=", "del ", "import ", "# type")
"""What means something else in a function than at module level."""


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_same_in_a_function(data: st.DataObject) -> None:
    uses = [template for template in USES if not any(part in template for part in NOT_IN_FUNCTIONS)]
    name = data.draw(st.sampled_from(NAMES))
    used = data.draw(st.booleans())
    template = data.draw(st.sampled_from(uses if used else NO_USES))
    lines = ["from a.base import " + name, *template.format(n=name).splitlines()]
    body = "async def outer(x, y, z, monkeypatch):\n" + "".join(f"    {line}\n" for line in lines)
    files = {"a/__init__.py": "", "a/base.py": f"{name} = 1\n", "a/user.py": body}
    orphans = [one for one in findings(files) if one.check == "orphaned-imports" and one.problem.imported == "a.base"]
    assert bool(orphans) != used


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_order_of_files_changes_nothing(data: st.DataObject) -> None:
    files = {
        "a/__init__.py": "from a.b import *\nfrom a.c import x as x\n",
        "a/b.py": "from a.c import x, y\nfrom a import gone\n",
        "a/c.py": "from a.b import x\nimport os\n",
        "a/_d/e.py": "from a.c import x\nimport a._d.f\n",
        "a/_d/f/__init__.py": "from a.b import y\n",
        "tests/test_a.py": "from a.b import y\nfrom helper import z\n",
        "tests/helper.py": "from a._d.e import x\n",
    }
    order = data.draw(st.permutations(list(files)))
    assert findings({path: files[path] for path in order}) == findings(files)


def test_any_text_has_a_fingerprint() -> None:
    files = {"a/__init__.py": "__all__ = ['\\ud800', 'x\\udcff']\n"}
    assert len({one.fingerprint for one in findings(files)}) == 2
