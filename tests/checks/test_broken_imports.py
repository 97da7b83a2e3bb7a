"""broken-imports: a table of small trees with the expected lines marked in place."""

from __future__ import annotations

import pytest

from tests.tree import check_tree

TREES = {
    "module that is not there": """
# file: a/__init__.py
# file: a/b.py
import a.c  # problem: no module a.c
from a.c import x  # problem: no module a.c
from a import c  # problem: a does not bind c
from . import d  # problem: a does not bind d
from .d import x  # problem: no module a.d
""",
    "name that is not bound": """
# file: a/__init__.py
# file: a/b.py
x = 1
# file: a/c.py
from a.b import x, y  # problem: a.b does not bind y
def f():
    from a.b import z  # problem: a.b does not bind z
""",
    "the one line of a parenthesised import": """
# file: a/__init__.py
# file: a/b.py
x = 1
# file: a/c.py
from a.b import (
    x,
    y,  # problem: a.b does not bind y
)
""",
    "a module is no package": """
# file: a/__init__.py
# file: a/b.py
# file: a/c.py
import a.b.d  # problem: no module a.b.d
""",
    "the file of a package is a module too": """
# file: a/__init__.py
x = 1
# file: a/b/__init__.py
# file: a/c.py
import a.__init__
from a.__init__ import x
from a.__init__ import y  # problem: a does not bind y
from .b import __init__ as z
from . import __init__
import a.c.__init__  # problem: no module a.c.__init__
""",
    "whoever sets names in a namespace that he holds may set any": """
# file: a/__init__.py
# file: a/frame.py
import inspect
inspect.currentframe().f_globals["x"] = 1
# file: a/function.py
f = lambda: 0
f.__globals__["x"] = 1
# file: a/itself.py
m = __import__(__name__, fromlist=["a"])
m.x = 1
# file: a/other.py
import importlib
m = importlib.import_module(__name__)
m.x = 1
# file: a/builtin.py
__builtins__["exec"]("x = 1")
# file: a/user.py
from a.frame import x
from a.function import x as x1
from a.itself import x as x2
from a.other import x as x3
from a.builtin import x as x4
""",
    "names of generated code may all be there, and those of what star-imports it": """
# file: a/__init__.py
# file: a/x_pb2.py
# file: a/b.py
from a.x_pb2 import *
# file: a/c.py
from a.x_pb2 import Message
from a.b import Other
""",
    "an external import is nobody's business": """
# file: a/__init__.py
import numpy.nowhere
from os import nothing
""",
    "every way to bind a name": """
# file: a/__init__.py
# file: a/b.py
import os.path as p1
import xml.sax
from json import dumps as p2
p3 = 1
p4: int = 2
p5, (p6, *p7) = 1, (2, 3)
def p8(): ...
async def p9(): ...
class p10: ...
for p11 in []: pass
with open("x") as p12: pass
if (p13 := 3): pass
def f():
    global p14
    p14 = 1
try:
    p15 = 1
except ValueError:
    p16 = 2
match p3:
    case {"k": p17, **p18}: pass
    case [p19, *p20]: pass
    case str() as p21: pass
while p3:
    p22 = 1
p3 += 1
for p23, p24 in []: pass
[p25 := i for i in []]
# file: a/c.py
from a.b import p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22
from a.b import p23, p24, p25, xml
from a.b import i  # problem: a.b does not bind i
""",
    "an annotation binds nothing and del unbinds": """
# file: a/__init__.py
# file: a/b.py
x: int
y = 1
del y
z = len(__name__)
if z:
    del z
w = 1
del w
w = 2
# file: a/c.py
from a.b import x  # problem: a.b does not bind x
from a.b import y  # problem: a.b does not bind y
from a.b import z, w
""",
    "what a module has without binding it": """
# file: a/__init__.py
# file: a/b.py
from a import __name__, __file__, __doc__, __path__, __spec__
from a.b import __loader__, __package__, __dict__
from a import __version__  # problem: a does not bind __version__
""",
    "open modules": """
# file: a/__init__.py
# file: a/getattr.py
def __getattr__(name): ...
# file: a/globals.py
globals()["a" + "b"] = 1
# file: a/update.py
globals().update({})
# file: a/execs.py
exec("x = 1")
# file: a/setattrs.py
import sys
setattr(sys.modules[__name__], "x" + "y", 1)
# file: a/outside.py
from os import *
# file: a/through.py
from a.outside import *
# file: a/user.py
from a.getattr import x
from a.globals import x
from a.update import x
from a.execs import x
from a.setattrs import x
from a.outside import x
from a.through import x
""",
    "a decorator that sets names on the modules that use it": """
# file: a/__init__.py
# file: a/base.py
import sys
def export(cls):
    setattr(sys.modules[cls.__module__], "Made", cls)
    return cls
class Late: ...
# file: a/b.py
from a.base import export
@export
class B: ...
# file: a/c.py
from a.base import Late
def f():
    return Late
# file: a/d.py
from a.b import Made
from a.c import Made  # problem: a.c does not bind Made
""",
    "code that sets names on whatever module calls it, through a name for its frame's namespace": """
# file: a/__init__.py
# file: a/base.py
import sys
def made(cls, names=None):
    names = names or sys._getframe(1).f_globals
    names[cls.__name__ + "Made"] = cls
    return cls
# file: a/adding.py
import inspect
def made():
    frame = inspect.currentframe().f_back
    space = frame.f_globals if frame else {}
    space.update(B=1)
# file: a/running.py
import sys
def made(code):
    space = sys._getframe(1).f_locals
    exec(code, space)
# file: a/reading.py
import sys
def made(cls):
    space = sys._getframe(1).f_globals
    print(space["__name__"], space.get("__file__"))
    return cls
# file: a/b.py
from a.base import made
@made
class B: ...
# file: a/c.py
from a.reading import made
@made
class C: ...
# file: a/d.py
from a.adding import made
made()
# file: a/e.py
from a.running import made
made("B = 1")
# file: a/user.py
from a.b import BMade
from a.c import CMade  # problem: a.c does not bind CMade
from a.d import B
from a.e import B
""",
    "reading globals does not open": """
# file: a/__init__.py
# file: a/b.py
x = globals()["y"] if "y" in globals() else globals().get("z")
# file: a/c.py
from a.b import x, y  # problem: a.b does not bind y
""",
    "star imports pass names on": """
# file: a/__init__.py
# file: a/b.py
x = 1
_y = 2
# file: a/c.py
__all__ = ["_y"]
_y = 1
z = 2
# file: a/d.py
from a.b import *
from a.c import *
# file: a/e.py
from a.d import x, _y
from a.d import z  # problem: a.d does not bind z
""",
    "star imports in a ring": """
# file: a/__init__.py
# file: a/b.py
from a.c import *
x = 1
# file: a/c.py
from a.b import *
y = 1
# file: a/d.py
from a.b import x, y
from a.c import x, y, z  # problem: a.c does not bind z
""",
    "a star import of a folder passes nothing on": """
# file: a/__init__.py
# file: a/b/c.py
# file: a/d.py
from a.b import *
# file: a/e.py
from a.d import c  # problem: a.d does not bind c
""",
    "__all__ in every form": """
# file: a/__init__.py
# file: a/b.py
x = 1
__all__ = ["x", "p"]  # problem: __all__ names p
__all__ += ["q"]  # problem: __all__ names q
__all__.append("r")  # problem: __all__ names r
__all__.extend(["s"])  # problem: __all__ names s
__all__.append("t")
__all__.remove("t")
# file: a/c.py
from a import b
from a.b import *
y = 1
__all__ = [*b.__all__, "y", "z"]  # problem: __all__ names z
""",
    "an unknown __all__ says nothing": """
# file: a/__init__.py
# file: a/b.py
__all__ = [n for n in dir() if n] + ["x"]
# file: a/c.py
from a.b import *
# file: a/d.py
from a.c import anything
""",
    "__all__ may name a submodule": """
# file: a/__init__.py
__all__ = ["b", "c", "d"]  # problem: __all__ names d
# file: a/b.py
# file: a/c/x.py
""",
    "namespace folders anywhere": """
# file: a/__init__.py
# file: a/b/c/d.py
x = 1
# file: a/e.py
from a.b.c.d import x
from a.b.c import d
from a.b import c
import a.b.c.d
from a.b import y  # problem: a.b does not bind y
import a.b.z  # problem: no module a.b.z
""",
    "a namespace with no package above may have other parts elsewhere": """
# file: a/b/__init__.py
# file: a/b/c.py
import a.x
from a import y
from a.z import w
import a.b.x  # problem: no module a.b.x
""",
    "a namespace that the settings say is the project's is all here": """
# file: layercheck.toml
[project]
packages = ["a"]
[checks]
broken-imports = "error"
# file: a/b/c.py
import a.x  # problem: no module a.x
from a import y  # problem: a does not bind y
from a.b import z  # problem: a.b does not bind z
from a import b
import other.x
""",
    "a package open to submodules": """
# file: a/__init__.py
from pkgutil import extend_path
__path__ = extend_path(__path__, __name__)
# file: a/b.py
import a.x
from a.y import z
# file: s.py
import sys
sys.modules[__name__ + ".moves"] = sys
# file: t.py
import s.moves
from s.moves import x
""",
    "a registered module": """
# file: a/__init__.py
# file: a/b.py
import sys
sys.modules["a.made"] = sys
# file: a/c.py
import a.made
from a.made import x
from a import made
import a.other  # problem: no module a.other
""",
    "optional imports are warnings that say the fallback is taken": """
# file: a/__init__.py
# file: a/b.py
try:
    from a.c import x  # problem: no module a.c, though there is a; the fallback is always taken
except ImportError:
    x = None
try:
    import a.d  # problem: no module a.d, though there is a; the fallback is always taken
except (KeyError, ModuleNotFoundError):
    pass
try:
    import a.e  # problem: no module a.e
except KeyError:
    pass
""",
    "raises is silent": """
# file: a/__init__.py
# file: tests/test_a.py
import pytest
def test():
    with pytest.raises(ImportError):
        import a.b
    with pytest.raises((ValueError, ModuleNotFoundError), match="x"):
        from a.b import c
""",
    "typing-only names": """
# file: a/__init__.py
# file: a/b.py
import typing as t
if t.TYPE_CHECKING:
    from a.c import X
else:
    Y = 1
# file: a/c.py
class X: ...
# file: a/d.py
from typing import TYPE_CHECKING as TC
from a.b import X  # problem: a.b binds X only under a test that is false at run time
from a.b import Y
if TC:
    from a.b import X
if not TC:
    from a.b import X  # problem: a.b binds X only under a test that is false at run time
""",
    "a name imported from itself": """
# file: a/__init__.py
# file: a/b.py
from a.b import x  # problem: x is bound in a.b only by imports that lead back
# file: a/c.py
from a.d import y  # problem: y is bound in a.c only by imports that lead back
# file: a/d.py
from a.c import y  # problem: y is bound in a.d only by imports that lead back
# file: a/e.py
from a.b import x
from a.c import y
# file: a/f.py
from a.f import z
z = 1
""",
    "judged at the origin only": """
# file: a/__init__.py
# file: a/b.py
# file: a/c.py
from a.b import x  # problem: a.b does not bind x
# file: a/d.py
from a.c import x
""",
    "a submodule shadowed by an attribute, and one that is not": """
# file: a/__init__.py
config = {}
# file: a/config.py
x = 1
# file: a/b.py
from a import config
from a.config import x
import a.config
""",
    "an attribute set from another module": """
# file: a/__init__.py
# file: a/b.py
import a
a.flag = True
# file: a/c.py
from a import flag
from a import flog  # problem: a does not bind flog
""",
    "a module that became a package": """
# file: a/__init__.py
# file: a/b/__init__.py
from .c import x
# file: a/b/c.py
x = 1
# file: a/d.py
from a.b import x
from .b import x as y
""",
    "a package asks itself for a submodule that is not there": """
# file: a/__init__.py
from . import gone  # problem: a does not bind gone
from a import b
# file: a/b.py
from a import gone  # problem: a does not bind gone
# file: open/__init__.py
from . import anything
def __getattr__(name): ...
""",
    "a star import binds a name before the package takes it from itself": """
# file: a/__init__.py
from a.impl import *
from a import x
# file: a/impl.py
x = 1
# file: a/face.py
from a.impl import *
from a.user import x
# file: a/user.py
from a.face import x
""",
    "guards in other words": """
# file: a/__init__.py
# file: a/b.py
from typing import TYPE_CHECKING
TC = TYPE_CHECKING
if TYPE_CHECKING is True:
    from a.c import X
if TYPE_CHECKING == True:
    from a.c import Y
if bool(TC):
    from a.c import Z
if TYPE_CHECKING is not False:
    from a.c import W
if TYPE_CHECKING:
    from a.c import V
del TYPE_CHECKING
# file: a/c.py
class X: ...
Y = Z = W = V = 1
# file: a/d.py
from a.b import X  # problem: only under a test that is false at run time
from a.b import Y  # problem: only under a test that is false at run time
from a.b import Z  # problem: only under a test that is false at run time
from a.b import W  # problem: only under a test that is false at run time
from a.b import V  # problem: only under a test that is false at run time
# file: a/e.py
from a.f import CHECKING
if CHECKING:
    from a.b import X
# file: a/f.py
CHECKING = bool(__debug__)
""",
    "a try that goes on only by raising is no fallback": """
# file: a/__init__.py
# file: a/b.py
import importlib
try:
    from a.c import x  # problem: error: no module a.c
except ImportError as error:
    raise RuntimeError("install a[extra]") from error
try:
    from a.c import x  # problem: error: no module a.c
except:
    raise
try:
    from a.c import x  # problem: warning: no module a.c
except ValueError:
    raise
except ImportError:
    x = None
def f():
    try:
        import a.d  # problem: warning: no module a.d
    except ImportError:
        return None
def g():
    try:
        return importlib.import_module("a.d")  # problem: warning: no module a.d
    except ImportError:
        raise ValueError("this build has no a.d")
def h():
    try:
        return importlib.import_module("a.d")  # problem: error: no module a.d
    except ValueError:
        raise
""",
    "the message says where it is now": """
# file: a/__init__.py
# file: a/b.py
# file: a/c.py
class Pool: ...
# file: a/d.py
from a.b import Pool  # problem: a.b does not bind Pool
""",
    "consumers": """
# file: a/__init__.py
# file: tests/__init__.py
# file: tests/helpers.py
x = 1
# file: tests/sub/local.py
y = 1
# file: tests/sub/test_a.py
from a import gone  # problem: a does not bind gone
from tests.helpers import x
from local import y
from local import z  # problem: tests/sub/local.py does not bind z
import unknown_elsewhere
# file: setup.py
import a.gone  # problem: no module a.gone
""",
    "the __init__ of a folder of tests": """
# file: a/__init__.py
# file: tests/__init__.py
from .helpers import x
from . import helpers
from .helpers import gone  # problem: tests/helpers.py does not bind gone
# file: tests/helpers.py
x = 1
# file: tests/sub/__init__.py
from ..helpers import x
from .y import z  # problem: no module tests/sub/y, though there is tests/sub/__init__.py
from ... import w  # problem: relative import '...' has 3 dots, and tests/sub/__init__.py lies in 2 levels of packages
""",
    "a folder of examples called as what they are about": """
# file: a/__init__.py
# file: examples/pydantic/__init__.py
# file: examples/pydantic/tasks.py
from pydantic import BaseModel
""",
    "dynamic imports": """
# file: a/__init__.py
# file: a/b.py
import importlib
from importlib import import_module as load
importlib.import_module("a.c")  # problem: no module a.c
load("a.b")
load(".d", __package__)  # problem: no module a.d
load(".f", "a")  # problem: no module a.f
load("..g", package="a.b")  # problem: no module a.g
load(".b", package="a")
__import__("a.e")  # problem: no module a.e
__import__("json")
load("a." + "x")
""",
    "vendored code is resolved and not judged": """
# file: a/__init__.py
# file: a/_vendor/__init__.py
# file: a/_vendor/b.py
from a.nowhere import x
y = 1
# file: a/c.py
from a._vendor.b import y
from a._vendor.b import z  # problem: a._vendor.b does not bind z
""",
    "a project that takes the name of a standard module": """
# file: a/__init__.py
# file: a/typing.py
TYPE_CHECKING = True
# file: a/b.py
from a.typing import TYPE_CHECKING
if TYPE_CHECKING:
    x = 1
# file: a/c.py
from a.b import x
""",
    "in a consumer, where no rules are declared": """
# file: layercheck.toml
[project]
api = ["a"]
# file: a/__init__.py
import a.c  # problem: error: no module a.c
# file: tests/test_a.py
import a.c  # problem: warning: no module a.c
""",
    "what leads back to itself is to be taken from its home": """
# file: a/__init__.py
# file: a/b.py
from a.b import x  # problem: lead back to this one -> import it from where it is defined
""",
    "packages that bind submodules and star-import each other": """
# file: a/__init__.py
from a.b import *
from . import x
# file: a/b.py
from a import *
# file: a/x.py
# file: a/c.py
from a import x
from a.b import x, y  # problem: a.b does not bind y
""",
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_broken_imports(tree: str) -> None:
    check_tree("broken-imports", tree)
