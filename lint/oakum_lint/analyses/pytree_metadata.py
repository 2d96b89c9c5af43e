"""What a trace leaves in the metadata of its results: only leaves come out of it as values, and a
structure keeps what it was made with.
"""

from oakum_lint.arrays.pytrees import take_apart
from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import TraceEntry
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Choice, HeapObject, TupleValue, Value
from oakum_lint.python.objects.lifetimes import MAX_SEARCH, find_tracer, place_of_return
from oakum_lint.python.objects.signatures import signature_of


def _check_metadata(machine: Machine, entry: TraceEntry, function: Value, result: Value) -> None:
    """Reports a tracer in the metadata of a pytree that a function returns from a trace."""
    if entry.trace.presumed:
        return
    frame, node = entry.frame, entry.node
    stack, seen = [(result, False)], 0
    while stack and seen < MAX_SEARCH:
        value, perhaps = stack.pop()
        seen += 1
        if isinstance(value, Choice):
            stack.extend((option, True) for option in value.options)
            continue
        if not isinstance(value, HeapObject | TupleValue):
            continue
        container = take_apart(machine, value, frame.level, frame, node)
        if container is None:
            continue
        stack.extend((child, perhaps) for child in container.children)
        held = [
            (name, tracer)
            for name, item in container.metadata
            if (tracer := find_tracer(machine, item, frame.level - 1)) is not None
        ]
        if not held or not isinstance(value.cls, ClassValue):
            continue
        members, tracer = tuple(name for name, _ in held), held[0][1]
        called = signature_of(machine, function).function
        at, returned = (frame, node) if called is None else place_of_return(called, frame, node)
        doubt = "the result is one of several" if perhaps else ""
        details = {
            "kind": "metadata",
            "target": value.cls.name,
            "how": "return",
            "members": members,
        }
        machine.emit(events.Leak, at, returned, tracer, returned, doubt, **details)


GUEST = Guest("pytree_metadata", Moments(traced=(_check_metadata,)))
