"""The answer to why one part of a project imports another -> text or JSON. Decides nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from layercheck.report.escape import encodable, harmless, printable
from layercheck.report.plain import counted
from layercheck.report.wrap import wrapped
from layercheck.why.model import Answer, Chain, Hop, Site, Ways

VERSION = 1

_NAMES = 3
"""How many of the names that one statement takes people are shown."""


def render_text(answer: Answer) -> str:
    """For people, in lines of 80 columns where names allow."""
    return "".join(f"{harmless(line)}\n" for line in _lines(answer))


def _lines(answer: Answer) -> Iterator[str]:
    ways = answer.ways
    if ways.count:
        yield from _told(ways)
    if ways.others:
        yield from [""] if ways.count else []
        yield from wrapped(_others(answer))
    elif not ways.count:
        of_kind = "" if answer.kinds_are_all else f" of kind {' or '.join(answer.kinds)}"
        yield from wrapped(f"No chain of imports{of_kind} leads from {ways.importer} to {ways.imported}.")
        for other, title in (
            (answer.wider, "With imports of every kind there is:"),
            (answer.back, "The other way round there is:"),
        ):
            if other is not None:
                yield ""
                yield title
                yield from _told(other)
    for note in answer.notes:
        yield ""
        yield from wrapped(f"Note: {note}.")


def _others(answer: Answer) -> str:
    ways = answer.ways
    where = " or ".join(answer.packages)
    if ways.count:
        return f"There {'is' if ways.others == 1 else 'are'} {ways.others:,} more not through {where}."
    chains = f"the one shortest chain of {counted(ways.length, 'import')}"
    if ways.others > 1:
        chains = f"{ways.others:,} shortest chains of {counted(ways.length, 'import')}"
    return f"No chain from {ways.importer} to {ways.imported} runs through {where}, of {chains}."


def _told(ways: Ways) -> Iterator[str]:
    imports = counted(ways.length, "import")
    chains = f"one shortest chain of {imports}" if ways.count == 1 else f"{ways.count:,} shortest chains of {imports}"
    verb, each = ("leads", "") if ways.count == 1 else ("lead", " each" if ways.length > 1 else "")
    yield from wrapped(f"From {ways.importer} to {ways.imported} {verb} {chains}{each}.")
    for chain in ways.chains:
        yield ""
        for hop in chain:
            yield from _hop(hop)
    left = ways.count - len(ways.chains)
    if left:
        yield ""
        yield f"and {left:,} more (--limit 0 for all)"


def _hop(hop: Hop) -> Iterator[str]:
    """The step, and a line for each statement."""
    yield f"    {printable(hop.importer)} -> {printable(hop.imported)}"
    for _, together in groupby(hop.sites, lambda site: (site.path, site.statement, site.kind, site.flags)):
        yield from wrapped(_statement([*together]), " " * 8, " " * 12)


def _statement(sites: Sequence[Site]) -> str:
    first = sites[0]
    taken = ["all names" if site.name == "*" else printable(site.name) for site in sites if site.name]
    how = ", ".join([first.kind, *(flag for flag in first.flags if flag != "star")])
    if taken:
        more = f" and {len(taken) - _NAMES} more" if len(taken) > _NAMES else ""
        how += f", takes {', '.join(taken[:_NAMES])}{more}"
    return f"{printable(first.path)}:{first.line}:{first.column}: {how}"


def render_json(answer: Answer) -> str:
    """Everything, for programs; version 1 of the format: docs/why.md says what each key means."""
    ways = answer.ways
    data = {
        "version": VERSION,
        "from": encodable(ways.importer),
        "to": encodable(ways.imported),
        "kinds": [*answer.kinds],
        "packages": [*answer.packages],
        **_ways(ways),
        "wider": None if answer.wider is None else _ways(answer.wider),
        "back": None if answer.back is None else _ways(answer.back),
        "notes": [encodable(note) for note in answer.notes],
    }
    return json.dumps(data, indent=1) + "\n"


def _ways(ways: Ways) -> dict[str, Any]:
    return {
        "length": ways.length,
        "count": ways.count,
        "others": ways.others,
        "chains": [_chain(chain) for chain in ways.chains],
    }


def _chain(chain: Chain) -> list[dict[str, Any]]:
    return [
        {
            "importer": encodable(hop.importer),
            "imported": encodable(hop.imported),
            "sites": [{**asdict(site), "path": encodable(site.path)} for site in hop.sites],
        }
        for hop in chain
    ]


FORMATS = {"text": render_text, "json": render_json}
