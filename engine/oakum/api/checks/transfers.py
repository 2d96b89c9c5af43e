"""Lines that bring arrays to the host in step after step of a loop: the check `transfers`.

`float(loss)` in a training loop has the host wait for the device in each step, and the device for
the host afterwards. Reads are heard from the methods that make them, on the engine and on real JAX;
the steps between two of them are counted by the lines at which the program's loops begin again.

Invariants:
- One read is no finding, nor one of an epoch or of each so many steps, nor one that shows the
  array: then the host is meant to wait.
- The lines of loops are watched from the first line on that has read several times: programs that
  read nothing pay nothing.
"""

from __future__ import annotations

import functools
import importlib
import sys
import time
import weakref
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Final

from oakum.api.checks import jax_frames, loop_lines
from oakum.errors import Frame, RepeatedTransferError
from oakum.runtime import transfer_guards
from oakum.values import user_frames

_READS: Final[Mapping[str, str]] = {
    "__float__": "float()",
    "__int__": "int()",
    "__complex__": "complex()",
    "__bool__": "A condition",
    "__index__": "An index",
    "__array__": "NumPy",
    "item": ".item()",
    "_item": ".item()",
    "tolist": ".tolist()",
    "tobytes": ".tobytes()",
}
"""The methods that bring an array to the host, and how a finding calls them."""
_CONDITION_HINT: Final = (
    "Have the device decide, with `jnp.where`, `jax.lax.cond` or `jax.lax.while_loop`, or look at "
    "it each so many steps."
)
_UNSEEN: Final = 4
"""So many reads of a line have its loop watched."""
_MOST_STEPS: Final = 4
"""So many steps of loops may lie between two reads: a step may have a loop over a few leaves in it,
and a read of each tenth step of a training loop is none of each step."""
_SECONDS: Final = 0.05
"""A read after more than that costs nothing beside the work: waiting takes some 0.1 ms."""
_FEWEST: Final = 16
"""Fewer reads are no finding."""


class _Line:
    """The reads of a line."""

    __slots__ = ("form", "last", "quick", "reads", "step", "time", "way")

    def __init__(self, way: str) -> None:
        self.way: Final = way
        self.form = ""
        self.reads = 0
        self.quick = 0
        """How many have come soon after the one before."""
        self.step = 0
        """The step of the loops in which the last was."""
        self.time = 0.0
        self.last: Callable[[], object] = lambda: None

    @property
    def is_wrong(self) -> bool:
        """Whether the reads are those of a loop that waits in each step."""
        return self.quick >= _FEWEST and 2 * self.quick >= self.reads


class _Steps(jax_frames.Watch):
    """Counts the steps of all loops of the program."""

    hears_calls = False

    def __init__(self) -> None:
        self.number = 0

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Counts a line at which a loop begins again."""
        if line in loop_lines.of_code(frame.f_code).heads:
            self.number += 1


class Transfers:
    """Counts the reads of each line, and notes those of loops at the end."""

    def __init__(self, trace: jax_frames.FrameTrace, note: Callable[[Exception], None]) -> None:
        self._trace: Final = trace
        self._note: Final = note
        self._lines: Final[dict[tuple[str, int], _Line | None]] = {}
        """By their places; None for lines that show what they read."""
        self._steps: _Steps | None = None

    def begin(self) -> None:
        """Hears of the engine's arrays from now on."""
        transfer_guards.hear_reads_by(self._heard)

    def end(self) -> None:
        """Notes the lines that were found, and hears no more."""
        transfer_guards.hear_reads_by(None)
        for (file, number), line in self._lines.items():
            if line is not None and line.is_wrong:
                self._note(_error(Frame(file, number), line))
        self._lines.clear()

    def _heard(self, value: object) -> None:
        """Counts a read of the engine's array, where a line of the program makes it."""
        frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        name = ""
        while frame is not None and user_frames.is_internal(frame.f_code.co_filename):
            own, frame = frame.f_code.co_name, frame.f_back
            name = own if own in _READS else name
        if frame is not None and jax_frames.is_of_program(frame):
            self.read(frame, name, value)

    def read(self, frame: FrameType, method: str, value: object) -> None:
        """Counts a read that a line of the program makes by a method of the array."""
        if method not in _READS:
            return
        place = (frame.f_code.co_filename, frame.f_lineno)
        if place not in self._lines:
            is_shown = frame.f_lineno in loop_lines.of_code(frame.f_code).showing
            self._lines[place] = None if is_shown else _Line(method)
        line = self._lines[place]
        if line is None or line.last() is value:  # It is on the host since the last read.
            return
        line.last = weakref.ref(value)
        if self._steps is None:
            line.reads += 1
            if line.reads == _UNSEEN:
                self._steps = _Steps()
                self._trace.add([self._steps])
            return
        passed = self._steps.number - line.step
        now = time.perf_counter()
        if line.reads and not passed:
            return
        line.reads += 1
        is_soon = 0 < passed <= _MOST_STEPS and now - line.time < _SECONDS
        if is_soon and not _is_called_back(frame):
            line.quick += 1
            line.form = line.form or jax_frames.form_of_array(value)
        line.step, line.time = self._steps.number, now


class JaxReads(jax_frames.Watch):
    """Finds the reads of real JAX's arrays, which are calls of their methods."""

    def __init__(self, array: type, tracer: type, transfers: Transfers) -> None:
        self._array: Final = array
        self._tracer: Final = tracer
        self._transfers: Final = transfers

    def asked(self, frame: FrameType, caller: FrameType) -> None:
        """Counts the call of a method that reads."""
        name = frame.f_code.co_name
        if name not in _READS:
            return
        value = frame.f_locals.get("self")
        if isinstance(value, self._array) and not isinstance(value, self._tracer):
            self._transfers.read(caller, name, value)

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Counts what `numpy.asarray` reads: arrays of a CPU lend NumPy their memory, and are not
        called."""
        names = loop_lines.of_code(frame.f_code).converted.get(line or 0)
        if not names or frame.f_globals.get(names[0]) is not _numpy():
            return
        value = frame.f_locals.get(names[1], frame.f_globals.get(names[1]))
        if isinstance(value, self._array) and not isinstance(value, self._tracer):
            self._transfers.read(frame, "__array__", value)


@functools.cache
def _numpy() -> object:
    return importlib.import_module("numpy")


def _is_called_back(frame: FrameType) -> bool:
    """Whether JAX or the engine has called the program's function: it reads for a callback, or a
    tree of arrays.
    """
    above = frame.f_back
    while above is not None:
        name = str(above.f_globals.get("__name__"))
        if name.startswith("oakum.api.checks") or name.partition(".")[0] == "_pytest":
            return False
        if name.partition(".")[0] in ("jax", "oakum"):
            return True
        above = above.f_back
    return False


def _error(place: Frame, line: _Line) -> RepeatedTransferError:
    way = _READS[line.way]
    verb = "waits for" if line.way in ("__bool__", "__index__") else "fetches"
    return RepeatedTransferError(
        f"{way} {verb} an array of the device {line.reads} times, in a loop",
        detail=f"The array is {line.form}; the host waits until the device has computed it",
        frame=place,
        hint=_CONDITION_HINT if line.way == "__bool__" else None,
    )
