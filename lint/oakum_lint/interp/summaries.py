"""Summaries: what a call gave and did, to be used again where it would do the same."""

from collections.abc import Iterable
from typing import Any

from oakum.records import dataclass
from oakum_lint.interp.callables import BoundMethod, FunctionValue, Partial
from oakum_lint.interp.frames import Frame, Trace
from oakum_lint.interp.machine import Machine, traces
from oakum_lint.interp.ranks import is_ranked, without_rank
from oakum_lint.interp.store import Key, Recorder
from oakum_lint.interp.values import Array, Entries, HeapObject, Items, Tree, TupleValue, Value

MAX_SUMMARIES = 24
"""Remembered activations of one function under one set of arguments and state."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call gave, and what it read and wrote of objects older than itself."""

    reads: dict[Key, Value | None]
    writes: dict[Key, Value]
    result: Value


def summary_key(
    function: FunctionValue,
    bound: dict[str, Value | None],
    trace: Trace | None,
    guarded: bool,
    quiet: bool,
    frame: Frame,
) -> Any:
    """What a call depends on, but for the state it reads; None where that cannot be compared."""
    level = 0 if trace is None else trace.level
    staged = 0 if trace is None else trace.staged_level
    presumed = tuple(outer.presumed for outer in traces(trace))
    presumed = (*presumed, any(map(_is_presumed, bound.values())))
    speculative = frame.speculative if trace is None else 0
    flags = (level, staged, guarded, quiet, bool(frame.eager), presumed, speculative)
    flags = (*flags, 0 if trace is None else trace.differentiated)
    flags = (*flags, frame.in_first_round, frame.expects_misfits)
    key = (id(function.definition), function.scope.uid, flags, _without_ranks(bound))
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _without_ranks(bound: dict[str, Value | None]) -> tuple[tuple[str, Value | None], ...]:
    return tuple((name, value and without_rank(value)) for name, value in bound.items())


def _is_presumed(value: Value | None) -> bool:
    """Whether a value is only probably a tracer: what is reported of it is likely, not proved."""
    return isinstance(value, Array | Tree) and value.origin is not None and value.origin.presumed


def recall(machine: Machine, key: Any) -> Summary | None:
    """A remembered call for which everything it read is still the same; repeats its writes."""
    if key is None:
        return None
    summaries: list[Summary] = machine.summaries.get(key, [])
    for summary in summaries:
        store = machine.store
        for cell, seen in summary.reads.items():
            now = store.get(cell)
            if now is not seen and now != seen:
                break
        else:
            for owner, name in summary.reads:
                machine.read(owner, name)
            for (owner, name), value in summary.writes.items():
                machine.write(owner, name, value)
            return summary
    return None


def hand_on(recorder: Recorder) -> None:
    """Notes the reads and writes of a call in the calling activation."""
    parent = recorder.parent
    if parent is None:
        return
    for cell, value in recorder.reads.items():
        if cell not in parent.writes and cell not in parent.reads and cell[0].uid < parent.start:
            parent.reads[cell] = value
    parent.writes.update(cell for cell in recorder.writes if cell[0].uid < parent.start)


def remember(machine: Machine, recorder: Recorder, key: Any, result: Value) -> None:
    """Keeps what a call gave and did, and notes its reads and writes in the calling activation."""
    hand_on(recorder)
    if key is None:
        return
    writes: dict[Key, Value] = {}
    for cell in recorder.writes:
        value = machine.store.get(cell)
        if value is not None:
            writes[cell] = without_rank(value)
    result = without_rank(result)
    if any(_holds_fresh(value, recorder.start) for value in (result, *writes.values())):
        return
    summaries = machine.summaries.setdefault(key, [])
    if len(summaries) < MAX_SUMMARIES:
        summaries.append(Summary(recorder.reads, writes, result))


def _holds_fresh(value: Value, start: int) -> bool:
    """Whether the value holds a mutable object made during the call, or the name of a rank: they
    must not be shared by two calls.
    """
    stack = [value]
    while stack:
        current = stack.pop()
        if is_ranked(current) or (isinstance(current, HeapObject) and current.uid >= start):
            return True
        stack.extend(_held(current))
    return False


def _held(value: Value) -> Iterable[Value]:
    """The values that a value holds."""
    match value:
        case Array(key=key) if key is not None:
            return (key.owner,)
        case TupleValue(elements, rest) | Items(elements, rest):
            return elements if elements is not None else (rest,)
        case Entries(known, rest):
            return (*(item for _, item in known), *(() if rest is None else (rest,)))
        case BoundMethod(_, receiver):
            return (receiver,)
        case Partial(_, positional, keywords):
            return (*positional, *(item for _, item in keywords))
        case _:
            return ()
