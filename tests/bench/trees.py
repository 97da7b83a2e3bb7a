"""The trees that are measured: real releases and generated ones.

Each has an ``__init__.py`` in every folder, which the peers need to see all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests import corpus
from tests.bench import generated

_SGLANG = (
    "sglang.srt.mem_cache",
    (("memory_pool_host",), ("pool_host.mha", "pool_host.mla", "pool_host.hisparse"), ("pool_host.base",)),
)


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree, and layers within it for the peers to look at: the highest first."""

    package: str
    within: str
    layers: tuple[tuple[str, ...], ...]
    version: str = ""
    """Of the release."""
    modules: int = 0
    """How many to generate, where it is no release."""

    def make(self, to: Path) -> None:
        """Write it down in a new folder. Raises UnavailableError."""
        if self.modules:
            generated.generate(to, self.modules)
        else:
            corpus.copy(corpus.release(self.package, self.version) / self.package, to / self.package)
        for folder in list(corpus.folders_without_init(to)):
            (folder / "__init__.py").touch()


TREES = {
    "sglang-0.5.16": Tree("sglang", *_SGLANG, version="0.5.16"),
    "sglang-0.5.23": Tree("sglang", *_SGLANG, version="0.5.23"),
    "django-6.1.3": Tree("django", "django", (("contrib",), ("views", "forms"), ("db",)), version="6.1.3"),
    **{
        f"generated-{modules}": Tree(
            generated.TOP, f"{generated.TOP}.area0", (("part2",), ("part1",), ("part0",)), modules=modules
        )
        for modules in (1_000, 10_000, 50_000, 100_000)
    },
}
