"""Logs each trace and compilation with Python's logging, under the option `log_compiles`.

Each message is a warning of the logger `oakum`, which Python prints where no handler was set. It
says how long the work took and which line of the user's program asked for it.

Invariants:
- Nothing here is called while the option is off.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame

if TYPE_CHECKING:
    import logging


def logger(part: str = "oakum") -> logging.Logger:
    """Python's logger of the package, or of a part; `logging` is loaded for the first message."""
    import logging

    return logging.getLogger(part)


def described(aval: ShapedArray) -> str:
    """Returns an aval in the words of messages.

    >>> from oakum import dtypes
    >>> described(ShapedArray((3, 4), dtypes.float32, True))
    'float32[3,4] weak'
    """
    dtype = "?" if aval.dtype is None else aval.dtype.name
    shape = "..." if aval.shape is None else ",".join(map(str, aval.shape))
    return f"{dtype}[{shape}] weak" if aval.weak_type else f"{dtype}[{shape}]"


def place() -> str:
    """Returns the line of the user's program that runs, as the end of a sentence."""
    frame = user_frame()
    return "" if frame is None else f" at {frame}"


def note_trace(function: str, transform: str, avals: Iterable[ShapedArray], seconds: float) -> None:
    """Says that a function was traced."""
    arguments = ", ".join(map(described, avals)) or "no arguments"
    logger().warning(
        "Finished tracing %s for %s in %.6f s%s: %s",
        function,
        transform,
        seconds,
        place(),
        arguments,
    )


def note_compilation(program: str, seconds: float, outcome: str) -> None:
    """Says that a program was compiled; `outcome` is what became of it."""
    logger().warning("Finished compiling %s in %.6f s%s: %s", program, seconds, place(), outcome)


def note_absence(program: str, place: object) -> None:
    """Says that the code of a program was not kept before; `place` is where it would be on disk,
    None where nothing is kept there.
    """
    where = "no code is kept on disk" if place is None else f"it is not in {place}"
    logger().warning("The code of %s had to be made by LLVM, as %s", program, where)
