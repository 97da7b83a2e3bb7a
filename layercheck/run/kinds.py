"""The kinds of imports that somebody names."""

from __future__ import annotations

from collections.abc import Sequence

from layercheck.errors import LayercheckError
from layercheck.facts import KINDS, Kind


def kinds_of(names: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds that are named; all of them where none is.

    Raises LayercheckError for a kind that there is none of.
    """
    unknown = [name for name in names if name not in KINDS]
    if unknown:
        raise LayercheckError(
            *(f"--kinds: there is no kind {name!r}; there are {', '.join(KINDS)}" for name in unknown)
        )
    return tuple(kind for kind in KINDS if kind in names) or KINDS
