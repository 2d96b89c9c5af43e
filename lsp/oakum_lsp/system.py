"""What the server has of the system: a log, and whether the editor is there."""

import os
import sys


def note(message: str) -> None:
    """Writes one line to standard error, for who looks into the editor's log."""
    line = " ".join(message.split())[:500]
    try:
        print(f"oakum lsp: {line}", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # nobody reads it
        return


def is_running(process: int) -> bool:
    """Whether a process runs. On Windows there is no question that does not end it."""
    if os.name == "nt" or process <= 0:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's; a number that is none
        return True
    return True
