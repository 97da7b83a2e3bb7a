"""Findings -> byte edits that mend them. Reads and writes no files; what it gives is proved by whoever asks."""

from layercheck.edits.diff import unified
from layercheck.edits.effects import lost
from layercheck.edits.fixers import fix
from layercheck.edits.model import DropImport, Fix, Redirect, Refusal
from layercheck.edits.rewriting import replacements, rewrite
from layercheck.edits.source import EditError

__all__ = ["DropImport", "EditError", "Fix", "Redirect", "Refusal", "fix", "lost", "replacements", "rewrite", "unified"]
