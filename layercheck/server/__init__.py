"""The language server: findings and quick fixes in editors, over standard input and output. The only user of pygls.

It judges nothing itself and writes no file: edits are handed to the editor.
"""

from __future__ import annotations

from layercheck.errors import LayercheckError
from layercheck.server.options import ServerOptions

__all__ = ["ServerOptions", "serve"]

_LIBRARIES = ("pygls", "lsprotocol", "attrs", "attr", "cattrs")


def serve(options: ServerOptions) -> None:
    """Serve one editor, until it says that it has enough or goes away.

    Raises LayercheckError where what the server needs is not installed.
    """
    try:
        from layercheck.server.session import Session
    except ImportError as error:
        if (error.name or "").partition(".")[0] in _LIBRARIES:
            raise LayercheckError(
                "layercheck server needs pygls 2, which is not installed here; run: pip install 'layercheck[server]'"
            ) from None
        raise
    Session(options).serve()
