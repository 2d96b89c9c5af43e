"""Work in a copy of this process, which the system forks and which ends with the work: what the
user's functions print there, count, write to files or append to lists is there once, as without
the work.

Invariants:
- The copy writes to no file, open or new, changes no folder, starts no process and connects to
  nothing.
- An error in it ends it, and is not shown. What takes too long is ended, and no copy is made again.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any, Final

from oakum.values.checks import check_outcomes

_SECONDS: Final = 10.0
"""The most that the work may take."""
_LARGEST: Final = 1 << 16
_REFUSED: Final = frozenset(
    (
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink"),
        *("os.truncate", "os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr"),
        *("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.kill"),
        *("subprocess.Popen", "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"),
        *("sqlite3.connect", "webbrowser.open"),
    )
)
"""Events of Python's audit that change something outside the process."""
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_is_possible = hasattr(os, "fork")
"""Whether copies are made: not after one that did not end."""


def is_possible() -> bool:
    """Whether this process can be copied."""
    return _is_possible


def answer_of(work: Callable[[], bytes]) -> bytes:
    """Returns what a function returns in a copy of this process; nothing where it has failed."""
    try:
        return _in_copy(work)
    except OSError:  # The system has no process or file left to give.
        return b""


def _in_copy(work: Callable[[], bytes]) -> bytes:
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The copy has this thread alone, and waits for no other one. Python warns of it, and JAX.
        warnings.simplefilter("ignore")
        child = os.fork()
    if not child:
        try:
            _leave_all_alone(writing)
            with check_outcomes.unheard():
                answer = work()
            while answer:
                answer = answer[os.write(writing, answer) :]
        finally:
            os._exit(0)
    os.close(writing)
    try:
        return _answer(reading)
    finally:
        os.close(reading)
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(child, 0)


def _leave_all_alone(kept: int) -> None:
    """Has this process write to no file but one, notice nothing, and free nothing that others use.

    An error in it ends it, and is not shown.
    """
    gc.disable()
    sys.settrace(None)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in _open_files():
        if descriptor not in (kept, nowhere):
            with contextlib.suppress(OSError):
                os.dup2(nowhere, descriptor)
    # Streams of notebooks have files of their own, which they open where they are written to.
    sys.stdout = sys.stderr = io.StringIO()
    sys.addaudithook(_refuse)


def _open_files() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return [int(name) for name in os.listdir(folder)]
    return [0, 1, 2]


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Raises where something outside the process would change, as a file system does which can
    only be read.
    """
    if event in _REFUSED or (event == "open" and arguments[2] & _WRITES):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def _answer(reading: int) -> bytes:
    """Reads what the copy has to say."""
    global _is_possible
    text = b""
    waiting = select.poll()  # `select` takes no descriptor above 1023.
    waiting.register(reading, select.POLLIN | select.POLLHUP)
    while waiting.poll(_SECONDS * 1000):
        part = os.read(reading, _LARGEST)
        if not part:
            return text
        text += part
    _is_possible = False
    return b""
