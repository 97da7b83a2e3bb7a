"""What somebody wants to know. Reads nothing but whether the folder is there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from layercheck.errors import LayercheckError
from layercheck.facts import SourceFile


@dataclass(frozen=True, slots=True)
class Selection:
    """What a run was narrowed to, by names of checks or rules and of packages."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not (self.select or self.ignore or self.packages)


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What somebody wants to know of a folder."""

    root: Path
    rules: Path | None = None
    """None: looked for from the root upwards."""
    selection: Selection = EVERYTHING
    jobs: int | None = None
    """None: as many as there are processors."""
    cache: bool = True
    today: date | None = None
    """None: the day of the run."""
    baseline: Path | None = None
    """The file of findings that are known."""
    since: str | None = None
    """A git revision: only what is new against it counts."""
    unsaved: tuple[SourceFile, ...] = ()
    """Files that are taken to hold what is given here, whatever is on disk. Nothing is kept of such a run."""


def demand_folder(root: Path) -> Path:
    """The root of a run, absolute.

    Raises LayercheckError where it is no folder.
    """
    try:
        is_folder, is_there = root.is_dir(), root.exists()
    except OSError as error:
        raise LayercheckError(f"{root}: cannot be looked at: {error.strerror or error}") from None
    if is_folder:
        return root.resolve()
    if is_there:
        raise LayercheckError(
            f"{root}: is a file; give the folder that holds the project (--package narrows what is shown)"
        )
    raise LayercheckError(f"{root}: there is no such folder")
