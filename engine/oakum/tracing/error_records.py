"""What goes wrong in a program, written to a file while it runs: the option `oakum_report_to`.

Whoever runs a program reads the file afterwards: one JSON object in each line. With the option on,
the checks (of leaks, keys, NaN and infinities) write what they find and let the program go on; what
fails anyway is written, and raised as ever.

Invariants:
- Nothing is done while the option is off.
- A line is written at once and whole, so that programs of several processes share a file.
"""

from __future__ import annotations

import json
import os

from oakum import config
from oakum.errors import OakumError
from oakum.tracing.excerpts import locate
from oakum.tracing.trace import Trace
from oakum.values import user_frames

_count = 0


def is_on() -> bool:
    """Whether what goes wrong is written to a file."""
    return config.report_to.value is not None


def count() -> int:
    """Returns how many errors this process has written."""
    return _count


def raise_or_record(error: OakumError) -> None:
    """Raises an error that a check has found, or writes it down for the program to go on."""
    if not is_on():
        raise error
    locate(error)
    record(error, raised=False)


def record(error: OakumError, *, raised: bool) -> None:
    """Writes an error down, once."""
    global _count
    if error.is_recorded:
        return
    error.is_recorded = True
    _count += 1
    frame, span = error.frame, error.span
    _write(
        {
            "code": error.code.code,
            "kind": type(error).__name__,
            "raised": raised,
            "file": "" if frame is None else frame.file,
            "line": 0 if frame is None else frame.line,
            "span": span,
            "sentence": error.sentence,
            "operands": error.operands or "",
            "hint": error.hint,
        }
    )


def record_trace(trace: Trace) -> None:
    """Writes down that a function has been traced to its end."""
    code = None if trace.traced is None else user_frames.code_of(trace.traced)
    if code is not None:
        place = {"file": code.co_filename, "line": code.co_firstlineno}
        _write({"traced": trace.transform, **place})


def _write(entry: dict[str, object]) -> None:
    path = config.report_to.value
    assert path is not None
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:  # The program must not fail for it.
        return
    try:
        os.write(file, f"{json.dumps(entry)}\n".encode())
    finally:
        os.close(file)
