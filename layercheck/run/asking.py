"""The why command: a folder and two of its parts -> the chains by which one imports the other, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from layercheck.run.judgement import demand_packages
from layercheck.run.kinds import kinds_of
from layercheck.run.request import CheckRequest
from layercheck.run.side import look
from layercheck.run.workers import Progress
from layercheck.why.asking import why
from layercheck.why.formats import FORMATS


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody wants to know of a project."""

    importer: str
    imported: str
    kinds: Sequence[str] = ()
    """None for all of them."""
    implicit: bool = False
    limit: int = 0
    """How many chains are written out; 0 for all."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer in one of the formats, and whether there is a chain."""

    text: str
    found: bool


def ask(
    request: CheckRequest, question: Question, format_: str, progress: Progress = lambda done, total: None
) -> Answered:
    """Read a folder and find the chains.

    Raises LayercheckError as ``check`` does, and for names that are not there.
    """
    kinds = kinds_of(question.kinds)
    side = look(request, progress)
    side.cache.save(whole=True)
    packages = request.selection.packages
    demand_packages(side.project, packages)
    answer = why(
        side.project,
        question.importer,
        question.imported,
        kinds,
        implicit=question.implicit,
        limit=question.limit,
        packages=packages,
    )
    return Answered(FORMATS[format_](answer), bool(answer.ways.count))
