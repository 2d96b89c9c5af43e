"""Which line has stored a tracer: seen as the traced function runs once more, or read.

The function is run again under a trace function that looks, after each line of the user's, for new
tracers where the leaked ones are kept. A store that does not happen again (`if key not in cache`)
is read from the bytecode of the functions that ran: statements that can store in such a place.

Invariants:
- A line is named only where it is the one; several that remain are named as several.
- Reading needs no source: positions are those of the bytecode.
"""

from __future__ import annotations

import dis
import functools
import gc
import linecache
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, Final, TypeGuard

from oakum import config
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.leak_names import Chain, is_builtin, is_namespace
from oakum.tracing.trace import Trace, Tracer
from oakum.values import user_frames
from oakum.values.records import dataclass
from oakum.values.user_frames import UserFrame, is_internal, is_library

Rerun = Callable[[Callable[[Trace], None]], None]
"""Traces the function once more; what it is given is called with the new trace first."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the user's program."""

    code: CodeType
    line: int

    @property
    def text(self) -> str:
        """The line's source; "" where there is none."""
        return linecache.getline(self.code.co_filename, self.line).strip()


# --- what happens when the function runs once more --------------------------------------------

_SECONDS: Final = 2.0
"""No longer than this a function runs under the line monitor, which makes Python 10 to 100 times
slower; then it goes on without."""
_MOST_REACHED: Final = 2_000
_LEAVES: Final = (
    *(type, types.ModuleType, types.FrameType, types.CodeType, Trace, ClosedJaxpr),
    *(str, bytes, int, float),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A tracer that was seen in a place, by the number of the place, and the line before that."""

    place: int
    birth: object
    line: Line


def _is_paused(value: object) -> TypeGuard[types.GeneratorType[Any, Any, Any]]:
    return isinstance(value, types.GeneratorType)


def birth_of(tracer: Any) -> object:
    """Returns what tells the values of a trace apart, and is the same in the next trace."""
    source = tracer.source
    if source:
        return source[0].code, source[0].instruction
    return getattr(tracer, "argument", None)


class Monitor:
    """The line monitor: finds tracers of a new trace in the places of the leaked ones."""

    def __init__(self, ended: Trace, chains: Sequence[Chain]) -> None:
        self._ended = ended
        self._traced = getattr(_inner(ended.traced), "__code__", None)
        self._chains = chains
        self._generators = [each for chain in chains for each in chain.objects if _is_paused(each)]
        self._trace: Trace | None = None
        self._lines: dict[FrameType, int] = {}
        self._seen: dict[tuple[int, int], object] = {}
        self._end = 0.0
        self.codes: set[CodeType] = set()
        self.found: list[Stored] = []
        self.returned: Line | None = None
        """The line with which the traced function has returned."""

    def run(self, rerun: Rerun) -> None:
        """Runs the function; what it raises is not what the report is about."""
        before = sys.gettrace()
        self._end = time.perf_counter() + _SECONDS
        try:
            with config.check_tracer_leaks(False):
                # The function finds what it has stored, and may compute with it.
                self._ended.alive = True
                sys.settrace(self._call)
                try:
                    rerun(self._begin)
                finally:
                    sys.settrace(before)
                    self._ended.alive = False
        except Exception:  # noqa: S110  (the leak has been found without it)
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
        code = frame.f_code
        for place, chain in enumerate(self._chains):
            for tracer in _reach(chain, self._trace):
                if (place, id(tracer)) not in self._seen:
                    self._seen[place, id(tracer)] = tracer
                    self.found.append(Stored(place, birth_of(tracer), Line(code, line)))


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
            elif not isinstance(each, _LEAVES) and not is_namespace(each):
                after += gc.get_referents(each)
        level = after
    return found


def _beginning(chain: Chain) -> list[object]:
    """Returns what a chain begins with: of a module and of a class, the variable alone."""
    first = chain.objects[0]
    if is_namespace(first) or isinstance(first, type):
        space: Any = vars(first) if isinstance(first, type) else first
        return [space.get(name) for name in chain.names if name in space]
    return [first]


# --- what the bytecode says ---------------------------------------------------------------------

_MUTATORS: Final = frozenset(
    "add append appendleft __setitem__ extend extendleft insert push put put_nowait record register "
    "send set setdefault update write __setattr__".split()
)
"""Methods that keep their arguments, and `__setattr__`."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement that stores: the names of its target, "" for one that may be anything, and the
    key.
    """

    line: int
    target: str
    is_container: bool
    key: str | None = None


def _statements(code: CodeType) -> Iterator[_Statement]:
    before: list[dis.Instruction] = []
    for each in dis.get_instructions(code):
        if each.opname in ("CACHE", "EXTENDED_ARG", "NOP", "PRECALL"):
            continue
        line = each.positions.lineno if each.positions is not None else None
        if line is not None:
            name, argument = each.opname, str(each.argval)
            if name in ("STORE_ATTR", "STORE_GLOBAL"):
                yield _Statement(line, argument, is_container=False)
            elif name == "STORE_DEREF" and argument in code.co_freevars:
                yield _Statement(line, argument, is_container=False)
            elif name == "STORE_SUBSCR" and len(before) > 1:
                key = before[-1].argval if before[-1].opname == "LOAD_CONST" else None
                text = None if key is None else str(key)
                yield _Statement(line, _loaded(before[-2]), is_container=True, key=text)
            elif name in ("LOAD_METHOD", "LOAD_ATTR") and argument in _MUTATORS and before:
                yield _Statement(line, _loaded(before[-1]), is_container=True)
            elif name == "LOAD_GLOBAL" and argument == "setattr":
                yield _Statement(line, "", is_container=True)
        before = [*before[-1:], each]


def _loaded(instruction: dis.Instruction) -> str:
    """Returns the name that an instruction loads; "" for a local one, which may be any object."""
    if instruction.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_ATTR")):
        return str(instruction.argval)
    return ""


def _score(chain: Chain, statement: _Statement) -> int:
    """Returns how well a statement fits the place of a value; 0 if it cannot be it."""
    if statement.target not in chain.names:
        return 1 if statement.is_container and not statement.target else 0
    if statement.key is None or not chain.keys:
        return 2
    return 3 if statement.key in chain.keys else 0


def read_lines(chain: Chain, codes: Iterable[CodeType]) -> list[Line]:
    """Returns the lines of functions that can have stored a value where it is, the likeliest."""
    best = 1
    found: list[Line] = []
    for code in sorted(codes, key=lambda code: (code.co_filename, code.co_firstlineno)):
        for statement in _statements(code):
            score = _score(chain, statement)
            line = Line(code, statement.line)
            if score > best:
                best, found = score, []
            if score == best and line not in found:
                found.append(line)
    # What a decorator has written, such as the `__init__` of a data class, has no text.
    return [line for line in found if line.text] or found


def cached_line(tracer: Any, chain: Chain) -> Line | None:
    """Returns the line that made a value which a cache keeps, or an iterator: nothing of the user's
    says there that it is stored.
    """
    source: Sequence[UserFrame] = tracer.source
    codes = [each.code for each in source]
    for holder in reversed(chain.objects[:-1]):
        own = _code_of(holder, chain)
        if own is not None and own in codes:
            place = codes.index(own)
            # A generator goes on for the line that asks it.
            place += isinstance(holder, types.GeneratorType)
        elif is_builtin(type(holder)) and hasattr(type(holder), "__next__"):
            place = 1
        else:
            continue
        if place < len(source):
            return Line(source[place].code, source[place].line)
    return None


def _code_of(holder: Any, chain: Chain) -> CodeType | None:
    """Returns the code of a generator, of a function with a cache, of a property with one."""
    if _is_paused(holder):
        return holder.gi_code
    if isinstance(holder, _CACHE):
        return getattr(_inner(holder.__wrapped__), "__code__", None)
    for name in chain.names:
        for base in type(holder).__mro__:
            found = vars(base).get(name)
            if isinstance(found, functools.cached_property):
                return getattr(_inner(found.func), "__code__", None)
    return None


_CACHE: Final = type(functools.lru_cache(is_builtin))
_MOST_CODES: Final = 500


def codes_of(tracer: Any, chain: Chain) -> set[CodeType]:
    """Returns the functions that can have run in the trace of a tracer: the traced one, those it
    was made in, and those that they name.
    """
    waiting: list[CodeType] = [each.code for each in tracer.source]
    functions: list[Any] = [tracer.owner.traced]
    kinds = {type(each) for each in chain.objects}
    found: set[CodeType] = set()
    while (waiting or functions) and len(found) < _MOST_CODES:
        if functions:
            function = _inner(functions.pop())
            if function is None or function.__code__ in found:
                continue
            waiting.append(function.__code__)
            space = function.__globals__
            for name in function.__code__.co_names:
                functions.append(space.get(name))
                functions += [vars(kind).get(name) for kind in kinds]
            functions += [_content(cell) for cell in function.__closure__ or ()]
            continue
        code = waiting.pop()
        if code in found or is_internal(code.co_filename):
            continue
        found.add(code)
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
    return found


def _content(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _inner(value: Any) -> types.FunctionType | None:
    """Returns the function of the user's behind methods, partial objects and wrappers."""
    for _ in range(20):
        if isinstance(value, types.FunctionType) and not is_internal(value.__code__.co_filename):
            return value
        wrapped = user_frames.wrapped_by(value)
        if wrapped is None:
            return None
        value = wrapped
    return None
