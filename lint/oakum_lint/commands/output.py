"""Standard output that survives its reader and its encoding."""

import os
import sys

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from typing import TextIO


def emit(text: str, stream: "TextIO | None" = None) -> None:
    """Writes a text to standard output, or to another stream."""
    out = stream or sys.stdout
    try:
        reconfigure = getattr(out, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        out.write(text)
        out.flush()
    except BrokenPipeError:
        _abandon(out)


def emit_bytes(data: bytes) -> None:
    """Writes program text to standard output as it would stand in its file."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)


def _abandon(stream: "TextIO") -> None:
    """A reader that has closed the stream has seen enough."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
