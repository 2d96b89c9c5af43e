"""Long work of foreign code, which Ctrl-C does not reach, in a thread that can be given up.

NumPy and LLVM answer no signal before they are done. So what may take long in them is done by
another thread, while the main thread waits, which it can leave at once. What was given up goes on
until it is done, with the memory that it needs; its result is dropped. The process may end before:
OpenBLAS waits in a destructor for a product that is being computed, for minutes, so a process that
ends with work given up skips the destructors of libraries (see `_end_without_destructors`).

In other threads than the main one, which Python interrupts never, work is done where it is asked
for. A daemon thread may be within it when the process ends, or begin it then: LLVM aborts the
process when its tables are destroyed while it compiles, so destructors are skipped there, too.
"""

from __future__ import annotations

import atexit
import contextvars
import ctypes
import functools
import os
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

_LONG_TEXT: Final = 50_000
"""LLVM takes tens of milliseconds for a text of so many characters."""

_LOOK_SECONDS: Final = 0.1
"""Where waiting is not interrupted, as on Windows, a signal is seen after so long."""


class _Work(threading.Thread):
    """A thread that does one thing, and what is kept until it is done."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(name="oakum background", daemon=True)
        self._work = work
        self._context = contextvars.copy_context()
        self.done = threading.Lock()
        self.done.acquire()
        self.result: Any = None
        self.error: BaseException | None = None
        self.kept: list[Any] = []

    def run(self) -> None:
        """Does the work."""
        try:
            self.result = self._context.run(self._work)
        except BaseException as error:
            self.error = error
        finally:
            self.done.release()
            _going_on.discard(self)


_going_on: Final[set[_Work]] = set()
"""What is being done: where the main thread does not wait for it any more, it was given up."""

_outside_main: Final[weakref.WeakSet[threading.Thread]] = weakref.WeakSet()
"""Threads that did foreign work themselves; of those that live when Python has ended its part, each
is a daemon, and may still be doing some.
"""


def is_long_text(text: str) -> bool:
    """Whether LLVM may take long over a text."""
    return len(text) >= _LONG_TEXT


def enter() -> bool:
    """Notes that this thread begins foreign work; says whether it is the main thread."""
    _register_end()
    thread = threading.current_thread()
    if thread is threading.main_thread():
        return True
    _outside_main.add(thread)
    return False


def run(work: Callable[[], T]) -> T:
    """Does work of foreign code; when the main thread is interrupted, it is given up."""
    if not enter():
        return work()
    task = _Work(work)
    # Before it begins: a second Ctrl-C may come at any time after the first.
    _going_on.add(task)
    try:
        task.start()
    except RuntimeError:  # the system has no thread left
        _going_on.discard(task)
        return work()
    while not task.done.acquire(timeout=_LOOK_SECONDS):
        pass
    if task.error is not None:
        raise task.error
    return task.result


@functools.cache
def _register_end() -> None:
    """Has the process look, when it ends, whether foreign work still goes on; the child of a fork
    has none of it.
    """
    atexit.register(_end_without_destructors)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_going_on.clear)
        os.register_at_fork(after_in_child=_outside_main.clear)


def _end_without_destructors() -> None:
    """Ends the process after Python has, where work that was given up still goes on, or a daemon
    thread may be doing some.

    Python's own end is not touched: its handlers run, its files are flushed. What the C library
    would do after it is done as far as its open files go, and left out otherwise. `on_exit` keeps
    the exit status; where the C library has none (musl, macOS, Windows), the
    process waits.
    """
    outside = any(thread.is_alive() for thread in _outside_main)
    if not (_going_on or outside) or sys.platform != "linux":
        return
    process = ctypes.CDLL(None)
    register = getattr(process, "on_exit", None)
    if register is None:
        return
    # The last one registered is called first. Each is called with (status, None): `_exit` takes the
    # status, and `fcloseall` no argument.
    for name in ("_exit", "fcloseall"):
        register(ctypes.cast(getattr(process, name), ctypes.c_void_p), None)


def keep(*memory: object) -> None:
    """Keeps memory that work which was given up may still read or write, until that is done."""
    for task in tuple(_going_on):
        task.kept.append(memory)
