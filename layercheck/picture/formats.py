"""The formats of pictures by name, and which pictures nobody could read in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from layercheck.picture import dot, html, json, mermaid, text
from layercheck.picture.model import Picture

FORMATS: Mapping[str, Callable[[Picture], str]] = {
    "text": text.render,
    "dot": dot.render,
    "mermaid": mermaid.render,
    "json": json.render,
    "html": html.render,
}
"""How to render a picture, by the name of the format."""

FOLDING = ("html",)
"""The formats in which packages can be folded and unfolded."""

_MOST_TO_LAY_OUT = 1_000
"""How many arrows Graphviz lays out in a time, and to a size, that somebody can make use of."""


def warnings(picture: Picture, format_: str, rendered: str) -> Iterator[str]:
    """What to say beside a picture that is too large for the format it is rendered in, with what to do."""
    arrows = len(picture.arrows)
    what = "narrow it with --collapse or --focus, or take --format html"
    if format_ == "mermaid" and arrows > mermaid.MOST_ARROWS:
        yield f"{arrows:,} arrows: Mermaid draws at most {mermaid.MOST_ARROWS:,} unless it is configured to; {what}"
    elif format_ == "mermaid" and len(rendered) > mermaid.MOST_CHARACTERS:
        yield f"Mermaid reads at most {mermaid.MOST_CHARACTERS:,} characters unless it is configured to; {what}"
    elif format_ == "dot" and arrows > _MOST_TO_LAY_OUT:
        yield f"{arrows:,} arrows: Graphviz will take long, and the picture be too large to read; {what}"
