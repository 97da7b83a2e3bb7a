"""The command line: arguments in, text and exit status out. Decides nothing about code.

What a command needs is imported when it runs, so that ``--version`` and ``--help`` are quick.
"""

from __future__ import annotations

import gc
import sys
import traceback

import click

from layercheck import __version__
from layercheck.cli.asking import explain, what_if, why
from layercheck.cli.baselines import baseline
from layercheck.cli.checking import check
from layercheck.cli.drawing import graph
from layercheck.cli.moves import moves
from layercheck.cli.serving import server
from layercheck.cli.starting import init, migrate
from layercheck.cli.terminal import InterruptedRunError, say
from layercheck.errors import LayercheckError

_USAGE, _INTERRUPTED = 2, 130
_BUG = "layercheck: this is a bug in layercheck, not in your code: please report it, with the lines above"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", prog_name="layercheck", message="%(prog)s %(version)s")
def cli() -> None:
    """Check the imports of Python code against the shape its owners declared, without running it."""


for _command in (check, why, what_if, explain, migrate, init, graph, baseline, moves, server):
    cli.add_command(_command)


def main() -> None:
    """Run the command line and exit."""
    # One run and then the end: what a search for garbage would free is not worth the search.
    gc.disable()
    try:
        status = cli.main(standalone_mode=False)
    except LayercheckError as error:
        from layercheck.report.escape import printable

        say("".join(f"layercheck: {printable(line)}\n" for line in error.lines), sys.stderr)
        status = _USAGE
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (InterruptedRunError, KeyboardInterrupt, click.Abort):
        say("layercheck: interrupted\n", sys.stderr)
        status = _INTERRUPTED
    except Exception:
        say(f"{traceback.format_exc()}{_BUG}\n", sys.stderr)
        status = _USAGE
    sys.exit(status if isinstance(status, int) else 0)
