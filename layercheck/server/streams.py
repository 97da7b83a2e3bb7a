"""Standard input and output for the protocol alone: whatever else would read or write them meets something harmless."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from layercheck.errors import LayercheckError

_IN, _OUT, _ERR = 0, 1, 2


@contextmanager
def own_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The streams of the process. Meanwhile what is printed goes to standard error, and standard input is empty.

    Raises LayercheckError where one of them is closed.
    """
    try:
        own = os.dup(_IN), os.dup(_OUT)
    except OSError:
        raise LayercheckError(
            "standard input and output are closed; an editor starts the server, and speaks to it there"
        ) from None
    if sys.stdout is not None:
        sys.stdout.flush()
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nothing, _IN)
        try:
            os.dup2(_ERR, _OUT)
        except OSError:  # standard error is closed
            os.dup2(nothing, _OUT)
        with os.fdopen(own[0], "rb") as stdin, os.fdopen(own[1], "wb") as stdout:
            yield stdin, stdout
    finally:
        os.close(nothing)
