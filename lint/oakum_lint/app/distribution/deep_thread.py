"""The thread of an analysis, whose stack has room for the recursion of the interpreter."""

import gc
import sys
import threading
from collections.abc import Callable
from types import FunctionType

from oakum import dtypes
from oakum_lint.app.progress import TICK, Progress
from oakum_lint.domain.limits import GC_THRESHOLD

RECURSION_LIMIT = 40_000
STACK_SIZE = 256 * 1024 * 1024
"""The interpreter recurses over expressions, whose depth the nesting gate bounds; this is room for
it."""
FRAME_SLOTS = 128 * 1024
"""The frames of Python functions lie in pieces of 16 kB, which CPython takes from the system and
hands back each time that calls go over an end. A first frame that claims so many slots is in a
piece of 2 MB, and half of that is left for all frames on top of it: checks of jax-md took 0.6
seconds of system time instead of 4.5, beside 22 of their own."""


def run_deep(work: Callable[[], None], progress: Progress | None = None) -> None:
    """Does the work of an analysis, in a thread with room for its recursion, and shows how far it
    is.
    """
    failure: list[BaseException] = []

    def guarded() -> None:
        try:
            # What the environment says of x64 holds for programs that run here, not for these.
            with dtypes.assume_x64(False):
                work()
        except BaseException as error:
            # Handed over to the calling thread.
            failure.append(error)

    # Most of what an analysis makes lives to its end: the collector would only look at it again.
    thresholds = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD, *thresholds[1:])
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    previous = threading.stack_size(STACK_SIZE)
    try:
        code = _first.__code__.replace(co_stacksize=FRAME_SLOTS)
        first = FunctionType(code, globals())
        thread = threading.Thread(target=first, args=(guarded,), name="oakum-analysis")
        thread.start()
        while progress is not None and thread.is_alive():
            thread.join(TICK)
            progress.show()
        thread.join()
    finally:
        threading.stack_size(previous)
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
    if failure:
        raise failure[0]


def _first(work: Callable[[], None]) -> None:
    work()
