"""``python -m layercheck``."""

from __future__ import annotations

from layercheck.cli import main

if __name__ == "__main__":
    main()
