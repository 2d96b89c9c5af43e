"""Functions that become another program when they are traced again: the option `check_impurity`.

The second trace is made in a copy of the process, which the system forks and which ends with it:
what the function prints, counts, writes to files or appends to lists is there once, as without the
check. On systems without `fork`, and where a GPU is in use, nothing is checked.

Invariants:
- Nothing here is called while the option is off.
- A second trace that fails, or takes too long, is no finding.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any, Final

from oakum import config
from oakum.errors import Frame, ImpureTraceError
from oakum.runtime.topology import devices
from oakum.tracing.ir import ClosedJaxpr
from oakum.transforms.jit import program_diff
from oakum.transforms.jit.program_diff import Difference
from oakum.values.checks import check_outcomes
from oakum.values.user_frames import name_of

_SECONDS: Final = 10.0
"""The most that a second trace may take."""
_LARGEST: Final = 1 << 16

_is_possible = hasattr(os, "fork")
"""Whether functions are traced again: not after a second trace that did not end."""


def check(
    function: Callable[..., Any], program: ClosedJaxpr, again: Callable[[], ClosedJaxpr]
) -> None:
    """Settles an error where a second trace of a function, by `again`, is another program."""
    if not _is_possible or devices.default_platform() != "cpu":
        return
    try:
        found = _in_copy(lambda: program_diff.difference(program, again()))
    except OSError:  # The system has no process or file left to give.
        return
    if found is None:
        return
    check_outcomes.settle(
        ImpureTraceError(
            f"`{name_of(function)}` becomes another program when it is traced again",
            detail=found.text,
            frame=found.frame,
        )
    )


def _in_copy(compare: Callable[[], Difference | None]) -> Difference | None:
    """Returns what a function returns in a copy of this process."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The copy has this thread alone, and waits for no other one: it only traces.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            _leave_all_alone(writing)
            found = compare()
            if found is not None:
                place = found.frame
                fields = [found.text, place.file if place else "", place.line if place else 0]
                os.write(writing, json.dumps(fields).encode()[:_LARGEST])
        finally:
            os._exit(0)
    os.close(writing)
    try:
        return _answer(reading)
    finally:
        os.close(reading)
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(child, 0)


def _leave_all_alone(kept: int) -> None:
    """Has this process write to no file but one, notice nothing, and free nothing that others use.

    An error in it ends it, and is not shown.
    """
    gc.disable()
    sys.settrace(None)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in _open_files():
        if descriptor not in (kept, nowhere):
            with contextlib.suppress(OSError):
                os.dup2(nowhere, descriptor)
    config.check_impurity.set_global(False)
    config.check_retraces.set_global(False)
    config.check_tracer_leaks.set_global(False)
    check_outcomes.note_by(lambda error: None)


def _open_files() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return [int(name) for name in os.listdir(folder)]
    return [0, 1, 2]


def _answer(reading: int) -> Difference | None:
    """Reads what the copy has found."""
    global _is_possible
    text = b""
    waiting = select.poll()  # `select` takes no descriptor above 1023.
    waiting.register(reading, select.POLLIN | select.POLLHUP)
    while waiting.poll(_SECONDS * 1000):
        part = os.read(reading, _LARGEST)
        if not part:
            break
        text += part
    else:
        _is_possible = False
        return None
    try:
        fields: Any = json.loads(text)
        message, file, line = fields
    except ValueError:  # It has found nothing, or ended before.
        return None
    return Difference(message, Frame(file, line) if file else None)
