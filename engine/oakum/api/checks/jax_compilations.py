"""Lines of a program on real JAX that have a function compiled again and again.

JAX says what it compiles to those that listen (`jax.monitoring`). What has changed since the last
time is read from the variables of the program's line.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, Final

from oakum import config
from oakum.api.checks import jax_frames
from oakum.errors import Frame, RetraceError
from oakum.values import codes

_COMPILED: Final = "/jax/core/compile/backend_compile_duration"
_SHOWN: Final = 3


class Compilations(jax_frames.Watch):
    """Counts the runs of each line of the program in which JAX compiles a function.

    A line that is run once, and has an operation compiled for many shapes, compiles nothing again.
    """

    hears_calls = False

    def __init__(self, note: Callable[[Exception], None]) -> None:
        self._note: Final = note
        self._counts: Final[dict[tuple[str, int, str], int]] = {}
        self._seen: Final[dict[tuple[str, int, str], Mapping[str, str]]] = {}
        self._runs: Final[dict[int, int]] = {}
        """By the id of its frame, the number of the run of the line that is under way."""
        self._last: Final[dict[tuple[str, int, str], int]] = {}
        self._number = itertools.count(1)
        self._stop: Callable[[], object] = lambda: None

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Notes that a line begins."""
        if line is None:
            self._runs.pop(id(frame), None)
        else:
            self._runs[id(frame)] = next(self._number)

    def begin(self) -> None:
        """Listens from now on, where this version of JAX can stop that."""
        with contextlib.suppress(Exception):
            monitoring: Any = importlib.import_module("jax.monitoring")
            stop = monitoring.unregister_event_duration_listener
            monitoring.register_event_duration_secs_listener(self._heard)
            self._stop = lambda: stop(self._heard)

    def end(self) -> None:
        """Listens no more."""
        with contextlib.suppress(Exception):
            self._stop()
        self._stop = lambda: None

    def _heard(self, event: str, _: float, **facts: object) -> None:
        if event != _COMPILED:
            return
        with contextlib.suppress(Exception):  # The program goes on whatever is not understood.
            frame = jax_frames.running_program()
            name = str(facts.get("fun_name", "")).removeprefix("jit(").removesuffix(")")
            if frame is not None and name:
                self._count(frame, name)

    def _count(self, frame: FrameType, name: str) -> None:
        place = (frame.f_code.co_filename, frame.f_lineno, name)
        run = self._runs.get(id(frame))
        if run is not None and self._last.get(place) == run:
            return
        if run is not None:
            self._last[place] = run
        number = self._counts[place] = self._counts.get(place, 0) + 1
        values = _described(frame)
        before = self._seen.get(place, {})
        self._seen[place] = values
        if number != config.retrace_limit.value + 1:
            return
        changed = [
            f"`{each}` became {text} from {before[each]}"
            for each, text in values.items()
            if before.get(each, text) != text
        ]
        self._note(
            RetraceError(
                f"`{name}` is compiled {number} times by one line",
                detail=f"The last time {', and '.join(changed[:_SHOWN])}" if changed else "",
                frame=Frame(*place[:2]),
                code=codes.RETRACED_IN_LOOP if changed else codes.COMPILED_IN_LOOP,
            )
        )


def _described(frame: FrameType) -> dict[str, str]:
    """Returns the variables that a line reads: arrays by dtype and shape, numbers as they are."""
    found: dict[str, str] = {}
    values = frame.f_locals
    for name in jax_frames.lines_of(frame.f_code).loaded.get(frame.f_lineno, ()):
        value: Any = values.get(name, frame.f_globals.get(name))
        if isinstance(value, (bool, int, str)):
            found[name] = repr(value)
            continue
        if form := jax_frames.form_of_array(value):
            found[name] = form
    return found
