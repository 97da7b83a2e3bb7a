"""Arguments and options that several commands share, and how their texts are read."""

from __future__ import annotations

import os
from pathlib import Path

import click

from layercheck.errors import LayercheckError

FORMATS = ("text", "json", "github", "gitlab", "junit", "markdown", "sarif")
"""The names of layercheck.report.FORMATS, which is not imported for ``--help``."""

PICTURES = ("text", "dot", "mermaid", "json", "html")
"""The names of layercheck.picture.formats.FORMATS, likewise."""


def names(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The names in comma-separated lists of them."""
    names = tuple(name.strip() for value in values for name in value.split(","))
    if not all(names):
        raise click.BadParameter(f"{', '.join(values)!r} holds an empty name", context, parameter)
    return names


class PathType(click.Path):
    """A path that the system can be asked about: whatever its text is, nothing that asks for it later fails oddly."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        called = param.get_error_hint(ctx).strip("'") if param and ctx else "path"
        if not str(value):
            raise LayercheckError(f"{called} is empty; name a path, or leave it out")
        try:
            Path(value).stat()
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            pass
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise LayercheckError(f"{called}: {str(value)!r} cannot be a path: {why}") from None
        return Path(value)


FOLDER = PathType(path_type=Path)
FILE = PathType(path_type=Path)
ROOT = click.argument("root", type=FOLDER, default=".")
ROOT_OPTION = click.option("--root", type=FOLDER, default=".", metavar="FOLDER", help="The project; else here.")
RULES = click.option("--rules", type=FILE, metavar="FILE", help="The rules file; else looked for from ROOT upwards.")
JOBS = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that read files; else all processors."
)
NO_CACHE = click.option("--no-cache", is_flag=True, help="Read every file afresh, and keep nothing.")
