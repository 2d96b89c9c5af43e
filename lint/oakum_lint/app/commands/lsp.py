"""`oakum lsp`: starts the editor's server, which is a package of its own."""

import argparse


def run(options: argparse.Namespace) -> int:
    """Serves until the editor ends it."""
    # The one place where the linter names the server: the command starts it, and knows no more.
    from oakum_lsp.server import serve

    return serve(options.max_seconds)
