"""What still runs when a `return` has left a block: `finally`, and the ends of context managers."""

from collections.abc import Callable

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine


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
