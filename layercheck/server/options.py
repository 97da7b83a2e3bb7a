"""How a server was started. Frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from layercheck.run import CheckRequest, Selection


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What holds for all that a server looks at."""

    root: Path | None = None
    """The project; None: the folders that are open in the editor, each by itself."""
    rules: Path | None = None
    """None: looked for from each root upwards."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: Path | None = None
    jobs: int | None = None
    cache: bool = True

    def request(self, root: Path) -> CheckRequest:
        """What is asked about a folder."""
        return CheckRequest(
            root=root,
            rules=self.rules,
            selection=Selection(self.select, self.ignore),
            jobs=self.jobs,
            cache=self.cache,
            baseline=self.baseline,
        )
