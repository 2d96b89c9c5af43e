"""Tracers of real JAX that outlive their trace, found by weak references to what the program's
functions are given, get from JAX and return; those of `grad` too, which JAX does not look for.

Invariants:
- A leak is reported where a variable of the program reaches the tracer, without a way through
  JAX's own objects. What only JAX's caches hold is none of the program's.
- Cycles are collected before a tracer counts.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FrameType
from typing import Any, Final

from oakum.api.checks import jax_frames
from oakum.errors import Frame, LeakedTracerError
from oakum.tracing import leak_holders, leak_reach, leak_stores
from oakum.tracing.leak_checker import STORED_HINT
from oakum.tracing.leak_names import Chain, is_namespace
from oakum.tracing.leak_stores import Line
from oakum.values.records import dataclass

_MOST_SEARCHES: Final = 6
"""As many walks over all objects are made where a trace ends: with JAX loaded, each takes about
0.2 s. What is held and not reported leads through a tracer that is."""
_SECONDS: Final = 10.0
"""As long such walks take in a run; what is left then is looked at where the run ends."""
_MOST_COUNTED: Final = 200
_MOST_SHOWN: Final = 3


@dataclass(slots=True)
class _Seen:
    """A tracer that a line of the program had, and the lines at which more came to refer to it."""

    tracer: weakref.ref[Any]
    line: Line
    stored: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class _Begun:
    """A line that stores, as it begins: the ids of the tracers in the local variables that it
    reads, of those that its module's variables keep already, and of the values of the variables
    that it assigns; and, by its id, how often each tracer is referred to, then and behind the last
    line of a function that it has called.

    It is kept for each line: functions that the line calls have such lines too.
    """

    within: set[int]
    kept: set[int]
    bound: Mapping[str, int]
    counted: Mapping[int, tuple[_Seen, int]]
    called: dict[int, tuple[_Seen, int]]

    def first(self, key: int, seen: _Seen) -> int:
        """Returns how many references to a tracer there were; 0 for a new one."""
        known, count = self.counted.get(key, (None, 0))
        return count if known is seen else 0

    def had(self, key: int, seen: _Seen) -> int:
        """Returns how many references to a tracer are not the line's; 0 for a new one."""
        known, count = self.called.get(key, (None, 0))
        return count if known is seen else self.first(key, seen)


class _State(threading.local):
    """What is known in a thread: each traces by itself."""

    def __init__(self) -> None:
        self.seen: dict[int, _Seen] = {}
        self.begun: dict[int, _Begun] = {}
        """By the id of its frame, a line that stores."""
        self.ran: dict[CodeType, dict[str, Any]] = {}
        """The functions that had tracers, or were called by one that had, and their modules'
        variables."""


class Leaks(jax_frames.Watch):
    """Finds leaked tracers, and has their errors noted."""

    def __init__(
        self,
        tracer: type,
        trace_state: Callable[[], object],
        note: Callable[[Exception], None],
    ) -> None:
        self._tracer: Final = tracer
        self._trace_state: Final = trace_state
        self._outside: Final = trace_state()
        self._note: Final = note
        self._state: Final = _State()
        self._reported: Final[weakref.WeakValueDictionary[int, Any]] = weakref.WeakValueDictionary()
        self._seconds = 0.0

    def called(self, frame: FrameType) -> None:
        """Looks at the arguments of a function of the program."""
        state = self._state
        if self._trace_state() == self._outside:
            return
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]
        values = frame.f_locals
        line = Line(code, code.co_firstlineno)
        if self._see([values[name] for name in names if name in values], line) or state.seen:
            state.ran[code] = frame.f_globals

    def received(self, value: object, caller: FrameType) -> None:
        """Looks at what a line of the program's gets."""
        if self._trace_state() == self._outside:
            return
        is_seen = self._see([value], Line(caller.f_code, caller.f_lineno))
        if is_seen and jax_frames.is_of_program(caller):
            self._state.ran[caller.f_code] = caller.f_globals

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Compares the references to tracers around a line that stores; looks for what is left
        where no trace is under way.
        """
        state = self._state
        if not state.seen:
            return
        lasting = jax_frames.lines_of(frame.f_code).lasting
        if before is not None and before in lasting:
            self._compare(frame, before)
        if line is not None and line in lasting:
            # Before the references are counted: a frame's variables are a dict once they are read.
            within, kept, bound = self._variables(frame, line)
            last = list(state.seen.items())[-_MOST_COUNTED:]
            counted = {key: (seen, _references(seen)) for key, seen in last}
            state.begun[id(frame)] = _Begun(within, kept, bound, counted, {})
        if self._is_outside(frame):
            self.check()

    def _variables(self, frame: FrameType, line: int) -> tuple[set[int], set[int], dict[str, int]]:
        """Returns the ids of the tracers in the local variables that a line reads and in those of
        the module, and of what it assigns.
        """
        lines = jax_frames.lines_of(frame.f_code)
        loaded = _values_of(frame, lines.loaded.get(line, ()))
        stored = _values_of(frame, lines.stored.get(line, ()))
        local = frame.f_locals
        return (
            self._tracers_in([each for name, each in loaded.items() if name in local]),
            self._tracers_in([each for name, each in loaded.items() if name not in local]),
            {name: id(each) for name, each in stored.items()},
        )

    def _compare(self, frame: FrameType, line: int) -> None:
        """Notes a line for the tracers that it can have stored: something more refers to them, or
        they were in a local object that it reads, or are in one that it gave a name, and no
        fewer refer to them. With their object stored, tracers get no reference.
        """
        place = Line(frame.f_code, line)
        begun = self._state.begun.pop(id(frame), _Begun(set(), set(), {}, {}, {}))
        stored = _values_of(frame, begun.bound)
        new = [each for name, each in stored.items() if id(each) != begun.bound[name]]
        within = (begun.within | self._tracers_in(new)) - begun.kept
        for key, seen in list(self._state.seen.items())[-_MOST_COUNTED:]:
            now = _references(seen)
            is_more = now > begun.had(key, seen)
            if is_more:
                # None of them is due to the line that has called this function.
                for outer in self._state.begun.values():
                    outer.called[key] = seen, now
            is_held = key in within and now >= begun.first(key, seen)
            if (is_more or is_held) and place not in seen.stored:
                seen.stored = (*seen.stored, place)

    def _tracers_in(self, values: list[object]) -> set[int]:
        parts = jax_frames.parts_of(values)
        return {id(each) for each in parts if isinstance(each, self._tracer)}

    def _is_outside(self, frame: FrameType) -> bool:
        """Whether no trace is under way; JAX holds tracers while it puts a result together."""
        return self._trace_state() == self._outside and not jax_frames.is_below_jax(frame)

    def _see(self, values: list[object], line: Line) -> bool:
        """Notes the tracers in values; returns whether there are any."""
        seen = self._state.seen
        found = False
        for each in jax_frames.parts_of(values):
            if isinstance(each, self._tracer):
                found = True
                known = seen.get(id(each))
                if known is None or known.tracer() is not each:
                    seen[id(each)] = _Seen(weakref.ref(each), line)
        return found

    def check(self, *, at_end: bool = False) -> None:
        """Reports the tracers that are still held."""
        state = self._state
        seen, ran = state.seen, state.ran
        state.seen, state.ran, state.begun = {}, {}, {}
        alive = _alive(seen.values())
        if not alive:
            return
        search = _Search(ran)
        chains = search.reached(alive)
        if len(chains) < len(alive) and (at_end or self._seconds < _SECONDS):
            begin = time.perf_counter()
            del alive[:]
            gc.collect()
            # First those to which lines that store have added a reference, the last made first.
            last = list(seen.values())[::-1]
            alive += _alive(sorted(last, key=lambda each: not each.stored))
            is_frozen = gc.get_freeze_count() > 0
            if is_frozen:
                gc.unfreeze()  # Nobody finds the referrers that are frozen.
            search.add_held(alive, chains)
            if is_frozen:
                gc.freeze()
            self._seconds += time.perf_counter() - begin
        leaks = [(seen[key], chain) for key, chain in chains.items() if key in seen]
        del alive[:]
        self._report(leaks, set(ran))

    def _report(self, leaks: list[tuple[_Seen, Chain]], codes: set[CodeType]) -> None:
        groups: dict[tuple[Line, ...], list[tuple[_Seen, Chain]]] = {}
        for seen, chain in leaks:
            tracer = seen.tracer()
            if tracer is None or id(tracer) in self._reported:
                continue
            self._reported[id(tracer)] = tracer
            groups.setdefault(_lines(seen, chain, codes), []).append((seen, chain))
        for lines, group in groups.items():
            self._note(_error(lines, group))


def _values_of(frame: FrameType, names: Iterable[str]) -> dict[str, object]:
    values = frame.f_locals
    return {name: values.get(name, frame.f_globals.get(name)) for name in names}


def _references(seen: _Seen) -> int:
    tracer = seen.tracer()
    # Without those of this variable and of the call.
    return 0 if tracer is None else sys.getrefcount(tracer) - 2


def _alive(seen: Iterable[_Seen]) -> list[Any]:
    found = [each.tracer() for each in seen]
    return [each for each in found if each is not None]


class _Search:
    """The search for what holds tracers, from the functions that ran in their trace."""

    def __init__(self, ran: Mapping[CodeType, dict[str, Any]]) -> None:
        self._ran: Final = ran

    def reached(self, alive: list[Any]) -> dict[int, Chain]:
        """Returns how the tracers are reached that variables of the functions that ran reach."""
        found: dict[int, Chain] = {}
        for code, space in self._ran.items():
            # The variables around it are looked at from the end: what a function has for a trace
            # function is its frame alone.
            cells = tuple(types.CellType() for _ in code.co_freevars)
            function = types.FunctionType(code, space, closure=cells)
            function.__qualname__ = code.co_qualname
            chains = leak_reach.find_chains(alive, function, {id(alive)})
            found |= {key: chain for key, chain in chains.items() if key not in found}
            if len(found) == len(alive):
                break
        return {key: chain for key, chain in found.items() if _is_of_program(chain)}

    def add_held(self, alive: list[Any], chains: dict[int, Chain]) -> None:
        """Adds the chains of some that are found from their end, by walks over all objects."""
        left = _MOST_SEARCHES
        rest = [at for at in range(len(alive)) if id(alive[at]) not in chains]
        held = _held_by_program(alive, rest)
        ignored = {id(alive)}
        for at in rest:
            if not left:
                return
            if at not in held or id(alive[at]) in chains:
                continue
            left -= 1
            one = [alive[at]]
            chain = leak_holders.find_chain(one, ignored)
            if chain is None or not chain.is_named or not _is_of_program(chain):
                continue
            chains[id(one[0])] = chain
            beside = leak_reach.find_beside(alive, chain, ignored)
            for key, other in beside.items():
                if _is_of_program(other):
                    chains.setdefault(key, other)


def _held_by_program(alive: list[Any], places: list[int]) -> set[int]:
    """Returns the places of tracers to which something refers that is not JAX's; one walk over all
    objects says it of all of them.
    """
    wanted = [alive[at] for at in places]
    numbers = {id(each): at for each, at in zip(wanted, places, strict=True)}
    found: set[int] = set()
    for holder in gc.get_referrers(*wanted):
        if holder is alive or holder is wanted or _is_jaxs(holder):
            continue
        if leak_holders.holds_nothing(holder):
            continue
        found |= {numbers[id(each)] for each in gc.get_referents(holder) if id(each) in numbers}
    return found


def _is_jaxs(value: object) -> bool:
    return type(value).__module__.partition(".")[0] in ("jax", "jaxlib")


def _is_of_program(chain: Chain) -> bool:
    """Whether a chain begins with a variable of the program, and leads through nothing of JAX's."""
    first = chain.objects[0]
    if not chain.is_named or any(map(_is_jaxs, chain.objects[:-1])):
        return False
    if is_namespace(first):
        space: Any = first
        name = str(space.get("__name__"))
        return name.partition(".")[0] not in ("jax", "jaxlib", "oakum")
    return True


def _lines(seen: _Seen, chain: Chain, codes: set[CodeType]) -> tuple[Line, ...]:
    """Returns the lines that can have stored a tracer: of those whose text fits the place, those at
    which something more came to refer to it.
    """
    cached = leak_stores.cached_line([seen.line], chain)
    if cached is not None:
        return (cached,)
    nested = set(codes)
    waiting = list(codes)
    while waiting:
        inner = [each for each in waiting.pop().co_consts if isinstance(each, CodeType)]
        waiting += inner
        nested |= set(inner)
    scored = leak_stores.scores(chain, nested)
    both = {line: score for line, score in scored.items() if line in seen.stored}
    if both:
        # What is put in an object that is stored then is kept from the last line on.
        return (max(leak_stores.likeliest(both), key=seen.stored.index),)
    if scored:
        return tuple(leak_stores.likeliest(scored))
    if seen.stored:
        return seen.stored[-1:]
    read = leak_stores.mentions(chain, nested)
    return (seen.line,) if seen.line in read else tuple(read[-1:])


def _error(lines: tuple[Line, ...], group: list[tuple[_Seen, Chain]]) -> LeakedTracerError:
    texts: list[str] = []
    for seen, chain in group[:_MOST_SHOWN]:
        tracer: Any = seen.tracer()
        aval = getattr(getattr(tracer, "aval", None), "str_short", str)
        place = f"{seen.line.code.co_filename}:{seen.line.line}"
        texts.append(f"a tracer ({aval()}), seen first on line {place}, is kept as `{chain.name}`")
    more = len(group) - len(texts)
    tail = f"\n  ... and {more} more" if more else ""
    error = LeakedTracerError(
        f"Tracers outlive their trace: {texts[0]}" + "".join(f"\n  {t}" for t in texts[1:]) + tail,
        hint=STORED_HINT,
    )
    error.stored = tuple(Frame(each.code.co_filename, each.line) for each in lines[:1])
    return error
