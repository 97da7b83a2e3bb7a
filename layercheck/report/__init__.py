"""Report -> text, one file for each format. Imports only finding."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from layercheck.finding import Report

FORMATS = ("text", "json", "github", "gitlab", "junit", "markdown", "sarif")
"""The names of the formats, each of a module beside this one."""


def renderer(name: str) -> Callable[[Report], str]:
    """What renders a report in a format. Loads that format alone."""
    render: Callable[[Report], str] = import_module(f"{__name__}.{name}").render
    return render


__all__ = ["FORMATS", "renderer"]
