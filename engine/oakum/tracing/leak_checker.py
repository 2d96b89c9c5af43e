"""Tracers that outlive their trace: the error of using one, and the check that finds them.

With the option `check_tracer_leaks` on, every trace remembers its tracers weakly, and when it ends
none of them may be alive but those that its own program keeps.

Invariants:
- Nothing is reported that Python itself would free: cycles are collected before a tracer counts.
- The check costs nothing while it is off, and keeps no cache from working while it is on.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import sys
import types
import weakref
from collections.abc import Iterable
from types import CodeType
from typing import Any, Final

from oakum.errors import Frame, LeakedTracerError, UnexpectedTracerError
from oakum.tracing import leak_holders, leak_monitor, leak_names, leak_reach, leak_stores
from oakum.tracing.leak_monitor import Rerun
from oakum.tracing.leak_names import Chain
from oakum.tracing.leak_stores import Line
from oakum.tracing.trace import Trace, Tracer
from oakum.values import codes, user_frames
from oakum.values.checks import check_outcomes
from oakum.values.records import dataclass
from oakum.values.user_frames import UserFrame, user_frame

HINT: Final = (
    "Return the value from the function, or compute it again from what is returned; "
    "jax.checking_leaks() finds the leak where it happens."
)
"""What to write instead of keeping a tracer."""
STORED_HINT: Final = (
    "Return the value from the function instead of storing it, or store it where the result is."
)
"""What to write where the line that stores is named."""
_SHOWN: Final = 3
"""As many values of one line are shown."""


def _place(trace: Trace) -> str:
    traced = trace.traced
    if traced is None:
        return "a function"
    return user_frames.place_of(traced)


def _creation_text(source: tuple[UserFrame, ...]) -> str:
    if not source:
        return ""
    lines = "\n".join(f"  {frame}" for frame in reversed(source))
    return (
        f"The value was created on line {source[0].code.co_filename}:{source[0].line} "
        f"({source[0].code.co_qualname}).\n"
        f"When it was created, the final {len(source)} stack frames (most recent last), without "
        f"those of oakum, were:\n{lines}\n"
    )


def escaped_error(tracer: Tracer) -> UnexpectedTracerError:
    """Returns the error of a tracer that is used after its trace has ended."""
    trace = tracer.owner
    text = (
        "Encountered an unexpected tracer. A function transformed by oakum had a side effect, "
        "allowing for a reference to an intermediate value with type "
        f"{tracer.aval.str_short()} wrapped in a {type(tracer).__name__} to escape the scope of "
        "the transformation: it was kept in global state, an attribute, a nonlocal or a "
        f"container.\nThe function being traced when the value leaked was {_place(trace)} "
        f"traced for {trace.transform}.\n{_creation_text(tracer.source)}"
    )
    argument = getattr(tracer, "argument", None)
    if argument and not tracer.source:
        text += f"The value is the argument {argument} of the function.\n"
    with contextlib.suppress(Exception):  # What explains the error must not take its place.
        text += _stored_text(tracer)
    return UnexpectedTracerError(text.rstrip("\n"), frame=user_frame(), hint=HINT)


def _stored_text(tracer: Tracer) -> str:
    """Returns where a tracer that is used too late is kept, and the line that stored it."""
    chain = leak_reach.find_chains([tracer], tracer.owner.traced, set()).get(id(tracer))
    chain = chain or leak_holders.find_chain([tracer], in_use=True)
    if chain is None or not chain.name:
        return ""
    leak = _Leak(tracer, chain)
    lines = tuple(_read(leak, set()))
    found = f"It was {_lines_text(lines)}" if 0 < len(lines) <= _MOST_LINES else ""
    return f"The value is kept as `{chain.name}`. {found}"


def check(trace: Trace, kept: Iterable[Any] = (), rerun: Rerun | None = None) -> None:
    """Raises `LeakedTracerError` when a tracer of a trace that has ended is still held.

    `kept` are the objects that the transformation itself goes on holding: what they refer to is no
    leak. `rerun` traces the function once more, for the line to be seen.
    """
    watched: list[weakref.ref[Any]] = trace.watched or []
    trace.watched = None
    if not any(ref() is not None for ref in watched):
        return
    # A trace function, which may keep frames, is not to see those of the check.
    observer = sys.gettrace()
    if observer is not None:
        sys.settrace(None)
    try:
        leaks = _find_leaks(trace, watched, kept)
        if leaks:
            check_outcomes.settle(_leaked_error(trace, leaks, rerun))
    finally:
        if observer is not None:
            sys.settrace(observer)


def _find_leaks(trace: Trace, watched: list[weakref.ref[Any]], kept: Iterable[Any]) -> list[_Leak]:
    """Returns the tracers that are held, in the order of their making."""
    # No variable but `alive` may hold a tracer while the references to it are counted.
    alive = _alive(watched)
    ignored = {id(alive), id(kept), *map(id, kept)}
    chains = leak_reach.find_chains(alive, trace.traced, ignored)
    if len(chains) < len(alive):
        del alive[:]
        gc.collect()
        alive += _alive(watched)
        _find_holders(alive, chains, ignored)
    return [_Leak(each, chains[id(each)]) for each in alive if id(each) in chains]


def _alive(watched: list[weakref.ref[Any]]) -> list[Any]:
    found = [ref() for ref in watched]
    return [each for each in found if each is not None]


def _find_holders(alive: list[Any], chains: dict[int, Chain], ignored: set[int]) -> None:
    """Adds the chains of those that something holds which the traced function does not name."""
    was_frozen = False
    ignored |= {id(each.objects) for each in chains.values()}
    for at in range(len(alive)):
        if id(alive[at]) in chains:
            continue
        one = [alive[at]]
        chain: Chain | None = leak_names.UNKNOWN
        with contextlib.suppress(Exception):
            chain = leak_holders.find_chain(one, ignored)
            if chain is not None and not chain.is_named and gc.get_freeze_count():
                was_frozen = True
                gc.unfreeze()  # Nobody finds the referrers that are frozen.
                chain = leak_names.UNKNOWN  # The first chain is a holder itself.
                chain = leak_holders.find_chain(one, ignored)
        if chain is None:
            continue
        if not chain.is_named:
            chain = _reached_from_makers(one, ignored) or chain
        chains[id(one[0])] = chain
        if chain.is_named:
            for key, beside in leak_reach.find_beside(alive, chain, ignored).items():
                chains.setdefault(key, beside)
        ignored |= {id(each.objects) for each in chains.values()}
    if was_frozen:
        # Who has frozen a large heap pays for each later search through it otherwise: the suite
        # took twice as long.
        gc.freeze()


def _reached_from_makers(one: list[Any], ignored: set[int]) -> Chain | None:
    """Returns how a tracer is reached from the functions that it was made in: what holds it in an
    array of NumPy's is no referrer that Python lists.
    """
    for code in {frame.code: None for frame in one[0].source}:
        for function in gc.get_referrers(code):
            if isinstance(function, types.FunctionType):
                found = leak_reach.find_chains(one, function, ignored)
                if found:
                    return found[id(one[0])]
    return None


@dataclass(slots=True)
class _Leak:
    """A tracer that is kept, how the program reaches it, and the lines one of which stored it."""

    tracer: Any
    chain: Chain
    lines: tuple[Line, ...] = ()


def _leaked_error(trace: Trace, leaks: list[_Leak], rerun: Rerun | None) -> LeakedTracerError:
    with contextlib.suppress(Exception):  # What explains the leak must not take its place.
        _find_lines(trace, leaks, rerun)
    groups: dict[tuple[Line, ...], list[_Leak]] = {}
    for leak in leaks:
        groups.setdefault(leak.lines, []).append(leak)
    parts = [_group_text(lines, group) for lines, group in groups.items()]
    text = (
        f"Leaked trace {trace.name} of {_place(trace)}, traced for {trace.transform}: values that "
        f"outlive it.\n{''.join(parts)}"
    )
    in_metadata = any(leak.chain.metadata for leak in leaks)
    error = LeakedTracerError(
        text.rstrip("\n"),
        code=codes.TRACER_IN_METADATA if in_metadata else None,
        frame=user_frame(),
        hint=None if in_metadata else STORED_HINT,
    )
    error.stored = tuple(
        Frame(line.code.co_filename, line.line) for lines in groups for line in lines[:1]
    )
    return error


def _find_lines(trace: Trace, leaks: list[_Leak], rerun: Rerun | None) -> None:
    """Finds the line that stored each of the values."""
    monitor = leak_monitor.Monitor(trace, [leak.chain for leak in leaks])
    if rerun is not None:
        monitor.run(rerun)
    for place, leak in enumerate(leaks):
        seen = [each for each in monitor.found if each.place == place]
        birth = leak_monitor.birth_of(leak.tracer)
        same = [each.line for each in seen if each.birth == birth]
        lines = same[:1] or _cached(leak) or [each.line for each in seen]
        if leak.chain.metadata and monitor.returned is not None:
            lines = [monitor.returned]
        if not lines:
            lines = _read(leak, monitor.codes)
        leak.lines = tuple(dict.fromkeys(lines))


def _read(leak: _Leak, ran: set[CodeType]) -> list[Line]:
    """Returns the lines that the facts at hand leave; `ran` are functions known to have run."""
    return _cached(leak) or leak_stores.read_lines(
        leak.chain, ran or leak_stores.codes_of(leak.tracer, leak.chain)
    )


def _cached(leak: _Leak) -> list[Line]:
    """Returns the line that made a value which a cache keeps, or an iterator."""
    source = [Line(each.code, each.line) for each in leak.tracer.source]
    line = leak_stores.cached_line(source, leak.chain)
    return [] if line is None else [line]


_MOST_LINES: Final = 4
"""With more lines than these that may be it, none is named."""


def _lines_text(lines: tuple[Line, ...]) -> str:
    """Returns which line stored values, with its text."""
    if not lines or len(lines) > _MOST_LINES:
        return "The line that stored it was not found"
    if len(lines) == 1:
        return f"stored on line {_line_text(lines[0])}"
    return f"stored by one of these lines: {', or '.join(map(_line_text, lines))}"


def _line_text(line: Line) -> str:
    place = f"{line.code.co_filename}:{line.line} ({line.code.co_qualname})"
    return f"{place}\n    {line.text}" if line.text else place


def _group_text(lines: tuple[Line, ...], leaks: list[_Leak]) -> str:
    """Returns what is said of the values that one line has stored."""
    text = f"{_lines_text(lines)}\n"
    for leak in itertools.islice(leaks, _SHOWN):
        tracer, chain = leak.tracer, leak.chain
        where = tracer.source[0] if tracer.source else None
        argument = getattr(tracer, "argument", None)
        made = f"made on line {where}" if where else f"the argument {argument or ''}".rstrip()
        if chain.metadata:
            held = f"is in the metadata of a {chain.metadata}"
        elif chain.name:
            held = f"is kept as `{chain.name}`"
        else:
            held = "is kept by something that Python does not tell"
        text += f"  {tracer.aval.str_short()}, {made}, {held}\n"
    more = len(leaks) - _SHOWN
    return text + (f"  ... and {more} more\n" if more > 0 else "")
