"""Errors that a user can mend: each is one line that says what, where and what to do."""

from __future__ import annotations


class LayercheckError(Exception):
    """Something the user can put right; the command line prints it and exits with status 2.

    ``lines`` holds one sentence for each thing wrong, so that all of them can be said at once.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
