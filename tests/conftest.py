"""What holds for all tests: what they see of the environment does not depend on who runs them."""

from __future__ import annotations

import os


def pytest_configure() -> None:
    """Take out what would colour the text that tests read; those of colours put it back for themselves."""
    for name in ("FORCE_COLOR", "NO_COLOR"):
        os.environ.pop(name, None)
