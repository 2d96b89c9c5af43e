"""Times taken around calls of jitted functions, which return before their result is computed.

The machine knows the last call that nobody is known to have waited for since. What may wait, by
this or any other name, clears it; so a finding says that nothing did.
"""

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import FLOAT, NONE, TimeStamp, Value

CLOCKS = frozenset(
    {
        "time.time",
        "time.time_ns",
        "time.perf_counter",
        "time.perf_counter_ns",
        "time.monotonic",
        "time.monotonic_ns",
        "timeit.default_timer",
    }
)
WAITING = frozenset({"jax.block_until_ready", "jax.device_get", "jax.effects_barrier"})
NEVER_WAITING = frozenset({"builtins.range", "builtins.len", "builtins.enumerate", "builtins.zip"})


def note_call(machine: Machine, name: str, frame: Frame) -> None:
    """Notes the call of a jitted function outside every trace."""
    if frame.trace is None:
        machine.unawaited = (name, machine.readings)


def note_library_call(machine: Machine, path: str) -> None:
    """Forgets the noted call where a function of a library may wait for its result."""
    waits = path in WAITING or not path.startswith("jax.")
    if waits and path not in NEVER_WAITING:
        machine.unawaited = ("", 0)


def read_clock(machine: Machine) -> Value:
    """What a clock says."""
    machine.readings += 1
    return TimeStamp(machine.readings, *machine.unawaited)


def elapsed(
    machine: Machine, after: TimeStamp, before: TimeStamp, node: nodes.Node, frame: Frame
) -> Value:
    """The time between two readings; reports it where nobody waited for what was timed."""
    if after.unawaited and before.reading <= after.called_after < after.reading:
        machine.emit(events.UnawaitedTiming, frame, node, NONE, node, function=after.unawaited)
    return FLOAT
