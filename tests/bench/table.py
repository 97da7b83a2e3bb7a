"""What was measured, as text: medians, ratios, and whether the targets are met. Measures nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import NamedTuple

from tests.bench.contenders import LAYERCHECK
from tests.bench.states import ADDED, COLD, MOVED, WARM
from tests.measure import Measured

_MEMORY = 400e6 / 5000
"""Bytes for each module."""


class Cost(NamedTuple):
    """The medians of several runs: seconds, seconds of processor, bytes."""

    wall: float
    processor: float
    peak: float


Costs = Mapping[tuple[str, str], Cost]
"""By contender and state."""


class Target(NamedTuple):
    """What is aimed at, what came of it, and whether that is enough."""

    what: str
    target: str
    measured: str
    met: bool


def cost(runs: list[Measured]) -> Cost:
    """What runs cost in the middle."""
    return Cost(*(median(getattr(one, name) for one in runs) for name in Cost._fields))


def costs_text(costs: Costs) -> str:
    """Each contender in each state, and how the times of layercheck stand to those of the others in that state."""
    lines = [f"{'':18}{'':14}{'wall s':>8}{'cpu s':>8}{'peak MB':>9}   layercheck takes"]
    for (name, state), one in costs.items():
        ours = costs.get((LAYERCHECK, state))
        ratio = "" if ours is None or name == LAYERCHECK else f"   {ours.wall / one.wall:.2f} x"
        lines.append(f"{name:18}{state:14}{one.wall:8.2f}{one.processor:8.2f}{one.peak / 1e6:9.0f}{ratio}")
    return "\n".join(lines)


def of_tree(costs: Costs, files: int) -> Iterator[Target]:
    """The targets for one tree of so many files."""
    ours = {state: costs[LAYERCHECK, state] for state in (COLD, WARM, MOVED, ADDED)}
    peers = {name for name, _ in costs}
    if "tach" in peers:
        yield _ratio("cold", 4, ours[COLD], costs["tach", COLD], "tach")
    if "import-linter" in peers:
        yield _ratio("warm", 0.5, ours[WARM], costs["import-linter", WARM], "import-linter warm")
    yield _seconds("warm", 0.5 * max(files / 5000, 1), ours[WARM])
    yield _ratio("warm, lines moved", 1.1, ours[MOVED], ours[WARM], "warm")
    yield _ratio("warm, import added", 1.1, ours[ADDED], ours[WARM], "warm")
    most = _MEMORY * max(files, 5000)
    peak = ours[COLD].peak
    yield Target("peak memory, cold", f"{most / 1e6:.0f} MB", f"{peak / 1e6:.0f} MB", peak < most)


def of_growth(small: Costs, large: Costs, modules: tuple[int, int]) -> Iterator[Target]:
    """The targets for how costs grow with the number of modules."""
    for state in (COLD, WARM):
        before, after = small[LAYERCHECK, state], large[LAYERCHECK, state]
        for what, one, other in (("time", before.wall, after.wall), ("memory", before.peak, after.peak)):
            ratio = other / modules[1] / (one / modules[0])
            name = f"{state}, {what} per module, {modules[1]:,} modules"
            yield Target(name, f"1.3 x that of {modules[0]:,}", f"{ratio:.2f} x", ratio <= 1.3)


def of_command(what: str, seconds: float, measured: Cost) -> Target:
    """The target for a command that has nothing to do with any tree."""
    return _seconds(what, seconds, measured)


def targets_text(targets: list[Target]) -> str:
    """One line for each target."""
    lines = [f"{'':44}{'target':>26}{'measured':>12}"]
    lines += [f"{one.what:44}{one.target:>26}{one.measured:>12}   {'met' if one.met else 'NOT MET'}" for one in targets]
    return "\n".join(lines)


def _ratio(what: str, most: float, ours: Cost, other: Cost, name: str) -> Target:
    ratio = ours.wall / other.wall
    return Target(what, f"{most:g} x {name}", f"{ratio:.2f} x", ratio <= most)


def _seconds(what: str, most: float, ours: Cost) -> Target:
    return Target(what, f"{most:g} s", f"{ours.wall:.2f} s", ours.wall < most)
