"""``python -m layercheck``, and what the installed program calls. Loads the command line; an interrupt meanwhile is
told as one that comes later is."""

from __future__ import annotations

import sys


def main() -> None:
    """Load and run the command line, and exit."""
    try:
        from layercheck import cli
    except KeyboardInterrupt:
        print("layercheck: interrupted", file=sys.stderr)
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
