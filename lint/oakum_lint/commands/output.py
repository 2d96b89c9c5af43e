"""Standard output that survives its reader and its encoding."""

import os
import sys


def emit(text: str) -> None:
    """Writes a text to standard output; a reader that has closed it has seen enough."""
    try:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
