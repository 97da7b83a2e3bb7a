"""What checks say is what is written down: ``python -m tests.wording`` writes it anew, to be read over."""

from __future__ import annotations

import pytest

from tests.wording import KINDS, TARGET, said

LINES = TARGET.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence(kind: str) -> None:
    assert [*said(kind)] == [line for line in LINES if line.startswith(f"{kind}: ")], "run python -m tests.wording"
