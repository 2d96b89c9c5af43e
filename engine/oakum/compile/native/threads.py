"""The threads that compiled programs run on: how many, and when they begin and end.

A kernel whose work is worth it is run in chunks, by the thread that calls it and by workers, which
are native threads that never touch Python. `thread_pool_ir` holds their text and says why it is
right.

Their number is, with the caller, that of the processors which this process may use, or what
`OAKUM_NUM_THREADS` or `config.update("oakum_num_threads", 4)` says; 1 means that nothing is run in
parallel; a block that sets the option for one thread changes nothing. Workers begin with the first
job in parallel, sleep when there is none, end with the process. On Windows there are none.

Invariants:
- A child of a fork has no workers until it runs a job in parallel itself.
- Native code of the pool is never freed: workers are in it until the process ends.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Final

from oakum import config
from oakum.compile.native import interruption, jit_link, target, thread_pool_ir
from oakum.values.records import dataclass

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool with its native functions."""

    library: jit_link.Library

    @property
    def entry(self) -> int:
        """The address of `oakum_parallel`."""
        return self.library[thread_pool_ir.ENTRY]

    def limit(self, threads: int) -> None:
        """Says how many threads take part, the caller counted."""
        ctypes.CFUNCTYPE(None, ctypes.c_int32)(self.library[thread_pool_ir.LIMIT])(threads)

    def reset(self) -> None:
        """Forgets all threads."""
        ctypes.CFUNCTYPE(None)(self.library[thread_pool_ir.RESET])()

    def started(self) -> int:
        """How many threads there are, the caller counted."""
        return ctypes.CFUNCTYPE(ctypes.c_int32)(self.library[thread_pool_ir.STARTED])()


_pools: Final[dict[str, Pool]] = {}
_kept: Final[list[Pool]] = []


def address() -> int:
    """Where `oakum_parallel` is, which modules import that run kernels in parallel.

    The pool is compiled when this is first asked; its threads are started by the first job.
    """
    return _pool().entry


def count() -> int:
    """How many threads run a job, the one that calls counted.

    >>> config.update("oakum_num_threads", 3)
    >>> count()
    3
    >>> config.update("oakum_num_threads", None)
    """
    asked = config.num_threads.get_global()
    return min(thread_pool_ir.MOST, available() if asked is None else asked)


def started() -> int:
    """How many threads of the pool there are now in this process, the caller counted."""
    found = _pools.get("shared")
    return 1 if found is None else found.started()


def available() -> int:
    """Returns the number of processors that this process may use: by its affinity, and by its
    quota.
    """
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return max(1, min(processors, _quota() or processors))


def _quota() -> int | None:
    """Returns the processors that a container grants, rounded up; None without such a bound."""
    try:
        granted, period = _QUOTA.read_text(encoding="ascii").split()
        return -(-int(granted) // int(period))
    except (OSError, ValueError):  # not Linux, no bound ("max"), or another form
        return None


def _pool() -> Pool:
    found = _pools.get("shared")
    if found is None:
        built = build(thread_pool_ir.text(target.host()))
        # Of two threads that come here at once, one has built in vain; no thread runs yet.
        found = _pools.setdefault("shared", built)
        if found is built:
            _follow(built)
    return found


def build(text: str) -> Pool:
    """Compiles a pool, whose threads are its own: the one for `address`, or one for tests.

    Without optimisation: it is run once for each chunk, and making it again takes time and memory.
    """
    imports = {name: interruption.address(name) for name in (interruption.HOLD, interruption.GO_ON)}
    built = Pool(jit_link.link(text, thread_pool_ir.EXPORTS, imports, level=0))
    built.reset()
    _kept.append(built)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=built.reset)
    return built


def _follow(built: Pool) -> None:
    """Has the pool's size follow the option."""

    def resize(_: int | None) -> None:
        built.limit(count())

    config.num_threads.follow(resize)
    resize(None)
