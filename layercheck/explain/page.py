"""Where the pages about checks lie: in the package where it is installed, in docs where it is a checkout."""

from __future__ import annotations

import re
from importlib.resources import files

import layercheck
from layercheck.errors import LayercheckError

_LINK = re.compile(r"\[(?P<text>[^\]`]*)\]\((?P<target>[^)`]*)\)")


def read_page(check: str) -> str:
    """The page about a check, in Markdown.

    Raises LayercheckError where this installation has none.
    """
    package = files(layercheck)
    places = (package / "explain" / "pages", package / ".." / "docs" / "checks")
    for place in places:
        page = place / f"{check}.md"
        if page.is_file():
            return page.read_text(encoding="utf-8")
    raise LayercheckError(f"this installation has no page about {check}; install layercheck again")


def by_itself(page: str) -> str:
    """A page that is read elsewhere than among the others: what links to them is plain text."""
    return _LINK.sub(lambda link: link[0] if link["target"].startswith("http") else link["text"], page)
