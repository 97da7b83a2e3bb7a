"""Report -> text, one file for each format. Imports only finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from layercheck.finding import Report
from layercheck.report import json, text

FORMATS: Mapping[str, Callable[[Report], str]] = {"text": text.render, "json": json.render}
"""How to render a report, by the name of the format."""

__all__ = ["FORMATS"]
