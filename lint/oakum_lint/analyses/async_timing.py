"""Times taken around calls of jitted functions and operations on arrays, which return before their
result is computed.

The machine knows the last call that nobody is known to have waited for since. What may wait, by
this or any other name, clears it; so a finding says that nothing did.
"""

from collections.abc import Iterable

from oakum_lint.domain import run_events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import LibraryCall, Machine
from oakum_lint.domain.values import (
    FLOAT,
    NONE,
    UNKNOWN,
    Array,
    Constant,
    DTypeValue,
    Place,
    Scalar,
    TimeStamp,
    TupleValue,
    Value,
)
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.objects import RUNNING, SHOWING, TIMING_FUNCTIONS
from oakum_lint.models.packages import in_jax
from oakum_lint.models.types import is_builtin_type
from oakum_lint.syntax import nodes


def is_clock(path: str) -> bool:
    """Whether a function of Python says what time it is."""
    facts = builtin_facts(path)
    return facts is not None and facts.effect == "clock"


def note_call(machine: Machine, name: str, frame: Frame) -> None:
    """Notes the call of a jitted function outside every trace."""
    if frame.trace is None:
        machine.unawaited = (name, machine.readings)


def note_operation(machine: Machine, name: str, values: Iterable[Value], frame: Frame) -> None:
    """Notes an operation on arrays outside every trace: it is handed to the device, too."""
    if frame.trace is None and any(map(_is_large, values)):
        machine.unawaited = (name, machine.readings)


def _is_large(value: Value) -> bool:
    return isinstance(value, Array) and value.place is Place.DEVICE and bool(value.aval.shape)


def note_library_call(machine: Machine, path: str, arguments: Arguments) -> None:
    """Forgets the noted call where a function of a library may wait for its result."""
    declared, facts = machine.public(path), builtin_facts(path)
    if declared is not None:
        waits = declared.waits
    else:
        waits = not in_jax(path) and (facts is None or facts.reads)
    if waits and not only_shows(path, arguments):
        machine.unawaited = ("", 0)


def only_shows(path: str, arguments: Arguments) -> bool:
    """Whether a function of Python shows or measures what it is given, and that is known: it waits
    for nothing.
    """
    facts = builtin_facts(path)
    if facts is None or path in RUNNING:
        return False
    shows = facts.effect in SHOWING or is_builtin_type(path)
    return shows and all(map(is_settled, arguments.all_values()))


def is_settled(value: Value) -> bool:
    """Whether Python itself knows all of a value: there is nothing in it to wait for."""
    match value:
        case Constant() | Scalar() | TimeStamp() | DTypeValue():
            return True
        case TupleValue(elements) if elements is not None:
            return all(isinstance(e, Constant | Scalar | TimeStamp) for e in elements)
        case _:
            return False


def read_clock(machine: Machine, frame: Frame, node: nodes.Node) -> Value:
    """What a clock says."""
    machine.readings += 1
    name, called_after = machine.unawaited
    return TimeStamp(machine.readings, name, called_after, frame.site(node))


def time_call(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`timeit.timeit(function)` and its kin, which take the time of calls; reports those of which
    nobody waits for the result.
    """
    function = arguments.get(0, "stmt")
    if function is None or isinstance(function, Constant | Scalar) or frame.trace is not None:
        return UNKNOWN
    machine.unawaited = ("", 0)
    machine.call(function, Arguments(()), frame, node)
    name, _ = machine.unawaited
    machine.unawaited = ("", 0)
    if name:
        machine.emit(run_events.UnawaitedTiming, frame, node, NONE, node, function=name)
    return UNKNOWN


TIMING_CALLS: dict[str, LibraryCall] = dict.fromkeys(TIMING_FUNCTIONS, time_call)


def elapsed(
    machine: Machine, after: TimeStamp, before: TimeStamp, node: nodes.Node, frame: Frame
) -> Value:
    """The time between two readings; reports the second where nobody waited for what was timed. A
    time that is compared at once keeps to a limit, and measures nothing.
    """
    if frame.compared is node:
        return FLOAT
    if after.unawaited and before.reading <= after.called_after < after.reading:
        read_at = after.read_at
        if read_at.unit is frame.unit:
            node = nodes.Pass(read_at.start, read_at.end)
        machine.emit(run_events.UnawaitedTiming, frame, node, NONE, node, function=after.unawaited)
    return FLOAT
