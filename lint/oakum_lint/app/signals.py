"""SIGINT and SIGTERM while files are written: they wait for the file that is being written.

Python raises what a signal causes between any two instructions: between the call that has made a
file and the assignment of its name, or before the first instruction of a `finally`. Whatever is
taken back where that is caught, there is a moment in which it is not. So nothing is raised there.
"""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from oakum_lint.app.exit_status import TerminatedError

_ENDS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def hold_ends() -> Generator[Callable[[], None]]:
    """Has signals that end the run wait until the block is over, or calls what it gets: there the
    run may end.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone hears of signals
        yield _never
        return
    waiting: list[int] = []

    def note(number: int, _frame: object) -> None:
        waiting.append(number)

    def end() -> None:
        if waiting:
            raise KeyboardInterrupt if waiting[0] == signal.SIGINT else TerminatedError

    found = {number: signal.getsignal(number) for number in _ENDS}
    # What the caller ignores stays ignored; a handler that is not Python's could not be put back.
    before = {number: each for number, each in found.items() if each not in (None, signal.SIG_IGN)}
    try:
        for number in before:
            signal.signal(number, note)
        yield end
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    end()


def _never() -> None:
    """Ends nothing."""
