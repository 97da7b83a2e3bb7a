"""layercheck: a static import-graph linter and layering checker for Python."""

__version__ = "0.1.0"
