"""NaN and infinities that a library makes, on the engine: a finding where a variable of the program
gets one; what the library itself takes out again (`jnp.where`) is its own affair.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Final

from oakum.api.checks import jax_frames
from oakum.array import Array
from oakum.errors import Frame, InvalidNumberError
from oakum.tracing.trace import Tracer
from oakum.values import host


class LibraryNumbers(jax_frames.Watch):
    """Passes errors of checks on, those about numbers that a library made only if they are seen in
    a variable.
    """

    hears_calls = False

    def __init__(self, trace: jax_frames.FrameTrace, note: Callable[[Exception], None]) -> None:
        self._trace: Final = trace
        self._note: Final = note
        self._waiting: Final[dict[FrameType, InvalidNumberError]] = {}
        self._is_watching = False

    def note(self, error: Exception) -> None:
        """Notes an error, now or when the program's line is done."""
        place = error.frame if isinstance(error, InvalidNumberError) else None
        if place is None or jax_frames.is_programs(place.file):
            self._note(error)
            return
        frame = jax_frames.running_program()
        if frame is None or not isinstance(error, InvalidNumberError):
            return
        if not self._is_watching:
            self._is_watching = True
            self._trace.add([self])
        self._waiting.setdefault(frame, error)

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Looks at what the line has stored in which a library made such a number."""
        error = self._waiting.pop(frame, None)
        if error is None or before is None:
            return
        values = frame.f_locals
        for name in jax_frames.lines_of(frame.f_code).stored.get(before, ()):
            value = values.get(name, frame.f_globals.get(name))
            if any(map(_is_wrong, jax_frames.parts_of(value))):
                error.detail = f"{error.detail}. It was made on line {error.frame}, of a library"
                error.frame = Frame(frame.f_code.co_filename, before)
                self._note(error)
                return


def _is_wrong(value: object) -> bool:
    if not isinstance(value, Array) or isinstance(value, Tracer):
        return False
    try:
        return not bool(host.np.isfinite(host.np.asarray(value)).all())
    except Exception:  # It was donated, or its dtype has no such numbers.
        return False
