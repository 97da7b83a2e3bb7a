"""layercheck: a static import-graph linter and layering checker for Python.

Hands on what Python code may use, and loads it only when somebody takes it: the command line starts here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = ["Finding", "LayercheckError", "Report", "__version__", "check"]

if TYPE_CHECKING:
    from layercheck.api import check
    from layercheck.errors import LayercheckError
    from layercheck.finding import Finding, Report
else:  # a type checker that saw this would take any name for one of ours
    _HOMES = {"Finding": "finding", "LayercheckError": "errors", "Report": "finding", "check": "api"}

    def __getattr__(name: str) -> object:
        """The names above, on their first use. Raises AttributeError for others."""
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
