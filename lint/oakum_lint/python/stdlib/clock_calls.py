"""Clocks: what they say, and the time between two readings."""

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import wait_for
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import FLOAT, UNKNOWN, Constant, Scalar, TimeStamp, Value, next_uid
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.objects import TIMING_FUNCTIONS
from oakum_lint.syntax import nodes


def is_clock(path: str) -> bool:
    """Whether a function of Python says what time it is."""
    facts = builtin_facts(path)
    return facts is not None and facts.effect == "clock"


def read_clock(machine: Machine, frame: Frame, node: nodes.Node) -> TimeStamp:
    """Reads a clock."""
    stamp = TimeStamp(next_uid(), frame.site(node))
    for hears in machine.moments.clock_read:
        hears(machine, stamp)
    return stamp


def elapsed(
    machine: Machine, after: TimeStamp, before: TimeStamp, frame: Frame, node: nodes.Node
) -> Value:
    """The time between two readings."""
    for hears in machine.moments.time_measured:
        hears(machine, after, before, frame, node)
    return FLOAT


def time_call(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`timeit.timeit(function)` and its kin, which take the time of calls."""
    function = arguments.get(0, "stmt")
    if function is None or isinstance(function, Constant | Scalar) or frame.trace is not None:
        return UNKNOWN
    before = read_clock(machine, frame, node)
    machine.call(function, Arguments(()), frame, node)
    elapsed(machine, read_clock(machine, frame, node), before, frame, node)
    wait_for(machine, UNKNOWN)
    return UNKNOWN


TIMING_CALLS: dict[str, LibraryCall] = dict.fromkeys(TIMING_FUNCTIONS, time_call)
