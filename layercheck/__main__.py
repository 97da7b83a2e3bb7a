"""``python -m layercheck``, and what the installed program calls. Loads the command line; an interrupt meanwhile is
told as one that comes later is."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Load and run the command line, and exit."""
    _demand_utf8()
    try:
        from layercheck import cli
    except KeyboardInterrupt:
        print("layercheck: interrupted", file=sys.stderr)
        sys.exit(130)
    cli.main()


def _demand_utf8() -> None:
    """Start again in Python's UTF-8 mode, where that is off and the locale says that names of files are in another
    encoding: names of modules are UTF-8 on every machine, and the same files must have the same names. What is printed
    stays in the encoding of the terminal."""
    if sys.getfilesystemencoding().lower() in ("utf-8", "utf8") or sys.flags.utf8_mode:
        return
    stream = sys.stdout or sys.stderr
    if stream is not None:
        os.environ.setdefault("PYTHONIOENCODING", stream.encoding)
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


if __name__ == "__main__":
    main()
