"""A plan -> the text of a moves file, with what a person should know beside each step. Decides nothing."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from layercheck.moves.movesfile import VERSION
from layercheck.moves.planning import Plan, Planned
from layercheck.project import Use

_WIDTH = 110


def render(plan: Plan) -> str:
    """The moves file of a plan, ready for ``moves apply``."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    yield from _comment(f"How the definitions of {plan.module} can leave it, step by step.")
    yield "#"
    yield from _comment(
        "Each step takes definitions that belong together to another module. In this order no step makes a module "
        "import what is above it. Change what you like: other modules under `to`, other names, steps left out."
    )
    yield "#"
    yield "#     layercheck moves apply FILE              shows what would change"
    yield "#     layercheck moves apply FILE --step 1     only that step"
    yield "#     layercheck moves apply FILE --write      changes the files"
    yield ""
    yield f"version = {VERSION}"
    if plan.recomputed:
        yield ""
        yield from _comment("Constants that every module computes for itself: they are copied, not moved.")
        yield f"recomputed = {_list(plan.recomputed)}"
    if plan.staying:
        yield ""
        yield "# These stay:"
        for name, why in plan.staying:
            yield from _comment(f"{name}: {why}", "#   ", "#     ")
    if plan.whole:
        yield ""
        yield from _comment("Steps are refused as long as the module is used as a whole, for any name may be meant:")
        yield from _lines_of(plan.whole)
    for planned in plan.steps:
        yield ""
        yield from _step(planned)


def _step(planned: Planned) -> Iterator[str]:
    step = planned.step
    yield "[[step]]"
    count = len(step.names)
    what = "What the steps below share" if planned.shared else "A family"
    yield from _comment(f"{what}: {_count(count, 'name')}, {_count(planned.lines, 'line')}.")
    if planned.imports:
        yield from _comment(f"It needs there: {', '.join(planned.imports)}.", "# ", "#   ")
    yield from _places("Taken by", planned.callers)
    yield from _places("Patched by", planned.patches)
    if planned.divided:
        yield from _comment(
            "These patch what both this and the rest read. They stay where they are; let them patch both places then:"
        )
        yield from _lines_of(planned.divided)
    yield f"from = {json.dumps(step.old_home)}"
    yield f"to = {json.dumps(step.new_home)}"
    yield f"names = {_list(step.names)}"
    if planned.divided:
        yield 'patches = "stay"'


def _places(title: str, uses: Sequence[Use]) -> Iterator[str]:
    """Who takes what moves, a line for each place."""
    if not uses:
        yield f"# {title} nobody else."
        return
    count = len({(use.path, use.line) for use in uses})
    yield f"# {title} ({_count(count, 'place')}):"
    yield from _lines_of(uses)


def _lines_of(uses: Sequence[Use]) -> Iterator[str]:
    for path, line in sorted({(use.path, use.line) for use in uses}):
        yield f"#   {_printable(path)}:{line}"


def _printable(path: str) -> str:
    """A path as a comment can hold it."""
    text = path.encode("utf-8", "backslashreplace").decode()
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _list(items: Iterable[str]) -> str:
    """A TOML list, on one line where it fits."""
    written = [json.dumps(item, ensure_ascii=False) for item in items]
    line = f"[{', '.join(written)}]"
    if len(line) <= _WIDTH - len("recomputed = "):
        return line
    return "\n".join(["[", *(f"    {one}," for one in written), "]"])


def _comment(text: str, first: str = "# ", rest: str = "# ") -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
