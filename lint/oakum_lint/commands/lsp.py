"""`oakum lsp`: starts the editor's server, which is a package of its own."""

import argparse

from oakum_lint.config import ConfigurationError


def run(options: argparse.Namespace) -> int:
    """Serves until the editor ends it. Without the extra it says what to install."""
    try:
        # The one place where the linter names the server: the command starts it, and knows no more.
        from oakum_lsp.server import serve
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing.partition(".")[0] not in ("pygls", "lsprotocol", "oakum_lsp"):
            raise
        raise ConfigurationError(
            f"the editor's server needs {missing.partition('.')[0]}, which is not installed; "
            "install it with: pip install 'oakum[lsp]'"
        ) from None
    return serve()
