"""The checks of a program on real JAX, which it is not stopped by: leaks, keys, NaN, repeated
compilation; and repeated transfers, on the engine too.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection
from typing import Any, Final

from oakum.api.checks import jax_compilations, jax_frames, jax_leaks, jax_values
from oakum.api.checks.transfers import JaxReads, Transfers
from oakum.values import user_frames


class JaxWatch:
    """The checks that are on, from the import of JAX on, or at once where it is loaded."""

    def __init__(
        self,
        trace: jax_frames.FrameTrace,
        checks: Collection[str],
        note: Callable[[Exception], None],
    ) -> None:
        self._trace: Final = trace
        self._checks: Final = frozenset(checks)
        self._note: Final = note
        self._arrival: Final = jax_frames.Arrival(self._start)
        self._leaks: jax_leaks.Leaks | None = None
        self._compilations: Final = jax_compilations.Compilations(note)
        self._transfers: Final = Transfers(trace, note)

    def begin(self, *, is_oakum: bool = False) -> None:
        """Watches from now on, or from the import of JAX on; `is_oakum` says that the program's JAX
        is the engine.
        """
        if "transfers" in self._checks:
            self._transfers.begin()
        if is_oakum:
            return
        if jax_frames.real_jax() is not None:
            self._start()
        else:
            self._arrival.begin()

    def end(self) -> None:
        """Looks for what is left, and watches no more."""
        self._arrival.end()
        self._trace.end()
        self._compilations.end()
        self._transfers.end()
        if self._leaks is not None:
            with contextlib.suppress(Exception):
                self._leaks.check(at_end=True)

    def _start(self) -> None:
        """Begins the watches; none where this version of JAX has not what they need."""
        # The program is importing JAX: an error would be taken for one of that.
        with contextlib.suppress(Exception):
            self._begin_watches()

    def _begin_watches(self) -> None:
        jax: Any = jax_frames.real_jax()
        tracer = getattr(getattr(jax, "core", None), "Tracer", None)
        array = getattr(jax, "Array", None)
        if not isinstance(tracer, type) or not isinstance(array, type):
            return
        # What its frames hold is none of the program's.
        user_frames.exclude(os.path.dirname(str(jax.__file__)) + os.sep)
        watches: list[jax_frames.Watch] = []
        trace_state = jax_frames.trace_state()
        if "leaks" in self._checks and trace_state is not None:
            self._leaks = jax_leaks.Leaks(tracer, trace_state, self._note)
            watches.append(self._leaks)
        if "keys" in self._checks:
            watches.append(jax_values.Keys(self._note))
        if "nans" in self._checks:
            watches.append(jax_values.Numbers(array, tracer, self._note))
        if "retraces" in self._checks:
            self._compilations.begin()
            watches.append(self._compilations)
        if "transfers" in self._checks:
            watches.append(JaxReads(array, tracer, self._transfers))
        self._trace.add(watches)
