"""What still runs when `return`, `break` or `continue` has left a block: `finally`, and the ends of
context managers; and calls that leave all of them.
"""

from collections.abc import Callable

from oakum_lint.arrays.expected_failures import is_method_of_tests
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import External
from oakum_lint.models.errors import LEAVING, LEAVING_METHODS, LEAVING_NAMES
from oakum_lint.syntax import nodes


def run_after_leaving(machine: Machine, left: int, frame: Frame, run: Callable[[], bool]) -> None:
    """Runs what comes after a block that every path has left by one of the exits of its function
    from number `left` on: what it writes, all of them have written in the end.
    """
    base = machine.store
    machine.store = base.fork()
    try:
        machine.store.merge(frame.flow.exits[left:])
        if run():
            frame.flow.exits[left:] = [machine.written_in(frame)]
    finally:
        machine.store = base


def count_jumps(frame: Frame) -> tuple[int, int]:
    """How many paths have left the iteration of the innermost loop by `break` and `continue`."""
    loop = frame.flow.loops[-1] if frame.flow.loops else None
    return (0, 0) if loop is None else (len(loop.breaks), len(loop.continues))


def run_after_jumps(
    machine: Machine, jumped: tuple[int, int], frame: Frame, run: Callable[[], bool]
) -> None:
    """Runs what comes after a block on the paths that have left it by `break` or `continue`, which
    are those behind the first so many.
    """
    if jumped == count_jumps(frame):
        return
    loop, base = frame.flow.loops[-1], machine.store
    for states, left in zip((loop.breaks, loop.continues), jumped, strict=True):
        count = len(states)
        if count == left:
            continue
        machine.store = base.fork()
        try:
            machine.store.merge(states[left:])
            falls_through = run()
            states[left:count] = [dict(machine.store.since(loop.entry))] if falls_through else []
        finally:
            machine.store = base


def never_returns(machine: Machine, call: nodes.Call, frame: Frame) -> bool:
    """Whether a call ends the program, or the test."""
    if called_name(call.function) not in LEAVING_NAMES:
        return False
    function = machine.look(call.function, frame)
    if isinstance(function, External):
        return function.path in LEAVING
    return is_method_of_tests(machine, call.function, LEAVING_METHODS, frame)
