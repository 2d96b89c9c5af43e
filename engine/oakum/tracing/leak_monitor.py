"""The line monitor: a traced function runs once more, and new tracers are looked for, after each
line of the user's, where the leaked ones are kept.

Invariants:
- What the function raises the second time is not raised; it is stopped from being watched in time.
- The second run happens in a copy of the process, and leaves nothing behind: not in lists or files,
  not in logs. Where the system makes no copy (Windows), it leaves no operations in the programs
  around it, nothing in mutable references, and no text on the standard streams; what it writes
  elsewhere, or adds to a list, is there once more.
- The trace function of a debugger is back afterwards, and does not see the second run.
"""

from __future__ import annotations

import contextlib
import io
import marshal
import sys
import threading
import time
import types
from collections.abc import Callable, Generator, Sequence
from types import CodeType, FrameType
from typing import Any, Final, TextIO

from oakum import config
from oakum.tracing.jaxpr_trace import StagingTrace, undoing_writes
from oakum.tracing.leak_holders import holds_nothing, is_root
from oakum.tracing.leak_names import Chain, held_by, is_class, is_namespace
from oakum.tracing.leak_stores import Line, inner_function
from oakum.tracing.trace import Trace, Tracer
from oakum.values.checks import check_outcomes, process_copy
from oakum.values.records import dataclass
from oakum.values.user_frames import is_internal, is_library

Rerun = Callable[[Callable[[Trace], None]], None]
"""Traces the function once more; what it is given is called with the new trace first."""

_Place = tuple[CodeType, int]
_Answer = tuple[list[tuple[int, object, _Place]], list[CodeType], _Place | None]
"""What the copy of the process has found, as it is passed on."""

_SECONDS: Final = 2.0
"""No longer than this a function runs under the line monitor, which makes Python 10 to 100 times
slower; then it goes on without."""
_MOST_REACHED: Final = 2_000
_here: Final = threading.RLock()
"""Held while a function runs once more in this process."""
_LEAVES: Final = (types.ModuleType, types.CodeType, str, bytes, int, float)


@dataclass(frozen=True, slots=True)
class Stored:
    """A tracer that was seen in a place, by the number of the place, and the line before that."""

    place: int
    birth: object
    line: Line


def birth_of(tracer: Tracer) -> object:
    """Returns what tells the values of a trace apart, and is the same in the next trace."""
    source = tracer.source
    if source:
        return source[0].code, source[0].instruction
    return getattr(tracer, "argument", None)


class Monitor:
    """The line monitor: finds tracers of a new trace in the places of the leaked ones."""

    def __init__(self, ended: Trace, chains: Sequence[Chain]) -> None:
        self._ended = ended
        self._traced = getattr(inner_function(ended.traced), "__code__", None)
        self._chains = chains
        self._generators: list[Any] = [
            each
            for chain in chains
            for each in chain.objects
            if isinstance(each, types.GeneratorType)
        ]
        self._trace: Trace | None = None
        self._lines: dict[FrameType, int] = {}
        self._seen: dict[tuple[int, int], object] = {}
        self._end = 0.0
        self.codes: set[CodeType] = set()
        self.found: list[Stored] = []
        self.returned: Line | None = None
        """The line with which the traced function has returned."""

    def run(self, rerun: Rerun) -> None:
        """Runs the function in a copy of the process, where the system makes one."""
        if not process_copy.is_possible():
            with _here:  # The standard streams are those of all threads.
                self._run(rerun)
            return
        answer = process_copy.answer_of(lambda: self._answer(rerun))
        if answer:
            content: _Answer = marshal.loads(answer)
            found, codes, returned = content
            self.codes.update(codes)
            self.found = [Stored(place, birth, Line(*line)) for place, birth, line in found]
            self.returned = None if returned is None else Line(*returned)

    def _answer(self, rerun: Rerun) -> bytes:
        self._run(rerun)
        content: _Answer = (
            [(each.place, each.birth, (each.line.code, each.line.line)) for each in self.found],
            list(self.codes),
            None if self.returned is None else (self.returned.code, self.returned.line),
        )
        return marshal.dumps(content)

    def _run(self, rerun: Rerun) -> None:
        """Runs the function; what it raises is not what the report is about."""
        before = sys.gettrace()
        self._end = time.perf_counter() + _SECONDS
        try:
            with _unnoticed(self._ended):
                # The function finds what it has stored, and may compute with it.
                self._ended.alive = True
                sys.settrace(self._call)
                try:
                    rerun(self._begin)
                finally:
                    sys.settrace(before)
                    self._ended.alive = False
                    if self._trace is not None:
                        self._trace.alive = False
        except Exception:
            pass
        self._lines.clear()
        self._seen.clear()

    def _begin(self, trace: Trace) -> None:
        self._trace = trace

    def _call(self, frame: FrameType, event: str, arg: object) -> Any:
        code = frame.f_code
        if is_internal(code.co_filename) or is_library(frame):
            return None
        if time.perf_counter() > self._end:
            sys.settrace(None)
            return None
        self.codes.add(code)
        caller = self._caller(frame)
        if caller is not None:
            self._look(caller, caller.f_lineno)
        return self._step

    def _caller(self, frame: FrameType) -> FrameType | None:
        caller = frame.f_back
        while caller is not None and caller not in self._lines:
            caller = caller.f_back
        return caller

    def _step(self, frame: FrameType, event: str, arg: object) -> Any:
        if time.perf_counter() > self._end:
            return None
        if event == "line":
            before = self._lines.get(frame)
            self._lines[frame] = frame.f_lineno
            if before is not None:
                self._look(frame, before)
        elif event == "return":
            self._look(frame, frame.f_lineno)
            if frame.f_code is self._traced:
                self.returned = Line(frame.f_code, frame.f_lineno)
        return self._step

    def _look(self, frame: FrameType, line: int) -> None:
        if self._trace is None:
            return
        # What a generator keeps is stored by the line that has it go on.
        while any(each.gi_frame is frame for each in self._generators):
            caller = self._caller(frame)
            if caller is None:
                break
            frame, line = caller, caller.f_lineno
        for place, chain in enumerate(self._chains):
            for tracer in _reach(chain, self._trace):
                if (place, id(tracer)) not in self._seen:
                    self._seen[place, id(tracer)] = tracer
                    stored = self._with_text(frame, line)
                    self.found.append(Stored(place, birth_of(tracer), stored))

    def _with_text(self, frame: FrameType, line: int) -> Line:
        """Returns a line, or the one that has run it if it has no text, as code in `exec`."""
        found = Line(frame.f_code, line)
        caller: FrameType | None = frame
        while caller is not None:
            shown = found if caller is frame else Line(caller.f_code, caller.f_lineno)
            if shown.text:
                return shown
            caller = self._caller(caller)
        return found


@contextlib.contextmanager
def _unnoticed(ended: Trace) -> Generator[None]:
    """Has what runs in a block be found by no check, recorded by no trace around, and not shown."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(config.unwatched())
        stack.enter_context(check_outcomes.unheard())
        stack.enter_context(contextlib.redirect_stdout(_OtherThreads(sys.stdout)))
        stack.enter_context(contextlib.redirect_stderr(_OtherThreads(sys.stderr)))
        stack.enter_context(undoing_writes())
        around = ended.parent
        while around is not None:
            if isinstance(around, StagingTrace):
                stack.enter_context(around.repeating())
            around = around.parent
        yield


class _OtherThreads(io.TextIOBase):
    """A stream that shows what all threads write but the one that has made it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: Final = stream
        self._silent: Final = threading.get_ident()

    def write(self, text: str, /) -> int:
        """Writes a text, or passes it over."""
        return len(text) if threading.get_ident() == self._silent else self._stream.write(text)

    def flush(self) -> None:
        """Flushes the stream."""
        self._stream.flush()


def _reach(chain: Chain, trace: Trace) -> list[Tracer]:
    """Returns the tracers of a trace that are reached from where a chain begins."""
    found: list[Tracer] = []
    level = _beginning(chain)
    known: set[int] = set()
    depth = len(chain.objects) + 2
    while level and depth and len(known) < _MOST_REACHED:
        depth -= 1
        after: list[object] = []
        for each in level:
            if id(each) in known:
                continue
            known.add(id(each))
            if isinstance(each, Tracer):
                if each.owner is trace:
                    found.append(each)
            elif not (isinstance(each, _LEAVES) or is_root(each) or holds_nothing(each)):
                after += held_by(each)
        level = after
    return found


def _beginning(chain: Chain) -> list[object]:
    """Returns what a chain begins with: of a module and of a class, the variable alone."""
    first = chain.objects[0]
    if is_namespace(first) or is_class(first):
        space: Any = vars(first) if is_class(first) else first
        return [space.get(name) for name in chain.names if name in space]
    return [first]
