"""Ctrl-C while native code runs: the call is left at once, at no cost to the code.

A program is run by `oakum_guard`, without the interpreter's lock. A signal that reaches the main
thread meanwhile is handled there and then: compiled code calls nothing and locks nothing, so what a
handler may do is not restricted by it, and ours has Python run the handlers of the user. When they
raise, as that of Ctrl-C does by default, the code is left by a long jump to the guard, which raises
in the caller; when they do not, the code goes on where it was. So there is nothing to ask within
loops, and a kernel of any kind is left.

    i1 oakum_guard(ptr program, ptr buffers, ptr context, ptr arena)
        runs a program; 0 where it was left. Called with the interpreter's lock.
    i1 oakum_guard_lightly(ptr program, ptr buffers, ptr context, ptr arena)
        the same for one that is short, unless it says that it is not, by `oakum_persist`; the lock
        is held until then
    i1 oakum_run_apart(ptr program, ptr buffers, ptr context, ptr arena)
        runs a program without the lock, to its end
    void oakum_persist()
        says that the program has run for long, and is not about to end
    void oakum_hold()
        from here on a signal waits, as something was begun that has to be ended
    void oakum_go_on(ptr cancel)
        from here on it does not; `cancel`, where it is not null, is called before code is left
    void oakum_ask(ptr object, i64 number, ptr table)
        calls `object(number, table)` of Python's. Where it raises or gives true, the code is left.

What must not be left halfway:
- A job of the pool, whose workers would go on with memory that is used for something else: the pool
  gives a function that has them stop (see `thread_pool_ir`).
- What Python runs, within `oakum_ask`: signals reach it as they do everywhere.

Why no signal is lost: one that comes while none may be taken is noted in `@pending`. Whoever takes
them again looks there after it has said so.

Our handler of the signal first calls the one that it found, Python's, which notes the signal. It
takes its place when a program begins that may take long, unless the signal is ignored or ends the
process; a handler that is set later replaces it, and is replaced by the next such program. Threads
other than the main one are never left: Python handles signals in the main one only.

Why there are two guards: a loop that ends by what it computes may be over after three turns, in a
tenth of a microsecond, which the system calls of the first guard would double.

Without POSIX signals, as on Windows, programs run to their end, and Ctrl-C is raised after it.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import threading
from string import Template
from typing import Final

from oakum.compile.native import interruption_ir, jit_link, target
from oakum.values.records import dataclass

GUARD: Final = "oakum_guard"
LIGHT_GUARD: Final = "oakum_guard_lightly"
APART: Final = "oakum_run_apart"
PERSIST: Final = "oakum_persist"
ASK: Final = "oakum_ask"
HOLD: Final = "oakum_hold"
GO_ON: Final = "oakum_go_on"

_JUMP: Final = "[128 x i64]"
"""More than the largest `jmp_buf` of a system (656 bytes)."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where in `struct sigaction` the flags are, and those that a handler is set with."""

    at_flags: int
    flags: int


_LAYOUTS: Final = {
    # SA_SIGINFO and SA_NODEFER: the jump leaves the handler, after which a signal must come again.
    "linux": _Layout(136, 0x4 | 0x40000000),
    "darwin": _Layout(12, 0x40 | 0x10),
}

_PYTHON: Final = (
    "PyErr_CheckSignals PyErr_WriteUnraisable PyEval_RestoreThread PyEval_SaveThread "
    "PyGILState_Ensure PyGILState_Release PyLong_FromLongLong PyLong_FromVoidPtr PyObject_IsTrue "
    "PyObject_Vectorcall Py_DecRef"
).split()
_JUMPS: Final = ("_setjmp", "_longjmp")


def text(header: str, layout: _Layout | None) -> str:
    """Returns the module for a machine; without a layout, that for systems without POSIX
    signals.
    """
    if layout is None:
        return header + interruption_ir.PLAIN + interruption_ir.SHARED
    return (
        header
        + Template(interruption_ir.GUARDED).substitute(words(layout), SIGNAL=int(signal.SIGINT))
        + interruption_ir.SHARED
    )


def words(layout: _Layout | None = None) -> dict[str, int | str]:
    """Returns the words for texts that set handlers, and jump out of them."""
    known = layout or _layout() or _LAYOUTS["linux"]
    return {"JUMP": _JUMP, "AT_FLAGS": known.at_flags, "FLAGS": known.flags}


def _layout() -> _Layout | None:
    return _LAYOUTS.get(sys.platform)


_linking: Final = threading.Lock()
"""Held while the library is made: of two that threads made at once, one would be freed in use."""


@functools.cache
def _library() -> jit_link.Library:
    layout = _layout()
    imports = {name: _address(ctypes.pythonapi, name) for name in _PYTHON}
    if layout is not None:
        process = ctypes.CDLL(None)
        imports.update((name, _address(process, name)) for name in _JUMPS)
    exports = ("oakum_main", GUARD, LIGHT_GUARD, APART, PERSIST, ASK, HOLD, GO_ON)
    made = jit_link.link(text(target.host().header, layout), exports, imports)
    _follow_main_thread(made)
    return made


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


def _follow_main_thread(made: jit_link.Library) -> None:
    """Has native code know the main thread: in the child of a fork it is the one that forked."""
    word = ctypes.c_uint64.from_address(made["oakum_main"])

    def note() -> None:
        word.value = threading.main_thread().ident or 0

    note()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=note)


def address(name: str) -> int:
    """Returns the address of one of the functions, compiled when the first is asked for."""
    with _linking:
        return _library()[name]
