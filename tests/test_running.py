"""What happens when a module is imported first, against the interpreter."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layercheck.project.running import first_failure
from tests.tree import build_project

FILES = {"ring": "ring/__init__.py", "ring.a": "ring/a.py", "ring.b": "ring/b.py", "ring.c": "ring/c/__init__.py"}
FILES["ring.c.d"] = "ring/c/d.py"

names = st.sampled_from(sorted(FILES))
statements = st.one_of(
    st.sampled_from(["x = 1", "y = 2", "def z(): ..."]),
    st.builds("import {}".format, names),
    st.builds("from {} import {}".format, names, st.sampled_from(["x", "y", "z"])),
    st.sampled_from(["from ring import a", "from ring import b", "from ring import x as a", "b = 3"]),
)


def fails(files: dict[str, str], name: str) -> bool:
    """Whether the interpreter fails to import a module of these files by itself."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        patch.syspath_prepend(folder)
        patch.setattr(sys, "dont_write_bytecode", True)
        try:
            importlib.import_module(name)
        except ImportError:
            return True
        finally:
            for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == "ring"]:
                del sys.modules[loaded]
            importlib.invalidate_caches()
    return False


@settings(max_examples=150, deadline=None)
@given(st.fixed_dictionaries({path: st.lists(statements, max_size=5) for path in FILES.values()}), names)
def test_agrees_with_the_interpreter(code: dict[str, list[str]], name: str) -> None:
    # Every name is bound in the end, so that an import fails only because it comes too early.
    files = {path: "\n".join([*lines, "x = y = z = 0", ""]) for path, lines in code.items()}
    failure = first_failure(build_project(files), name)
    assert (failure is not None) == fails(files, name)
    assert failure is None or failure.certain
