"""Spans of time that a profile is made of: who records them, while one is recorded.

Tracing, compilation, calls, programs and their steps are noted here, and what the user names.
`oakum.profiler` begins and ends a recording, and writes it to files.

Invariants:
- Without a recording nothing is measured: the places that could be ask `recording`, and native
  calls, which ask nothing, are those of another generation.
- Spans of one thread lie within each other or beside each other.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Final, NamedTuple

from oakum.values import trace_context

Argument = str | int | float | bool
"""What a viewer shows beside a span."""

MOST: Final = 1_000_000
"""The spans of a recording, the first of it. The viewer of TensorBoard shows as many at most, and
they take 200 MB: a loop of steps that nobody waits for could fill the memory.
"""


class Span(NamedTuple):
    """One stretch of time on a thread, in seconds of `time.perf_counter`.

    `kind` says who has noted it: `tracing`, `compilation`, `call`, `operation`, `program`, `step`,
    or `user`. Millions may be made: so it is a tuple.
    """

    name: str
    kind: str
    thread: int
    begin: float
    end: float
    arguments: Mapping[str, Argument]


class Recording:
    """The spans of one profile. Its level is that of `ProfileOptions`: two for all kinds, one for
    those of the user alone, none for nothing.
    """

    def __init__(self, level: int) -> None:
        self._level = level
        self.spans: list[Span] = []
        self.left_out = 0
        """How many more spans there were than are kept."""
        self.threads: dict[int, str] = {}
        """The names of threads."""
        self.begun = time.perf_counter()
        self.begun_at = time.time_ns()
        """When that was, in nanoseconds since 1970."""

    def add(
        self, name: str, kind: str, begin: float, end: float, arguments: Mapping[str, Argument]
    ) -> None:
        """Notes a span of this thread."""
        if self._level < (1 if kind == "user" else 2):
            return
        thread = threading.get_ident()
        if thread not in self.threads:
            self.threads[thread] = threading.current_thread().name
        if len(self.spans) >= MOST:
            self.left_out += 1
        elif begin >= self.begun:  # what had begun before is not of this profile
            self.spans.append(Span(name, kind, thread, begin, end, arguments))


recording: Recording | None = None
"""What records now."""


def begin(level: int = 2) -> Recording:
    """Begins a recording; calls that were native are made by Python from now on."""
    global recording
    recording = Recording(level)
    trace_context.renew()
    return recording


def end() -> None:
    """Ends the recording."""
    global recording
    recording = None
    trace_context.renew()


def note(name: str, kind: str, begun: float, **arguments: Argument) -> None:
    """Notes that something has just ended which had begun at a time, if that is recorded."""
    if recording is not None:
        recording.add(name, kind, begun, time.perf_counter(), arguments)


class Block:
    """A `with` block that is noted as a span, also where it raises."""

    __slots__ = ("_begun", "arguments", "kind", "name")

    def __init__(self, name: str, kind: str, **arguments: Argument) -> None:
        self.name = name
        self.kind = kind
        self.arguments: dict[str, Argument] = arguments
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = time.perf_counter()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        note(self.name, self.kind, self._begun, **self.arguments)
